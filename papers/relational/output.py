"""BulkProbe's time against the size of its output, pages times topics below c0 (RELATIONAL fig. 8c)."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from papers.relational.cost import cost_of
from papers.relational.ways import collection
from papers.sketch import Line, Panel, Sketch
from papers.study import About, Found, Point
from papers.timed import Timed
from scenthound.counted import count
from scenthound.judge.probe.bulk import bulk_probe, bulk_probe_all
from scenthound.lab.report.numbers import figure

SHARES: Final = (0.25, 0.5, 1.0)  # of the pages
LINEAR: Final = 0.9  # the correlation from which on we call it so
EVERY: Final = 4  # inner topic is tried
PAGES: Final = 1_200

ABOUT = About(
    name="relational-output",
    title="Time against output",
    figures="RELATIONAL fig. 8c",
    asks="Is the time of BulkProbe proportional to the number of probabilities that it computes?",
    how="The collection of relational-probe; every fourth inner topic, with a quarter, half and all of 1,200 pages. "
    "Processor time, the lesser of two calls.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown:
    """Sizes of outputs, pages times topics, and milliseconds for each.

    All inner topics with few pages first, then with more.
    """

    sizes: tuple[int, ...]
    times: tuple[float, ...]

    @property
    def correlation(self) -> float:
        return float(np.corrcoef(self.sizes, self.times)[0, 1])

    @property
    def exponent(self) -> float:
        """The power of the output's size that the time grows with."""
        slope, _ = np.polyfit(np.log(self.sizes), np.log(self.times), 1)
        return float(slope)

    @property
    def exponent_by_pages(self) -> float:
        """The same at one inner topic, where only the number of pages changes: the median over inner topics."""
        sizes, times = (np.log(values).reshape(len(SHARES), -1) for values in (self.sizes, self.times))
        return float(np.median([np.polyfit(*column, 1)[0] for column in zip(sizes.T, times.T, strict=True)]))


def measure(quick: bool) -> Grown:
    made = collection(quick, pages=PAGES)
    sizes, times = [], []
    with made.probing() as probe:
        for share in SHARES:
            pages = made.pages[: int(len(made.pages) * share)]
            with probe.holding(pages):
                bulk_probe_all(probe.con)
                for c0, kcids in list(zip(probe.numbers.branches, probe.numbers.choices, strict=True))[::EVERY]:
                    sizes.append(len(pages) * len(kcids))
                    times.append(min(_milliseconds(probe.con, c0, kcids) for _ in range(2)))
    return Grown(sizes=tuple(sizes), times=tuple(times))


def _milliseconds(con: sqlite3.Connection, c0: int, kcids: Sequence[int]) -> float:
    """Judge all pages at one inner topic again."""
    for kcid in kcids:
        con.execute("DELETE FROM JUDGED WHERE kcid = ?", (kcid,))
    return 1000 * cost_of(partial(bulk_probe, con, c0)).seconds


def tell(found: Grown) -> Found:
    """Put the numbers into words."""
    said = (
        f"{count(len(found.sizes), 'call')} of BulkProbe, with outputs of {min(found.sizes):,} to "
        f"{max(found.sizes):,} probabilities: time "
        f"and output have a correlation of {figure(found.correlation, 2)}, and time grows with the power "
        f"{figure(found.exponent, 2)} of "
        f"the output; at one inner topic, with the power {figure(found.exponent_by_pages, 2)} of the number of pages."
    )
    point = Point(
        paper="The time is roughly linear in the size of the output.",
        ours=f"Correlation {figure(found.correlation, 2)}, power {figure(found.exponent, 2)}.",
        agrees=found.correlation >= LINEAR,
        guess="What is joined is terms and not output: at the top of the tree more of a page's terms are in F(c0) "
        "than at a branch that "
        "the page is not about.",
    )
    return Found(said=said, points=(point,), sketches=(_sketch(found),))


def _sketch(found: Grown) -> Sketch:
    order = np.argsort(found.sizes, kind="stable")
    at, times = (tuple(float(values[place]) for place in order) for values in (found.sizes, found.times))
    line = Line(name="BulkProbe(c0)", at=at, mean=times)
    panel = Panel(title="time and output", across="pages × topics below c0", up="ms of processor", lines=(line,))
    return Sketch(
        name=ABOUT.name, caption="Each bend is one call.", alt="A line that rises to the right.", panels=(panel,)
    )


STUDY = Timed(about=ABOUT, measure=measure, tell=tell)
