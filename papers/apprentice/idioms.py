"""Where around links there are words, and which kinds of leaves (APPRENTICE fig. 9)."""

from collections.abc import Callable
from dataclasses import dataclass

from papers.apprentice.by_offset import OFFSETS, mean_at, sawtooth
from papers.apprentice.findings import LinkFindings
from papers.apprentice.wording import LINKS, Topics, change, grows, offset_places
from papers.crawls import WorldCrawls
from papers.sketch import Bars, Panel, Sketch
from papers.study import About, Found, Point, Study
from papers.words import per_cent
from scenthound.lab.experiment.values import Interval, WorldNote

ABOUT = About(
    name="apprentice-idioms",
    title="Words and leaves by offset",
    figures="APPRENTICE fig. 9",
    asks="Where around a link do words stand, and what explains it?",
    how="The sum of θ over the words at an offset is the share of all words near links that stand there. Readings do "
    "not keep the names of "
    "tags, so that fig. 9 (b) is left out; in its place, the share of leaves at each offset that have text, and of "
    "those that are "
    f"inside another link. {LINKS}",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Idioms:
    """By offset: the share of words, of leaves with text, of leaves in other links.

    Saws are even offsets less odd ones.
    """

    note: WorldNote
    mass: tuple[float, ...]
    filled: tuple[float, ...]
    linked: tuple[float, ...]
    fall: Interval  # words at one to three leaves less those at eight to ten
    mass_saw: Interval
    filled_saw: Interval
    linked_saw: Interval
    empty_odd: Interval  # share of the leaves at odd offsets without text


def measure(crawls: WorldCrawls) -> Idioms | None:
    topics = Topics(crawls)
    if not topics.found:
        return None

    def along(value: Callable[[LinkFindings], tuple[float, ...]]) -> tuple[float, ...]:
        return topics.means.line("", ((one.topic, value(one)) for one in topics.found), at=OFFSETS).mean

    return Idioms(
        note=crawls.note,
        mass=along(lambda one: one.mass),
        filled=along(lambda one: one.filled),
        linked=along(lambda one: one.linked),
        fall=topics.mean(lambda one: mean_at(one.mass, _is_close) - mean_at(one.mass, _is_distant)),
        mass_saw=topics.mean(lambda one: sawtooth(one.mass)),
        filled_saw=topics.mean(lambda one: sawtooth(one.filled)),
        linked_saw=topics.mean(lambda one: sawtooth(one.linked)),
        empty_odd=topics.mean(lambda one: 1 - mean_at(one.filled, lambda offset: offset % 2 == 1)),
    )


def tell(found: Idioms) -> Found:
    """Put the numbers into words."""
    zero = OFFSETS.index(0)
    said = (
        f"Of the words up to {OFFSETS[-1]} leaves away, {100 * found.mass[zero]:.1f} % stand in the anchor, "
        f"{100 * found.mass[zero - 1]:.1f} % in the leaf before "
        f"it and {100 * found.mass[zero + 1]:.1f} % in the leaf behind it. {100 * found.linked[zero - 2]:.0f} % of "
        "the leaves at −2 are inside another link, "
        f"and {100 * found.linked[zero - 1]:.0f} % of those at −1."
    )
    return Found(said=said, points=(_falls(found), _saw(found), _empty(found)), sketches=(_sketch(found),))


def _falls(found: Idioms) -> Point:
    return Point(
        paper="The further from the link, the fewer words there are on the whole.",
        ours=f"Offsets of one to three leaves against those of eight to ten: {change(found.fall)} of all words each.",
        agrees=grows(found.fall),
        guess="Links stand in running text here, and text goes on to both sides.",
    )


def _saw(found: Idioms) -> Point:
    return Point(
        paper="At even offsets there are more words than at odd ones.",
        ours=f"Even offsets against odd ones: {change(found.mass_saw)} of all words each.",
        agrees=grows(found.mass_saw),
        guess="In running text links alternate with the text between them, which is longer: odd offsets have more "
        "words, not fewer.",
    )


def _empty(found: Idioms) -> Point:
    return Point(
        paper="The reason is that leaves at odd offsets are mostly tags without text, as in lists of links.",
        ours=f"{per_cent(found.empty_odd)} of the leaves at odd offsets have no text: {change(found.filled_saw)} "
        "against those at even "
        f"ones. Of leaves inside other links it is the other way round: {change(found.linked_saw)} at even offsets "
        "against odd ones.",
        agrees=grows(found.filled_saw) and found.empty_odd.mean > 0.5,
        guess="The idiom is there, links at even distances from each other, but what stands between them is mostly "
        "text.",
    )


def _is_close(offset: int) -> bool:
    return 1 <= abs(offset) <= 3


def _is_distant(offset: int) -> bool:
    return abs(offset) >= 8


def _sketch(found: Idioms) -> Sketch:
    world, places, across = found.note.name, offset_places(), "offset from the link"
    return Sketch(
        name=f"apprentice-idioms-{world}",
        caption=f"{world}: at each offset from a link, the share of all words near links, of leaves with text, and of "
        "leaves inside "
        "other links; mean over topics.",
        alt=f"Bars of words and of kinds of leaves by offset on {world}.",
        panels=(
            Panel(
                title=f"{world}: words (sum of θ)",
                across=across,
                up="share of words",
                bars=(Bars(name="words", heights=found.mass),),
                places=places,
            ),
            Panel(
                title=f"{world}: leaves",
                across=across,
                up="share of leaves",
                bars=(Bars(name="with text", heights=found.filled), Bars(name="in other links", heights=found.linked)),
                places=places,
            ),
        ),
    )


STUDY = Study(about=ABOUT, measure=measure, tell=tell)
