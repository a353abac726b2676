"""Logistic regression under a penalty, as it should be: what is to be made small, and an exact answer that takes its
time.

The answer is found with the second derivatives and a trust region, and without bounds; `fit` has neither.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from scenthound.apprentice.bounded_fit import Floats, fit


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    rows: Floats
    outcomes: Floats
    start: Floats
    faith: Floats

    def fitted(self, guess: Floats | None = None) -> Floats:
        return fit(self.rows, self.outcomes, start=self.start, faith=self.faith, guess=guess)

    def objective(self, weights: Floats) -> float:
        odds, away = self.rows @ weights, weights - self.start
        return float(np.logaddexp(0.0, odds).sum() - self.outcomes @ odds + 0.5 * (self.faith * away) @ away)

    def slope(self, weights: Floats) -> Floats:
        slope: Floats = self.rows.T @ (expit(self.rows @ weights) - self.outcomes) + self.faith * (weights - self.start)
        return slope

    def curvature(self, weights: Floats) -> Floats:
        chances = expit(self.rows @ weights)
        curvature: Floats = (self.rows.T * (chances * (1.0 - chances))) @ self.rows + np.diag(self.faith)
        return curvature

    def answer(self) -> Floats:
        """Return the weights that explain the outcomes best."""
        found = minimize(
            self.objective,
            self.start,
            jac=self.slope,
            hess=self.curvature,
            method="trust-exact",
            options={"gtol": 1e-9, "maxiter": 1_000},
        )
        answer: Floats = found.x
        return answer
