"""The result of a yes-or-no question about pages: counts for precision and recall, and average precision."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """Of the pages, `there` are positive, `called` were called positive, and `right` of these rightly.

    >>> hits = Hits(there=10, called=8, right=6, average_precision=0.7)
    >>> hits.precision, hits.recall, round(hits.f1, 3)
    (0.75, 0.6, 0.667)
    """

    there: int
    called: int
    right: int
    average_precision: float

    @property
    def precision(self) -> float:
        return self.right / self.called if self.called else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.there if self.there else 0.0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.called + self.there) if self.called + self.there else 0.0


def count(there: Flags, called: Flags, scores: Scores) -> Hits | None:
    """Count the result of a question; None if the truth is the same for all pages, so that nothing was tested."""
    if there.all() or not there.any():
        return None
    return Hits(
        there=int(there.sum()),
        called=int(called.sum()),
        right=int((there & called).sum()),
        average_precision=average_precision(there, scores),
    )


def average_precision(there: Flags, scores: Scores) -> float:
    """Return the mean precision at each true page when all are sorted by score.

    Equal scores share one place in the order, so the result does not depend on how ties fall.

    >>> average_precision(np.array([True, False, True]), np.array([0.9, 0.8, 0.7]))
    0.8333333333333333
    >>> average_precision(np.array([True, False]), np.array([0.5, 0.5]))
    0.5
    """
    cuts = _cuts(there, scores)
    steps = np.diff(cuts.found, prepend=0)
    return float((cuts.found / cuts.called) @ steps / max(1, there.sum()))


def best_threshold(there: Flags, scores: Scores) -> float:
    """Return the threshold with the greatest F1: halfway to the next lower score.

    >>> best_threshold(np.array([True, False, True, False]), np.array([0.9, 0.8, 0.6, 0.2]))
    0.4
    """
    cuts = _cuts(there, scores)
    best = int(np.argmax(cuts.found / (cuts.called + there.sum())))
    below = cuts.scores[best + 1] if best + 1 < len(cuts.scores) else 0.0
    return float((cuts.scores[best] + below) / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cuts:
    """For each score, from the top: the number of pages at or above it (`called`), and of positive ones among them."""

    scores: Scores
    called: NDArray[np.int64]
    found: NDArray[np.int64]


def _cuts(there: Flags, scores: Scores) -> _Cuts:
    order = np.argsort(-scores, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    return _Cuts(scores=scores[order][ends], called=ends + 1, found=np.cumsum(there[order])[ends])
