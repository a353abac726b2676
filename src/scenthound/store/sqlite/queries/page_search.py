"""Fetched pages by what a reader looks for: topic, site, language, type, date, relevance, words in title or address.

The best come first by the index pages_relevance, the newest by the primary key; both stop at the last row that is
wanted. The pages of a site are found by its hosts. Any other condition may be rare. To read all pages in the order of
the index would then read each from another place, so they are scanned in their own order (1.4 s of processor time for a
million pages; the index took more than 10) and sorted.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic
from typing import Final

from scenthound.errors import ScenthoundError

MOST: Final = 500  # rows in one answer
SECONDS: Final = 10.0
_SEEN: Final = 5_000  # best pages whose languages, types and sites are offered
_BY_PAGE: Final = "pages p {how} CROSS JOIN finds f ON f.id = p.url_id CROSS JOIN hosts h ON h.id = f.host_id"
_ORDERS: Final = {"relevance": "p.relevance DESC", "newest": "p.n DESC", "oldest": "p.n"}
_BY_SITE: Final = """
hosts h CROSS JOIN standings s ON s.host_id = h.id CROSS JOIN pages p ON p.url_id = s.id
CROSS JOIN finds f ON f.id = s.id"""
_CHOICES: Final = """
SELECT p.language, p.mime, h.domain
FROM (SELECT url_id, language, mime FROM pages WHERE ending = 'page' AND relevance IS NOT NULL
      ORDER BY relevance DESC LIMIT ?) p
CROSS JOIN finds f ON f.id = p.url_id CROSS JOIN hosts h ON h.id = f.host_id"""


class PageOrder(StrEnum):
    RELEVANCE = "relevance"
    NEWEST = "newest"
    OLDEST = "oldest"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageQuery:
    """Which pages are wanted; what is left out does not matter. `topic` stands for those below it too."""

    topic: str = ""
    site: str = ""
    language: str = ""
    mime: str = ""
    since: float | None = None
    until: float | None = None
    min_relevance: float | None = None
    max_relevance: float | None = None
    words: str = ""
    order: PageOrder = PageOrder.RELEVANCE
    limit: int = 50
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHit:
    n: int
    url: str
    host: str
    title: str
    language: str
    mime: str
    relevance: float | None
    topic: str
    fetched_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """The pages wanted, and whether there are more behind them."""

    pages: tuple[PageHit, ...]
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """How many pages a query finds in all, and how many of them are examples, which are no pages of the crawl."""

    pages: int
    examples: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What to choose from, most frequent first, with the number of pages among the best ones."""

    languages: tuple[tuple[str, int], ...]
    mimes: tuple[tuple[str, int], ...]
    sites: tuple[tuple[str, int], ...]


def search_pages(con: sqlite3.Connection, query: PageQuery) -> Hits:
    """Return the pages that a query asks for."""
    limit = max(1, min(MOST, query.limit))
    chosen, values = _chosen(query, how="NOT INDEXED" if _may_be_rare(query) else "")
    statement = f"""
        SELECT p.n, f.url, h.name, p.title, p.language, p.mime, p.relevance, p.topic, p.fetched_at
        {chosen} ORDER BY {_ORDERS[query.order]} LIMIT :limit OFFSET :offset"""
    with _in_time(con):
        rows = con.execute(statement, {**values, "limit": limit + 1, "offset": max(0, query.offset)}).fetchall()
    names = ("n", "url", "host", "title", "language", "mime", "relevance", "topic", "fetched_at")
    pages = tuple(PageHit(**dict(zip(names, row, strict=True))) for row in rows[:limit])
    return Hits(pages=pages, more=len(rows) > limit)


def count_hits(con: sqlite3.Connection, query: PageQuery) -> Total:
    """Count all pages that a query asks for, whatever its limit. This scans all pages."""
    chosen, values = _chosen(query, how="NOT INDEXED")
    with _in_time(con):
        pages, counting = con.execute(f"SELECT count(*), count(*) FILTER (WHERE p.counts) {chosen}", values).fetchone()
    return Total(pages=pages, examples=pages - int(counting))


def hit_numbers(con: sqlite3.Connection, query: PageQuery) -> Iterator[int]:
    """Yield the numbers of all pages that a query asks for, in fetch order."""
    chosen, values = _chosen(query, how="NOT INDEXED")
    for (n,) in con.execute(f"SELECT p.n {chosen} ORDER BY p.n", values):
        yield n


def read_choices(con: sqlite3.Connection) -> Choices:
    """Return the languages, types and sites of the most relevant pages."""
    with _in_time(con):
        rows = con.execute(_CHOICES, (_SEEN,)).fetchall()
    languages, mimes, sites = (Counter(row[place] for row in rows if row[place]) for place in range(3))
    return Choices(
        languages=tuple(languages.most_common(30)),
        mimes=tuple(mimes.most_common(30)),
        sites=tuple(sites.most_common(200)),
    )


def _chosen(query: PageQuery, *, how: str) -> tuple[str, dict[str, object]]:
    """Return from where pages are taken under which conditions, and the values of these."""
    judged = ("p.relevance IS NOT NULL",) if query.order is PageOrder.RELEVANCE else ()
    return chosen_from(query, "p.ending = 'page'", *judged, how=how)


def _may_be_rare(query: PageQuery) -> bool:
    given = (query.words.strip(), query.topic, query.language, query.mime, query.since, query.until)
    return query.order is PageOrder.RELEVANCE and any(given)


def chosen_from(query: PageQuery, *more: str, how: str = "NOT INDEXED") -> tuple[str, dict[str, object]]:
    """Return from where a query takes rows, under its own and `more` conditions, and the values of these."""
    conditions, values = _conditions(query)
    where = " AND ".join([*more, *conditions]) or "1 = 1"
    return f"FROM {_BY_SITE if query.site else _BY_PAGE.format(how=how)} WHERE {where}", values


def _conditions(query: PageQuery) -> tuple[list[str], dict[str, object]]:
    wanted: list[tuple[str, str, object]] = [
        ("topic", "(p.topic = :topic OR substr(p.topic, 1, length(:topic) + 1) = :topic || '/')", query.topic),
        ("site", "(h.domain = :site OR h.name = :site)", query.site),
        ("language", "p.language = :language", query.language),
        ("mime", "p.mime = :mime", query.mime),
        ("since", "p.fetched_at >= :since", query.since),
        ("until", "p.fetched_at < :until", query.until),
        ("low", "p.relevance >= :low", query.min_relevance),
        ("high", "p.relevance <= :high", query.max_relevance),
        (
            "words",
            "(instr(lower(p.title), :words) > 0 OR instr(lower(f.url), :words) > 0)",
            query.words.strip().lower(),
        ),
    ]
    given = [(name, condition, value) for name, condition, value in wanted if value not in ("", None)]
    return [condition for _, condition, _ in given], {name: value for name, _, value in given}


@contextmanager
def _in_time(con: sqlite3.Connection) -> Iterator[None]:
    end = monotonic() + SECONDS
    con.set_progress_handler(lambda: monotonic() > end, 50_000)
    try:
        yield
    except sqlite3.OperationalError as error:
        if "interrupted" not in str(error):
            raise
        raise ScenthoundError(f"stopped after {SECONDS:g} s of searching; ask for something less rare") from None
    finally:
        con.set_progress_handler(None, 0)
