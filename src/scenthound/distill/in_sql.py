"""Distilling in the database, by joins as in RELATIONAL fig. 4: memory does not grow with the graph.

The statements can be pasted into a shell one after another. The scores are those of `recursion`, which tells what the
weights are for; `graph` tells what is merged and which links are left out.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from scenthound.distill.recursion import how_many
from scenthound.distill.tables import ENDORSING, select_members, sites, snapshot
from scenthound.distill.values import About, Distilled, Judge, Method, Rules

_JUDGED_AT_ONCE = 500  # pages whose words are in memory together

# Every page and redirect. `label` becomes the same number for all that are the same page; `oid` is the one of them that
# stands for all, `home` its site.
_MEMBERS = """
CREATE TEMP TABLE members (
    id INTEGER PRIMARY KEY, n INTEGER, sid INTEGER, page INTEGER, relevance REAL, same INTEGER, about INTEGER,
    label INTEGER, oid INTEGER, home INTEGER)"""
_FILL_MEMBERS = (
    "INSERT INTO members SELECT id, row_number() OVER (), sid, page, relevance, same, about, id, NULL, NULL FROM ({})"
)
# What is the same, in both directions.
_SAME = "CREATE TEMP TABLE sames (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID"
_FILL_SAME = """
INSERT OR IGNORE INTO sames SELECT m.id, o.id FROM members m CROSS JOIN members o ON o.id = m.same
UNION ALL SELECT o.id, m.id FROM members m CROSS JOIN members o ON o.id = m.same"""
# One step of spreading the least label over a group; chains of redirects are short, so that a few steps do.
_SPREAD = """
UPDATE members SET label = near.least
FROM (SELECT s.a, min(m.label) AS least FROM sames s CROSS JOIN members m ON m.id = s.b GROUP BY s.a) AS near
WHERE near.a = members.id AND near.least < members.label"""
# The merged pages: the one fetched first stands for all (SQLite takes `id` and `sid` from the row with the least n).
_NODES = "CREATE TEMP TABLE nodes (oid INTEGER PRIMARY KEY, sid INTEGER, relevance REAL, about INTEGER, label INTEGER)"
_FILL_NODES = """
INSERT INTO nodes SELECT first.id, first.sid, best.relevance, best.about, best.label
FROM (SELECT label, max(relevance) AS relevance, max(about) AS about FROM members WHERE page GROUP BY label) AS best
JOIN (SELECT label, id, sid, min(n) FROM members WHERE page GROUP BY label) AS first USING (label)"""
_NODES_BY_LABEL = "CREATE UNIQUE INDEX temp.nodes_label ON nodes (label)"
_NAME_NODES = "UPDATE members SET oid = nodes.oid, home = nodes.sid FROM nodes WHERE nodes.label = members.label"
# The distinct links between nodes that cross from site to site, as merged and as written.
_CITES = "CREATE TEMP TABLE cites (oid_src INTEGER, oid_dst INTEGER, PRIMARY KEY (oid_src, oid_dst)) WITHOUT ROWID"
_FILL_CITES = f"""
INSERT OR IGNORE INTO cites SELECT s.oid, d.oid
FROM links l CROSS JOIN members s ON s.id = l.src CROSS JOIN members d ON d.id = l.dst
WHERE {ENDORSING} AND s.oid IS NOT NULL AND d.oid IS NOT NULL
AND s.home <> d.home AND s.sid <> d.home AND NOT (d.page AND s.sid = d.sid)"""
# The base set of a topic, what it links to, and for each of its pages the first :citing that link to it (BINGO §2.5).
_LEAVE_AROUND = """
DELETE FROM nodes WHERE NOT about
AND oid NOT IN (SELECT c.oid_dst FROM nodes n CROSS JOIN cites c ON c.oid_src = n.oid WHERE n.about)
AND oid NOT IN (
    SELECT oid_src FROM (
        SELECT c.oid_src, row_number() OVER (PARTITION BY c.oid_dst ORDER BY c.oid_src) AS place
        FROM cites c CROSS JOIN nodes n ON n.oid = c.oid_dst WHERE n.about)
    WHERE place <= :citing)"""
_TELL_MERGED = (
    "INSERT INTO MERGED SELECT m.id, m.oid FROM members m CROSS JOIN nodes n ON n.oid = m.oid WHERE m.oid <> m.id"
)
_JUDGE = "UPDATE nodes SET relevance = ? WHERE oid = ?"
_COUNT = "SELECT count(relevance) FROM nodes"
# ρ: the relevance that the :rank most relevant pages have at least.
_THRESHOLD = """
SELECT relevance FROM nodes WHERE relevance IS NOT NULL ORDER BY relevance DESC LIMIT 1 OFFSET :rank - 1"""
# The links that count, with E_F / k and E_B / l. One order serves UpdateHubs, the other UpdateAuth.
ENDORSEMENTS = """
CREATE TEMP TABLE endorsements (
    oid_src INTEGER, oid_dst INTEGER, wgt_fwd REAL, wgt_rev REAL, PRIMARY KEY (oid_src, oid_dst)) WITHOUT ROWID"""
_FILL_ENDORSEMENTS = """
INSERT INTO endorsements
SELECT c.oid_src, c.oid_dst,
       v.relevance / count(*) OVER (PARTITION BY c.oid_dst, u.sid),
       u.relevance / count(*) OVER (PARTITION BY c.oid_src, v.sid)
