"""The embedded store: one SQLite database in write-ahead mode, one writer, any number of readers beside it.

Each verb is one transaction over the plain functions of the neighbouring `sqlite_*` files; `schema.sql` says what
the tables mean. A recorded batch is on disk when `record` returns, or, where the caller has something else to do meanwhile,
when `settle` does; claims may be lost with the machine's power, which only means that their URLs are waiting again.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from scenthound.store import (
    sqlite_bearings,
    sqlite_check,
    sqlite_claim,
    sqlite_judging,
    sqlite_lessons,
    sqlite_moves,
    sqlite_prestige,
    sqlite_views,
    sqlite_visits,
)
from scenthound.store.base import Stand
from scenthound.store.rules import HostState
from scenthound.store.sqlite_links import absorb
from scenthound.store.sqlite_memo import Memo
from scenthound.store.sqlite_record import record
from scenthound.store.sqlite_session import Session
from scenthound.store.sqlite_work import Work
from scenthound.types import (
    ArchiveSpot,
    Awaited,
    Bearings,
    Census,
    Claim,
    CriticRecord,
    Discovery,
    Distillation,
    GoodPage,
    HeldBack,
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
    PutOff,
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
        self._bad_after = bad_after
        self._memo = Memo()
        self._taught = 0
        self._session = Session(
            Path(path), read_only=read_only, quota=quota, log_bytes=int(log_mb * 1_000_000), forget=self._memo.forget
        )

    def __enter__(self) -> Self:
        self._session.open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the database; a second time does nothing."""
        self._session.close()
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

    def held_back(self, *, now: float, choosy: float, most: int) -> HeldBack:
        with self._session.snapshot() as con:
            return sqlite_claim.held_back(con, sqlite_views.limits(con), now=now, choosy=choosy, most=most)

    def awaited(self, *, now: float) -> Awaited | None:
        with self._session.snapshot() as con:
            return sqlite_claim.awaited(con, now)

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
        later = soon and self._session.has_log
        with self._work(now, durable=not later) as work:
            recorded = record(work, outcomes, bad_after=self._bad_after)
            work.con.executemany("INSERT OR REPLACE INTO archive_files VALUES (?, ?)", archived.items())
            if synced is not None:
                synced()
        if later:
            self._session.sync_beside()
        self._session.turn_log()
        return recorded

    def settle(self) -> None:
        self._session.settle()

    def move(self, priorities: Mapping[str, float], *, now: float) -> int:
        with self._work(now, durable=True) as work:
            moved = sqlite_moves.move(work, priorities)
            work.finish()
        self._session.turn_log()
        return moved

    def waiting(self, *, after: int = 0, limit: int) -> list[Waiting]:
        with self._session.errors():
            return sqlite_moves.waiting(self._session.con, after, limit)

    def bearings(self, *, nofollow: bool, after: int = 0, limit: int, host: str = "") -> list[Bearings]:
        with self._session.snapshot() as con:
            return sqlite_bearings.waiting(con, after, limit, host, nofollow=nofollow)

    def bearings_of(self, urls: Sequence[str], *, nofollow: bool) -> list[Bearings]:
        with self._session.snapshot() as con:
            return sqlite_bearings.of(con, urls, nofollow=nofollow)

    def revisit(self, turns: Mapping[str, int], *, now: float) -> int:
        with self._work(now, durable=True) as work:
            put_back = sqlite_claim.revisit(work, turns)
        self._memo.forget()  # it may say of pages that no link can raise them
        self._session.turn_log()
        return put_back

    def wind_back(self, *, now: float) -> PutOff:
        with self._work(now, durable=True) as work:
            return sqlite_claim.wind_back(work)

    def leave_alone(self, *, now: float) -> int:
        with self._work(now, durable=True) as work:
            left = sqlite_claim.leave_alone(work)
        self._memo.forget()  # it may say of pages that a link can raise them
        return left

    def revisit_pages(self, urls: Sequence[str], *, priority: float, now: float) -> int:
        with self._work(now, durable=True) as work:
            ids = dict.fromkeys(sqlite_views.url_id(work.con, url) for url in urls)
            put_back = sqlite_claim.revisit_pages(work, [id for id in ids if id is not None], priority)
        self._memo.forget()  # it may say of pages that no link can raise them
        return put_back

    def visited(self, *, after: int = 0, limit: int, again: bool = False) -> list[Visited]:
        with self._session.snapshot() as con:
            return sqlite_visits.visited(con, after, limit, again=again)

    def good_pages(self, *, after: int = 0, least: float, limit: int) -> list[GoodPage]:
        with self._session.errors():
            return sqlite_visits.good_pages(self._session.con, after, least, limit)

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
        with self._session.transaction(durable=True) as con:
            sqlite_judging.engage(con, record)

    def rejudge(self, verdicts: Sequence[tuple[HeldPage, Judgement | None]], *, critic: int, stand: Stand) -> None:
        with self._work(0.0, durable=True) as work:
            sqlite_judging.rejudge(work, verdicts, critic, stand)
        self._session.turn_log()

    def rescore(self, *, by_promise: bool, blend: bool, nofollow: bool, now: float) -> int:
        with self._work(now, durable=True) as work:
            moved = sqlite_judging.rescore(work, by_promise=by_promise, blend=blend, nofollow=nofollow)
        self._memo.forget()  # it may say of some that no link can raise them
        self._session.turn_log()
        return moved

    def critic(self) -> CriticRecord | None:
        with self._session.errors():
            return sqlite_judging.critic(self._session.con)

    def examples_due(self, *, now: float) -> float | None:
        with self._session.errors():
            return sqlite_views.examples_due(self._session.con, now)

    def held(self, urls: Sequence[str]) -> dict[str, HeldPage]:
        with self._session.snapshot() as con:
            return sqlite_judging.held(con, urls)

    def neighbours(self, urls: Sequence[str], *, limit: int) -> list[HeldPage]:
        with self._session.snapshot() as con:
            return sqlite_judging.neighbours(con, urls, limit)

    def cited(self, urls: Sequence[str], *, limit: int) -> list[str]:
        with self._session.snapshot() as con:
            return sqlite_judging.cited(con, urls, limit)

    def drawn(self, *, limit: int, first: int) -> list[HeldPage]:
        with self._session.snapshot() as con:
            return sqlite_judging.drawn(con, limit, first)

    def distinct_pages(self) -> int:
        with self._session.snapshot() as con:
            return sqlite_judging.distinct_pages(con)

    def critics(self) -> list[CriticRecord]:
        with self._session.errors():
            return sqlite_judging.critics(self._session.con)

    def to_judge(self, *, critic: int, after: int = 0, limit: int) -> list[HeldPage]:
        with self._session.errors():
            return sqlite_judging.to_judge(self._session.con, critic, after, limit)

    def topic_counts(self) -> dict[str, TopicCount]:
        with self._session.errors():
            return sqlite_judging.topic_counts(self._session.con)

    # -- lessons

    def lessons(self, *, after: int = 0, limit: int) -> list[Lesson]:
        with self._session.errors():
            return sqlite_lessons.lessons(self._session.con, after, limit)

    def last_lesson(self) -> int:
        with self._session.errors():
            return sqlite_lessons.last(self._session.con)

    def lesson(self, url: str) -> Lesson | None:
        with self._session.snapshot() as con:
            return sqlite_lessons.lesson(con, url)

    def untaught(self, *, limit: int, nofollow: bool = True) -> list[tuple[Lesson, ArchiveSpot | None]]:
        with self._session.snapshot() as con:
            self._taught = sqlite_lessons.taught(con, self._taught)
            return sqlite_lessons.untaught(con, self._taught, limit, nofollow=nofollow)

    def teach(self, lessons: Sequence[Lesson]) -> None:
        with self._session.transaction(durable=True) as con:
            sqlite_lessons.teach(con, lessons)
        self._session.turn_log()

    # -- hubs and authorities

    def distilled(
        self, found: Distillation, scores: Sequence[PageScore], *, moves: Mapping[str, float], now: float
    ) -> int:
        with self._work(now, durable=True) as work:
            version = sqlite_prestige.distilled(work.con, found, scores)
            sqlite_moves.move(work, moves)
            work.finish()
        self._session.turn_log()
        return version

    def distillations(self, *, after: int = 0) -> list[Distillation]:
        with self._session.snapshot() as con:
            return sqlite_prestige.distillations(con, after)

    def last_distillation(self) -> Distillation | None:
        with self._session.snapshot() as con:
            return sqlite_prestige.last(con)

    def page_scores(self, urls: Sequence[str]) -> dict[str, PageScore]:
        with self._session.snapshot() as con:
            return sqlite_prestige.page_scores(con, urls)

    def hubs(self, *, limit: int) -> list[PageScore]:
        with self._session.errors():
            return sqlite_prestige.best(self._session.con, "hub", limit)

    def authorities(self, *, limit: int) -> list[PageScore]:
        with self._session.errors():
            return sqlite_prestige.best(self._session.con, "authority", limit)

    def unvisited(self, urls: Sequence[str]) -> list[Unvisited]:
        with self._session.snapshot() as con:
            return sqlite_prestige.unvisited(con, urls)

    def link_yields(self, urls: Sequence[str]) -> dict[str, LinkYield]:
        with self._session.snapshot() as con:
            return sqlite_prestige.link_yields(con, urls)

    def link_count(self) -> int:
        with self._session.errors():
            return int(self._session.con.execute("SELECT count(*) FROM links").fetchone()[0])

    # -- looking

    def next_due(self, *, now: float, again: bool = False) -> float | None:
        with self._session.errors():
            return sqlite_views.next_due(self._session.con, now, again=again)

    def robots(self, origin: str) -> RobotsAnswer | None:
        with self._session.errors():
            return sqlite_views.robots(self._session.con, origin)

    def originals(self, digests: Sequence[str]) -> dict[str, Original]:
        with self._session.snapshot() as con:
            return sqlite_views.originals(con, digests)

    def shape_yields(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], ShapeYield]:
        with self._session.snapshot() as con:
            return sqlite_views.shape_yields(con, keys)

    def census(self, *, now: float) -> Census:
        with self._session.snapshot() as con:
            return sqlite_views.census(con, now)

    def crowded_domains(self, *, least: int) -> dict[str, int]:
        query = "SELECT domain, count(*) FROM hosts GROUP BY domain HAVING count(*) >= ?"
        with self._session.errors():
            return {str(domain): int(hosts) for domain, hosts in self._session.con.execute(query, (least,))}

    def pages_of_domains(self) -> dict[str, int]:
        with self._session.errors():
            rows = self._session.con.execute(
                "SELECT domain, sum(pages) FROM hosts GROUP BY domain HAVING sum(pages) > 0"
            )
            return {str(domain): int(pages) for domain, pages in rows}

    def host(self, name: str, *, now: float) -> HostView | None:
        with self._session.snapshot() as con:
            return sqlite_views.host(con, name, now)

    def hosts(self, *, now: float, state: str | None = None, limit: int = 20) -> list[HostView]:
        with self._session.snapshot() as con:
            return sqlite_views.hosts(con, now, HostState(state) if state else None, limit)

    def story(self, url: str, *, now: float) -> Story | None:
        with self._session.snapshot() as con:
            return sqlite_views.story(con, url, now)

    def pages(
        self, *, after: int = 0, everything: bool = False, min_relevance: float | None = None
    ) -> Iterator[PageRow]:
        with self._session.errors():
            yield from sqlite_views.pages(
                self._session.con, after=after, everything=everything, min_relevance=min_relevance
            )

    def recent(self, *, limit: int) -> list[RecentPage]:
        with self._session.errors():
            return sqlite_views.recent(self._session.con, limit)

    def archived(self) -> dict[str, int]:
        with self._session.errors():
            return dict(self._session.con.execute("SELECT file, length FROM archive_files").fetchall())

    def lose_archive(self, file: str, size: int) -> int:
        """Strike off what an archive file had beyond a size, 0 for a file that is gone; return of how many pages.

        Their validators go too, so that the next visit brings the whole page, and nothing will point to what is lost.
        """
        with self._session.transaction(durable=True) as con:
            lost = con.execute(
                """UPDATE pages SET archive_file = NULL, archive_offset = NULL, archive_length = NULL, etag = NULL,
                last_modified = NULL, payload = '' WHERE archive_file = ? AND archive_offset + archive_length > ?""",
                (file, size),
            ).rowcount
            con.execute("UPDATE archive_files SET length = ? WHERE file = ?", (size, file))
            con.execute("DELETE FROM archive_files WHERE length = 0")
        return lost

    def note(self, key: str, value: str | None = None) -> str | None:
        if value is not None:
            with self._session.transaction(durable=True) as con:
                con.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (key, value))
        with self._session.errors():
            row = self._session.con.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def check(self) -> list[str]:
        """Recompute every total and queue from the rows, and return what does not agree, one line each."""
        with self._session.snapshot() as con:
            return sqlite_check.check(con)

    # -- transactions

    @contextmanager
    def _work(self, now: float, *, durable: bool) -> Iterator[Work]:
        with self._session.transaction(durable=durable) as con:
            yield Work(con, self._memo, now=now, limits=sqlite_views.limits(con))
