"""Distillation as main-memory programs did it, in a database: link after link, an index lookup and an update for each.

RELATIONAL §2.2.3 has it as what its joins replace. The tables and the scores are those of `distill.in_sql`.
"""

import sqlite3
from dataclasses import dataclass
from functools import partial

from papers.relational.cost import cost_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """One half of a round: scores of `source` go along the links to `target`."""

    source: str
    target: str
    here: str
    there: str
    weight: str


FORWARD = Direction(source="HUBS", target="AUTH", here="oid_src", there="oid_dst", weight="wgt_fwd")
BACKWARD = Direction(source="AUTH", target="HUBS", here="oid_dst", there="oid_src", weight="wgt_rev")


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """Seconds of one round: reading links, looking up scores at one end, updating those at the other."""

    scanning: float
    looking_up: float
    updating: float

    @property
    def seconds(self) -> float:
        return self.scanning + self.looking_up + self.updating


def walk(con: sqlite3.Connection, way: Direction, *, look_up: bool = True, update: bool = True) -> None:
    """Go along all links once; without updates, or without lookups too, to see what these cost."""
    if update:
        con.execute(f"UPDATE {way.target} SET score = 0.0")
    ask = f"SELECT score FROM {way.source} WHERE oid = ?"
    add = f"UPDATE {way.target} SET score = score + ? WHERE oid = ?"
    for here, there, weight in con.execute(
        f"SELECT {way.here}, {way.there}, {way.weight} FROM endorsements NOT INDEXED"
    ):
        if look_up:
            (score,) = con.execute(ask, (here,)).fetchone()
            if update:
                con.execute(add, (score * weight, there))
    if update:
        con.execute(f"UPDATE {way.target} SET score = score / (SELECT sum(score) FROM {way.target})")


def walk_round(con: sqlite3.Connection) -> Walked:
    """Make one round, and take it apart by making it again with parts left out."""
    scanning = sum(cost_of(partial(walk, con, way, look_up=False, update=False)).seconds for way in (FORWARD, BACKWARD))
    reading = sum(cost_of(partial(walk, con, way, update=False)).seconds for way in (FORWARD, BACKWARD))
    whole = sum(cost_of(partial(walk, con, way)).seconds for way in (FORWARD, BACKWARD))
    return Walked(
        scanning=scanning, looking_up=max(0.0, reading - scanning), updating=max(0.0, whole - max(reading, scanning))
    )
