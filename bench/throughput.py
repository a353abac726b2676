"""How fast pages go through a whole crawl as a user runs it, against Scrapy and a bare fetch loop on the same server.

The archived schools web (5,462 pages on one host), or the demo web where it is not there, is served from memory by a
process of its own. `scenthound` has ten examples of a topic and of twenty others, and everything as shipped: critic,
apprentice, distiller, archive, robots.txt, database. Only the pauses between requests are off. `unjudged` is the same
crawler without critic, apprentice and distiller. Scrapy fetches, obeys robots.txt and extracts links. All fetch about
2,000 pages, in turns, so that a noisy minute of the machine hits all of them, and medians of the rounds are compared.
Start-up and training are included: what counts are pages over the whole time of the program, and its processor time.
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.account import Account, table_of, take_account
from bench.crawling import UNJUDGED, crawl, fetched_by, pages_of
from bench.figures import Figure, Report, at_least, at_most, markdown_table, number
from bench.picture import Part, bars
from bench.running import ROOT, Run, measured, python_module
from bench.serving import ServerProcess
from bench.shipped import Start, start

ROUNDS = 3
LIMIT = 900.0  # seconds for one contender in one round; Scrapy needs about 80 on a quiet machine
PAGES = 2000
QUICK_PAGES = 300
PICTURE = "throughput.svg"
OURS, PLAIN, SCRAPY, BARE = "scenthound", "unjudged", "Scrapy", "bare loop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lap:
    """One contender in one round: all pages that it fetched, and the whole program with start-up."""

    pages: int
    process: float
    cpu: float
    server_cpu: float


Contender = Callable[[], Lap]


def run(*, quick: bool = False) -> Report:
    """Let all contenders take turns, and look into one more crawl."""
    web = start()
    with ServerProcess(web.served) as server, tempfile.TemporaryDirectory() as folder:
        ring = _Ring(web=web, server=server, folder=Path(folder), pages=QUICK_PAGES if quick else PAGES)
        ring.warm_up()
        laps = ring.laps(1 if quick else ROUNDS)
        account = ring.account()
    return report(laps, account, web=web.name)


class _Ring:
    """Where the contenders meet: one server, one web."""

    def __init__(self, *, web: Start, server: ServerProcess, folder: Path, pages: int) -> None:
        self._web = web
        self._server = server
        self._folder = folder
        self._pages = pages
        self._list = folder / "urls"
        self._crawls = 0

    def warm_up(self) -> None:
        """Crawl a little, uncounted: it brings files and bytecode into the machine's caches."""
        self._crawl(self._new(), (), QUICK_PAGES)

    def laps(self, rounds: int) -> dict[str, list[Lap]]:
        contenders: dict[str, Contender] = {
            OURS: lambda: self._ours((), max(1, self._pages - self._web.examples)),  # examples count against no budget
            PLAIN: lambda: self._ours(UNJUDGED, self._pages),
            SCRAPY: lambda: self._peer("scrapy_spider", self._web.seed, str(self._pages)),
            BARE: lambda: self._peer("bare_loop", str(self._list)),
        }
        laps: dict[str, list[Lap]] = {name: [] for name in contenders}
        for number_ in range(rounds):
            for name, contender in contenders.items():
                lap = contender()
                laps[name].append(lap)
                told = f"{lap.pages / lap.process:8.1f}/s {1000 * lap.cpu / lap.pages:7.2f} ms of processor a page"
                print(f"  round {number_ + 1} {name:<10} {lap.pages:>5} pages {told}", flush=True)
        return laps

    def account(self) -> Account:
        """Crawl once more as shipped, and see where the time goes."""
        pages = max(1, self._pages - self._web.examples)
        return take_account(self._new(), self._settings(()), pages=pages)

    def _ours(self, settings: Sequence[str], pages: int) -> Lap:
        path = self._new()
        before = self._server.cpu()
        done = self._crawl(path, settings, pages)
        served = self._server.cpu() - before
        self._list.write_text("\n".join(pages_of(path)), encoding="utf-8")  # for the bare loop, which comes later
        return Lap(pages=fetched_by(path), process=done.seconds, cpu=done.cpu, server_cpu=served)

    def _new(self) -> Path:
        self._crawls += 1
        path = self._folder / f"crawl{self._crawls}"
        self._web.new_crawl(path)
        return path

    def _settings(self, more: Sequence[str]) -> list[str]:
        return [*self._web.settings, *more, f"fetch.proxy={self._server.proxy}"]

    def _crawl(self, path: Path, settings: Sequence[str], pages: int) -> Run:
        return crawl(path, self._settings(settings), pages=pages, limit=LIMIT).run

    def _peer(self, name: str, *arguments: str) -> Lap:
        before = self._server.cpu()
        done = measured(python_module(f"bench.peers.{name}", self._server.proxy, *arguments), limit=LIMIT, cwd=ROOT)
        served = self._server.cpu() - before
        return Lap(pages=int(done.json()["pages"]), process=done.seconds, cpu=done.cpu, server_cpu=served)


def report(laps: Mapping[str, Sequence[Lap]], account: Account, *, web: str) -> Report:
    """Compare the medians of the rounds."""
    speed = {name: median(lap.pages / lap.process for lap in turns) for name, turns in laps.items()}
    cost = {name: 1000 * median(lap.cpu / lap.pages for lap in turns) for name, turns in laps.items()}
    return Report(
        figures=(
            Figure(name="scenthound as shipped", value=speed[OURS], unit="pages/s"),
            Figure(name="unjudged", value=speed[PLAIN], unit="pages/s"),
            Figure(name="Scrapy", value=speed[SCRAPY], unit="pages/s"),
            Figure(name="bare aiohttp loop", value=speed[BARE], unit="pages/s"),
            Figure(name="as shipped over Scrapy", value=speed[OURS] / speed[SCRAPY], unit="×", goal=at_least(3)),
            Figure(name="unjudged over Scrapy", value=speed[PLAIN] / speed[SCRAPY], unit="×", goal=at_least(7)),
            Figure(name="processor time a page, as shipped", value=cost[OURS], unit="ms"),
            Figure(name="processor time a page, unjudged", value=cost[PLAIN], unit="ms"),
            Figure(name="processor time a page, Scrapy", value=cost[SCRAPY], unit="ms"),
            Figure(name="as shipped, part of Scrapy's time", value=cost[OURS] / cost[SCRAPY], goal=at_most(0.5)),
        ),
        text=(
            f"Served: {web}.",
            _table(laps),
            f"![Pages a second]({PICTURE})",
            "Where the processor time of one more crawl as shipped goes:",
            table_of(account),
        ),
        pictures={PICTURE: bars("Pages a second", [Part(label=name, value=rate) for name, rate in speed.items()])},
    )


def _table(laps: Mapping[str, Sequence[Lap]]) -> str:
    headings = ["contender", "round", "pages", "pages/s", "ms of processor a page", "the server's ms"]
    rows = [
        [
            name,
            str(turn),
            number(lap.pages),
            number(lap.pages / lap.process),
            f"{1000 * lap.cpu / lap.pages:.2f}",
            f"{1000 * lap.server_cpu / lap.pages:.2f}",
        ]
        for name, turns in laps.items()
        for turn, lap in enumerate(turns, start=1)
    ]
    return markdown_table(headings, sorted(rows, key=lambda row: row[1]), right=range(1, 6))
