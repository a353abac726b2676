"""The embedded store: one SQLite database in write-ahead mode, one writer, any number of readers beside it.

Each verb is one transaction over the plain functions of the neighbouring `sqlite_*` files; `schema.sql` says what
the tables mean. A recorded batch is on disk when `record` returns, or, where the caller has something else to do meanwhile,
when `settle` does; claims may be lost with the machine's power, which only means that their URLs are waiting again.
"""

import errno
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from scenthound.errors import DiskFullError, StoreError
from scenthound.store import (
    sqlite_bearings,
    sqlite_check,
    sqlite_claim,
    sqlite_judging,
    sqlite_lessons,
    sqlite_log,
    sqlite_moves,
    sqlite_prestige,
    sqlite_views,
    sqlite_visits,
)
from scenthound.store.base import Stand
from scenthound.store.rules import HostState
from scenthound.store.sqlite_links import absorb
from scenthound.store.sqlite_memo import Memo
from scenthound.store.sqlite_opening import open_reader, open_writer
from scenthound.store.sqlite_record import record
from scenthound.store.sqlite_work import Work
from scenthound.types import (
    ArchiveSpot,
    Bearings,
    Census,
    Claim,
    CriticRecord,
    Discovery,
    Distillation,
    GoodPage,
    HeldPage,
    HostView,
    Judgement,
    Lesson,
    Limits,
    LinkYield,
    Original,
    Outcome,
    PageRow,
    PageScore,
    Reason,
    RecentPage,
    Recorded,
    RobotsAnswer,
    ShapeYield,
    Story,
    TopicCount,
    Unvisited,
    Visited,
    Waiting,
)

LOG_MB = 64  # of write-ahead log before it is taken over: a leaf is then written to the database once for many batches


