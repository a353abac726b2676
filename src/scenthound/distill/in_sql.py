"""Distilling in the database, by joins as in RELATIONAL fig. 4: memory does not grow with the graph.

The statements are in `store/sqlite/queries/distil_statements.py`. The scores are those of `recursion`, which explains
the weights; `graph` explains which pages are merged and which links are left out.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from scenthound.distill.recursion import how_many
from scenthound.distill.score_tables import select_members, sites, snapshot
from scenthound.distill.scores import About, Distilled, Judge, Method, Rules
from scenthound.store.sqlite.queries.distil_statements import (
    CITES,
    COUNT_JUDGED,
    COUNT_ROWS,
    ENDORSEMENTS,
    FILL_CITES,
    FILL_ENDORSEMENTS,
    FILL_MEMBERS,
    FILL_NODES,
    FILL_SAME,
    INSERT_MERGED,
    INWARD,
    LEAVE_AROUND,
    MEMBERS,
    NAME_NODES,
    NODE_IDS,
    NODES,
    NODES_BY_LABEL,
    ROUND,
    SAME,
    SET_RELEVANCE,
    SPREAD,
    START,
    THRESHOLD,
    WORK_TABLES,
)

_JUDGED_AT_ONCE = 500  # pages whose words are in memory together


def distil_in_sql(con: sqlite3.Connection, rules: Rules, about: About | None = None) -> Distilled:
    """Distil, and leave the scores in HUBS and AUTH."""
    _limit_memory(con, rules.memory)
    with _working_tables(con):
        with snapshot(con), sites(con, rules):
            _gather(con, rules, about)
        if about is not None:
            con.execute(LEAVE_AROUND, {"citing": rules.citing})
            _judge(con, about.judge)
        con.execute(INSERT_MERGED)
        [judged] = con.execute(COUNT_JUDGED).fetchone()
        threshold = _threshold(con, judged, rules.share)
        con.execute(FILL_ENDORSEMENTS, {"threshold": threshold})
        con.execute(INWARD)
        con.execute(START)
        for statement in ROUND * rules.rounds:
            con.execute(statement)
        return Distilled(
            method=Method.SQL,
            pages=judged,
            links=_size(con, "endorsements"),
            hubs=_size(con, "HUBS"),
            authorities=_size(con, "AUTH"),
            threshold=threshold,
            rounds=rules.rounds,
        )


def _limit_memory(con: sqlite3.Connection, megabytes: int) -> None:
    """Give a sixth to pages of the crawl and one to our own tables; two sorts at a time take as much as the former
    each.
    """
    for schema in ("main", "temp"):
        con.execute(f"PRAGMA {schema}.cache_size = -{megabytes * 1000 // 6}")


@contextmanager
def _working_tables(con: sqlite3.Connection) -> Iterator[None]:
    try:
        for statement in (MEMBERS, SAME, NODES, NODES_BY_LABEL, CITES, ENDORSEMENTS):
            con.execute(statement)
        yield
    finally:
        for name in WORK_TABLES:
            con.execute(f"DROP TABLE IF EXISTS temp.{name}")


def _gather(con: sqlite3.Connection, rules: Rules, about: About | None) -> None:
    """Read pages and links, merge what is the same, and keep the links between sites."""
    query, values = select_members(rules, about)
    con.execute(FILL_MEMBERS.format(query), values)
    con.execute(FILL_SAME)
    while con.execute(SPREAD).rowcount > 0:
        pass
    con.execute(FILL_NODES)
    con.execute(NAME_NODES)
    con.execute(FILL_CITES)


def _judge(con: sqlite3.Connection, judge: Judge) -> None:
    oids = [oid for (oid,) in con.execute(NODE_IDS)]
    for start in range(0, len(oids), _JUDGED_AT_ONCE):
        some: Sequence[int] = oids[start : start + _JUDGED_AT_ONCE]
        con.executemany(SET_RELEVANCE, zip(judge(some), some, strict=True))


def _threshold(con: sqlite3.Connection, judged: int, share: float) -> float:
    if not judged:
        return float("inf")
    return float(con.execute(THRESHOLD, {"rank": how_many(judged, share)}).fetchone()[0])


def _size(con: sqlite3.Connection, table: str) -> int:
    return int(con.execute(COUNT_ROWS.format(table=table)).fetchone()[0])
