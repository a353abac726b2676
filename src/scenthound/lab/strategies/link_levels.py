"""The machine behind ACHE's link classifier: for each level a linear support vector machine against the other levels.

Sigmoids fitted to the training links turn margins into probabilities (Platt 1999), as in ACHE. It is separate from
`ache`, because scikit-learn takes a second to import.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import expit
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from scenthound.judge.models.svm_node import fit_sigmoid

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

COST: Final = 1.0  # as in ACHE


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """Hyperplanes, a column for each of `levels`, with the sigmoids that turn margins into probabilities."""

    levels: Numbers
    weights: Floats
    biases: Floats
    sigmoids: Floats

    def likely(self, rows: csr_array) -> Floats:
        """Return the probability of each level, a row for each link; words newer than the training are ignored."""
        margins = rows[:, : len(self.weights)] @ self.weights + self.biases
        found: Floats = expit(margins * self.sigmoids[:, 0] + self.sigmoids[:, 1])
        return found


def fit_levels(rows: csr_array, labels: Numbers, levels: Numbers) -> Levels:
    """Learn to tell each of some levels from everything else."""
    with threadpool_limits(1, user_api="blas"):  # sums in one order, whatever the number of cores
        machines = [
            LinearSVC(C=COST, dual=True, loss="hinge", tol=1e-2, random_state=0).fit(rows, labels == level)
            for level in levels
        ]
    weights = np.stack([machine.coef_[0] for machine in machines], axis=1)
    biases = np.array([machine.intercept_[0] for machine in machines])
    margins = rows @ weights + biases
    sigmoids = [fit_sigmoid(margins[:, column], labels == level) for column, level in enumerate(levels)]
    return Levels(levels=levels, weights=weights, biases=biases, sigmoids=np.stack(sigmoids))
