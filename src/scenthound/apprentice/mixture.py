"""A net under the apprentice: its forecasts and those of best-first, mixed by how well each has predicted outcomes.

This is a Bayesian mixture of experts with a fixed share (Herbster and Warmuth, Machine Learning 32, 1998). Its
logarithmic loss on any sequence of links exceeds that of the better expert by at most log 5 (log 1.25 if that is the
apprentice) and the cost of the share, a half of it for each link. After a change of the lead it comes as close to the
new leader. An expert without an opinion gives all links the same number, and so leaves their order to the other.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

APPRENTICE, BEST_FIRST = 0, 1  # the experts, by their rows
# The part of each expert's weight that goes to the other after every link: one that was wrong for long can come back.
SHARE: Final = 0.01
START: Final = (0.8, 0.2)  # the apprentice was the better one on every web that was looked at
LOST: Final = 0.1  # the weight of an expert that has lost
SURE: Final = 0.02  # no forecast is surer than this: one mistake must not decide everything


class Mixture:
    """`forecasts` have a row for each expert.

    >>> mixture = Mixture()
    >>> for _ in range(20):  # what the apprentice thinks little of is good, what it thinks much of is not
    ...     mixture.learn(np.array([[0.9, 0.1], [0.5, 0.5]]), np.array([0.0, 1.0]))
    >>> mixture.lead < 0.05, mixture.mixed(np.array([[0.9, 0.1], [0.3, 0.6]])).round(1).tolist()
    (True, [0.3, 0.6])
    """

    def __init__(self) -> None:
        self._weights = np.array(START)

    @property
    def lead(self) -> float:
        """The weight of the apprentice: more than a half where it leads."""
        return float(self._weights[APPRENTICE])

    def mixed(self, forecasts: Floats) -> Floats:
        """Return the forecast of both together for each link."""
        mixed: Floats = self._weights @ np.clip(forecasts, SURE, 1.0 - SURE)
        return mixed

    def ranked(self, forecasts: Floats) -> Floats:
        """Return the numbers to order links by: the same, except that an expert that has lost has no effect at all.

        Best-first gives all links of a page the same number. Their order would be left to an apprentice with next to no
        weight, which may have lost because it has everything upside down.
        """
        left = np.maximum(self._weights - LOST, 0.0)
        ranked: Floats = left / left.sum() @ np.clip(forecasts, SURE, 1.0 - SURE)
        return ranked

    def learn(self, forecasts: Floats, came: Floats) -> None:
        """Take in what was foretold of links, in their order, and the relevance that came of each."""
        sure = np.clip(forecasts, SURE, 1.0 - SURE)
        for likelihood in np.exp(came * np.log(sure) + (1.0 - came) * np.log1p(-sure)).T:
            weights = self._weights * likelihood
            weights /= weights.sum()
            self._weights = (1.0 - SHARE) * weights + SHARE / len(weights)

    def state(self) -> dict[str, NDArray[Any]]:
        return {"mixture": self._weights}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self._weights = state["mixture"].copy()
