"""What a critic made of pages that it had not seen: the least that two critics can be compared by."""

from dataclasses import dataclass
from typing import Final

ON_TOPIC: Final = 0.5  # relevance from which on a page is called on topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """The mean relevance of good examples and of pages off topic; None where there was nothing to try it on."""

    good: float | None = None
    off_topic: float | None = None
