"""Sketches of pages: how many of their words two pages have in common, found from 64 numbers each.

This is one permutation hashing (Li, Owen and Zhang, NIPS 2012). Each word falls into one of 64 bins, and the least word of a bin
stands for it. The bins in which two sketches agree are as many, of those that one of them has filled, as the words that two pages share.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Sketch = NDArray[np.uint32]

BINS: Final = 64
EMPTY: Final = np.uint32(0xFFFFFFFF)


def sketch(words: NDArray[np.integer]) -> Sketch:
    """Return the sketch of a page with these words, in any order, as often as they may be there."""
    mixed = words.astype(np.uint32) * np.uint32(0x9E3779B1)
    mixed ^= mixed >> np.uint32(15)
    mixed *= np.uint32(0x85EBCA6B)
    mixed ^= mixed >> np.uint32(13)
    least = np.full(BINS, EMPTY)
    np.minimum.at(least, mixed >> np.uint32(26), mixed & np.uint32(0x03FFFFFF))
    return least


def resemblance(one: Sketch, other: Sketch) -> float:
    """Return the share of words that two pages have in common, of all that either has; 0 where neither has any.

    >>> some, more = np.arange(400), np.arange(600)
    >>> resemblance(sketch(some), sketch(some)), abs(resemblance(sketch(some), sketch(more)) - 2 / 3) < 0.15
    (1.0, True)
    """
    filled = (one != EMPTY) | (other != EMPTY)
    return float(((one == other) & filled).sum() / max(1, int(filled.sum())))
