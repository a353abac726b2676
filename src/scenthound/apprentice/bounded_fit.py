"""Logistic regression that cannot run away: the one place where an apprentice fits anything to outcomes.

The weights explain the outcomes best under a penalty on their distance from where they began. The penalty makes the
problem strictly convex, so there is one answer. Newton's steps lead there, each no longer than it helps (Boyd and
Vandenberghe, Convex Optimization, 2004, §9.5). If they do not arrive, or leave the bounds, scipy's L-BFGS-B does the
whole work. Undamped steps, which this replaced, overshoot where the lessons separate well, and never come back: weights
of -165, every priority 1.0, a crawl that wanders off.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

Floats = NDArray[np.float64]

# No weight is further than this from where it began. On 150 crawls of the schools web none was ever further than 4.
REACH: Final = 20.0
EXACT: Final = 1e-6  # the steepest slope that is left, for each outcome
# Newton's steps, at most; three are usual. L-BFGS-B takes two dozen from the same beginning; when it did all fits, it
# was a third of an apprentice's cost.
STEPS: Final = 20
HALVINGS: Final = 20  # of one step, at most
HELPFUL: Final = 1e-4  # of what a step promises, that it must keep
BOUNDED_STEPS: Final = 200  # of L-BFGS-B


def fit(
    rows: Floats,
    outcomes: Floats,
    *,
    start: Floats,
    faith: Floats,
    guess: Floats | None = None,
    worth: Floats | float = 1.0,
) -> Floats:
    """Return the weights for rows whose outcomes are between 0 and 1.

    The weights begin at `start`, and each is worth `faith` outcomes there. `guess`, from an earlier fit, saves steps.
    `worth` is how much each outcome counts. The answer is never worse than `start` or `guess`.

    >>> rows = np.array([[1.0, -1.0], [1.0, 1.0]]).repeat(50, axis=0)
    >>> came = np.repeat([0.0, 1.0], 50)  # they separate: without the penalty the second weight would have no end
    >>> fit(rows, came, start=np.zeros(2), faith=np.array([1.0, 1.0]))[1].round(2).item()
    3.36
    """

    problem = _Problem(rows, outcomes, start, faith, worth)
    nearest = start
    if guess is not None:
        guess = np.clip(guess, start - REACH, start + REACH)
        nearest = guess if problem.loss(guess) < problem.loss(start) else start
    found = problem.descended(nearest)
    return problem.bounded(nearest) if found is None else found


@dataclass(frozen=True, slots=True)
class _Problem:
    """The outcomes to explain, and the weights to start from."""

    rows: Floats
    outcomes: Floats
    start: Floats
    faith: Floats
    worth: Floats | float

    @property
    def steepest(self) -> float:
        """The slope that may be left."""
        return EXACT * max(1, len(self.rows))

    def loss(self, weights: Floats) -> float:
        odds, away = self.rows @ weights, weights - self.start
        explained = self.worth * (np.logaddexp(0.0, odds) - self.outcomes * odds)
        return float(explained.sum() + 0.5 * (self.faith * away) @ away)

    def slope(self, weights: Floats, chances: Floats) -> Floats:
        slope: Floats = self.rows.T @ (self.worth * (chances - self.outcomes)) + self.faith * (weights - self.start)
        return slope

    def descended(self, weights: Floats) -> Floats | None:
        """Go down by Newton's steps; None if they do not arrive within the bounds."""
        loss = self.loss(weights)
        for _ in range(STEPS):
            chances = expit(self.rows @ weights)
            slope = self.slope(weights, chances)
            if np.abs(slope).max(initial=0.0) <= self.steepest:
                return weights
            bend = self.rows.T @ (self.rows * (self.worth * chances * (1.0 - chances))[:, None]) + np.diag(self.faith)
            try:
                step = np.linalg.solve(bend, slope)
            except np.linalg.LinAlgError:  # rows so large that the penalty is lost beside them
                return None
            promised = float(slope @ step)
            for halving in range(HALVINGS):
                further = weights - step * 0.5**halving
                less = self.loss(further)
                if less <= loss - HELPFUL * 0.5**halving * promised:
                    break
            else:
                return None
            weights, loss = further, less
            if not (np.abs(weights - self.start) <= REACH).all():
                return None
        return None

    def bounded(self, nearest: Floats) -> Floats:
        """Return the weights within the bounds, never worse than the nearest that were known."""

        def both(weights: Floats) -> tuple[float, Floats]:
            return self.loss(weights), self.slope(weights, expit(self.rows @ weights))

        from scipy.optimize import Bounds, minimize  # rarely needed, and a third of a second to import

        found = minimize(
            both,
            nearest,
            jac=True,
            method="L-BFGS-B",
            bounds=Bounds(self.start - REACH, self.start + REACH),
            options={"maxiter": BOUNDED_STEPS, "gtol": self.steepest, "ftol": 0.0},
        )
        better: Floats = found.x if found.fun <= self.loss(nearest) else nearest
        return better
