"""Whether two soft crawls from different examples agree on what is best (FOCUS fig. 8)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scenthound.lab.overlap import best, best_hosts, in_common
from scenthound.lab.papers.crawls import TaskCrawls, Way, WorldCrawls
from scenthound.lab.papers.means import Means, by_topic
from scenthound.lab.papers.sketch import Line, Panel, Sketch
from scenthound.lab.papers.study import About, Found, Point, Study
from scenthound.lab.papers.words import per_cent
from scenthound.lab.report.figures import count
from scenthound.lab.values import Interval, WorldNote

BEST: Final = 100
RANKS: Final = tuple(range(5, BEST + 1, 5))
JOINTLY: Final = 0.5  # "are identified jointly by both": more than half

ABOUT = About(
    name="focus-best",
    title="The best 100 of two crawls",
    figures="FOCUS fig. 8",
    asks="Do two crawls that start from different examples agree on the best pages and servers?",
    how="The soft pairs of focus-robustness. The paper ranks servers by the popularity that its distiller computes after 10,000 "
    f"pages; here the critic's relevance ranks, a host by its best page. Topics count of which a crawl brings at least {2 * BEST} "
    "pages: otherwise the best 100 would be nearly all.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The share of the best that both crawls have, by how many are looked at; of pages, and of hosts where there are several."""

    note: WorldNote
    pages: Line
    hosts: Line | None
    common: Interval  # of the best 100 pages
    host_common: Interval | None
    all_common: Interval  # of all pages that either has fetched
    by_topic: Mapping[str, float]


def measure(crawls: WorldCrawls) -> Best | None:
    tasks = [one for one in crawls.tasks if min(map(len, one.pairs[Way.SOFT])) >= 2 * BEST]
    if not tasks:
        return None
    means = Means(seed=crawls.seed)
    pages = [(one.task.topic, _shares(*_best_pages(one, BEST))) for one in tasks]
    hosts = [(one.task.topic, _shares(*_best_hosts(one, BEST))) for one in tasks] if crawls.note.hosts > 1 else []
    return Best(
        note=crawls.note,
        pages=means.line("pages", pages, at=RANKS),
        hosts=means.line("hosts", hosts, at=RANKS) if hosts else None,
        common=means.interval((topic, shares[-1]) for topic, shares in pages),
        host_common=means.interval((topic, shares[-1]) for topic, shares in hosts) if hosts else None,
        all_common=means.interval(_everything(tasks)),
        by_topic=by_topic((topic, shares[-1]) for topic, shares in pages),
    )


def tell(found: Best) -> Found:
    """Put the numbers into words."""
    ranked = sorted(found.by_topic, key=lambda topic: (found.by_topic[topic], topic))
    span = f"from {100 * found.by_topic[ranked[0]]:.0f} % on {ranked[0]} to {100 * found.by_topic[ranked[-1]]:.0f} % on {ranked[-1]}"
    hosts = f", of the best 100 hosts {per_cent(found.host_common)}" if found.host_common else ""
    said = (
        f"Of the best 100 pages of two soft crawls {per_cent(found.common)} are the same{hosts}; of all their pages "
        f"{per_cent(found.all_common)}. {count(len(ranked), 'topic')}, {span}."
    )
    return Found(said=said, points=(_jointly(found), _above_all(found)), sketches=(_sketch(found),))


def _jointly(found: Best) -> Point:
    shown, what = (found.host_common, "hosts") if found.host_common else (found.common, "pages")
    return Point(
        paper="The most popular servers are found by both crawls, but for some changes of rank.",
        ours=f"{per_cent(shown)} of the best 100 {what} are common to both.",
        agrees=shown.mean > JOINTLY,
        guess="Popularity, which the paper ranks by, gathers on a few servers that everybody cites; relevance does not, and many "
        "pages are equally relevant. A distiller has still to show which of the two it is.",
    )


def _above_all(found: Best) -> Point:
    higher = found.common.mean > found.all_common.mean
    return Point(
        paper="Crawls agree on what is best, not only on what they fetch.",
        ours=f"The best 100 pages are common to {per_cent(found.common)}, all pages to {per_cent(found.all_common)}: "
        f"{'they agree more on the best' if higher else 'they agree no more on the best than on the rest'}.",
        agrees=higher,
        guess="In so small a world both crawls reach nearly everything that is near the topic, good or not.",
    )


def _best_pages(crawls: TaskCrawls, k: int) -> tuple[Sequence[int], Sequence[int]]:
    one, other = crawls.pairs[Way.SOFT]
    return best(one, k), best(other, k)


def _best_hosts(crawls: TaskCrawls, k: int) -> tuple[Sequence[int], Sequence[int]]:
    one, other = crawls.pairs[Way.SOFT]
    return best_hosts(one, crawls.ground, k), best_hosts(other, crawls.ground, k)


def _shares(one: Sequence[int], other: Sequence[int]) -> list[float]:
    return [in_common(one[:k], other[:k]) for k in RANKS]


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
        caption=f"{world}: share of the best k that two soft crawls from disjoint halves of the examples have in common, mean over "
        "topics; shaded: 95 % intervals.",
        alt=f"Overlap of the best 5 to 100 on {world}; of the best 100 pages {100 * found.common.mean:.0f} %.",
        panels=(panel,),
    )


STUDY = Study(about=ABOUT, measure=measure, tell=tell)
