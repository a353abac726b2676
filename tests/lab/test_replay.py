"""A replayed web is the web: what is fetched and read live over loopback is, field by field, what the lab gives a
crawl.
"""

import asyncio
import gzip
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

import pytest
import uvloop

from scenthound.clock import SystemClock, VirtualClock
from scenthound.crawl.critic.crawl_critic import Judging
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import run_crawl
from scenthound.crawl.engine.loop import CrawlLoop, Parts, StopSwitch
from scenthound.crawl.engine.steps import Rulebook
from scenthound.crawl.engine.visitor import Visitor
from scenthound.crawl.readers.pool import ReaderPool, reader_options
from scenthound.demo.server import ServedWeb
from scenthound.demo.warc_web import WarcWeb
from scenthound.events import StopCause, ignore
from scenthound.fetch.fetcher import Request, robots_request
from scenthound.fetch.http import HttpFetcher
from scenthound.frontier.bounds import Bounds, Fence
from scenthound.frontier.orders import order_by_name
from scenthound.frontier.traps import Traps
from scenthound.lab.world.replay import CachedReadings, Inside, ReplayFetcher
from scenthound.lab.world.world import World
from scenthound.lab.world.world_sources import WorldSource
from scenthound.settings.schema import FetchSettings, Settings
from scenthound.store.base import Store
from scenthound.store.sqlite.store import SqliteStore
from scenthound.taxonomy import Topic, Topics
from scenthound.types import Citation, Fetch, PageRow, Reading, Reason
from tests.crawl.simple_lane import simple_lane
from tests.lab.small_worlds import GONE, HUB, MOVED, OUTSIDE, TOPICS, Capture, captures, opened, page, write_warc
from tests.patience import PATIENCE

