"""Columns of numbers that grow at the end: what an apprentice remembers, in arrays that numpy works on at once."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

_SMALLEST = 1024


class Column:
    """A one-dimensional array that can be added to; `values` is a view of what is in it.

    >>> column = Column(np.int32)
    >>> column.extend([3, 4])
    >>> column.append(5)
    >>> column.values.tolist(), len(column)
    ([3, 4, 5], 3)
    """

    __slots__ = ("_array", "_size", "values")

    def __init__(self, kind: DTypeLike, values: Sequence[Any] | NDArray[Any] = ()) -> None:
        self._array: NDArray[Any] = np.array(values, dtype=kind)
        self._size = len(self._array)
        self.values: NDArray[Any] = self._array

    def __len__(self) -> int:
        return self._size

    def put(self, values: NDArray[Any]) -> None:
        """Have these values instead of all that are there."""
        self._array = values.astype(self._array.dtype)
        self._size = len(values)
        self.values = self._array

    def append(self, value: float) -> None:
        self._grow(self._size + 1)
        self._array[self._size - 1] = value

    def extend(self, values: Sequence[Any] | NDArray[Any]) -> None:
        before = self._size
        self._grow(before + len(values))
        self._array[before : self._size] = values

    def add(self, many: int, value: float) -> None:
        """Append a value many times."""
        before = self._size
        self._grow(before + many)
        self._array[before : self._size] = value

    def _grow(self, size: int) -> None:
        if size > len(self._array):
            room = np.zeros(max(_SMALLEST, size + size // 2), dtype=self._array.dtype)
            room[: self._size] = self.values
            self._array = room
        self._size = size
        self.values = self._array[:size]
