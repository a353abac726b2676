"""The crawl of a store on a server while it is open: its tables, its one writer, its transactions.

One writer at a time: it holds an advisory lock of the server, which ends with its connection.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from importlib.resources import files

from scenthound.errors import LostServerError, NewerStoreError, StoreError
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.connection import PostgresConnection

VERSION = 1
MOVING, MOVED = 0, -1  # instead of a version, of a crawl that is being moved here, or was moved away
_INDEX = re.compile(r"^(CREATE INDEX (\w+)[^;]*);", re.MULTILINE)


class LockedError(StoreError):
    """Another process writes to the crawl."""


class PostgresSession:
    """Use between `open` and `close`. `forget` is called when a transaction came to nothing."""

    def __init__(self, url: ServerUrl, *, read_only: bool, forget: Callable[[], None]) -> None:
        self._url = url
        self._read_only = read_only
        self._forget = forget
        self._con = PostgresConnection(url, read_only=read_only)

    def open(self) -> None:
        """Reach the crawl, and make its tables unless it is only read."""
        self._con.open()
        try:
            if not self._read_only:
                lock(self._con)
                if not exists(self._con):
                    make(self._con)
            check_version(self._con)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Leave the server; a second time does nothing."""
        self._con.close()

    @property
    def con(self) -> sqlite3.Connection:
        return self._con.as_sqlite()

    @contextmanager
    def transaction(self, *, durable: bool) -> Iterator[sqlite3.Connection]:
        """Do everything or nothing. A durable transaction is on the server's disk at its end."""
        self._begin("BEGIN" if durable else "BEGIN; SET LOCAL synchronous_commit TO off")
        try:
            yield self.con
            self._con.executescript("COMMIT")
        except BaseException:
            self._forget()
            if self._con.in_transaction:
                self._con.executescript("ROLLBACK")
            raise

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Let several queries see one moment, whatever another process writes meanwhile."""
        self._begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        try:
            yield self.con
        finally:
            if self._con.in_transaction:
                self._con.executescript("ROLLBACK")

    @contextmanager
    def errors(self) -> Iterator[None]:
        """The connection itself says what is wrong."""
        self._return()
        yield

    @property
    def has_log(self) -> bool:
        """The server syncs by itself."""
        return False

    def sync_beside(self) -> None:
        """There is no log on this machine."""

    def settle(self) -> None:
        """What was committed durably is on the server's disk."""

    def turn_log(self) -> None:
        """The server takes its log over by itself."""

    def _begin(self, text: str) -> None:
        """Begin a transaction; a connection that was lost since the last one is only noticed now."""
        self._return()
        try:
            self._con.executescript(text)
        except LostServerError:
            self._return()
            self._con.executescript(text)

    def _return(self) -> None:
        """Reach the server again after it went away."""
        if self._con.is_lost:
            self._forget()
            self._con.close()
            try:
                self.open()
            except LockedError as error:  # the server has not yet noticed that our old connection is gone
                raise LostServerError(str(error)) from error


def exists(con: PostgresConnection) -> bool:
    """Tell whether the crawl has tables on the server."""
    found = con.execute("SELECT to_regclass(?) IS NOT NULL", (f'"{con.url.schema}".store_version',)).fetchone()
    return bool(found and found[0])


def version_of(con: PostgresConnection) -> int:
    """Return the version of the tables, MOVING or MOVED."""
    row = con.execute("SELECT version FROM store_version").fetchone()
    return int(row[0]) if row else MOVING


def check_version(con: PostgresConnection) -> None:
    """Refuse tables that this program does not know, or that are not all there."""
    if not exists(con):
        raise StoreError(f"{con.url.shown}: there is no such crawl on the server; scenthound crawl begins it")
    version = version_of(con)
    if version == MOVING:
        raise StoreError(f"{con.url.shown}: the crawl is being moved there; finish that with: scenthound move")
    if version == MOVED:
        [place] = con.execute("SELECT moved_to FROM store_version").fetchone() or ("",)
        raise StoreError(f"{con.url.shown}: the crawl was moved to {place}; go on with it there")
    if version > VERSION:
        raise NewerStoreError(
            f"{con.url.shown}: written by a newer scenthound (store version {version}, this one knows {VERSION}); "
            "update it"
        )


def schema_text() -> str:
    """Return the statements that make the tables."""
    return files("scenthound.store.postgres").joinpath("schema.sql").read_text("utf-8")


def indexes() -> dict[str, str]:
    """Return the statements that make indexes, by name."""
    found = _INDEX.findall(schema_text())
    return {name: statement for statement, name in found}


def make(con: PostgresConnection, *, version: int = VERSION, indexed: bool = True, more: str = "") -> None:
    """Make the tables in one transaction."""
    schema, text = con.url.schema, schema_text() if indexed else _INDEX.sub("", schema_text())
    there = con.execute("SELECT 1 FROM pg_namespace WHERE nspname = ?", (schema,)).fetchone()
    begin = "" if there else f'CREATE SCHEMA "{schema}";'
    con.executescript(f"BEGIN; {begin}\n{text}\nINSERT INTO store_version VALUES ({version}); {more}; COMMIT")


def lock(con: PostgresConnection | sqlite3.Connection) -> None:
    """Become the only process that may write to the crawl, or say that there is one."""
    assert isinstance(con, PostgresConnection)
    [locked] = con.execute("SELECT pg_try_advisory_lock(?)", (_lock_number(con.url),)).fetchone() or (False,)
    if not locked:
        raise LockedError(
            f"{con.url.shown}: another process is crawling or moving it; stop that one, "
            "or wait a minute if its machine has died"
        )


def _lock_number(url: ServerUrl) -> int:
    return int.from_bytes(blake2b(f"scenthound {url.schema}".encode(), digest_size=8).digest(), "big", signed=True)
