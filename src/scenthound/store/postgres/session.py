"""The crawl of a store on a server while it is open: its tables, its writers, its transactions.

A process that writes alone (a move, a training) holds an advisory lock of the server. Engines hold the same lock
together, and write in turns: each transaction of an engine waits for the one before. Locks end with their connections.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from importlib.resources import files

from scenthound.errors import LostServerError, NewerStoreError, StoreError
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.connection import PostgresConnection
from scenthound.store.postgres.engine_rows import CLOCK, LEASE, join, leave
from scenthound.store.postgres.lease import Lease

VERSION = 3
MOVING, MOVED = 0, -1  # instead of a version, of a crawl that is being moved here, or was moved away
_INDEX = re.compile(r"^(CREATE INDEX (\w+)[^;]*);", re.MULTILINE)
_TABLE = re.compile(r"^CREATE (TABLE (\w+) \(.*?\n\)[^;]*);", re.MULTILINE | re.DOTALL)
_SHARD = re.compile(r"^    shard +(INTEGER GENERATED .* STORED)", re.MULTILINE)
# Part of a lease after which the server ends a transaction of an engine that says nothing: a machine that was stopped
# in the middle of one holds up the others no longer than that.
_IDLE = 0.5
# Seconds that an engine waits for one answer. A link that was cut says nothing, and moving a frontier takes its time.
_ANSWER = 180.0
_TRIES = 5  # to begin, with a server that can be reached
# Statements that find rows by their keys are planned once, for any values. Their tables may be empty at that moment,
# when reading all of one seems cheapest, and grow before the server counts them again: indexes are used in any case,
# row by row.
_ROUTINE = (
    "; SET LOCAL plan_cache_mode TO force_generic_plan; SET LOCAL enable_seqscan TO off; "
    "SET LOCAL enable_bitmapscan TO off; SET LOCAL enable_hashjoin TO off; SET LOCAL enable_mergejoin TO off"
)
_IS_ENGINE = "SELECT EXISTS (SELECT 1 FROM engines WHERE id = ?1)"
# Write that this engine writes; return whether it is one, whether it wrote last, and whether the lease of any has run
# out.
_TURN = f"""
WITH before AS (SELECT engine FROM last_writer), now AS (
    INSERT INTO last_writer VALUES (1, ?1)
    ON CONFLICT ("only") DO UPDATE SET engine = ?1 WHERE last_writer.engine <> ?1)
