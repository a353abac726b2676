"""The same crawl with every store: the same pages in the same order, with the same priorities, judgements and
referrers.

The loop, the lane and the critic are those that ship. Only the web is not served: its answers are handed over as they
are, and time is virtual, so that not even the moments differ.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from scenthound.clock import Clock, VirtualClock
from scenthound.crawl.critic.crawl_critic import Judging
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.loop import CrawlLoop, Parts, StopSwitch
from scenthound.crawl.engine.steps import Rulebook
from scenthound.crawl.engine.visitor import Visitor
from scenthound.crawl.readers.pool import reader_options
from scenthound.crawl.readers.reader import Job, work
from scenthound.events import StopCause, Summary, ignore
from scenthound.fetch.fetcher import Request
from scenthound.frontier.bounds import Bounds
from scenthound.frontier.orders import order_by_name
from scenthound.frontier.traps import Traps
from scenthound.settings.schema import Settings
from scenthound.store.base import Store
from scenthound.store.indexed.store import IndexedStore
from scenthound.store.memory.store import MemoryStore
from scenthound.store.sqlite.store import SqliteStore
from scenthound.taxonomy import Topic
from scenthound.types import Fetch, PageRow, Reading, Reason, TopicCount
from tests.crawl.simple_lane import simple_lane
from tests.crawl.topical_web import answer, new, topics
from tests.often import slowly

STORES: dict[str, Callable[[], AbstractContextManager[Store]]] = {
    "memory": MemoryStore,
    "indexed": IndexedStore,
    "sqlite": lambda: SqliteStore(":memory:"),
}
HASTY = (
    "fetch.delay=0",
    "fetch.delay_factor=0",
    "fetch.concurrency=1",
    "fetch.robots=false",
    "crawl.pages=60",
    "critic.kind=bayes",
)
WAYS = {
    "best-first": ("crawl.order=best-first",),
    "hard focus, by the best page": ("crawl.order=best-first-max", "crawl.focus=hard"),
    "breadth": ("crawl.order=breadth", "crawl.focus=none"),
    "random": ("crawl.order=random", "crawl.focus=none"),
    "few pages of a host": ("crawl.order=best-first", "crawl.pages_per_host=16"),
    # Hosts rest, and a choosy crawl waits for the better one.
    "politely": ("crawl.order=best-first", "fetch.delay=2", "fetch.robots=true", "crawl.pages=30"),
}


class Answers:
    """The small web about three things as a fetcher; each exchange takes a tenth of a second."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def fetch(self, request: Request) -> Fetch:
        started = self._clock.now()
        await self._clock.sleep(0.1)
        place = urlsplit(request.url)
        said = answer(place.netloc, place.path)
        headers = dict(said.headers)
        return Fetch(
            url=request.url,
            started=started,
            finished=self._clock.now(),
            reason=Reason.HTTP_ERROR if said.status >= 400 else None,
            status=said.status,
            body=said.body,
            mime="text/html",
            location=headers.get("Location", ""),
        )


class ReadsHere:
    """The reader's work, done in this process."""

    reading = 0

    def __init__(self, settings: Settings) -> None:
        self._options = reader_options(settings, terms=True)

    async def read(self, fetch: Fetch, *, understand: bool = True) -> Reading:
        return work(Job(fetch=fetch, understand=understand), self._options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What a crawl has left in its store."""

    cause: StopCause
    pages: list[PageRow]
    topics: dict[str, TopicCount]
    waiting: int
    next_due: float | None


def crawl(store: Store, directory: CrawlDirectory, settings: Settings) -> Left:
    clock = VirtualClock(1000.0)
    summary = asyncio.run(_run(store, directory, settings, clock))
    return Left(
        cause=summary.cause,
        pages=list(store.pages(everything=True)),
        topics=store.topic_counts(),
        waiting=summary.census.waiting,
        next_due=store.next_due(now=clock.now()),
    )


async def _run(store: Store, directory: CrawlDirectory, settings: Settings, clock: Clock) -> Summary:
    book = Rulebook(
        settings=settings,
        order=order_by_name(settings.crawl.order, seed=settings.crawl.seed),
        bounds=Bounds(locked=[], max_url=settings.fetch.max_url, max_host=settings.fetch.max_host),
        traps=Traps(store.shape_yields),
    )
    judging = Judging(directory=directory, settings=settings, store=store, clock=clock, listener=ignore)
    judging.begin(book)
    lane = simple_lane(book, store=store, clock=clock, critic=judging)
    parts = Parts(
        settings=settings,
        clock=clock,
        store=store,
        lane=lane,
        visitor=Visitor(Answers(clock), settings=settings.fetch, clock=clock),
        reader=ReadsHere(settings),
        listener=ignore,
        stop=StopSwitch(),
    )
    return await CrawlLoop(parts, None).run()


@pytest.mark.slow
@pytest.mark.parametrize("way", ["best-first", *slowly(*(way for way in WAYS if way != "best-first"))])
def test_every_store_gives_the_same_crawl(tmp_path: Path, way: str) -> None:
    wanted = topics(more=[Topic(path="nature/birds/abroad", examples=("http://birds.test/moved",))])
    left = {}
    for name, make in STORES.items():
        directory = new(tmp_path / name, wanted)
        with make() as store:
            left[name] = crawl(store, directory, directory.settings([*HASTY, *WAYS[way]]))
    assert len(left["memory"].pages) > 50
    assert left["indexed"] == left["memory"]
    assert left["sqlite"] == left["memory"]
