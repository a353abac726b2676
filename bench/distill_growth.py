"""What the distiller beside a crawl costs for a new page as the crawl grows, with links kept and with all read again.

A made-up crawl (`bench.distill`) gets its pages in steps, each half as many again as there are, as a crawl distils by
default. After each step the hubs are found twice: by the distiller that has kept the links of the pages before, and by
a full pass. Their hundred best hubs and all scores are compared.
"""

import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Final

from bench.distill import LINKS_PER_PAGE, make
from bench.figures import Figure, Report, at_least, at_most, markdown_table, number
from scenthound.distill.distil_process import distil_beside
from scenthound.distill.link_memory import LinkMemory
from scenthound.distill.scores import Found, Rules
from scenthound.store.sqlite.connection import open_reader

FIRST, LAST, QUICK_LAST = 2_000, 35_000, 4_500  # pages
GROWTH: Final = 1.5
TOP: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One distillation of a crawl with so many pages: seconds of processor, and how far its scores are from a full
    pass."""

    pages: int
    new: int
    kept: float
    full: float
    difference: float
    same_order: bool


def run(*, quick: bool = False) -> Report:
    """Let a crawl grow, and distil it after each step."""
    steps, there, most = list[Step](), 0, QUICK_LAST if quick else LAST
    with tempfile.TemporaryDirectory() as folder:
        file, memory = Path(folder, "crawl.db"), LinkMemory()
        make(file, most * LINKS_PER_PAGE)
        _set_aside(file)
        pages = FIRST
        while pages <= most:
            _bring_back(file, there, pages)
            steps.append(_step(file, memory, pages, pages - there))
            there, pages = pages, int(GROWTH * pages)
    return report(steps)


def _step(file: Path, memory: LinkMemory, pages: int, new: int) -> Step:
    with closing(open_reader(file)) as con:
        began = process_time()
        found = distil_beside(con, Rules(), memory)
        between = process_time()
        full = distil_beside(con, Rules())
        ended = process_time()
    return Step(
        pages=pages,
        new=new,
        kept=between - began,
        full=ended - between,
        difference=difference(found, full),
        same_order=_top(found) == _top(full),
    )


def difference(found: Found, full: Found) -> float:
    """Return the greatest difference of two scores of a page."""
    one, other = ({score.url: (score.hub, score.authority) for score in some.scores} for some in (found, full))
    nothing = (0.0, 0.0)
    pairs = [(one.get(url, nothing), other.get(url, nothing)) for url in {*one, *other}]
    return max((abs(a - b) for both in pairs for a, b in zip(*both, strict=True)), default=0.0)


def _top(found: Found) -> list[str]:
    return [score.url for score in found.scores[:TOP]]


def _set_aside(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as con:
        con.execute("PRAGMA synchronous = OFF")
        for table in ("pages", "links"):
            con.execute(f"CREATE TABLE later_{table} AS SELECT * FROM {table}")
            con.execute(f"DELETE FROM {table}")
        con.execute("CREATE INDEX later_links_src ON later_links (src)")


def _bring_back(file: Path, there: int, pages: int) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as con:
        con.execute("PRAGMA synchronous = OFF")
        con.execute("BEGIN")
        con.execute("INSERT INTO pages SELECT * FROM later_pages WHERE n > ? AND n <= ?", (there, pages))
        con.execute("INSERT INTO links SELECT * FROM later_links WHERE src > ? AND src <= ?", (there, pages))
        con.execute("COMMIT")


def report(steps: list[Step]) -> Report:
    """Compare a page of the last step with one of the second; the first step has no links to keep."""
    cost = [1000 * step.kept / step.new for step in steps]
    table = markdown_table(
        ["pages", "new", "links kept, ms a new page", "all read again", "greatest difference", "same hundred best"],
        [
            [
                number(step.pages),
                number(step.new),
                f"{1000 * step.kept / step.new:.3f}",
                f"{1000 * step.full / step.new:.3f}",
                f"{step.difference:.1g}",
                "yes" if step.same_order else "no",
            ]
            for step in steps
        ],
        right=range(5),
    )
    return Report(
        figures=(
            Figure(name="distilling, for a new page at the end", value=cost[-1], unit="ms"),
            Figure(name="the same over that at the second step", value=cost[-1] / cost[1], unit="×", goal=at_most(1.3)),
            Figure(
                name="links kept, over reading all again",
                value=sum(step.kept for step in steps[1:]) / sum(step.full for step in steps[1:]),
                unit="×",
                goal=at_most(1),
            ),
            Figure(name="greatest difference of scores", value=max(s.difference for s in steps), goal=at_most(1e-6)),
            Figure(
                name="steps with the same order of the hundred best",
                value=sum(step.same_order for step in steps) / len(steps),
                goal=at_least(1),
            ),
        ),
        text=(table,),
    )
