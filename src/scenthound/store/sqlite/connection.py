"""Opening a crawl's database: made if it is not there, looked at before it is trusted, taken over from an older
version.

An older version lacks some of what `schema.sql` makes, and nothing else: to take it over is to make what is missing.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

from scenthound.errors import NewerStoreError, StoreError
from scenthound.store.sqlite.file import write_ahead

APPLICATION_ID = 0x5363_6E74  # "Scnt", shown by `file`
VERSION = 7
OLDEST = 2  # that can be taken over
# Pages that SQLite itself keeps; the rest is the operating system's, which gives it back when asked. With two million
# URLs waiting, claiming and recording a page took the same processor time with 32, 64 and 192 MB.
CACHE_MB = 64
READERS_CACHE_MB = 192  # for large questions: distillations in SQL scan the same tables many times

_MAKES = re.compile(r"^CREATE (?:TABLE|INDEX|VIEW) (\w+)", re.MULTILINE)

_TABLE_OR_VIEW = re.compile(r"\nCREATE (TABLE|VIEW) ")


def open_writer(path: Path, *, quota: int) -> sqlite3.Connection:
    """Open a database to crawl into; beyond `quota` bytes, 0 for none, it behaves as on a full disk."""
    con = sqlite3.connect(path, isolation_level=None, timeout=30.0, check_same_thread=False, cached_statements=256)
    return _prepared(con, lambda: _set_up(con, path, quota), CACHE_MB)


def open_reader(path: Path) -> sqlite3.Connection:
    """Open a database for reading, also where nothing may be written beside it."""
    address = path.resolve().as_uri()
    try:
        return _reader(f"{address}?mode=ro", path)
    except sqlite3.OperationalError:
        # Write-ahead mode needs a file for locks beside the database. Where it cannot be made and there is
        # no log, nobody writes, and the database is as it stands.
        if write_ahead.log_of(path).exists() or not path.exists():
            raise
        return _reader(f"{address}?immutable=1", path)


def _reader(address: str, path: Path) -> sqlite3.Connection:
    con = sqlite3.connect(address, uri=True, isolation_level=None, timeout=30.0, check_same_thread=False)
    return _prepared(con, lambda: _look_on(con, path), READERS_CACHE_MB)


def _prepared(con: sqlite3.Connection, prepare: Callable[[], None], cache_mb: int) -> sqlite3.Connection:
    try:
        prepare()
        con.execute(f"PRAGMA cache_size = {-cache_mb * 1024}")
    except BaseException:
        con.close()
        raise
    return con


def _set_up(con: sqlite3.Connection, path: Path, quota: int) -> None:
    if _is_empty(con):
        con.execute("PRAGMA journal_mode = WAL")
        _make(con)
        con.execute("PRAGMA wal_checkpoint").fetchone()  # so that write_ahead finds its numbers in the file from now on
    if _checked(con, path) < VERSION:
        _make(con)
    con.execute("PRAGMA wal_autocheckpoint = 0")  # see Session.turn_log
    if quota:
        size = con.execute("PRAGMA page_size").fetchone()[0]
        con.execute(f"PRAGMA max_page_count = {max(1, quota // size)}")


def _look_on(con: sqlite3.Connection, path: Path) -> None:
    """Check a database, and make up for the tables and views that an older one lacks, for this connection: they are
    empty.
    """
    if _checked(con, path) < VERSION:
        for statement in _lacking(con):
            if made := _TABLE_OR_VIEW.search(statement):
                con.execute(statement.replace(made[0], f"\nCREATE TEMP {made[1]} "))


def _checked(con: sqlite3.Connection, path: Path) -> int:
    """Return the version of a database that can be worked with."""
    if _is_empty(con):  # also says it here if this is no database at all
        raise StoreError(
            f"{path}: holds nothing yet: the crawl was stopped when it began; "
            f"start it again with: scenthound crawl {path.parent}"
        )
    if con.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise StoreError(f"{path}: a database, but not that of a crawl; name a crawl directory")
    version = int(con.execute("PRAGMA user_version").fetchone()[0])
    if version > VERSION:
        raise NewerStoreError(
            f"{path}: written by a newer scenthound (store version {version}, this one knows {VERSION}); update it"
        )
    if version < OLDEST:
        raise StoreError(
            f"{path}: written by an older scenthound (store version {version}, this one knows {OLDEST} to {VERSION}); "
            "finish it with that one, or begin a new crawl"
        )
    if write_ahead.torn(con, path):
        raise StoreError(f"{path}: copied at a moment at which it was not whole; copy it again")
    return version


def _make(con: sqlite3.Connection) -> None:
    """Make what is missing in one transaction: a kill leaves nothing half made, and two processes cannot clash."""
    con.execute("BEGIN IMMEDIATE")
    for statement in list(_statements()) if _is_empty(con) else _lacking(con):
        con.execute(statement)
    con.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    con.execute(f"PRAGMA user_version = {VERSION}")
    con.execute("COMMIT")


def _is_empty(con: sqlite3.Connection) -> bool:
    return not con.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]


def _lacking(con: sqlite3.Connection) -> list[str]:
    """Return the statements that make what is not there."""
    there = {name for (name,) in con.execute("SELECT name FROM sqlite_master")}
    return [text for text in _statements() if (made := _MAKES.search(text)) and made[1] not in there]


def _statements() -> Iterator[str]:
    statement = ""
    for line in files("scenthound.store.sqlite").joinpath("schema.sql").read_text("utf-8").splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
