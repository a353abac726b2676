"""Made-up crawls for the papers' experiments: 300 fetches in a world of 1,000 pages on 50 hosts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from papers.apprentice.guided import Guidance
from papers.crawls import TaskCrawls, Way, WorldCrawls
from scenthound.lab.experiment.values import Outside, Trace, WorldNote
from scenthound.lab.metrics.world_facts import Ground
from tests.lab.made_up_links import links_of
from tests.lab.small_traces import task_for, trace_of

FETCHES, WORLD = 300, 1000
GROUND = Ground(
    host=np.arange(WORLD, dtype=np.int32) // 20, hops=np.arange(WORLD, dtype=np.int32) % 5 + 1, reachable=150
)


def note(*, hosts: int = 50) -> WorldNote:
    return WorldNote(
        name="made-up",
        digest="5f",
        pages=WORLD,
        hosts=hosts,
        links=9000,
        said="a web that never was",
        outside=Outside.INVISIBLE,
        locked=(),
        truth="labels",
    )


def crawl(first: int = 0, *, fetches: int = FETCHES, relevant: float = 0.9) -> Trace:
    """Return a crawl that fetches page after page from a first one; the pages below 150 are relevant to this degree."""
    numbers = [(first + step) % WORLD for step in range(fetches)]
    return trace_of(numbers, relevance=[relevant if number < 150 else 0.02 for number in numbers])


def crawls_of(
    whole: Mapping[Way, Trace] | None = None,
    soft: tuple[Trace, Trace] | None = None,
    *,
    topics: Sequence[str] = ("a", "b", "c", "d", "e", "f", "g"),
    ground: Ground = GROUND,
    hosts: int = 50,
) -> WorldCrawls:
    """Return a world in which every topic had the same crawls."""
    usual = {Way.UNFOCUSED: crawl(600), Way.HARD: crawl(), Way.SOFT: crawl()}
    pairs = {Way.SOFT: soft or (crawl(0), crawl(100)), Way.UNFOCUSED: (crawl(0), crawl(500))}
    tasks = [
        TaskCrawls(
            task=replace(task_for(range(150)), topic=topic),
            fetches=FETCHES,
            ground=ground,
            whole=whole or usual,
            pairs=pairs,
            guided=dict.fromkeys(Guidance, crawl(100)),
        )
        for topic in topics
    ]
    near = {topic: place / 10 for place, topic in enumerate(topics)}
    links = tuple(map(links_of, topics))
    return WorldCrawls(note=note(hosts=hosts), seed=7, locality=near, tasks=tuple(tasks), links=lambda: links)
