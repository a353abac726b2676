"""The protocol of every kind of apprentice: it takes lessons in, one after another, and scores URLs not fetched yet.

    Lesson ─► learn ─► (what it had expected, and which URLs to think over) ... scores ─► priorities

All its knowledge follows from the lessons in their order, so the same lessons give the same apprentice, bit for bit.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scenthound.apprentice.memory.ground import Floats, Ground, Ints
from scenthound.types import Distillation, Lesson

State = dict[str, NDArray[Any]]


def nothing() -> Ints:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """The result of a lesson: the score that its URL had before, the reasons for it, and the URLs it changed most."""

    score: float | None = None
    reasons: bytes = b""
    touched: Ints = field(default_factory=nothing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Something that speaks for a link (positive, in log-odds against an average link) or against it, in words."""

    said: str
    weight: float


class Model(Protocol):
    @property
    def ground(self) -> Ground: ...

    def learn(self, lesson: Lesson) -> Learnt:
        """Take a lesson in: a judged page, or a redirect."""
        ...

    def learn_all(self, lessons: Sequence[Lesson]) -> list[Learnt]:
        """Take several lessons in: the same comes of it as if they were taken one by one, and sooner."""
        ...

    def praise(self, found: Distillation) -> Ints:
        """Take what a distillation found for the hubs, and return the waiting URLs to be thought over."""
        ...

    def scores(self, urls: Ints) -> Floats:
        """Return the relevance to be expected of URLs, which do not change each other's."""
        ...

    def urgency(self, urls: Ints) -> Floats:
        """Return the priorities that URLs should have: their scores, unless there are reasons to prefer others."""
        ...

    def explain(self, reasons: bytes, terms: Iterable[str] = ()) -> list[Part]:
        """Put the reasons from `learn` or `reasons` into words, the most important first; it may name some of these
        terms."""
        ...

    def reasons(self, url: int) -> bytes:
        """Return what the score of a URL is made of now."""
        ...

    def knowledge(self) -> State:
        """Return what it knows beyond the URLs and hosts of its crawl, to be taken along to another one."""
        ...

    def state(self) -> State:
        """Return everything it knows, to be kept in a file."""
        ...

    def restore(self, state: State) -> None:
        """Know what another one of the same kind knew."""
        ...
