"""Pages and the links between them, one page at a time: what cards, maps and feedback ask for."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from scenthound.parse.urls import host_of
from scenthound.store.sqlite.links import url_key

_WORDS = """
SELECT p.title, p.language, p.topic, t.packed FROM pages p
LEFT JOIN terms t ON t.url_id = p.url_id WHERE p.url_id = ?"""
_ID = """
SELECT s.id FROM hosts h JOIN standings s ON s.host_id = h.id AND s.key = ? WHERE h.name = ?"""
# A good topic's pages are among the most relevant, so that their index leads to them at once, row by row until there
# are enough.
_MOST_RELEVANT = """
SELECT url_id, topic FROM pages WHERE ending = 'page' AND relevance IS NOT NULL ORDER BY relevance DESC LIMIT ?"""
# The pages of any other topic lie anywhere, and reading the latest rows in their order is faster than looking up each.
_AMONG_LATEST = """
SELECT url_id FROM pages NOT INDEXED
WHERE n > :last - :seen AND ending = 'page' AND relevance IS NOT NULL
    AND (topic = :topic OR substr(topic, 1, length(:topic) + 1) = :topic || '/')
ORDER BY relevance DESC LIMIT :most"""
_LAST = "SELECT coalesce(max(n), 0) FROM pages"
_NEAR = """
SELECT dst FROM (SELECT dst FROM links WHERE src = :id LIMIT :links) cited
UNION SELECT src FROM (SELECT src FROM links WHERE dst = :id LIMIT :links) citing"""
_ON_MAP = """
SELECT u.id, u.url, h.name, u.state, coalesce(p.title, ''), coalesce(p.topic, ''), p.relevance
FROM urls u JOIN hosts h ON h.id = u.host_id
LEFT JOIN pages p ON p.url_id = u.id AND p.ending = 'page' WHERE u.id = ?"""
_BETWEEN = "SELECT DISTINCT dst FROM links WHERE src = ?"
_CITES = """
SELECT u.url, coalesce(p.title, ''), p.relevance, u.state, min(l.text)
FROM links l JOIN urls u ON u.id = l.dst LEFT JOIN pages p ON p.url_id = u.id AND p.ending = 'page'
WHERE l.src = (SELECT url_id FROM pages WHERE n = ?) GROUP BY u.id, u.url, p.title, p.relevance, u.state
ORDER BY p.relevance DESC NULLS LAST, min(l.position) LIMIT ?"""
_CITED_BY = """
SELECT u.url, coalesce(p.title, ''), p.relevance, u.state, min(l.text)
FROM links l JOIN urls u ON u.id = l.src LEFT JOIN pages p ON p.url_id = u.id AND p.ending = 'page'
WHERE l.dst = (SELECT url_id FROM pages WHERE n = ?) GROUP BY u.id, u.url, p.title, p.relevance, u.state
ORDER BY p.relevance DESC NULLS LAST, u.id LIMIT ?"""
_PAGES = """
SELECT f.url, p.title, p.relevance FROM finds f JOIN pages p ON p.url_id = f.id
WHERE p.ending = 'page' AND p.relevance IS NOT NULL AND f.id {which} ORDER BY p.relevance DESC"""
_JUDGED, _JUDGED_TARGETS = (_PAGES.format(which=which) for which in ("= ?", "IN (SELECT dst FROM links WHERE src = ?)"))
_TARGET_URLS = "SELECT url FROM finds WHERE id IN (SELECT dst FROM links WHERE src = ?)"
_URL = "SELECT f.url FROM pages p JOIN finds f ON f.id = p.url_id WHERE p.n = ?"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageWords:
    """What a critic needs to judge a page again; `terms` are packed."""

    title: str
    language: str
    topic: str
    terms: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class MapRow:
    """A URL on a map; topic and relevance are empty until it is fetched and judged."""

    url: str
    host: str
    state: str
    title: str
    topic: str
    relevance: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedPage:
    """A page at the other end of a link, with the words of the link."""

    url: str
    title: str
    relevance: float | None
    state: str
    text: str


def id_of_url(con: sqlite3.Connection, address: str) -> int | None:
    """Return the id of a canonical address, if it is known."""
    row = con.execute(_ID, (url_key(address), host_of(address))).fetchone()
    return int(row[0]) if row else None


def page_url(con: sqlite3.Connection, n: int) -> str | None:
    """Return the address of the page with a number."""
    row = con.execute(_URL, (n,)).fetchone()
    return str(row[0]) if row else None


def page_words(con: sqlite3.Connection, id: int) -> PageWords:
    """Return the title, language, topic and terms of a page."""
    title, language, topic, packed = con.execute(_WORDS, (id,)).fetchone()
    return PageWords(title=title, language=language, topic=topic, terms=packed or b"")


def last_page(con: sqlite3.Connection) -> int:
    """Return the number of the last page, 0 if there is none."""
    return int(con.execute(_LAST).fetchone()[0])


def most_relevant(con: sqlite3.Connection, most: int) -> Iterator[tuple[int, str]]:
    """Yield the ids of the most relevant pages, each with its topic."""
    return con.execute(_MOST_RELEVANT, (most,))


def best_among_latest(con: sqlite3.Connection, topic: str, *, seen: int, most: int) -> tuple[int, ...]:
    """Return the ids of the best pages of a topic and those below it, among the last `seen` pages."""
    values = {"topic": topic, "most": most, "seen": seen, "last": last_page(con)}
    return tuple(id for (id,) in con.execute(_AMONG_LATEST, values))


def linked_ids(con: sqlite3.Connection, id: int, most: int) -> list[int]:
    """Return the ids one link away from a page, either way; up to `most` each way."""
    return [other for (other,) in con.execute(_NEAR, {"id": id, "links": most})]


def cited_ids(con: sqlite3.Connection, id: int) -> list[int]:
    """Return the ids that a page links to."""
    return [target for (target,) in con.execute(_BETWEEN, (id,))]


def map_row(con: sqlite3.Connection, id: int) -> MapRow:
    """Return a URL as a map shows it."""
    _, url, host, state, title, topic, relevance = con.execute(_ON_MAP, (id,)).fetchone()
    return MapRow(url=url, host=host, state=state, title=title, topic=topic, relevance=relevance)


def cited_pages(con: sqlite3.Connection, n: int, most: int) -> tuple[LinkedPage, ...]:
    """Return what page number `n` links to, most relevant first."""
    return _linked(con, _CITES, n, most)


def citing_pages(con: sqlite3.Connection, n: int, most: int) -> tuple[LinkedPage, ...]:
    """Return what links to page number `n`, most relevant first."""
    return _linked(con, _CITED_BY, n, most)


def _linked(con: sqlite3.Connection, statement: str, n: int, most: int) -> tuple[LinkedPage, ...]:
    return tuple(
        LinkedPage(url=url, title=title, relevance=relevance, state=state, text=text)
        for url, title, relevance, state, text in con.execute(statement, (n, most))
    )


def judged_page(con: sqlite3.Connection, id: int) -> list[tuple[str, str, float]]:
    """Return address, title and relevance of a page, if it was judged."""
    return con.execute(_JUDGED, (id,)).fetchall()


def judged_targets(con: sqlite3.Connection, id: int) -> list[tuple[str, str, float]]:
    """Return address, title and relevance of the judged pages that a page links to, most relevant first."""
    return con.execute(_JUDGED_TARGETS, (id,)).fetchall()


def target_urls(con: sqlite3.Connection, id: int) -> list[str]:
    """Return the addresses that a page links to."""
    return [str(url) for (url,) in con.execute(_TARGET_URLS, (id,))]
