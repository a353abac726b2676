"""The fingerprints of pages seen so far, by which a page is known to repeat an earlier one (Manku, Jain and Das Sarma,
WWW 2007).

The store finds duplicates too, but only after the apprentice has spoken. Here all of it follows from the lessons.
"""

from typing import Final

import numpy as np

from scenthound.apprentice.arrays import Column
from scenthound.parse.words.fingerprint import NEAR

# Fingerprints kept in mind; then the older half is forgotten. Looking through so many takes 20 µs.
MOST: Final = 20_000
_BITS: Final = 0xFFFFFFFFFFFFFFFF


class Repeats:
    """`known` are the fingerprints of pages that repeated none before them, the latest last.

    >>> repeats = Repeats()
    >>> [repeats.note(fingerprint) for fingerprint in (-1, 5, -2, 1 << 40)]
    [False, False, True, True]
    """

    def __init__(self) -> None:
        self.known = Column(np.uint64)

    def note(self, fingerprint: int) -> bool:
        """Take in the fingerprint of a page; tell whether the page is nearly one that was there before."""
        own = np.uint64(fingerprint & _BITS)
        if (np.bitwise_count(self.known.values ^ own) <= NEAR).any():
            return True
        self.known.extend([own])
        if len(self.known) > MOST:
            self.known.put(self.known.values[-MOST // 2 :])
        return False
