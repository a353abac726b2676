"""What several engines on one PostgreSQL crawl are worth: their harvest beside that of one, and their speed.

The harvest is the share of pages truly on topic after the same number of pages of the modern web, in the lab
(`bench.engines_in_lab`). The speed is measured where the network is what one waits for: each answer takes 200 ms, and an
engine has few requests in flight. In the lab each engine has a processor of its own, and every turn takes the processor
time that it really took. Live, all engines share this machine with the web, on the demo web.
"""

import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import mean
from time import monotonic, sleep

from msgspec.structs import replace
from threadpoolctl import threadpool_limits

from bench.engines_in_lab import crawl
from bench.figures import Figure, Report, at_least
from bench.live_counting import WEBS, open_web, table_of
from bench.live_draws import LiveLabels
from bench.running import ROOT, scenthound
from bench.serving import webs_file
from scenthound.cli.work.demo_run import demo_settings, demo_topics
from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedApart
from scenthound.demo.web import DemoWeb
from scenthound.settings.schema import Settings, StoreSettings
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.store import PostgresStore
from tests.store.postgres_server import MISSING, Server, programs, running_server

PAGES, QUICK_PAGES = 1_000, 150
LAB_PAGES, QUICK_LAB_PAGES = 200, 60
TOPICS = ("Recreation/Cooking", "Science/Weather_climate", "Computing/Machine_learning")
DRAWS = 2
ENGINES = 4
IN_FLIGHT = 2  # requests of an engine, where speed is measured: with more, four engines are short of processors here
LATENCY = 0.2
LIMIT = 1_800.0
POLITE = {"fetch.concurrency": 8, "fetch.delay": 0.1}
HASTY = {"fetch.concurrency": IN_FLIGHT, "fetch.delay": 0.0, "crawl.choosy": 0.0}  # no host is waited for


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """One live crawl: pages a second while all engines were at work."""

    speed: float


def run(*, quick: bool = False) -> Report:
    """Crawl with one engine and with several."""
    if programs() is None:
        return Report(skipped=MISSING)
    with running_server() as server:
        figures = [*_in_lab(server, quick=quick), *_live(server, quick=quick)]
    return Report(figures=tuple(figures))


def _in_lab(server: Server, *, quick: bool) -> Iterator[Figure]:
    web = WEBS["modern"]
    if webs_file("modern.warc.gz") is None:
        return
    pages, draws = (QUICK_LAB_PAGES, 1) if quick else (LAB_PAGES, DRAWS)
    found: dict[int, list[float]] = {1: [], ENGINES: []}
    with open_web(web) as world, threadpool_limits(1):
        tasks = [
            LiveLabels(table_of(web)).task(world, topic, draw)
            for topic in (TOPICS[:1] if quick else TOPICS)
            for draw in range(draws)
        ]
        for task, engines in product(tasks, found):
            url = ServerUrl.read(server.new_url())
            crawled = crawl(url, world, task, engines=engines, settings=POLITE, pages=pages, costs=False)
            found[engines].append(crawled.harvest)
        speeds = {}
        for engines in (1, 2, ENGINES):
            url = ServerUrl.read(server.new_url())
            speeds[engines] = crawl(url, world, tasks[0], engines=engines, settings=HASTY, pages=pages, costs=True)
    one, four = mean(found[1]), mean(found[ENGINES])
    yield Figure(name=f"lab, {len(tasks)} crawls of {pages} pages: harvest of one engine", value=one)
    yield Figure(name=f"lab: harvest of {ENGINES} engines", value=four)
    yield Figure(name="lab: the second of the first", value=four / one, goal=at_least(0.97))
    for engines, crawled in speeds.items():
        yield Figure(name=f"lab: requests a second of {count(engines, 'engine')}", value=crawled.speed)
        yield Figure(
            name=f"lab: part of the time in which one of {engines} writes", value=crawled.locked / crawled.seconds
        )
    faster = speeds[ENGINES].speed / speeds[1].speed
    yield Figure(name=f"lab: times the speed of one with {ENGINES}", value=faster, goal=at_least(3.5))


def _live(server: Server, *, quick: bool) -> Iterator[Figure]:
    web, pages = DemoWeb(7), QUICK_PAGES if quick else PAGES
    with ServedApart(web.answer, latency=LATENCY) as served:
        slow = demo_settings(web, served.port, pages=pages)
        fetch = replace(slow.fetch, concurrency=IN_FLIGHT, first_byte_timeout=10.0, timeout=20.0)
        alone, together = (_crawl(server, web, replace(slow, fetch=fetch), engines) for engines in (1, ENGINES))
    yield Figure(name="live: pages a second of one engine, answers take 200 ms", value=alone.speed)
    yield Figure(name=f"live: pages a second of {ENGINES} engines", value=together.speed)
    yield Figure(name="live: times the speed of one", value=together.speed / alone.speed, goal=at_least(3.5))


def _crawl(server: Server, web: DemoWeb, settings: Settings, engines: int) -> Ran:
    url = server.new_url()
    store = StoreSettings(url=url)
    with PostgresStore(ServerUrl.read(url)):
        pass  # the tables are made, so that they can be read from the beginning
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        CrawlDirectory.create(folder / "first", topics=demo_topics(web), settings=replace(settings, store=store))
        commands = [scenthound("crawl", str(folder / "first"), "--quiet")]
        commands += [scenthound("join", url, "--dir", str(folder / f"e{n}"), "--quiet") for n in range(1, engines)]
        with PostgresStore(ServerUrl.read(url), read_only=True) as reader:
            processes = [_start(commands[0])]
            while reader.shared_file("topics.toml") is None and processes[0].poll() is None:
                sleep(0.2)
            processes += [_start(command) for command in commands[1:]]
            seconds, pages = _time(reader, processes, engines)
    server.psql(f'DROP SCHEMA "{ServerUrl.read(url).schema}" CASCADE')
    return Ran(speed=pages / seconds)


def _time(reader: PostgresStore, processes: "list[subprocess.Popen[bytes]]", engines: int) -> tuple[float, int]:
    """Return the seconds and pages from the moment when all engines are at work to the last page."""
    end, began, before, last, pages = monotonic() + LIMIT, 0.0, 0, 0.0, 0
    while any(process.poll() is None for process in processes) and monotonic() < end:
        now = reader.census(now=0.0).pages
        if not began and now and len(reader.engines()) == engines:
            began, before, last, pages = monotonic(), now, monotonic(), now
        elif began and now != pages:
            last, pages = monotonic(), now
        sleep(0.2)
    for process in processes:
        process.wait()
    return max(last - began, 1e-9), max(pages - before, 0)


def _start(command: list[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
