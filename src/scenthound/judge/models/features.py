"""From pages to rows of numbers: a vocabulary, and tf·idf weights with sublinear tf and unit length (Salton & Buckley
1988).

The labelled pages and those at hand decide which terms have a column and how rare they are. A row depends only on its
page.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from scenthound.judge.critic import Page
from scenthound.judge.models.bags import Text, bags, counts_of

Floats = NDArray[np.float64]

# A term of one or two pages cannot show whether it speaks for a topic: leaving these out changes accuracy on the
# schools web by less than .003 and halves the vocabulary.
_FEWEST_PAGES: Final = 3
_SHORT: Final = 50  # a page with fewer terms (a query, a stub) keeps all of them, however rare
_MOST_TERMS: Final = 100_000


@dataclass(frozen=True, kw_only=True)
class Features:
    """The columns of the vocabulary: a term and its inverse document frequency each."""

    terms: tuple[str, ...]
    idf: Floats
    text: Text = "main"

    def __len__(self) -> int:
        return len(self.terms)

    @cached_property
    def columns(self) -> dict[str, int]:
        return dict(zip(self.terms, range(len(self.terms)), strict=True))

    def rows(self, pages: Sequence[Page]) -> csr_array:
        """Return a row of unit length for each page; zeros for a page without any known term."""
        found = bags(pages, self.columns, text=self.text)
        weights = np.append(self.idf, 0.0)[found.columns]  # terms without a column have the number -1
        rows = found.matrix((1.0 + np.log(found.counts)) * weights)
        sizes = np.diff(rows.indptr)
        lengths = np.sqrt(_sums(rows.data**2, rows.indptr))
        rows.data /= np.repeat(np.where(lengths > 0, lengths, 1.0), sizes)
        return rows


def features_of(labelled: Sequence[Page], at_hand: Sequence[Page] = (), *, text: Text = "main") -> Features:
    """Choose the terms that get a column, and weigh them by their rarity among all these pages.

    A term on all pages weighs 1, and one on few of n about log n more.

    >>> from scenthound.parse.words.page_terms import terms_of_text
    >>> said = ("cats and dogs", "cats and mice", "cats")
    >>> found = features_of([Page(terms=terms_of_text(text, language="en")) for text in said])
    >>> dict(zip(found.terms, found.idf.round(3).tolist()))
    {'cat': 1.0, 'dog': 1.693, 'mice': 1.693}
    """
    pages = [*labelled, *at_hand]
    spread = Counter[str]()
    for page in pages:
        spread.update(spoken(page, text))
    short = {term for page in labelled if len(page.terms) < _SHORT for term in spoken(page, text)}
    chosen = [term for term, count in spread.items() if count >= _FEWEST_PAGES or term in short]
    terms = tuple(sorted(sorted(chosen, key=lambda term: (-spread[term], term))[:_MOST_TERMS]))
    seen = np.array([spread[term] for term in terms], dtype=np.float64)
    return Features(terms=terms, idf=np.log((1 + len(pages)) / (1 + seen)) + 1.0, text=text)


def spoken(page: Page, text: Text) -> Iterable[str]:
    """Return the terms of the judged part of a page."""
    return compress(page.terms.terms, (counts_of(page.terms, text=text) > 0).tolist())


def _sums(values: Floats, starts: NDArray[np.integer]) -> Floats:
    """Add up values by row, each row by itself: a running sum would carry one page's rounding into the next."""
    filled = np.flatnonzero(np.diff(starts))
    sums = np.zeros(len(starts) - 1)
    if len(filled):
        sums[filled] = np.add.reduceat(values, starts[filled])
    return sums
