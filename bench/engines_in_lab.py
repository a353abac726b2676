"""Several engines of one PostgreSQL crawl in the lab: real engines and a real store, an archived web, virtual time.

A live crawl of several engines on one small machine measures the machine: they wait for its processors. Here all engines
run in one process on one virtual clock. Each turn of an engine takes as long as the processor time that it took really,
of our process and of the server's. Transactions that write wait for each other, everything else goes on at the same
time: as on machines of their own. With `costs` off, turns take no time, and a crawl comes out the same each time.
"""

import asyncio
import selectors
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from time import thread_time
from typing import Any, cast

from bench.live_draws import LiveTask
from bench.server_store import backend_of, processor_time
from scenthound.crawl.critic.crawl_critic import Judging
from scenthound.crawl.engine.exchange_archive import UnarchivedExchanges
from scenthound.crawl.engine.fellows import Together
from scenthound.crawl.engine.hooks import Batch, Hook
from scenthound.crawl.engine.lane import Lane
from scenthound.crawl.engine.loop import CrawlLoop, Parts, StopSwitch
from scenthound.crawl.engine.rulebook import rulebook_of
from scenthound.crawl.engine.steps import Finished, Verdict
from scenthound.crawl.engine.visitor import Visitor
from scenthound.crawl.learning.crawl_phase import CrawlPhase
from scenthound.crawl.order.fixed import FixedOrder
from scenthound.crawl.order.frontier_order import FrontierOrder
from scenthound.crawl.order.guides import guide_of
from scenthound.events import Summary, ignore
from scenthound.lab import StrategyChoice, World
from scenthound.lab.runs.critics import Critics
from scenthound.lab.runs.run import Commissioned, Conditions, settings_of
from scenthound.lab.strategies.kinds import kind_of
from scenthound.lab.world.cache import cache_folder
from scenthound.lab.world.replay import CachedReadings, ReplayFetcher
from scenthound.settings.schema import Settings
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.store import PostgresStore
from scenthound.types import Claim, Ending

LATENCY = 0.2  # seconds that an answer takes
LEASE = 3600.0  # seconds of real time; nobody dies here


WRITES = frozenset({"record", "claim", "move", "release", "note", "rescore", "rejudge", "engage", "distilled", "add"})


@dataclass(slots=True)
class Meter:
    """Processor time of the lane of one engine and of the server for it; `locked` is the part of it with the turn to
    write.
    """

    backend: int
    locked: float = 0.0
    turns: float = 0.0
    waited: float = 0.0  # virtual seconds for the turns of others

    def spent(self) -> float:
        return thread_time() + processor_time(self.backend)

    def taken(self, call: Callable[[], Any]) -> tuple[Any, float, float]:
        """Return what a call returns, the seconds that it took with the turn to write, and those without."""
        before, began = self.locked, self.spent()
        result = call()
        locked, seconds = self.locked - before, self.spent() - began
        self.turns += seconds
        return result, locked, max(0.0, seconds - locked)


class Timed:
    """The store of an engine, with a meter."""

    def __init__(self, store: PostgresStore, meter: Meter) -> None:
        self._store = store
        self._meter = meter

    def __getattr__(self, name: str) -> Any:
        verb = getattr(self._store, name)
        if name not in WRITES:
            return verb

        def metered(*args: Any, **values: Any) -> Any:
            began = self._meter.spent()
            try:
                return verb(*args, **values)
            finally:
                self._meter.locked += self._meter.spent() - began

        return metered


class VirtualTime(asyncio.SelectorEventLoop):
    """An event loop whose clock stands still while anything is to be done, and then jumps to the next timer."""

    def __init__(self, *, costs: bool) -> None:
        super().__init__(_Jumping(self))
        self._seconds = 0.0
        self._costs = costs
        self._turn = asyncio.Lock()
        self.meters: dict[Executor, Meter] = {}

    def time(self) -> float:
        return self._seconds

    def jump(self, seconds: float) -> None:
        self._seconds += seconds

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> Any:  # type: ignore[override]
        """Have the lane of an engine do something, and let as much time pass as it took."""
        return self.create_task(self._done(executor, func))

    async def _done(self, executor: Executor, func: Callable[[], Any]) -> Any:
        asked, meter = self.time(), self.meters[executor]
        async with self._turn:
            meter.waited += self.time() - asked
            result, locked, rest = executor.submit(meter.taken, func).result()
            if self._costs:
                await asyncio.sleep(locked)
        if self._costs:
            await asyncio.sleep(rest)
        return result


class _Jumping(selectors.DefaultSelector):
    def __init__(self, loop: VirtualTime) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if not found and timeout:
            self._loop.jump(timeout)
        elif not found and timeout is None:
            raise RuntimeError("all engines wait for nothing")
        return found


class LoopClock:
    """The time of the running loop, as a clock of a crawl."""

    def __init__(self, loop: VirtualTime) -> None:
        self._loop = loop

    def now(self) -> float:
        return 1_000.0 + self._loop.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds))


