"""How often a crawl reports on its own relevance, and whether rightly, on crawls of the labelled webs.

For each topic a crawl of the lab fetches pages, and every 50 pages the rules of the diagnosis see the last 400, with
the critic's relevance. What they say for the first time is held against the labels: that a crawl stagnates is right if
at most one page in twenty of the last 200 is truly on topic, that relevance falls if the true share has fallen by a
fifth or more. Early is what is said before as many pages were fetched as there are on topic: later, most crawls have
what there is. The thresholds of the rules were set before this was measured, and not by it.
"""

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Final

from bench.figures import Figure, Report, markdown_table
from bench.serving import missing, webs_file
from scenthound.crawl.diagnosis.diagnose import SEEN, Sight, diagnose
from scenthound.events import FindingKind
from scenthound.lab import StrategyChoice, World, WorldSource, open_world
from scenthound.lab.experiment.tasks import Drawing, Labels, locked_pages
from scenthound.lab.experiment.topic_choice import spread
from scenthound.lab.experiment.values import Outside, Role, Task, Trace
from scenthound.lab.runs.critics import Critics
from scenthound.lab.runs.run import Conditions, crawl
from scenthound.lab.strategies.kinds import kind_of
from scenthound.parse.urls import host_of
from scenthound.taxonomy import Topic, Topics
from scenthound.types import Census, RecentPage

WEBS: Final = {"schools": ("*/wp/index/*", "*/images/*"), "webkb": ()}
STRATEGIES: Final = ("best-first", "apprentice")
FETCHES, EVERY, SPAN = 1200, 50, 200
LEAST, TOPICS = 40, 12
MUCH: Final = Census(pages=FETCHES, waiting=10_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What was said for the first time in a crawl, after so many pages, and whether the labels agree."""

    web: str
    strategy: str
    topic: str
    kind: FindingKind
    after: int
    early: bool  # while fewer pages were fetched than there are on topic
    right: bool | None  # None where labels cannot tell


def run(*, quick: bool = False) -> Report:
    """Crawl for some topics of each web with each strategy."""
    said: list[Said] = []
    looks = crawls = 0
    for web, locked in WEBS.items():
        warc = webs_file(f"{web}.warc.gz")
        if warc is None:
            return Report(skipped=missing(f"{web}.warc.gz"))
        source = WorldSource(name=web, warc=(warc,), labels=warc.with_name(f"{web}.labels.tsv"))
        with open_world(source) as world, tempfile.TemporaryDirectory() as folder:
            critics = Critics(world, Path(folder))
            for task in _tasks(world, locked, 2 if quick else TOPICS):
                for name in STRATEGIES[: 1 if quick else None]:
                    trace = _crawl(world, task, name, locked, critics)
                    crawls, looks = crawls + 1, looks + len(trace) // EVERY
                    found = list(_said(web, name, world, task, trace))
                    said += found
                    told = ", ".join(f"{one.kind} after {one.after} ({_verdict(one)})" for one in found) or "nothing"
                    print(f"  {web:<8} {name:<11} {task.topic:<44} {len(trace):>5} pages: {told}", flush=True)
    return _report(said, crawls, looks)


def _tasks(world: World, locked: tuple[str, ...], most: int) -> Iterator[Task]:
    closed = locked_pages(world, locked)
    truth = Labels(world=world)
    drawing = Drawing(seed=7, examples=10, negatives=150, locked=closed)
    large = [topic for topic in sorted(truth.topics) if len(truth.about(topic) - closed) >= LEAST]
    for topic in spread(large, most):
        yield drawing.task(world, truth, topic, draw=1, role=Role.TEST)


def _crawl(world: World, task: Task, name: str, locked: tuple[str, ...], critics: Critics) -> Trace:
    choice = StrategyChoice(name=name, kind=name, parameters={}, settings={}, tune={})
    conditions = Conditions(fetches=FETCHES, outside=Outside.INVISIBLE, locked=locked)  # only pages can be diagnosed
    return crawl(world, task, choice, kind_of(choice), conditions, critics)


def _said(web: str, strategy: str, world: World, task: Task, trace: Trace) -> Iterator[Said]:
    pages, truth = _pages(world, task, trace)
    topics = Topics(topics=(Topic(path=task.topic, good=True),))
    told = set[FindingKind]()
    for end in range(EVERY, len(pages) + 1, EVERY):
        sight = Sight(
            path="crawl", pages=pages[max(0, end - SEEN) : end], census=MUCH, now=0.0, topics=topics, accept=0.5
        )
        for one in diagnose(sight):
            if one.kind not in told:
                told.add(one.kind)
                right = _right(one.kind, truth[max(0, end - 2 * SPAN) : end])
                yield Said(
                    web=web,
                    strategy=strategy,
                    topic=task.topic,
                    kind=one.kind,
                    after=end,
                    early=end <= len(task.wanted),
                    right=right,
                )


def _pages(world: World, task: Task, trace: Trace) -> tuple[list[RecentPage], list[bool]]:
    """Return what was fetched as the store has it, and whether it is truly on topic; what gave no page is left out."""
    rows = [
        (number, float(relevance), bool(repeats))
        for number, relevance, repeats in zip(
            trace.numbers.tolist(), trace.relevance.tolist(), trace.repeats.tolist(), strict=True
        )
        if number >= 0 and not isnan(relevance)
    ]
    pages = [
        RecentPage(
            n=n,
            url=world.urls[number],
            host=host_of(world.urls[number]),
            fetched_at=0.0,
            relevance=relevance,
            topic=task.topic if relevance >= 0.5 else "",
            repeats=repeats,
        )
        for n, (number, relevance, repeats) in enumerate(rows)
    ]
    return pages, [number in task.wanted for number, _, _ in rows]


def _right(kind: FindingKind, truth: list[bool]) -> bool | None:
    before, after = truth[:-SPAN], truth[-SPAN:]
    share = sum(after) / len(after)
    if kind is FindingKind.STAGNATION:
        return share <= 0.05
    if kind is FindingKind.FALLING_RELEVANCE:
        return share <= 0.8 * sum(before) / len(before)
    return None


def _verdict(one: Said) -> str:
    return "labels cannot tell" if one.right is None else "rightly" if one.right else "wrongly"


def _report(said: list[Said], crawls: int, looks: int) -> Report:
    rows = []
    for kind in FindingKind:
        own = [one for one in said if one.kind is kind]
        verdicts = Counter(map(_verdict, own))
        early = sum(one.early for one in own)
        rows.append([kind.value, *map(str, (len(own), early, verdicts["rightly"], verdicts["wrongly"]))])
    table = markdown_table(["kind", "spoken", "early", "rightly", "wrongly"], rows, right=[1, 2, 3, 4])
    wrong = sum(one.right is False for one in said)
    return Report(
        figures=(
            Figure(name="crawls", value=crawls),
            Figure(name="looks", value=looks),
            Figure(
                name="crawls in which something was said",
                value=len({(one.web, one.strategy, one.topic) for one in said}),
            ),
            Figure(
                name="crawls in which something was said early",
                value=len({(one.web, one.strategy, one.topic) for one in said if one.early}),
            ),
            Figure(name="said wrongly by the labels", value=wrong),
        ),
        text=(table,),
    )
