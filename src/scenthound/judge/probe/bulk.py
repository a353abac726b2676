"""BulkProbe: judges all pages at one inner topic after another, with joins (RELATIONAL fig. 3).

The statements are in `store/sqlite/queries/bulk_probe.sql`.
"""

import sqlite3
from functools import cache

from scenthound.store.sqlite.queries.probe import BRANCHES_DOWN, BY_TERM, WORK_TABLES, bulk_text


def bulk_probe_all(con: sqlite3.Connection) -> None:
    """Judge all pages at all inner topics, from the root down, and write the probabilities to JUDGED."""
    make_ready(con)
    con.execute("BEGIN")
    for (c0,) in con.execute(BRANCHES_DOWN).fetchall():
        bulk_probe(con, c0)
    con.execute("COMMIT")


def make_ready(con: sqlite3.Connection) -> None:
    """Sort the pages by terms, and create the working tables."""
    con.execute(BY_TERM)
    con.executescript(WORK_TABLES)


def bulk_probe(con: sqlite3.Connection, c0: int) -> None:
    """Judge all pages at one inner topic, after the topics above it."""
    for statement in statements():
        con.execute(statement, {"c0": c0} if ":c0" in statement else {})


@cache
def statements() -> tuple[str, ...]:
    """Return BulkProbe as SQL statements, with the parameter :c0."""
    found, statement = [], ""
    for line in bulk_text().splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            found.append(statement)
            statement = ""
    return tuple(found)
