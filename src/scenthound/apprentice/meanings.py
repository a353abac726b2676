"""What links led to whose words mean the same: linear regression from the vector of a link's own words to relevance.

A link whose words were never seen before is judged by what came of words that are used alike. Only sums over all links are
kept, so that it costs the same whether ten or ten million were learnt from.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scenthound.apprentice.ranges import Ranges
from scenthound.apprentice.word_vectors import WordVectors
from scenthound.apprentice.word_yields import GREATEST_SHARE, LEAST_SHARE, in_grains

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

RIDGE: Final = 3.0  # links that speak for no difference, in each dimension
FEWEST: Final = 6  # links before which nothing is said
EVERY: Final = 10  # pages until the next change of mind
# Of all pages, so many at least: a change of mind takes a millisecond, because it is about all words there are.
SHARE: Final = 0.1


class Meanings:
    """Nothing is known at first; a word without a vector never says anything."""

    def __init__(self, vectors: WordVectors) -> None:
        self._vectors = vectors
        self._squares = np.zeros((vectors.size, vectors.size))
        self._products = np.zeros(vectors.size)
        self._sum = np.zeros(vectors.size)
        self._totals = np.zeros(4)  # links, their relevance, pages, and how many these were at the last change of mind
        self._slopes = np.zeros(vectors.size)
        self._said = np.zeros(len(vectors.rows), dtype=np.float32)  # by each vector

    def learn(self, words: Ints, own: Ranges, relevance: Floats) -> None:
        """Learn from links, laid out one after another with the words of each, and what each led to."""
        directions, there = self._directions(words, own)
        if len(there):
            outcomes = relevance[there]
            self._squares += directions.T @ directions
            self._products += outcomes @ directions
            self._sum += directions.sum(axis=0)
            self._totals[:2] += (len(there), outcomes.sum())

    def speak(self, words: Ints) -> Singles:
        """Return by how much each word raises the log-odds, if it stands alone."""
        return self._said.take(self._vectors.places.take(words))

    def turn(self, pages: int) -> None:
        """Count pages, and change one's mind now and then."""
        self._totals[2] += pages
        met, last = self._totals[2:].tolist()
        if met - last >= max(EVERY, SHARE * met):
            self._totals[3] = met
            self._slopes = self._fitted()
            self._said = self._saying()

    def state(self) -> dict[str, NDArray[Any]]:
        return {
            "squares": self._squares,
            "products": self._products,
            "sum": self._sum,
            "totals": self._totals,
            "slopes": self._slopes,
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self._squares, self._products, self._sum = (state[name].copy() for name in ("squares", "products", "sum"))
        self._totals, self._slopes = state["totals"].copy(), state["slopes"].copy()
        self._said = self._saying()

    def _saying(self) -> Singles:
        """Return what each vector says."""
        return in_grains(self._vectors.rows @ self._slopes.astype(np.float32))

    def _directions(self, words: Ints, own: Ranges) -> tuple[Floats, Ints]:
        """Return the direction in which the words of each link point, and which links have one."""
        rows = self._vectors.places.take(words)
        filled = np.flatnonzero(own.sizes)
        if not len(filled):
            return np.zeros((0, self._vectors.size)), filled
        sums = np.add.reduceat(self._vectors.rows.take(rows, axis=0), own.starts[filled], axis=0).astype(np.float64)
        lengths = np.sqrt((sums * sums).sum(axis=1))
        known = lengths > 0.0
        return sums[known] / lengths[known, None], filled[known]

    def _fitted(self) -> Floats:
        """Return by how much each dimension raises the log-odds, where they are those of the average link."""
        links, relevance = self._totals[:2].tolist()
        if links < FEWEST:
            return self._slopes
        mean: Floats = self._sum / links
        share = relevance / links
        bend = self._squares - links * np.outer(mean, mean) + RIDGE * np.eye(len(mean))
        slopes = np.linalg.solve(bend, self._products - links * share * mean)
        share = min(max(share, LEAST_SHARE), GREATEST_SHARE)
        return np.asarray(slopes / (share * (1.0 - share)), dtype=np.float64)
