"""The canonical topic tree that ships with the program (FOCUS §2.1: "part of the initial system").

It has some 300 topics from everyday life to the sciences, with the statistics of their terms and a few pages of each as
bags of terms. It classifies English pages before there is any crawl, and gives critics real pages of other topics to
learn from. `python -m bench.canon` makes the file `canon.npz`; `canon.txt` beside it names the source of the texts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from scenthound.judge.critic import Page, Probabilities
from scenthound.judge.models.features import Features
from scenthound.judge.models.vectors import DIMENSIONS, Vectors, learn_vectors
from scenthound.parse.words.terms import Terms

NAME: Final = "canon.npz"
LANGUAGE: Final = "en"  # the only language so far, because the counted texts are English
FINEST: Final = 127  # the greatest weight of a leaf in the file
SCHEME: Final = "background:"  # prefix of a page's title in place of an address


@dataclass(frozen=True, slots=True, kw_only=True)
class CanonPlace:
    """A leaf that a page belongs to: `likeness` is the score of its terms, `share` its probability."""

    leaf: str
    share: float
    likeness: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bags:
    """The terms of several pages in one array: page i has those from `starts[i]` up to `starts[i + 1]`."""

    starts: NDArray[np.integer]
    terms: NDArray[np.integer]
    title: NDArray[np.integer]
    main: NDArray[np.integer]


@dataclass(frozen=True, kw_only=True, eq=False)
class Canon:
    """The tree by its leaves.

    `weights` has a row for each leaf: how much the terms, in the columns of `features`, speak for it.
    """

    leaves: tuple[str, ...]
    features: Features
    weights: csr_array
    sharpness: float
    titles: tuple[str, ...]
    page_leaves: NDArray[np.integer]
    bags: Bags

    @property
    def classes(self) -> tuple[str, ...]:
        return self.leaves

    def pages(self) -> tuple[Page, ...]:
        """Return the pages that ship with the tree; their address is `background:` plus the title of the article."""
        return self._pages

    def leaf_of(self) -> tuple[str, ...]:
        """Return the leaf of each of `pages`, in the same order."""
        return tuple(self.leaves[number] for number in self.page_leaves.tolist())

    def reads(self, page: Page) -> bool:
        """Tell whether the tree can place a page: it is English and has a known term."""
        known = self.features.columns
        return (page.terms.language or page.language) == LANGUAGE and any(term in known for term in page.terms.terms)

    def judge(self, pages: Sequence[Page]) -> Probabilities:
        """Return the probability of each leaf (column) for each page (row); uniform for a page that it cannot read."""
        return self._shares(self._likeness(pages))

    def places(self, pages: Sequence[Page], *, most: int = 3) -> list[tuple[CanonPlace, ...]]:
        """Return the likeliest leaves of each page, best first; none for a page that it cannot read.

        >>> from scenthound.parse.words.page_terms import terms_of_text
        >>> said = "A telescope shows the craters of the moon and the planets that orbit the sun."
        >>> [found] = canon().places([Page(terms=terms_of_text(said, language="en"))], most=1)
        >>> [place.leaf for place in found]
        ['Science/Astronomy/Solar system']
        """
        likeness = self._likeness(pages)
        shares = self._shares(likeness)
        best = np.argsort(-likeness, axis=1, kind="stable")[:, :most]
        return [
            tuple(
                CanonPlace(leaf=self.leaves[leaf], share=float(shares[row, leaf]), likeness=float(likeness[row, leaf]))
                for leaf in best[row].tolist()
            )
            if self.reads(page)
            else ()
            for row, page in enumerate(pages)
        ]

    def vectors(self, terms: Sequence[str]) -> Vectors:
        """Return word vectors for terms; unknown terms get zeros.

        They are latent directions of the weights of all leaves, from 25,000 texts. With vectors learnt from the crawl's
        own pages, average precision on topics of the schools web was .703 instead of .727, and the area under the curve
        on modern sites .725 instead of .775, in one run of a script that was not kept.
        """
        table = np.concatenate((self._directions, np.zeros((1, DIMENSIONS), dtype=np.float32)))
        known = self.features.columns
        return Vectors(table=table[[known.get(term, -1) for term in terms]])

    @cached_property
    def _directions(self) -> NDArray[np.float32]:
        return learn_vectors(self.weights, dimensions=DIMENSIONS, seed=0).table

    def _likeness(self, pages: Sequence[Page]) -> Probabilities:
        read = [page if self.reads(page) else Page() for page in pages]
        found: Probabilities = (self.features.rows(read) @ self.weights.T).toarray()
        return found

    def _shares(self, likeness: Probabilities) -> Probabilities:
        """Turn likenesses into probabilities; the sharpness was fitted on pages outside the statistics."""
        odds = np.exp(self.sharpness * (likeness - likeness.max(axis=1, keepdims=True)))
        shares: Probabilities = odds / odds.sum(axis=1, keepdims=True)
        return shares

    @cached_property
    def _pages(self) -> tuple[Page, ...]:
        return tuple(self._page(number, title) for number, title in enumerate(self.titles))

    def _page(self, number: int, title: str) -> Page:
        here = slice(int(self.bags.starts[number]), int(self.bags.starts[number + 1]))
        words = self.features.terms
        terms = tuple(words[term] for term in self.bags.terms[here].tolist())
        of_title, of_main = (zone[here].astype(np.uint16) for zone in (self.bags.title, self.bags.main))
        nowhere = np.zeros(len(terms), dtype=np.uint16)
        return Page(
            url=f"{SCHEME}{title}",
            title=title,
            language=LANGUAGE,
            terms=Terms(language=LANGUAGE, terms=terms, title=of_title, main=of_main, rest=nowhere),
        )


@cache
def canon() -> Canon:
    """Return the tree that ships with the program, loaded once per process.

    >>> len(canon().leaves), len(canon().pages())
    (307, 1228)
    """
    with (
        files("scenthound.judge.canonical").joinpath(NAME).open("rb") as file,
        np.load(file, allow_pickle=False) as kept,
    ):
        return canon_of(dict(kept))


def canon_of(arrays: Mapping[str, NDArray[Any]]) -> Canon:
    """Build the tree from the arrays of its file."""
    terms, leaves = unjoined(arrays["terms"]), unjoined(arrays["leaves"])
    idf = idf_of(arrays["spread"], int(arrays["of"]))
    starts = arrays["leaf_starts"].astype(np.int32)
    tops = np.repeat(arrays["leaf_tops"].astype(np.float64), np.diff(starts))
    shares = arrays["leaf_weights"].astype(np.float64) / FINEST
    values = tops * np.sign(shares) * shares**2
    weights = csr_array((values, arrays["leaf_terms"].astype(np.int32), starts), shape=(len(leaves), len(terms)))
    return Canon(
        leaves=leaves,
        features=Features(terms=terms, idf=idf),
        weights=weights,
        sharpness=float(arrays["sharpness"]),
        titles=unjoined(arrays["page_titles"]),
        page_leaves=arrays["page_leaves"],
        bags=Bags(
            starts=arrays["page_starts"],
            terms=arrays["page_terms"],
            title=arrays["page_title"],
            main=arrays["page_main"],
        ),
    )


def idf_of(spread: NDArray[Any], pages: int) -> NDArray[np.float64]:
    """Weigh terms by rarity, as critics do (`features.features_of`)."""
    weights: NDArray[np.float64] = np.log((1 + pages) / (1 + spread.astype(np.float64))) + 1.0
    return weights


def joined(texts: Sequence[str]) -> NDArray[np.uint8]:
    r"""Join texts without line breaks into one array of bytes, which needs no pickle and compresses well.

    >>> unjoined(joined(["otter", "fjord"]))
    ('otter', 'fjord')
    """
    return np.frombuffer("\n".join(texts).encode(), dtype=np.uint8)


def unjoined(packed: NDArray[Any]) -> tuple[str, ...]:
    """Undo `joined`."""
    return tuple(packed.tobytes().decode().split("\n"))
