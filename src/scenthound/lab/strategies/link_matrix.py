"""Links as rows of a matrix: which words stand in the anchor, around it and in the URL, each kind of word apart.

A word gets the next column when it is first seen, so that no two share one and nothing hangs on a hash function.
"""

from array import array
from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np
from scipy.sparse import csr_array

from scenthound.lab.strategies.surroundings import Surroundings
from scenthound.parse.words.stems import STOP, stems
from scenthound.parse.words.tokens import tokens_of
from scenthound.types import Link, Reading


class LinkWords:
    """The words of all links seen; `targets` are the URLs that these lead to, link by link."""

    def __init__(self, *, reach: int, most: int) -> None:
        self.targets: list[str] = []
        self._reach = reach
        self._most = most
        self._numbers: dict[str, int] = {}
        self._columns: dict[str, Columns] = {}  # by place and language
        self._indices = array("i")  # 32 bits: liblinear takes no others
        self._ends = array("i", [0])

    def add(self, links: Iterable[Link], reading: Reading) -> None:
        """Add the links of a page."""
        around = Surroundings(reading.leaves, reach=self._reach, most=self._most)
        anchor, near, url = (self._of(place, reading.language) for place in ("anchor", "around", "url"))
        for link in links:
            columns = chain(
                map(anchor.__getitem__, tokens_of(link.text)),
                map(near.__getitem__, around.before(link)),
                map(near.__getitem__, around.after(link)),
                map(url.__getitem__, tokens_of(link.url.partition("//")[2])),
            )
            self._indices.extend(sorted(set(chain.from_iterable(columns))))
            self._ends.append(len(self._indices))
            self.targets.append(link.url)

    def rows(self, first: int = 0) -> csr_array:
        """Return a row for each link from that number on: 1 where a word is there."""
        start = self._ends[first]
        ends = np.array(self._ends[first:], dtype=np.int32) - np.int32(start)
        indices = np.array(self._indices[start:], dtype=np.int32)
        return csr_array((np.ones(len(indices)), indices, ends), shape=(len(ends) - 1, len(self._numbers)))

    def _of(self, place: str, language: str) -> "Columns":
        key = f"{place} {language}"
        if key not in self._columns:
            self._columns[key] = Columns(place, language, self._numbers)
        return self._columns[key]


class Columns(dict[bytes, tuple[int, ...]]):
    """The columns of each token in one place: of its stem, or of none if it is a stop word.

    >>> numbers: dict[str, int] = {}
    >>> anchor, url = Columns("anchor", "en", numbers), Columns("url", "en", numbers)
    >>> anchor[b"gulls"], url[b"gull"], anchor[b"gull"], anchor[b"the"]
    ((0,), (1,), (0,), ())
    """

    def __init__(self, place: str, language: str, numbers: dict[str, int]) -> None:
        super().__init__()
        self._place = place
        self._stems = stems(language)
        self._numbers = numbers

    def __missing__(self, token: bytes) -> tuple[int, ...]:
        found = self[token] = tuple(self._seen(self._stems[token]))
        return found

    def _seen(self, terms: str) -> Iterator[int]:
        for term in terms.split():
            if term != STOP:
                yield self._numbers.setdefault(f"{self._place} {term}", len(self._numbers))