FROM cites c CROSS JOIN nodes u ON u.oid = c.oid_src CROSS JOIN nodes v ON v.oid = c.oid_dst
WHERE v.relevance >= :threshold AND v.relevance > 0 AND u.relevance > 0"""
INWARD = "CREATE INDEX temp.endorsements_inward ON endorsements (oid_dst, oid_src, wgt_fwd)"
START = """
INSERT INTO HUBS SELECT oid_src, 1.0 / count(*) OVER () FROM (SELECT DISTINCT oid_src FROM endorsements)"""
ROUND = (
    # UpdateAuth
    "DELETE FROM AUTH",
    """
    INSERT INTO AUTH SELECT e.oid_dst, sum(h.score * e.wgt_fwd)
    FROM endorsements e INDEXED BY endorsements_inward CROSS JOIN HUBS h ON h.oid = e.oid_src GROUP BY e.oid_dst""",
    "UPDATE AUTH SET score = score / (SELECT coalesce(nullif(sum(score), 0.0), 1.0) FROM AUTH)",
    # UpdateHubs
    "DELETE FROM HUBS",
    """
    INSERT INTO HUBS SELECT e.oid_src, sum(a.score * e.wgt_rev)
    FROM endorsements e CROSS JOIN AUTH a ON a.oid = e.oid_dst GROUP BY e.oid_src""",
    "UPDATE HUBS SET score = score / (SELECT coalesce(nullif(sum(score), 0.0), 1.0) FROM HUBS)",
)


def distil_in_sql(con: sqlite3.Connection, rules: Rules, about: About | None = None) -> Distilled:
    """Distil, and leave the scores in HUBS and AUTH."""
    _limit_memory(con, rules.memory)
    with _working_tables(con):
        with snapshot(con), sites(con, rules):
            _gather(con, rules, about)
        if about is not None:
            con.execute(_LEAVE_AROUND, {"citing": rules.citing})
            _judge(con, about.judge)
        con.execute(_TELL_MERGED)
        [judged] = con.execute(_COUNT).fetchone()
        threshold = _threshold(con, judged, rules.share)
        con.execute(_FILL_ENDORSEMENTS, {"threshold": threshold})
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
    """Give a sixth to pages of the crawl and one to our own tables; two sorts at a time take as much as the former each."""
    for schema in ("main", "temp"):
        con.execute(f"PRAGMA {schema}.cache_size = -{megabytes * 1000 // 6}")


@contextmanager
def _working_tables(con: sqlite3.Connection) -> Iterator[None]:
    try:
        for statement in (_MEMBERS, _SAME, _NODES, _NODES_BY_LABEL, _CITES, ENDORSEMENTS):
            con.execute(statement)
        yield
    finally:
        for name in ("members", "sames", "nodes", "cites", "endorsements"):
            con.execute(f"DROP TABLE IF EXISTS temp.{name}")


def _gather(con: sqlite3.Connection, rules: Rules, about: About | None) -> None:
    """Read pages and links, merge what is the same, and keep the links between sites."""
    query, values = select_members(rules, about)
    con.execute(_FILL_MEMBERS.format(query), values)
    con.execute(_FILL_SAME)
    while con.execute(_SPREAD).rowcount > 0:
        pass
    con.execute(_FILL_NODES)
    con.execute(_NAME_NODES)
    con.execute(_FILL_CITES)


def _judge(con: sqlite3.Connection, judge: Judge) -> None:
    oids = [oid for (oid,) in con.execute("SELECT oid FROM nodes ORDER BY oid")]
    for start in range(0, len(oids), _JUDGED_AT_ONCE):
        some: Sequence[int] = oids[start : start + _JUDGED_AT_ONCE]
        con.executemany(_JUDGE, zip(judge(some), some, strict=True))


def _threshold(con: sqlite3.Connection, judged: int, share: float) -> float:
    if not judged:
        return float("inf")
    return float(con.execute(_THRESHOLD, {"rank": how_many(judged, share)}).fetchone()[0])


def _size(con: sqlite3.Connection, table: str) -> int:
    return int(con.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
