"""Whether two soft crawls from different examples of a topic come to the same pages and servers (FOCUS fig.

6 and 7).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from papers.crawls import TaskCrawls, Way, WorldCrawls
from papers.means import POINTS, Means, along, by_topic
from papers.sketch import Line, Panel, Sketch
from papers.study import About, Found, Point, Study
from papers.words import per_cent, small_web
from scenthound.lab.experiment.values import Interval, WorldNote
from scenthound.lab.metrics.overlap import Overlap, host_overlap, page_overlap

LEAST: Final = 0.6  # "it grew to over 60%" on mutual funds, to 90 % on cycling
MOST: Final = 0.9
EARLY: Final = POINTS // 4 - 1  # the place of a quarter of the run on the way

ABOUT = About(
    name="focus-robustness",
    title="Overlap of crawls from disjoint examples",
    figures="FOCUS fig. 6 and 7",
    asks="Do two crawls that start from different examples of a topic come to the same pages and servers?",
    how="Two soft crawls, each from half of the examples (the paper: two random 30 % of a few dozen); one critic, "
    "taught with all "
    "of them, judges in both. Overlap is what both have fetched after as many fetches, as a share of what one has. "
    "Two unfocused "
    "crawls from the same halves show how much of it comes from the smallness of the world. Servers are told apart by "
    "name; "
    "the paper took IP addresses.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Robustness:
    """Overlap along the run, by way.

    Of pages, and of hosts where there are several. `ends` is that of soft crawls by topic.
    """

    note: WorldNote
    pages: Mapping[Way, Line]
    hosts: Mapping[Way, Line]
    taken: Interval  # share that a run fetches of all pages that can be reached
    early: Interval
    end: Interval
    blind_end: Interval
    host_end: Interval | None
    ends: Mapping[str, float]


def measure(crawls: WorldCrawls) -> Robustness:
    means = Means(seed=crawls.seed)
    pages = {way: list(_pages(crawls, way)) for way in (Way.SOFT, Way.UNFOCUSED)}
    hosts = {way: list(_hosts(crawls, way)) for way in pages} if crawls.note.hosts > 1 else {}
    return Robustness(
        note=crawls.note,
        pages={way: means.line(_name(way), own) for way, own in pages.items()},
        hosts={way: means.line(_name(way), own) for way, own in hosts.items()},
        taken=means.interval(
            (one.task.topic, one.fetches / max(1, int((one.ground.hops > 0).sum()))) for one in crawls.tasks
        ),
        early=means.interval((topic, way[EARLY]) for topic, way in pages[Way.SOFT]),
        end=means.interval((topic, way[-1]) for topic, way in pages[Way.SOFT]),
        blind_end=means.interval((topic, way[-1]) for topic, way in pages[Way.UNFOCUSED]),
        host_end=means.interval((topic, way[-1]) for topic, way in hosts[Way.SOFT]) if hosts else None,
        ends=by_topic((topic, way[-1]) for topic, way in pages[Way.SOFT]),
    )


def tell(found: Robustness) -> Found:
    """Put the numbers into words."""
    ranked = sorted(found.ends, key=lambda topic: (found.ends[topic], topic))
    span = f"from {100 * found.ends[ranked[0]]:.0f} % on {ranked[0]} to {100 * found.ends[ranked[-1]]:.0f} % on {ranked[-1]}"
    said = (
        f"At the end two soft crawls have {per_cent(found.end)} of their pages in common, two unfocused ones "
        f"{per_cent(found.blind_end)}; {span}. A run fetches {per_cent(found.taken)} of all pages that can be reached."
    )
    points = [_growth(found), _reached(found)]
    if found.host_end is not None:
        points.append(_servers(found, found.host_end))
    return Found(said=said, points=tuple(points), sketches=(_sketch(found),))


def _growth(found: Robustness) -> Point:
    grows = found.end.mean > found.early.mean
    return Point(
        paper="The overlap grows steadily along the crawl.",
        ours=f"It is {per_cent(found.early)} after a quarter of the run and {per_cent(found.end)} at its end: "
        f"{'it grows' if grows else 'it does not grow'}.",
        agrees=grows,
        guess="Crawls that have found the pages of the topic go on into different directions.",
    )


def _reached(found: Robustness) -> Point:
    reached = found.end.high >= LEAST
    over = sum(value >= LEAST for value in found.ends.values())
    return Point(
        paper="It grows to 90 % on cycling, a topic of much co-operation, and to over 60 % on mutual funds, one of "
        "competition.",
        ours=f"It reaches {per_cent(found.end)}, and 60 % or more on {over} of {len(found.ends)} topics; two crawls "
        "without "
        f"focus reach {per_cent(found.blind_end)}.",
        agrees=reached,
        guess=f"{small_web(found.note)} The papers' crawls are much longer than ours, and overlap grows with length."
        if not reached
        else "",
    )


def _servers(found: Robustness, end: Interval) -> Point:
    line = found.hosts[Way.SOFT]
    grows = line.mean[-1] > line.mean[EARLY]
    return Point(
        paper="The servers visited by both grow likewise, so that it is not one common site that they crawl.",
        ours=f"Of the hosts, {100 * line.mean[EARLY]:.0f} % are common after a quarter of the run and {per_cent(end)} "
        "at its end.",
        agrees=grows,
        guess="Most hosts of this world are reached early, or never.",
    )


def _pages(crawls: WorldCrawls, way: Way) -> Iterator[tuple[str, list[float]]]:
    for one in crawls.tasks:
        if way in one.pairs:
            yield one.task.topic, _shared(page_overlap(*one.pairs[way], points=POINTS), one)


def _hosts(crawls: WorldCrawls, way: Way) -> Iterator[tuple[str, list[float]]]:
    for one in crawls.tasks:
        if way in one.pairs:
            yield one.task.topic, _shared(host_overlap(*one.pairs[way], one.ground, points=POINTS), one)


def _shared(overlap: Overlap, crawls: TaskCrawls) -> list[float]:
    """Return the overlap along the run, the mean of both crawls' shares."""
    both = [(one + other) / 2 for one, other in zip(overlap.of_one, overlap.of_other, strict=True)]
    return along(overlap.at, both, fetches=crawls.fetches)


def _name(way: Way) -> str:
    return f"two {'soft' if way is Way.SOFT else way} crawls"


def _sketch(found: Robustness) -> Sketch:
    world, across = found.note.name, "share of the run"
    panels = [
        Panel(title=f"{world}: pages in common", across=across, up="share", lines=tuple(found.pages.values()), top=1.0)
    ]
    if found.hosts:
        panels.append(
            Panel(
                title=f"{world}: hosts in common", across=across, up="share", lines=tuple(found.hosts.values()), top=1.0
            )
        )
    return Sketch(
        name=f"focus-robustness-{world}",
        caption=f"{world}: what two crawls from disjoint halves of the examples have in common, mean over topics; "
        "shaded: 95 % "
        "intervals.",
        alt=f"Overlap of two crawls along the run on {world}: soft {100 * found.end.mean:.0f} %, unfocused "
        f"{100 * found.blind_end.mean:.0f} % at the end.",
        panels=tuple(panels),
    )


STUDY = Study(about=ABOUT, measure=measure, tell=tell)