HTML = ("Content-Type", "text/html")
LATIN = "<title>Möwen</title><p>Die Möwe hat einen Schnabel und große Flügel.".encode("latin-1")
ROBOTS = Capture(
    url="http://fish.test/robots.txt", headers=(("Content-Type", "text/plain"),), body=b"User-agent: *\nDisallow: /5."
)
ODD = (
    Capture(url="http://odd.test/chunks", headers=(HTML, ("Transfer-Encoding", "chunked")), body=b"3\r\n<p>\r\n2\r\nHi\r\n0\r\n\r\n"),
    Capture(url="http://odd.test/packed", headers=(HTML, ("Content-Encoding", "gzip")), body=gzip.compress(b"<p>In", mtime=0)),
    Capture(url="http://odd.test/broken", headers=(HTML, ("Content-Encoding", "gzip")), body=b"no gzip at all"),
    Capture(url="http://odd.test/latin", headers=(("Content-Type", "text/html; charset=ISO-8859-1"),), body=LATIN),
    Capture(url="http://odd.test/text", headers=(("Content-Type", "text/plain"),), body=b"See http://birds.test/0.html there."),
    Capture(url="http://odd.test/picture", headers=(("Content-Type", "image/png"),), body=b"\x89PNG\r\n\x1a\n"),
    Capture(url="http://odd.test/liar", headers=(HTML,), body=b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
    Capture(url="http://odd.test/untyped", headers=(), body=b"<html><base href='/folder/'><a href='x'>x</a>"),
    Capture(url="http://odd.test/nowhere", status="302 Found", headers=()),
    Capture(url="http://odd.test/circle", status="302 Found", headers=(("Location", "/circle"),)),
    Capture(url="http://odd.test/teapot", status="418 I'm a Teapot", headers=(HTML,), body=b"<p>Short and stout"),
    Capture(url="http://odd.test/%25C3%25A9", headers=(HTML, ("ETag", '"7"')), body=b"<a href='%25C3%25A9'>twice</a>"),
)  # fmt: skip


@pytest.fixture(scope="module")
def warc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_warc(tmp_path_factory.mktemp("warc") / "odd.warc.gz", [*captures(), ROBOTS, *ODD])


@pytest.fixture(scope="module")
def world(warc: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with opened(WorldSource(name="odd", warc=(warc,)), tmp_path_factory.mktemp("world")) as found:
        yield found


# ── one exchange ──


@dataclass(frozen=True, slots=True, kw_only=True)
class Visited:
    """An exchange and what was read in it, without what depends on the moment and on the connection."""

    fetch: Fetch
    reading: Reading


def visited(fetch: Fetch, reading: Reading) -> Visited:
    there = replace(fetch, started=0.0, finished=0.0, first_byte=0.0, head=b"", request_head=b"", ip="", body=b"")
    return Visited(fetch=there, reading=replace(reading, seconds=0.0))


async def visit_live(urls: list[str], port: int) -> dict[str, Visited]:
    fetch_settings = FetchSettings(resolve={"*.test": f"127.0.0.1:{port}"}, contact="test@odd.test")
    options = reader_options(Settings(fetch=fetch_settings), terms=True, stream=True, text=True)
    found = {}
    async with (
        ReaderPool(options, workers=1, timeout=PATIENCE) as pool,
        HttpFetcher(fetch_settings, SystemClock()) as fetcher,
    ):
        for url in urls:
            fetch = await fetcher.fetch(Request(url=url))
            read = fetch.reason is None and not fetch.location
            found[url] = visited(fetch, await pool.read(fetch, understand=read))
    return found


async def visit_replayed(urls: list[str], world: World) -> dict[str, Visited]:
    fetcher, readings = ReplayFetcher(world, VirtualClock(), latency=0.1), CachedReadings(world, text=True)
    found = {}
    for url in urls:
        fetch = await fetcher.fetch(Request(url=url))
        read = fetch.reason is None and not fetch.location
        found[url] = visited(fetch, await readings.read(fetch, understand=read))
    return found


@pytest.mark.slow
def test_every_exchange_is_the_same_live_and_replayed(world: World, warc: Path) -> None:
    urls = [page("birds", 0), page("pots", 5), HUB, MOVED, GONE, OUTSIDE, *(capture.url for capture in ODD)]
    with ServedWeb(WarcWeb([warc]).answer) as served:
        live = asyncio.run(visit_live(urls, served.port))
    replayed = asyncio.run(visit_replayed(urls, world))
    for url in urls:
        assert replayed[url].fetch == live[url].fetch
        assert replayed[url].reading == live[url].reading
    assert {url.rpartition("/")[2]: one.fetch.reason or one.reading.reason for url, one in replayed.items() if "odd." in url} == {
        "chunks": None,
        "packed": None,
        "broken": Reason.BAD_CODING,
        "latin": None,
        "text": None,
        "picture": Reason.UNSUPPORTED_TYPE,
        "liar": Reason.UNSUPPORTED_TYPE,
        "untyped": None,
        "nowhere": Reason.BAD_REDIRECT,
        "circle": None,
        "teapot": Reason.HTTP_ERROR,
        "%25C3%25A9": None,
    }  # fmt: skip


def test_readings_come_with_their_text_only_where_it_is_wanted(world: World) -> None:
    fetch = Fetch(url=page("birds", 2), started=0.0, finished=0.0, status=200)
    with_text, without = (asyncio.run(CachedReadings(world, text=text).read(fetch)) for text in (True, False))
    assert any("wren" in leaf for leaf in with_text.leaves)
    assert without == replace(with_text, leaves=())
    assert without.stream
    link = with_text.links[0]
    assert " ".join(with_text.leaves[link.first_leaf : link.last_leaf + 1]) == link.text == "Hub"


def test_time_passes_on_the_clock_and_nowhere_else(world: World) -> None:
    clock = VirtualClock(start=100.0)
    fetcher = ReplayFetcher(world, clock, latency=2.5)
    fetches = [asyncio.run(fetcher.fetch(Request(url=url))) for url in (HUB, OUTSIDE)]
    assert [(fetch.started, fetch.finished, fetch.first_byte) for fetch in fetches] == [
        (100.0, 102.5, 2.5),
        (102.5, 105.0, 2.5),
    ]


def test_a_robots_txt_is_given_as_archived_and_is_no_page(world: World) -> None:
    fetcher = ReplayFetcher(world, VirtualClock(), latency=0.0)
    known, unknown = (
        asyncio.run(fetcher.fetch(robots_request(f"http://{host}.test/robots.txt"))) for host in ("fish", "birds")
    )
    assert (known.status, known.body) == (200, ROBOTS.body)
    assert (unknown.status, unknown.reason) == (404, Reason.HTTP_ERROR)
    assert world.find(ROBOTS.url) is None
    assert ROBOTS.url not in world.number


def test_the_fence_knows_what_is_inside(world: World) -> None:
    fence: Fence = Inside(world)
    inside = [HUB, MOVED, GONE, "https://hub.test/"]
    assert [fence.locked(url) for url in (*inside, OUTSIDE, f"{HUB}?")] == [True] * 4 + [False] * 2


# ── whole crawls ──


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawled:
    """What a crawl left in its database, without times and places."""

    rows: tuple[PageRow, ...]
    terms: dict[str, bytes]
    citations: dict[str, tuple[Citation, ...]]


def topics() -> Topics:
    return Topics(
        topics=tuple(
            Topic(path=path, good=subject == "birds", examples=tuple(page(subject, number) for number in range(3)))
            for subject, path in TOPICS.items()
        )
    )


def settings(directory: CrawlDirectory, *more: str) -> Settings:
    return directory.settings(
        [
            "fetch.delay=0",
            "fetch.delay_factor=0",
            "fetch.concurrency=1",
            "read.workers=1",
            "critic.kind=bayes",
            "crawl.order=best-first",
            'fetch.contact="test@odd.test"',
            *more,
        ]
    )


def left_by(store: Store) -> Crawled:
    rows = tuple(replace(row, fetched_at=0.0, spot=None) for row in store.pages(everything=True))
    held = store.held([row.url for row in rows])
    stories = {row.final_url: store.story(row.final_url, now=0.0) for row in rows}
    return Crawled(
        rows=rows,
        terms={url: one.terms for url, one in held.items()},
        citations={url: story.citations for url, story in stories.items() if story is not None},
    )


def crawl_live(folder: Path, warc: Path) -> Crawled:
    directory = CrawlDirectory.create(folder, topics=topics())
    with ServedWeb(WarcWeb([warc]).answer) as served:
        resolve = f'fetch.resolve={{"*.test" = "127.0.0.1:{served.port}"}}'
        chosen = settings(directory, "crawl.minutes=10", resolve)
        summary = run_crawl(directory, chosen, listener=ignore, stop=StopSwitch())
    assert summary.cause is StopCause.DRY
    with SqliteStore(directory.database, read_only=True) as store:
        return left_by(store)


def crawl_replayed(folder: Path, world: World, *more: str, only: Fence | None = None) -> Crawled:
    directory = CrawlDirectory.create(folder, topics=topics())
    chosen, clock = settings(directory, *more), VirtualClock()
    with SqliteStore(directory.database) as store:
        order = order_by_name(chosen.crawl.order, seed=0)
        bounds = Bounds(locked=(), only=only, max_url=chosen.fetch.max_url, max_host=chosen.fetch.max_host)
        book = Rulebook(settings=chosen, order=order, bounds=bounds, traps=Traps(store.shape_yields))
        judging = Judging(directory=directory, settings=chosen, store=store, clock=clock, listener=ignore)
        judging.begin(book)
        parts = Parts(
            settings=chosen,
            clock=clock,
            store=store,
            lane=simple_lane(book, store=store, clock=clock, critic=judging),
            visitor=Visitor(ReplayFetcher(world, clock, latency=0.1), settings=chosen.fetch, clock=clock),
            reader=CachedReadings(world, text=False),
            listener=ignore,
            stop=StopSwitch(),
        )
        assert uvloop.run(CrawlLoop(parts, None).run()).cause is StopCause.DRY
        return left_by(store)


@pytest.mark.slow
def test_a_crawl_of_the_replayed_web_is_the_live_one(world: World, warc: Path, tmp_path: Path) -> None:
    live = crawl_live(tmp_path / "live", warc)
    replayed = crawl_replayed(tmp_path / "replayed", world)
    assert [row.url for row in replayed.rows] == [row.url for row in live.rows]
    assert replayed == live
    reasons = {row.url: row.reason for row in live.rows if row.reason}
    assert reasons == {GONE: Reason.HTTP_ERROR, OUTSIDE: Reason.HTTP_ERROR, page("fish", 5): Reason.ROBOTS}


@pytest.mark.slow
def test_behind_the_fence_nothing_outside_is_asked_for(world: World, tmp_path: Path) -> None:
    fenced = crawl_replayed(tmp_path / "fenced", world, only=Inside(world))
    assert OUTSIDE not in {row.url for row in fenced.rows if row.status}
    open_ = crawl_replayed(tmp_path / "open", world)
    assert [row for row in open_.rows if row.url == OUTSIDE and row.status == 404]


@pytest.mark.slow
def test_pauses_between_requests_pass_in_virtual_time(world: World, tmp_path: Path) -> None:
    began = monotonic()
    slow = crawl_replayed(tmp_path / "slow", world, "fetch.delay=30")  # a quarter of an hour of pauses
    assert monotonic() - began < PATIENCE
    assert {row.url for row in slow.rows} == {row.url for row in crawl_replayed(tmp_path / "brisk", world).rows}
