"""Whether two strategies differ: Wilcoxon's signed-rank test (1945), exact with ties, and Holm's correction (1979).

Shares of small budgets are often equal on a topic, and their differences often equally large. Equal topics are ranked
with the others and only then left out (Pratt 1959). Leaving them out at once, as Wilcoxon did, can reverse the verdict:
a test of Pratt's 13 differences finds them less surely positive than the same differences less one.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

# Of five topics even five wins have p = 2/32 > .05.
FEWEST: Final = 6


def signed_rank(differences: Sequence[float]) -> float:
    """Return the two-sided p of the hypothesis that differences are as likely up as down; 1 if none is different.

    The chance of each sum of ranks is counted over all ways to give the differences signs. `scipy.stats.wilcoxon`
    counts them so only without ties, or for up to 13 topics, and otherwise uses the normal curve.

    >>> signed_rank([1, 2, 3, 4, 5, 6])  # 2 of 64 ways
    0.03125
    >>> signed_rank([0, 2, 3, -1, 4, 5])  # ranks 3, 4, -2, 5, 6: sums of 18 or more, or 2 or less, in 4 of 32 ways
    0.125
    """
    signed = np.asarray(differences, dtype=np.float64)
    ranks = _doubled_ranks(np.abs(signed))
    chances = _chances(ranks[signed != 0])
    up = int(ranks[signed > 0].sum())
    return min(1.0, 2 * min(float(chances[: up + 1].sum()), float(chances[up:].sum())))


def _doubled_ranks(sizes: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return twice the rank of each size; equal sizes share their mean, so doubling gives whole numbers."""
    ordered = np.sort(sizes)
    below, up_to = np.searchsorted(ordered, sizes, side="left"), np.searchsorted(ordered, sizes, side="right")
    return (below + up_to + 1).astype(np.int64)


def _chances(ranks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the chance of each sum, if each rank is in it or not with chance one half."""
    chances = np.zeros(int(ranks.sum()) + 1)
    chances[0] = 1.0
    for rank in ranks.tolist():
        chances[rank:] = chances[rank:] + chances[:-rank]
        chances /= 2
    return chances


def holm(chances: Sequence[float]) -> list[float]:
    """Return p values corrected for their number: the least times all, the next times one fewer, never decreasing.

    >>> holm([0.03, 0.01, 0.5])
    [0.06, 0.03, 0.5]
    """
    corrected = [1.0] * len(chances)
    least = 0.0
    for done, place in enumerate(sorted(range(len(chances)), key=lambda place: chances[place])):
        least = max(least, min(1.0, (len(chances) - done) * chances[place]))
        corrected[place] = least
    return corrected
