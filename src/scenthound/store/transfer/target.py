"""Where a crawl is copied to: a file of SQLite, or a schema of a PostgreSQL server, with a note of how far it has come.

The note lies in the target itself, and each piece is one transaction with its note: whatever kills the copy, the next
one goes on behind the last piece that is there.
"""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final, Protocol

from scenthound.errors import StoreError
from scenthound.settings.server_url import ServerUrl
from scenthound.store.sqlite.connection import open_writer
from scenthound.store.transfer.table_rows import Row, Table

_NOTES: Final = "CREATE TABLE moving (name TEXT PRIMARY KEY, value TEXT NOT NULL)"
_NOTE: Final = "INSERT INTO moving VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2"
SOURCE: Final = "source"


class Target(Protocol):
    """Use between `open` and `close`. `is_whole` tells whether a crawl is there already, finished."""

    is_whole: bool

    @property
    def con(self) -> sqlite3.Connection: ...
    def open(self) -> None: ...
    def close(self) -> None: ...
    def note(self, name: str) -> str | None: ...
    def begin(self, source: str) -> None: ...
    def append(self, table: Table, rows: Sequence[Row]) -> None: ...
    def reset(self) -> None: ...
    def finish(self) -> None: ...


class SqliteTarget:
    """A database beside its final place, which it takes when it is whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._aside = path.with_name(f"{path.name}.moving")
        self._open: sqlite3.Connection | None = None
        self.is_whole = False

    @property
    def con(self) -> sqlite3.Connection:
        assert self._open is not None
        return self._open

    def open(self) -> None:
        self.is_whole = self._path.exists()
        self._open = open_writer(self._path if self.is_whole else self._aside, quota=0)
        self.con.execute("PRAGMA synchronous = NORMAL")

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def note(self, name: str) -> str | None:
        with suppress(sqlite3.OperationalError):  # there are no notes yet
            row = self.con.execute("SELECT value FROM moving WHERE name = ?", (name,)).fetchone()
            return row[0] if row else None
        return None

    def begin(self, source: str) -> None:
        self.con.execute("BEGIN IMMEDIATE")
        self.con.execute(_NOTES)
        self.con.execute(_NOTE, (SOURCE, source))
        self.con.execute("COMMIT")

    def append(self, table: Table, rows: Sequence[Row]) -> None:
        marks = ", ".join("?" * len(table.columns))
        self.con.execute("BEGIN IMMEDIATE")
        self.con.executemany(f"INSERT INTO {table.name} VALUES ({marks})", rows)
        self.con.execute(_NOTE, (table.name, json.dumps(table.key_of(rows[-1]))))
        self.con.execute("COMMIT")
        self.con.execute("PRAGMA wal_checkpoint").fetchone()  # the log would grow as large as the database

    def reset(self) -> None:
        self.close()
        for path in self._aside.parent.glob(f"{self._aside.name}*"):
            path.unlink()
        self.open()

    def finish(self) -> None:
        """Take the final place."""
        if self.is_whole:
            return
        self.con.execute("DROP TABLE moving")
        self.con.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self.close()
        self._aside.rename(self._path)


class PostgresTarget:
    """A schema of a server. Until it is whole, its version is 0, and no store opens it."""

    def __init__(self, url: ServerUrl) -> None:
        from scenthound.store.postgres.connection import PostgresConnection

        self._url = url
        self._con = PostgresConnection(url, read_only=False)
        self.is_whole = False

    @property
    def con(self) -> sqlite3.Connection:
        return self._con.as_sqlite()

    def open(self) -> None:
        from scenthound.store.postgres.session import MOVED, MOVING, exists, lock, version_of

        self._con.open()
        lock(self._con)
        if exists(self._con):
            if version_of(self._con) == MOVED:
                self.reset()
            self.is_whole = exists(self._con) and version_of(self._con) != MOVING

    def close(self) -> None:
        self._con.close()

    def note(self, name: str) -> str | None:
        from scenthound.store.postgres.session import exists

        if self.is_whole or not exists(self._con):
            return None
        row = self._con.execute("SELECT value FROM moving WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def begin(self, source: str) -> None:
        from scenthound.store.postgres.session import MOVING, make

        make(self._con, version=MOVING, indexed=False, more=_NOTES)
        self._con.execute(_NOTE, (SOURCE, source))

    def append(self, table: Table, rows: Sequence[Row]) -> None:
        self._con.executescript("BEGIN")
        try:
            self._con.copy_in(table.name, rows, table.columns)
            self._con.execute(_NOTE, (table.name, json.dumps(table.key_of(rows[-1]))))
            self._con.executescript("COMMIT")
        except BaseException:
            if self._con.in_transaction:
                self._con.executescript("ROLLBACK")
            raise

    def reset(self) -> None:
        self._con.executescript(f'DROP SCHEMA IF EXISTS "{self._url.schema}" CASCADE')

    def finish(self) -> None:
        """Make the indexes, and let stores open it."""
        from scenthound.store.postgres.session import VERSION, indexes

        if self.is_whole:
            return
        for statement in indexes().values():
            self._con.executescript(statement.replace("CREATE INDEX", "CREATE INDEX IF NOT EXISTS", 1))
        numbered = "setval(pg_get_serial_sequence('fetches', 'id'), coalesce(max(id), 0) + 1, false)"
        self._con.execute(f"SELECT {numbered} FROM fetches")
        self._con.executescript("ANALYZE " + ", ".join(_all_tables()))
        self._con.executescript(f"BEGIN; DROP TABLE moving; UPDATE store_version SET version = {VERSION}; COMMIT")


def _all_tables() -> list[str]:
    from scenthound.store.transfer.table_rows import tables

    return [table.name for table in tables()]


def target_at(place: Path | ServerUrl) -> Target:
    """Return the target for a place."""
    return SqliteTarget(place) if isinstance(place, Path) else PostgresTarget(place)


def give_up(url: ServerUrl, *, to: str) -> None:
    """Mark a crawl on a server as moved elsewhere, so that nobody goes on with it by mistake."""
    from scenthound.store.postgres.connection import PostgresConnection
    from scenthound.store.postgres.session import MOVED, lock

    con = PostgresConnection(url, read_only=False)
    con.open()
    with closing(con):
        lock(con)
        con.execute("UPDATE store_version SET version = ?, moved_to = ?", (MOVED, to))


def last_key(target: Target, table: Table) -> list[Any] | None:
    """Return the key of the last row of a table that is there."""
    told = target.note(table.name)
    return None if told is None else list(json.loads(told))


def refuse_other(target: Target, source: str, shown: str) -> None:
    """Refuse a place where another crawl is on its way to."""
    said = target.note(SOURCE)
    if said is not None and said != source:
        raise StoreError(f"{shown}: another crawl is being moved there, from {said}; choose another name")
