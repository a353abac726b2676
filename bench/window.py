"""What the window costs: how long its pages take to open over a crawl of a million pages, and what it takes from a crawl that runs.

A page is open when a real browser shows its numbers or its list. Goals are held by the processor time of the server, because
the machine has other work; the clock is printed beside it. A crawl of the demo web is run in turns with nobody looking and
with a browser on its Monitor.
"""

import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

from bench.figures import Figure, Report, at_most
from bench.made_crawl import make_crawl
from bench.running import Run, cpu_of, measured, python_module
from scenthound.cli.demo import demo_settings, demo_topics
from scenthound.crawl.directory import CrawlDirectory
from scenthound.demo.server import ServedApart
from scenthound.demo.web import DemoWeb
from tests.ui.chromium import MISSING, chromium

PAGES = 1_000_000
CRAWLED = 500  # pages of the demo web in each lap
LAPS = 3
OPENS_IN = 2.0  # seconds
COSTS = 5.0  # per cent
_PATIENCE = 60_000  # milliseconds

Ready = Callable[[Page], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A page of the window that was opened: by the clock, and in processor seconds of the server."""

    seconds: float
    cpu: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Lap:
    """A crawl, with the processor seconds that the server of the window took beside it."""

    run: Run
    server: float = 0.0


def run(*, quick: bool = False) -> Report:
    """Measure opening, and then the cost beside a crawl."""
    program = chromium()
    if program is None:
        return Report(skipped=MISSING)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=program, args=["--no-sandbox"])
        opened = opening(browser, Path(folder), 20_000 if quick else PAGES)
        alone, watched = laps(browser, Path(folder), 150 if quick else CRAWLED, 1 if quick else LAPS)
        browser.close()
    return report(opened, alone, watched, pages=20_000 if quick else PAGES)


def opening(browser: Browser, folder: Path, pages: int) -> dict[str, Opened]:
    """Open Monitor, Results and Map over a large crawl, each once with a server that has seen nothing, and once more."""
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
            for when in ("first", "again"):
                found[f"{name}, {when}"] = _open(browser, f"{home}/crawl/large{path}", ready, process)
    return found


def _open(browser: Browser, address: str, ready: Ready, process: int) -> Opened:
    page = browser.new_page()
    page.set_default_timeout(_PATIENCE)
    began, cpu = time.perf_counter(), cpu_of(process)
    page.goto(address)
    ready(page)
    seconds = time.perf_counter() - began
    page.close()
    return Opened(seconds=seconds, cpu=cpu_of(process) - cpu)


@contextmanager
def served(directory: CrawlDirectory) -> Iterator[tuple[str, int]]:
    """Serve the window on a crawl; return its address, and its process."""
    command = python_module("scenthound", "serve", str(directory.path), "--port", "0", "--no-open")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            home = process.stdout.readline().rpartition(" ")[2].strip().rstrip("/")
            yield home, process.pid
        finally:
            process.terminate()


def laps(browser: Browser, folder: Path, pages: int, rounds: int) -> tuple[list[Lap], list[Lap]]:
    """Crawl the demo web in turns, alone and with a browser on the Monitor."""
    web = DemoWeb(7)
    alone: list[Lap] = []
    watched: list[Lap] = []
    with ServedApart(web.answer) as server:
        for number in range(rounds):
            for kind, laps_of_kind in (("alone", alone), ("watched", watched)):
                print(f"  crawling {pages} pages, {kind}", flush=True)
                path = folder / f"{kind}-{number}"
                directory = CrawlDirectory.create(
                    path, topics=demo_topics(web), settings=demo_settings(web, server.port, pages=pages)
                )
                laps_of_kind.append(_watched(browser, directory) if kind == "watched" else Lap(run=_crawl(directory)))
    return alone, watched


def _crawl(directory: CrawlDirectory) -> Run:
    return measured(python_module("scenthound", "crawl", str(directory.path), "--quiet"), limit=240)


def _watched(browser: Browser, directory: CrawlDirectory) -> Lap:
    with served(directory) as (home, process):
        page = browser.new_page()
        page.goto(f"{home}/crawl/{directory.path.name}")
        page.get_by_text("No page has been judged yet").wait_for()
        before = cpu_of(process)
        done = _crawl(directory)
        cost = cpu_of(process) - before
        page.close()
    return Lap(run=done, server=cost)


def report(opened: dict[str, Opened], alone: list[Lap], watched: list[Lap], *, pages: int) -> Report:
    """Put it into figures."""
    figures = [
        figure
        for name, one in opened.items()
        for figure in (
            Figure(name=f"{name}: server's processor time", value=one.cpu, unit="s", goal=at_most(OPENS_IN)),
            Figure(name=f"{name}: by the clock", value=one.seconds, unit="s"),
        )
    ]
    own = 100 * (_typical([lap.run.cpu for lap in watched]) / _typical([lap.run.cpu for lap in alone]) - 1)
    clock = 100 * (_typical([lap.run.seconds for lap in watched]) / _typical([lap.run.seconds for lap in alone]) - 1)
    beside = 100 * _typical([lap.server for lap in watched]) / _typical([lap.run.cpu for lap in alone])
    figures += [
        Figure(name="processor time that a watched crawl takes more", value=own, unit="%", goal=at_most(COSTS)),
        Figure(name="server's processor time beside it, of the crawl's", value=beside, unit="%"),
        Figure(name="time by the clock that a watched crawl takes more", value=clock, unit="%"),
    ]
    said = (
        f"A crawl of {pages:,} pages and as many URLs that wait is made by SQL alone. *First* is with a server that was just "
        "started and has answered nothing; *again* is the next browser. The clock includes the browser, which runs on the same "
        "two cores as everything else, and so does that of the watched crawls.",
    )
    return Report(figures=tuple(figures), text=said)


def _typical(values: list[float]) -> float:
    return median(values)
