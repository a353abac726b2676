"""Where URLs lie among others, in the database: all that an order of columns may compare. The answers are those of
`memory_bearings`.

A URL takes a few rows by their keys, and a row of pages for each page that cites it.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from scenthound.parse.urls import host_of
from scenthound.store.rules import GRAIN, HOPE_BACKWARDS, VISITED, Hope
from scenthound.store.sqlite.links import url_key
from scenthound.types import Bearings

_VISITED = ", ".join(f"'{ending.value}'" for ending in VISITED)
_PLACE = f"""
SELECT f.id, f.url, h.name, s.tries, s.depth, h.pages, f.found_by = 'seed', f.fetched_before, p.relevance, p.fetched_at,
       CASE WHEN f.fetched_before THEN
           (SELECT count(*) FROM fetches t WHERE t.url_id = f.id AND t.ending IN ({_VISITED})) ELSE 0 END,
       g.hub, g.authority
FROM standings s CROSS JOIN finds f ON f.id = s.id CROSS JOIN hosts h ON h.id = s.host_id
LEFT JOIN pages p ON f.fetched_before AND p.url_id = f.id
LEFT JOIN prestige g ON f.fetched_before AND g.url_id = f.id"""
_ONE = f"{_PLACE} WHERE s.host_id = (SELECT id FROM hosts WHERE name = ?) AND s.key = ? AND NOT s.example"
_OF_HOST = f"""
{_PLACE} WHERE s.host_id = (SELECT id FROM hosts WHERE name = ?) AND s.state = 0 AND NOT s.example AND s.id > ?
ORDER BY s.id LIMIT ?"""
# By age over all hosts: finds lead, and each has one row of standings.
_ALL = (
    _PLACE.replace(
        "FROM standings s CROSS JOIN finds f ON f.id = s.id",
        "FROM finds f CROSS JOIN standings s ON s.host_id = f.host_id AND s.key = f.key",
    )
    + " WHERE f.id > ? AND s.state = 0 AND NOT s.example ORDER BY f.id LIMIT ?"
)
# What the pages that cite a URL and promise something say together (rules.Hope), and the best of them as hubs and
# authorities.
_CITING = """
SELECT max(q.promise), total(CAST(coalesce(q.relevance, q.promise) / :grain + 0.5 AS INTEGER) * :grain), count(*),
       coalesce(max(g.hub), 0.0), coalesce(max(g.authority), 0.0)
FROM pages q LEFT JOIN prestige g ON g.url_id = q.url_id
WHERE q.promise IS NOT NULL AND q.url_id IN (SELECT src FROM links WHERE dst = :url AND NOT (nofollow AND :nofollow))"""

_SAID_TO_CITE = "SELECT max(q.relevance) FROM backlinks b JOIN pages q ON q.url_id = b.cited WHERE b.citing = ?"


def waiting(con: sqlite3.Connection, after: int, limit: int, host: str, *, nofollow: bool) -> list[Bearings]:
    """Return what waits, by age."""
    rows = con.execute(_OF_HOST, (host, after, limit)) if host else con.execute(_ALL, (after, limit))
    return [_bearings(con, row, nofollow=nofollow) for row in rows.fetchall()]


def of(con: sqlite3.Connection, urls: Sequence[str], *, nofollow: bool) -> list[Bearings]:
    """Return what is known of some URLs."""
    return [_bearings(con, row, nofollow=nofollow) for row in _known(con, urls)]


def _known(con: sqlite3.Connection, urls: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    for url in dict.fromkeys(urls):
        if url.count("/") >= 3 and (row := con.execute(_ONE, (host_of(url), url_key(url))).fetchone()):
            yield row


def _bearings(con: sqlite3.Connection, row: tuple[Any, ...], *, nofollow: bool) -> Bearings:
    id, url, host, tries, depth, pages, seed, again, own, fetched_at, visits, hub, authority = row
    best, total, citing, best_hub, best_authority = con.execute(
        _CITING, {"url": id, "nofollow": nofollow, "grain": GRAIN}
    ).fetchone()
    relevance = Hope(best, total, citing).priority if citing else _hope_backwards(con, id)
    relevance = None if seed else relevance
    return Bearings(
        id=id,
        url=url,
        host=host,
        tries=tries,
        depth=depth,
        relevance=own if again and own is not None else relevance,
        server_load=pages,
        last_visited=fetched_at if again else 0.0,
        visits=visits,
        hub=(hub or 0.0) if again else best_hub,
        authority=(authority or 0.0) if again else best_authority,
    )


def _hope_backwards(con: sqlite3.Connection, id: int) -> float | None:
    best = con.execute(_SAID_TO_CITE, (id,)).fetchone()[0]
    return None if best is None else HOPE_BACKWARDS * best
