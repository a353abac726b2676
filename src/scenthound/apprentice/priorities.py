"""The schedule of an apprentice: when it thinks which URLs over, and which priorities it reports.

Thinking a million links over takes seconds, and writing as many priorities to the store takes longer. So it scores the
URLs that a lesson touches at once, the head of the frontier every few lessons, and everything after as many lessons as
make that cheap.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np

from scenthound.apprentice.arrays import Column
from scenthound.apprentice.memory.ground import Ints, as_bytes, as_names
from scenthound.apprentice.model import Model, State, nothing
from scenthound.apprentice.words.word_yields import distinct

HEAD: Final = 150  # URLs next to be fetched, thought over every few lessons
HEAD_EVERY: Final = 5
# Times that a URL may be in the head. One that is still not fetched then is dead, forbidden, or on a host that must
# rest long. The lessons do not tell which, and in the end the head would be full of these.
TURNS: Final = 100
NEAR: Final = 2_000  # URLs among which the head is looked for between two times that all are thought over
PATIENCE: Final = 100  # links thought over per lesson, on average, in thinking over all
TOLERANCE: Final = 0.02  # of a priority, below which a change is not told
FAR: Final = 0.25  # of the best priority: less than this matters less
# Fetches that show down to which priority the order matters: nine of ten of them had at least the priority of this
# edge. Below the edge the store's number may be wrong by a part of the distance to it: of 12.6 changes a page on the
# schools web, 11.5 were of URLs with less than half of the best priority, and nothing came of them but work for the
# store.
LATELY: Final = 100
EXCEPTIONS: Final = 0.1
SLACK: Final = 0.5

_STATE: Final = "told."  # how the names of arrays begin in a state


class Priorities:
    """A model's expectations of the URLs that wait, and the priorities that the store has."""

    def __init__(self, model: Model, *, sample: float = 0.0, seed: int = 0) -> None:
        self._model = model
        self._sample = sample
        self._seed = seed
        self._taken = 0  # lessons since the store got all priorities
        self.began: int | None = None  # lessons before that
        self._drawn = set[str]()
        self._begin()

    def _begin(self) -> None:
        self._ground = self._model.ground
        self._expected = Column(np.float64)
        self._told = Column(np.float64)
        self._turns = Column(np.int32)
        self._near = nothing()
        self._best = 0.0
        self._lately = np.zeros(0)  # the priorities of URLs fetched lately
        self._since_all = self._since_head = 0

    def begin(self, lessons: int) -> dict[str, float]:
        """Return the priorities of all that waits, after so many lessons: the store has been told nothing yet."""
        self.began = lessons
        return self.all()

    def after(self, lessons: int, touched: Ints) -> dict[str, float]:
        """Return the priorities to report after some lessons that touched these URLs."""
        self._taken += lessons
        if self._ground is not self._model.ground:  # much was forgotten, and the rest has other numbers: report all
            self._begin()
            return self.all()
        news = self._after(lessons, touched)
        # Drawn afresh for each lesson, so that no state of chance must be kept.
        chance = Random(f"{self._seed} {self.began} {self._taken}")
        if self._sample and chance.random() < self._sample * lessons:
            news |= self._draw(chance)
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
        return self.some(distinct(urls))

    def all(self) -> dict[str, float]:
        """Think everything over."""
        self._since_all = self._since_head = 0
        waiting = self._model.ground.waiting()
        self._score(waiting)
        fresh = waiting[self._turns.values[waiting] < TURNS]
        self._near = self._greatest(fresh, NEAR)
        return self._news(waiting)

    def state(self) -> State:
        """Return everything as arrays, for `restore`; the store has been told everything by now."""
        columns = {name: column.values for name, column in self._columns().items()}
        counts = np.array([self.began or 0, self._taken, self._since_all, self._since_head])
        drawn = as_bytes(sorted(self._drawn))
        rest = {
            "near": self._near,
            "best": np.array(self._best),
            "lately": self._lately,
            "counts": counts,
            "drawn": drawn,
        }
        return {f"{_STATE}{name}": array for name, array in (columns | rest).items()}

    def restore(self, state: State) -> None:
        """Take over another one's state, over a model that has the other's state; a model may be kept without one."""
        if f"{_STATE}counts" not in state:
            return
        self._ground = self._model.ground
        for name, column in self._columns().items():
            column.put(state[f"{_STATE}{name}"])
        self._near, self._best = state[f"{_STATE}near"], float(state[f"{_STATE}best"])
        self._lately = state[f"{_STATE}lately"]
        self.began, self._taken, self._since_all, self._since_head = state[f"{_STATE}counts"].tolist()
        self._drawn = set(as_names(state[f"{_STATE}drawn"]))

    def _columns(self) -> dict[str, Column]:
        return {"expected": self._expected, "told": self._told, "turns": self._turns}

    def reported_priority(self, url: str) -> float:
        """Return the last priority reported for a URL, 0 if none was."""
        number = self._ground.known(url)
        told = self._told.values[number] if number is not None and number < len(self._told) else np.nan
        return 0.0 if np.isnan(told) else float(told)

    def note_fetched(self, urls: Sequence[str]) -> list[bool]:
        """Note that URLs were fetched; tell of each whether that was because chance said so."""
        drawn = [url in self._drawn for url in urls]
        self._drawn.difference_update(urls)
        told = [self.reported_priority(url) for url, by_chance in zip(urls, drawn, strict=True) if not by_chance]
        self._lately = np.array([*self._lately.tolist(), *filter(None, told)][-LATELY:])
        return drawn

    def _draw(self, chance: Random) -> dict[str, float]:
        """Let one of all that wait, whatever is expected of it, come next."""
        waiting = self._model.ground.waiting()
        if not len(waiting):
            return {}
        name = self._model.ground.names[int(waiting[chance.randrange(len(waiting))])]
        self._drawn.add(name)
        near = self._near[self._model.ground.may_wait(self._near)]
        told = float(np.nanmax(self._told.values[near], initial=0.0))  # perhaps before the best became worse
        return {name: max(self._best, told)}

    def some(self, urls: Ints) -> dict[str, float]:
        """Think some URLs over."""
        self._match()
        waiting = urls[self._model.ground.may_wait(urls)]
        self._score(waiting)
        self._near = distinct(np.concatenate((self._near, waiting[self._turns.values[waiting] < TURNS])))
        return self._news(waiting)

    def _head(self) -> Ints:
        self._match()
        near = self._near[self._turns.values[self._near] < TURNS]
        self._near = self._greatest(near[self._model.ground.may_wait(near)], NEAR)
        head = self._greatest(self._near, HEAD)
        self._turns.values[head] += 1
        return head

    def _greatest(self, urls: Ints, many: int) -> Ints:
        """Return the best `many` of some URLs, by expectation or by the priority in the store."""
        if len(urls) <= many:
            return urls
        hopes = np.fmax(self._expected.values[urls], self._told.values[urls])
        return urls[np.argpartition(-hopes, many)[:many]]

    def _best_near(self) -> float:
        """Return the best expectation near the head. The best of before may be fetched, or have lost its worth."""
        near = self._near[self._model.ground.may_wait(self._near)]
        return float(self._expected.values[near].max(initial=0.0))

    def _edge(self) -> float:
        """Return the priority that nearly all of the URLs had, as far as the store knew, that were fetched lately."""
        return float(np.quantile(self._lately, EXCEPTIONS)) if len(self._lately) == LATELY else 0.0

    def _score(self, urls: Ints) -> None:
        self._match()
        self._expected.values[urls] = self._model.urgency(urls)

    def _match(self) -> None:
        """Make room for the URLs that came since."""
        new = len(self._model.ground.names) - len(self._told)
        self._expected.add(new, 0.0)
        self._told.add(new, np.nan)
        self._turns.add(new, 0)

    def _news(self, urls: Ints) -> dict[str, float]:
        """Return the priorities that differ enough from the reported ones to matter."""
        expected, told = self._expected.values[urls], self._told.values[urls]
        self._best = max(self._best_near(), float(expected.max(initial=0.0)))
        hopes = np.maximum(expected, told)
        slack = TOLERANCE * np.maximum(hopes, FAR * self._best) + SLACK * np.maximum(self._edge() - hopes, 0.0)
        news = urls[~(np.abs(expected - told) <= slack)]
        self._told.values[news] = self._expected.values[news]
        names = self._model.ground.names
        pairs = zip(news.tolist(), self._told.values[news].tolist(), strict=True)
        return {names[url]: score for url, score in pairs if names[url] not in self._drawn}
