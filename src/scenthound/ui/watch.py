"""Looking at a crawl again and again for all who watch it: what several browsers ask for is read once, and nothing too often.

Each part has a pace: never faster than a second or so, and never so fast that reading it takes more than a twentieth of one
core; so a window costs a large crawl no more than a small one.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from scenthound.crawl.advising import FINDINGS, findings_in
from scenthound.crawl.awaiting import awaiting
from scenthound.crawl.directory import CrawlDirectory
from scenthound.crawl.judging import APPLIED
from scenthound.crawl.noted_order import order_of
from scenthound.crawl.stats import explain
from scenthound.desk.asking import asking
from scenthound.desk.engine import EngineState
from scenthound.desk.pulse import Priorities, Pulse, priorities_of, pulse_of
from scenthound.desk.reading import reading
from scenthound.desk.status_apprentice import ApprenticeStatus, apprentice_status
from scenthound.desk.trace import Trace, trace_of
from scenthound.events import Finding
from scenthound.types import Census, HostView
from scenthound.ui.window import Window

T = TypeVar("T")

SHARE: Final = 20  # a part is read at most this often: its cost times this must have passed
EVERY: Final = 1.0  # seconds between two readings of the quick parts
SELDOM: Final = 8.0  # of the slow ones


class Paced(Generic[T]):
    """A value that is read again only when it is old; readers at the same time share one reading.

    With `meanwhile`, the old value is given out while the new one is being read, so that nobody waits for it.
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
        """The value that was read last, if any was."""
        return self._value

    async def value(self) -> T:
        """Return the value, read anew if it is old."""
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
    """The quick parts: what changes from second to second."""

    at: float
    engine: EngineState
    census: Census
    pulse: Pulse | None
    judged: str = ""  # changes when all that is stored has been judged again


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """The slow parts: hosts with most waiting, what the frontier promises, what holds the crawl back, and how the apprentice does."""

    hosts: tuple[HostView, ...]
    priorities: Priorities
    explanation: tuple[str, ...]
    apprentice: ApprenticeStatus | None = None
    findings: tuple[Finding, ...] = ()


class Watch:
    """What is watched of one crawl."""

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
        """What was seen last, however long ago; a page begins with it."""
        return self._look.last

    async def background(self) -> Background:
        return await self._background.value()

    @property
    def last_background(self) -> Background | None:
        return self._background.last

    @property
    def background_is_behind(self) -> bool:
        """Whether the slow parts were last read before the quick ones changed; then they are to be asked for until they are not."""
        return self._background.read_at <= self._changed

    async def trace(self, latest: int) -> Trace:
        if latest not in self._traces:
            self._traces[latest] = Paced(lambda: self._read_trace(latest), least=EVERY)
        return await self._traces[latest].value()

    async def trace_between(self, first: int, last: int) -> Trace:
        """Return what lies between two pages of a trace; a reader asks for it by zooming in, so nobody shares it."""
        return await asyncio.to_thread(self._read_trace, 0, (first, last))

    def _read_look(self) -> Look:
        now, state = time.time(), self._window.engine.state(self._directory)
        if not self._directory.database.exists():
            return Look(at=now, engine=state, census=Census(), pulse=None)
        with reading(self._directory) as store:
            census, judged = store.census(now=now), store.note(APPLIED) or ""
        with asking(self._directory) as con:
            return Look(at=now, engine=state, census=census, pulse=pulse_of(con, now=now), judged=judged)

    def _read_background(self) -> Background:
        if not self._directory.database.exists():
            return Background(hosts=(), priorities=Priorities(), explanation=())
        now, running = time.time(), self._directory.is_running()
        with reading(self._directory) as store:
            hosts, census = store.hosts(now=now, limit=12), store.census(now=now)
            bad = store.hosts(now=now, state="bad", limit=5)
            findings, order = findings_in(store.note(FINDINGS)), order_of(store)
            awaited = awaiting(store, now=now) if running else None
        with asking(self._directory) as con:
            priorities, apprentice = priorities_of(con), apprentice_status(con, order=order)
        told = explain(census, [*hosts, *(host for host in bad if host not in hosts)], now, running, awaited)
        return Background(
            hosts=tuple(hosts),
            priorities=priorities,
            explanation=tuple(told),
            apprentice=apprentice,
            findings=findings,
        )

    def _read_trace(self, latest: int, span: tuple[int, int] | None = None) -> Trace:
        if not self._directory.database.exists():
            return Trace(last=0, dots=(), average=(), whole=True)
        with asking(self._directory) as con:
            return trace_of(con, latest=latest, span=span)


class Watches:
    """The watches of all crawls of a window, made when somebody looks."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._by_name: dict[str, Watch] = {}

    def of(self, name: str) -> Watch:
        if name not in self._by_name:
            self._by_name[name] = Watch(self._window, self._window.open(name))
        return self._by_name[name]
