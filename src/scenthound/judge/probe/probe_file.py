"""The tables of a probe in a file for the user, for any SQLite client: the critic, the pages and the judgements.

A temporary database judges the pages in batches, and this file gets copies. So each batch joins only with itself.
"""

import sqlite3
from pathlib import Path

from scenthound.store.sqlite.queries.probe import COPY_TO_KEPT, OF_CRITIC, OF_PAGES, tables_text


def attach_kept(con: sqlite3.Connection, file: Path) -> None:
    """Make a new file with the critic in it."""
    con.execute("ATTACH ? AS kept", (str(file),))
    con.execute("PRAGMA kept.journal_mode = OFF")
    con.execute("PRAGMA kept.synchronous = OFF")
    con.executescript(tables_text(schema="kept"))
    _copy(con, OF_CRITIC)


def keep_pages(con: sqlite3.Connection) -> None:
    """Add the pages that are in the database now."""
    _copy(con, OF_PAGES)


def _copy(con: sqlite3.Connection, tables: tuple[str, ...]) -> None:
    con.execute("BEGIN")
    for table in tables:
        con.execute(COPY_TO_KEPT.format(table=table))
    con.execute("COMMIT")
