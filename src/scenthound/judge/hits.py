"""How a yes-or-no question about pages went: counts, from which precision and recall follow, and average precision."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """Of the pages asked about, `there` are such, `called` were called so, and `right` of these rightly.

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
    """Count how a question went; None if the answer is the same for all pages, so that nothing was tried."""
    if there.all() or not there.any():
        return None
    return Hits(
        there=int(there.sum()),
        called=int(called.sum()),
        right=int((there & called).sum()),
        average_precision=average_precision(there, scores),
    )


def average_precision(there: Flags, scores: Scores) -> float:
    """Return the mean, over the true ones, of the precision down to each when all are ordered by score.

    Equal scores share one place in the order, so that the outcome does not depend on how ties fall.

    >>> average_precision(np.array([True, False, True]), np.array([0.9, 0.8, 0.7]))
    0.8333333333333333
    >>> average_precision(np.array([True, False]), np.array([0.5, 0.5]))
    0.5
    """
    cuts = _cuts(there, scores)
    steps = np.diff(cuts.found, prepend=0)
    return float((cuts.found / cuts.called) @ steps / max(1, there.sum()))


def best_threshold(there: Flags, scores: Scores) -> float:
    """Return the score from which on to say yes for the greatest F1: halfway to the next lower score that occurs.

    >>> best_threshold(np.array([True, False, True, False]), np.array([0.9, 0.8, 0.6, 0.2]))
    0.4
    """
    cuts = _cuts(there, scores)
    best = int(np.argmax(cuts.found / (cuts.called + there.sum())))
    below = cuts.scores[best + 1] if best + 1 < len(cuts.scores) else 0.0
    return float((cuts.scores[best] + below) / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cuts:
    """For each score that occurs, from the top: how many pages have it or more (`called`), and how many of them are such."""

    scores: Scores
    called: NDArray[np.int64]
    found: NDArray[np.int64]


def _cuts(there: Flags, scores: Scores) -> _Cuts:
    order = np.argsort(-scores, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    return _Cuts(scores=scores[order][ends], called=ends + 1, found=np.cumsum(there[order])[ends])
