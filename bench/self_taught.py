"""What a crawl teaches itself: from two and from five examples, with phases and archetypes and without.

Each topic is crawled in the lab with the same number of fetches, dead links included: plainly, with phases and
archetypes, and with both while every fifth archetype is wrong. Ten examples with 150 counter-examples stand beside
them. Harvest is the share of fetches that brought a labelled page; average precision says how well the critic orders
the crawled pages. All topics are of the schools web (one host) and of the modern one (169 hosts).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from bench.figures import Figure, Report, at_least, markdown_table
from bench.serving import missing, webs_file
from scenthound.crawl.learning.archetype_choice import Choice, Search, choose
from scenthound.crawl.learning.learnt_note import Archetype, learnt_of
from scenthound.judge.quality.hits import average_precision
from scenthound.lab import StrategyChoice, World, WorldSource, open_world
from scenthound.lab.experiment.tasks import Drawing, Labels, locked_pages
from scenthound.lab.experiment.values import Role, Task
from scenthound.lab.runs.critics import Critics
from scenthound.lab.runs.run import Conditions, crawl
from scenthound.lab.strategies.kinds import kind_of
from scenthound.store.base import Store

LOCKED: Final = {"schools": ("*/wp/index/*", "*/images/*"), "modern": ()}
TOPICS: Final = {
    "schools": ("Science/Physics/Space_Astronomy", "Geography/European_Geography"),
    "modern": ("Recreation/Sailing_living", "Science/Weather_climate"),
}
EXAMPLES: Final = (2, 5)
FETCHES, DRAWS = 300, 1
SEED: Final = 7
KIND: Final = "best-first"
PLAIN, PHASES, SPOILT, TEN = "plain", "phases", "phases, a fifth wrong", "10 examples"
OFF: Final[Mapping[str, Any]] = {"crawl.phases": "off", "crawl.archetypes": 0}
WAYS: Final[Mapping[str, Mapping[str, Any]]] = {
    PLAIN: OFF,
    PHASES: {"crawl.phases": "auto", "crawl.archetypes": 10},
    SPOILT: {"crawl.phases": "auto", "crawl.archetypes": 10},
    TEN: OFF,
}
WRONG: Final = 5  # each so many-th archetype that is forced in


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What came of one crawl; `right` and `archetypes` count what it has added to the examples."""

    world: str
    topic: str
    examples: int
    way: str
    harvest: float
    precision: float
    archetypes: int
    right: int
    phase: str


def run(*, quick: bool = False) -> Report:
    """Crawl for each topic in each way."""
    names = [name for name in TOPICS if webs_file(f"{name}.warc.gz") and webs_file(f"{name}.labels.tsv")]
    if not names:
        return Report(skipped=missing("schools.warc.gz or modern.warc.gz, with its labels,"))
    return report([trial for name in names for trial in _trials(name, quick=quick)])


def _trials(name: str, *, quick: bool) -> Iterator[Trial]:
    warc, labels = webs_file(f"{name}.warc.gz"), webs_file(f"{name}.labels.tsv")
    assert warc is not None
    with (
        open_world(WorldSource(name=name, warc=(warc,), labels=labels)) as world,
        TemporaryDirectory() as folder,
    ):
        critics = Critics(world, Path(folder))
        for topic in TOPICS[name][: 1 if quick else None]:
            for draw in range(1, 2 if quick else DRAWS + 1):
                for examples, way in _plan(quick=quick):
                    trial = tried(world, topic, draw, examples, way, critics, fetches=150 if quick else FETCHES)
                    print(f"  {said(trial)}", flush=True)
                    yield trial


def _plan(*, quick: bool) -> Iterator[tuple[int, str]]:
    for examples in EXAMPLES[: 1 if quick else None]:
        yield from ((examples, way) for way in (PLAIN, PHASES, SPOILT))
    yield 10, TEN


