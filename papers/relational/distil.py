"""Distillation link by link, with lookups and updates, against joins (RELATIONAL fig. 8d)."""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from papers.relational.cost import cost_of
from papers.relational.walk import Walked, walk_round
from papers.sketch import Bars, Panel, Sketch
from papers.study import About, Found, Point
from papers.timed import Timed
from scenthound.counted import count
from scenthound.distill.score_tables import make_results
from scenthound.lab.report.numbers import figure
from scenthound.store.sqlite.queries.distil_statements import ENDORSEMENTS, INWARD, ROUND, START

PAGES, QUICK_PAGES = 20_000, 200
LINKS_PER_PAGE: Final = 10
FACTOR: Final = 3.0  # "a factor of three faster"

ABOUT = About(
    name="relational-distil",
    title="Distillation link by link and by joins",
    figures="RELATIONAL fig. 8d",
    asks="How much faster are hubs and authorities found by joins than by walking along the links?",
    how=f"A made-up graph of {PAGES:,} pages with {LINKS_PER_PAGE} links each, few of them cited by many; one round "
    "over the tables of "
    "`distill`. The walk reads the links in order, looks up the score at one end by key and updates that at the "
    "other. Processor time; "
    "lookups and updates go through Python.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Distilled:
    """Seconds of a round, both ways, and how far any two scores are apart."""

    links: int
    walked: Walked
    joined: float
    difference: float


def measure(quick: bool) -> Distilled:
    with graph(QUICK_PAGES if quick else PAGES) as con:
        walked = walk_round(con)
        scores = _scores(con)
        _begin(con)
        joined = cost_of(lambda: [con.execute(statement) for statement in ROUND]).seconds
        [(links,)] = con.execute("SELECT count(*) FROM endorsements")
        return Distilled(
            links=links, walked=walked, joined=joined, difference=float(np.abs(scores - _scores(con)).max())
        )


@contextmanager
def graph(pages: int, *, seed: int = 7) -> Iterator[sqlite3.Connection]:
    """Have a database with links and their weights, and the scores of a beginning."""
    chance = np.random.default_rng(seed)
    cited = (pages * chance.random((pages, LINKS_PER_PAGE)) ** 4).astype(np.int64)
    cited = chance.permutation(pages)[cited]
    weights = chance.random((2, pages))
    rows = (
        (citing, target, weights[0, target], weights[1, citing])
        for citing in range(pages)
        for target in np.unique(cited[citing]).tolist()
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(sqlite3.connect(Path(folder, "graph.sqlite"), isolation_level=None)) as con,
    ):
        make_results(con)
        con.execute("BEGIN")
        con.execute(ENDORSEMENTS)
        con.executemany("INSERT INTO endorsements VALUES (?, ?, ?, ?)", rows)
        con.execute(INWARD)
        _begin(con)
        yield con
        con.execute("COMMIT")


def _begin(con: sqlite3.Connection) -> None:
    """All hubs are alike, and authorities nothing yet."""
    con.execute("DELETE FROM HUBS")
    con.execute("DELETE FROM AUTH")
    con.execute(START)
    con.execute("INSERT INTO AUTH SELECT DISTINCT oid_dst, 0.0 FROM endorsements ORDER BY oid_dst")


def _scores(con: sqlite3.Connection) -> NDArray[np.float64]:
    """Return all scores, hubs first, by page."""
    tables = ("HUBS", "AUTH")
    rows = [row for table in tables for row in con.execute(f"SELECT score FROM {table} ORDER BY oid")]
    return np.array(rows, dtype=np.float64)


def tell(found: Distilled) -> Found:
    """Put the numbers into words."""
    walked = found.walked
    times = walked.seconds / found.joined
    said = (
        f"A round over {count(found.links, 'link')} takes {figure(walked.seconds, 2)} s link by link "
        f"({figure(walked.scanning, 2)} s reading "
        f"links, {figure(walked.looking_up, 2)} s looking up, {figure(walked.updating, 2)} s updating) and "
        f"{figure(found.joined, 2)} s "
        f"by joins. The scores differ by {found.difference:.0e} at most."
    )
    point = Point(
        paper="Joins are three times faster.",
        ours=f"{figure(times, 1)} times.",
        agrees=times >= FACTOR,
        guess="SQLite's joins are lookups too, in the order of the index.",
    )
    return Found(said=said, points=(point,), sketches=(_sketch(found),))


def _sketch(found: Distilled) -> Sketch:
    walked = found.walked
    parts = {"links": walked.scanning, "lookups": walked.looking_up, "updates": walked.updating}
    bars = (*(Bars(name=name, heights=(seconds, 0.0)) for name, seconds in parts.items()),)
    panel = Panel(
        title="one round",
        across="",
        up="s of processor",
        bars=(*bars, Bars(name="join", heights=(0.0, found.joined))),
        places=("link by link", "joins"),
    )
    return Sketch(
        name=ABOUT.name,
        caption="Processor time of one round of the distiller, link by link in its parts, and by joins.",
        alt=f"Bars: {figure(walked.seconds, 2)} s and {figure(found.joined, 2)} s.",
        panels=(panel,),
    )


STUDY = Timed(about=ABOUT, measure=measure, tell=tell)
