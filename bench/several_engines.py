"""What several engines on one PostgreSQL crawl are worth: their harvest beside that of one, and their speed.

The harvest is the share of pages truly on topic after the same number of pages, in the lab (`bench.engines_in_lab`), of
the modern web and of a wide one: the demo web with 1,000 hosts. The speed is measured where the network is what one
waits for: a wide web of 2,000 hosts, each answer takes 200 ms, an engine has few requests in flight, and hosts are
known already (`steady_speed`). In the lab each engine has a processor of its own, and every turn takes the processor
time that it really took. Live, all engines share this machine with the web. One part by hand:
`python -m bench.several_engines speed`.
"""

import argparse
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from statistics import mean
from time import monotonic, sleep

from msgspec.structs import replace
from threadpoolctl import threadpool_limits

from bench.engines_in_lab import crawl, steady_speed
from bench.figures import Figure, Report, at_least, number
from bench.live_counting import WEBS, open_web, table_of
from bench.live_draws import LiveLabels, LiveTask
from bench.running import ROOT, scenthound
from bench.serving import webs_file
from bench.wide_web import WideWeb
from scenthound.cli.work.demo_run import demo_settings, demo_topics
from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedApart
from scenthound.lab import World, WorldSource, open_world
from scenthound.settings.schema import Settings, StoreSettings
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.store import PostgresStore
from tests.store.postgres_server import MISSING, Server, programs, running_server

PAGES, QUICK_PAGES = 600, 200
LAB_PAGES, QUICK_LAB_PAGES = 200, 60
SPEED_PAGES, QUICK_SPEED_PAGES = 1_000, 300
TOPICS = ("Recreation/Cooking", "Science/Weather_climate", "Computing/Machine_learning")
WIDE_TOPICS = ("Recreation/Cycling", "Home/Baking", "Science/Astronomy")
DRAWS = 2
ENGINES = 4
IN_FLIGHT = 2  # requests of an engine, where speed is measured: with more, four engines are short of processors here
LATENCY = 0.2
LIMIT = 1_800.0
POLITE = {"fetch.concurrency": 8, "fetch.delay": 0.1}
HASTY = {"fetch.concurrency": IN_FLIGHT, "fetch.delay": 0.0, "crawl.choosy": 0.0}  # no host is waited for
MANY = WideWeb(7, more=932, each=14)  # 1,001 hosts
MOST = WideWeb(7, more=1_932, each=12)  # 2,001 hosts


def run(*, quick: bool = False, parts: Sequence[str] | None = None) -> Report:
    """Crawl with one engine and with several."""
    if programs() is None:
        return Report(skipped=MISSING)
    with running_server() as server, threadpool_limits(1):
        figures = [figure for name in parts or PARTS for figure in PARTS[name](server, quick)]
    return Report(figures=tuple(figures))


def _modern(server: Server, quick: bool) -> Iterator[Figure]:
    if webs_file("modern.warc.gz") is not None:
        with open_web(WEBS["modern"]) as world:
            yield from _harvests(server, world, table_of(WEBS["modern"]), TOPICS, quick=quick)


def _wide(server: Server, quick: bool) -> Iterator[Figure]:
    with _world(MANY, "wide") as world:
        yield from _harvests(server, world, MANY.archive()[1], WIDE_TOPICS, quick=quick)


def _harvests(server: Server, world: World, labels: Path, topics: Sequence[str], *, quick: bool) -> Iterator[Figure]:
    pages, draws = (QUICK_LAB_PAGES, 1) if quick else (LAB_PAGES, DRAWS)
    tasks = _tasks(world, labels, topics[:1] if quick else topics, draws)
    found: dict[int, list[float]] = {1: [], ENGINES: []}
    for task, engines in product(tasks, found):
        url = ServerUrl.read(server.new_url())
        crawled = crawl(url, world, task, engines=engines, settings=POLITE, pages=pages, costs=False)
        found[engines].append(crawled.harvest)
        print(f"  {world.name} {task.task.topic} {task.task.draw}, {engines}: {crawled.harvest:.3f}", flush=True)
    one, four = mean(found[1]), mean(found[ENGINES])
    hosts = len(set(world.hosts))
    yield Figure(name=f"{world.name}, {hosts:,} hosts, {len(tasks)} crawls of {pages} pages: harvest of one", value=one)
    yield Figure(name=f"{world.name}: harvest of {ENGINES} engines", value=four)
    yield Figure(name=f"{world.name}: the second of the first", value=four / one, goal=at_least(0.97))


