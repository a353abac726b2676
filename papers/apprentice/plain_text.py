"""Words with their offsets against the same words without (APPRENTICE fig. 7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from papers.apprentice.findings import WINDOWS, Held, LinkFindings
from papers.apprentice.wording import HELD, LINKS, Topics, change, grows
from papers.crawls import WorldCrawls
from papers.sketch import Line, Panel, Sketch
from papers.study import About, Found, Point, Study
from papers.words import per_cent
from scenthound.apprentice.bayes.buckets import D_MAX
from scenthound.lab.experiment.values import Interval, WorldNote
from scenthound.lab.report.numbers import figure

OFFSETS: Final = "with offsets"
TEXT: Final = "text alone"

ABOUT = About(
    name="apprentice-offsets",
    title="Offsets against plain text",
    figures="APPRENTICE fig. 7",
    asks="Does it help to know at which offset from a link a word stands?",
    how=f"The same words from the same window, once as ⟨t, d⟩ and once as t. {LINKS} {HELD}",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainText:
    """Accuracy along d_max of both; within 5 leaves what offsets add.

    What plain text gains from the anchor alone to there.
    """

    note: WorldNote
    lines: Mapping[Held, tuple[Line, Line]]
    offsets: Mapping[Held, Interval]
    text: Mapping[Held, Interval]
    more: Mapping[Held, Interval]
    grown: Mapping[Held, Interval]
    auc_more: Mapping[Held, Interval]


def measure(crawls: WorldCrawls) -> PlainText | None:
    topics = Topics(crawls)
    if not topics.found:
        return None

    def more(one: LinkFindings, held: Held) -> float:
        return one.by_offset[held][D_MAX].balanced - one.by_text[held][D_MAX].balanced

    return PlainText(
        note=crawls.note,
        lines={held: (_line(topics, held, OFFSETS), _line(topics, held, TEXT)) for held in Held},
        offsets=topics.by_way(lambda one, held: one.by_offset[held][D_MAX].balanced),
        text=topics.by_way(lambda one, held: one.by_text[held][D_MAX].balanced),
        more=topics.by_way(more),
        grown=topics.by_way(lambda one, held: one.by_text[held][D_MAX].balanced - one.by_text[held][0].balanced),
        auc_more=topics.by_way(lambda one, held: one.by_offset[held][D_MAX].auc - one.by_text[held][D_MAX].auc),
    )


def tell(found: PlainText) -> Found:
    """Put the numbers into words."""
    said = (
        f"Within {D_MAX} leaves, {per_cent(found.offsets[Held.TO])} of {Held.TO} are foretold rightly with offsets and "
        f"{per_cent(found.text[Held.TO])} without; of {Held.ON}, {per_cent(found.offsets[Held.ON])} and "
        f"{per_cent(found.text[Held.ON])}. Offsets change AUC by {figure(found.auc_more[Held.TO].mean, 2)} and "
        f"{figure(found.auc_more[Held.ON].mean, 2)}."
    )
    return Found(said=said, points=(_better(found), _falls(found)), sketches=(_sketch(found),))


def _better(found: PlainText) -> Point:
    return Point(
        paper="With offsets accuracy is substantially better than with the plain text near the link.",
        ours=f"Within {D_MAX} leaves, offsets change it by {change(found.more[Held.TO])} on {Held.TO}, by "
        f"{change(found.more[Held.ON])} on "
        f"{Held.ON}.",
        agrees=grows(found.more[Held.TO]),
        guess="With its offset a word is up to eleven features, each of which must be learnt by itself. Our crawls "
        "are a hundredth "
        "of the paper's. Where anchors are known from other pages, offsets tell the anchor from the rest, and that is "
        "what counts there.",
    )


def _falls(found: PlainText) -> Point:
    return Point(
        paper="With plain text, accuracy falls as the window grows.",
        ours=f"From the anchor alone to {D_MAX} leaves, that of plain text changes by {change(found.grown[Held.TO])} "
        f"on {Held.TO}, by "
        f"{change(found.grown[Held.ON])} on {Held.ON}.",
        agrees=found.grown[Held.TO].high < 0,
        guess="An anchor never seen before tells nothing by itself; the words around it have been seen around others.",
    )


def _line(topics: Topics, held: Held, name: str) -> Line:
    def along(one: LinkFindings) -> list[float]:
        return [skill.balanced for skill in (one.by_offset if name == OFFSETS else one.by_text)[held]]

    return topics.means.line(name, ((one.topic, along(one)) for one in topics.found), at=WINDOWS)


def _sketch(found: PlainText) -> Sketch:
    world = found.note.name
    return Sketch(
        name=f"apprentice-offsets-{world}",
        caption=f"{world}: accuracy by the words up to d_max leaves away, with their offsets and without, mean over "
        "topics; shaded: "
        "95 % intervals.",
        alt=f"Accuracy with and without offsets on {world}; within {D_MAX} leaves "
        f"{100 * found.offsets[Held.TO].mean:.0f} % and "
        f"{100 * found.text[Held.TO].mean:.0f} % of {Held.TO}.",
        panels=tuple(
            Panel(title=f"{world}: {held}", across="d_max", up="accuracy", lines=found.lines[held], top=1.0)
            for held in (Held.TO, Held.ON)
        ),
    )


STUDY = Study(about=ABOUT, measure=measure, tell=tell)
