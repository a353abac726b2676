"""A connection to a crawl on a PostgreSQL server, used as one of sqlite3 is: `execute`, `executemany`, cursors.

So the statements and questions of `store/sqlite` run on both. Within a transaction, writes to a table wait until
something reads that table: a message to the server costs more than what it says, and most writes of a batch of pages
are read by nobody in it. The driver is asyncpg; its event loop runs inside each
call, in the thread of the caller: a loop in a thread of its own took a third more processor time for a statement.
"""

import asyncio
import re
import sqlite3
from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeVar, cast

import asyncpg

from scenthound.errors import LostServerError, StoreError
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.dialect import Translated, Values, touched, translated
from scenthound.store.postgres.many_rows import apart, joined, keys_of
from scenthound.store.postgres.reach import LOST, Reach

T = TypeVar("T")

STATEMENTS = 500  # kept prepared for a connection
COPIED = 4  # rows from which on COPY takes less of the server's time: 49 µs a link by INSERT, 8 by COPY
JOINED = 3  # rows from which on one update of arrays takes less than an update for each
QUEUED = 2000  # writes that wait for one table at most
_PLAIN_INSERT = re.compile(r"\s*INSERT INTO (\w+)(?: \(([^)]*)\))?\s+VALUES \((?:\?, )*\?\)")


@dataclass(slots=True)
class Cursor:
    """The rows of a statement, all of them read."""

    _rows: Iterator[tuple[Any, ...]]
    rowcount: int
    description: Sequence[tuple[str, ...]] = ()

    def fetchone(self) -> tuple[Any, ...] | None:
        return next(self._rows, None)

    def fetchall(self) -> list[tuple[Any, ...]]:
        return list(self._rows)

    def fetchmany(self, size: int) -> list[tuple[Any, ...]]:
        return [row for _, row in zip(range(size), self._rows, strict=False)]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return self._rows


class Later:
    """The cursor of a write that waits to be sent with others; who asks for its result has it sent now."""

    __slots__ = ("_con", "_done", "_sql", "_table", "_values")

    def __init__(self, con: "PostgresConnection", table: str, sql: str, values: Values) -> None:
        self._con, self._table, self._sql, self._values = con, table, sql, values
        self._done: Cursor | None = None

    @property
    def rowcount(self) -> int:
        return self._sent().rowcount

    def fetchone(self) -> tuple[Any, ...] | None:
        return self._sent().fetchone()

    def _sent(self) -> Cursor:
        if self._done is None:
            self._con.unqueue(self._table)
            self._done = self._con.execute_now(self._sql, self._values)
        return self._done


@dataclass(frozen=True, slots=True)
class _Ready:
    """A statement that the server has prepared, and how Python's values become those of its types."""

    statement: "asyncpg.prepared_stmt.PreparedStatement[asyncpg.Record]"
    translated: Translated
    converters: tuple[Callable[[Any], object] | None, ...]

    def values(self, given: Values) -> list[object]:
        return [
            value if convert is None or value is None else convert(value)
            for convert, value in zip(self.converters, self.translated.ordered(given), strict=True)
        ]


