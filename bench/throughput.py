"""How fast pages go through the whole of a crawl, against Scrapy and against a bare fetch loop on the same pages.

The archived schools web (5,462 pages on one host) is served from memory by a process of its own; every contender
visits the whole of it. They take turns, so that a noisy minute of the machine hits all of them, and medians of the
rounds are compared. scenthound does everything it ever does: robots.txt, reading, deduplication, database, archive.
"""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.crawling import FULL_SPEED, UNJUDGED, crawl, new_crawl, pages_of
from bench.figures import Figure, Report, at_least, markdown_table, number
from bench.picture import Part, bars
from bench.running import ROOT, Run, measured, python_module
from bench.serving import SCHOOLS, SCHOOLS_LOCK, SCHOOLS_SEED, ServerProcess, missing, webs_file

ROUNDS = 3
LIMIT = 300.0  # seconds for one contender in one round; Scrapy needs about 80
QUICK_PAGES = 300
PICTURE = "throughput.svg"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lap:
    """One contender in one round. `crawl` is its own clock without, `process` the whole program with start-up."""

    pages: int
    crawl: float
    process: float
    cpu: float
    server_cpu: float


Contender = Callable[[], Lap]


def run(*, quick: bool = False) -> Report:
    """Let scenthound, Scrapy and the bare loop take turns."""
    warc = webs_file(SCHOOLS)
    if warc is None:
        return Report(skipped=missing(SCHOOLS))
    with ServerProcess(warc) as server, tempfile.TemporaryDirectory() as folder:
        ring = _Ring(server=server, folder=Path(folder), pages=QUICK_PAGES if quick else 0)
        ring.warm_up()
        laps = ring.laps(1 if quick else ROUNDS)
    return report(laps)


class _Ring:
    """Where the contenders meet: one server, one list of pages."""

    def __init__(self, *, server: ServerProcess, folder: Path, pages: int) -> None:
        self._server = server
        self._folder = folder
        self._pages = pages
        self._list = folder / "urls"
        self._crawls = 0

    def warm_up(self) -> None:
        """Crawl once uncounted: it brings the list of pages, and files and bytecode into the machine's caches."""
        self._list.write_text("\n".join(pages_of(self._crawled()[0])), encoding="utf-8")

    def laps(self, rounds: int) -> dict[str, list[Lap]]:
        contenders: dict[str, Contender] = {"scenthound": self._ours, "Scrapy": self._scrapy, "bare loop": self._bare}
        laps: dict[str, list[Lap]] = {name: [] for name in contenders}
        for number_ in range(rounds):
            for name, contender in contenders.items():
                lap = contender()
                laps[name].append(lap)
                print(
                    f"  round {number_ + 1} {name:<10} {lap.pages:>5} pages {lap.pages / lap.crawl:8.1f}/s", flush=True
                )
        return laps

    def _ours(self) -> Lap:
        before = self._server.cpu()
        _, lap = self._crawled()
        return Lap(
            pages=lap.pages, crawl=lap.crawl, process=lap.process, cpu=lap.cpu, server_cpu=self._server.cpu() - before
        )

    def _crawled(self) -> tuple[Path, Lap]:
        self._crawls += 1
        path = self._folder / f"crawl{self._crawls}"
        new_crawl(path, SCHOOLS_SEED)
        settings = [*FULL_SPEED, *UNJUDGED, SCHOOLS_LOCK, f"fetch.proxy={self._server.proxy}"]
        done = crawl(path, settings, pages=self._pages, limit=LIMIT)
        seconds = done.pages / done.pages_per_second
        lap = Lap(pages=done.pages, crawl=seconds, process=done.run.seconds, cpu=done.run.cpu, server_cpu=0.0)
        return path, lap

    def _scrapy(self) -> Lap:
        return self._peer("scrapy_spider", SCHOOLS_SEED, str(self._pages))

    def _bare(self) -> Lap:
        return self._peer("bare_loop", str(self._list))

    def _peer(self, name: str, *arguments: str) -> Lap:
        before = self._server.cpu()
        done: Run = measured(
            python_module(f"bench.peers.{name}", self._server.proxy, *arguments), limit=LIMIT, cwd=ROOT
        )
        told = done.json()
        return Lap(
            pages=int(told["pages"]),
            crawl=told["seconds"],
            process=done.seconds,
            cpu=done.cpu,
            server_cpu=self._server.cpu() - before,
        )


def report(laps: Mapping[str, Sequence[Lap]]) -> Report:
    """Compare the medians of the rounds."""
    speed = {name: median(lap.pages / lap.crawl for lap in turns) for name, turns in laps.items()}
    whole = {name: median(lap.pages / lap.process for lap in turns) for name, turns in laps.items()}
    cost = {name: 1000 * median(lap.cpu / lap.pages for lap in turns) for name, turns in laps.items()}
    ours = speed["scenthound"]
    return Report(
        figures=(
            Figure(name="scenthound", value=ours, unit="pages/s"),
            Figure(name="scenthound, start-up included", value=whole["scenthound"], unit="pages/s"),
            Figure(name="Scrapy", value=speed["Scrapy"], unit="pages/s"),
            Figure(name="bare aiohttp loop", value=speed["bare loop"], unit="pages/s"),
            Figure(name="scenthound over Scrapy", value=ours / speed["Scrapy"], unit="×", goal=at_least(5)),
            Figure(name="processor time a page", value=cost["scenthound"], unit="ms"),
            Figure(name="processor time a page, Scrapy", value=cost["Scrapy"], unit="ms"),
        ),
        text=(_table(laps), f"![Pages a second]({PICTURE})"),
        pictures={PICTURE: bars("Pages a second", [Part(label=name, value=rate) for name, rate in speed.items()])},
    )


def _table(laps: Mapping[str, Sequence[Lap]]) -> str:
    headings = ["contender", "round", "pages", "pages/s", "with start-up", "ms of processor a page", "the server's ms"]
    rows = [
        [
            name,
            str(turn),
            number(lap.pages),
            number(lap.pages / lap.crawl),
            number(lap.pages / lap.process),
            f"{1000 * lap.cpu / lap.pages:.2f}",
            f"{1000 * lap.server_cpu / lap.pages:.2f}",
        ]
        for name, turns in laps.items()
        for turn, lap in enumerate(turns, start=1)
    ]
    return markdown_table(headings, sorted(rows, key=lambda row: row[1]), right=range(1, 7))
