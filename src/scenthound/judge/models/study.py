"""How the default critic learns from pages as numbers: weights for words and word vectors, and a temperature.

The likeness of two pages is the product of their tf·idf rows plus that of their vectors. `multinomial` fits classes in
the space of these. Nothing here knows of topics or text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from scenthound.judge.models.multinomial import Span, fit, span
from scenthound.judge.models.temperature import temperature
from scenthound.judge.models.vectors import Vectors, learn_vectors, narrowed

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Labels = NDArray[np.int64]
Flags = NDArray[np.bool_]

# Weight of the vectors' likeness against the words': average precision .604 with 1 or 2, .593 with 4; .513 with words
# alone and .596 with vectors alone (39 topics of the schools web, ten examples and 150 others each, 3,000 pages at
# hand).
_VECTOR_WEIGHT: Final = 2.0
_MOST_LANDMARKS: Final = 1_000  # bounds the time for thousands of pages
# With so many times more pages at hand than labelled ones, vectors are learnt once, and not for each fold.
_MANY_AT_HAND: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """Word vectors, weights of each term and dimension for each class, and an offset for each class."""

    vectors: Vectors
    words: Floats32
    meanings: Floats32
    offsets: Floats

    def scores(self, rows: csr_array) -> Floats:
        """Return log Pr(class | page) up to temperature and a constant."""
        narrow = narrowed(rows)
        found: Floats = narrow @ self.words + _by_row(self.vectors(narrow)) @ self.meanings + self.offsets
        return found


@dataclass(frozen=True, kw_only=True)
class Study:
    """The lessons as numbers: rows of labelled pages, and how to learn from them.

    `strength` is the weight of each page against the penalty. `vectors` are word vectors that were known before.
    Without them, the study learns vectors from labelled pages and those `at_hand`.
    """

    rows: csr_array
    at_hand: csr_array
    labels: Labels
    groups: Floats
    strength: Floats
    dimensions: int
    seed: int
    vectors: Vectors | None = None

    def learn(self, taught: Flags) -> Learnt:
        """Learn from some of the labelled pages as if there were no others."""
        ground = self._common_ground if self._is_common else self._ground(taught)
        coordinates, strength = ground.span.coordinates[taught], self.strength[taught]
        fitted = fit(coordinates, self.labels[taught], self.groups, strength=strength)
        parts = ground.span.back @ fitted.weights
        return Learnt(
            vectors=ground.vectors,
            words=np.asarray(ground.known.T @ parts, dtype=np.float32),
            meanings=np.asarray(_VECTOR_WEIGHT * ground.near.T @ parts, dtype=np.float32),
            offsets=fitted.offsets,
        )

    def held_back(self, folds: int, sites: Sequence[str]) -> Floats:
        """Return the scores of labelled pages, each from a model trained without the page and its site.

        NaN for those that training cannot spare. The vectors too must be learnt without the page. Otherwise a held-out
        page looks clearer than a new one, and probabilities are too sure (schools web, calibration error .084 instead
        of .041).
        """
        turns = _turns(self.labels, sites, folds, self.seed)
        scores = np.full((len(turns), self.groups.shape[1]), np.nan)
        for turn in range(folds):
            held = turns == turn
            if held.any():
                scores[held] = self.learn(~held).scores(self.rows[held])
        return scores

    def temperature(self, held_back: Floats) -> float:
        """Find the temperature that suits the scores of held-out pages."""
        there = ~np.isnan(held_back[:, 0])
        return temperature(held_back[there], self.labels[there])

    @property
    def _is_common(self) -> bool:
        """Whether all folds can share vectors and landmarks: they were known before, or most pages are at hand."""
        return self.vectors is not None or self.at_hand.shape[0] >= _MANY_AT_HAND * self.rows.shape[0]

    @cached_property
    def _common_ground(self) -> "_Ground":
        return self._ground(np.ones(len(self.labels), dtype=np.bool_))

    def _ground(self, taught: Flags) -> "_Ground":
        """Measure all labelled pages against landmarks among the training pages."""
        vectors = self.vectors or self._learnt_vectors(self.rows[taught])
        own = np.flatnonzero(taught)
        landmarks = own[_landmarks(self.labels[taught], self.seed)]
        known, near = self.rows[landmarks], vectors(self.rows[landmarks])
        products = (self.rows @ known.T).toarray() + _VECTOR_WEIGHT * (vectors(self.rows) @ near.T)
        return _Ground(vectors=vectors, known=known, near=near, span=span(products, landmarks))

    def _learnt_vectors(self, rows: csr_array) -> Vectors:
        seen = vstack((rows, self.at_hand), format="csr")
        return learn_vectors(seen, dimensions=self.dimensions, seed=self.seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ground:
    """The measure of pages: word vectors, rows and vectors of landmarks, and coordinates of all labelled pages."""

    vectors: Vectors
    known: csr_array
    near: Floats32
    span: Span


def _ranks(labels: Labels, seed: int) -> Labels:
    """Number the pages of each class from 0, in random order."""
    chance = np.random.default_rng(seed)
    ranks = np.zeros(len(labels), dtype=np.int64)
    for label in np.unique(labels):
        here = np.flatnonzero(labels == label)
        ranks[chance.permutation(here)] = np.arange(len(here))
    return ranks


def _landmarks(labels: Labels, seed: int) -> Labels:
    """Choose the landmarks: all pages if they are few, else equally many of each class."""
    chosen = np.argsort(_ranks(labels, seed), kind="stable")[:_MOST_LANDMARKS]
    return np.sort(chosen)


def _turns(labels: Labels, sites: Sequence[str], folds: int, seed: int) -> Labels:
    """Return the fold in which each page is held out; -1 (never) for the only page of a class.

    A class with pages from enough sites is dealt out site by site, which exposes a critic that knows a site by its
    template and not by its topic. Pages without a site are dealt one by one.
    """
    if folds < 2:
        return np.full(len(labels), -1, dtype=np.int64)
    turns = np.where(np.bincount(labels)[labels] < 2, -1, _ranks(labels, seed) % folds)
    for label in np.unique(labels):
        here = np.flatnonzero(labels == label)
        met = list(dict.fromkeys(site for place in here.tolist() if (site := sites[place])))
        if len(met) >= folds:
            order = {met[place]: turn for turn, place in enumerate(np.random.default_rng(seed).permutation(len(met)))}
            turns[here] = [order[site] % folds if (site := sites[place]) else turns[place] for place in here.tolist()]
    return turns


def _by_row(vectors: Floats32) -> csr_array:
    """Return full rows as a sparse matrix, whose product goes row by row.

    A dense product rounds differently for one page than for many, and the judgement of a page must not depend on its
    batch.
    """
    pages, size = vectors.shape
    return csr_array(
        (vectors.ravel(), np.tile(np.arange(size), pages), np.arange(pages + 1) * size),
        shape=(pages, size),
    )