class SqliteStore:
    """Keep a crawl in one file; use it in a `with`.

    `read_only` is for looking on while another process crawls. `quota` is a size in bytes that the file must not
    pass, 0 for none: beyond it the store behaves as on a full disk. `log_mb` is for tests.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        read_only: bool = False,
        bad_after: int = 3,
        quota: int = 0,
        log_mb: float = LOG_MB,
    ) -> None:
        self._path = Path(path)
        self._read_only = read_only
        self._bad_after = bad_after
        self._quota = quota
        self._log_bytes = int(log_mb * 1_000_000)
        self._log_limit = self._log_bytes
        self._memo = Memo()
        self._taught = 0
        self._open: sqlite3.Connection | None = None
        self._beside: ThreadPoolExecutor | None = None
        self._syncing: Future[None] | None = None

    def __enter__(self) -> Self:
        with self._errors():
            self._open = open_reader(self._path) if self._read_only else open_writer(self._path, quota=self._quota)
        self._beside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="log")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the database; a second time does nothing."""
        if self._beside:
            self._beside.shutdown()
        if self._open:
            self._open.close()
            self._open = None
        self._memo.forget()

    # -- the frontier

    def add(self, discoveries: Sequence[Discovery], *, now: float) -> int:
        with self._work(now, durable=True) as work:
            new = absorb(work, discoveries, None).new
            work.finish()
        return new

    def claim(self, *, owner: str, now: float, limit: int, limits: Limits, lease: float) -> list[Claim]:
        with self._work(now, durable=False) as work:
            old, work.limits = work.limits, limits
            if old != replace(limits, examples=False, choosy=0.0):
                sqlite_claim.adopt_limits(work, old)
            return sqlite_claim.take(work, owner=owner, limit=limit, lease=lease)

    def record(
        self,
        outcomes: Sequence[Outcome],
        *,
        now: float,
        archived: dict[str, int],
        synced: Callable[[], None] | None = None,
        soon: bool = False,
    ) -> list[Recorded]:
        self.settle()
        has_log = sqlite_log.log_of(self._path).exists()  # a database in memory has none
        later = self._beside if soon and has_log else None
        with self._work(now, durable=later is None) as work:
            recorded = record(work, outcomes, bad_after=self._bad_after)
            work.con.executemany("INSERT OR REPLACE INTO archive_files VALUES (?, ?)", archived.items())
            if synced is not None:
                synced()
        if later is not None:
            self._syncing = later.submit(sqlite_log.sync, self._path)
        self._turn_log()
        return recorded

    def settle(self) -> None:
        syncing, self._syncing = self._syncing, None
        if syncing is None:
            return
        try:
            with self._errors():
                syncing.result()
        except OSError as error:
            raise StoreError(f"{self._path}: {error.strerror}; see to the disk and start again") from error

    def move(self, priorities: Mapping[str, float], *, now: float) -> int:
        with self._work(now, durable=True) as work:
            moved = sqlite_moves.move(work, priorities)
            work.finish()
        self._turn_log()
        return moved

    def waiting(self, *, after: int = 0, limit: int) -> list[Waiting]:
        with self._errors():
            return sqlite_moves.waiting(self._con, after, limit)

    def bearings(self, *, nofollow: bool, after: int = 0, limit: int, host: str = "") -> list[Bearings]:
        with self._snapshot() as con:
            return sqlite_bearings.waiting(con, after, limit, host, nofollow=nofollow)

    def bearings_of(self, urls: Sequence[str], *, nofollow: bool) -> list[Bearings]:
        with self._snapshot() as con:
            return sqlite_bearings.of(con, urls, nofollow=nofollow)

    def revisit(self, turns: Mapping[str, int], *, now: float) -> int:
        with self._work(now, durable=True) as work:
            put_back = sqlite_claim.revisit(work, turns)
        self._memo.forget()  # it may say of pages that no link can raise them
        self._turn_log()
        return put_back

    def revisit_pages(self, urls: Sequence[str], *, priority: float, now: float) -> int:
        with self._work(now, durable=True) as work:
            ids = dict.fromkeys(sqlite_views.url_id(work.con, url) for url in urls)
            put_back = sqlite_claim.revisit_pages(work, [id for id in ids if id is not None], priority)
        self._memo.forget()  # it may say of pages that no link can raise them
        return put_back

    def visited(self, *, after: int = 0, limit: int, again: bool = False) -> list[Visited]:
        with self._snapshot() as con:
            return sqlite_visits.visited(con, after, limit, again=again)

    def good_pages(self, *, after: int = 0, least: float, limit: int) -> list[GoodPage]:
        with self._errors():
            return sqlite_visits.good_pages(self._con, after, least, limit)

    def found_backwards(
        self, cited: str, discoveries: Sequence[Discovery], *, now: float, citing: Sequence[str] | None = None
    ) -> int:
        with self._work(now, durable=True) as work:
            new = sqlite_visits.found_backwards(work, cited, discoveries, citing)
            work.finish()
        return new

    def forgive(self, *, now: float) -> int:
        with self._work(now, durable=True) as work:
            return sqlite_claim.forgive(work)

    def reconsider(self, reasons: Collection[Reason], *, now: float) -> int:
        with self._work(now, durable=True) as work:
            put_back = sqlite_claim.reconsider(work, reasons)
        self._memo.forget()  # it may say of them that no link can raise them
        return put_back

    def release(self, *, owner: str | None, now: float) -> int:
        with self._work(now, durable=False) as work:
            return sqlite_claim.release(work, owner)

    # -- critics

    def engage(self, record: CriticRecord) -> None:
        with self._transaction(durable=True) as con:
            sqlite_judging.engage(con, record)

    def rejudge(self, verdicts: Sequence[tuple[HeldPage, Judgement | None]], *, critic: int, stand: Stand) -> None:
        with self._work(0.0, durable=True) as work:
            sqlite_judging.rejudge(work, verdicts, critic, stand)
        self._turn_log()

    def rescore(self, *, by_promise: bool, blend: bool, nofollow: bool, now: float) -> int:
        with self._work(now, durable=True) as work:
            moved = sqlite_judging.rescore(work, by_promise=by_promise, blend=blend, nofollow=nofollow)
        self._memo.forget()  # it may say of some that no link can raise them
        self._turn_log()
        return moved

    def critic(self) -> CriticRecord | None:
        with self._errors():
            return sqlite_judging.critic(self._con)

    def examples_due(self, *, now: float) -> float | None:
        with self._errors():
            return sqlite_views.examples_due(self._con, now)

    def held(self, urls: Sequence[str]) -> dict[str, HeldPage]:
        with self._snapshot() as con:
            return sqlite_judging.held(con, urls)

    def neighbours(self, urls: Sequence[str], *, limit: int) -> list[HeldPage]:
        with self._snapshot() as con:
            return sqlite_judging.neighbours(con, urls, limit)

    def cited(self, urls: Sequence[str], *, limit: int) -> list[str]:
        with self._snapshot() as con:
            return sqlite_judging.cited(con, urls, limit)

    def drawn(self, *, limit: int, most_relevance: float | None = None) -> list[HeldPage]:
        with self._snapshot() as con:
            return sqlite_judging.drawn(con, limit, most_relevance)

    def to_judge(self, *, critic: int, after: int = 0, limit: int) -> list[HeldPage]:
        with self._errors():
            return sqlite_judging.to_judge(self._con, critic, after, limit)

    def topic_counts(self) -> dict[str, TopicCount]:
        with self._errors():
            return sqlite_judging.topic_counts(self._con)

    # -- lessons

    def lessons(self, *, after: int = 0, limit: int) -> list[Lesson]:
        with self._errors():
            return sqlite_lessons.lessons(self._con, after, limit)

    def last_lesson(self) -> int:
        with self._errors():
            return sqlite_lessons.last(self._con)

    def lesson(self, url: str) -> Lesson | None:
        with self._snapshot() as con:
            return sqlite_lessons.lesson(con, url)

    def untaught(self, *, limit: int, nofollow: bool = True) -> list[tuple[Lesson, ArchiveSpot | None]]:
        with self._snapshot() as con:
            self._taught = sqlite_lessons.taught(con, self._taught)
            return sqlite_lessons.untaught(con, self._taught, limit, nofollow=nofollow)

    def teach(self, lessons: Sequence[Lesson]) -> None:
        with self._transaction(durable=True) as con:
            sqlite_lessons.teach(con, lessons)
        self._turn_log()

    # -- hubs and authorities

    def distilled(
        self, found: Distillation, scores: Sequence[PageScore], *, moves: Mapping[str, float], now: float
    ) -> int:
        with self._work(now, durable=True) as work:
            version = sqlite_prestige.distilled(work.con, found, scores)
            sqlite_moves.move(work, moves)
            work.finish()
        self._turn_log()
        return version

    def distillations(self, *, after: int = 0) -> list[Distillation]:
        with self._snapshot() as con:
            return sqlite_prestige.distillations(con, after)

    def last_distillation(self) -> Distillation | None:
        with self._snapshot() as con:
            return sqlite_prestige.last(con)

    def page_scores(self, urls: Sequence[str]) -> dict[str, PageScore]:
        with self._snapshot() as con:
            return sqlite_prestige.page_scores(con, urls)

    def hubs(self, *, limit: int) -> list[PageScore]:
        with self._errors():
            return sqlite_prestige.best(self._con, "hub", limit)

    def authorities(self, *, limit: int) -> list[PageScore]:
        with self._errors():
            return sqlite_prestige.best(self._con, "authority", limit)

    def unvisited(self, urls: Sequence[str]) -> list[Unvisited]:
        with self._snapshot() as con:
            return sqlite_prestige.unvisited(con, urls)

    def link_yields(self, urls: Sequence[str]) -> dict[str, LinkYield]:
        with self._snapshot() as con:
            return sqlite_prestige.link_yields(con, urls)

    def link_count(self) -> int:
        with self._errors():
            return int(self._con.execute("SELECT count(*) FROM links").fetchone()[0])

    # -- looking

    def next_due(self, *, now: float, again: bool = False) -> float | None:
        with self._errors():
            return sqlite_views.next_due(self._con, now, again=again)

    def robots(self, origin: str) -> RobotsAnswer | None:
        with self._errors():
            return sqlite_views.robots(self._con, origin)

    def originals(self, digests: Sequence[str]) -> dict[str, Original]:
        with self._errors():
            return sqlite_views.originals(self._con, digests)

    def shape_yields(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], ShapeYield]:
        with self._errors():
            return sqlite_views.shape_yields(self._con, keys)

    def census(self, *, now: float) -> Census:
        with self._snapshot() as con:
            return sqlite_views.census(con, now)

    def hosts(self, *, now: float, state: str | None = None, limit: int = 20) -> list[HostView]:
        with self._snapshot() as con:
            return sqlite_views.hosts(con, now, HostState(state) if state else None, limit)

    def story(self, url: str, *, now: float) -> Story | None:
        with self._snapshot() as con:
            return sqlite_views.story(con, url, now)

    def pages(
        self, *, after: int = 0, everything: bool = False, min_relevance: float | None = None
    ) -> Iterator[PageRow]:
        with self._errors():
            yield from sqlite_views.pages(self._con, after=after, everything=everything, min_relevance=min_relevance)

    def recent(self, *, limit: int) -> list[RecentPage]:
        with self._errors():
            return sqlite_views.recent(self._con, limit)

    def archived(self) -> dict[str, int]:
        with self._errors():
            return dict(self._con.execute("SELECT file, length FROM archive_files").fetchall())

    def note(self, key: str, value: str | None = None) -> str | None:
        if value is not None:
            with self._transaction(durable=True) as con:
                con.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (key, value))
        with self._errors():
            row = self._con.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def check(self) -> list[str]:
        """Recompute every total and queue from the rows, and return what does not agree, one line each."""
        with self._snapshot() as con:
            return sqlite_check.check(con)

    # -- transactions

    @property
    def _con(self) -> sqlite3.Connection:
        if self._open is None:
            raise StoreError(f"{self._path}: the store is not open; use it in a `with`")
        return self._open

    @contextmanager
    def _work(self, now: float, *, durable: bool) -> Iterator[Work]:
        with self._transaction(durable=durable) as con:
            yield Work(con, self._memo, now=now, limits=sqlite_views.limits(con))

    @contextmanager
    def _transaction(self, *, durable: bool) -> Iterator[sqlite3.Connection]:
        """Do everything or nothing. A durable transaction is on disk at its end."""
        con = self._con
        with self._errors():
            con.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            con.execute("BEGIN IMMEDIATE")
            try:
                yield con
                con.execute("COMMIT")
            except BaseException:
                self._memo.forget()
                if con.in_transaction:
                    con.execute("ROLLBACK")
                raise

    def _turn_log(self) -> None:
        """Take the log over when it has grown; with a reader in the way, try again when it has grown more."""
        size = sqlite_log.length(self._path)
        if size > self._log_limit:
            with self._errors():
                turned = sqlite_log.turn(self._con, self._path)
            self._log_limit = self._log_bytes if turned else size + self._log_bytes

    @contextmanager
    def _snapshot(self) -> Iterator[sqlite3.Connection]:
        """Let several queries see one moment, whatever another process writes meanwhile."""
        con = self._con
        with self._errors():
            con.execute("BEGIN")
            try:
                yield con
            finally:
                if con.in_transaction:
                    con.execute("ROLLBACK")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Say in one line what is wrong with the database, and what to do."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._explained(error) from error
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise DiskFullError(f"{self._path}: the disk is full; make room and run the crawl again") from error

    def _explained(self, error: sqlite3.Error) -> StoreError:
        extended = getattr(error, "sqlite_errorcode", 0)
        code = extended & 0xFF
        # SQLite calls a disk full at ENOSPC only; a used-up quota or a limit on file sizes is a failed write to it.
        if code == sqlite3.SQLITE_FULL or extended in (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE):
            return DiskFullError(f"{self._path}: the disk is full; make room and run the crawl again")
        if code == sqlite3.SQLITE_NOTADB:
            return StoreError(f"{self._path}: not a crawl database; name a crawl directory")
        if code == sqlite3.SQLITE_CORRUPT:
            return StoreError(f"{self._path}: the database is damaged ({error}); restore it from a copy")
        if code == sqlite3.SQLITE_BUSY:
            return StoreError(f"{self._path}: another process has been writing for too long; end it and try again")
        if code == sqlite3.SQLITE_CANTOPEN:
            return StoreError(f"{self._path}: cannot be opened; see that it exists and that you may read it")
        return StoreError(f"{self._path}: {error}")
