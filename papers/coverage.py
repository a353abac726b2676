"""How much of what a reference crawl found a second crawl from other examples finds (RELATIONAL fig. 6)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from papers.crawls import TaskCrawls, Way, WorldCrawls
from papers.means import POINTS, Means, along, by_topic
from papers.sketch import Line, Panel, Sketch
from papers.study import About, Found, Point, Study
from papers.words import per_cent, small_web
from scenthound.lab.experiment.values import Interval, WorldNote
from scenthound.lab.metrics.overlap import LEAST, Coverage, coverage
from scenthound.lab.report.numbers import figure

PAGES: Final = 0.83  # of the relevant URLs, within an hour
SERVERS: Final = 0.90
STRICT: Final = 0.5  # another threshold of relevance
INSENSITIVE: Final = 0.05  # what the threshold may change

ABOUT = About(
    name="relational-coverage",
    title="Coverage of a reference crawl",
    figures="RELATIONAL fig. 6",
    asks="How much of what one crawl found does another find that starts from other examples?",
    how="The soft pairs of focus-robustness: each crawl in turn is the reference of the other, and the two shares are "
    "averaged. A "
    f"page of the reference counts if log R > −1 (R > {figure(LEAST, 2)}), as in the paper; of hosts, all count. The "
    "paper's crawls "
    "went on for an hour, or about 6,000 fetches, and the second start set came from another search engine.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """Coverage of relevant pages and of hosts along the run, and at its end; `strict` is that of pages of R > .5."""

    note: WorldNote
    pages: Line
    hosts: Line | None
    end: Interval
    host_end: Interval | None
    strict: Interval
    ends: Mapping[str, float]


def measure(crawls: WorldCrawls) -> Covered | None:
    found = list(_covered(crawls, LEAST))
    strict = [(topic, along_pages[-1]) for topic, along_pages, _ in _covered(crawls, STRICT)]
    if not found:
        return None
    means = Means(seed=crawls.seed)
    pages = [(topic, way) for topic, way, _ in found]
    hosts = [(topic, way) for topic, _, way in found] if crawls.note.hosts > 1 else []
    return Covered(
        note=crawls.note,
        pages=means.line("relevant pages", pages),
        hosts=means.line("hosts", hosts) if hosts else None,
        end=means.interval((topic, way[-1]) for topic, way in pages),
        host_end=means.interval((topic, way[-1]) for topic, way in hosts) if hosts else None,
        strict=means.interval(strict),
        ends=by_topic((topic, way[-1]) for topic, way in pages),
    )


def tell(found: Covered) -> Found:
    """Put the numbers into words."""
    ranked = sorted(found.ends, key=lambda topic: (found.ends[topic], topic))
    span = f"from {100 * found.ends[ranked[0]]:.0f} % on {ranked[0]} to {100 * found.ends[ranked[-1]]:.0f} % on {ranked[-1]}"
    hosts = f" and {per_cent(found.host_end)} of the hosts" if found.host_end else ""
    said = (
        f"At the end a crawl has visited {per_cent(found.end)} of the relevant pages{hosts} of its reference; {span}."
    )
    points = [_pages(found), _threshold(found)]
    if found.host_end:
        points.insert(1, _servers(found, found.host_end))
    return Found(said=said, points=tuple(points), sketches=(_sketch(found),))


def _pages(found: Covered) -> Point:
    reached = found.end.high >= PAGES
    return Point(
        paper="Within an hour the second crawl collects up to 83 % of the relevant URLs of the first.",
        ours=f"It collects {per_cent(found.end)}{': as many' if reached else ': fewer'}.",
        agrees=reached,
        guess="A run ends soon after it could have found everything, and half of the examples are few to start from. "
        + small_web(found.note),
    )


def _servers(found: Covered, end: Interval) -> Point:
    reached = end.high >= SERVERS
    return Point(
        paper="It visits 90 % of the web servers of the first.",
        ours=f"It visits {per_cent(end)} of the hosts{': as many' if reached else ': fewer'}.",
        agrees=reached,
        guess="Many hosts are linked from few pages, which one of the two crawls may not have come by.",
    )


def _threshold(found: Covered) -> Point:
    change = abs(found.strict.mean - found.end.mean)
    return Point(
        paper="The threshold of relevance hardly matters.",
        ours=f"With R > .5 in place of R > {figure(LEAST, 2)} it is {per_cent(found.strict)} in place of "
        f"{per_cent(found.end)}.",
        agrees=change <= INSENSITIVE,
        guess="Our critic is calibrated, so that there are pages between the two thresholds, of which crawls are less "
        "sure.",
    )


def _covered(crawls: WorldCrawls, least: float) -> Iterator[tuple[str, list[float], list[float]]]:
    """Yield the coverage of pages and of hosts along the run, for crawls whose reference has any relevant page."""
    for one in crawls.tasks:
        first, second = one.pairs[Way.SOFT]
        if min((first.relevance > least).sum(), (second.relevance > least).sum()):
            there = [
                coverage(*pair, one.ground, least=least, points=POINTS) for pair in ((first, second), (second, first))
            ]
            yield (
                one.task.topic,
                _both([one.pages for one in there], there, one),
                _both([one.hosts for one in there], there, one),
            )


def _both(values: list[tuple[float, ...]], there: list[Coverage], crawls: TaskCrawls) -> list[float]:
    ways = [along(one.at, own, fetches=crawls.fetches) for one, own in zip(there, values, strict=True)]
    return [sum(pair) / 2 for pair in zip(*ways, strict=True)]


def _sketch(found: Covered) -> Sketch:
    world = found.note.name
    lines = (found.pages, found.hosts) if found.hosts else (found.pages,)
    panel = Panel(
        title=f"{world}: coverage of the reference crawl", across="share of the run", up="share", lines=lines, top=1.0
    )
    return Sketch(
        name=f"relational-coverage-{world}",
        caption=f"{world}: share of a reference crawl's relevant pages{' and hosts' if found.hosts else ''} visited "
        "by a crawl from "
        "other examples, mean over topics; shaded: 95 % intervals.",
        alt=f"Coverage along the run on {world}; at the end {100 * found.end.mean:.0f} % of the relevant pages.",
        panels=(panel,),
    )


STUDY = Study(about=ABOUT, measure=measure, tell=tell)
