"""Logistic regression on a handful of numbers that starts from good weights, and leaves them as lessons come.

The weights explain the lessons best, under a penalty on their distance from where they began: with few lessons they
stay there. The lessons are kept, and the weights are fitted to all of them now and then.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scenthound.apprentice.bounded_fit import fit

Floats = NDArray[np.float64]

MOST_LESSONS: Final = 4_000  # the oldest are forgotten beyond
EVERY: Final = 5  # lessons, at least, until the next change of mind
SHARE: Final = 0.1  # of all lessons that are kept, which it takes at least


class Regression:
    """`faith` is how much the weights at the beginning are worth, each against so many lessons."""

    def __init__(self, start: Floats, *, faith: Floats) -> None:
        self._start = start
        self._faith = faith
        self.weights = start.copy()
        self.rows = np.zeros((MOST_LESSONS, len(start)))
        self.outcomes = np.zeros(MOST_LESSONS)
        self.taken = 0
        self._improved = 0  # lessons at the last change of mind
        self._sum = np.zeros(len(start))  # of the rows

    def odds(self, rows: Floats) -> Floats:
        """Return the log-odds of rows."""
        odds: Floats = rows @ self.weights
        return odds

    def learn(self, rows: Floats, outcomes: Floats) -> None:
        """Take lessons, what was seen and the relevance that came of it, and change the weights now and then."""
        before, self.taken = self.taken, self.taken + len(rows)
        places = np.arange(before, self.taken) % MOST_LESSONS
        self._sum += (rows - self.rows[places]).sum(axis=0)
        self.rows[places] = rows
        self.outcomes[places] = outcomes
        if self.taken - self._improved >= max(EVERY, SHARE * min(self.taken, MOST_LESSONS)):
            self._improved = self.taken
            self._improve()

    def average(self) -> Floats:
        """Return what is seen of a link on the average, as far as lessons tell; nothing before the first."""
        average: Floats = self._sum / max(1, min(self.taken, MOST_LESSONS))
        return average

    def state(self) -> dict[str, NDArray[Any]]:
        kept = min(self.taken, MOST_LESSONS)
        return {
            "weights": self.weights,
            "rows": self.rows[:kept],
            "outcomes": self.outcomes[:kept],
            "taken": np.array([self.taken, self._improved]),
            "sum": self._sum,
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self.weights = state["weights"].copy()
        self.taken, self._improved = state["taken"].tolist()
        kept = min(self.taken, MOST_LESSONS)
        self.rows[:kept] = state["rows"]
        self.outcomes[:kept] = state["outcomes"]
        self._sum = state["sum"].copy()

    def _improve(self) -> None:
        kept = min(self.taken, MOST_LESSONS)
        rows, outcomes = self.rows[:kept], self.outcomes[:kept]
        self.weights = fit(rows, outcomes, start=self._start, faith=self._faith, guess=self.weights)
