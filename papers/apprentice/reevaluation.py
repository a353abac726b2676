"""What an apprentice thinks of a frontier that was ordered by citing pages (APPRENTICE fig. 13 a)."""

from collections.abc import Callable
from dataclasses import dataclass

from papers.apprentice.frontier import TENTHS, Frontier
from papers.apprentice.wording import grows
from papers.crawls import WorldCrawls
from papers.means import Means
from papers.sketch import Bars, Panel, Sketch
from papers.study import About, Found, Point, Study
from papers.words import per_cent, with_span
from scenthound.apprentice.bayes.buckets import D_MAX
from scenthound.lab.experiment.values import Interval, WorldNote
from scenthound.lab.report.numbers import figure

ABOUT = About(
    name="apprentice-frontier",
    title="The frontier before and after",
    figures="APPRENTICE fig. 13 (a)",
    asks="What becomes of the frontier's hopes when an apprentice is asked for the first time?",
    how="After half of each soft crawl of focus-harvest (the first draw of each topic) the paper's apprentice learns "
    "from all links between "
    f"fetched pages, by the words within {D_MAX} leaves, and estimates every page that waits by the link found first. "
    "The baseline's "
    "estimate is R of the best page that cites it; examples count as 1. Unlike the paper we know which of the pages "
    "that wait are truly wanted.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reevaluation:
    """The shares of pages by tenths of either estimate; the means of both, and the share that is truly wanted."""

    note: WorldNote
    citing: tuple[float, ...]
    apprentice: tuple[float, ...]
    citing_hopes: Interval
    apprentice_hopes: Interval
    wanted: Interval
    too_much: Interval  # the baseline's hopes less what is wanted
    less: Interval  # the baseline's hopes less the apprentice's
    closer: Interval  # how much nearer to the truth the apprentice's mean is


def measure(crawls: WorldCrawls) -> Reevaluation | None:
    found = [(one.topic, one.frontier) for one in crawls.links() if one.frontier is not None]
    if not found:
        return None
    means = Means(seed=crawls.seed)

    def mean(value: Callable[[Frontier], float]) -> Interval:
        return means.interval((topic, value(one)) for topic, one in found)

    at = range(TENTHS)
    return Reevaluation(
        note=crawls.note,
        citing=means.line("", ((topic, one.by_citing) for topic, one in found), at=at).mean,
        apprentice=means.line("", ((topic, one.by_apprentice) for topic, one in found), at=at).mean,
        citing_hopes=mean(lambda one: one.citing_hopes),
        apprentice_hopes=mean(lambda one: one.apprentice_hopes),
        wanted=mean(lambda one: one.wanted),
        too_much=mean(lambda one: one.citing_hopes - one.wanted),
        less=mean(lambda one: one.citing_hopes - one.apprentice_hopes),
        closer=mean(lambda one: abs(one.citing_hopes - one.wanted) - abs(one.apprentice_hopes - one.wanted)),
    )


def tell(found: Reevaluation) -> Found:
    """Put the numbers into words."""
    said = (
        f"By citing pages the frontier's pages are hoped to be relevant to {with_span(found.citing_hopes)} in the "
        "mean, by the apprentice to "
        f"{with_span(found.apprentice_hopes)}; {per_cent(found.wanted)} are truly wanted."
    )
    return Found(said=said, points=(_hopes(found), _abandons(found), _nearer(found)), sketches=(_sketch(found),))


def _hopes(found: Reevaluation) -> Point:
    return Point(
        paper="The baseline hopes for too much.",
        ours=f"It hopes for {with_span(found.citing_hopes)}, where {with_span(found.wanted)} are wanted.",
        agrees=grows(found.too_much),
        guess="Where a crawl has little that it takes for relevant, its hopes are low from the beginning.",
    )


def _abandons(found: Reevaluation) -> Point:
    before, after = found.citing[0], found.apprentice[0]
    return Point(
        paper="The apprentice abandons a large part of the frontier, and hopes for less of the rest.",
        ours=f"It puts {100 * after:.0f} % of the pages into the lowest tenth, where the baseline has "
        f"{100 * before:.0f} %; and hopes for "
        f"{with_span(found.apprentice_hopes)} in the mean.",
        agrees=after > before and grows(found.less),
        guess="Links of a crawl's first pages lead to relevant pages more often than those that wait, so that the "
        "apprentice has learnt from better links than it is asked about.",
    )


def _nearer(found: Reevaluation) -> Point:
    told = "nearer to" if found.closer.mean > 0 else "further from"
    return Point(
        paper="That appears to be more accurate.",
        ours=f"Its mean is {figure(abs(found.closer.mean), 2)} {told} what is truly wanted than the baseline's, in "
        "the mean over topics.",
        agrees=grows(found.closer),
        guess="An apprentice of few lessons is sure of what it does not know.",
    )


def _sketch(found: Reevaluation) -> Sketch:
    world = found.note.name
    panel = Panel(
        title=f"{world}: what is hoped of the frontier",
        across="estimate, by tenths",
        up="share of pages",
        bars=(
            Bars(name="by citing pages", heights=found.citing),
            Bars(name="by the apprentice", heights=found.apprentice),
        ),
        places=tuple(f"{place / 10:.1f}".removeprefix("0").replace(".0", "0") for place in range(TENTHS)),
    )
    return Sketch(
        name=f"apprentice-frontier-{world}",
        caption=f"{world}: the pages that wait after half of the run, by what is hoped of them, mean over topics.",
        alt=f"Bars of estimates on {world}; in the lowest tenth {100 * found.citing[0]:.0f} % by citing pages and "
        f"{100 * found.apprentice[0]:.0f} % by the apprentice.",
        panels=(panel,),
    )


STUDY = Study(about=ABOUT, measure=measure, tell=tell)
