"""Loss along crawls in which an apprentice learns while it crawls, the paper's and ours (APPRENTICE fig.

13 b and 14).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from papers.apprentice.guided import Guidance
from papers.apprentice.losses import loss, loss_along, true_loss
from papers.apprentice.wording import change, grows
from papers.crawls import TaskCrawls, Way, WorldCrawls
from papers.means import Means
from papers.sketch import Line, Panel, Sketch
from papers.study import About, Found, Point, Study
from papers.words import small_web, with_span
from scenthound.lab.experiment.values import Interval, Trace, WorldNote
from scenthound.lab.report.numbers import figure, signed

BASELINE: Final = "baseline"
HALF: Final = 0.5
FIFTH: Final = 0.2  # "from over 30% to only 6%", in the best case

ABOUT = About(
    name="apprentice-online",
    title="Loss with an apprentice trained on-line",
    figures="APPRENTICE fig. 13 (b) and 14",
    asks="How much less is lost when the apprentice learns during the very crawl that it guides?",
    how="From the same examples as the baseline of apprentice-offline, the paper's apprentice, which begins with "
    "best-first and takes over after "
    "about a quarter of the run; and the one that ships, which guides from the beginning. Loss is the mean of 1 − R.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Online:
    """Loss along the run; in its halves; by truth in the first.

    What either apprentice saves of the baseline's in the second.
    """

    note: WorldNote
    lines: tuple[Line, ...]
    first: Mapping[str, Interval]
    second: Mapping[str, Interval]
    truly: Mapping[str, Interval]
    less: Mapping[str, Interval]  # the baseline's loss in the whole run less one's own
    # Loss of the paper's apprentice in the first half less that in the second, beyond that of the baseline.
    later: Interval


def measure(crawls: WorldCrawls) -> Online | None:
    tasks = [one for one in crawls.tasks if Guidance.ONLINE in one.guided]
    if not tasks:
        return None
    means = Means(seed=crawls.seed)
    names = (BASELINE, *(who for who in (Guidance.ONLINE, Guidance.OWN) if all(who in one.guided for one in tasks)))

    def each(value: Callable[[TaskCrawls, Trace], float]) -> dict[str, Interval]:
        return {
            name: means.interval((one.task.topic, value(one, _trace(one, name))) for one in tasks) for name in names
        }

    def lost(one: TaskCrawls, trace: Trace, begin: float, end: float) -> float:
        return loss(trace, fetches=one.fetches, begin=begin, end=end)

    return Online(
        note=crawls.note,
        lines=tuple(means.line(name, ((one.task.topic, _along(one, name)) for one in tasks)) for name in names),
        first=each(lambda one, trace: lost(one, trace, 0.0, HALF)),
        second=each(lambda one, trace: lost(one, trace, HALF, 1.0)),
        truly=each(lambda one, trace: true_loss(one, trace, end=HALF)),
        less=each(lambda one, trace: lost(one, one.whole[Way.SOFT], 0.0, 1.0) - lost(one, trace, 0.0, 1.0)),
        later=means.interval((one.task.topic, _later(one)) for one in tasks),
    )


def tell(found: Online) -> Found:
    """Put the numbers into words."""
    told = ", ".join(f"{name} {with_span(interval)}" for name, interval in found.first.items())
    truly = ", ".join(figure(interval.mean, 2) for interval in found.truly.values())
    less = "; ".join(f"{name} {_span(found.less[name])}" for name in found.less if name != BASELINE)
    said = f"Loss in the first half of the run: {told}; by truth {truly}. Over the whole run, less than the baseline: {less}."
    return Found(said=said, points=(_less(found), _best(found)), sketches=(_sketch(found),))


def _less(found: Online) -> Point:
    less = found.less[Guidance.ONLINE]
    return Point(
        paper="As soon as the apprentice takes over, less is lost.",
        ours=f"Over the run the paper's apprentice loses {_span(less)} less than the baseline; from the first half to "
        f"the second its advantage grows by {change(found.later)}.",
        agrees=grows(less),
        guess=f"{small_web(found.note)} The crawls are over when the paper's began to learn: there the apprentice "
        "took over after "
        "5,200 pages.",
    )


def _best(found: Online) -> Point:
    before, after = found.first[Guidance.ONLINE].mean, found.second[Guidance.ONLINE].mean
    return Point(
        paper="In the best case loss falls from over 30 % to 6 %.",
        ours="From the first half of the run to the second, that of the paper's apprentice goes from "
        f"{figure(before, 2)} to {figure(after, 2)}; "
        f"that of the baseline from {figure(found.first[BASELINE].mean, 2)} to "
        f"{figure(found.second[BASELINE].mean, 2)}.",
        agrees=after <= FIFTH * before,
        guess="Here the pages of a topic are soon found, and late fetches bring little whoever chooses them.",
    )


def _span(interval: Interval) -> str:
    mean, low, high = (signed(value, 2) for value in (interval.mean, interval.low, interval.high))
    return mean if interval.topics < 2 else f"{mean} ({low} to {high})"


def _later(crawls: TaskCrawls) -> float:
    """Return how much more than in the first half of the run the paper's apprentice saves in the second."""
    own, base = crawls.guided[Guidance.ONLINE], crawls.whole[Way.SOFT]

    def saved(begin: float, end: float) -> float:
        lost = (loss(trace, fetches=crawls.fetches, begin=begin, end=end) for trace in (base, own))
        return next(lost) - next(lost)

    return saved(HALF, 1.0) - saved(0.0, HALF)


def _along(crawls: TaskCrawls, name: str) -> list[float]:
    return loss_along(_trace(crawls, name), fetches=crawls.fetches)


def _trace(crawls: TaskCrawls, name: str) -> Trace:
    return crawls.whole[Way.SOFT] if name == BASELINE else crawls.guided[Guidance(name)]


def _sketch(found: Online) -> Sketch:
    world = found.note.name
    panel = Panel(
        title=f"{world}: loss so far", across="share of the run", up="mean of 1 − R", lines=found.lines, top=1.0
    )
    ends = ", ".join(f"{name} {figure(interval.mean, 2)}" for name, interval in found.first.items())
    return Sketch(
        name=f"apprentice-online-{world}",
        caption=f"{world}: loss along the baseline and crawls guided by apprentices that learn on the way, mean over "
        "topics; shaded: "
        "95 % intervals.",
        alt=f"Loss along the run on {world}; in the first half: {ends}.",
        panels=(panel,),
    )


STUDY = Study(about=ABOUT, measure=measure, tell=tell, guided=True)
