"""A net under the apprentice: its forecasts and those of best-first, mixed by how well each has foretold what came.

This is a Bayesian mixture of experts with a fixed share (Herbster and Warmuth, Machine Learning 32, 1998). Its logarithmic loss on
any sequence of links is above that of the better expert by no more than log 5 (log 1.25 if that is the apprentice) and what the
share costs, a half of it for each link, and it is as close to whichever is better now after a change of the lead. An expert that says nothing gives all links the same number, and so leaves their
order to the other.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

APPRENTICE, BEST_FIRST = 0, 1  # the experts, by their rows
# Of each expert's weight, what goes to the other after every link: so that one that has been wrong for long can come back.
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
        """Return what links are to be ordered by: the same, but one that has lost has no say at all.

        Best-first gives all links of a page the same number. The order of these would be left to an apprentice whose weight is next to
        nothing, and who may have lost because it has everything upside down.
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
