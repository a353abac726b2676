"""How a crawl goes: speed and relevance of the latest pages, what waits by priority, and how well the apprentice
foresees.
"""

import sqlite3
from dataclasses import dataclass

_SPEED = """
SELECT count(*) FROM pages
WHERE n > (SELECT max(n) FROM pages) - ? AND fetched_at > ? AND ending = 'page' AND counts"""
_RECENT = """
SELECT avg(relevance) FROM (
    SELECT relevance FROM pages WHERE ending = 'page' AND counts AND relevance IS NOT NULL
    ORDER BY n DESC LIMIT ?) latest"""
# By the index standings_waiting alone, which holds the priority; it grows with the frontier, so it is for small ones.
_PRIORITIES = """
SELECT min(9, max(0, CAST(priority * 10 AS INTEGER))), count(*) FROM standings WHERE state = 0 GROUP BY 1"""
_WAITING = "SELECT coalesce((SELECT value FROM counters WHERE name = 'url:waiting'), 0)"
_LAST_FOUND = "SELECT coalesce(max(id), 0) FROM finds"
# One URL by its number, by two primary keys.
_ONE = """
SELECT min(9, max(0, CAST(s.priority * 10 AS INTEGER))) FROM finds f
CROSS JOIN standings s ON s.host_id = f.host_id AND s.key = f.key WHERE f.id = ? AND s.state = 0"""
# The columns lie at the beginning of a row, on the leaf itself.
_PIECE = """
SELECT n, fetched_at, relevance FROM pages
WHERE n BETWEEN ? AND ? AND ending = 'page' AND counts AND relevance IS NOT NULL ORDER BY n"""
# The reasons of a lesson begin with c where the apprentice chose the link, and with d where chance did. A scan of the
# lessons: their streams lie in another table.
_BY_TENTHS = """
SELECT substr(reasons, 1, 1), count(*), total(score), total(relevance) FROM lessons
WHERE score IS NOT NULL AND relevance IS NOT NULL GROUP BY substr(reasons, 1, 1), CAST(score * 10 AS INTEGER)"""
# From the end of the log on, until there are enough.
_LATEST_CHOSEN = """
SELECT score, relevance FROM lessons
WHERE score IS NOT NULL AND relevance IS NOT NULL AND substr(reasons, 1, 1) = ? ORDER BY n DESC LIMIT ?"""
_LAST_REASONS = "SELECT reasons FROM lessons WHERE score IS NOT NULL ORDER BY n DESC LIMIT 1"
_LESSONS = "SELECT coalesce(max(n), 0) FROM lessons"
# A scan of all that waits, by the rank and the number that claims are made by.
_BEFORE = """
SELECT count(*) FROM standings
WHERE state = 0 AND (demoted + tries < ?1 OR (demoted + tries = ?1 AND priority > ?2))"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTenth:
    """The forecasts of one kind within one tenth of the scale: how many links, what was expected in all, what came."""

    kind: bytes
    links: int
    expected: float
    came: float


# A scan that ends at the first page of that age.
_FETCHED_BEFORE = "SELECT EXISTS (SELECT 1 FROM pages WHERE fetched_at <= ?)"


def pages_since(con: sqlite3.Connection, since: float, *, latest: int) -> int:
    """Count the pages fetched since a time, among the last rows; examples do not count."""
    return int(con.execute(_SPEED, (latest, since)).fetchone()[0])


def recent_relevance(con: sqlite3.Connection, pages: int) -> float | None:
    """Return the mean relevance of the last pages; examples do not count."""
    found: float | None = con.execute(_RECENT, (pages,)).fetchone()[0]
    return found


def waiting_count(con: sqlite3.Connection) -> int:
    """Return how many URLs wait."""
    return int(con.execute(_WAITING).fetchone()[0])


def waiting_by_tenths(con: sqlite3.Connection) -> dict[int, int]:
    """Count the waiting URLs by tenths of priority. The cost grows with the frontier."""
    return dict(con.execute(_PRIORITIES).fetchall())


def last_found(con: sqlite3.Connection) -> int:
    """Return the id of the URL found last."""
    return int(con.execute(_LAST_FOUND).fetchone()[0])


def tenth_of_waiting(con: sqlite3.Connection, id: int) -> int | None:
    """Return the tenth of priority of one URL, None if it does not wait."""
    row = con.execute(_ONE, (id,)).fetchone()
    return int(row[0]) if row else None


def waiting_before(con: sqlite3.Connection, rank: int, priority: float) -> int:
    """Count the waiting URLs that come before this rank and priority. This scans all that wait."""
    return int(con.execute(_BEFORE, (rank, priority)).fetchone()[0])


def relevances_between(con: sqlite3.Connection, first: int, last: int) -> list[tuple[int, float, float]]:
    """Return number, time and relevance of the judged pages in a range; examples do not count."""
    return con.execute(_PIECE, (first, last)).fetchall()


def lesson_count(con: sqlite3.Connection) -> int:
    """Return how many lessons there are."""
    return int(con.execute(_LESSONS).fetchone()[0])


def forecasts_by_tenths(con: sqlite3.Connection) -> list[ScoreTenth]:
    """Add up what the apprentice expected of links and what came, by kind of choice and tenth."""
    rows = con.execute(_BY_TENTHS)
    return [ScoreTenth(kind=kind, links=links, expected=expected, came=came) for kind, links, expected, came in rows]


def latest_forecasts(con: sqlite3.Connection, kind: bytes, most: int) -> list[tuple[float, float]]:
    """Return what was expected and what came of the last links of one kind."""
    return con.execute(_LATEST_CHOSEN, (kind, most)).fetchall()


def last_reasons(con: sqlite3.Connection) -> bytes | None:
    """Return the packed reasons of the last forecast."""
    row = con.execute(_LAST_REASONS).fetchone()
    return row[0] if row else None


def fetched_before(con: sqlite3.Connection, moment: float) -> bool:
    """Tell whether any page was last fetched before a moment."""
    return bool(con.execute(_FETCHED_BEFORE, (moment,)).fetchone()[0])
