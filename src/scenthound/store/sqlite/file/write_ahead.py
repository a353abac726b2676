"""Taking the write-ahead log over into the database, so that a copy of the files that straddles this can be recognised.

A plain copy of database and log is good unless the log is restarted between the two: what it held before then
lies in neither. SQLite cannot tell; two numbers can. `base` is raised in the database file itself, strictly after
everything else of the old log has come there, and `log` by the first transaction of the new log. A copy whose log is
ahead of its base lacks something.
"""

import os
import sqlite3
import time
from contextlib import closing, nullcontext
from pathlib import Path

_LOOKS = (0.0, 0.01, 0.05, 0.2, 0.5)  # seconds before each look at a database that seems to be torn
_HEADER = 32  # bytes of the log before its first frame
_FRAME = 24 + 4096  # bytes of a frame: its header, and a page of the size that SQLite gives a new database


def turn(con: sqlite3.Connection, database: Path, keeper: sqlite3.Connection | None = None) -> bool:
    """Checkpoint the log and restart it; return False if a reader is in the way. `keeper` is what `take_over` has
    returned, and closed here.
    """
    timeout = con.execute("PRAGMA busy_timeout").fetchone()[0]
    con.execute("PRAGMA busy_timeout = 0")  # the crawl does not wait for somebody's long query
    try:
        with closing(keeper) if keeper else nullcontext():
            if not _raise_base(con, database, keeper):
                return False
        # Not TRUNCATE: a copy of the empty log would lack what a copy of the database made before it lacks too, and
        # writing over a file that is there took a tenth less processor time at each commit.
        busy, frames, taken = con.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()
        if taken < frames:
            return False
        con.execute("UPDATE log SET log = base")  # also when busy: the next writer may restart the log
        return not busy
    finally:
        con.execute(f"PRAGMA busy_timeout = {timeout}")


def _raise_base(con: sqlite3.Connection, database: Path, keeper: sqlite3.Connection | None) -> bool:
    """Bring all of the log into the database, and then append the raise of `base` to that very log.

    SQLite restarts a log at the first write after a full checkpoint, unless a reader still uses it: without
    the reader here that would be the raise itself, before `base` has come into the file. A reader that comes when
    everything is in the database does not count: then it is the keeper who prevents it.
    """
    with closing(_reading(database)):
        if not _is_in_database(con):
            if keeper is None:
                return False
            keeper.close()  # what came after it is taken over only without it
            if not _is_in_database(con):
                return False
        con.execute("UPDATE log SET base = base + 1")
        return True


def _reading(database: Path) -> sqlite3.Connection:
    """Return a reader of the log as it is now. Another thread may close it."""
    uri = f"{database.resolve().as_uri()}?mode=ro"
    reader = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    try:
        reader.execute("BEGIN")
        reader.execute("SELECT base FROM log").fetchone()
    except sqlite3.Error:
        reader.close()
        raise
    return reader


def _is_in_database(con: sqlite3.Connection) -> bool:
    busy, frames, taken = con.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return not busy and taken == frames


def take_over(database: Path) -> sqlite3.Connection:
    """Bring what the log holds now into the database, by a connection of its own, while the crawl goes on writing to
    the log. Return a reader that keeps SQLite from restarting the log before `turn`, which closes it.

    What is left for `turn` is what came meanwhile. Where somebody reads an old state of the database, it may be more.
    Without the reader, a crawl that wrote nothing meanwhile restarted its log at the next write, and a copy that
    straddled this was not recognised.
    """
    reader = _reading(database)
    try:
        with closing(sqlite3.connect(database, isolation_level=None)) as con:
            con.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    except sqlite3.Error:
        reader.close()
        raise
    return reader


def length(database: Path) -> int:
    """Return the bytes of the log that count.

    The file keeps its length at a restart. The frames of the new log lie at its beginning and bear the salt of
    its header (SQLite's "WAL-mode file format", sections 1.1 and 1.2), so that halving finds the last. The index of the
    log says it at once, but to open that file and to close it would free all locks that this process has on it, as
    POSIX wants it: the next reader would take the crawl for gone and cut the index off under its feet.
    """
    try:
        log = os.open(log_of(database), os.O_RDONLY)
    except OSError:
        return 0
    try:
        salt = os.pread(log, 8, 16)
        low, high = 0, (os.fstat(log).st_size - _HEADER) // _FRAME
        while low < high:
            middle = (low + high) // 2
            same = os.pread(log, 8, _HEADER + middle * _FRAME + 8) == salt
            low, high = (middle + 1, high) if same else (low, middle)
    finally:
        os.close(log)
    return low * _FRAME


def sync(database: Path) -> None:
    """Have the disk take in the log as it is, as SQLite itself does at the end of a transaction that is to last.

    To close the file frees no locks: SQLite has none on it.
    """
    descriptor = os.open(log_of(database), os.O_RDONLY)
    try:
        os.fdatasync(descriptor)
    finally:
        os.close(descriptor)


def log_of(database: Path) -> Path:
    return database.with_name(database.name + "-wal")


def torn(con: sqlite3.Connection, database: Path) -> bool:
    """Tell whether database and log were copied at different moments.

    A crawl that writes pages of the file while they are read here looks the same for a moment. A torn copy stays as it
    is, so it is looked at several times.
    """
    for pause in _LOOKS:
        time.sleep(pause)
        if not log_of(database).exists():
            return False
        log = con.execute("SELECT log FROM log").fetchone()[0]
        if log <= _base_in_file(database):  # in this order: a crawl may take the log over between the two
            return False
    return True


def _base_in_file(database: Path) -> int:
    """Read `base` from the database file alone, without its log."""
    alone = sqlite3.connect(f"{database.resolve().as_uri()}?immutable=1", uri=True)
    try:
        return int(alone.execute("SELECT base FROM log").fetchone()[0])
    except sqlite3.DatabaseError:
        return 0  # nothing was taken over yet: the log holds everything
    finally:
        alone.close()
