"""The memory of a crawl's main process when millions of URLs wait: loop, lane, critic and apprentice.

Only the network, the reading of pages and the time are replaced. Every page has 200 links, 150 of them to addresses
never seen, on a pool of hosts that grows. The memory of the process is looked at each time that so many more URLs are
known.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, Final

import msgspec
from threadpoolctl import threadpool_limits

from bench import made_pages
from bench.figures import Figure, Report, at_most, markdown_table
from bench.running import measured, python_module
from scenthound.apprentice.crawl_guide import ApprenticeGuide
from scenthound.clock import VirtualClock
from scenthound.crawl.critic.crawl_critic import Judging
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.exchange_archive import UnarchivedExchanges
from scenthound.crawl.engine.garbage import give_memory_back, seldom_collected
from scenthound.crawl.engine.lane import Lane, Turn
from scenthound.crawl.engine.loop import CrawlLoop, Parts, StopSwitch
from scenthound.crawl.engine.rulebook import rulebook_of
from scenthound.crawl.engine.steps import Finished
from scenthound.crawl.engine.visitor import Visitor
from scenthound.crawl.order.fixed import FixedOrder
from scenthound.crawl.order.frontier_order import FrontierOrder
from scenthound.crawl.order.guides import make_of
from scenthound.crawl.readers.pool import reader_options
from scenthound.crawl.readers.reader import Job, work
from scenthound.events import ignore
from scenthound.fetch.fetcher import Request
from scenthound.settings.schema import Settings
from scenthound.store.sqlite.store import SqliteStore
from scenthound.types import Fetch, Reading

URLS: Final = 5_000_000
EVERY: Final = 250_000
LINKS, NEW = 200, 150  # of a page
HOSTS: Final = 20  # pages until there is one host more
KINDS: Final = 16  # different pages, every second about the topic
EXAMPLES: Final = 8
LIMIT: Final = 2 * 3600.0  # seconds
MOST_MB: Final = 150  # that the second half of the URLs may add
_SETTINGS: Final = (
    "fetch.delay=0",
    "fetch.delay_factor=0",
    "fetch.robots=false",
    "fetch.concurrency=64",
    "critic.kind=logistic",
    "fetch.per_host=64",
    "fetch.per_domain=0",
    "fetch.per_ip=0",
    "crawl.traps=false",
)


def run(*, quick: bool = False) -> Report:
    """Fill a frontier in a process of its own, and return its memory."""
    urls, every = (60_000, 10_000) if quick else (URLS, EVERY)
    ran = measured(python_module("bench.memory", str(urls), str(every)), limit=LIMIT)
    seen = [tuple(row) for row in json.loads(ran.output.splitlines()[-1])]
    half = min(seen, key=lambda row: abs(row[0] - urls / 2))
    rows = [[f"{known:,}", f"{pages:,}", f"{memory:.0f}", f"{seconds:.0f}"] for known, pages, memory, seconds in seen]
    return Report(
        figures=(
            Figure(name="memory at half of the URLs (MB)", value=half[2]),
            Figure(name="memory that the second half adds (MB)", value=seen[-1][2] - half[2], goal=at_most(MOST_MB)),
        ),
        text=(markdown_table(["URLs known", "pages", "memory (MB)", "seconds"], rows, right=range(4)),),
    )


class MadeUpWeb:
    """A fetcher and a reader in one: every address has a page, of one of a few kinds."""

    reading = 0

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self._kinds = [_made(kind) for kind in range(KINDS)]
        self._new = 0

    async def fetch(self, request: Request) -> Fetch:
        now = self._clock.now()
        await self._clock.sleep(0.001)
        return Fetch(url=request.url, started=now, finished=self._clock.now(), status=200, mime="text/html")

    async def read(self, fetch: Fetch, *, understand: bool = True) -> Reading:
        draw = Random(fetch.url)
        kind = self._kinds[_kind_of(fetch.url)]
        host = fetch.url.split("/")[2]
        links = tuple(
            msgspec.structs.replace(link, url=self._target(host, draw, new=place < NEW))
            for place, link in enumerate(kind.links)
        )
        return replace(kind, links=links, digest=fetch.url, payload=fetch.url, fingerprint=draw.getrandbits(62))

    def _target(self, host: str, draw: Random, *, new: bool) -> str:
        if new:
            self._new += 1
        number = self._new if new else draw.randrange(self._new + 1)
        hosts = 50 + self._new // (HOSTS * NEW)
        place = host if draw.random() < 0.6 else f"h{draw.randrange(hosts)}.test"
        return f"http://{place}/{number % 97}/{number}.html"


def _kind_of(url: str) -> int:
    return sum(url.encode()) % KINDS


def _made(kind: int) -> Reading:
    """Read a page with many links once."""
    draw = Random(kind)
    about = made_pages.KINDS[kind % 2]
    links = [made_pages.link(f"/{place}", about, draw) for place in range(LINKS)]
    body = made_pages.page(f"Page {kind}", about, links, draw)
    fetch = Fetch(url="http://made.test/", started=0.0, finished=0.0, status=200, body=body.encode(), mime="text/html")
    options = reader_options(Settings(), terms=True, stream=True)
    return work(Job(fetch=fetch, understand=True, stream=True), options)


class WatchedLane(Lane):
    """A lane that is looked at after every turn."""

    def __init__(self, look: Callable[[], None], **parts: Any) -> None:
        super().__init__(**parts)
        self._look = look

    def turn(self, finished: Sequence[Finished], want: int) -> Turn:
        taken = super().turn(finished, want)
        self._look()
        return taken


def fill(urls: int, every: int) -> list[tuple[int, int, float, float]]:
    """Crawl until so many URLs are known.

    Return URLs, pages, memory and seconds, each time that there are so many more.
    """
    give_memory_back()  # as `run_crawl` does
    with tempfile.TemporaryDirectory() as folder:
        topics = made_pages.topics({about: _examples(kind) for kind, about in enumerate(made_pages.KINDS)})
        directory = CrawlDirectory.create(Path(folder) / "crawl", topics=topics)
        with SqliteStore(directory.database) as store, seldom_collected(), threadpool_limits(1, user_api="blas"):
            return asyncio.run(_fill(directory, store, urls, every))


def _examples(kind: int) -> list[str]:
    urls = (f"http://example{number}.test/" for number in range(10_000))
    return [url for url in urls if _kind_of(url) % 2 == kind][:EXAMPLES]


async def _fill(
    directory: CrawlDirectory, store: SqliteStore, urls: int, every: int
) -> list[tuple[int, int, float, float]]:
    settings, clock, stop = directory.settings(_SETTINGS), VirtualClock(1e9), StopSwitch()
    book = rulebook_of(settings, store, only=None)
    judging = Judging(directory=directory, settings=settings, store=store, clock=clock, listener=ignore)
    judging.begin(book)
    guide = ApprenticeGuide(make_of(settings.apprentice), kind="scent", store=store, advisor=judging, sample=0.01)
    web = MadeUpWeb(clock)
    seen: list[tuple[int, int, float, float]] = []
    began = perf_counter()

    def look() -> None:
        census = store.census(now=clock.now())
        if census.known >= (len(seen) + 1) * every:
            seen.append((census.known, census.pages, made_pages.memory_of(), perf_counter() - began))
            print(*seen[-1], file=sys.stderr, flush=True)
        if census.known >= urls:
            stop.ask()

    in_force = FixedOrder(book, store=store, clock=clock, critic=judging, guide=guide)
    order = FrontierOrder(in_force, store=store, clock=clock, critic=judging)
    lane = WatchedLane(
        look,
        store=store,
        exchanges=UnarchivedExchanges(store),
        clock=clock,
        owner="me",
        critic=judging,
        order=order,
        hooks=(judging, order),
    )
    parts = Parts(
        settings=settings,
        clock=clock,
        store=store,
        lane=lane,
        visitor=Visitor(web, settings=settings.fetch, clock=clock),
        reader=web,
        listener=ignore,
        stop=stop,
    )
    await CrawlLoop(parts, None).run()
    return seen


if __name__ == "__main__":
    print(json.dumps(fill(int(sys.argv[1]), int(sys.argv[2]))))
