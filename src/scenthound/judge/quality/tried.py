"""A critic's result on unseen pages: the least that a comparison of two critics needs."""

from dataclasses import dataclass
from typing import Final

ON_TOPIC: Final = 0.5  # minimum relevance of a page on topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """The mean relevance of good examples and of pages off topic; None if there were no such pages."""

    good: float | None = None
    off_topic: float | None = None
