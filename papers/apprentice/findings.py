"""What the links of one crawl tell, in numbers that the studies of APPRENTICE §3.4 and §3.8 are made from.

Two ways of holding back: links that stand on unknown pages, whose targets may be known from others; and links to
unknown pages. The paper does not say which was its own. The second is what an apprentice meets in a crawl.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from papers.apprentice.by_offset import information_gain, leaf_kinds, word_mass
from papers.apprentice.chart import Chart
from papers.apprentice.frontier import Frontier, estimated
from papers.apprentice.lessons import Known, LinkLessons, lessons_of
from papers.apprentice.page_links import Pages
from scenthound.apprentice.bayes.buckets import D_MAX
from scenthound.apprentice.bayes.offsets import Features, joined
from scenthound.apprentice.bayes.validation import Instances, accuracy, choose_d_max, foretold
from scenthound.lab.experiment.values import Task, Trace
from scenthound.lab.metrics.link_scores import auc
from scenthound.lab.world.world import World

WINDOWS: Final = tuple(range(9))  # distances up to which is looked
FEWEST: Final = 10  # links of either bucket, for there must be some to learn from and some to foretell


class Held(StrEnum):
    """Which links are held back."""

    ON = "links on unknown pages"
    TO = "links to unknown pages"


class Extra(StrEnum):
    """What may be added to the words."""

    NOTHING = "words alone"
    TOPICS = "topics of the page"
    PREFIXES = "topics with all prefixes"
    CITED = "co-citation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """How well links were foretold: the shares of HIGH and LOW ones that were right, of both and of all, and AUC."""

    high: float
    low: float
    balanced: float
    average: float
    auc: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFindings:
    """The findings for one crawl.

    What is by window runs along `WINDOWS`, what is by offset along `by_offset.OFFSETS`.
    """

    topic: str
    links: int
    high: float  # share of the links
    by_offset: Mapping[Held, tuple[Skill, ...]]
    by_text: Mapping[Held, tuple[Skill, ...]]  # the same words, without their offsets
    d_max: Mapping[Held, int]  # as validation would choose it
    extras: Mapping[Held, Mapping[Extra, Skill]]
    gain: tuple[float, ...]
    mass: tuple[float, ...]
    filled: tuple[float, ...]
    linked: tuple[float, ...]
    frontier: Frontier | None


def findings(
    task: Task, trace: Trace, *, fetches: int, pages: Pages, world: World, chart: Chart, shut: AbstractSet[int]
) -> LinkFindings | None:
    """Return what the links of a crawl tell, None if they are too few."""
    start = [number for url in task.start if (number := world.find(url)) is not None]
    known = Known(trace, pages=len(world.urls), fetches=fetches)
    lessons = lessons_of(pages, known, start, chart)
    if not _enough(lessons):
        return None
    half = Known(trace, pages=len(world.urls), fetches=fetches // 2)
    first = lessons_of(pages, half, start, chart)
    filled, linked = leaf_kinds(lessons, pages)
    return LinkFindings(
        topic=task.topic,
        links=len(lessons.high),
        high=float(lessons.high.mean()),
        by_offset={held: _along(lessons, lessons.words, held) for held in Held},
        by_text={held: tuple(_along_text(lessons, held)) for held in Held},
        d_max={held: choose_d_max(_instances(lessons, lessons.words, held), WINDOWS) for held in Held},
        extras={held: dict(_with_extras(lessons, held)) for held in Held},
        gain=information_gain(lessons.words, lessons.high),
        mass=word_mass(lessons.words),
        filled=filled,
        linked=linked,
        frontier=estimated(pages, half, start, first, wanted=task.wanted, shut=shut),
    )


def _enough(lessons: LinkLessons) -> bool:
    return FEWEST <= int(lessons.high.sum()) <= len(lessons.high) - FEWEST


def _instances(lessons: LinkLessons, features: Features, held: Held) -> Instances:
    groups = lessons.targets if held is Held.TO else lessons.sources
    return Instances(features=features, high=lessons.high, groups=groups)


def _along(lessons: LinkLessons, features: Features, held: Held, windows: Sequence[int] = WINDOWS) -> tuple[Skill, ...]:
    instances = _instances(lessons, features, held)
    return tuple(_skill(odds, instances) for odds in foretold(instances, windows))


def _along_text(lessons: LinkLessons, held: Held) -> Iterator[Skill]:
    for window in WINDOWS:
        yield from _along(lessons, lessons.words.within(window).without_offsets(), held, [0])


def _with_extras(lessons: LinkLessons, held: Held) -> Iterator[tuple[Extra, Skill]]:
    words = lessons.words.within(D_MAX)
    added = {Extra.TOPICS: lessons.topics, Extra.PREFIXES: lessons.prefixes, Extra.CITED: lessons.cited.within(D_MAX)}
    for extra in Extra:
        features = joined(words, added[extra]) if extra in added else words
        yield extra, _along(lessons, features, held, [D_MAX])[0]


def _skill(odds: NDArray[np.float64], instances: Instances) -> Skill:
    found = accuracy(odds, instances.high)
    return Skill(
        high=found.high,
        low=found.low,
        balanced=found.balanced,
        average=found.average,
        auc=auc(odds, instances.high) or 0.0,
    )
