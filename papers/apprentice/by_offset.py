"""The offsets around links: information of words, number of words, kinds of leaves (APPRENTICE fig. 8 and 9)."""

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Final

import numpy as np
from numpy.typing import NDArray

from papers.apprentice.lessons import FARTHEST, LinkLessons
from papers.apprentice.page_links import Pages
from scenthound.apprentice.bayes.offsets import Features

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

OFFSETS: Final = tuple(range(-FARTHEST, FARTHEST + 1))


def information_gain(words: Features, high: Flags) -> tuple[float, ...]:
    """Return the mean gain of the words at each offset, in bits: how much a word there tells about a link's bucket.

    Every word that was seen at an offset counts once, however often it was.
    """
    token, offset = words.tokens.astype(np.int64), words.offsets.astype(np.int64) + FARTHEST
    kinds, kind = np.unique(token * len(OFFSETS) + offset, return_inverse=True)
    once = np.unique(kind * words.links + words.rows)  # a word that is there twice is there
    kind, row = np.divmod(once, max(1, words.links))
    ups = np.bincount(kind[high[row]], minlength=len(kinds))
    downs = np.bincount(kind[~high[row]], minlength=len(kinds))
    gains = _gains(ups, downs, int(high.sum()), int((~high).sum()))
    of = kinds % len(OFFSETS)
    sums, counts = np.bincount(of, weights=gains, minlength=len(OFFSETS)), np.bincount(of, minlength=len(OFFSETS))
    return tuple((sums / np.maximum(counts, 1)).tolist())


def word_mass(words: Features) -> tuple[float, ...]:
    """Return the share of all words near links that stands at each offset: the sum of θ over the words there (fig.

    9a).
    """
    counts = np.bincount(words.offsets.astype(np.int64) + FARTHEST, minlength=len(OFFSETS))
    return tuple((counts / max(1, len(words))).tolist())


def leaf_kinds(lessons: LinkLessons, pages: Pages) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return, for each offset, the share of leaves that have text, and of those that are inside another link.

    At offset 0, where a link's own leaves are, the second is 0.
    """
    there, filled, linked = (np.zeros(len(OFFSETS)) for _ in range(3))
    for source in np.unique(lessons.sources).tolist():
        page = pages[source]
        own = np.isin(page.targets, lessons.targets[lessons.sources == source])
        for place, offset in enumerate(OFFSETS):
            leaf = (page.last if offset > 0 else page.first)[own] + offset
            inside = leaf[(leaf >= 0) & (leaf < len(page.filled))]
            there[place] += len(inside)
            filled[place] += page.filled[inside].sum()
            linked[place] += page.linked[inside].sum() if offset else 0
    return tuple((filled / np.maximum(there, 1)).tolist()), tuple((linked / np.maximum(there, 1)).tolist())


def mean_at(values: Sequence[float], inside: Callable[[int], bool]) -> float:
    """Return the mean of what there is at some offsets."""
    return fmean(value for value, offset in zip(values, OFFSETS, strict=True) if inside(offset))


def sawtooth(values: Sequence[float]) -> float:
    """Return how much more there is at even offsets than at odd ones, the anchor left out."""
    return mean_at(values, lambda offset: offset != 0 and offset % 2 == 0) - mean_at(
        values, lambda offset: offset % 2 == 1
    )


def _gains(ups: NDArray[np.int64], downs: NDArray[np.int64], high: int, low: int) -> Floats:
    """Return H(bucket) less the mean of H(bucket | the word is there) and H(bucket | it is not).

    >>> _gains(np.array([2, 1]), np.array([0, 1]), 2, 2).tolist()  # one tells all, one nothing
    [1.0, 0.0]
    """
    links, there = high + low, ups + downs
    left = _entropy(ups, downs) * there + _entropy(high - ups, low - downs) * (links - there)
    gains: Floats = _entropy(np.array([high]), np.array([low])) - left / max(1, links)
    return gains


def _entropy(ups: NDArray[np.int64], downs: NDArray[np.int64]) -> Floats:
    share = ups / np.maximum(ups + downs, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = -(share * np.log2(share) + (1 - share) * np.log2(1 - share))
    return np.asarray(np.nan_to_num(bits, nan=0.0), dtype=np.float64)
