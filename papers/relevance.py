"""How relevance is distributed over the pages of unfocused, hard and soft crawls (FOCUS fig. 5, APPRENTICE fig. 5)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from papers.crawls import Way, WorldCrawls
from papers.means import Means
from papers.sketch import Bars, Panel, Sketch
from papers.study import About, Found, Point, Study
from papers.words import per_cent
from scenthound.lab.experiment.values import Interval, Trace, WorldNote
from scenthound.lab.metrics.digits import tidy
from scenthound.lab.report.numbers import signed

TENTHS: Final = 10
FLAT: Final = 0.2  # "essentially a flat distribution": no tenth of the scale holds more than twice its even share
EXTREME: Final = 0.5  # "most of the pages": more than half are in the two tenths at either end

ABOUT = About(
    name="focus-relevance",
    title="Distribution of relevance",
    figures="FOCUS fig. 5, APPRENTICE fig. 5",
    asks="Are the pages of a crawl relevant or not, or is there much between?",
    how="The crawls of focus-harvest. For each, the share of its judged pages in every tenth of the scale of R; then "
    "the mean over "
    "topics.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """The share of pages in each tenth of R, from the lowest, and soft minus hard in the highest."""

    note: WorldNote
    shares: Mapping[Way, tuple[Interval, ...]]
    softer: Interval


def measure(crawls: WorldCrawls) -> Relevance:
    means = Means(seed=crawls.seed)
    tasks = [(one.task.topic, {way: shares_of(one.whole[way]) for way in Way}) for one in crawls.tasks]
    return Relevance(
        note=crawls.note,
        shares={
            way: tuple(means.interval((topic, own[way][tenth]) for topic, own in tasks) for tenth in range(TENTHS))
            for way in Way
        },
        softer=means.interval((topic, own[Way.SOFT][-1] - own[Way.HARD][-1]) for topic, own in tasks),
    )


def shares_of(trace: Trace) -> tuple[float, ...]:
    """Return the share of a crawl's judged pages in each tenth of R; a page of R = 1 is in the last."""
    judged = trace.relevance[~np.isnan(trace.relevance)]
    tenths = np.minimum((judged * TENTHS).astype(np.int64), TENTHS - 1)
    return tuple(tidy(number / max(1, len(judged))) for number in np.bincount(tenths, minlength=TENTHS).tolist())


def tell(found: Relevance) -> Found:
    """Put the numbers into words."""
    top = {way: found.shares[way][-1] for way in Way}
    said = (
        f"Of the pages of a soft crawl {per_cent(top[Way.SOFT])} have R of .9 or more, of a hard one "
        f"{per_cent(top[Way.HARD])}, of an "
        f"unfocused one {per_cent(top[Way.UNFOCUSED])}."
    )
    points = (_peak(found), _bimodal(found), _flat(found), _softer(found))
    return Found(said=said, points=points, sketches=(_sketch(found),))


def _peak(found: Relevance) -> Point:
    places = {way: _fullest(found.shares[way]) for way in (Way.SOFT, Way.HARD)}
    highest = all(place == TENTHS - 1 for place in places.values())
    told = "; ".join(
        f"with {way} {_tenth(place)} ({per_cent(found.shares[way][place])})" for way, place in places.items()
    )
    return Point(
        paper="Focused crawls have a very sharp peak at the highest relevance there is.",
        ours=f"The tenth of the scale with the most pages is {told}.",
        agrees=highest,
        guess="A run goes on after most of a topic is found, and its last pages are off the topic. The critic, which "
        "learns from "
        "few examples, is seldom quite sure.",
    )


def _bimodal(found: Relevance) -> Point:
    shares = found.shares[Way.SOFT]
    ends = sum(shares[place].mean for place in (0, 1, TENTHS - 2, TENTHS - 1))
    return Point(
        paper="Best-first crawls bring pages that are very relevant or not at all, and few between (APPRENTICE).",
        ours=f"Of the pages of a soft crawl {100 * ends:.0f} % have R below .2 or of .8 and more.",
        agrees=ends > EXTREME,
        guess="The papers' naive Bayes is nearly always sure, as APPRENTICE itself remarks; ours says what it does "
        "not know.",
    )


def _flat(found: Relevance) -> Point:
    shares = found.shares[Way.UNFOCUSED]
    place = _fullest(shares)
    flat = shares[place].mean <= FLAT
    return Point(
        paper="Unfocused, the distribution is essentially flat.",
        ours=f"Unfocused, {_tenth(place)} holds {per_cent(shares[place])} of the pages: "
        f"{'nearly flat' if flat else 'far from flat'}.",
        agrees=flat,
        guess="Most pages of a world are about something else, and a critic that is any good says so. A flat "
        "distribution would "
        "need a critic that is in doubt about them all, or an axis that makes large shares look small.",
    )


def _softer(found: Relevance) -> Point:
    more = found.softer
    sure = more.low > 0 or more.high < 0
    told = f"{signed(100 * more.mean, 0)} % of the pages ({signed(100 * more.low, 0)} to {signed(100 * more.high, 0)})"
    verdict = ("more" if more.mean > 0 else "fewer") if sure else "no clear difference"
    return Point(
        paper="Soft focus gets slightly better pages than hard focus, as it gets through mediocre ones (on cycling).",
        ours=f"Soft against hard focus, in the highest tenth: {told}; {verdict}.",
        agrees=sure and more.mean > 0,
        guess="Shares are of what was fetched. A hard crawl that runs out of links stops while its pages are good."
        if sure
        else "The difference is small, and differs from topic to topic.",
    )


def _fullest(shares: tuple[Interval, ...]) -> int:
    return max(range(len(shares)), key=lambda place: (shares[place].mean, -place))


def _tenth(place: int) -> str:
    return f"R from {place / 10:.1f} to {(place + 1) / 10:.1f}".replace("0.", ".").replace(".0 to", "0 to")


def _sketch(found: Relevance) -> Sketch:
    world = found.note.name
    bars = tuple(Bars(name=way, heights=tuple(one.mean for one in found.shares[way])) for way in Way)
    panel = Panel(
        title=f"{world}: pages by relevance",
        across="R, by tenths",
        up="share of pages",
        bars=bars,
        places=tuple(f"{place / 10:.1f}".removeprefix("0").replace(".0", "0") for place in range(TENTHS)),
    )
    top = ", ".join(f"{way} {100 * found.shares[way][-1].mean:.0f} %" for way in Way)
    return Sketch(
        name=f"focus-relevance-{world}",
        caption=f"{world}: share of the pages in each tenth of the scale of R, mean over topics.",
        alt=f"Bars of the share of pages by relevance on {world}; in the highest tenth: {top}.",
        panels=(panel,),
    )


STUDY = Study(about=ABOUT, measure=measure, tell=tell)