SELECT EXISTS (SELECT 1 FROM engines WHERE id = ?1), coalesce((SELECT engine FROM before), 0) = ?1,
       EXISTS (SELECT 1 FROM engines WHERE until < {CLOCK})"""


class LockedError(StoreError):
    """Another process writes to the crawl."""


class PostgresSession:
    """Use between `open` and `close`. `forget` is called when a transaction came to nothing, `doubt` when another
    engine has written meanwhile: it may have moved URLs.

    With `engine`, the name of this process for people, it is one of the crawl's engines. Without, it writes alone.
    """

    def __init__(
        self,
        url: ServerUrl,
        *,
        read_only: bool,
        forget: Callable[[], None],
        doubt: Callable[[], None],
        engine: str = "",
        lease: float = LEASE,
    ) -> None:
        self._url = url
        self._read_only = read_only
        self._forget = forget
        self._doubt = doubt
        self._name = engine
        self._con = PostgresConnection(url, read_only=read_only, timeout=_ANSWER if engine else None)
        self.lease = Lease(url, seconds=lease)
        self.joined = 0  # times that this process became an engine
        self.reached = 0  # times that it reached the server
        self.overdue = True  # whether the lease of an engine may have run out, as of the beginning of the transaction

    @property
    def engine(self) -> str | None:
        return str(self.lease.number) if self._name else None

    def open(self) -> None:
        """Reach the crawl, and make its tables unless it is only read.

        Who waits for its turn meanwhile may be stopped for so long that the server ends the connection, or the server
        may be restarted. One that cannot be reached is another matter: the address may be wrong.
        """
        for left in reversed(range(_TRIES)):
            self._con.open()
            try:
                self._enter()
                self.reached += 1
                return
            except LostServerError:
                self._con.close()
                if not left:
                    raise
            except BaseException:
                self._con.close()
                raise

    def _enter(self) -> None:
        if not self._read_only:
            lock(self._con, shared=bool(self._name))
            make_or_update(self._con)
        check_version(self._con)
        if self._name:
            milliseconds = int(1000 * _IDLE * self.lease.seconds)
            self._con.executescript(f"SET idle_in_transaction_session_timeout = {milliseconds}")
            self._take_place()

    def close(self) -> None:
        """Leave the server; a second time does nothing."""
        if self._name and self.lease.number:
            with suppress(StoreError):  # then the lease runs out
                if not self._con.is_lost:
                    with self._in_turn("BEGIN"):
                        leave(self.con, self.lease.number)
            self.lease.end()
        self._con.close()

    def _take_place(self) -> None:
        """Become an engine, or stay the one that this process was before its connection broke."""
        number = self.lease.number
        if not number or not self.con.execute(_IS_ENGINE, (number,)).fetchone()[0]:
            at = self.lease.now()
            with self._in_turn("BEGIN"):
                number = join(self.con, self._name, lease=self.lease.seconds)
            self.lease.begin(number, at=at)
            self.joined += 1
        self._con.act_for(number)

    def _turn(self, begin: str) -> str:
        """Return what begins a transaction and waits for the turn to write."""
        return f"{begin}; SELECT pg_advisory_xact_lock({_lock_number(self._url, 'turn')})"

    @contextmanager
    def _in_turn(self, begin: str) -> Iterator[None]:
        """Hold the turn to write for one transaction."""
        self._con.executescript(self._turn(begin))
        try:
            yield
            self._con.executescript("COMMIT")
        except BaseException:
            self._forget()
            if self._con.in_transaction:
                self._con.executescript("ROLLBACK")
            raise

    @property
    def con(self) -> sqlite3.Connection:
        return self._con.as_sqlite()

    @contextmanager
    def transaction(self, *, durable: bool, routine: bool = False) -> Iterator[sqlite3.Connection]:
        """Do everything or nothing. A durable transaction is on the server's disk at its end.

        A routine one has its statements planned once, not for each value. Others walk over tables, and their plans
        depend on how far.
        """
        begin = "BEGIN" if durable else "BEGIN; SET LOCAL synchronous_commit TO off"
        begin += _ROUTINE if routine else ""
        self._begin(self._turn(begin) if self._name else begin)
        try:
            if self._name:
                self._stand_in_turn(begin)
            yield self.con
            self._con.executescript("COMMIT")
        except BaseException:
            self._forget()
            if self._con.in_transaction:
                self._con.executescript("ROLLBACK")
            raise

    def _stand_in_turn(self, begin: str) -> None:
        """See whether this is still an engine, and whether another one wrote since its last turn."""
        is_engine, was_last, self.overdue = self.con.execute(_TURN, (self.lease.number,)).fetchone()
        if not is_engine:  # others have taken over what it had: it begins again as a new one
            self._con.executescript("ROLLBACK")
            self._forget()
            self._take_place()
            self._con.executescript(self._turn(begin))
            self.con.execute(_TURN, (self.lease.number,))
            was_last, self.overdue = False, True
        if not was_last:
            self._doubt()

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


def make_or_update(con: PostgresConnection) -> None:
    """Make the tables, or those that a crawl of an older program lacks; of several processes, one does so."""
    number = _lock_number(con.url, "tables")
    con.execute("SELECT pg_advisory_lock(?)", (number,))
    try:
        if not exists(con):
            make(con)
        elif MOVING < version_of(con) < VERSION:
            _update(con)
    finally:
        if con.in_transaction:  # it came to nothing
            con.executescript("ROLLBACK")
        if not con.is_lost:
            con.execute("SELECT pg_advisory_unlock(?)", (number,))


def _update(con: PostgresConnection) -> None:
    """Make what older versions lack: 1 the shards of hosts and the tables of engines, 2 the table of uploads."""
    text = schema_text()
    kind = _SHARD.findall(text)[0]
    made = [f"ALTER TABLE hosts ADD COLUMN IF NOT EXISTS shard {kind}"]
    for statement, name in _TABLE.findall(text):
        if not (con.execute("SELECT to_regclass(?) IS NOT NULL", (name,)).fetchone() or (True,))[0]:
            made.append(f"CREATE {statement}")
    con.executescript(f"BEGIN; {'; '.join(made)}; UPDATE store_version SET version = {VERSION}; COMMIT")


def lock(con: PostgresConnection | sqlite3.Connection, *, shared: bool = False) -> None:
    """Become the only process that may write to the crawl, or one of its engines; or say that others are at it."""
    assert isinstance(con, PostgresConnection)
    kind = "_shared" if shared else ""
    [locked] = con.execute(f"SELECT pg_try_advisory_lock{kind}(?)", (_lock_number(con.url),)).fetchone() or (False,)
    if not locked:
        raise LockedError(
            f"{con.url.shown}: another process is crawling or moving it; stop that one, "
            "or wait a minute if its machine has died"
        )


def _lock_number(url: ServerUrl, what: str = "") -> int:
    words = f"scenthound {url.schema} {what}".rstrip()
    return int.from_bytes(blake2b(words.encode(), digest_size=8).digest(), "big", signed=True)