class Pupil(Hook):
    """The critic of an engine that does not teach: that of the teacher, as soon as there is one."""

    def __init__(self, teacher: Judging) -> None:
        self._teacher = teacher

    learns = True

    @property
    def ready(self) -> bool:
        return self._teacher.ready

    @property
    def version(self) -> int:
        return self._teacher.version

    @property
    def phase(self) -> CrawlPhase:
        return self._teacher.phase

    @property
    def seeds(self) -> Collection[str]:
        return self._teacher.seeds

    @property
    def disowned(self) -> Mapping[str, int]:
        return self._teacher.disowned

    def wants(self, claim: Claim) -> bool:
        return self._teacher.wants(claim)

    def judge(self, finished: Sequence[Finished]) -> list[Verdict]:
        return self._teacher.judge(finished)

    def after_turn(self, batch: Batch) -> None:
        """Do nothing: the teacher learns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabCrawl:
    """What several engines fetched, in the order of recording, and the virtual seconds that they took."""

    harvest: float
    pages: int
    seconds: float
    by_engine: tuple[int, ...]
    ends: tuple[float, ...]  # when requests ended, in order, those in vain too
    locked: float  # seconds that the turn to write was taken
    waited: float  # seconds that engines waited for it, all together

    @property
    def speed(self) -> float:
        """Requests a second once all engines have hosts: without the first third of them, and the last tenth."""
        return steady_speed(self.ends)

    @property
    def speed_from_start(self) -> float:
        """Requests a second with the beginning, when few hosts are known, and the training of the critic."""
        return len(self.ends) / self.seconds

    @property
    def locked_ms(self) -> float:
        """Milliseconds with the turn to write for each request."""
        return 1000 * self.locked / len(self.ends)


def steady_speed(ends: Sequence[float]) -> float:
    """Return requests a second, given when each ended, in order; the first third and the last tenth are left out.

    >>> steady_speed([0.0, 7.0, 8.0, 9.0, 9.5, 10.0, 10.5, 11.0, 11.5, 20.0])
    2.0
    """
    first, last = len(ends) // 3, len(ends) * 9 // 10 - 1
    return (last - first) / max(1e-9, ends[last] - ends[first])


def crawl(
    url: ServerUrl, world: World, live: LiveTask, *, engines: int, settings: Mapping[str, Any], pages: int, costs: bool
) -> LabCrawl:
    """Crawl for a task with so many engines, from an empty store."""
    wanted = {"crawl.pages": pages, "fetch.robots": False, **settings}
    choice = StrategyChoice(name="apprentice", kind="apprentice", parameters={}, settings=wanted, tune={})
    chosen = settings_of(choice, kind_of(choice), Conditions(fetches=0, seed=1))
    loop = VirtualTime(costs=costs)
    with ExitStack() as stack:
        stack.callback(loop.close)
        stores = [
            stack.enter_context(PostgresStore(url, bad_after=chosen.fetch.tries, engine=f"e{number}", lease=LEASE))
            for number in range(engines)
        ]
        lanes = [stack.enter_context(ThreadPoolExecutor(max_workers=1)) for _ in stores]
        loop.meters = {lane: Meter(backend_of(store)) for lane, store in zip(lanes, stores, strict=True)}
        timed = [Timed(store, loop.meters[lane]) for lane, store in zip(lanes, stores, strict=True)]
        parts = list(_engines(cast(Sequence[PostgresStore], timed), world, live, chosen, LoopClock(loop)))
        loops = [CrawlLoop(one, lane) for one, lane in zip(parts, lanes, strict=True)]
        summaries = loop.run_until_complete(_all(loops))
        with stores[0].session.snapshot() as con:
            times = con.execute("SELECT at FROM fetches ORDER BY at").fetchall()
        ends = [row for row in stores[0].pages(everything=True) if row.ending is Ending.PAGE]
    fetched = [number for row in ends if (number := world.number.get(row.final_url)) is not None]
    given = {world.number.get(url) for url in (*live.task.examples, *live.task.unwanted)}
    numbers = [number for number in fetched if number not in given]
    return LabCrawl(
        harvest=sum(number in live.relevant for number in numbers) / max(1, len(numbers)),
        pages=len(numbers),
        seconds=loop.time(),
        by_engine=tuple(summary.pages_this_run for summary in summaries),
        ends=tuple(at for (at,) in times),
        locked=sum(meter.locked for meter in loop.meters.values()),
        waited=sum(meter.waited for meter in loop.meters.values()),
    )


async def _all(loops: Sequence[CrawlLoop]) -> list[Summary]:
    return await asyncio.gather(*(one.run() for one in loops))


def _engines(
    stores: Sequence[PostgresStore], world: World, live: LiveTask, settings: Settings, clock: LoopClock
) -> Iterator[Parts]:
    teacher: Judging | None = None
    for store in stores:
        fellows = Together(store, clock)
        fellows.look()
        book = rulebook_of(settings, store, only=None)
        critic: Judging | Pupil
        if teacher is None:
            learner = Critics(world, cache_folder() / "critics", remember=False).learner(settings.critic)
            critic = teacher = Judging(
                directory=Commissioned(live.task),
                settings=settings,
                store=store,
                clock=clock,
                listener=ignore,
                learner=learner,
                fellows=fellows,
            )
            teacher.begin(book)
        else:
            critic = Pupil(teacher)
        guide = guide_of(settings, store=store, advisor=critic, folder=None)
        assert guide is not None
        order = FrontierOrder(
            FixedOrder(book, store=store, clock=clock, critic=critic, guide=guide),
            store=store,
            clock=clock,
            critic=critic,
        )
        lane = Lane(
            store=store,
            exchanges=UnarchivedExchanges(store),
            clock=clock,
            owner="lab",
            critic=critic,
            order=order,
            hooks=(critic, order),
            fellows=fellows,
        )
        yield Parts(
            settings=settings,
            clock=clock,
            store=store,
            lane=lane,
            visitor=Visitor(
                ReplayFetcher(world, clock, latency=LATENCY), settings=settings.fetch, clock=clock, fellows=fellows
            ),
            reader=CachedReadings(world, text=False),
            listener=ignore,
            stop=StopSwitch(),
            fellows=fellows,
        )
