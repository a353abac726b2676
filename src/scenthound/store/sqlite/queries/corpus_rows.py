"""Which pages an export takes: their numbers first, so that it knows how many they are, then one row at a time."""

import sqlite3
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from scenthound.store.rules import CHAIN
from scenthound.store.sqlite.queries.page_search import PageOrder, PageQuery, chosen_from
from scenthound.store.sqlite.rows import page_row
from scenthound.types import ArchiveSpot, PageRow

# Examples whose links are not followed are no pages of the crawl.
_OWN: Final = "(p.counts OR p.promise IS NOT NULL)"
_REPEATS: Final = "SELECT coalesce(duplicate_of, near_duplicate_of) FROM pages WHERE url_id = ?"
# The record of another page with the same content: the archive keeps a copy once.
_COPIES: Final = """
SELECT archive_file, archive_offset, archive_length FROM pages
WHERE digest = ? AND digest <> '' AND ending = 'page' AND archive_file IS NOT NULL AND n <> ? ORDER BY n LIMIT 3"""
# The redirects that lead to a page, the first of a chain first; the depth ends loops.
_LED_BY: Final = """
WITH RECURSIVE led (id, depth) AS (
    SELECT url_id, 0 FROM pages WHERE n = ?
    UNION SELECT l.src, depth + 1 FROM led JOIN links l ON l.dst = led.id AND l.kind = 'redirect' WHERE depth < 10)
SELECT r.archive_file, r.archive_offset, r.archive_length FROM led JOIN pages r ON r.url_id = led.id
WHERE depth > 0 AND r.ending = 'redirect' AND r.archive_file IS NOT NULL ORDER BY depth DESC, r.n"""


class RowKind(StrEnum):
    """What an export is of: all that was asked for; pages and error pages; pages; pages and all examples."""

    EVERYTHING = "everything"
    ANSWERS = "answers"
    PAGES = "pages"
    WITH_EXAMPLES = "with examples"


_KINDS: Final = {
    RowKind.EVERYTHING: (),
    # What the server gave with a good status and we refused would be taken for a page.
    RowKind.ANSWERS: (_OWN, "(p.ending = 'page' OR (p.ending = 'failed' AND p.status >= 400))"),
    RowKind.PAGES: (_OWN, "p.ending = 'page'"),
    RowKind.WITH_EXAMPLES: ("p.ending = 'page'",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusRow:
    """A page to export, and where else the archive has its content: its own record may be a pointer to that."""

    page: PageRow
    copies: tuple[ArchiveSpot, ...] = ()


def chosen_numbers(
    con: sqlite3.Connection, query: PageQuery, *, kind: RowKind, unique: bool = False, by: str = ""
) -> "array[int]":
    """Return the numbers of the pages that a query asks for, in fetch order, or `by` a column and then in this order.

    With `unique`, pages that repeat another one count as that one, and the first in fetch order is taken.
    """
    judged = ("p.relevance IS NOT NULL",) if query.order is PageOrder.RELEVANCE else ()
    chosen, values = chosen_from(query, *_KINDS[kind], *judged)
    if unique:
        repeats = "p.n, p.url_id, coalesce(p.duplicate_of, p.near_duplicate_of)"
        rows = con.execute(f"SELECT {repeats} {chosen} ORDER BY p.n", values)
        numbers = array("q", _first_of_each(con, rows))
    else:
        numbers = array("q", (n for (n,) in con.execute(f"SELECT p.n {chosen} ORDER BY p.n", values)))
    if not by:
        return numbers
    wanted = set(numbers)
    in_order = con.execute(f"SELECT p.n {chosen} ORDER BY {_BY[by]}, p.n", values)
    return array("q", (n for (n,) in in_order if n in wanted))


_BY: Final = {
    "topic": "p.topic",
    "language": "p.language",
    "month": "strftime('%Y-%m', p.fetched_at, 'unixepoch')",
}


def _first_of_each(con: sqlite3.Connection, rows: sqlite3.Cursor) -> Iterator[int]:
    seen = set[int]()
    for n, id, repeated in rows:
        original = id if repeated is None else _original(con, id, repeated)
        if original not in seen:
            seen.add(original)
            yield n


def _original(con: sqlite3.Connection, id: int, repeated: int) -> int:
    """Follow what a page repeats to the page that repeats none; if they repeat each other, to the least of them."""
    way = [id, repeated]
    while len(way) < CHAIN + 2:
        row = con.execute(_REPEATS, (way[-1],)).fetchone()
        if row is None or row[0] is None:
            return way[-1]
        if row[0] in way:
            return min(way[way.index(row[0]) :])
        way.append(row[0])
    return way[-1]


def corpus_rows(con: sqlite3.Connection, numbers: "array[int]") -> Iterator[CorpusRow]:
    """Yield pages by their numbers; one that was visited again since has another number, and is left out."""
    for n in numbers:
        page = page_row(con, n)
        if page is not None:
            copies = _spots(con.execute(_COPIES, (page.digest, n))) if page.duplicate_of else ()
            yield CorpusRow(page=page, copies=copies)


def redirects_to(con: sqlite3.Connection, n: int) -> tuple[ArchiveSpot, ...]:
    """Return the records of the redirects that lead to a page."""
    return _spots(con.execute(_LED_BY, (n,)))


def _spots(rows: sqlite3.Cursor) -> tuple[ArchiveSpot, ...]:
    return tuple(ArchiveSpot(file=file, offset=offset, length=length) for file, offset, length in rows)
