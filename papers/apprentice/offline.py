"""Loss along crawls with an apprentice trained on another crawl, and with a confined one (APPRENTICE fig. 10, 12)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from papers.apprentice.guided import Guidance
from papers.apprentice.losses import loss, loss_along, true_loss
from papers.crawls import TaskCrawls, Way, WorldCrawls
from papers.means import Means, by_topic
from papers.sketch import Line, Panel, Sketch
from papers.study import About, Found, Point, Study
from papers.words import per_cent, small_web, whole_per_cent, with_span
from scenthound.lab.experiment.values import Interval, Trace, WorldNote
from scenthound.lab.report.numbers import figure

LEAST: Final = 0.3  # "typically, this number is between 30% and 60%"
BASELINE: Final = "baseline"
FIRST: Final = 0.5  # of the run: a perfect crawl would lose nothing until then
EARLY: Final = 0.25  # later the recall crawler has no choice left
SHOWN: Final = (BASELINE, Guidance.OFFLINE, Guidance.RECALL)

ABOUT = About(
    name="apprentice-offline",
    title="Loss with an apprentice trained off-line",
    figures="APPRENTICE fig. 10 and 12",
    asks="How much less is lost when an apprentice guides the crawl who has learnt from a crawl before?",
    how="The baseline is the soft crawl of focus-harvest, the first draw of each topic. The paper's apprentice learns "
    "from all of its links and "
    "then crawls from the same examples; the recall crawler does so within the baseline's pages. Loss is the mean of "
    "1 − R so far. "
    "The paper's crawls fetched 20,000 pages and more of a web without end.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offline:
    """Loss along the run; in its first half by the critic and by truth; what is saved of it, in all and by topic.

    Early loss.
    """

    note: WorldNote
    lines: tuple[Line, ...]
    lost: Mapping[str, Interval]
    truly: Mapping[str, Interval]
    saved: Interval
    by_topic: Mapping[str, float]
    early: Mapping[str, Interval]


def measure(crawls: WorldCrawls) -> Offline | None:
    tasks = [one for one in crawls.tasks if {Guidance.OFFLINE, Guidance.RECALL} <= one.guided.keys()]
    if not tasks:
        return None
    means = Means(seed=crawls.seed)

    def each(value: Callable[[TaskCrawls, str], float]) -> dict[str, Interval]:
        return {name: means.interval((one.task.topic, value(one, name)) for one in tasks) for name in SHOWN}

    saved = by_topic((one.task.topic, _saved(one)) for one in tasks)
    return Offline(
        note=crawls.note,
        lines=tuple(means.line(name, ((one.task.topic, _along(one, name)) for one in tasks)) for name in SHOWN),
        lost=each(lambda one, name: loss(_trace(one, name), fetches=one.fetches, end=FIRST)),
        truly=each(lambda one, name: true_loss(one, _trace(one, name), end=FIRST)),
        saved=means.interval(saved.items()),
        by_topic=saved,
        early=each(lambda one, name: loss(_trace(one, name), fetches=one.fetches, end=EARLY)),
    )


def tell(found: Offline) -> Found:
    """Put the numbers into words."""
    said = (
        f"In the first half of the run the baseline loses {with_span(found.lost[BASELINE])}, the crawl with an "
        "apprentice "
        f"{with_span(found.lost[Guidance.OFFLINE])}; by truth {figure(found.truly[BASELINE].mean, 2)} and "
        f"{figure(found.truly[Guidance.OFFLINE].mean, 2)}."
    )
    return Found(said=said, points=(_less(found), _everywhere(found), _between(found)), sketches=(_sketch(found),))


def _less(found: Offline) -> Point:
    return Point(
        paper="The apprentice lowers loss by 30 % to 60 % on most topics, by 90 % on the best.",
        ours=f"In the first half of the run it lowers it by {per_cent(found.saved)}.",
        agrees=found.saved.mean >= LEAST,
        guess=f"{small_web(found.note)} A topic has few pages and many of them are reached by few links. Lessons from "
        "a few hundred pages "
        "say little about words that come up elsewhere.",
    )


def _everywhere(found: Offline) -> Point:
    better = sum(value > 0 for value in found.by_topic.values())
    worst = min(found.by_topic, key=lambda topic: (found.by_topic[topic], topic))
    return Point(
        paper="All topics get better, none gets worse.",
        ours=f"Loss is lower on {better} of {len(found.by_topic)} topics; the least is saved on {worst}, "
        f"{whole_per_cent(found.by_topic[worst])} %.",
        agrees=better == len(found.by_topic),
        guess="Naive Bayes is nearly always sure, and with few lessons often wrong.",
    )


def _between(found: Offline) -> Point:
    names = (BASELINE, Guidance.OFFLINE, Guidance.RECALL)
    # As they are written: what is told must bear what is said of it.
    baseline, free, confined = (round(found.early[name].mean, 2) for name in names)
    return Point(
        paper="Confined to the baseline's pages, the apprentice loses less than the baseline and more than when it is "
        "free.",
        ours=f"In the first quarter of the run the baseline loses {figure(baseline, 2)}, the recall crawler "
        f"{figure(confined, 2)}, the free one "
        f"{figure(free, 2)}.",
        agrees=free <= confined < baseline,
        guess="Within the baseline's pages the apprentice has seen where every link leads, and cannot go astray.",
    )


def _saved(crawls: TaskCrawls) -> float:
    before, after = (
        loss(_trace(crawls, name), fetches=crawls.fetches, end=FIRST) for name in (BASELINE, Guidance.OFFLINE)
    )
    return 1 - after / before if before else 0.0


def _along(crawls: TaskCrawls, name: str) -> list[float]:
    return loss_along(_trace(crawls, name), fetches=crawls.fetches)


def _trace(crawls: TaskCrawls, name: str) -> Trace:
    return crawls.whole[Way.SOFT] if name == BASELINE else crawls.guided[Guidance(name)]


def _sketch(found: Offline) -> Sketch:
    world = found.note.name
    panel = Panel(
        title=f"{world}: loss so far", across="share of the run", up="mean of 1 − R", lines=found.lines, top=1.0
    )
    return Sketch(
        name=f"apprentice-offline-{world}",
        caption=f"{world}: loss along the baseline, a crawl guided by an apprentice trained off-line, and the same "
        "within the baseline's "
        "pages; mean over topics; shaded: 95 % intervals.",
        alt=f"Loss along the run on {world}; in the first half {figure(found.lost[BASELINE].mean, 2)} of the baseline "
        "and "
        f"{figure(found.lost[Guidance.OFFLINE].mean, 2)} with the apprentice.",
        panels=(panel,),
    )


STUDY = Study(about=ABOUT, measure=measure, tell=tell, guided=True)
