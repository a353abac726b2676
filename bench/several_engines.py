"""What several engines on one PostgreSQL crawl are worth: their harvest beside that of one, and their speed.

The harvest is the share of pages truly on topic after the same number of pages of the demo web. The speed is measured
where the network is what one waits for: each answer takes 200 ms, and an engine has few requests in flight.
"""

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

from msgspec.structs import replace

from bench.figures import Figure, Report, at_least
from bench.running import ROOT, scenthound
from scenthound.cli.work.demo_run import TOPIC, demo_settings, demo_topics, harvested
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedApart
from scenthound.demo.web import DemoWeb
from scenthound.settings.schema import Settings, StoreSettings
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.store import PostgresStore
from tests.store.postgres_server import MISSING, Server, programs, running_server

PAGES, QUICK_PAGES = 1_000, 150
ENGINES = 4
IN_FLIGHT = 4  # requests of an engine, where speed is measured
LATENCY = 0.2
LIMIT = 1_800.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """One crawl: the share of its pages that are on topic, and pages a second while all engines were at work."""

    harvest: float
    speed: float


def run(*, quick: bool = False) -> Report:
    """Crawl the demo web with one engine and with four."""
    if programs() is None:
        return Report(skipped=MISSING)
    web, pages = DemoWeb(7), QUICK_PAGES if quick else PAGES
    with running_server() as server:
        with ServedApart(web.answer) as served:
            settings = demo_settings(web, served.port, pages=pages)
            one, four = (_crawl(server, web, settings, engines) for engines in (1, ENGINES))
        with ServedApart(web.answer, latency=LATENCY) as served:
            slow = demo_settings(web, served.port, pages=pages)
            slow = replace(
                slow, fetch=replace(slow.fetch, concurrency=IN_FLIGHT, first_byte_timeout=10.0, timeout=20.0)
            )
            alone, together = (_crawl(server, web, slow, engines) for engines in (1, ENGINES))
    return Report(
        figures=(
            Figure(name="harvest of one engine", value=one.harvest),
            Figure(name=f"harvest of {ENGINES} engines", value=four.harvest),
            Figure(name="the second of the first", value=four.harvest / one.harvest, goal=at_least(0.97)),
            Figure(name="pages a second of one engine, answers take 200 ms", value=alone.speed),
            Figure(name=f"pages a second of {ENGINES} engines", value=together.speed),
            Figure(name="times the speed of one", value=together.speed / alone.speed, goal=at_least(3.5)),
        ),
        text=(f"{pages:,} pages each, on the demo web of {len(web.hosts)} hosts.",),
    )


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
            found = harvested(reader.pages(), web.truth)
    good = sum(number for topic, number in found.fetched.items() if topic.startswith(TOPIC))
    server.psql(f'DROP SCHEMA "{ServerUrl.read(url).schema}" CASCADE')
    return Ran(harvest=good / sum(found.fetched.values()), speed=pages / seconds)


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
