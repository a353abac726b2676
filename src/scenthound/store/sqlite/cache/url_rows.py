"""Rows of `standings` that a transaction looks up, many at a time, by host and key."""

import sqlite3
from collections.abc import Iterable

from msgspec import Struct

from scenthound.store.rules import Hope

Place = tuple[int, int]
# Pairs of host and key are looked up in blocks of 16, the last filled up with NULLs: one statement for each pair took
# 2.2 times as long (32 known URLs of a store of 50,000). CROSS JOIN keeps the planner from turning the loops round; it
# relies on the order of standings.
# The large blocks are for a server, where a message costs more than what it asks.
_BLOCKS = (16, 64, 512)
_LOOK_UP = """
WITH wanted (host_id, key) AS (VALUES (CAST(? AS BIGINT), CAST(? AS BIGINT)){more})
SELECT s.host_id, s.key, s.id, s.state, s.priority, s.demoted, s.depth, s.hops, s.tries, s.via_id, s.example,
       s.promise, s.cited, s.citing
FROM wanted w CROSS JOIN standings s ON s.host_id = w.host_id AND s.key = w.key"""
_LOOK_UPS = {size: _LOOK_UP.replace("{more}", ", (?, ?)" * (size - 1)) for size in _BLOCKS}


class Stored(Struct, frozen=True, gc=False):
    """A URL as the database has it. A struct, not a dataclass, because all links of a page are looked up: 0.2 µs, not
    3.4.
    """

    id: int
    state: int
    priority: float
    demoted: int
    depth: int
    hops: int
    tries: int
    via: int | None
    example: int
    promise: float | None
    cited: float
    citing: int

    @property
    def hope(self) -> Hope:
        return Hope(self.priority if self.promise is None else self.promise, self.cited, self.citing)


class Foreseen:
    """What was looked up for a whole batch of pages: `rows` by place, `keys` by URL. Forget a place before you
    write to it.
    """

    def __init__(self) -> None:
        self.rows: dict[Place, Stored | None] = {}
        self.keys: dict[str, int] = {}

    def read(self, con: sqlite3.Connection, places: Iterable[Place]) -> None:
        """Look places up that are going to be asked for."""
        wanted = list(dict.fromkeys(places))
        found = look_up(con, wanted)
        self.rows.update({place: found.get(place) for place in wanted})

    def forget(self, place: Place) -> None:
        self.rows.pop(place, None)


def look_up(con: sqlite3.Connection, places: list[Place]) -> dict[Place, Stored]:
    """Return the URLs that are known, by host and key."""
    stored, start = {}, 0
    while start < len(places):
        size = next((size for size in _BLOCKS if size >= len(places) - start), _BLOCKS[-1])
        block: list[int | None] = [part for place in places[start : start + size] for part in place]
        block += [None] * (2 * size - len(block))
        for host_id, key, *values in con.execute(_LOOK_UPS[size], block):
            stored[host_id, key] = Stored(*values)
        start += size
    return stored
