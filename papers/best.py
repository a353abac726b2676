"""Whether two soft crawls from different examples agree on what is best (FOCUS fig. 8)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from papers.crawls import TaskCrawls, Way, WorldCrawls
from papers.means import Means, by_topic
from papers.sketch import Line, Panel, Sketch
from papers.study import About, Found, Point, Study
from papers.words import per_cent, small_web
from scenthound.counted import count
from scenthound.lab.experiment.values import Interval, WorldNote
from scenthound.lab.metrics.overlap import best, best_hosts, in_common

BEST, TOP = 100, 25  # fig. 8 shows a hundred, the text of §4.4 speaks of 25
RANKS: Final = tuple(range(5, BEST + 1, 5))
JOINTLY: Final = 0.5  # "are identified jointly by both": more than half

ABOUT = About(
    name="focus-best",
    title="The best 100 of two crawls",
    figures="FOCUS fig. 8",
    asks="Do two crawls that start from different examples agree on the best pages and servers?",
    how="The soft pairs of focus-robustness. The paper ranks servers by the popularity that its distiller computes "
    "after 10,000 "
    "pages. We have no distiller yet: the critic's relevance ranks, a host by its best page. Topics count of which "
    "both crawls "
    f"bring at least {2 * BEST} pages, for otherwise the best 100 would be nearly all.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The share of the best that both crawls have, by how many are looked at.

    Of pages, and of hosts where there are several.
    """

    note: WorldNote
    pages: Line
    hosts: Line | None
    common: Interval  # of the best 100 pages
    top: Interval  # of the best 25 hosts or, on one host, pages
    all_common: Interval  # of all pages that either has fetched
    visited: Interval  # hosts that a crawl has visited
    by_topic: Mapping[str, float]


def measure(crawls: WorldCrawls) -> Best | None:
    tasks = [one for one in crawls.tasks if min(map(len, one.pairs[Way.SOFT])) >= 2 * BEST]
    if not tasks:
        return None
    means = Means(seed=crawls.seed)
    pages = [(one.task.topic, _shares(*_best_pages(one))) for one in tasks]
    hosts = [(one.task.topic, _shares(*_best_hosts(one))) for one in tasks] if crawls.note.hosts > 1 else []
    return Best(
        note=crawls.note,
        pages=means.line("pages", pages, at=RANKS),
        hosts=means.line("hosts", hosts, at=RANKS) if hosts else None,
        common=means.interval((topic, shares[-1]) for topic, shares in pages),
        top=means.interval((topic, shares[RANKS.index(TOP)]) for topic, shares in hosts or pages),
        all_common=means.interval(_everything(tasks)),
        visited=means.interval((one.task.topic, _visited(one)) for one in tasks),
        by_topic=by_topic((topic, shares[-1]) for topic, shares in pages),
    )


def tell(found: Best) -> Found:
    """Put the numbers into words."""
    ranked = sorted(found.by_topic, key=lambda topic: (found.by_topic[topic], topic))
    low, high = (f"{100 * found.by_topic[topic]:.0f} % on {topic}" for topic in (ranked[0], ranked[-1]))
    hosts = f" A crawl visits {found.visited.mean:.0f} hosts." if found.hosts else ""
    said = (
        f"Of the best 100 pages of two soft crawls {per_cent(found.common)} are the same, of all their pages "
        f"{per_cent(found.all_common)}; {count(len(ranked), 'topic')}, from {low} to {high}.{hosts}"
    )
    return Found(said=said, points=(_hundred(found), _top(found)), sketches=(_sketch(found),))


def _hundred(found: Best) -> Point:
    return Point(
        paper="Of the 100 best servers, most are found by both crawls, but for some changes of rank.",
        ours=f"{per_cent(found.common)} of the best 100 pages are common to both.",
        agrees=found.common.mean > JOINTLY,
        guess="Popularity, which the paper ranks by, gathers on a few servers that everybody cites. Relevance does "
        "not, and many "
        "pages are equally relevant.",
    )


def _top(found: Best) -> Point:
    what = "hosts" if found.hosts else "pages, as there is one host only,"
    return Point(
        paper="The same holds of the 25 best servers.",
        ours=f"{per_cent(found.top)} of the best 25 {what} are common to both.",
        agrees=found.top.mean > JOINTLY,
        guess=f"{small_web(found.note)} What is best among many that are nearly as good is a matter of small "
        "differences.",
    )


def _best_pages(crawls: TaskCrawls) -> tuple[Sequence[int], Sequence[int]]:
    one, other = crawls.pairs[Way.SOFT]
    return best(one, BEST), best(other, BEST)


def _best_hosts(crawls: TaskCrawls) -> tuple[Sequence[int], Sequence[int]]:
    one, other = crawls.pairs[Way.SOFT]
    return best_hosts(one, crawls.ground, BEST), best_hosts(other, crawls.ground, BEST)


def _shares(one: Sequence[int], other: Sequence[int]) -> list[float]:
    return [in_common(one[:k], other[:k]) for k in RANKS]


def _visited(crawls: TaskCrawls) -> float:
    numbers = crawls.pairs[Way.SOFT][0].numbers
    return float(len(np.unique(crawls.ground.host[numbers[numbers >= 0]])))


def _everything(tasks: Sequence[TaskCrawls]) -> Iterator[tuple[str, float]]:
    for crawls in tasks:
        one, other = crawls.pairs[Way.SOFT]
        yield crawls.task.topic, in_common(best(one, len(one)), best(other, len(other)))


def _sketch(found: Best) -> Sketch:
    world = found.note.name
    lines = (found.pages, found.hosts) if found.hosts else (found.pages,)
    panel = Panel(title=f"{world}: the best in common", across="how many of the best", up="share", lines=lines, top=1.0)
    return Sketch(
        name=f"focus-best-{world}",
        caption=f"{world}: share of the best k that two soft crawls from disjoint halves of the examples have in "
        "common, mean over "
        "topics; shaded: 95 % intervals.",
        alt=f"Overlap of the best 5 to 100 on {world}; of the best 100 pages {100 * found.common.mean:.0f} %.",
        panels=(panel,),
    )


STUDY = Study(about=ABOUT, measure=measure, tell=tell)
