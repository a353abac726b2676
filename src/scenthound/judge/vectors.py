"""Word vectors learnt from the pages at hand by truncated SVD (latent semantic analysis, Deerwester et al. 1990).

Terms that stand on the same kind of pages get vectors of similar direction, so that a page can be near a topic without
sharing a word with its examples. Nothing is downloaded, no language is needed, and the vectors get better as a crawl grows.
"""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.utils.extmath import randomized_svd

Vector32 = NDArray[np.float32]

DIMENSIONS: Final = 128
_ROUNDS: Final = 3  # of power iteration


@dataclass(frozen=True, slots=True, kw_only=True)
class Vectors:
    """A vector for each column of `features.Features`; an empty table gives every page an empty vector."""

    table: Vector32

    @property
    def dimensions(self) -> int:
        return int(self.table.shape[1])

    def __call__(self, rows: csr_array) -> Vector32:
        """Return the vector of each page, of unit length: the sum of its terms' vectors, weighed as in its row."""
        sums = rows.astype(np.float32) @ self.table
        lengths = np.sqrt(np.einsum("ij,ij->i", sums, sums))
        vectors: Vector32 = sums / np.where(lengths > 0, lengths, 1.0)[:, None]
        return vectors

    @classmethod
    def none(cls, terms: int) -> Self:
        return cls(table=np.zeros((terms, 0), dtype=np.float32))


def learn_vectors(rows: csr_array, *, dimensions: int = DIMENSIONS, seed: int) -> Vectors:
    """Learn vectors from pages, with as many dimensions as these can bear.

    Each direction is divided by the square root of its singular value: undivided, the few directions that all pages
    share drown the rest; divided in full, the last ones are noise (schools web, .715 against .714 and .712).
    """
    bearable = min(dimensions, min(rows.shape) - 1)
    if bearable < 1:
        return Vectors.none(rows.shape[1])
    _, sizes, directions = randomized_svd(rows, bearable, n_iter=_ROUNDS, random_state=seed)
    there = sizes > 1e-6 * sizes[0]  # copies of one page add no direction
    return Vectors(table=(directions[there].T / np.sqrt(sizes[there])).astype(np.float32))
