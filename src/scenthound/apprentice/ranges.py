"""Sums and extremes over many ranges of one long array at once: the words of each link."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ranges:
    """Ranges of an array, laid out one after another; empty ones included.

    >>> some = Ranges.of(np.array([0, 2, 2]), np.array([2, 2, 5]))
    >>> values = np.array([1.0, 3.0, 4.0, 5.0, 6.0])[some.places]
    >>> some.means(values).tolist(), some.strongest(-values).tolist()
    ([2.0, 0.0, 5.0], [-3.0, 0.0, -6.0])
    """

    places: Ints  # of all elements
    sizes: Ints

    @classmethod
    def of(cls, starts: Ints, ends: Ints) -> "Ranges":
        sizes = ends - starts
        before = np.cumsum(sizes) - sizes
        return cls(np.repeat(starts - before, sizes) + np.arange(int(sizes.sum())), sizes)

    @property
    def ends(self) -> Ints:
        """Where each range ends among all elements."""
        return np.cumsum(self.sizes)

    @property
    def starts(self) -> Ints:
        return self.ends - self.sizes

    def sums(self, values: Floats) -> Floats:
        """Add each range up, by itself: a running sum would let the rounding of one into the next."""
        return self._reduced(np.add, values)

    def means(self, values: Floats) -> Floats:
        """Return the mean of each range, 0 of an empty one."""
        return self.sums(values) / np.maximum(self.sizes, 1)

    def strongest(self, values: Floats) -> Floats:
        """Return the value of each range that is furthest from 0."""
        greatest, least = self._reduced(np.maximum, values), self._reduced(np.minimum, values)
        return np.where(greatest > -least, greatest, least)

    def _reduced(self, by: np.ufunc, values: Floats) -> Floats:
        filled = np.flatnonzero(self.sizes)
        reduced = np.zeros(len(self.sizes))
        if len(filled):
            reduced[filled] = by.reduceat(values, self.starts[filled])
        return reduced
