"""The weights of all branches of a tree in one matrix, so that one product judges a batch of pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from scenthound.judge.models.tree_critic import Deciding, vocabulary_of_nodes

Floats = NDArray[np.float64]
Matrix: TypeAlias = "Floats | csr_array"

DENSE: Final = 20_000_000  # cells of a plain array: 160 MB

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where the numbers of each branch stand in the matrix of all.

    `rows` has, for each branch, the row of each of its terms; its columns go from `starts` to `ends`.
    """

    vocabulary: dict[str, int]
    rows: tuple[Places, ...]
    starts: Places
    ends: Places
    branch_of: Places

    @classmethod
    def of(cls, nodes: Sequence[Deciding], sizes: Sequence[int]) -> Self:
        """Put branches side by side, each with this many columns."""
        vocabulary = vocabulary_of_nodes(nodes)
        ends = np.cumsum(sizes)
        return cls(
            vocabulary=vocabulary,
            rows=tuple(np.array([vocabulary[term] for term in node.terms], dtype=np.int64) for node in nodes),
            starts=ends - np.array(sizes),
            ends=ends,
            branch_of=np.repeat(np.arange(len(nodes)), sizes),
        )


def matrix_of(entries: list[tuple[Any, Any, Any]], shape: tuple[int, int]) -> Matrix:
    """Combine (rows, columns, values) of several branches.

    The result is a plain array unless that is too large: the product takes a third of the time (0.04 against 0.13 ms a
    page of the schools web) and is the same to the bit.
    """
    rows, columns, values = (np.concatenate(part) for part in zip(*entries, strict=True))
    sparse = csr_array(coo_array((values, (rows, columns)), shape=shape))
    return sparse.toarray() if shape[0] * shape[1] <= DENSE else sparse


def times(pages: csr_array, weights: Matrix) -> Floats:
    """Return the product as a plain array. Each row is summed on its own, whatever the batch."""
    product = pages @ weights
    dense: Floats = product if isinstance(product, np.ndarray) else product.toarray()
    return dense