class PostgresConnection:
    """Use between `open` and `close`, from one thread at a time."""

    def __init__(self, url: ServerUrl, *, read_only: bool, timeout: float | None = None) -> None:
        self.url = url
        self._reach = Reach(url, read_only=read_only)
        self._timeout = timeout
        self._engine = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._con: asyncpg.Connection[asyncpg.Record] | None = None
        self._ready: dict[str, _Ready] = {}
        self._for_many: dict[str, asyncpg.prepared_stmt.PreparedStatement[asyncpg.Record]] = {}
        self._queues: dict[str, list[tuple[str, Values]]] = {}
        self._named = 0  # statements that were given a name
        self.messages = 0  # that were sent and answered

    def open(self) -> None:
        """Reach the server."""
        self._loop = asyncio.new_event_loop()
        try:
            self._con = self._run(self._reach.connect(timeout=self._timeout))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Leave the server; a second time does nothing."""
        con, self._con = self._con, None
        loop, self._loop = self._loop, None
        self._ready.clear()
        self._for_many.clear()
        self._queues.clear()
        if con is not None and loop is not None and not con.is_closed():
            try:
                _driven(loop, con.close(timeout=2.0))
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
                con.terminate()
        if loop is not None:
            _driven(loop, asyncio.sleep(0))
            loop.close()

    def act_for(self, engine: int) -> None:
        """Let marked statements see the hosts of this engine only."""
        self._engine = engine
        self._ready.clear()

    @property
    def is_lost(self) -> bool:
        return self._con is None or self._con.is_closed()

    @property
    def in_transaction(self) -> bool:
        return self._con is not None and not self._con.is_closed() and self._con.is_in_transaction()

    def execute(self, sql: str, values: Values = (), /) -> Cursor | Later:
        """Run one statement and read all its rows; a write to one table waits until something reads that table."""
        tables, written = touched(sql)
        if written and self.in_transaction:
            self._queue(written, sql, values)
            return Later(self, written, sql, values)
        self._send(tables)
        return self.execute_now(sql, values)

    def execute_now(self, sql: str, values: Values = ()) -> Cursor:
        """Run one statement, whatever waits."""
        with self._explaining():
            ready = self._prepared(sql)
            rows = self._run(ready.statement.fetch(*ready.values(values)))
            return Cursor(map(tuple, rows), _rowcount(ready.statement.get_statusmsg()), _described(ready))

    def executemany(self, sql: str, rows: Iterable[Values], /) -> None:
        """Run one statement for many rows, in one message to the server."""
        tables, written = touched(sql)
        if written and self.in_transaction:
            for row in rows:
                self._queue(written, sql, row)
            return
        self._send(tables)
        self._many(sql, rows)

    def unqueue(self, table: str) -> None:
        """Send what waits for a table, but for the last write: its sender sends it."""
        self._queues[table].pop()
        self._send({table})

    def _many(self, sql: str, rows: Iterable[Values]) -> None:
        ready = self._prepared(sql)
        filled = [ready.values(row) for row in rows]
        found = _PLAIN_INSERT.fullmatch(sql)
        if found and len(filled) >= COPIED:
            columns = found[2].split(", ") if found[2] else None
            table = found[1].lower()  # the driver quotes it, and a name without quotes means the small one
            self._run(self._alive.copy_records_to_table(table, records=filled, columns=columns))
        elif len(filled) >= JOINED and (keys := keys_of(ready.translated.text)):
            for some in apart(filled, keys):
                with self._explaining():
                    self._run(self._joined(ready).fetch(*map(list, zip(*some, strict=True))))
        elif filled:
            with self._explaining():
                self._run(ready.statement.executemany(filled))

    def _joined(self, ready: _Ready) -> "asyncpg.prepared_stmt.PreparedStatement[asyncpg.Record]":
        """Return the statement that changes many rows at once."""
        text = joined(ready.translated.text, [kind.name for kind in ready.statement.get_parameters()])
        if text not in self._for_many:
            self._for_many[text] = self._prepare(text)
        return self._for_many[text]

    def _queue(self, table: str, sql: str, values: Values) -> None:
        queue = self._queues.setdefault(table, [])
        if len(queue) >= QUEUED:
            self._send({table})
            queue = self._queues.setdefault(table, [])
        queue.append((sql, values))

    def _send(self, tables: Collection[str]) -> None:
        """Send the writes that wait for these tables, in their order; writes to different tables do not mind."""
        for table in [table for table in self._queues if table in tables]:
            for sql, some in groupby(self._queues.pop(table), key=itemgetter(0)):
                self._many(sql, [values for _, values in some])

    def scan(self, text: str, *, rows: int = 500) -> Iterator[tuple[Any, ...]]:
        """Yield the names of the columns of a statement, then its rows, so many at a time; within a transaction."""
        with self._explaining():
            statement = self._run(self._alive.prepare(text))
            yield tuple(column.name for column in statement.get_attributes())
            cursor = self._run(_begun(statement))
            while some := self._run(cursor.fetch(rows)):
                yield from map(tuple, some)

    def executescript(self, text: str, /) -> None:
        """Run statements without values, in one message; what waits is sent before, or given up with a rollback."""
        if text.startswith("ROLLBACK"):
            self._queues.clear()
        self._send(list(self._queues))
        self._run(self._alive.execute(text))

    def set_progress_handler(self, handler: object, steps: int, /) -> None:
        """The server works by itself; a question that takes too long is ended by its own `statement_timeout`."""

    def copy_in(self, table: str, rows: Sequence[tuple[object, ...]], columns: Sequence[str]) -> None:
        """Append rows to a table in bulk."""
        self._run(self._alive.copy_records_to_table(table, records=rows, columns=columns, schema_name=self.url.schema))

    def as_sqlite(self) -> sqlite3.Connection:
        """Return this connection to callers that know sqlite3: what they call of it is above."""
        return cast(sqlite3.Connection, self)

    @property
    def _alive(self) -> "asyncpg.Connection[asyncpg.Record]":
        if self._con is None:
            raise StoreError(f"{self.url.shown}: the store is not open; use it in a `with`")
        return self._con

    def _prepared(self, sql: str) -> _Ready:
        ready = self._ready.get(sql)
        if ready is None:
            if len(self._ready) >= STATEMENTS:
                self._ready.clear()
            how = translated(sql, self._engine)
            statement = self._prepare(how.text)
            kinds = [kind.name for kind in statement.get_parameters()]
            ready = self._ready[sql] = _Ready(statement, how, tuple(_CONVERTERS.get(kind) for kind in kinds))
        return ready

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Explain what the driver says at once, before there is anything to wait for: that the connection is closed.

        The server closes one when this process was stopped in the middle of a transaction.
        """
        try:
            yield
        except asyncpg.InterfaceError as error:
            raise explained(self.url, error) from error

    def _prepare(self, text: str) -> "asyncpg.prepared_stmt.PreparedStatement[asyncpg.Record]":
        """Without a name, the driver has the server parse and plan a statement again each time that it is run."""
        self._named += 1
        return self._run(self._alive.prepare(text, name=f"scenthound_{self._named}"))

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop is None:
            work.close()
            raise StoreError(f"{self.url.shown}: the store is not open; use it in a `with`")
        self.messages += 1
        try:
            return _driven(self._loop, work)
        except TimeoutError as error:
            if self._con is not None:  # whatever it still says belongs to nobody
                self._con.terminate()
            raise explained(self.url, error) from error
        except Exception as error:
            raise explained(self.url, error) from error


