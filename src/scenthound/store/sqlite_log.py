"""Taking the write-ahead log over into the database, so that a copy of the files that straddles this can be recognised.

A plain copy of database and log is good unless the log is begun anew between the two: what it held before then
lies in neither. SQLite cannot tell; two numbers can. `base` is raised in the database file itself, strictly after
everything else of the old log has come there, and `log` by the first transaction of the new log. A copy whose log is
ahead of its base lacks something.
"""

import sqlite3
from pathlib import Path


def turn(con: sqlite3.Connection) -> bool:
    """Take the log over and begin it anew; return False when a reader is in the way."""
    timeout = con.execute("PRAGMA busy_timeout").fetchone()[0]
    con.execute("PRAGMA busy_timeout = 0")  # the crawl does not wait for somebody's long query
    try:
        busy, frames, taken = con.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if busy or taken < frames:
            return False
        con.execute("UPDATE log SET base = base + 1")
        if con.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            return False
        con.execute("UPDATE log SET log = base")
        return True
    finally:
        con.execute(f"PRAGMA busy_timeout = {timeout}")


def size(database: Path) -> int:
    """Return the bytes of the log beside a database."""
    try:
        return log_of(database).stat().st_size
    except OSError:
        return 0


def log_of(database: Path) -> Path:
    return database.with_name(database.name + "-wal")


def torn(con: sqlite3.Connection, database: Path) -> bool:
    """Tell whether database and log were copied at different moments."""
    if not size(database):
        return False
    log = con.execute("SELECT log FROM log").fetchone()[0]
    return bool(log > _base_in_file(database))  # in this order: a crawl may take the log over between the two


def _base_in_file(database: Path) -> int:
    """Read `base` from the database file alone, without its log."""
    alone = sqlite3.connect(f"{database.resolve().as_uri()}?immutable=1", uri=True)
    try:
        return int(alone.execute("SELECT base FROM log").fetchone()[0])
    except sqlite3.DatabaseError:
        return 0  # nothing was taken over yet: the log holds everything
    finally:
        alone.close()
