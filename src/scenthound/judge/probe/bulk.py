"""BulkProbe: all pages judged at one inner topic after another, by joins (RELATIONAL fig. 3; the statements are in bulk.sql)."""

import sqlite3
from functools import cache
from importlib.resources import files

# The order in which BulkProbe reads DOCUMENT. Made when the pages are there: that sorts them once.
BY_TERM = "CREATE INDEX IF NOT EXISTS DOCUMENT_terms ON DOCUMENT (tid, did, freq)"
# What one inner topic is worked out in. `both` is a page and a topic in one number.
_WORK = """
CREATE TEMP TABLE IF NOT EXISTS PARTIAL (both INTEGER PRIMARY KEY, lpr1 REAL);
CREATE TEMP TABLE IF NOT EXISTS DOCLEN (did INTEGER PRIMARY KEY, len REAL);
CREATE TEMP TABLE IF NOT EXISTS SCORE (did INTEGER, kcid INTEGER, score REAL, PRIMARY KEY (did, kcid)) WITHOUT ROWID;
"""
_BRANCHES = "SELECT pcid FROM BRANCH ORDER BY pcid"  # parents have smaller numbers than what is below them


def bulk_probe_all(con: sqlite3.Connection) -> None:
    """Judge all pages at all inner topics, from the root down, and leave the probabilities in JUDGED."""
    make_ready(con)
    con.execute("BEGIN")
    for (c0,) in con.execute(_BRANCHES).fetchall():
        bulk_probe(con, c0)
    con.execute("COMMIT")


def make_ready(con: sqlite3.Connection) -> None:
    """Sort the pages by terms, and make room to work in."""
    con.execute(BY_TERM)
    con.executescript(_WORK)


def bulk_probe(con: sqlite3.Connection, c0: int) -> None:
    """Judge all pages at one inner topic, at which those above have been judged already."""
    for statement in statements():
        con.execute(statement, {"c0": c0} if ":c0" in statement else {})


@cache
def statements() -> tuple[str, ...]:
    """Return BulkProbe as SQL statements, with the parameter :c0."""
    found, statement = [], ""
    for line in (files("scenthound.judge.probe") / "bulk.sql").read_text(encoding="utf-8").splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            found.append(statement)
            statement = ""
    return tuple(found)
