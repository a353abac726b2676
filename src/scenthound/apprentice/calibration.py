"""The meaning of log-odds, learnt from outcomes: a line from expected log-odds to those that came.

A regression whose numbers change their meaning during a crawl (words become known, so all numbers say more) lags
behind, and expects too little of the links that it chose. This is Platt's scaling, fitted to the latest lessons and
held near the line that changes nothing. It keeps the order of links.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scenthound.apprentice.bounded_fit import fit

Floats = NDArray[np.float64]

UNCHANGED: Final = np.array([1.0, 0.0])  # the slope and height of a line that changes nothing

# The calibration error of all links on the development topics of the schools web is .064 without, .010 so, and .014 or
# .022 with other lengths and faiths; the order of links does not depend on it.
LATEST: Final = 200  # lessons that the line is found from
FAITH: Final = (20.0, 2.0)  # lessons that slope and height to begin with are worth
EVERY: Final = 5  # lessons, at least, until the line is fitted again
SHARE: Final = 0.1  # of those that it is fitted to, which it takes at least
FURTHEST: Final = 9.0  # log-odds: what was surer than this does not pull harder at the line
LEAST_SLOPE: Final = 0.1  # a line that falls would turn the order round


class Calibration:
    """Changes nothing until lessons say so.

    >>> calibration = Calibration()
    >>> for _ in range(10):
    ...     calibration.learn(np.full(5, -1.4), np.full(5, 0.5))
    >>> from scipy.special import expit
    >>> expit(calibration.corrected(np.array([-2.2, -1.4, -0.4]))).round(2).tolist()
    [0.3, 0.46, 0.67]
    """

    def __init__(self) -> None:
        self._line = UNCHANGED
        self._expected = np.zeros(LATEST)
        self._came = np.zeros(LATEST)
        self._taken = self._fitted = 0  # lessons so far, and at the last fit

    @property
    def slope(self) -> float:
        """How much a difference of log-odds is worth."""
        return float(self._line[0])

    def corrected(self, odds: Floats) -> Floats:
        """Return the log-odds that are to be expected where these, found without lessons of this kind, are expected."""
        corrected: Floats = odds * self._line[0] + self._line[1]
        return corrected

    def learn(self, odds: Floats, came: Floats) -> None:
        """Take in log-odds, uncorrected, and the relevance that came of each."""
        places = np.arange(self._taken, self._taken + len(odds)) % LATEST
        self._taken += len(odds)
        self._expected[places] = np.clip(odds, -FURTHEST, FURTHEST)
        self._came[places] = came
        if self._taken - self._fitted >= max(EVERY, SHARE * min(self._taken, LATEST)):
            self._fitted = self._taken
            self._improve()

    def state(self) -> dict[str, NDArray[Any]]:
        taken = np.array([self._taken, self._fitted])
        return {"line": self._line, "latest expected": self._expected, "latest came": self._came, "compared": taken}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self._line = state["line"].copy()
        self._taken, self._fitted = state["compared"].tolist()
        self._expected, self._came = state["latest expected"].copy(), state["latest came"].copy()

    def _improve(self) -> None:
        kept = min(self._taken, LATEST)
        rows = np.column_stack((self._expected[:kept], np.ones(kept)))
        line = fit(rows, self._came[:kept], start=UNCHANGED, faith=np.array(FAITH), guess=self._line)
        self._line = np.array([max(line[0], LEAST_SLOPE), line[1]])