def tried(world: World, topic: str, draw: int, examples: int, way: str, critics: Critics, *, fetches: int) -> Trial:
    """Crawl once and compare with the labels."""
    locked = LOCKED[world.name]
    negatives = 150 if way == TEN else 0
    drawing = Drawing(seed=SEED, examples=examples, negatives=negatives, locked=locked_pages(world, locked))
    task = drawing.task(world, Labels(world=world), topic, draw=draw, role=Role.TEST)
    choice = StrategyChoice(name=way, kind=KIND, parameters={}, settings=dict(WAYS[way]), tune={})
    found: list[tuple[float, list[bool], str]] = []

    def look(store: Store) -> None:
        rows = [row for row in store.pages() if row.relevance is not None and row.final_url not in task.examples]
        true = np.array([_is_wanted(world, task, row.final_url) for row in rows], dtype=np.bool_)
        likely = np.array([row.relevance for row in rows], dtype=np.float64)
        learnt = learnt_of(store)
        precision = average_precision(true, likely) if true.any() else 0.0
        found.append((precision, [_is_wanted(world, task, one.url) for one in learnt.archetypes], learnt.why))

    trace = crawl(
        world,
        task,
        choice,
        kind_of(choice),
        Conditions(fetches=fetches, seed=SEED, locked=locked),
        critics,
        choice_by=(lambda store: spoilt(world, task, store)) if way == SPOILT else (lambda _store: choose),
        watch=look,
    )
    [(precision, archetypes, why)] = found
    return Trial(
        world=world.name,
        topic=topic,
        examples=examples,
        way=way,
        harvest=float(np.mean([int(number) in task.wanted for number in trace.numbers])),
        precision=precision,
        archetypes=len(archetypes),
        right=sum(archetypes),
        phase=why,
    )


def spoilt(world: World, task: Task, store: Store) -> Choice:
    """Return a choice that puts a crawled page off topic in the place of each fifth archetype."""

    def chosen(search: Search) -> tuple[Archetype, ...]:
        right = choose(search)
        off = (row.final_url for row in store.pages() if not _is_wanted(world, task, row.final_url))
        wrong = (url for url in off if url not in task.examples)
        return tuple(_at(one, next(wrong, one.url)) if place % WRONG == 0 else one for place, one in enumerate(right))

    return chosen


def _at(one: Archetype, url: str) -> Archetype:
    return Archetype(
        topic=one.topic, url=url, confidence=one.confidence, mean=one.mean, source=one.source, round=one.round
    )


def _is_wanted(world: World, task: Task, url: str) -> bool:
    return world.number.get(url, -1) in task.wanted


def said(one: Trial) -> str:
    added = f", {one.right} of {one.archetypes} archetypes right" if one.archetypes else ""
    return (
        f"{one.world} {one.topic} from {one.examples}, {one.way}: harvest {one.harvest:.3f}, average precision "
        f"{one.precision:.3f}{added}{f' ({one.phase})' if one.phase else ''}"
    )


def report(trials: Sequence[Trial]) -> Report:
    return Report(figures=tuple(_figures(trials)), text=(_table(trials),))


def _figures(trials: Sequence[Trial]) -> Iterator[Figure]:
    for world in dict.fromkeys(one.world for one in trials):
        for examples in dict.fromkeys(one.examples for one in trials if one.way != TEN):
            own = [replace(one, examples=examples) if one.way == TEN else one for one in trials if one.world == world]
            by_way = {way: [one for one in own if one.way == way and one.examples == examples] for way in WAYS}
            harvest = {way: mean(one.harvest for one in some) for way, some in by_way.items() if some}
            precision = {way: mean(one.precision for one in some) for way, some in by_way.items() if some}
            name = f"{world}, {examples} examples"
            for what, value in (("harvest", harvest), ("average precision", precision)):
                gain = value[PHASES] / max(value[PLAIN], 1e-9)
                yield Figure(name=f"{name}: {what} with phases over plain", value=gain, unit="×", goal=at_least(1))
                share = value[PHASES] / max(value[TEN], 1e-9)
                yield Figure(name=f"{name}: {what} with phases, of ten examples'", value=share, goal=at_least(0.9))
            added = sum(one.archetypes for one in by_way[PHASES])
            if not added:  # with as many examples, the crawl does not learn close to them first
                continue
            right = sum(one.right for one in by_way[PHASES]) / added
            yield Figure(name=f"{name}: archetypes that are right", value=right, goal=at_least(0.9))
            kept = harvest[SPOILT] / max(harvest[PHASES], 1e-9)
            yield Figure(name=f"{name}: harvest kept with a fifth wrong", value=kept, goal=at_least(0.9))


def _table(trials: Sequence[Trial]) -> str:
    rows = [
        [
            one.world,
            one.topic.rpartition("/")[2],
            str(one.examples),
            one.way,
            f"{one.harvest:.3f}",
            f"{one.precision:.3f}",
            f"{one.right} of {one.archetypes}" if one.archetypes else "",
        ]
        for one in trials
    ]
    headings = ["web", "topic", "examples", "way", "harvest", "average precision", "archetypes right"]
    return markdown_table(headings, rows, right=range(4, 7))
