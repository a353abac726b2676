"""How a crawl goes at this moment, from its latest pages and its frontier: speed, recent harvest, what waits by priority."""

import random
import sqlite3
from collections import Counter
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
    SELECT relevance FROM pages WHERE ending = 'page' AND counts AND relevance IS NOT NULL ORDER BY n DESC LIMIT ?)"""
# By the index standings_waiting alone, which holds the priority; it grows with the frontier, so it is for small ones.
_PRIORITIES = """
SELECT min(9, max(0, CAST(priority * 10 AS INTEGER))), count(*) FROM standings WHERE state = 0 GROUP BY 1"""
_WAITING = "SELECT coalesce((SELECT value FROM counters WHERE name = 'url:waiting'), 0)"
_LAST_FOUND = "SELECT coalesce(max(id), 0) FROM finds"
# One URL by its number, by two primary keys.
_ONE = """
SELECT min(9, max(0, CAST(s.priority * 10 AS INTEGER))) FROM finds f
CROSS JOIN standings s ON s.host_id = f.host_id AND s.key = f.key WHERE f.id = ? AND s.state = 0"""
COUNTED: Final = 50_000  # waiting URLs that are all counted; of more, some are drawn
DRAWN: Final = 4_000  # URLs that are looked at then: a share of a half is told to within 2 points (two standard errors)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulse:
    pages_per_second: float
    recent_harvest: float | None


def pulse_of(con: sqlite3.Connection, *, now: float) -> Pulse:
    """Return how fast pages come in now, and how relevant the latest are; examples do not count."""
    pages = con.execute(_SPEED, (_LATEST, now - WINDOW)).fetchone()[0]
    recent = con.execute(_RECENT, (RECENT,)).fetchone()[0]
    return Pulse(pages_per_second=pages / WINDOW, recent_harvest=recent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Priorities:
    """How many URLs wait with a priority in each tenth from 0 to 1; what is outside counts at the end.

    Where so many wait that to count them would take long, some are `drawn`, and the numbers are estimates; else it is 0.
    """

    tenths: tuple[int, ...] = ()
    drawn: int = 0


def priorities_of(con: sqlite3.Connection, *, counted: int = COUNTED) -> Priorities:
    """Count the waiting URLs by priority, or estimate that from a draw over all URLs that is the same each time."""
    waiting = int(con.execute(_WAITING).fetchone()[0])
    if waiting <= counted:
        found = dict(con.execute(_PRIORITIES).fetchall())
        return Priorities(tenths=tuple(found.get(tenth, 0) for tenth in range(10)))
    last = int(con.execute(_LAST_FOUND).fetchone()[0])
    chance = random.Random(0)
    drawn = Counter(tenth for _ in range(DRAWN) for (tenth,) in con.execute(_ONE, (chance.randint(1, last),)))
    seen = drawn.total()
    return Priorities(tenths=tuple(round(waiting * drawn[tenth] / max(1, seen)) for tenth in range(10)), drawn=seen)
