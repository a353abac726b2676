"""Whether probabilities mean something, and what to do where they do not (Guo et al., ICML 2017).

A critic is calibrated if, of the pages to which it gives a probability of .7, seven in ten are what it says. Measured
by the expected calibration error; mended by one temperature for many classes.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Labels = NDArray[np.int64]

BINS: Final = 15  # as in Guo et al., for comparable figures
_HOTTEST: Final = 50.0
_DOUBT: Final = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Pages with about the same probability: their number, mean probability, and the share that is true."""

    pages: int
    said: float
    true: float


def reliability(said: Floats, true: Flags, *, bins: int = BINS) -> tuple[Bin, ...]:
    """Compare probability and truth in bins of equal width; skip empty bins.

    >>> for row in reliability(np.array([0.1, 0.9, 0.8]), np.array([False, True, False]), bins=2):
    ...     print(row.pages, round(row.said, 3), row.true)
    1 0.1 0.0
    2 0.85 0.5
    """
    places = np.minimum((said * bins).astype(np.int64), bins - 1)
    return tuple(
        Bin(pages=int(here.sum()), said=float(said[here].mean()), true=float(true[here].mean()))
        for here in (places == place for place in range(bins))
        if here.any()
    )


def calibration_error(said: Floats, true: Flags, *, bins: int = BINS) -> float:
    """Return the expected calibration error: the mean distance of probability and truth over the bins, by their pages.

    >>> round(calibration_error(np.array([0.1, 0.9, 0.8]), np.array([False, True, False]), bins=2), 4)
    0.2667
    """
    found = reliability(said, true, bins=bins)
    return sum(row.pages * abs(row.said - row.true) for row in found) / max(1, sum(row.pages for row in found))


def log_loss(scores: Floats, labels: Labels) -> float:
    """Return the mean of -log Pr(right class), for scores that are log probabilities up to a constant.

    >>> round(log_loss(np.log([[0.5, 0.5], [0.2, 0.8]]), np.array([0, 1])), 4)  # (log 2 + log 1.25) / 2
    0.4581
    """
    right = scores[np.arange(len(labels)), labels]
    return float(np.mean(logsumexp(scores, axis=1) - right))


def temperature(scores: Floats, labels: Labels) -> float:
    """Return the divisor of scores that gives held-out pages the least log loss.

    As with Platt, a class with n pages is not quite certain: a doubt of 1 / (n + 2), of which we keep a quarter, is
    shared by all classes. Without any doubt, a few perfectly separated pages would have no best temperature. With all
    of it, probabilities are too timid (schools web, calibration error .11 instead of .03).

    Here each page says "e^2 to 1", and three of four are right; with the doubt, .7417 of them.

    >>> scores = np.array([[2.0, 0.0]] * 4)
    >>> hot = temperature(scores, np.array([0, 0, 0, 1]))
    >>> round(2 / hot, 2), round(float(np.log(0.7417 / 0.2583)), 2)
    (1.05, 1.05)
    """
    if len(labels) == 0:
        return 1.0
    from scipy.optimize import minimize_scalar  # a quarter of a second, and only learning needs it

    doubts = _DOUBT / (np.bincount(labels)[labels] + 2)
    limit = float(np.log(_HOTTEST))

    def loss(heat: float) -> float:
        cooled = scores / np.exp(heat)
        said = (1 - doubts) * cooled[np.arange(len(labels)), labels] + doubts * cooled.mean(axis=1)
        return float(np.mean(logsumexp(cooled, axis=1) - said))

    return float(np.exp(minimize_scalar(loss, bounds=(-limit, limit), method="bounded").x))
