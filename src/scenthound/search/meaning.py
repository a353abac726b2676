"""Search by meaning: vectors of 128 dimensions, learnt from the crawl's own pages (latent semantic analysis).

The terms, weights and vectors are those of the critics (judge/models). A page without any word of the query may be near
it, because it has words that stand on the same kind of pages.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.judge.critic import Page
from scenthound.judge.models.features import Features, features_of
from scenthound.judge.models.vectors import Vectors, learn_vectors
from scenthound.parse.words.page_terms import terms_of_text
from scenthound.parse.words.terms import Terms
from scenthound.search.index_rows import COARSE, DIMENSIONS, PageRows
from scenthound.search.types import Floats

FEWEST: Final = 20  # pages from which vectors are learnt
MOST: Final = 20_000  # pages; of more, that many spread over the crawl
_SEED: Final = 0
_COMPARED: Final = 2_000  # pages compared in full
_SAMPLED: Final = 50  # one value of so many tells where the greatest begin
_NEAR: Final = 0.25  # cosine; pages below have nothing in common with the query that a reader would see


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """How texts become vectors of unit length; a text without any known term has a vector of zeros."""

    features: Features
    vectors: Vectors

    def of_terms(self, terms: Sequence[Terms]) -> Floats:
        if not len(self.features):
            return np.zeros((len(terms), self.vectors.dimensions), dtype=np.float32)
        return self.vectors(self.features.rows([Page(terms=one) for one in terms]))

    def of_text(self, text: str, language: str) -> Floats:
        vector: Floats = self.of_terms([terms_of_text(text, language=language)])[0]
        return vector

    def typical(self, terms: Sequence[Terms], most: int) -> list[str]:
        """Return the terms that tell these pages from others best."""
        if not len(self.features):
            return []
        rows = self.features.rows([Page(terms=one) for one in terms])
        sums = np.asarray(rows.sum(axis=0)).ravel()
        best = np.argsort(-sums)[:most]
        return [self.features.terms[place] for place in best if sums[place] > 0]

    def save(self, path: Path) -> None:
        aside = path.with_suffix(".new")
        with aside.open("wb") as file:
            np.savez(
                file,
                terms=np.frombuffer(" ".join(self.features.terms).encode(), dtype=np.uint8),
                idf=self.features.idf,
                table=self.vectors.table.astype(np.float16),
            )
        aside.replace(path)

    @classmethod
    def load(cls, path: Path) -> "Meaning":
        with np.load(path) as kept:
            terms = kept["terms"].tobytes().decode()
            return cls(
                features=Features(terms=tuple(terms.split(" ")) if terms else (), idf=kept["idf"]),
                vectors=Vectors(table=np.ascontiguousarray(kept["table"], dtype=np.float32)),
            )


def is_worth_learning(pages: int, learnt: int, growth: float) -> bool:
    """Tell whether there are so many times the pages that vectors were learnt from; at first, whether there are enough.

    >>> is_worth_learning(500, 0, 2), is_worth_learning(500, 300, 2), is_worth_learning(5, 0, 2)
    (True, False, False)
    """
    return pages >= FEWEST and pages >= growth * learnt and learnt < 2 * MOST


def learn_meaning(terms: Sequence[Terms]) -> Meaning:
    """Learn from the terms of pages."""
    pages = [Page(terms=one) for one in terms]
    features = features_of(pages)
    if not len(features):
        return Meaning(features=features, vectors=Vectors.none(0))
    return Meaning(features=features, vectors=learn_vectors(features.rows(pages), dimensions=DIMENSIONS, seed=_SEED))


def nearest_rows(pages: PageRows, vector: Floats, most: int) -> tuple[NDArray[np.intp], Floats]:
    """Return the rows nearest to a vector, and their cosines.

    All pages are compared in the first 32 directions, which say most, and the best 2,000 of them in all 128: that reads
    a quarter of the numbers.
    """
    full = np.zeros(DIMENSIONS, dtype=np.float32)
    full[: len(vector)] = vector
    if not full.any() or not len(pages.coarse):
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.float32)
    rough = pages.coarse @ full[:COARSE]
    some = _greatest(rough, _COMPARED)
    some = some[pages.rows["id"][some] > 0]
    cosines = pages.fine[some].astype(np.float32) @ full
    order = np.argsort(-cosines, kind="stable")[:most]
    order = order[cosines[order] > _NEAR]
    return some[order], cosines[order]


def _greatest(values: Floats, most: int) -> NDArray[np.intp]:
    """Return the places of the greatest values, in order of place.

    A border is guessed from some of the values, so that few need to be ordered.

    >>> _greatest(np.array([3, 1, 2], dtype=np.float32), 2).tolist()
    [0, 2]
    """
    if len(values) <= most:
        return np.arange(len(values))
    some = values[::_SAMPLED]
    above = min(len(some) - 1, 2 * most // _SAMPLED + 5)
    places = np.flatnonzero(values >= np.partition(some, len(some) - 1 - above)[len(some) - 1 - above])
    if len(places) < most:
        places = np.arange(len(values))
    best = places[np.argpartition(-values[places], most - 1)[:most]]
    return np.sort(best)


def cosines_of(pages: PageRows, places: NDArray[np.intp], vector: Floats) -> Floats:
    """Return the cosines of rows to a vector, 0 for pages without a row."""
    full = np.zeros(DIMENSIONS, dtype=np.float32)
    full[: len(vector)] = vector
    found = np.zeros(len(places), dtype=np.float32)
    there = (places >= 0) & (places < len(pages.fine))
    found[there] = pages.fine[places[there]].astype(np.float32) @ full
    clipped: Floats = np.maximum(found, 0.0)
    return clipped
