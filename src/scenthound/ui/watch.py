"""Looking at a crawl again and again for all who watch it: what several browsers ask for is read once, and nothing too
often.

Each part has a pace: never faster than a second or so, and never so fast that reading it takes more than a twentieth of
one core; so a window costs a large crawl no more than a small one.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from scenthound.crawl.critic.crawl_critic import APPLIED
from scenthound.crawl.diagnosis.advice import FINDINGS, findings_in
from scenthound.crawl.diagnosis.reader_answers import Answers, latest_answers
from scenthound.crawl.diagnosis.speed import explain
from scenthound.crawl.diagnosis.unchecked_harvest import with_answers
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.awaited_host import awaiting
from scenthound.crawl.order.note import order_of
from scenthound.events import Finding
from scenthound.services.crawls.engine_process import EngineState
from scenthound.services.crawls.reader_store import reading
from scenthound.services.sql.read_connection import asking
from scenthound.services.status.apprentice_status import ApprenticeStatus, apprentice_status
from scenthound.services.status.learnt_status import LearntStatus, what_was_learnt
from scenthound.services.status.pulse import Priorities, Pulse, priorities_of, pulse_of
from scenthound.services.status.relevance_trace import Trace, trace_of
from scenthound.types import Census, HostView
from scenthound.ui.window import Window

T = TypeVar("T")

SHARE: Final = 20  # a part is read at most this often: its cost times this must have passed
EVERY: Final = 1.0  # seconds between two readings of the quick parts
SELDOM: Final = 8.0  # of the slow ones


class Paced(Generic[T]):
    """A value that is read again only when it is old. Simultaneous readers share one reading.

    With `meanwhile`, readers get the old value while the new one is read, so nobody waits.
    """

    def __init__(self, read: Callable[[], T], *, least: float, meanwhile: bool = False) -> None:
        self._read = read
        self._least = least
        self._meanwhile = meanwhile
        self._renewing: asyncio.Task[T] | None = None
        self._value: T | None = None
        self._next = 0.0
        self.read_at = 0.0  # when the last reading began
        self._reading = asyncio.Lock()

    @property
    def last(self) -> T | None:
        """The last value, if there is one."""
        return self._value

    async def value(self) -> T:
        """Return the value; read it again if it is old."""
        if not self._meanwhile or self._value is None:
            return await self._renewed()
        if time.monotonic() >= self._next and (self._renewing is None or self._renewing.done()):
            self._renewing = asyncio.create_task(self._renewed())
        return self._value

    async def _renewed(self) -> T:
        async with self._reading:
            if self._value is None or time.monotonic() >= self._next:
                began = self.read_at = time.monotonic()
                self._value = await asyncio.to_thread(self._read)
                cost = time.monotonic() - began
                self._next = time.monotonic() + max(self._least, SHARE * cost)
            return self._value


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The quick parts, which change every second."""

    at: float
    engine: EngineState
    census: Census
    pulse: Pulse | None
    judged: str = ""  # changes when all that is stored has been judged again


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """The slow parts: the fullest hosts, priorities, what slows the crawl down, the apprentice, findings, answers."""

    hosts: tuple[HostView, ...]
    priorities: Priorities
    explanation: tuple[str, ...]
    apprentice: ApprenticeStatus | None = None
    findings: tuple[Finding, ...] = ()
    answers: Answers | None = None
    learnt: LearntStatus | None = None


class Watch:
    """The watch over one crawl."""

    def __init__(self, window: Window, directory: CrawlDirectory) -> None:
        self._window = window
        self._directory = directory
        self._look = Paced(self._read_look, least=EVERY)
        self._background = Paced(self._read_background, least=SELDOM, meanwhile=True)
        self._traces: dict[int, Paced[Trace]] = {}
        self._known: object = None
        self._changed = 0.0  # when the quick parts were last seen to have changed

    async def look(self) -> Look:
        found = await self._look.value()
        if self._known != (found.engine, found.census):
            self._known, self._changed = (found.engine, found.census), time.monotonic()
        return found

    @property
    def last_look(self) -> Look | None:
        """The last look, however old. A page starts with it."""
        return self._look.last

    async def background(self) -> Background:
        return await self._background.value()

    @property
    def last_background(self) -> Background | None:
        return self._background.last

    @property
    def background_is_behind(self) -> bool:
        """Whether the slow parts are older than the last change of the quick ones, and must be read again."""
        return self._background.read_at <= self._changed

    async def trace(self, latest: int) -> Trace:
        if latest not in self._traces:
            self._traces[latest] = Paced(lambda: self._read_trace(latest), least=EVERY)
        return await self._traces[latest].value()

    async def trace_between(self, first: int, last: int) -> Trace:
        """Return the part of a trace between two pages. Zooming in asks for it, so it is not shared."""
        return await asyncio.to_thread(self._read_trace, 0, (first, last))

    def _read_look(self) -> Look:
        now, state = time.time(), self._window.engine.state(self._directory)
        if not self._directory.begun:
            return Look(at=now, engine=state, census=Census(), pulse=None)
        with reading(self._directory) as store:
            census, judged = store.census(now=now), store.note(APPLIED) or ""
        with asking(self._directory) as con:
            return Look(at=now, engine=state, census=census, pulse=pulse_of(con, now=now), judged=judged)

    def _read_background(self) -> Background:
        if not self._directory.begun:
            return Background(hosts=(), priorities=Priorities(), explanation=())
        now, running = time.time(), self._directory.is_running()
        with reading(self._directory) as store:
            hosts, census = store.hosts(now=now, limit=12), store.census(now=now)
            bad = store.hosts(now=now, state="bad", limit=5)
            findings, order = findings_in(store.note(FINDINGS)), order_of(store)
            awaited = awaiting(store, now=now) if running else None
            learnt = what_was_learnt(self._directory, store)
        answers = latest_answers(self._directory.path)
        with asking(self._directory) as con:
            priorities, apprentice = priorities_of(con), apprentice_status(con, order=order)
        told = explain(census, [*hosts, *(host for host in bad if host not in hosts)], now, running, awaited)
        return Background(
            hosts=tuple(hosts),
            priorities=priorities,
            explanation=tuple(told),
            apprentice=apprentice,
            findings=with_answers(findings, self._directory.path, answers, census),
            answers=answers,
            learnt=learnt,
        )

    def _read_trace(self, latest: int, span: tuple[int, int] | None = None) -> Trace:
        if not self._directory.begun:
            return Trace(last=0, dots=(), average=(), whole=True)
        with asking(self._directory) as con:
            return trace_of(con, latest=latest, span=span)


class Watches:
    """The watches of all crawls, created on first use."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._by_name: dict[str, Watch] = {}

    def of(self, name: str) -> Watch:
        if name not in self._by_name:
            self._by_name[name] = Watch(self._window, self._window.open(name))
        return self._by_name[name]