def _driven(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in our loop; a caller that runs in a loop itself waits for a thread."""
    if not _in_a_loop():
        return loop.run_until_complete(work)
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(loop.run_until_complete, work).result()


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def _begun(statement: Any) -> Any:
    return await statement.cursor()


def _text(value: object) -> object:
    """PostgreSQL's text has no NUL: bad markup can bring one."""
    return value.replace("\0", "\ufffd") if isinstance(value, str) and "\0" in value else value


_CONVERTERS: dict[str, Callable[[Any], object]] = {"bool": bool, "text": _text}


def _rowcount(status: str) -> int:
    """Return how many rows a statement touched, as the server says at its end."""
    last = status.rpartition(" ")[2]
    return int(last) if last.isdigit() else -1


def _described(ready: _Ready) -> Sequence[tuple[str, ...]]:
    return [(column.name,) for column in ready.statement.get_attributes()]


def explained(url: ServerUrl, error: Exception) -> Exception:
    """Say in one line what is wrong with a server, and what to do; no message has a password."""
    if isinstance(error, StoreError):
        return error
    said = " ".join(str(error).split())
    match error:
        case asyncpg.InvalidPasswordError() | asyncpg.InvalidAuthorizationSpecificationError():
            advice = "see the user name, and set the password in ~/.pgpass or PGPASSWORD"
            return StoreError(f"{url.shown}: the server refuses this user ({said}); {advice}")
        case asyncpg.InvalidCatalogNameError():
            return StoreError(f"{url.shown}: there is no such database; make it with: createdb NAME")
        case asyncpg.InsufficientPrivilegeError():
            return StoreError(f"{url.shown}: {said}; ask the owner of the database for this right")
        case asyncpg.DiskFullError():
            return StoreError(f"{url.shown}: the disk of the server is full; make room there and start again")
        case asyncpg.QueryCanceledError():
            return StoreError(f"{url.shown}: the question took too long, or the server ended it")
        case asyncpg.ReadOnlySQLTransactionError():
            return StoreError(f"{url.shown}: only readers are let in here ({said})")
        case _ if isinstance(error, LOST):
            return LostServerError(
                f"{url.shown}: the server cannot be reached ({said or 'no answer'}); "
                "see that it runs and that this machine may reach it"
            )
        case asyncpg.PostgresError() | ValueError():
            return StoreError(f"{url.shown}: {said}")
    return error
