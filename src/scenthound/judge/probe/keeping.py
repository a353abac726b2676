"""The tables of a probe kept in a file of the user's, for any SQLite client: the critic, the pages and what became of them.

Pages are judged some at a time in a database that vanishes, and copied from there: so each batch is joined with itself only.
"""

import sqlite3
from pathlib import Path
from typing import Final

from scenthound.judge.probe.model import tables_text

_OF_CRITIC: Final = ("TAXONOMY", "BRANCH", "TERM", "FEATURE", "STAT", "BLOB")
_OF_PAGES: Final = ("PAGE", "DOCUMENT", "JUDGED")


def attach_kept(con: sqlite3.Connection, file: Path) -> None:
    """Make a new file with the critic in it."""
    con.execute("ATTACH ? AS kept", (str(file),))
    con.execute("PRAGMA kept.journal_mode = OFF")
    con.execute("PRAGMA kept.synchronous = OFF")
    text = tables_text().replace("CREATE TABLE ", "CREATE TABLE kept.").replace("CREATE INDEX ", "CREATE INDEX kept.")
    con.executescript(text)
    _copy(con, _OF_CRITIC)


def keep_pages(con: sqlite3.Connection) -> None:
    """Add the pages that are in the database now."""
    _copy(con, _OF_PAGES)


def _copy(con: sqlite3.Connection, tables: tuple[str, ...]) -> None:
    con.execute("BEGIN")
    for table in tables:
        con.execute(f"INSERT INTO kept.{table} SELECT * FROM main.{table}")
    con.execute("COMMIT")
