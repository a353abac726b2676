"""How well the apprentice separates waiting links, drawn at random from the frontier and compared with the truth.

Of the links that an apprentice chose itself all looked good, so that they say little of how it tells good ones from
bad; those drawn by chance from all that waits do. Every topic of the schools web with 40 pages or more is crawled for,
with ten examples and 150 of what is not wanted. After every twenty pages, sixty URLs are looked at: what is expected of
each, and whether it is wanted. Looking changes nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from bench.figures import Figure, Report, at_least, markdown_table
from bench.prior import EXAMPLES, opened, task_of, topics_of, watched
from bench.sampling import Flags, Floats, Onlooker
from bench.serving import missing
from scenthound.apprentice.scent import ScentModel, prior_weights
from scenthound.lab import World
from scenthound.lab.metrics.link_scores import auc
from scenthound.lab.runs.critics import Critics

WEB: Final = "schools"
LEAST: Final = 40  # pages of a topic that is crawled for
NEGATIVES: Final = 150
EVERY: Final = 20  # pages until it is looked at what waits
GOAL: Final = 0.85


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Waiting:
    """What was expected of links that waited, and which of them are wanted."""

    expected: Floats
    wanted: Flags

    def __len__(self) -> int:
        return len(self.wanted)

    @property
    def ranked(self) -> float | None:
        """How often a wanted one had the greater expectation."""
        return auc(self.expected, self.wanted)


def together(parts: Sequence[Waiting]) -> Waiting:
    return Waiting(
        expected=np.concatenate([np.zeros(0), *(part.expected for part in parts)]),
        wanted=np.concatenate([np.zeros(0, dtype=np.bool_), *(part.wanted for part in parts)]),
    )


class WaitingGuide(Onlooker[Waiting]):
    """Looks at links drawn by chance from all that wait."""

    def look(self, model: ScentModel) -> Waiting:
        waiting = model.ground.waiting()
        some = waiting[self.drawn(waiting)]
        return Waiting(expected=model.scores(some), wanted=self.wanted(model, some))


def run(*, quick: bool = False) -> Report:
    """Look at what waits in crawls for all topics; with `quick`, for one development topic and one other."""
    with opened(WEB) as world, TemporaryDirectory() as folder:
        if world is None:
            return Report(skipped=missing(f"{WEB}.warc.gz, with its labels,"))
        development = topics_of(WEB)
        others = [topic for topic in large_topics(world) if topic not in development]
        groups = {"development topics": list(development), "test topics": others}
        critics, most = Critics(world, Path(folder)), 1 if quick else None
        return report(
            {name: {topic: looked_at(world, topic, critics) for topic in own[:most]} for name, own in groups.items()}
        )


def large_topics(world: World) -> Iterator[str]:
    """Yield the topics that are worth a crawl."""
    for topic in world.topics:
        if len(task_of(world, topic, others=0).wanted) >= LEAST - EXAMPLES:
            yield topic


def looked_at(world: World, topic: str, critics: Critics) -> Waiting:
    """Crawl for a topic, and return what was seen of links that waited."""
    task = task_of(world, topic, others=NEGATIVES)
    found = together(watched(world, task, critics, WaitingGuide, weights=prior_weights(), every=EVERY).seen)
    print(f"    {topic:<90} {len(found):>5,} links, {int(found.wanted.sum()):>4,} wanted", flush=True)
    return found


def report(groups: dict[str, dict[str, Waiting]]) -> Report:
    """Show all links of a group together, the mean of its topics, and every topic."""
    rows = [
        [
            topic,
            f"{len(found):,}",
            f"{int(found.wanted.sum()):,}",
            "" if (one := found.ranked) is None else f"{one:.3f}",
        ]
        for own in groups.values()
        for topic, found in own.items()
    ]
    return Report(
        figures=tuple(figure for name, own in groups.items() for figure in _figures(name, list(own.values()))),
        text=(markdown_table(["topic", "links", "wanted", "area under the curve"], rows, right=range(1, 4)),),
    )


def _figures(name: str, found: Sequence[Waiting]) -> Iterator[Figure]:
    every = together(found)
    yield Figure(name=f"links drawn by chance, {name}", value=len(every))
    if (ranked := every.ranked) is not None:
        yield Figure(name=f"area under the curve, {name}, all together", value=ranked, goal=at_least(GOAL))
    if single := [ranked for own in found if (ranked := own.ranked) is not None]:
        yield Figure(name=f"area under the curve, {name}, mean of topics", value=mean(single), goal=at_least(GOAL))
