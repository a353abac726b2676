"""Pages as bags of terms: n(d, t), the count of each term on each page, in flat arrays and as a sparse matrix.

Critics that count (naive Bayes) and critics that weigh (SVM) start from the same numbers. All computations go page by
page, so the numbers of a page never depend on the other pages.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain, repeat
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from scenthound.judge.critic import Page
from scenthound.parse.words.terms import Terms

Text = Literal["main", "all"]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bags:
    """The bags of several pages: entry i says that term `columns[i]` occurs `counts[i]` times on page `rows[i]`.

    A column of -1 is a term outside the vocabulary.
    """

    pages: int
    terms: int
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    counts: Floats

    def matrix(self, values: Floats | None = None) -> csr_array:
        """Return pages × vocabulary with the counts, or with other values in their order, without unknown terms."""
        known = self.columns >= 0
        rows, columns = self.rows[known], self.columns[known].astype(np.int32)  # scikit-learn refuses wider indices
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
    """Return the weight of each term: occurrences in title and headings count once more.

    A page without main text (a list of links, a frame) counts as a whole. Otherwise only its title could be judged.
    """
    counts = terms.title.astype(np.float64) + terms.main
    if text == "all" or not terms.main.any():
        counts += terms.rest
    return counts


def vocabulary_of(pages: Iterable[Page]) -> dict[str, int]:
    """Return the columns of all terms of pages, in alphabetical order.

    The order does not depend on the pages: it decides ties, and a node with unchanged lessons must come out the same.
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
