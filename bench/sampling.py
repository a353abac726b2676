"""A crawl with an apprentice, observed: the waiting URLs, their scents, and the truth about them.

The apprentice is the one that ships, and nobody tells it what is true: looking changes nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from scenthound.apprentice.crawl_guide import Advisor, ApprenticeGuide
from scenthound.apprentice.reason_numbers import NAMES
from scenthound.apprentice.scent import ScentModel
from scenthound.apprentice.scents import smell
from scenthound.store.base import Store
from scenthound.types import Distillation, Guidance, Outcome

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]
T = TypeVar("T")

BEST: Final = 25  # URLs that wait of which most is expected: between these the crawl has to choose
DRAWN: Final = 60  # URLs drawn by chance from all that wait


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Samples:
    """What could be smelt of URLs, a row each, and which of them are wanted."""

    rows: Floats
    wanted: Flags

    def __len__(self) -> int:
        return len(self.wanted)


def joined(parts: Sequence[Samples]) -> Samples:
    """Put samples together."""
    rows = [np.zeros((0, len(NAMES))), *(part.rows for part in parts)]
    wanted = [np.zeros(0, dtype=np.bool_), *(part.wanted for part in parts)]
    return Samples(rows=np.concatenate(rows), wanted=np.concatenate(wanted))


class Onlooker(ABC, Generic[T]):
    """Guides as the apprentice does that begins with the weights `prior`.

    After every so many pages, `look` looks at what waits.
    """

    def __init__(
        self, store: Store, advisor: Advisor, *, prior: Floats, is_wanted: Callable[[str], bool], every: int
    ) -> None:
        self._guide = ApprenticeGuide(self._make, kind="scent", store=store, advisor=advisor)
        self._prior = prior
        self._is_wanted = is_wanted
        self._every = every
        self._chance = np.random.default_rng(every)
        self._model: ScentModel | None = None
        self._pages = 0
        self.seen: list[T] = []

    @abstractmethod
    def look(self, model: ScentModel) -> T:
        """Return what is seen now."""

    def advise(self, outcomes: Sequence[Outcome]) -> list[Guidance]:
        given = self._guide.advise(outcomes)
        before = self._pages // self._every
        pairs = zip(outcomes, given, strict=True)
        self._pages += sum(said.lesson is not None and not outcome.claim.example for outcome, said in pairs)
        if self._model is not None and self._pages // self._every > before:
            self.seen.append(self.look(self._model))
        return given

    def hear(self, found: Distillation) -> Mapping[str, float]:
        return self._guide.hear(found)

    def revise(self, store: Store) -> Iterator[Mapping[str, float]]:
        return self._guide.revise(store)

    def drawn(self, waiting: Ints) -> Ints:
        """Return the places of some of those that wait, drawn by chance."""
        return self._chance.choice(len(waiting), min(DRAWN, len(waiting)), replace=False)

    def wanted(self, model: ScentModel, urls: Ints) -> Flags:
        return np.array([self._is_wanted(model.ground.names[url]) for url in urls.tolist()], dtype=np.bool_)

    def _make(self) -> ScentModel:
        self._model = ScentModel(prior=self._prior)
        return self._model


class SamplingGuide(Onlooker[Samples]):
    """Takes samples of the best that waits, and of all."""

    @property
    def samples(self) -> Samples:
        """Everything seen so far."""
        return joined(self.seen)

    def look(self, model: ScentModel) -> Samples:
        waiting = model.ground.waiting()
        rows = smell(model.ground, model.lexicon, waiting)
        best = np.argsort(-model.regression.odds(rows), kind="stable")[:BEST]
        chosen = np.union1d(best, self.drawn(waiting))
        return Samples(rows=rows[chosen], wanted=self.wanted(model, waiting[chosen]))
