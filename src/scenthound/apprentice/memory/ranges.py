"""Sums and extremes over many ranges of one long array at once: the words of each link."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]


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
    starts: Ints  # where each range begins among all elements

    @classmethod
    def of(cls, starts: Ints, ends: Ints) -> "Ranges":
        sizes = ends - starts
        before = sizes.cumsum() - sizes
        places = (starts - before).repeat(sizes)
        places += np.arange(len(places))
        return cls(places, sizes, before)

    @property
    def ends(self) -> Ints:
        """Where each range ends among all elements."""
        return self.starts + self.sizes

    def means(self, values: Floats | Singles) -> Floats:
        """Return the mean of each range, 0 of an empty one."""
        sums = running(values)
        means: Floats = (sums[self.ends] - sums[self.starts]) / np.maximum(self.sizes, 1)
        return means

    def strongest(self, values: Floats | Singles) -> Floats:
        """Return the value of each range that is furthest from 0."""
        filled = np.flatnonzero(self.sizes)
        strongest = np.zeros(len(self.sizes))
        if len(filled):
            starts = self.starts[filled]
            greatest, least = np.maximum.reduceat(values, starts), np.minimum.reduceat(values, starts)
            strongest[filled] = np.where(greatest > -least, greatest, least)
        return strongest


def running(values: Floats | Singles) -> Floats:
    """Return 0, the first value, the sum of the first two, and so on: the sum of a range is the difference of two of
    these.

    `numpy.add.reduceat`, which adds each range up by itself, takes three times as long for ranges of a few words.

    >>> running(np.array([1.0, 2.0, 4.0])).tolist()
    [0.0, 1.0, 3.0, 7.0]
    """
    sums = np.zeros(len(values) + 1)
    values.cumsum(dtype=np.float64, out=sums[1:])
    return sums
