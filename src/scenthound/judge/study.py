"""What the default critic learns from pages as numbers: weights for words and for word vectors, and a temperature.

The likeness of two pages is the product of their tf·idf rows plus that of their vectors; `multinomial` fits classes in
the space of these. Nothing here knows of topics or text.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from scenthound.judge.calibration import temperature
from scenthound.judge.multinomial import fit, span
from scenthound.judge.vectors import Vectors, learn_vectors, narrowed

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Labels = NDArray[np.int64]
Flags = NDArray[np.bool_]

# Of the vectors' likeness against the words': average precision .604 with 1 or 2, .593 with 4; .513 with words alone and
# .596 with vectors alone (39 topics of the schools web, ten examples and 150 others each, 3,000 pages at hand).
_VECTOR_WEIGHT: Final = 2.0
_MOST_LANDMARKS: Final = 1_000  # bounds the time for thousands of examples
# From so many times as many pages at hand as labelled ones on, vectors are learnt once, and not for each fold.
_MANY_AT_HAND: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """Word vectors, weights of each term and of each dimension for each class, and an offset for each class."""

    vectors: Vectors
    words: Floats32
    meanings: Floats32
    offsets: Floats

    def scores(self, rows: csr_array) -> Floats:
        """Return log Pr(class | page) but for temperature and a constant."""
        narrow = narrowed(rows)
        found: Floats = narrow @ self.words + _by_row(self.vectors(narrow)) @ self.meanings + self.offsets
        return found


@dataclass(frozen=True, kw_only=True)
class Study:
    """The lessons as numbers: rows of labelled pages and of pages at hand, and how to learn from them."""

    rows: csr_array
    at_hand: csr_array
    labels: Labels
    groups: Floats
    strength: float
    dimensions: int
    seed: int

    def learn(self, taught: Flags) -> Learnt:
        """Learn from some of the labelled pages as if there were no others."""
        rows, labels = self.rows[taught], self.labels[taught]
        vectors = self._vectors(rows)
        landmarks = _landmarks(labels, self.seed)
        known, near = rows[landmarks], vectors(rows[landmarks])
        products = (rows @ known.T).toarray() + _VECTOR_WEIGHT * (vectors(rows) @ near.T)
        found = span(products, landmarks)
        fitted = fit(found.coordinates, labels, self.groups, strength=self.strength)
        parts = found.back @ fitted.weights
        return Learnt(
            vectors=vectors,
            words=np.asarray(known.T @ parts, dtype=np.float32),
            meanings=np.asarray(_VECTOR_WEIGHT * near.T @ parts, dtype=np.float32),
            offsets=fitted.offsets,
        )

    def temperature(self, folds: int) -> float:
        """Find the temperature on labelled pages, each scored by what was learnt without it.

        The vectors too must be learnt without it: where they are not, a page held back looks clearer than a new one, and
        probabilities come out too sure (schools web, calibration error .084 instead of .041).
        """
        turns = _turns(self.labels, folds, self.seed)
        scores = np.zeros((len(turns), self.groups.shape[1]))
        for turn in range(folds):
            held = turns == turn
            if held.any():
                scores[held] = self.learn(~held).scores(self.rows[held])
        return temperature(scores[turns >= 0], self.labels[turns >= 0])

    def _vectors(self, rows: csr_array) -> Vectors:
        """Learn vectors from labelled pages and those at hand; among many at hand, a few labelled ones do no harm."""
        if self.at_hand.shape[0] >= _MANY_AT_HAND * self.rows.shape[0]:
            return self._common_vectors
        return self._vectors_with(rows)

    @cached_property
    def _common_vectors(self) -> Vectors:
        return self._vectors_with(self.rows)

    def _vectors_with(self, rows: csr_array) -> Vectors:
        seen = vstack((rows, self.at_hand), format="csr")
        return learn_vectors(seen, dimensions=self.dimensions, seed=self.seed)


def _ranks(labels: Labels, seed: int) -> Labels:
    """Number the pages of each class from 0, in an order that is left to chance."""
    chance = np.random.default_rng(seed)
    ranks = np.zeros(len(labels), dtype=np.int64)
    for label in np.unique(labels):
        here = np.flatnonzero(labels == label)
        ranks[chance.permutation(here)] = np.arange(len(here))
    return ranks


def _landmarks(labels: Labels, seed: int) -> Labels:
    """Choose pages to measure all others by: all if they are few, else equally many of each class."""
    chosen = np.argsort(_ranks(labels, seed), kind="stable")[:_MOST_LANDMARKS]
    return np.sort(chosen)


def _turns(labels: Labels, folds: int, seed: int) -> Labels:
    """Return the fold in which each page is held back; -1 (never) for the only page of a class."""
    if folds < 2:
        return np.full(len(labels), -1, dtype=np.int64)
    alone = np.bincount(labels)[labels] < 2
    return np.where(alone, -1, _ranks(labels, seed) % folds)


def _by_row(vectors: Floats32) -> csr_array:
    """Return full rows as a sparse matrix, whose product goes row by row.

    A dense product rounds otherwise for one page than for many, and a page must not be judged by its company.
    """
    pages, size = vectors.shape
    return csr_array(
        (vectors.ravel(), np.tile(np.arange(size), pages), np.arange(pages + 1) * size),
        shape=(pages, size),
    )
