"""The cost of the window: how long its pages take to open over a million pages, and what it takes from a crawl.

A page is open when a real browser shows its numbers or its list. The clock counts whatever else the machine has to do,
and the browser; processor time, which is measured beside it, does not. A crawl of the demo web is run in turns with
nobody looking and with a browser on its Monitor: as fast as it can, and as politely as a crawl of the real web.
"""

import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from bench.figures import Figure, Report, at_most
from bench.made_crawl import make_crawl
from bench.running import Run, cpu_of, measured, python_module
from scenthound.cli.work.demo_run import demo_settings, demo_topics
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedApart
from scenthound.demo.web import DemoWeb
from scenthound.services.sql.read_connection import asking
from scenthound.settings.file import override
from tests.ui.chromium import MISSING, chromium

PAGES = 1_000_000
LAPS = 3
OPENS_IN = 2.0  # seconds
COSTS = 5.0  # per cent
# Each with how many pages of the demo web are crawled in a lap, and settings. At full speed it is most of that web, ten
# seconds or more: of the first two, half would be the browser drawing its first dots.
PACES: dict[str, tuple[int, list[str]]] = {
    "at full speed": (3000, []),
    "at a polite pace": (1000, ["fetch.delay=1.0"]),
}
_PATIENCE = 60_000  # milliseconds

Ready = Callable[[Page], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """An opened page of the window: seconds until it was painted and usable, and processor seconds of the server."""

    painted: float
    seconds: float
    cpu: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Lap:
    """A crawl with its pages a second, and the processor seconds that the server of the window took beside it."""

    run: Run
    speed: float
    server: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Laps:
    """Crawls at one pace: with nobody looking, and watched."""

    pace: str
    alone: list[Lap]
    watched: list[Lap]


def run(*, quick: bool = False) -> Report:
    """Measure opening, and then the cost beside a crawl."""
    program = chromium()
    if program is None:
        return Report(skipped=MISSING)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=program, args=["--no-sandbox"])
        opened = opening(browser, Path(folder), 20_000 if quick else PAGES)
        rounds = 1 if quick else LAPS
        at = [
            laps(browser, Path(folder) / pace, 150 if quick else pages, rounds, pace)
            for pace, (pages, _) in PACES.items()
        ]
        browser.close()
    return report(opened, at, pages=20_000 if quick else PAGES)


def opening(browser: Browser, folder: Path, pages: int) -> dict[str, Opened]:
    """Open Monitor, Results and Map over a large crawl: with a cold server and browser, and once more."""
    print(f"  making a crawl of {pages:,} pages", flush=True)
    directory = make_crawl(folder / "large", pages)
    views: dict[str, tuple[str, Ready]] = {
        "Monitor": ("", lambda page: page.locator(".tile-value", has_text=f"{pages:,}").first.wait_for()),
        "Results": ("/results", lambda page: page.locator("article.hit").first.wait_for()),
        "Map": ("/map", lambda page: page.get_by_text("more pages near").wait_for()),
    }
    found: dict[str, Opened] = {}
    for name, (path, ready) in views.items():
        with served(directory) as (home, process):
            context = browser.new_context()  # with a cache of its own, which is empty at first
            for when in ("first", "again"):
                found[f"{name}, {when}"] = _open(context, f"{home}/crawl/large{path}", ready, process)
            context.close()
    return found


_PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


def _open(context: BrowserContext, address: str, ready: Ready, process: int) -> Opened:
    page = context.new_page()
    page.set_default_timeout(_PATIENCE)
    began, cpu = time.perf_counter(), cpu_of(process)
    page.goto(address)
    ready(page)
    seconds, painted = time.perf_counter() - began, float(page.evaluate(_PAINTED)) / 1000
    page.close()
    return Opened(painted=painted, seconds=seconds, cpu=cpu_of(process) - cpu)


@contextmanager
def served(directory: CrawlDirectory) -> Iterator[tuple[str, int]]:
    """Serve the window on a crawl; return its address, and its process."""
    command = python_module("scenthound", "serve", str(directory.path), "--port", "0", "--no-open", "--no-token")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            home = process.stdout.readline().rpartition(" ")[2].strip().rstrip("/")
            yield home, process.pid
        finally:
            process.terminate()


