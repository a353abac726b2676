"""How far from the examples the best pages lie (FOCUS fig. 9, RELATIONAL fig. 7)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from papers.best import BEST
from papers.crawls import TaskCrawls, Way, WorldCrawls
from papers.means import Means
from papers.sketch import Bars, Panel, Sketch
from papers.study import About, Found, Point, Study
from papers.words import per_cent, small_web
from scenthound.counted import count
from scenthound.lab.experiment.values import Interval, WorldNote
from scenthound.lab.metrics.digits import tidy
from scenthound.lab.metrics.overlap import best
from scenthound.lab.metrics.world_facts import UNREACHED
from scenthound.lab.report.numbers import figure

NEAR: Final = 2  # "within one or two links of the start set"
FAR: Final = 10  # "upto 10 links and beyond"
SHOWN: Final = 12  # bars at the most; all that is farther is in the last
KINDS: Final = ("shortest way", "the crawl's way", "all pages")

ABOUT = About(
    name="focus-distance",
    title="Distance of the best 100",
    figures="FOCUS fig. 9, RELATIONAL fig. 7",
    asks="Are the best pages next to the examples, or must a crawl go far for them?",
    how="The soft crawls of focus-harvest, and of each the 100 pages that its critic finds most relevant (the papers: "
    "the most "
    f"popular, by their distillers). Topics count of which a crawl brings at least {2 * BEST} pages. Distance is the "
    "number of "
    "links from the nearest example, by the shortest way in the world and by the way that the crawl went; the papers "
    "could "
    "look at crawled pages only.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """By kind of path: the share of pages at each distance, the share beyond two links, the mean, and the maximum."""

    note: WorldNote
    topics: int
    shares: Mapping[str, tuple[float, ...]]
    beyond: Mapping[str, Interval]
    mean: Mapping[str, Interval]
    farthest: Mapping[str, int]


def measure(crawls: WorldCrawls) -> Distance | None:
    tasks = [one for one in crawls.tasks if len(one.whole[Way.SOFT]) >= 2 * BEST]
    if not tasks:
        return None
    means = Means(seed=crawls.seed)
    found = [(one.task.topic, dict(zip(KINDS, _distances(one), strict=True))) for one in tasks]
    return Distance(
        note=crawls.note,
        topics=len({topic for topic, _ in found}),
        shares={kind: _histogram((topic, own[kind]) for topic, own in found) for kind in KINDS},
        beyond={kind: means.interval((topic, _beyond(own[kind])) for topic, own in found) for kind in KINDS},
        mean={kind: means.interval((topic, _mean(own[kind])) for topic, own in found) for kind in KINDS},
        farthest={kind: max(max(own[kind], default=0) for _, own in found) for kind in KINDS},
    )


def tell(found: Distance) -> Found:
    """Put the numbers into words."""
    short, own, every = KINDS
    said = (
        f"The best 100 pages are {figure(found.mean[short].mean, 1)} links from the nearest example by the shortest "
        "way, and "
        f"{figure(found.mean[own].mean, 1)} by the way that the crawl went; all pages that can be reached, "
        f"{figure(found.mean[every].mean, 1)}. {count(found.topics, 'topic')}."
    )
    return Found(said=said, points=(_not_near(found), _far(found)), sketches=(_sketch(found),))


def _not_near(found: Distance) -> Point:
    share = found.beyond[KINDS[0]]
    every = found.beyond[KINDS[2]]
    return Point(
        paper="Most of the best are not within one or two links of the start.",
        ours=f"{per_cent(share)} of the best 100 are more than two links away; of all pages {per_cent(every)}.",
        agrees=share.mean > 0.5,
        guess=f"{small_web(found.note)} With {count(found.note.links, 'link')} between them, few are more than two "
        "links from the nearest "
        "example.",
    )


def _far(found: Distance) -> Point:
    short, own, every = KINDS
    reached = max(found.farthest[short], found.farthest[own]) >= FAR
    return Point(
        paper="Some of the best are ten links away and more (RELATIONAL: 12 to 15).",
        ours=f"The farthest of the best is {found.farthest[short]} links away, {found.farthest[own]} by the crawl's "
        "own way; the "
        f"farthest page of all, {found.farthest[every]}.",
        agrees=reached,
        guess="No page can be farther away than the world is wide. The papers' distances are, besides, along the way "
        "of the crawl."
        if found.farthest[every] < FAR
        else "What is far away is seldom about the topic.",
    )


def _distances(crawls: TaskCrawls) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
    """Return the distances of the best pages by the shortest path and by the crawl's, and of all reachable pages."""
    trace, hops = crawls.whole[Way.SOFT], crawls.ground.hops
    pages = best(trace, BEST)
    depth = dict(zip(reversed(trace.numbers.tolist()), reversed(trace.depth.tolist()), strict=True))
    shortest = [int(hops[page]) for page in pages if hops[page] != UNREACHED]
    return shortest, [depth[page] for page in pages], hops[hops > 0].tolist()


def _histogram(values: Iterable[tuple[str, Sequence[int]]]) -> tuple[float, ...]:
    """Return the share of pages at each distance, the mean over topics and their draws."""
    rows = [(topic, _shares(own)) for topic, own in values]
    means = Means(seed=0)
    return tuple(means.interval((topic, row[place]) for topic, row in rows).mean for place in range(SHOWN + 1))


def _shares(distances: Sequence[int]) -> list[float]:
    counts = np.bincount(np.minimum(np.array(distances, dtype=np.int64), SHOWN), minlength=SHOWN + 1)
    return [tidy(number / max(1, len(distances))) for number in counts.tolist()]


def _beyond(distances: Sequence[int]) -> float:
    return sum(distance > NEAR for distance in distances) / max(1, len(distances))


def _mean(distances: Sequence[int]) -> float:
    return sum(distances) / max(1, len(distances))


def _places(found: Distance) -> list[str]:
    """Name the distances up to the farthest."""
    end = max(found.farthest.values())
    return [str(place) for place in range(min(end, SHOWN - 1) + 1)] + ([f"{SHOWN}+"] if end >= SHOWN else [])


def _sketch(found: Distance) -> Sketch:
    world, places = found.note.name, _places(found)
    panel = Panel(
        title=f"{world}: how far the best 100 are",
        across="links from the nearest example",
        up="share of pages",
        bars=tuple(Bars(name=kind, heights=found.shares[kind][: len(places)]) for kind in KINDS),
        places=tuple(places),
    )
    return Sketch(
        name=f"focus-distance-{world}",
        caption=f"{world}: distance of the best 100 pages of a soft crawl from the examples, and of all pages; mean "
        "over topics.",
        alt=f"Bars of distances on {world}; mean {figure(found.mean[KINDS[0]].mean, 1)} links by the shortest way.",
        panels=(panel,),
    )


STUDY = Study(about=ABOUT, measure=measure, tell=tell)
