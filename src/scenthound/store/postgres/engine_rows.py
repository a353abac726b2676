"""The engines of a crawl on a server: who they are, which shards each has, and whose lease has run out.

An engine has a row as long as its lease lasts. Its number is never given twice, so that the number is the epoch of the
lease too: who finds no row under its number has lost everything that it had claimed. All functions but `engines_at`
and `renew` are called by the one transaction that writes (`PostgresSession.transaction`).
"""

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from scenthound.types import EngineView

SHARDS: Final = 1024
LEASE: Final = 30.0  # seconds from the last sign of life, after which others take over
RENEWAL: Final = 1 / 3  # part of that between two signs of life
SILENCE: Final = 2 / 3  # part of that without one, after which an engine asks no host any more
CLOCK: Final = "extract(epoch FROM clock_timestamp())::float8"
_JOIN: Final = f"""
INSERT INTO engines (name, joined, renewed, until) VALUES (?, {CLOCK}, {CLOCK}, {CLOCK} + ?) RETURNING id"""
_RENEW: Final = f"""
UPDATE engines SET renewed = {CLOCK}, until = {CLOCK} + ?, pages = ?, speed = ? WHERE id = ? RETURNING id"""
_REAP: Final = f"DELETE FROM engines WHERE until < {CLOCK}"
_GIVE: Final = "INSERT INTO shards VALUES (?1, ?2) ON CONFLICT (shard) DO UPDATE SET engine = ?2"
_VIEW: Final = f"""
SELECT e.id, e.name, e.joined, greatest(0, {CLOCK} - e.renewed), e.pages, e.speed,
       (SELECT count(*) FROM shards s WHERE s.engine = e.id)
FROM engines e ORDER BY e.id"""


def join(con: sqlite3.Connection, name: str, *, lease: float) -> int:
    """Become an engine for so many seconds, and take a share of the shards; return its number."""
    [number] = con.execute(_JOIN, (name, lease)).fetchone()
    share_shards(con)
    return int(number)


def leave(con: sqlite3.Connection, number: int) -> None:
    """Stop being one; the others take its shards."""
    con.execute("DELETE FROM engines WHERE id = ?", (number,))
    share_shards(con)


def renew(con: sqlite3.Connection, number: int, *, lease: float, pages: int, speed: float) -> bool:
    """Give a sign of life, good for so many seconds; return whether the engine still has its row."""
    return con.execute(_RENEW, (lease, pages, speed, number)).fetchone() is not None


def reap(con: sqlite3.Connection) -> bool:
    """Remove engines whose lease has run out, and share out their shards; return whether there were any."""
    if not con.execute(_REAP).rowcount:
        return False
    share_shards(con)
    return True


def share_shards(con: sqlite3.Connection) -> None:
    """Give each engine as many shards as the others."""
    numbers = [int(number) for (number,) in con.execute("SELECT id FROM engines ORDER BY id").fetchall()]
    owners = {int(shard): int(engine) for shard, engine in con.execute("SELECT shard, engine FROM shards").fetchall()}
    if not numbers:
        con.execute("DELETE FROM shards")
    con.executemany(_GIVE, list(moved_shards(owners, numbers).items()))


def moved_shards(owners: Mapping[int, int], engines: Sequence[int], *, shards: int = SHARDS) -> dict[int, int]:
    """Return the shards that change hands so that all engines have the same number, or one more, and few move.

    >>> moved_shards({}, [7, 8], shards=4)
    {0: 7, 1: 8, 2: 7, 3: 8}
    >>> moved_shards({0: 7, 1: 7, 2: 7, 3: 8}, [7, 8, 9], shards=4)
    {2: 9}
    """
    if not engines:
        return {}
    has = Counter(dict.fromkeys(engines, 0))
    least, more = divmod(shards, len(engines))
    free: list[int] = []
    for shard in range(shards):
        owner = owners.get(shard)
        # Only so many engines may have one more than the least.
        most = least + (sum(count > least for count in has.values()) < more)
        if owner is not None and owner in has and has[owner] < most:
            has[owner] += 1
        else:
            free.append(shard)
    moved = {}
    for shard in free:
        engine = min(engines, key=lambda one: (has[one], one))
        has[engine] += 1
        moved[shard] = engine
    return moved


def engines_at(con: sqlite3.Connection) -> list[EngineView]:
    """Return the engines at work, the teacher first."""
    if con.execute("SELECT to_regclass('engines') IS NULL").fetchone()[0]:  # tables of an older program
        return []
    rows = con.execute(_VIEW).fetchall()
    return [
        EngineView(
            number=number,
            name=name,
            joined=joined,
            silent=silent,
            pages=pages,
            speed=speed,
            shards=shards,
            teaches=place == 0,
        )
        for place, (number, name, joined, silent, pages, speed, shards) in enumerate(rows)
    ]
