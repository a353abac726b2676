"""A portal from two pages (BINGO §5.2, tables 1 to 3), with and without a learning phase and archetypes.

The paper begins with the home pages of two researchers and counts the home pages of others among its best results. Ours
begins with two faculty home pages of WebKB, and with pages of two sites of one topic of the modern web.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from papers.markdown import table
from papers.study import About, Found, Point
from papers.timed import Timed
from scenthound.crawl.learning.learnt_note import Learnt, learnt_of
from scenthound.errors import LabError
from scenthound.lab import StrategyChoice, World, WorldSource, open_world
from scenthound.lab.experiment.tasks import Drawing, Labels
from scenthound.lab.experiment.values import Role, Task
from scenthound.lab.experiments import webs_folder
from scenthound.lab.runs.critics import Critics
from scenthound.lab.runs.run import Conditions, crawl
from scenthound.lab.strategies.kinds import kind_of
from scenthound.parse.urls import domain_of, host_of
from scenthound.store.base import Store

TOPICS: Final = {"webkb": "faculty", "modern": "Computing/Machine_learning"}
CUTS: Final = (100, 500)
FETCHES, QUICK = 1000, 200
SEED: Final = 7
WITHOUT, WITH = "without", "with phases and archetypes"
WAYS: Final[Mapping[str, Mapping[str, Any]]] = {
    WITHOUT: {"crawl.phases": "off", "crawl.archetypes": 0},
    WITH: {"crawl.phases": "auto", "crawl.archetypes": 10},
}

ABOUT: Final = About(
    name="portal",
    title="A portal from two pages",
    figures="BINGO §5.2, tables 1 to 3",
    asks="from two pages, how many of the best results are right, and how much does what the crawl learns help?",
    how="Best-first crawls of the lab from two drawn examples on different sites, no counter-examples. Results are "
    "sorted by the critic's relevance at the end. Labels decide what is right; the paper counts home pages found.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Portal:
    """One crawl: what it fetched, its pages by confidence (the best first) and whether each is right.

    `learning` and `harvest` count the pages of the two phases and those of them that are right.
    """

    world: str
    way: str
    wanted: int
    fetched: int
    right: NDArray[np.bool_]
    hosts: int
    archetypes: int
    archetypes_right: int
    learning: tuple[int, int]
    harvest: tuple[int, int]
    why: str

    def found(self, cut: int | None) -> int:
        """Return how many of the best results are right; None means of all."""
        return int(self.right[:cut].sum())

    def precision(self, cut: int | None) -> float:
        return self.found(cut) / max(1, len(self.right[:cut]))


def measure(quick: bool) -> list[Portal]:
    """Crawl in both ways, in each web that is there; the demo web stands in for a quick look, or where none is."""
    return [portal for world, topic in _worlds(quick) for portal in _portals(world, topic, quick=quick)]


def _worlds(quick: bool) -> Iterator[tuple[World, str]]:
    there = 0
    for name, topic in TOPICS.items() if not quick else ():
        warc, labels = (webs_folder() / f"{name}.{ending}" for ending in ("warc.gz", "labels.tsv"))
        if warc.exists() and labels.exists():
            there += 1
            with open_world(WorldSource(name=name, warc=(warc,), labels=labels)) as world:
                yield world, topic
    if not there:
        with open_world(WorldSource(name="demo", demo=7)) as world:
            yield world, world.topics[0]


def _portals(world: World, topic: str, *, quick: bool) -> Iterator[Portal]:
    task = two_sites(world, topic)
    with TemporaryDirectory() as folder:
        critics = Critics(world, Path(folder))
        for way in WAYS:
            yield built(world, task, way, critics, fetches=QUICK if quick else FETCHES)


def two_sites(world: World, topic: str) -> Task:
    """Draw two examples of a topic that lie on different sites."""
    for draw in range(1, 100):
        drawing = Drawing(seed=SEED, examples=2, negatives=0)
        task = drawing.task(world, Labels(world=world), topic, draw=draw, role=Role.TEST)
        if len({domain_of(host_of(url)) for url in task.examples}) == 2:
            return task
    raise LabError(f'"{topic}" has no two examples on different sites; choose another topic')


def built(world: World, task: Task, way: str, critics: Critics, *, fetches: int) -> Portal:
    """Crawl once."""
    choice = StrategyChoice(name=way, kind="best-first", parameters={}, settings=dict(WAYS[way]), tune={})
    left: list[tuple[list[tuple[str, float]], Learnt]] = []

    def look(store: Store) -> None:
        rows = [(row.final_url, row.relevance) for row in store.pages() if row.relevance is not None]
        left.append(([row for row in rows if row[0] not in task.examples], learnt_of(store)))

    conditions = Conditions(fetches=fetches, seed=SEED)
    trace = crawl(world, task, choice, kind_of(choice), conditions, critics, watch=look)
    [(rows, learnt)] = left
    right = np.array([world.number.get(url, -1) in task.wanted for url, _ in rows], dtype=np.bool_)
    best = np.argsort([-relevance for _, relevance in rows], kind="stable")
    until = learnt.pages if learnt.phase else 0
    good = [world.number.get(one.url, -1) in task.wanted for one in learnt.archetypes]
    return Portal(
        world=world.name,
        way=way,
        wanted=len(task.wanted),
        fetched=len(trace),
        right=right[best],
        hosts=len({host_of(url) for (url, _), is_right in zip(rows, right, strict=True) if is_right}),
        archetypes=len(good),
        archetypes_right=sum(good),
        learning=(min(until, len(right)), int(right[:until].sum())),
        harvest=(len(right[until:]), int(right[until:].sum())),
        why=learnt.why,
    )


def tell(portals: Sequence[Portal]) -> Found:
    """Put the numbers into words."""
    tables = "\n\n".join((_summary(portals), _best(portals), _phases(portals)))
    return Found(said=tables, points=tuple(_points(portals)))


def _summary(portals: Sequence[Portal]) -> str:
    rows = [
        [
            one.world,
            one.way,
            str(one.fetched),
            str(len(one.right)),
            str(one.found(None)),
            str(one.wanted),
            str(one.hosts),
        ]
        for one in portals
    ]
    return table(
        ["web", "crawl", "fetches", "pages", "right", "there are", "hosts with right pages"], rows, numbers=range(2, 7)
    )


def _best(portals: Sequence[Portal]) -> str:
    rows = [
        [one.world, one.way, *(f"{one.found(cut)} ({one.precision(cut):.2f})" for cut in (*CUTS, None))]
        for one in portals
    ]
    return table(["web", "right among the best", *map(str, CUTS), "all"], rows, numbers=range(2, 5))


def _phases(portals: Sequence[Portal]) -> str:
    rows = [
        [
            one.world,
            f"{one.learning[1]} of {one.learning[0]}",
            f"{one.archetypes_right} of {one.archetypes}",
            one.why,
            f"{one.harvest[1]} of {one.harvest[0]}",
        ]
        for one in portals
        if one.way == WITH
    ]
    headings = ["web", "right while it learnt", "archetypes right", "why it ended", "right while it harvested"]
    return table(headings, rows, numbers=(1, 2, 4))


def _points(portals: Sequence[Portal]) -> Iterator[Point]:
    for world in dict.fromkeys(one.world for one in portals):
        plain, taught = (next(one for one in portals if (one.world, one.way) == (world, way)) for way in WAYS)
        yield Point(
            paper="Learning before harvesting makes a good portal of two pages.",
            ours=f"On {world}, {taught.found(100)} of the best 100 are right with it and {plain.found(100)} without; of "
            f"all pages {taught.precision(None):.2f} and {plain.precision(None):.2f}.",
            agrees=taught.found(100) >= plain.found(100) and taught.found(None) >= plain.found(None),
        )


STUDY = Timed(about=ABOUT, measure=measure, tell=tell, where="archived webs")
