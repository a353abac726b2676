"""How a crawl goes at this moment, from its latest pages and its frontier: speed, recent harvest, what waits by
priority.
"""

import random
import sqlite3
from collections import Counter
from dataclasses import dataclass
from typing import Final

from scenthound.store.sqlite.queries.crawl_progress import (
    last_found,
    pages_since,
    recent_relevance,
    tenth_of_waiting,
    waiting_by_tenths,
    waiting_count,
)

WINDOW: Final = 15.0  # seconds over which speed is measured
RECENT: Final = 200  # pages over which the recent harvest is
_LATEST: Final = 5000  # rows that are looked at: more than a crawl fetches in the window

COUNTED: Final = 50_000  # waiting URLs that are all counted; of more, some are drawn
DRAWN: Final = 4_000  # URLs read then: a share of a half is exact to 2 points (two standard errors)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulse:
    pages_per_second: float
    recent_harvest: float | None


def pulse_of(con: sqlite3.Connection, *, now: float) -> Pulse:
    """Return how fast pages come in now, and how relevant the latest are; examples do not count."""
    pages = pages_since(con, now - WINDOW, latest=_LATEST)
    return Pulse(pages_per_second=pages / WINDOW, recent_harvest=recent_relevance(con, RECENT))


@dataclass(frozen=True, slots=True, kw_only=True)
class Priorities:
    """How many URLs wait with a priority in each tenth from 0 to 1; what is outside counts at the end.

    Where so many wait that to count them would take long, some are `drawn`, and the numbers are estimates; else it is
    0.
    """

    tenths: tuple[int, ...] = ()
    drawn: int = 0


def priorities_of(con: sqlite3.Connection, *, counted: int = COUNTED) -> Priorities:
    """Count the waiting URLs by priority, or estimate that from a draw over all URLs that is the same each time."""
    waiting = waiting_count(con)
    if waiting <= counted:
        found = waiting_by_tenths(con)
        return Priorities(tenths=tuple(found.get(tenth, 0) for tenth in range(10)))
    last = last_found(con)
    chance = random.Random(0)
    tenths = (tenth_of_waiting(con, chance.randint(1, last)) for _ in range(DRAWN))
    drawn = Counter(tenth for tenth in tenths if tenth is not None)
    seen = drawn.total()
    return Priorities(tenths=tuple(round(waiting * drawn[tenth] / max(1, seen)) for tenth in range(10)), drawn=seen)
