"""Pages as bags of terms: n(d, t), how often each term stands on each page, in flat arrays and as a sparse matrix.

Critics that count (naive Bayes) and critics that weigh (SVM) start from the same numbers. Everything here is done page
by page, so that a page's numbers never depend on its company.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain, repeat
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from scenthound.judge.base import Page
from scenthound.parse.terms import Terms

Text = Literal["main", "all"]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bags:
    """The bags of several pages: entry i says that term `columns[i]` stands `counts[i]` times on page `rows[i]`.

    A column of -1 is a term that the vocabulary does not hold.
    """

    pages: int
    terms: int
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    counts: Floats

    def matrix(self, values: Floats | None = None) -> csr_array:
        """Return pages × vocabulary, of the counts or of other values in step with them; unknown terms are left out."""
        known = self.columns >= 0
        rows, columns = self.rows[known], self.columns[known].astype(np.int32)  # wider ones scikit-learn refuses
        starts = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=self.pages)))).astype(np.int32)
        data = (self.counts if values is None else values)[known]
        return csr_array((data, columns, starts), shape=(self.pages, self.terms))


def bags(pages: Sequence[Page], vocabulary: Mapping[str, int], *, text: Text = "main") -> Bags:
    """Count the terms of pages, by the columns of a vocabulary."""
    counted = [counts_of(page.terms, text=text) for page in pages]
    sizes = [len(counts) for counts in counted]
    terms = chain.from_iterable(page.terms.terms for page in pages)
    columns = np.fromiter(map(vocabulary.get, terms, repeat(-1)), dtype=np.int64, count=sum(sizes))
    counts = np.concatenate([np.zeros(0), *counted])
    rows = np.repeat(np.arange(len(pages)), sizes)
    there = counts > 0
    return Bags(pages=len(pages), terms=len(vocabulary), rows=rows[there], columns=columns[there], counts=counts[there])


def counts_of(terms: Terms, *, text: Text) -> Floats:
    """Return how often each term counts: in title and headings once more than in the main text.

    A page without main text (a list of links, a frame) is read whole: otherwise nothing but its title could be judged.
    """
    counts = terms.title.astype(np.float64) + terms.main
    if text == "all" or not terms.main.any():
        counts += terms.rest
    return counts


def vocabulary_of(pages: Iterable[Page]) -> dict[str, int]:
    """Return the columns of all terms of pages, in alphabetical order.

    The order is not that of the pages: two terms must keep theirs when other pages come and go, because it decides ties,
    and a node whose own lessons are unchanged must come out the same.
    """
    terms = sorted(set(chain.from_iterable(page.terms.terms for page in pages)))
    return dict(zip(terms, range(len(terms)), strict=True))


def digest_of(page: Page) -> bytes:
    """Return a digest of a page's terms and counts: equal pages teach the same."""
    terms = page.terms
    said = "\n".join(terms.terms).encode("utf-8", "surrogatepass")
    return blake2b(
        b"\0".join((said, terms.title.tobytes(), terms.main.tobytes(), terms.rest.tobytes())), digest_size=16
    ).digest()
