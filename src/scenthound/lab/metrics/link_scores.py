"""How well the priorities of links predicted their targets: ranking, surprise and calibration.

Prequential (Dawid 1984): each priority was fixed before the page was seen, and is compared with the result. AUC after
Hanley and McNeil (1982), calibration error over bins of equally many links (Naeini et al. 2015).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

BINS: Final = 10
RELEVANT: Final = 0.5
# Orders give a priority of exactly 0 to many links, and one of these that leads to a wanted page would have an infinite
# log-loss; so it costs as much as a chance of one in a million.
_SUREST: Final = 1e-6


def link_scores(priority: Floats, wanted: Flags, relevance: Floats) -> dict[str, float | None]:
    """Compare priorities with the truth, and with the critic's relevance of the fetched pages."""
    probable = bool(((priority >= 0) & (priority <= 1)).all()) and len(priority) > 0
    return {
        **_against(priority, wanted, wanted.astype(np.float64), probable, suffix=""),
        **_against(priority, relevance >= RELEVANT, relevance, probable, suffix="_judged"),
    }


def _against(
    priority: Floats, there: Flags, outcome: Floats, probable: bool, *, suffix: str
) -> dict[str, float | None]:
    return {
        f"link_auc{suffix}": auc(priority, there),
        f"link_log_loss{suffix}": log_loss(priority, outcome) if probable else None,
        f"link_ece{suffix}": calibration_error(priority, outcome) if probable else None,
        f"link_brier{suffix}": brier(priority, outcome) if probable else None,
    }


def auc(scores: Floats, there: Flags) -> float | None:
    """Return how often a positive has a greater score than a negative; equal scores count half.

    None if all or none are positive.

    >>> auc(np.array([0.9, 0.5, 0.5, 0.1]), np.array([True, True, False, False]))  # 3.5 of 4 pairs
    0.875
    """
    yes, no = scores[there], np.sort(scores[~there])
    if len(yes) == 0 or len(no) == 0:
        return None
    below, up_to = np.searchsorted(no, yes, side="left"), np.searchsorted(no, yes, side="right")
    return float((below.sum() + up_to.sum()) / (2 * len(yes) * len(no)))


def log_loss(said: Floats, outcome: Floats) -> float:
    """Return the mean cross-entropy of outcomes in [0, 1] under probabilities, in nats.

    >>> round(log_loss(np.array([0.5, 0.2]), np.array([1.0, 0.0])), 4)  # (ln 2 + ln 1.25) / 2
    0.4581
    """
    kept = np.clip(said, _SUREST, 1 - _SUREST)
    return _mean(-(outcome * np.log(kept) + (1 - outcome) * np.log1p(-kept)))


def brier(said: Floats, outcome: Floats) -> float:
    """Return the mean squared distance of probability and outcome.

    >>> brier(np.array([0.5, 0.0]), np.array([1.0, 0.0]))
    0.125
    """
    return _mean((said - outcome) ** 2)


def calibration_error(said: Floats, outcome: Floats, *, bins: int = BINS) -> float:
    """Return the mean distance of priority and result, over bins of equally many links in order of priority.

    Links of equal priority first get the mean of their results, so it does not matter which of them falls into which
    bin.

    >>> calibration_error(np.array([0.25, 0.25, 1.0, 1.0]), np.array([0.0, 1.0, 1.0, 1.0]), bins=2)  # (.25 + 0) / 2
    0.125
    """
    values, places, counts = np.unique(said, return_inverse=True, return_counts=True)
    expected = (np.bincount(places, weights=outcome, minlength=len(values)) / counts)[np.sort(places)]
    gaps = np.sort(said) - expected
    parts = np.array_split(gaps, min(bins, len(gaps)))
    return sum(abs(float(np.cumsum(part)[-1])) for part in parts) / len(gaps)


def _mean(values: Floats) -> float:
    """Add up in order, so that the result is the same on every machine."""
    return float(np.cumsum(values)[-1]) / len(values)