def laps(browser: Browser, folder: Path, pages: int, rounds: int, pace: str) -> Laps:
    """Crawl the demo web in turns, alone and with a browser on the Monitor."""
    web = DemoWeb(7)
    alone: list[Lap] = []
    watched: list[Lap] = []
    folder.mkdir()
    with ServedApart(web.answer) as server:
        for number in range(rounds):
            for kind, laps_of_kind in (("alone", alone), ("watched", watched)):
                print(f"  crawling {pages} pages {pace}, {kind}", flush=True)
                settings = override(demo_settings(web, server.port, pages=pages), PACES[pace][1])
                directory = CrawlDirectory.create(
                    folder / f"{kind}-{number}", topics=demo_topics(web), settings=settings
                )
                laps_of_kind.append(_watched(browser, directory) if kind == "watched" else _crawl(directory))
    return Laps(pace=pace, alone=alone, watched=watched)


def _crawl(directory: CrawlDirectory) -> Lap:
    run = measured(python_module("scenthound", "crawl", str(directory.path), "--quiet"), limit=240)
    with asking(directory) as con:
        [[speed]] = con.execute(_SPEED)
    return Lap(run=run, speed=speed)


# From the first page to the last: what starting the program takes is another matter.
_SPEED = "SELECT count(*) / (max(fetched_at) - min(fetched_at)) FROM pages WHERE ending = 'page' AND counts"


def _watched(browser: Browser, directory: CrawlDirectory) -> Lap:
    with served(directory) as (home, process):
        page = browser.new_page()
        page.goto(f"{home}/crawl/{directory.path.name}")
        page.get_by_text("No page has been judged yet").wait_for()
        before = cpu_of(process)
        done = _crawl(directory)
        cost = cpu_of(process) - before
        page.close()
    return replace(done, server=cost)


def report(opened: dict[str, Opened], at: list[Laps], *, pages: int) -> Report:
    """Put it into figures."""
    figures = [
        figure
        for name, one in opened.items()
        for figure in (
            Figure(name=f"{name}: server's processor time", value=one.cpu, unit="s", goal=at_most(OPENS_IN)),
            Figure(name=f"{name}: painted, by the clock", value=one.painted, unit="s"),
            Figure(name=f"{name}: usable, by the clock", value=one.seconds, unit="s", goal=at_most(OPENS_IN)),
        )
    ]
    figures += [figure for laps in at for figure in _costs(laps)]
    said = (
        f"A crawl of {pages:,} pages and as many URLs that wait is made by SQL alone. *First* is with a server that "
        "was just "
        "started and has answered nothing, and a browser with an empty cache; *again* is the next page of that "
        "browser. The clock "
        "includes the browser, which runs on the same two cores as everything else, and so does that of the watched "
        "crawls.",
    )
    return Report(figures=tuple(figures), text=said)


def _costs(laps: Laps) -> Iterator[Figure]:
    alone, watched = laps.alone, laps.watched
    cpu = _typical([lap.run.cpu for lap in alone])
    own = 100 * (_typical([lap.run.cpu for lap in watched]) / cpu - 1)
    slower = 100 * (1 - _typical([lap.speed for lap in watched]) / _typical([lap.speed for lap in alone]))
    beside = 100 * _typical([lap.server for lap in watched]) / cpu
    name = f"a crawl {laps.pace}"
    yield Figure(name=f"{name}: pages a second with nobody looking", value=_typical([one.speed for one in alone]))
    yield Figure(name=f"{name}: fewer a second while watched", value=slower, unit="%", goal=at_most(COSTS))
    yield Figure(name=f"{name}: processor time that it takes more", value=own, unit="%", goal=at_most(COSTS))
    yield Figure(name=f"{name}: server's processor time beside it, of the crawl's", value=beside, unit="%")


def _typical(values: list[float]) -> float:
    return median(values)
