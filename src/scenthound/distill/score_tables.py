"""What both ways to distil share in the database: the pages as they are read, and the tables that scores are left in.

All are TEMP tables, which a reader of the crawl may write: SQLite keeps them apart and drops them with the connection.
An `oid` is the id (`finds.id`) of the page that stands for itself and for all that are the same.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from scenthound.distill.scores import About, Rules
from scenthound.distill.site import Site
from scenthound.store.sqlite.queries.distil_statements import (
    ENDORSING,
    FILL_HOST_SITES,
    HOST_SITES,
    RESULT_TABLES,
    SELECT_MEMBERS,
    topic_at_or_below,
)

__all__ = ["ENDORSING", "make_results", "select_members", "sites", "snapshot", "topic_at_or_below"]

SID_OF_HOST = {
    Site.DOMAIN: "min(id) OVER (PARTITION BY domain)",
    Site.HOST: "id",
    Site.PAGE: "id",
}


def make_results(con: sqlite3.Connection) -> None:
    """Create the tables for scores, or empty them."""
    for statement in RESULT_TABLES:
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
    con.execute(HOST_SITES)
    try:
        con.execute(FILL_HOST_SITES.format(sid=SID_OF_HOST[rules.site]))
        yield
    finally:
        con.execute("DROP TABLE host_sites")


def select_members(rules: Rules, about: About | None) -> tuple[str, dict[str, str | None]]:
    """Return the query for pages and redirects, and its parameters; `sites` must be there."""
    sid = "p.url_id" if rules.site is Site.PAGE else "s.sid"
    return SELECT_MEMBERS.format(sid=sid, about=topic_at_or_below("p.topic", ":topic")), {
        "topic": about.topic if about else None
    }
