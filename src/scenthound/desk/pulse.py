"""How a crawl goes at this moment, from its latest pages and its frontier: speed, recent harvest, what waits by priority."""

import sqlite3
from dataclasses import dataclass
from typing import Final

WINDOW: Final = 15.0  # seconds over which speed is told
RECENT: Final = 200  # pages over which the recent harvest is
_LATEST: Final = 5000  # rows that are looked at: more than a crawl fetches in the window

_SPEED = """
SELECT count(*) FROM pages
WHERE n > (SELECT max(n) FROM pages) - ? AND fetched_at > ? AND ending = 'page' AND counts"""
_RECENT = """
SELECT avg(relevance) FROM (
    SELECT relevance FROM pages WHERE ending = 'page' AND relevance IS NOT NULL ORDER BY n DESC LIMIT ?)"""
# By the index standings_waiting alone, which holds the priority; it grows with the frontier, so it is asked seldom.
_PRIORITIES = """
SELECT min(9, max(0, CAST(priority * 10 AS INTEGER))), count(*) FROM standings WHERE state = 0 GROUP BY 1"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulse:
    pages_per_second: float
    recent_harvest: float | None


def pulse_of(con: sqlite3.Connection, *, now: float) -> Pulse:
    """Return how fast pages come in now, and how relevant the latest are."""
    pages = con.execute(_SPEED, (_LATEST, now - WINDOW)).fetchone()[0]
    recent = con.execute(_RECENT, (RECENT,)).fetchone()[0]
    return Pulse(pages_per_second=pages / WINDOW, recent_harvest=recent)


def priorities_of(con: sqlite3.Connection) -> tuple[int, ...]:
    """Return how many URLs wait with a priority in each tenth, from 0 to 1; what is outside counts at the end."""
    found = dict(con.execute(_PRIORITIES).fetchall())
    return tuple(found.get(tenth, 0) for tenth in range(10))
