"""The crawl loop: the only place that knows what comes after what.

    claim ► fetch ► read ► judge ► score links ► record

Fetching is concurrent on the event loop, reading happens in the pool of reader processes, and everything from
judging to recording is the lane: one turn at a time, in the store's thread, where the next claims come from as well.
The loop itself only moves values between these three and decides when to stop.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import thread_time
from typing import ParamSpec, Protocol, TypeVar

from scenthound.clock import Clock
from scenthound.counted import count
from scenthound.crawl.engine.fellows import ALONE, Fellows
from scenthound.crawl.engine.lane import Lane
from scenthound.crawl.engine.steps import Finished
from scenthound.crawl.engine.visitor import HOP_WAIT, Visitor
from scenthound.errors import DiskFullError, UntaughtError
from scenthound.events import Finding, Listener, Notice, Progress, StopCause, Summary, ignore
from scenthound.settings.schema import Settings
from scenthound.store.base import Store
from scenthound.store.rules import HostState
from scenthound.types import Census, Claim, Fetch, HostView, Reading

P = ParamSpec("P")
T = TypeVar("T")

TICK = 0.5  # seconds between two progress events
# A turn costs two fsyncs and a transaction whatever its size, so outcomes wait a moment for company: up to so many, or
# so many seconds.
BATCH = 24
GATHER = 0.03
IDLE = 0.25  # with nothing due, look again at least this often, for a stop request
PAUSED = "paused"  # the note that says so
LOOK = 1.0  # while all hosts rest, the lane has its turn at least this often, for topics and settings that were edited
RESERVED = 60.0  # seconds for which the owner of a host leaves it to another engine, which follows a robots.txt there
SPEED_WINDOW = 10.0  # seconds over which pages per second are averaged


class Reads(Protocol):
    """Whatever turns an exchange into a reading: the pool of processes, or the lab's cache."""

    async def read(self, fetch: Fetch, *, understand: bool = True) -> Reading: ...

    @property
    def reading(self) -> int: ...


