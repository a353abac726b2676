"""Logistic regression that cannot run away: the one place where an apprentice fits anything to what came.

The weights are those that explain the outcomes best under a penalty on how far they are from where they began. The penalty makes
the problem strictly convex, so that there is one answer. Undamped Newton steps, which this replaces, overshoot where the lessons
separate well, and never come back: weights of -165, every priority 1.0, a crawl that wanders off.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, minimize
from scipy.special import expit

Floats = NDArray[np.float64]

# No weight is further than this from where it began. On 150 crawls of the schools web none was ever further than 4.
REACH: Final = 20.0
STEPS: Final = 200  # at most; two dozen are usual
EXACT: Final = 1e-6  # the steepest slope that is left, for each outcome


def fit(
    rows: Floats,
    outcomes: Floats,
    *,
    start: Floats,
    faith: Floats,
    guess: Floats | None = None,
    worth: Floats | float = 1.0,
) -> Floats:
    """Return the weights for rows, of which something between 0 and 1 came.

    `start` is where the weights begin, and `faith` how many outcomes each is worth there. `guess`, from an earlier fit, saves
    steps. `worth` is how much each outcome counts. The answer is never worse than `start` or `guess`.

    >>> rows = np.array([[1.0, -1.0], [1.0, 1.0]]).repeat(50, axis=0)
    >>> came = np.repeat([0.0, 1.0], 50)  # they separate: without the penalty the second weight would have no end
    >>> fit(rows, came, start=np.zeros(2), faith=np.array([1.0, 1.0]))[1].round(2).item()
    3.36
    """

    def loss(weights: Floats) -> tuple[float, Floats]:
        odds, away = rows @ weights, weights - start
        value = (worth * (np.logaddexp(0.0, odds) - outcomes * odds)).sum() + 0.5 * (faith * away) @ away
        return float(value), rows.T @ (worth * (expit(odds) - outcomes)) + faith * away

    nearest = start
    if guess is not None:
        guess = np.clip(guess, start - REACH, start + REACH)
        nearest = guess if loss(guess)[0] < loss(start)[0] else start
    found = minimize(
        loss,
        nearest,
        jac=True,
        method="L-BFGS-B",
        bounds=Bounds(start - REACH, start + REACH),
        options={"maxiter": STEPS, "gtol": EXACT * max(1, len(rows)), "ftol": 0.0},
    )
    better: Floats = found.x if found.fun <= loss(nearest)[0] else nearest
    return better
