"""The outcomes of links with similar words: logistic regression from the vectors of words to relevance.

A link with new words is judged by the outcomes of words that are used alike. The latest links are kept, and the
regression is fitted to them now and then. It says in log-odds how much better or worse a link is than the average one.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scenthound.apprentice.bounded_fit import fit
from scenthound.apprentice.memory.ranges import Ranges
from scenthound.apprentice.words.word_vectors import WordVectors
from scenthound.apprentice.words.word_yields import in_grains

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

KEPT: Final = 4_000  # links to learn from, the latest
# Links that speak for no difference, in each dimension. With linear regression, whose slopes were stretched to log-odds
# by the share of relevant links, this scent was ten times too loud while few were, and the weights never recovered from
# it: harvest on the schools web .471, and .489 so (.482 and .489 with a third and three times the ridge).
RIDGE: Final = 1.0
FREE: Final = 0.1  # the same for how common relevant links are
EVERY: Final = 10  # pages until the next fit
SHARE: Final = 0.1  # of all pages, so many at least


class Meanings:
    """Nothing is known at first; a word without a vector never says anything."""

    def __init__(self, vectors: WordVectors) -> None:
        self._vectors = vectors
        self._rows = np.zeros((KEPT, vectors.size + 1), dtype=np.float32)  # the last number of each is 1
        self._came = np.zeros(KEPT)
        self._totals = np.zeros(3, dtype=np.int64)  # links, pages, and how many these were at the last fit
        self._weights = np.zeros(vectors.size + 1)
        self._said = np.zeros(len(vectors.rows), dtype=np.float32)  # by each vector

    def learn(self, words: Ints, texts: Ranges, relevance: Floats) -> None:
        """Learn from texts, laid out one after another with the words of each, and what each led to."""
        directions, there = self._directions(words, texts)
        directions, outcomes = directions[-KEPT:], relevance[there][-KEPT:]
        links = int(self._totals[0])
        places = np.arange(links, links + len(outcomes)) % KEPT
        self._rows[places, :-1] = directions
        self._rows[places, -1] = 1.0
        self._came[places] = outcomes
        self._totals[0] += len(outcomes)

    def speak(self, words: Ints) -> Singles:
        """Return by how much each word raises the log-odds, if it stands alone."""
        return self._said.take(self._vectors.places.take(words))

    def turn(self, pages: int) -> None:
        """Count pages, and change one's mind now and then."""
        self._totals[1] += pages
        _, met, last = self._totals.tolist()
        if met - last >= max(EVERY, SHARE * met):
            self._totals[2] = met
            self._weights = self._fitted()
            self._said = self._saying()

    def state(self) -> dict[str, NDArray[Any]]:
        kept = min(int(self._totals[0]), KEPT)
        return {
            "rows": self._rows[:kept],
            "came": self._came[:kept],
            "totals": self._totals,
            "weights": self._weights,
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self._totals, self._weights = state["totals"].copy(), state["weights"].copy()
        kept = min(int(self._totals[0]), KEPT)
        self._rows[:kept], self._came[:kept] = state["rows"], state["came"]
        self._said = self._saying()

    def _saying(self) -> Singles:
        """Return what each vector says."""
        return in_grains(self._vectors.rows @ self._weights[:-1].astype(np.float32))

    def _directions(self, words: Ints, texts: Ranges) -> tuple[Singles, Ints]:
        """Return the sum of each text's vectors over the root of the number of its words, and which texts have one.

        The sum of unrelated vectors is as long as the root of their number.
        """
        filled = np.flatnonzero(texts.sizes)
        if not len(filled):
            return np.zeros((0, self._vectors.size), dtype=np.float32), filled
        vectors = self._vectors.rows.take(self._vectors.places.take(words), axis=0)
        sums = np.add.reduceat(vectors, texts.starts[filled], axis=0)
        known = sums.any(axis=1)
        lengths = np.sqrt(texts.sizes[filled[known]]).astype(np.float32)
        return (sums[known] / lengths[:, None]).astype(np.float32), filled[known]

    def _fitted(self) -> Floats:
        """Return by how much each dimension raises the log-odds, and what the average link has."""
        kept = min(int(self._totals[0]), KEPT)
        rows = self._rows[:kept].astype(np.float64)
        faith = np.append(np.full(self._vectors.size, RIDGE), FREE)
        return fit(rows, self._came[:kept], start=np.zeros(len(faith)), faith=faith, guess=self._weights)