class StopSwitch:
    """How a crawl is asked to stop or to pause, from a signal handler or another thread.

    `by_signal` says that this process takes signals for it, so that others may send them (see `CrawlDirectory.lock`).
    """

    def __init__(self) -> None:
        self.asked = False
        self.forced = False
        self.paused = False
        self.by_signal = False

    def ask(self) -> None:
        """Finish what is in flight, save, and stop."""
        self.asked = True

    def force(self) -> None:
        """Stop at once; claims in flight go back to the frontier."""
        self.asked = self.forced = True

    def pause(self) -> None:
        """Ask for nothing new until told to go on; edited topics and settings are followed meanwhile."""
        self.paused = True

    def go_on(self) -> None:
        self.paused = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of a loop; `assemble` fills them in."""

    settings: Settings
    clock: Clock
    store: Store
    lane: Lane
    visitor: Visitor
    reader: Reads
    listener: Listener
    stop: StopSwitch
    findings: Callable[[], tuple[Finding, ...]] = tuple  # about the crawl, as they hold now
    examples_only: bool = False  # stop when the critic has learnt
    count_again: bool = False  # pages visited again count against the budget, and earlier runs do not
    only_again: bool = False  # stop when all pages that wait for it are visited again
    fellows: Fellows = ALONE


_NOT_SENT = Fetch(url="", started=0.0, finished=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _End:
    cause: StopCause
    detail: str = ""


class CrawlLoop:
    """One run of a crawl. Use `run` once. Without a thread for the lane, its turns are taken on the event loop."""

    def __init__(self, parts: Parts, thread: ThreadPoolExecutor | None) -> None:
        self._parts = parts
        self._thread = thread
        self._clock = parts.clock
        self._started = parts.clock.now()
        self._flying: dict[asyncio.Task[None], Claim] = {}
        self._finished: list[Finished] = []
        self._wake = asyncio.Event()
        self._enough = 1  # claims landed for which the loop is woken
        self._census = Census()
        self._pages_before = 0
        self._pages = self._new_pages = 0
        self._ticks: list[tuple[float, int]] = []
        self._next_due: float | None = None
        self._looked = 0.0  # when the lane was last asked for claims
        self._recording = 0
        self._last_url = ""
        self._fault: BaseException | None = None
        self._offline = False
        self._rested = 0.0  # seconds paused, which count against no budget

    async def run(self) -> Summary:
        """Crawl until a budget is reached, nothing is left, or the switch stops it."""
        began = thread_time()
        await self._count()
        self._pages_before = 0 if self._parts.count_again else self._census.pages
        reporters = [] if self._parts.listener is ignore else [asyncio.create_task(self._report())]
        try:
            end = await self._turns()
        except DiskFullError as error:
            end = _End(cause=StopCause.DISK_FULL, detail=str(error))
        except UntaughtError as error:
            end = _End(cause=StopCause.DRY, detail=str(error))
        finally:
            await _cancel(*reporters, *self._flying)
        end = self._unless_cut_off(end)
        await self._count()
        if self._pages:
            self._parts.listener(self._progress())  # where it ended, also after a run shorter than a tick
        return Summary(
            cause=end.cause,
            detail=end.detail,
            pages_this_run=self._pages,
            elapsed=self._clock.now() - self._started,
            census=self._census,
            findings=self._parts.findings(),
            new_pages=self._new_pages,
            changes=dict(self._parts.lane.changes),
            stages=self._parts.lane.stages.seconds | {"event loop": thread_time() - began},
        )

    def _unless_cut_off(self, end: _End) -> _End:
        """Say that nothing is left because no server could be reached, where that is so."""
        why = self._parts.lane.outage.nothing_reached
        if not why or end.cause not in (StopCause.DRY, StopCause.PATIENCE, StopCause.OFFLINE):
            return end
        told = (
            f"all requests failed: {why}; see whether the network is up and the addresses are right, "
            "and give the same command again"
        )
        return _End(cause=StopCause.OFFLINE, detail=told)

    async def _turns(self) -> _End:
        end: _End | None = None
        while not self._parts.stop.forced:
            end = end or self._reason_to_end()
            batch, self._finished = self._finished, []
            want = 0 if end else self._want(len(batch))
            claims = await self._turn(batch, want)
            if self._fault:
                raise self._fault
            if self._flying or self._finished:
                await self._wait()
            elif end:
                return end
            elif self._parts.stop.paused:
                await self._rest()
            elif want and not claims:
                end = self._nothing_left()
                if end is None:
                    await self._clock.sleep(min(IDLE, max(0.0, (self._next_due or 0.0) - self._clock.now())))
        return _End(cause=StopCause.INTERRUPTED, detail="stopped at once; what was in flight will be fetched again")

    async def _rest(self) -> None:
        """Stay paused until the switch is released. A note in the store shows the pause."""
        began, stop = self._clock.now(), self._parts.stop
        await self._in_lane(self._parts.store.note, PAUSED, "yes")
        while stop.paused and not stop.asked:
            await self._in_lane(self._parts.lane.turn, [], 0)
            await self._clock.sleep(IDLE)
        await self._in_lane(self._parts.store.note, PAUSED, "")
        self._next_due = None
        self._rested += self._clock.now() - began

    async def _turn(self, batch: Sequence[Finished], want: int) -> Sequence[Claim]:
        """Have the lane record what has landed and fill the places that are free then; return what it claimed."""
        now = self._clock.now()
        if not batch and self._next_due is not None and self._next_due > now and now - self._looked < LOOK:
            return ()  # nothing was claimable the last time, and nothing has changed since
        if not batch and not want:
            self._next_due = None
            return ()
        self._looked = now
        self._recording = len(batch)
        turn = await self._in_lane(self._parts.lane.turn, batch, want)
        self._recording = 0
        self._next_due = turn.next_due
        for claim in turn.claims:
            self._launch(claim)
        if batch:
            self._new_pages += turn.pages
            self._pages += turn.pages + (turn.pages_again if self._parts.count_again else 0)
            self._tell_of_outage()
        return turn.claims

    def _tell_of_outage(self) -> None:
        offline = self._parts.lane.outage.since
        if offline is not None and not self._offline:
            self._parts.listener(Notice(text="no server can be reached; trying again in a while (is the network up?)"))
        elif offline is None and self._offline:
            self._parts.listener(Notice(text="servers answer again"))
        self._offline = offline is not None

    def _want(self, being_recorded: int = 0) -> int:
        """Return how many claims to ask for: free places, and never more than the page budget has left.

        A page that has landed holds its place until it is recorded, so a kill costs no more fetches than may be in
        flight. A batch that is being recorded frees its places before the next claims, and may or may not count as
        pages.
        """
        if self._parts.stop.paused:
            return 0
        under_way = len(self._flying) + len(self._finished)
        free = self._parts.settings.fetch.concurrency - under_way
        budget = self._parts.settings.crawl.pages
        if budget:
            free = min(free, budget - self._pages_in_all - under_way - being_recorded)
        return max(0, free)

    @property
    def _pages_in_all(self) -> int:
        """Pages against the budget, those of other engines included."""
        own = self._pages_before + self._pages
        return own if self._parts.count_again else max(own, self._parts.fellows.standing.pages)

    def _launch(self, claim: Claim) -> None:
        task = asyncio.create_task(self._fly(claim))
        self._flying[task] = claim
        self._last_url = claim.url
        task.add_done_callback(self._land)

    async def _fly(self, claim: Claim) -> None:
        trip = await self._parts.visitor.visit(claim, self._look_up)
        if trip is None:
            self._finished.append(Finished(claim=claim, fetch=_NOT_SENT, reading=Reading(), lost=True))
            return
        fetch = trip.fetch
        reading = await self._parts.reader.read(fetch, understand=trip.understand) if fetch.status else Reading()
        self._finished.append(Finished(claim=claim, fetch=fetch, reading=reading, calls=trip.calls))

    async def _look_up(self, host: str) -> HostView | None:
        """Return a host that was not claimed and is about to be asked. Its owner, another engine, is kept from it."""
        engines = self._parts.fellows.engines
        if engines is None:
            return await self._in_lane(lambda: self._parts.store.host(host, now=self._clock.now()))
        for _ in range(int(HOP_WAIT)):
            now = self._clock.now()
            found = await self._in_lane(lambda: engines.reserve(host, now=self._clock.now(), seconds=RESERVED))
            rests = found is not None and found.state == HostState.RESTING and found.due - now <= HOP_WAIT
            if found is None or not (rests or found.state == HostState.BUSY):
                return found
            await self._clock.sleep(min(1.0, max(0.1, found.due - now)))
        return found

    def _land(self, task: asyncio.Task[None]) -> None:
        del self._flying[task]
        if len(self._finished) >= self._enough or not self._flying:
            self._wake.set()
        if not task.cancelled() and (error := task.exception()):
            self._fault = self._fault or error  # raised in the next turn: what a callback raises, asyncio only logs

    async def _wait(self) -> None:
        """Let claims fly until a batch has landed, a resting host is due, or it is time to look at the stop switch."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self._longest_wait()
        while self._flying and len(self._finished) < BATCH and (left := end - loop.time()) > 0:
            self._wake.clear()
            self._enough = BATCH if self._finished else 1  # not to be woken for each that joins a batch
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._wake.wait()
            if self._finished:
                end = min(end, loop.time() + GATHER)

    def _longest_wait(self) -> float:
        if self._finished:
            return GATHER
        if self._next_due is not None and self._want():
            return min(IDLE, max(0.001, self._next_due - self._clock.now()))
        return IDLE

    def _reason_to_end(self) -> _End | None:
        crawl = self._parts.settings.crawl
        if self._parts.stop.asked:
            return _End(cause=StopCause.INTERRUPTED, detail="everything is saved; the same command goes on from here")
        if self._parts.examples_only and self._parts.lane.has_learnt:
            return _End(cause=StopCause.LEARNT)
        if crawl.pages and self._pages_in_all >= crawl.pages:
            return _End(cause=StopCause.PAGES, detail=f"{crawl.pages} pages")
        offline = self._parts.lane.outage.since
        if offline is not None and self._clock.now() - offline > crawl.patience:
            return _End(cause=StopCause.OFFLINE, detail="everything is saved; run the crawl again when the net is back")
        if crawl.minutes and self._clock.now() - self._started - self._rested >= 60 * crawl.minutes:
            return _End(cause=StopCause.MINUTES, detail=f"{crawl.minutes:g} minutes")
        return None

    def _nothing_left(self) -> _End | None:
        if self._parts.only_again and self._parts.lane.has_visited_again:
            return _End(cause=StopCause.FRESH)
        if self._next_due is None:
            return _End(cause=StopCause.DRY, detail="no URL is left that may be fetched")
        wait = self._next_due - self._clock.now()
        if wait > self._parts.settings.crawl.patience:
            return _End(cause=StopCause.PATIENCE, detail=f"the next may be asked in {wait / 60:.0f} minutes")
        return None

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            await self._count()
            self._parts.listener(self._progress())

    async def _count(self) -> None:
        self._census = await self._in_lane(lambda: self._parts.store.census(now=self._clock.now()))

    def _progress(self) -> Progress:
        speed = self._speed()
        self._parts.fellows.tell(pages=self._pages, speed=speed)
        return Progress(
            elapsed=self._clock.now() - self._started,
            census=self._census,
            pages_this_run=self._pages,
            pages_per_second=speed,
            fetching=len(self._flying) - self._parts.reader.reading,
            reading=self._parts.reader.reading,
            recording=self._recording,
            doing=self._doing(),
            last_url=self._last_url,
            eta=self._eta(speed),
            findings=self._parts.findings(),
        )

    def _speed(self) -> float:
        now = self._clock.now()
        self._ticks.append((now, self._pages))
        while now - self._ticks[0][0] > SPEED_WINDOW:
            self._ticks.pop(0)
        (since, before) = self._ticks[0] if len(self._ticks) > 1 else (self._started, 0)
        return (self._pages - before) / max(1e-9, now - since)

    def _eta(self, speed: float) -> float | None:
        crawl, ends = self._parts.settings.crawl, []
        if crawl.pages and speed:
            ends.append((crawl.pages - self._pages_in_all) / speed)
        if crawl.minutes:
            ends.append(60 * crawl.minutes - (self._clock.now() - self._started - self._rested))
        return max(0.0, min(ends)) if ends else None

    def _doing(self) -> str:
        if self._parts.stop.asked:
            return f"finishing {len(self._flying)} in flight"
        if self._parts.stop.paused:
            return "paused"
        if not self._flying and self._next_due is not None:
            return f"waiting for {count(self._census.hosts_resting, 'host')} to be due"
        return f"fetching from {count(self._census.hosts_busy, 'host')}"

    async def _in_lane(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        if self._thread is None:
            return call(*args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: call(*args, **kwargs))


async def _cancel(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
