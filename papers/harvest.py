"""How many of the fetched pages are relevant, along unfocused, hard and soft crawls (FOCUS fig.

3 and 4, RELATIONAL fig. 5).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from papers.crawls import TaskCrawls, Way, WorldCrawls
from papers.means import Means, Numbers, by_topic, moving, part
from papers.sketch import Line, Panel, Sketch
from papers.study import About, Found, Point, Study
from papers.words import small_web, times, with_span
from scenthound.counted import count
from scenthound.lab.experiment.values import Interval, Trace, WorldNote
from scenthound.lab.metrics.signed_rank import FEWEST, signed_rank
from scenthound.lab.report.numbers import chance, figure, signed

# What we take the papers' words to mean in numbers.
LOST: Final = 0.1  # "completely lost": of ten pages not one is relevant,
BESIDE: Final = 0.5  # and of those that a focused crawl finds then, fewer than half
HEALTHY: Final = 1 / 3  # "between a third and half of all page fetches"
STEADY: Final = 0.8  # "no sign of stagnation": late in the crawl, at least so much of what it was before
ORDERS: Final = 300.0  # "three orders of magnitude", rounded
SURE: Final = 0.05

ABOUT = About(
    name="focus-harvest",
    title="Harvest of unfocused, hard and soft crawls",
    figures="FOCUS fig. 3 and 4, RELATIONAL fig. 5",
    asks="How many of the pages fetched are relevant, along a crawl, without focus, with hard and with soft focus?",
    how="Three crawls from the same examples: unfocused is random order, soft follows all links by the relevance of "
    "the best "
    "page that cites them, hard only those of pages that the critic puts into the topic; nothing tunnels. R is the "
    "critic's "
    "relevance, as in the papers; besides we have the truth, which they had not. Averages move over a tenth of the "
    "run.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alone:
    """One topic on its own, with the locality for which it was chosen."""

    topic: str
    locality: float
    lines: Mapping[Way, Line]


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvest:
    """R (`judged`) and truth along the crawls, their means over the run and its parts, and hard against soft."""

    note: WorldNote
    crawls: int
    judged: Mapping[Way, Line]
    truly: Mapping[Way, Line]
    mean: Mapping[Way, Interval]
    true_mean: Mapping[Way, Interval]
    first: Mapping[Way, Interval]  # in the first half, where a perfect crawl would find nothing but relevant pages
    early: Mapping[Way, Interval]  # in the second quarter: what starts at the examples is no longer near them
    late: Mapping[Way, Interval]  # in the last quarter
    dry: Mapping[Way, int]  # crawls that had nothing left to fetch
    base: Interval  # share of the world's pages that are wanted
    softer: Interval  # R of soft less R of hard
    p: float
    alone: tuple[Alone, ...]


def measure(crawls: WorldCrawls) -> Harvest:
    means = Means(seed=crawls.seed)

    def interval(value: Callable[[TaskCrawls, Trace], float]) -> dict[Way, Interval]:
        return {
            way: means.interval((one.task.topic, value(one, one.whole[way])) for one in crawls.tasks) for way in Way
        }

    softer = by_topic(
        (one.task.topic, _mean_relevance(one, Way.SOFT) - _mean_relevance(one, Way.HARD)) for one in crawls.tasks
    )
    return Harvest(
        note=crawls.note,
        crawls=len(crawls.tasks),
        judged={way: means.line(way, ((one.task.topic, _judged(one, way)) for one in crawls.tasks)) for way in Way},
        truly={way: means.line(way, ((one.task.topic, _truly(one, way)) for one in crawls.tasks)) for way in Way},
        mean=interval(lambda one, trace: part(trace.relevance, fetches=one.fetches, begin=0, end=1)),
        true_mean=interval(lambda one, trace: part(_found(one, trace), fetches=one.fetches, begin=0, end=1)),
        first=interval(lambda one, trace: part(trace.relevance, fetches=one.fetches, begin=0, end=0.5)),
        early=interval(lambda one, trace: part(trace.relevance, fetches=one.fetches, begin=0.25, end=0.5)),
        late=interval(lambda one, trace: part(trace.relevance, fetches=one.fetches, begin=0.75, end=1)),
        dry={way: sum(len(one.whole[way]) < one.fetches for one in crawls.tasks) for way in Way},
        base=means.interval((one.task.topic, len(one.task.wanted) / crawls.note.pages) for one in crawls.tasks),
        softer=means.interval(softer.items()),
        p=signed_rank(list(softer.values())) if len(softer) >= FEWEST else 1.0,
        alone=tuple(_alone(crawls, topic) for topic in apart(crawls.locality)),
    )


def apart(locality: Mapping[str, float]) -> tuple[str, ...]:
    """Return the topics to be shown on their own: that with the greatest locality and that with the least.

    FOCUS shows topics of the authors' choice; this rule leaves us none.

    >>> apart({"Arts": 0.2, "Sport": 0.6, "Games": 0.1})
    ('Sport', 'Games')
    """
    ranked = sorted(locality, key=lambda topic: (-locality[topic], topic))
    return tuple(dict.fromkeys([ranked[0], ranked[-1]])) if ranked else ()


def tell(found: Harvest) -> Found:
    """Put the numbers into words."""
    soft, hard, blind = (found.mean[way] for way in (Way.SOFT, Way.HARD, Way.UNFOCUSED))
    truth = {way: figure(found.true_mean[way].mean, 2) for way in Way}
    said = (
        f"Of all fetches, R is {with_span(soft)} with soft focus, {with_span(hard)} with hard focus and "
        f"{with_span(blind)} without; "
        f"by truth it is {truth[Way.SOFT]}, {truth[Way.HARD]} and {truth[Way.UNFOCUSED]}. "
        f"{count(soft.topics, 'topic')}, {count(found.crawls, 'crawl')} each."
    )
    points = (_lost(found), _healthy(found), _steady(found), _alike(found), _orders(found))
    return Found(said=said, points=points, sketches=_sketches(found))


def _lost(found: Harvest) -> Point:
    late, soft = found.late[Way.UNFOCUSED], found.late[Way.SOFT]
    behind = late.mean < BESIDE * soft.mean
    lost = late.mean < LOST and behind
    return Point(
        paper="Unfocused, a crawl is lost within a hundred fetches: relevance falls to nearly nothing.",
        ours=f"In its last quarter the unfocused crawl has R {with_span(late)}, "
        f"{'nearly nothing' if late.mean < LOST else f'not below {figure(LOST, 1)}'}; soft focus has {with_span(soft)}"
        f"{'' if behind else ', hardly more'}. Of all pages, {figure(found.base.mean, 2)} are wanted.",
        agrees=lost,
        guess=small_web(found.note) + " A walk at random cannot get far from a topic, nor can focus keep to it.",
    )


def _healthy(found: Harvest) -> Point:
    soft, hard = found.first[Way.SOFT], found.first[Way.HARD]
    reached = min(soft.high, hard.high) >= HEALTHY
    return Point(
        paper="Focused, hard or soft, between a third and a half of all fetches bring a relevant page (RELATIONAL: "
        "every second).",
        ours=f"In the first half of the run, in which a perfect crawl would find nothing else, R is {with_span(soft)} "
        "with soft and "
        f"{with_span(hard)} with hard focus: {'a third is reached' if reached else 'less than a third'}.",
        agrees=reached,
        guess=f"A topic has few pages here, {figure(found.base.mean, 2)} of all, and soon the best links are those of "
        "pages that have no "
        "unknown neighbour left; on the web a topic had no end that a crawl of hours could see.",
    )


def _steady(found: Harvest) -> Point:
    kept = {way: _kept(found, way) for way in (Way.SOFT, Way.HARD)}
    dry = {way: found.dry[way] for way in kept}
    steady = min(kept.values()) >= STEADY and not any(dry.values())
    told = " and ".join(f"{100 * share:.0f} % with {way}" for way, share in kept.items())
    ended = " and ".join(f"{number} of {found.crawls} with {way}" for way, number in dry.items() if number)
    finite = "The pages of a topic are finite here, and the best are taken first."
    return Point(
        paper="Focused crawls show no sign of stagnation over thousands of fetches.",
        ours=f"In the last quarter of the run R is {told} of what it was in the second; "
        f"{f'crawls that had nothing left to fetch: {ended}' if ended else 'no crawl ran out of links'}.",
        agrees=steady,
        guess=f"{finite} Hard focus drops the links of every page that it takes for something else, and has none left "
        "when all "
        "seem to be."
        if dry[Way.HARD]
        else finite,
    )


def _kept(found: Harvest, way: Way) -> float:
    """Return the part of the relevance of its second quarter that a crawl has in its last.

    Of nothing, nothing is left.
    """
    return times(found.late[way].mean, found.early[way].mean) if found.early[way].mean else 0.0


def _alike(found: Harvest) -> Point:
    few, more = found.softer.topics < FEWEST, found.softer.mean > 0
    differ = found.p < SURE
    verdict = f"{'soft' if more else 'hard'} focus is better" if differ else "they cannot be told apart"
    told = "too few topics to tell" if few else f"p {chance(found.p)}: {verdict}"
    return Point(
        paper="Hard and soft focus are hard to tell apart; both do well.",
        ours=f"R of soft less that of hard focus is {signed(found.softer.mean, 2)} ({signed(found.softer.low, 2)} to "
        f"{signed(found.softer.high, 2)}); {told}.",
        agrees=None if few else not differ,
        guess="Fetches that a crawl could not make count as nothing, and hard focus runs out of links."
        if found.dry[Way.HARD] and more
        else "Over many topics a small difference shows that two crawls of one topic cannot show.",
    )


def _orders(found: Harvest) -> Point:
    ratio = times(found.mean[Way.SOFT].mean, found.mean[Way.UNFOCUSED].mean)
    return Point(
        paper="The relevance of what a focused crawl brings is three orders of magnitude above that of an unfocused "
        "one (RELATIONAL).",
        ours=f"R is {ratio:.3g} times that of the unfocused crawl.",
        agrees=ratio >= ORDERS,
        guess=small_web(found.note)
        + " Besides, our critic is calibrated: it seldom says less than a hundredth, where a naive Bayes classifier, as the papers "
        "had, multiplies its way to any power of ten.",
    )


def _judged(crawls: TaskCrawls, way: Way) -> list[float]:
    return moving(crawls.whole[way].relevance, fetches=crawls.fetches)


def _truly(crawls: TaskCrawls, way: Way) -> list[float]:
    return moving(_found(crawls, crawls.whole[way]), fetches=crawls.fetches)


def _mean_relevance(crawls: TaskCrawls, way: Way) -> float:
    return part(crawls.whole[way].relevance, fetches=crawls.fetches, begin=0, end=1)


def _found(crawls: TaskCrawls, trace: Trace) -> Numbers:
    return np.isin(trace.numbers, sorted(crawls.task.wanted)).astype(np.float64)


def _alone(crawls: WorldCrawls, topic: str) -> Alone:
    own = [one for one in crawls.tasks if one.task.topic == topic]
    means = Means(seed=crawls.seed)
    lines = {way: means.line(way, ((topic, _judged(one, way)) for one in own)) for way in Way}
    return Alone(topic=topic, locality=crawls.locality[topic], lines=lines)


def _sketches(found: Harvest) -> tuple[Sketch, ...]:
    across, world = "share of the run", found.note.name
    both = (
        Panel(
            title=f"{world}: by the critic (R)", across=across, up="moving average", lines=tuple(found.judged.values())
        ),
        Panel(title=f"{world}: by truth", across=across, up="moving average", lines=tuple(found.truly.values())),
    )
    alone = tuple(
        Panel(
            title=f"{one.topic.rpartition('/')[2]} (locality {figure(one.locality, 2)})",
            across=across,
            up="R, moving average",
            lines=tuple(Line(name=line.name, at=line.at, mean=line.mean) for line in one.lines.values()),
        )
        for one in found.alone
    )
    ends = ", ".join(f"{way} {figure(found.late[way].mean, 2)}" for way in Way)
    at_end = f"Mean R in the last quarter on {world}: {ends}."
    shown = " and ".join(f"{one.topic}" for one in found.alone)
    return (
        Sketch(
            name=f"focus-harvest-{world}",
            caption=f"{world}: share of relevant pages along the crawl, mean over topics; shaded: 95 % intervals.",
            alt=at_end,
            panels=both,
        ),
        Sketch(
            name=f"focus-harvest-{world}-alone",
            caption=f"{world}: R on the topics with the greatest and the least locality (the share of links between "
            "pages of the "
            "topic), mean of their draws.",
            alt=f"R along unfocused, hard and soft crawls for {shown}.",
            panels=alone,
        ),
    )


STUDY = Study(about=ABOUT, measure=measure, tell=tell)
