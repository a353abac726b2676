"""What classification costs as the memory for the database's cache grows (RELATIONAL fig. 8b)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from papers.relational.cost import Cost
from papers.relational.ways import SINGLE_PAGES, collection, stocked
from papers.sketch import Line, Panel, Sketch
from papers.study import About, Found, Point
from papers.timed import Timed
from scenthound.judge.probe.single import Records
from scenthound.lab.report.numbers import figure

SIZES: Final = (250, 1_000, 4_000, 16_000, 64_000)  # kilobytes
FEATURES: Final = 20_000  # so many that the statistics are much larger than the pages, as in the paper
PAGES: Final = 100
SINGLE, BULK = "SingleProbe, BLOB", "BulkProbe"

ABOUT = About(
    name="relational-memory",
    title="Classification in little memory",
    figures="RELATIONAL fig. 8b",
    asks="Who makes better use of the memory that the database has for its cache?",
    how=f"The collection of relational-probe with {PAGES} pages, and with {FEATURES:,} terms looked at in each topic: "
    "as in the paper, the "
    "statistics are much larger than the pages. SQLite is given caches from 0.25 to 64 MB, empty at the beginning; "
    "counted are the pages of "
    "4 KB that it then reads, by Linux's count of what the process reads. They come out of the memory of the "
    "operating system, which "
    "has the whole file: times show the cost of asking, not that of a disk, so reads are what compares with the "
    "paper's times. "
    f"SingleProbe judges {SINGLE_PAGES} pages, whose first lookups fill the cache; more pages would share that.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """Costs a page by way, at each size of the cache."""

    kilobytes: int
    costs: Mapping[str, tuple[Cost, ...]]

    def reads(self, way: str) -> tuple[float, ...]:
        return tuple(cost.reads or 0.0 for cost in self.costs[way])

    @property
    def counted(self) -> bool:
        return all(cost.reads is not None for costs in self.costs.values() for cost in costs)


def measure(quick: bool) -> Remembered:
    with stocked(collection(quick, features=FEATURES, pages=PAGES)) as stock:
        costs = {
            SINGLE: tuple(stock.single(Records.BLOB, size) for size in SIZES),
            BULK: tuple(stock.bulk(size) for size in SIZES),
        }
        [(pages,)] = stock.con.execute("PRAGMA page_count")
    return Remembered(kilobytes=pages * 4, costs=costs)


def tell(found: Remembered) -> Found:
    """Put the numbers into words."""
    if not found.counted:
        return Found(said="This system does not count what a process reads; nothing can be said.", points=())
    single, bulk = found.reads(SINGLE), found.reads(BULK)
    said = (
        f"The file has {figure(found.kilobytes / 1000, 1)} MB. From the smallest cache to the largest, a page takes "
        "SingleProbe "
        f"{single[0]:,.0f} to {single[-1]:,.0f} reads and {_ms(found, SINGLE, 0)} to {_ms(found, SINGLE, -1)} ms, "
        "BulkProbe "
        f"{bulk[0]:,.0f} to {bulk[-1]:,.0f} reads and {_ms(found, BULK, 0)} to {_ms(found, BULK, -1)} ms."
    )
    return Found(
        said=said, points=(_less(single, bulk), _steep(single, bulk), _time(found)), sketches=(_sketch(found),)
    )


def _ms(found: Remembered, way: str, place: int) -> str:
    return figure(1000 * found.costs[way][place].seconds, 1)


def _less(single: tuple[float, ...], bulk: tuple[float, ...]) -> Point:
    times = [one / max(other, 1e-9) for one, other in zip(single, bulk, strict=True)]
    return Point(
        paper="BulkProbe uses memory better, whatever there is of it.",
        ours=f"SingleProbe reads {figure(min(times), 1)} to {figure(max(times), 1)} times as many pages.",
        agrees=min(times) > 1,
        guess="Each inner topic walks through the batch again, which a small cache cannot keep.",
    )


def _steep(single: tuple[float, ...], bulk: tuple[float, ...]) -> Point:
    one, other = enough(single), enough(bulk)
    return Point(
        paper="BulkProbe's cost falls steeply and is stable from a much smaller cache on than SingleProbe's.",
        ours=f"BulkProbe has no more than a tenth of its worst from {SIZES[other] / 1000:g} MB on, SingleProbe "
        + (f"from {SIZES[one] / 1000:g} MB on." if one < len(SIZES) else "nowhere.")
        if other < len(SIZES)
        else "BulkProbe never comes down to a tenth of its worst.",
        agrees=other < one,
        guess="What BulkProbe walks through for one inner topic is the batch and a stretch of STAT; here the batch is "
        "the larger part, and "
        "is kept or dropped as a whole.",
    )


def enough(reads: tuple[float, ...]) -> int:
    """Return the first size from which on the reads are at most a tenth of the most.

    >>> enough((90.0, 80.0, 5.0, 4.0)), enough((90.0, 80.0))
    (2, 2)
    """
    good = [place for place in range(len(reads)) if max(reads[place:]) <= max(reads) / 10]
    return min(good, default=len(reads))


def _time(found: Remembered) -> Point:
    costs = found.costs[SINGLE]
    gain = costs[0].seconds / costs[-1].seconds
    return Point(
        paper="SingleProbe's time falls on and on as the cache grows.",
        ours=f"With the largest cache it takes {_ms(found, SINGLE, -1)} ms, with the smallest {_ms(found, SINGLE, 0)} "
        "ms: "
        f"{figure(gain, 2)} times as long.",
        agrees=gain > 1.5,
        guess="A page that SQLite has dropped is still in the memory of the operating system: a read costs "
        "microseconds, not the "
        "milliseconds of a disk.",
    )


def _sketch(found: Remembered) -> Sketch:
    at = tuple(size / 1000 for size in SIZES)
    panels = (
        Panel(
            title="pages read",
            across="MB of cache",
            up="reads a page",
            lines=tuple(Line(name=way, at=at, mean=found.reads(way)) for way in (SINGLE, BULK)),
        ),
        Panel(
            title="processor time",
            across="MB of cache",
            up="ms a page",
            lines=tuple(
                Line(name=way, at=at, mean=tuple(1000 * cost.seconds for cost in found.costs[way]))
                for way in (SINGLE, BULK)
            ),
        ),
    )
    caption = "Reads of the file, and processor time, for each page that is judged, by the memory of the database."
    return Sketch(
        name=ABOUT.name, caption=caption, alt="Lines of reads and times that fall with memory.", panels=panels
    )


STUDY = Timed(about=ABOUT, measure=measure, tell=tell)
