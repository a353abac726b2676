"""Word vectors learnt from the pages at hand by truncated SVD (latent semantic analysis, Deerwester et al. 1990).

Terms on the same kind of pages get vectors of similar direction, so a page can be near a topic without sharing a word
with its examples. It needs no download and no particular language, and the vectors improve as a crawl grows.
"""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Floats = NDArray[np.float64]
Vector32 = NDArray[np.float32]

DIMENSIONS: Final = 128
_ROUNDS: Final = 3  # rounds of power iteration
_FEW: Final = 1_500  # up to so many pages the exact way is faster
# directions smaller than this, relative to the greatest, are rounding; copies of a page add no direction
_TINY: Final = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Vectors:
    """A vector for each column of `features.Features`; an empty table gives every page an empty vector."""

    table: Vector32

    @property
    def dimensions(self) -> int:
        return int(self.table.shape[1])

    def __call__(self, rows: csr_array) -> Vector32:
        """Return the vector of each page, of unit length: the sum of its terms' vectors, weighted as in its row."""
        sums = narrowed(rows) @ self.table
        lengths = np.sqrt(np.einsum("ij,ij->i", sums, sums))
        vectors: Vector32 = sums / np.where(lengths > 0, lengths, 1.0)[:, None]
        return vectors

    @classmethod
    def none(cls, terms: int) -> Self:
        return cls(table=np.zeros((terms, 0), dtype=np.float32))


def learn_vectors(rows: csr_array, *, dimensions: int = DIMENSIONS, seed: int) -> Vectors:
    """Learn vectors from pages, with as many dimensions as the pages allow.

    Each direction is divided by the square root of its singular value. Without the division, the few directions that
    all pages share drown the rest; with a full division, the last ones are noise (schools web, .715 against .714 and
    .712).
    """
    bearable = min(dimensions, min(rows.shape) - 1)
    if bearable < 1:
        return Vectors.none(rows.shape[1])
    few = rows.shape[0] <= _FEW
    sizes, directions = _exact(rows, bearable) if few else _approximate(rows, bearable, seed)
    # row by row in memory: products with pages would copy a table that lies otherwise, each time
    return Vectors(table=np.ascontiguousarray(directions / np.sqrt(sizes), dtype=np.float32))


def narrowed(rows: csr_array) -> csr_array:
    """Return rows in single precision. Their own `astype` would sort the entries first, a tenth of judging a page."""
    return csr_array((rows.data.astype(np.float32), rows.indices, rows.indptr), shape=rows.shape)


def _exact(rows: csr_array, dimensions: int) -> tuple[Floats, Floats]:
    """Return singular values and right vectors, from the products of pages with each other."""
    squares, mixes = np.linalg.eigh((rows @ rows.T).toarray())
    there = np.flatnonzero(squares > _TINY * max(squares[-1], _TINY))[::-1][:dimensions]
    sizes, mixes = np.sqrt(squares[there]), mixes[:, there]
    # The sign of a direction means nothing; the page that lies farthest out along it fixes the sign.
    signs = np.sign(mixes[np.abs(mixes).argmax(axis=0), np.arange(len(sizes))])
    return sizes, np.asarray(rows.T @ (mixes * signs / sizes))


def _approximate(rows: csr_array, dimensions: int, seed: int) -> tuple[Floats, Floats]:
    """Return nearly the same for many pages (Halko, Martinsson & Tropp 2011); scikit-learn fixes the signs likewise."""
    # the import takes half a second, and most critics need no new vectors
    from sklearn.utils.extmath import randomized_svd

    _, sizes, directions = randomized_svd(rows, dimensions, n_iter=_ROUNDS, random_state=seed)
    there = sizes > _TINY * max(sizes[0], _TINY)
    return sizes[there], directions[there].T
