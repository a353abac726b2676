"""What search asks the crawl's database: which pages came since, and what is known of some of them."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from scenthound.parse.urls import host_of
from scenthound.parse.words.terms import Terms, unpack
from scenthound.store.sqlite.links import url_key
from scenthound.types import ArchiveSpot

# Pages, redirects and failures above a number, in fetch order: a page visited again has a new number.
_ROWS = """
SELECT p.n, p.url_id, p.ending, p.counts, f.url, h.name, h.domain, p.title, p.language, p.mime, p.topic, p.relevance,
       p.captured_at,
       p.digest, p.archive_file, p.archive_offset, p.archive_length, t.packed
FROM pages p CROSS JOIN finds f ON f.id = p.url_id CROSS JOIN hosts h ON h.id = f.host_id
LEFT JOIN terms t ON t.url_id = p.url_id
"""
_BETWEEN = _ROWS + "WHERE p.n > ? AND p.n <= ? ORDER BY p.n LIMIT ?"
_SOME = _ROWS + "WHERE p.url_id IN (SELECT value FROM json_each(?))"
# The record of another page with the same content: the archive keeps a copy once.
_COPY = """
SELECT archive_file, archive_offset, archive_length FROM pages
WHERE digest = ? AND ending = 'page' AND digest <> '' AND archive_file IS NOT NULL AND url_id <> ? ORDER BY n LIMIT 3"""
# What links to a page say of it; the first ones, because navigation repeats itself.
_ANCHORS = """
SELECT text FROM links WHERE dst = ? AND kind IN ('anchor', 'area') AND text <> '' ORDER BY src, position LIMIT 300"""
_LINKED = """
SELECT DISTINCT l.dst FROM json_each(?) j CROSS JOIN links l ON l.src = j.value
WHERE l.kind IN ('anchor', 'area') AND l.text <> ''"""
# What pages are ranked by: of hundreds, so without the tables that only those shown need.
_SCORES = """
SELECT p.url_id, p.n, p.relevance, coalesce(a.authority, 0), p.fetched_at
FROM json_each(?) j CROSS JOIN pages p ON p.url_id = j.value LEFT JOIN prestige a ON a.url_id = p.url_id
WHERE p.ending = 'page'"""
_FACTS = """
SELECT p.url_id, p.n, f.url, h.name, p.title, p.language, p.mime, p.topic, p.relevance, coalesce(a.authority, 0),
       p.fetched_at
FROM json_each(?) j CROSS JOIN pages p ON p.url_id = j.value CROSS JOIN finds f ON f.id = p.url_id
CROSS JOIN hosts h ON h.id = f.host_id LEFT JOIN prestige a ON a.url_id = p.url_id
WHERE p.ending = 'page'"""
_ID = """
SELECT p.url_id FROM finds f JOIN pages p ON p.url_id = f.id
WHERE f.id = (SELECT s.id FROM hosts h JOIN standings s ON s.host_id = h.id WHERE h.name = ? AND s.key = ?)
AND p.ending = 'page'"""
_AUTHORITIES = "SELECT url_id, authority FROM prestige WHERE authority > 0 ORDER BY authority DESC, url_id LIMIT ?"
_TERMS = "SELECT url_id, packed FROM terms WHERE url_id IN (SELECT value FROM json_each(?))"
_JUDGED = "SELECT url_id, topic FROM pages WHERE ending = 'page' ORDER BY n"
_STANDING = """
SELECT (SELECT coalesce(max(n), 0) FROM pages), (SELECT coalesce(max(version), 0) FROM critics),
       (SELECT coalesce(value, 0) FROM counters WHERE name = 'relevance_sum')"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRow:
    """What a URL came to, as search takes it."""

    n: int
    id: int
    is_page: bool
    counts: bool
    url: str
    host: str
    site: str
    title: str
    language: str
    mime: str
    topic: str
    relevance: float | None
    fetched_at: float
    digest: str
    spot: ArchiveSpot | None
    terms: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How far a crawl is: its last page, the critic at work, and the sum of all judgements."""

    n: int
    critic: int
    relevance: float


def standing(con: sqlite3.Connection) -> Standing:
    n, critic, relevance = con.execute(_STANDING).fetchone()
    return Standing(n=n, critic=critic, relevance=relevance or 0.0)


def rows_between(con: sqlite3.Connection, n: int, last: int, most: int) -> list[SearchRow]:
    """Return what came after page `n` and up to page `last`, in fetch order."""
    return [_row(values) for values in con.execute(_BETWEEN, (n, last, most))]


def rows_of(con: sqlite3.Connection, ids: Sequence[int]) -> list[SearchRow]:
    """Return some URLs by their numbers."""
    return [_row(values) for values in con.execute(_SOME, (_json(ids),))]


def copies_of(con: sqlite3.Connection, row: SearchRow) -> list[ArchiveSpot]:
    """Return where else the archive has the content of a page."""
    found = con.execute(_COPY, (row.digest, row.id))
    return [ArchiveSpot(file=file, offset=offset, length=length) for file, offset, length in found]


def anchors_of(con: sqlite3.Connection, id: int) -> tuple[str, ...]:
    """Return the texts of links to a page, each once."""
    return tuple(dict.fromkeys(text for (text,) in con.execute(_ANCHORS, (id,))))


def linked_from(con: sqlite3.Connection, ids: Sequence[int]) -> list[int]:
    """Return the pages to which some pages have links with a text."""
    return [id for (id,) in con.execute(_LINKED, (_json(ids),))]


def scores_of(con: sqlite3.Connection, ids: Sequence[int]) -> list[tuple[int, int, float | None, float, float]]:
    """Return id, n, relevance, authority and moment of pages."""
    return con.execute(_SCORES, (_json(ids),)).fetchall()


def facts_of(con: sqlite3.Connection, ids: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    """Yield id, n, url, host, title, language, mime, topic, relevance, authority and moment of pages."""
    return iter(con.execute(_FACTS, (_json(ids),)).fetchall())


def id_of(con: sqlite3.Connection, url: str) -> int | None:
    """Return the number of a page by its canonical address."""
    found = con.execute(_ID, (host_of(url), url_key(url))).fetchone()
    return int(found[0]) if found else None


def best_authorities(con: sqlite3.Connection, most: int) -> list[tuple[int, float]]:
    """Return the pages with the greatest authority."""
    return [(id, score) for id, score in con.execute(_AUTHORITIES, (most,))]


def terms_by_id(con: sqlite3.Connection, ids: Sequence[int]) -> dict[int, Terms]:
    """Return what critics read of pages."""
    return {id: unpack(packed) for id, packed in con.execute(_TERMS, (_json(ids),))}


def topics_now(con: sqlite3.Connection) -> dict[int, str]:
    """Return the topic of every page."""
    return dict(con.execute(_JUDGED).fetchall())


def _json(ids: Sequence[int]) -> str:
    return msgspec.json.encode(list(ids)).decode()


def _row(values: tuple[Any, ...]) -> SearchRow:
    n, id, ending, counts, url, host, site, title, language, mime, topic, relevance, at, digest, *spot, packed = values
    file, offset, length = spot
    return SearchRow(
        n=n,
        id=id,
        is_page=ending == "page",
        counts=bool(counts),
        url=url,
        host=host,
        site=site,
        title=title,
        language=language,
        mime=mime,
        topic=topic,
        relevance=relevance,
        fetched_at=at,
        digest=digest,
        spot=None if file is None else ArchiveSpot(file=file, offset=offset, length=length),
        terms=packed or b"",
    )
