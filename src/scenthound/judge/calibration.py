"""Whether probabilities mean something, and what to do where they do not (Guo et al., ICML 2017; Platt 1999).

A critic is calibrated if, of the pages to which it gives a probability of .7, seven in ten are what it says. Measured by
the expected calibration error; mended by one temperature for many classes, or by Platt's two numbers for yes or no.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit, logsumexp

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Labels = NDArray[np.int64]

BINS: Final = 15  # as in Guo et al., so that figures can be compared with those of others
_HOTTEST: Final = 50.0
_DOUBT: Final = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Pages with about the same probability: how many, what was said on average, and how many of them it was true of."""

    pages: int
    said: float
    true: float


def reliability(said: Floats, true: Flags, *, bins: int = BINS) -> tuple[Bin, ...]:
    """Compare what was said with what was true, in bins of equal width; empty ones are left out.

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
    """Return the expected calibration error: the mean distance of said and true over the bins, weighed by their pages.

    >>> round(calibration_error(np.array([0.1, 0.9, 0.8]), np.array([False, True, False]), bins=2), 4)
    0.2667
    """
    found = reliability(said, true, bins=bins)
    return sum(row.pages * abs(row.said - row.true) for row in found) / max(1, sum(row.pages for row in found))


def top_calibration_error(probabilities: Floats, labels: Labels) -> float:
    """Return the expected calibration error of the most likely class.

    >>> top_calibration_error(np.array([[0.75, 0.25], [0.25, 0.75]]), np.array([0, 0]))
    0.25
    """
    return calibration_error(probabilities.max(axis=1), probabilities.argmax(axis=1) == labels)


def log_loss(scores: Floats, labels: Labels) -> float:
    """Return the mean of -log Pr(right class), for scores that are log probabilities but for a constant.

    >>> round(log_loss(np.log([[0.5, 0.5], [0.2, 0.8]]), np.array([0, 1])), 4)  # (log 2 + log 1.25) / 2
    0.4581
    """
    right = scores[np.arange(len(labels)), labels]
    return float(np.mean(logsumexp(scores, axis=1) - right))


def temperature(scores: Floats, labels: Labels) -> float:
    """Return the number to divide scores by, so that pages that were not trained on have the least log loss.

    As with Platt, a class with n pages counts as not quite certain: a doubt of 1 / (n + 2), of which a quarter is kept
    here, is shared by all classes. Without any, a few pages that are told apart perfectly would have no best temperature;
    with all of it, probabilities are too timid (schools web, calibration error .11 instead of .03).

    Here each page says "e^2 to 1", and three of four are right; with the doubt, .7417 of them.

    >>> scores = np.array([[2.0, 0.0]] * 4)
    >>> hot = temperature(scores, np.array([0, 0, 0, 1]))
    >>> round(2 / hot, 2), round(float(np.log(0.7417 / 0.2583)), 2)
    (1.05, 1.05)
    """
    if len(labels) == 0:
        return 1.0
    doubts = _DOUBT / (np.bincount(labels)[labels] + 2)
    limit = float(np.log(_HOTTEST))

    def loss(heat: float) -> float:
        cooled = scores / np.exp(heat)
        said = (1 - doubts) * cooled[np.arange(len(labels)), labels] + doubts * cooled.mean(axis=1)
        return float(np.mean(logsumexp(cooled, axis=1) - said))

    return float(np.exp(minimize_scalar(loss, bounds=(-limit, limit), method="bounded").x))


@dataclass(frozen=True, slots=True, kw_only=True)
class Platt:
    """Pr(yes | score) = 1 / (1 + exp(-(slope · score + offset)))."""

    slope: float
    offset: float

    def __call__(self, scores: Floats) -> Floats:
        said: Floats = expit(self.slope * scores + self.offset)
        return said


def platt(scores: Floats, true: Flags) -> Platt:
    """Fit Platt's curve to scores of pages that were not trained on.

    His targets are a little away from 0 and 1, so that few pages that are told apart perfectly make nobody certain.

    >>> curve = platt(np.array([-1.0, -1.0, 1.0, 1.0]), np.array([False, False, True, True]))
    >>> curve(np.array([-1.0, 0.0, 1.0])).round(3).tolist()  # 2 of 2, said as (2 + 1) / (2 + 2)
    [0.25, 0.5, 0.75]
    """
    yes, no = int(true.sum()), int((~true).sum())
    targets = np.where(true, (yes + 1) / (yes + 2), 1 / (no + 2))

    def loss(curve: Floats) -> tuple[float, Floats]:
        margins = curve[0] * scores + curve[1]
        pull = expit(margins) - targets
        value = float(np.sum(np.logaddexp(0, margins) - targets * margins))
        return value, np.array([pull @ scores, pull.sum()])

    found = minimize(loss, np.array([1.0, 0.0]), jac=True, method="L-BFGS-B", options={"ftol": 1e-14, "gtol": 1e-9})
    return Platt(slope=float(found.x[0]), offset=float(found.x[1]))
