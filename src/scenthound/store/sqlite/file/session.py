"""The database of a store while it is open: its transactions, its write-ahead log, and what its errors mean in one
line.

SQLite's own syncs and checkpoints are not waited for where something else can be done meanwhile: two threads beside the
store have the disk take in the log, and take the log over into the database file.
"""

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from scenthound.errors import DiskFullError, OpenFilesError, ScenthoundError, StoreError, repair_command
from scenthound.store.sqlite.connection import open_reader, open_writer
from scenthound.store.sqlite.file import write_ahead

# Bytes that the log may have at least: as long as the database is small the log is no larger, or it would fill a small
# disk for nothing. The first 4 MB of a crawl are some two hundred pages.
SMALL_LOG = 4_000_000
AGAIN = 1.25  # times that the log has grown since a reader was in the way, when its end is tried again
LAST_WAIT = 1.0  # seconds that the end of a crawl waits for readers who keep the log


class Session:
    """Use between `open` and `close`. `forget` is called when a transaction came to nothing; `quota` and `log_bytes`
    are the store's.
    """

    def __init__(self, path: Path, *, read_only: bool, quota: int, log_bytes: int, forget: Callable[[], None]) -> None:
        self._path = path
        self._read_only = read_only
        self._quota = quota
        self._log_bytes = log_bytes
        self._more = 0  # bytes beyond that, after a reader was in the way
        self._forget = forget
        self._open: sqlite3.Connection | None = None
        self._beside: ThreadPoolExecutor | None = None
        self._syncing: Future[None] | None = None
        self._taking: Future[sqlite3.Connection] | None = None

    def open(self) -> None:
        """Open the database, and make or take over what it lacks unless it is only read."""
        with self.errors():
            self._open = open_reader(self._path) if self._read_only else open_writer(self._path, quota=self._quota)
        self._beside = ThreadPoolExecutor(max_workers=2, thread_name_prefix="log")

    def close(self) -> None:
        """Close the database; a second time does nothing."""
        if self._beside:
            self._beside.shutdown()
        if self._open:
            self._empty_log(self._open)
            self._open.close()
            self._open = None

    def _empty_log(self, con: sqlite3.Connection) -> None:
        """Leave no log behind. SQLite empties it by itself, unless a reader has the database open."""
        if self._read_only or not self.has_log:
            return
        taking, self._taking = self._taking, None
        with suppress(sqlite3.Error):  # what cannot be written now is in the log, and is taken over at the next start
            write_ahead.turn(con, self._path, taking.result() if taking else None)
            con.execute(f"PRAGMA busy_timeout = {int(1000 * LAST_WAIT)}")
            con.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    @property
    def con(self) -> sqlite3.Connection:
        if self._open is None:
            raise StoreError(f"{self._path}: the store is not open; use it in a `with`")
        return self._open

    @contextmanager
    def transaction(self, *, durable: bool, routine: bool = False) -> Iterator[sqlite3.Connection]:
        """Do everything or nothing. A durable transaction is on disk at its end; SQLite plans all statements alike."""
        con = self.con
        with self.errors():
            con.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            con.execute("BEGIN IMMEDIATE")
            try:
                yield con
                con.execute("COMMIT")
            except BaseException:
                self._forget()
                if con.in_transaction:
                    con.execute("ROLLBACK")
                raise

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Let several queries see one moment, whatever another process writes meanwhile."""
        con = self.con
        with self.errors():
            con.execute("BEGIN")
            try:
                yield con
            finally:
                if con.in_transaction:
                    con.execute("ROLLBACK")

    @property
    def engine(self) -> None:
        """A file has one writer."""

    @property
    def has_log(self) -> bool:
        """Whether there is a log to be synced: a database in memory has none."""
        return write_ahead.log_of(self._path).exists()

    def sync_beside(self) -> None:
        """Have the disk take in what was committed, and do not wait for it before `settle`."""
        if self._beside is not None:
            self._syncing = self._beside.submit(write_ahead.sync, self._path)

    def settle(self) -> None:
        """Wait until the disk has taken in what `sync_beside` asked it to."""
        syncing, self._syncing = self._syncing, None
        if syncing is None:
            return
        try:
            with self.errors():
                syncing.result()
        except OSError as error:
            if OpenFilesError.explains(error):
                raise OpenFilesError from error
            raise StoreError(f"{self._path}: {error.strerror}; see to the disk and start again") from error

    def turn_log(self) -> None:
        """Take the log over when it has grown; with a reader in the way, try again when it has grown more.

        Most of it is taken over beside the crawl. All of it in the crawl's own turn, a page cost 1.52 times as much
        with 5 million URLs waiting as with 50,000, and 1.44 times so (`python -m bench scale`, means of three runs).
        """
        size = write_ahead.length(self._path)
        if size <= SMALL_LOG and size <= self._log_bytes:
            return
        limit = min(self._log_bytes, max(SMALL_LOG, self._path.stat().st_size))
        if size <= limit + self._more or self._beside is None:
            return
        if self._taking is None:
            self._taking = self._beside.submit(write_ahead.take_over, self._path)
        elif self._taking.done():
            taking, self._taking = self._taking, None
            with self.errors():
                keeper = taking.result()
                # The file keeps its length when it is begun again, unless it is longer than this.
                self.con.execute(f"PRAGMA journal_size_limit = {limit}")
                turned = write_ahead.turn(self.con, self._path, keeper)
            self._more = 0 if turned else max(0, int(AGAIN * size) - limit)

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Say in one line what is wrong with the database, and what to do."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._explained(error) from error
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise DiskFullError(f"{self._path}: the disk is full; make room and run the crawl again") from error

    def _advice(self) -> str:
        return f"restore it from a copy, or go on with what is left: {repair_command(self._path.parent)}"

    def _explained(self, error: sqlite3.Error) -> ScenthoundError:
        extended = getattr(error, "sqlite_errorcode", 0)
        code = extended & 0xFF
        # SQLite calls a disk full at ENOSPC only; a used-up quota or a limit on file sizes is a failed write to it.
        if code == sqlite3.SQLITE_FULL:
            return DiskFullError(f"{self._path}: the disk is full; make room and run the crawl again")
        if extended in (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE):
            return DiskFullError(
                f"{self._path}: the disk is full or fails, or a limit is reached; make room or see to the disk, "
                "and run the crawl again"
            )
        if code == sqlite3.SQLITE_IOERR:
            return StoreError(
                f"{self._path}: the disk fails ({error}); see to it and start again, all recorded is safe"
            )
        if code == sqlite3.SQLITE_NOTADB:
            if self._path.with_name("crawl.toml").exists():
                return StoreError(f"{self._path}: no database, or its beginning is damaged; {self._advice()}")
            return StoreError(f"{self._path}: not a crawl database; name a crawl directory")
        if code == sqlite3.SQLITE_CORRUPT:
            return StoreError(f"{self._path}: the database is damaged ({error}); {self._advice()}")
        if code == sqlite3.SQLITE_BUSY:
            return StoreError(f"{self._path}: another process has been writing for too long; end it and try again")
        if code == sqlite3.SQLITE_CANTOPEN and not _may_open():
            return OpenFilesError()
        if code == sqlite3.SQLITE_CANTOPEN:
            return StoreError(f"{self._path}: cannot be opened; see that it exists and that you may read it")
        return StoreError(f"{self._path}: {error}")


def _may_open() -> bool:
    """Tell whether this process may open one more file: SQLite does not say why it could not."""
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
    except OSError as error:
        return not OpenFilesError.explains(error)
    return True
