"""Which URLs are thought over when, and which priorities are told: all of the frontier now and then, its head more often.

Thinking a million links over takes seconds, and telling the store as many new priorities longer. What a lesson touches is
scored at once, the head of the frontier every few lessons, everything after as many lessons as make that cheap.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.apprentice.columns import Column
from scenthound.apprentice.ground import Ints
from scenthound.apprentice.model import Model, nothing

HEAD: Final = 300  # URLs next to be fetched, thought over every few lessons
HEAD_EVERY: Final = 5
NEAR: Final = 2_000  # URLs among which the head is looked for between two times that all are thought over
PATIENCE: Final = 300  # links thought over per lesson, on average, in thinking over all
TOLERANCE: Final = 0.02  # of a priority, below which a change is not told
FAR: Final = 0.25  # of the best priority: less than this matters less


class Priorities:
    """What a model expects of the URLs that wait, and what the store was told."""

    def __init__(self, model: Model, *, sample: float = 0.0, seed: int = 0) -> None:
        self._model = model
        self._sample = sample
        self._random = np.random.default_rng(seed)
        self._drawn = set[str]()
        self._begin()

    def _begin(self) -> None:
        self._ground = self._model.ground
        self._expected = Column(np.float64)
        self._told = Column(np.float64)
        self._failed = Column(np.bool_)
        self._near = nothing()
        self._best = 0.0
        self._since_all = self._since_head = 0

    def after(self, lessons: int, touched: Ints) -> dict[str, float]:
        """Return the priorities to be told after some lessons that touched these URLs."""
        if self._ground is not self._model.ground:  # much was forgotten; the rest has other numbers, and is told anew
            self._begin()
            return self.all()
        news = self._after(lessons, touched)
        if self._sample and self._random.random() < self._sample * lessons:
            news |= self._draw()
        return news

    def _after(self, lessons: int, touched: Ints) -> dict[str, float]:
        self._since_all += lessons
        self._since_head += lessons
        if self._since_all * PATIENCE >= len(self._model.ground.links.source) and self._since_all >= HEAD_EVERY:
            return self.all()
        urls = touched
        if self._since_head >= HEAD_EVERY:
            self._since_head = 0
            urls = np.concatenate((touched, self._head()))
        return self.some(np.unique(urls))

    def all(self) -> dict[str, float]:
        """Think everything over."""
        self._since_all = self._since_head = 0
        waiting = self._waiting()
        self._score(waiting)
        expected = self._expected.values[waiting]
        most = np.argpartition(-expected, NEAR)[:NEAR] if len(waiting) > NEAR else np.arange(len(waiting))
        self._near = waiting[most]
        self._best = 0.0  # what was best before may be gone
        return self._news(waiting)

    def assume(self) -> None:
        """Think everything over, and take it that the store knows."""
        self._begin()
        self.all()

    def leave(self, url: str) -> None:
        """Say no more of a URL that could not be fetched. This is not for the model: the log of lessons does not know it."""
        self._match()
        number = self._model.ground.known(url)
        if number is not None and number < len(self._failed):
            self._failed.values[number] = True

    def _waiting(self) -> Ints:
        self._match()
        return np.flatnonzero(self._waits(slice(None)))

    def _waits(self, urls: Ints | slice) -> NDArray[np.bool_]:
        waits: NDArray[np.bool_] = self._model.ground.may_wait(urls) & ~self._failed.values[urls]
        return waits

    def was_drawn(self, url: str) -> bool:
        """Tell whether a URL was fetched because chance said so, and forget about it."""
        found = url in self._drawn
        self._drawn.discard(url)
        return found

    def _draw(self) -> dict[str, float]:
        """Let one of all that wait, whatever is expected of it, come next."""
        waiting = self._waiting()
        if not len(waiting):
            return {}
        name = self._model.ground.names[int(self._random.choice(waiting))]
        self._drawn.add(name)
        near = self._near[self._waits(self._near)]
        told = float(np.nanmax(self._told.values[near], initial=0.0))  # perhaps before the best became worse
        return {name: max(self._best, told)}

    def some(self, urls: Ints) -> dict[str, float]:
        """Think some URLs over."""
        self._match()
        waiting = urls[self._waits(urls)]
        self._score(waiting)
        self._near = np.union1d(self._near, waiting)
        return self._news(waiting)

    def _head(self) -> Ints:
        self._match()
        near = self._near[self._waits(self._near)]
        expected = self._expected.values[near]
        self._near = near[np.argpartition(-expected, NEAR)[:NEAR]] if len(near) > NEAR else near
        expected = self._expected.values[self._near]
        return self._near[np.argpartition(-expected, HEAD)[:HEAD]] if len(self._near) > HEAD else self._near

    def _score(self, urls: Ints) -> None:
        self._match()
        self._expected.values[urls] = self._model.urgency(urls)

    def _match(self) -> None:
        """Make room for the URLs that came since."""
        new = len(self._model.ground.names) - len(self._told)
        self._expected.add(new, 0.0)
        self._told.add(new, np.nan)
        self._failed.add(new, False)

    def _news(self, urls: Ints) -> dict[str, float]:
        """Return the priorities that differ by so much from what was told that it may matter."""
        expected, told = self._expected.values[urls], self._told.values[urls]
        self._best = max(0.98 * self._best, float(expected.max(initial=0.0)))
        scale = np.maximum(np.maximum(expected, told), FAR * self._best)
        news = urls[~(np.abs(expected - told) <= TOLERANCE * scale)]
        self._told.values[news] = self._expected.values[news]
        names = self._model.ground.names
        pairs = zip(news.tolist(), self._told.values[news].tolist(), strict=True)
        return {names[url]: score for url, score in pairs if names[url] not in self._drawn}
