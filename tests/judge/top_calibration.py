"""How far the most likely class of a critic is from what is true."""

import numpy as np
from numpy.typing import NDArray

from scenthound.judge.models.temperature import calibration_error


def top_calibration_error(probabilities: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """Return the expected calibration error of the most likely class.

    >>> top_calibration_error(np.array([[0.75, 0.25], [0.25, 0.75]]), np.array([0, 0]))
    0.25
    """
    return calibration_error(probabilities.max(axis=1), probabilities.argmax(axis=1) == labels)