def _speed(server: Server, quick: bool) -> Iterator[Figure]:
    pages, speeds = QUICK_SPEED_PAGES if quick else SPEED_PAGES, {}
    with _world(MOST, "widest") as world:
        [task] = _tasks(world, MOST.archive()[1], WIDE_TOPICS[:1], 1)
        for engines in (1, 2, ENGINES):
            url = ServerUrl.read(server.new_url())
            found = speeds[engines] = crawl(url, world, task, engines=engines, settings=HASTY, pages=pages, costs=True)
            told = f"{found.speed:.2f} requests a second, {found.speed_from_start:.2f} from the start"
            turns = f"{found.locked / found.seconds:.3f} of the time one writes, {found.locked_ms:.2f} ms a request"
            print(f"  {count(engines, 'engine')}: {told}; {turns}, waits {found.waited:.2f} s", flush=True)
    for engines, crawled in speeds.items():
        yield Figure(name=f"lab: requests a second of {count(engines, 'engine')}", value=crawled.speed)
        yield Figure(name=f"lab: the same from the start, {engines}", value=crawled.speed_from_start)
        locked, waited = crawled.locked / crawled.seconds, crawled.waited / crawled.seconds / engines
        yield Figure(name=f"lab: part of the time in which one of {engines} writes", value=locked)
        yield Figure(name=f"lab: part of its time that one of {engines} waits for the turn", value=waited)
        yield Figure(name=f"lab: time with the turn for a request, of {engines}", value=crawled.locked_ms, unit="ms")
    one = speeds[1]
    yield Figure(name="lab: times the speed of one with 2", value=speeds[2].speed / one.speed)
    faster = speeds[ENGINES].speed / one.speed
    yield Figure(name=f"lab: times the speed of one with {ENGINES}", value=faster, goal=at_least(3.5))
    from_start = speeds[ENGINES].speed_from_start / one.speed_from_start
    yield Figure(name=f"lab: the same from the start, with {ENGINES} of one", value=from_start)


def _live(server: Server, quick: bool) -> Iterator[Figure]:
    pages, speeds = QUICK_PAGES if quick else PAGES, {}
    with ServedApart(MOST.answer, latency=LATENCY) as served:
        slow = demo_settings(MOST, served.port, pages=pages)
        fetch = replace(slow.fetch, concurrency=IN_FLIGHT, delay=0.0, first_byte_timeout=10.0, timeout=20.0)
        hasty = replace(slow, fetch=fetch, crawl=replace(slow.crawl, choosy=0.0))
        for engines in (1, 2, ENGINES):
            speeds[engines] = _crawl(server, hasty, engines)
            yield Figure(name=f"live: requests a second of {count(engines, 'engine')}", value=speeds[engines])
    yield Figure(name="live: times the speed of one with 2", value=speeds[2] / speeds[1])
    yield Figure(
        name=f"live: times the speed of one with {ENGINES}", value=speeds[ENGINES] / speeds[1], goal=at_least(3.5)
    )


PARTS: dict[str, Callable[[Server, bool], Iterator[Figure]]] = {
    "modern": _modern,
    "wide": _wide,
    "speed": _speed,
    "live": _live,
}


def _world(web: WideWeb, name: str) -> World:
    warc, labels = web.archive()
    return open_world(WorldSource(name=name, warc=(warc,), labels=labels))


def _tasks(world: World, labels: Path, topics: Sequence[str], draws: int) -> list[LiveTask]:
    known = LiveLabels(labels)
    return [known.task(world, topic, draw) for topic in topics for draw in range(draws)]


def _crawl(server: Server, settings: Settings, engines: int) -> float:
    """Return the requests a second of a live crawl."""
    url = server.new_url()
    store = StoreSettings(url=url)
    with PostgresStore(ServerUrl.read(url)):
        pass  # the tables are made, so that they can be read from the beginning
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        CrawlDirectory.create(folder / "first", topics=demo_topics(MOST), settings=replace(settings, store=store))
        commands = [scenthound("crawl", str(folder / "first"), "--quiet")]
        commands += [scenthound("join", url, "--dir", str(folder / f"e{n}"), "--quiet") for n in range(1, engines)]
        with PostgresStore(ServerUrl.read(url), read_only=True) as reader:
            processes = [_start(commands[0])]
            while reader.shared_file("topics.toml") is None and processes[0].poll() is None:
                sleep(0.2)
            processes += [_start(command) for command in commands[1:]]
            _wait(processes)
            with reader.session.snapshot() as con:
                ends = [at for (at,) in con.execute("SELECT at FROM fetches ORDER BY at").fetchall()]
    server.psql(f'DROP SCHEMA "{ServerUrl.read(url).schema}" CASCADE')
    return steady_speed(ends)


def _wait(processes: "Sequence[subprocess.Popen[bytes]]") -> None:
    end = monotonic() + LIMIT
    for process in processes:
        try:
            process.wait(max(0.0, end - monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _start(command: list[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure some parts and print their figures; nothing is kept."""
    parser = argparse.ArgumentParser(prog="python -m bench.several_engines", description=str(__doc__).splitlines()[0])
    parser.add_argument("parts", nargs="+", choices=PARTS)
    parser.add_argument("--quick", action="store_true")
    chosen = parser.parse_args(arguments)
    report = run(quick=chosen.quick, parts=chosen.parts)
    for figure in report.figures:
        print(f"{figure.name}: {number(figure.value)} {figure.unit} {figure.verdict}".rstrip())


if __name__ == "__main__":
    main()
