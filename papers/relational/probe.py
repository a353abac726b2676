"""The cost of classifying a page: SingleProbe over STAT and BLOB, BulkProbe, the critic (RELATIONAL fig. 8a)."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Final

from papers.relational.cost import cost_of
from papers.relational.ways import CACHE, SINGLE_PAGES, Stocked, collection, greatest_difference, stocked
from papers.sketch import Bars, Panel, Sketch
from papers.study import About, Found, Point
from papers.timed import Timed
from scenthound.counted import count
from scenthound.judge.probe.single import Records
from scenthound.lab.report.numbers import figure

TURNS: Final = 3
ORDER: Final = 10.0  # "over an order of magnitude"
SAME: Final = 1e-9
PARTS: Final = ("reading DOCUMENT", "lookups", "computing")

ABOUT = About(
    name="relational-probe",
    title="Classification by lookups and by joins",
    figures="RELATIONAL fig. 8a",
    asks="How much faster is a batch of pages judged by joins than page by page, with a lookup for each term?",
    how="A made-up taxonomy of three levels and a naive Bayes critic trained on made-up examples, in a SQLite file, "
    "with a cache of "
    f"{CACHE // 1000} MB, which it does not fit into. All ways in turns in one process, medians of {TURNS} turns, "
    "processor time; "
    f"SingleProbe judges {SINGLE_PAGES} pages, the others all. Lookups go through Python, as the paper's went through "
    "ODBC. The paper's "
    "machine waited for its disk, ours has the whole file in the memory of the operating system.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Probed:
    """Milliseconds of processor a page, by way; the parts of SingleProbe's; how far any two answers are apart."""

    pages: int
    branches: int
    terms: float
    single: Mapping[Records, float]
    parts: Mapping[Records, tuple[float, float, float]]
    bulk: float
    critic: float
    difference: float

    def ratio(self, records: Records) -> float:
        """How many times BulkProbe's time SingleProbe takes."""
        return self.single[records] / self.bulk


def measure(quick: bool) -> Probed:
    return measured(quick=quick)


def measured(*, quick: bool, features: int | None = None) -> Probed:
    """Time all ways on one collection, with another number of terms in each F(c0) if one is given."""
    made = collection(quick) if features is None else collection(quick, features=features)
    with stocked(made) as stock:
        difference = greatest_difference(stock)
        turns = [_turn(stock) for _ in range(1 if quick else TURNS)]
        [(rows,)] = stock.con.execute("SELECT count(*) FROM DOCUMENT")
    return Probed(
        pages=len(made.pages),
        branches=len(made.critic.nodes),
        terms=rows / len(made.pages),
        single={records: median(turn.single[records] for turn in turns) for records in Records},
        parts={records: _median_parts([turn.parts[records] for turn in turns]) for records in Records},
        bulk=median(turn.bulk for turn in turns),
        critic=median(turn.critic for turn in turns),
        difference=difference,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    single: Mapping[Records, float]
    parts: Mapping[Records, tuple[float, float, float]]
    bulk: float
    critic: float


def _turn(stock: Stocked) -> _Turn:
    bulk = 1000 * stock.bulk().seconds
    scanning = 1000 * stock.scanning().seconds
    single, parts = {}, {}
    for records in Records:
        single[records] = 1000 * stock.single(records).seconds
        probing = 1000 * stock.probing(records).seconds
        parts[records] = (scanning, max(0.0, probing - scanning), max(0.0, single[records] - probing))
    made = stock.made
    critic = 1000 * cost_of(lambda: made.critic.judge(made.pages)).seconds / len(made.pages)
    return _Turn(single=single, parts=parts, bulk=bulk, critic=critic)


def _median_parts(parts: list[tuple[float, float, float]]) -> tuple[float, float, float]:
    scanning, probing, computing = (median(column) for column in zip(*parts, strict=True))
    return scanning, probing, computing


def tell(found: Probed) -> Found:
    """Put the numbers into words."""
    said = (
        f"{count(found.pages, 'page')} of {found.terms:.0f} terms at {count(found.branches, 'inner topic')}: a page "
        "takes SingleProbe "
        f"{figure(found.single[Records.STAT], 1)} ms over STAT and {figure(found.single[Records.BLOB], 1)} ms over "
        "BLOB, BulkProbe "
        f"{figure(found.bulk, 2)} ms, the critic in memory {figure(found.critic, 2)} ms. No probability differs by "
        "more than "
        f"{found.difference:.0e}."
    )
    return Found(said=said, points=(_faster(found), _same(found), _waiting(found)), sketches=(_sketch(found),))


def _faster(found: Probed) -> Point:
    least = min(found.ratio(records) for records in Records)
    return Point(
        paper="BulkProbe is over an order of magnitude faster than SingleProbe.",
        ours=f"{figure(found.ratio(Records.STAT), 1)} times faster than over STAT, "
        f"{figure(found.ratio(Records.BLOB), 1)} times than over "
        "BLOB.",
        agrees=least >= ORDER,
        guess="The more of a page's terms are in F(c0), the more the join has to do, while lookups cost the same.",
    )


def _same(found: Probed) -> Point:
    return Point(
        paper="Both compute the same probabilities.",
        ours=f"They and the critic agree to {found.difference:.0e}.",
        agrees=found.difference <= SAME,
    )


def _waiting(found: Probed) -> Point:
    _, probing, _ = found.parts[Records.BLOB]
    share = probing / found.single[Records.BLOB]
    return Point(
        paper="Most of SingleProbe's time goes into lookups.",
        ours=f"{100 * share:.0f} % of it over BLOB, without any wait for a disk.",
        agrees=share > 0.5,
        guess="Nothing waits for a disk here, so that computing weighs more.",
    )


def _sketch(found: Probed) -> Sketch:
    names = ("SingleProbe, STAT", "SingleProbe, BLOB", "BulkProbe", "critic")
    parts = [*(found.parts[records] for records in Records), (0.0, 0.0, found.bulk), (0.0, 0.0, found.critic)]
    bars = tuple(Bars(name=part, heights=tuple(row[place] for row in parts)) for place, part in enumerate(PARTS))
    panel = Panel(title="a page's way through the tree", across="", up="ms of processor", bars=bars, places=names)
    return Sketch(
        name=ABOUT.name,
        caption="Processor time a page; that of SingleProbe in its parts, that of the others as a whole.",
        alt=f"Bars: {figure(found.single[Records.STAT], 1)}, {figure(found.single[Records.BLOB], 1)}, "
        f"{figure(found.bulk, 1)} and "
        f"{figure(found.critic, 1)} ms.",
        panels=(panel,),
    )


STUDY = Timed(about=ABOUT, measure=measure, tell=tell)
