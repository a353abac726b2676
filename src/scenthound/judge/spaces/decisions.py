"""BINGO's meta decisions (§3.5): several critics vote on the class of a page, and abstain where they disagree.

    unanimous   all critics must say the same
    majority    more than half of them
    weighted    more than half of their weight, which is the ξα estimate of each one's precision

Formula (2) of the paper asks of each class whether the weighted sum of yes (+1) and no (-1) exceeds a threshold. A
critic says yes to one class and no to all others, so at most one class of a page can pass.
"""

from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.judge.critic import Probabilities

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

ABSTAINED: Final = -1
UNDECIDED: Final = 0.49  # the greatest probability of a page on which the critics disagree: it is on no topic


class Decision(StrEnum):
    """How critics of several spaces come to one judgement; BEST asks the best of them alone."""

    UNANIMOUS = "unanimous"
    MAJORITY = "majority"
    WEIGHTED = "weighted"
    BEST = "best"


def decide(votes: Places, weights: Floats, decision: Decision, *, classes: int) -> Places:
    """Return the class of each page, or ABSTAINED. `votes` has a row for each critic; ABSTAINED is no vote.

    >>> votes = np.array([[0, 0, 0], [0, 1, 1], [0, 1, -1]])
    >>> weights = np.array([0.9, 0.3, 0.4])
    >>> [decide(votes, weights, Decision(name), classes=2).tolist() for name in ("unanimous", "majority", "weighted")]
    [[0, -1, -1], [0, 1, -1], [0, 0, 0]]
    """
    if decision is not Decision.WEIGHTED:
        weights = np.ones(len(votes))
    cast = np.where(votes != ABSTAINED, weights[:, None], 0.0)
    sums = np.zeros((votes.shape[1], classes))
    for row, vote in zip(cast, votes, strict=True):
        np.add.at(sums, (np.arange(len(vote)), np.maximum(vote, 0)), row)
    total = cast.sum(axis=0)
    best = sums.argmax(axis=1)
    ahead = sums[np.arange(len(best)), best]
    passed = ahead >= total - 1e-9 if decision is Decision.UNANIMOUS else ahead > total / 2 + 1e-9
    return np.where(passed & (total > 0), best, ABSTAINED).astype(np.int64)


def undecided(rows: Probabilities, *, others: int) -> Probabilities:
    """Return rows in which no topic has more than UNDECIDED; what is too much goes to the class `others`.

    >>> undecided(np.array([[0.98, 0.02], [0.1, 0.9]]), others=1).round(3).tolist()
    [[0.49, 0.51], [0.1, 0.9]]
    """
    topics = np.delete(rows, others, axis=1)
    most = topics.max(axis=1, keepdims=True, initial=0.0)
    topics = topics * np.minimum(1.0, UNDECIDED / np.maximum(most, 1e-300))
    return np.insert(topics, others, 1.0 - topics.sum(axis=1), axis=1)
