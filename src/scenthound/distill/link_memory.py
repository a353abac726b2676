"""The links of a crawl that goes on, kept between distillations: each time only those of new pages are read.

A page that is visited again and has changed gets a new number (`pages.n`), and its links are read again. Reading all
links was most of a distillation; what is left is to read the pages, fifty times fewer.
"""

import sqlite3
from typing import Final

import numpy as np

from scenthound.distill.graph import Whole
from scenthound.store.sqlite.queries.distil_statements import LAST_PAGE, LINKS_BY_NEW_PAGE, NEW_PAGES

PAGES_AT_ONCE: Final = 10_000
_NOTHING: Final[Whole] = np.zeros(0, dtype=np.int64)
MOST: Final = 4_000_000  # links kept, 16 bytes each; a larger graph is read as a whole


class LinkMemory:
    """Use it with one crawl. It must see the crawl grow: rows that other commands remove are not noticed."""

    def __init__(self, *, most: int = MOST) -> None:
        self._most = most
        self._last = 0  # number of the latest page whose links are kept
        self._sources: Whole = _NOTHING
        self._targets: Whole = _NOTHING

    def update(self, con: sqlite3.Connection) -> tuple[Whole, Whole]:
        """Read what is new, within a snapshot. Return both ends of all endorsing links, by their ids."""
        last = int(con.execute(LAST_PAGE).fetchone()[0])
        if self._last:
            self._drop(np.array(con.execute(NEW_PAGES, (self._last,)).fetchall(), dtype=np.int64).reshape(-1))
        sources, targets = read_links(con, after=self._last)
        found = np.concatenate((self._sources, sources)), np.concatenate((self._targets, targets))
        self._forget()
        if len(found[0]) <= self._most:
            self._last, (self._sources, self._targets) = last, found
        return found

    def _drop(self, pages: Whole) -> None:
        """Forget the links of pages that have another number now."""
        old = pages[pages <= self._sources.max(initial=0)]
        kept = ~np.isin(self._sources, old)
        if not kept.all():
            self._sources, self._targets = self._sources[kept], self._targets[kept]

    def _forget(self) -> None:
        self._last, self._sources, self._targets = 0, _NOTHING, _NOTHING


def read_links(con: sqlite3.Connection, *, after: int) -> tuple[Whole, Whole]:
    """Return both ends of the endorsing links of pages with a greater number, by their ids."""
    sources, targets = [_NOTHING], [_NOTHING]
    cursor = con.execute(LINKS_BY_NEW_PAGE, (after,))
    while rows := cursor.fetchmany(PAGES_AT_ONCE):
        ids, numbers, texts = zip(*rows, strict=True)
        sources.append(np.repeat(np.array(ids, dtype=np.int64), numbers))
        targets.append(np.fromstring(",".join(texts), sep=",", dtype=np.int64))
    return np.concatenate(sources), np.concatenate(targets)
