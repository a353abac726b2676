"""How well links are foretold as the apprentice looks further around them (APPRENTICE fig. 6)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Final

from papers.apprentice.findings import WINDOWS, Held, LinkFindings, Skill
from papers.apprentice.wording import HELD, LINKS, Topics, change, grows
from papers.crawls import WorldCrawls
from papers.sketch import Line, Panel, Sketch
from papers.study import About, Found, Point, Study
from papers.words import per_cent
from scenthound.apprentice.bayes.buckets import D_MAX
from scenthound.counted import count
from scenthound.lab.experiment.values import Interval, WorldNote
from scenthound.lab.report.numbers import figure

LEVEL: Final = 0.01  # "levelled off": what is gained from 5 leaves on is less than this
USUAL: Final = (4, 6)  # "typically, 4–6"
SIDES: Final[Mapping[str, Callable[[Skill], float]]] = {
    "HIGH": lambda skill: skill.high,
    "LOW": lambda skill: skill.low,
    "mean of both": lambda skill: skill.balanced,
}

ABOUT = About(
    name="apprentice-window",
    title="How far around a link to look",
    figures="APPRENTICE fig. 6",
    asks="How well are links foretold by the words up to d_max leaves away, each with its offset?",
    how=f"Naive Bayes of two buckets on ⟨t, d⟩ features, as in the paper. {LINKS} {HELD}",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Accuracy along d_max; at the anchor alone, at 5 and at the widest window, and the changes between.

    What would be chosen.
    """

    note: WorldNote
    links: int
    high: Interval  # share of the links
    lines: Mapping[Held, tuple[Line, ...]]
    anchor: Mapping[Held, Interval]
    near: Mapping[Held, Interval]
    gained: Mapping[Held, Interval]  # from the anchor alone to 5 leaves
    beyond: Mapping[Held, Interval]  # from there on
    of_high: Interval  # what is gained of HIGH links to unknown pages
    of_low: Interval
    auc: Mapping[Held, Interval]  # at 5 leaves
    chosen: tuple[int, ...]  # d_max of each topic


def measure(crawls: WorldCrawls) -> Window | None:
    topics = Topics(crawls)
    if not topics.found:
        return None

    def gain(side: Callable[[Skill], float], begin: int, end: int) -> Mapping[Held, Interval]:
        return topics.by_way(lambda one, held: side(one.by_offset[held][end]) - side(one.by_offset[held][begin]))

    return Window(
        note=crawls.note,
        links=sum(one.links for one in topics.found),
        high=topics.mean(lambda one: one.high),
        lines={held: tuple(_line(topics, held, name) for name in SIDES) for held in Held},
        anchor=topics.by_way(lambda one, held: one.by_offset[held][0].balanced),
        near=topics.by_way(lambda one, held: one.by_offset[held][D_MAX].balanced),
        gained=gain(lambda skill: skill.balanced, 0, D_MAX),
        beyond=gain(lambda skill: skill.balanced, D_MAX, -1),
        of_high=gain(lambda skill: skill.high, 0, D_MAX)[Held.TO],
        of_low=gain(lambda skill: skill.low, 0, D_MAX)[Held.TO],
        auc=topics.by_way(lambda one, held: one.by_offset[held][D_MAX].auc),
        chosen=tuple(sorted(one.d_max[Held.TO] for one in topics.found)),
    )


def tell(found: Window) -> Found:
    """Put the numbers into words."""
    said = (
        f"{count(found.links, 'link')} of {count(found.high.topics, 'topic')}, {per_cent(found.high)} of them HIGH. "
        f"Of {Held.TO}, "
        f"{per_cent(found.near[Held.TO])} are foretold rightly within {D_MAX} leaves, of {Held.ON} "
        f"{per_cent(found.near[Held.ON])}; AUC is "
        f"{figure(found.auc[Held.TO].mean, 2)} and {figure(found.auc[Held.ON].mean, 2)}."
    )
    return Found(
        said=said, points=(_gains(found), _levels(found), _rejects(found), _chosen(found)), sketches=(_sketch(found),)
    )


def _gains(found: Window) -> Point:
    unknown, known = (found.gained[held] for held in (Held.TO, Held.ON))
    return Point(
        paper="Accuracy rises as the window grows from the anchor alone to about five leaves.",
        ours=f"From the anchor alone to {D_MAX} leaves it changes by {change(unknown)} on {Held.TO}, from "
        f"{per_cent(found.anchor[Held.TO])}; by {change(known)} on {Held.ON}, from {per_cent(found.anchor[Held.ON])}.",
        agrees=grows(unknown),
        guess="Where many pages link to the same page with the same anchor, the anchor alone tells which one it is, "
        "and all other "
        "words are noise. Crawls as short as ours teach few words at any offset.",
    )


def _levels(found: Window) -> Point:
    return Point(
        paper="Beyond five leaves it levels off, or falls.",
        ours=f"From {D_MAX} to {WINDOWS[-1]} leaves it changes by {change(found.beyond[Held.TO])} on {Held.TO}, by "
        f"{change(found.beyond[Held.ON])} on {Held.ON}.",
        agrees=found.beyond[Held.TO].mean < LEVEL,
        guess="What is far from a link says what the page is about, and that is worth knowing.",
    )


def _rejects(found: Window) -> Point:
    return Point(
        paper="What is gained is gained on LOW links; accuracy on HIGH ones falls slightly.",
        ours=f"From the anchor alone to {D_MAX} leaves, accuracy on LOW {Held.TO} changes by {change(found.of_low)}, "
        "on HIGH ones by "
        f"{change(found.of_high)}.",
        agrees=found.of_low.mean > 0 >= found.of_high.mean,
        guess="HIGH links are rare here. Who knows little takes all for LOW and is right with those; with more words "
        "some are "
        "found to be HIGH. In the paper both were about equally many.",
    )


def _chosen(found: Window) -> Point:
    middle = median(found.chosen)
    return Point(
        paper="The best d_max is between 4 and 6 as a rule.",
        ours=f"Validation would choose {figure(middle, 0)} in the median, from {found.chosen[0]} to "
        f"{found.chosen[-1]}: the least window that is as "
        "good as the best, up to its standard error.",
        agrees=USUAL[0] <= middle <= USUAL[1],
        guess="The paper's crawls gave some twenty thousand pages to learn from. With few lessons, a small window is "
        "learnt sooner.",
    )


def _line(topics: Topics, held: Held, name: str) -> Line:
    def along(one: LinkFindings) -> list[float]:
        return [SIDES[name](skill) for skill in one.by_offset[held]]

    return topics.means.line(name, ((one.topic, along(one)) for one in topics.found), at=WINDOWS)


def _sketch(found: Window) -> Sketch:
    world = found.note.name
    panels = tuple(
        Panel(title=f"{world}: {held}", across="d_max", up="accuracy", lines=found.lines[held], top=1.0)
        for held in (Held.TO, Held.ON)
    )
    return Sketch(
        name=f"apprentice-window-{world}",
        caption=f"{world}: share of links foretold rightly by the words up to d_max leaves away, mean over topics; "
        "shaded: 95 % intervals.",
        alt=f"Accuracy by window on {world}; of {Held.TO} {100 * found.anchor[Held.TO].mean:.0f} % by the anchor "
        "alone and "
        f"{100 * found.near[Held.TO].mean:.0f} % within {D_MAX} leaves.",
        panels=panels,
    )


STUDY = Study(about=ABOUT, measure=measure, tell=tell)
