"""The cost of the apprentice: learning, scoring, a large frontier, memory, resuming, and the crawl's speed.

The pages are those of the schools web (made ones where it is not at hand) that have most links, 50 each on average, and
a SQLite store is between them and the apprentice. They come in batches as large as in a crawl at full speed, and also
one by one. Costs are processor time of one core, each batch at the fastest of several rounds; the passes over the whole
frontier are in them. The large frontier is made of the same pages on many hosts. How speed is measured is told in
apprentice_speed.py.
"""

from collections.abc import Iterator, Mapping

from bench.apprentice_costs import BATCH, LINKS, PAGES, ROUNDS
from bench.apprentice_speed import Laps, cost, laps, ratio
from bench.figures import Figure, Report, at_least, at_most, markdown_table, number
from bench.running import measured, python_module

LIMIT = 1200.0
QUICK_LINKS = 50_000
QUICK_PAGES = 300

Told = Mapping[str, float]


def run(*, quick: bool = False) -> Report:
    """Measure costs in processes of their own, then let crawls take turns."""
    course = _told("course", "--rounds", str(1 if quick else ROUNDS))
    frontier = _told("frontier", "--links", str(QUICK_LINKS if quick else LINKS))
    return report(course, frontier, laps(pages=QUICK_PAGES, rounds=1) if quick else laps())


def _told(mode: str, *arguments: str) -> Told:
    print(f"  {mode}", flush=True)
    return measured(python_module("bench.apprentice_costs", mode, *arguments), limit=LIMIT).json()


def report(course: Told, frontier: Told, speed: Laps | None) -> Report:
    """Hold everything against its goal; without the schools web there is no speed."""
    figures = [*_costs(course), *_sizes(course, frontier), *_resuming(course), *(_speeds(speed) if speed else ())]
    without = "The schools web is not at hand: pages were made up, and no crawls were compared."
    return Report(figures=tuple(figures), text=(_table(speed) if speed else without,))


def _costs(course: Told) -> Iterator[Figure]:
    yield Figure(name="links of a page", value=course["links"])
    name = f"learning from a page and scoring, {BATCH} pages at a time"
    yield Figure(name=name, value=course["batches"], unit="ms", goal=at_most(1.5))
    yield Figure(name="the same, one page at a time", value=course["singly"], unit="ms")


def _sizes(course: Told, frontier: Told) -> Iterator[Figure]:
    yield Figure(name="links of the large frontier", value=frontier["links"])
    yield Figure(name="URLs that wait in it", value=frontier["waiting"])
    yield Figure(name="thinking all of it over", value=frontier["again"], unit="s", goal=at_most(5))
    yield Figure(name="the same, and telling all priorities", value=frontier["first"], unit="s")
    yield Figure(name="memory for a link", value=frontier["bytes"], unit="bytes")
    yield Figure(name="log for a link", value=course["log"], unit="bytes")
    both = frontier["bytes"] + course["log"]
    yield Figure(name="memory and log for a link", value=both, unit="bytes", goal=at_most(1000))


def _resuming(course: Told) -> Iterator[Figure]:
    thousands = PAGES / 1000
    yield Figure(name="writing a checkpoint, for 1,000 pages", value=course["checkpoint"] / thousands, unit="s")
    yield Figure(name="restoring it, for 1,000 pages", value=course["restored"] / thousands, unit="s")
    yield Figure(name="going through the log, for 1,000 pages", value=course["replayed"] / thousands, unit="s")


def _speeds(speed: Laps) -> Iterator[Figure]:
    yield Figure(name="speed over best-first's", value=ratio(speed, "pages/s"), unit="×", goal=at_least(0.85))
    yield Figure(name="processor time over best-first's", value=ratio(speed, "ms of processor"), unit="×")
    yield Figure(name="learning and scoring in the crawl", value=cost(speed), unit="ms a page")


def _table(speed: Laps) -> str:
    rows = [
        [order, str(turn), number(lap.pages), *(f"{value:.2f}" for value in lap.figures.values())]
        for order, turns in speed.items()
        for turn, lap in enumerate(turns, start=1)
    ]
    headings = ["order", "round", "pages", *next(iter(speed.values()))[0].figures]
    return markdown_table(headings, sorted(rows, key=lambda row: row[1]), right=range(1, len(headings)))
