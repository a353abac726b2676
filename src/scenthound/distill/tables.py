"""What both ways to distil share in the database: the pages as they are read, and the tables that scores are left in.

All are TEMP tables, which a reader of the crawl may write: SQLite keeps them apart and drops them with the connection.
An `oid` is the id (`finds.id`) of the page that stands for itself and for all that are the same.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from scenthound.distill.site import Site
from scenthound.distill.values import About, Rules

# Scores under the names of RELATIONAL fig. 4, and which addresses were merged into another page.
_RESULTS = (
    "CREATE TEMP TABLE IF NOT EXISTS HUBS (oid INTEGER PRIMARY KEY, score REAL NOT NULL)",
    "CREATE TEMP TABLE IF NOT EXISTS AUTH (oid INTEGER PRIMARY KEY, score REAL NOT NULL)",
    "CREATE TEMP TABLE IF NOT EXISTS MERGED (url_id INTEGER PRIMARY KEY, oid INTEGER NOT NULL)",
    "CREATE INDEX IF NOT EXISTS temp.merged_oid ON MERGED (oid)",
    "DELETE FROM HUBS",
    "DELETE FROM AUTH",
    "DELETE FROM MERGED",
)
# The site of each host: the first host of its registered domain, or the host itself.
_SITES = "CREATE TEMP TABLE host_sites (host_id INTEGER PRIMARY KEY, sid INTEGER NOT NULL)"
_SID_OF_HOST = {
    Site.DOMAIN: "min(id) OVER (PARTITION BY domain)",
    Site.HOST: "id",
    Site.PAGE: "id",
}
# Pages and redirects in fetch order. `same` is where a redirect leads or what a page repeats; `about` says whether the
# critic puts the page into the topic :topic or one below it.
_MEMBERS = """
SELECT p.url_id AS id, {sid} AS sid, p.ending = 'page' AS page, p.relevance,
       CASE p.ending WHEN 'redirect' THEN p.target_id ELSE coalesce(p.duplicate_of, p.near_duplicate_of) END AS same,
       coalesce(p.ending = 'page' AND {about}, 0) AS about
FROM pages p CROSS JOIN finds f ON f.id = p.url_id CROSS JOIN host_sites s ON s.host_id = f.host_id
WHERE p.ending IN ('page', 'redirect') ORDER BY p.n"""
# Links that somebody wrote to be followed and did not disown; redirects, canonical addresses and the like say no more
# than which pages are the same.
ENDORSING = "kind IN ('anchor', 'area') AND NOT nofollow"


def make_results(con: sqlite3.Connection) -> None:
    """Make the tables for scores, or empty them."""
    for statement in _RESULTS:
        con.execute(statement)


@contextmanager
def snapshot(con: sqlite3.Connection) -> Iterator[None]:
    """See the crawl as it is at one moment while it goes on; the shorter, the better for its write-ahead log."""
    con.execute("BEGIN")
    try:
        yield
    finally:
        con.execute("COMMIT")


@contextmanager
def sites(con: sqlite3.Connection, rules: Rules) -> Iterator[None]:
    """Have a table that says to which site a host belongs."""
    con.execute(_SITES)
    try:
        con.execute(f"INSERT INTO host_sites SELECT id, {_SID_OF_HOST[rules.site]} FROM hosts")
        yield
    finally:
        con.execute("DROP TABLE host_sites")


def select_members(rules: Rules, about: About | None) -> tuple[str, dict[str, str | None]]:
    """Return the query for pages and redirects, and its parameters; `sites` must be there."""
    sid = "p.url_id" if rules.site is Site.PAGE else "s.sid"
    return _MEMBERS.format(sid=sid, about=topic_at_or_below("p.topic", ":topic")), {
        "topic": about.topic if about else None
    }


def topic_at_or_below(path: str, upper: str) -> str:
    """Return the condition that a topic is another one or stands below it; LIKE would take % and _ in names amiss."""
    return f"({path} = {upper} OR substr({path}, 1, length({upper}) + 1) = {upper} || '/')"
