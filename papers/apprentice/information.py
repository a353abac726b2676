"""How much the words at each offset tell (APPRENTICE fig. 8)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from papers.apprentice.by_offset import OFFSETS, mean_at, sawtooth
from papers.apprentice.wording import LINKS, Topics, offset_places
from papers.crawls import WorldCrawls
from papers.sketch import Bars, Panel, Sketch
from papers.study import About, Found, Point, Study
from scenthound.lab.experiment.values import Interval, WorldNote
from scenthound.lab.report.numbers import figure, signed

MILLI: Final = 1000  # gains are told in thousandths of a bit
FLAT: Final = 0.25  # "almost constant": beyond five leaves no offset is further from their mean than this part of it

ABOUT = About(
    name="apprentice-information",
    title="Information gain by offset",
    figures="APPRENTICE fig. 8",
    asks="How much do the words at each offset tell about where a link leads?",
    how="The gain of a word at an offset is how many bits of a link's bucket are known by knowing whether it stands "
    "there; the mean "
    "is over all words seen at the offset, those seen once among them. It cannot depend on d_max, which the paper "
    "found by trying. " + LINKS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Information:
    """The mean gain at each offset, and over some of them, in bits."""

    note: WorldNote
    gain: tuple[float, ...]
    anchor: Interval
    near: Interval  # up to five leaves away
    far: Interval  # beyond
    above: Interval  # in the anchor less near
    nearer: Interval  # near less far
    sawtooth: Interval  # at even offsets less at odd ones


def measure(crawls: WorldCrawls) -> Information | None:
    topics = Topics(crawls)
    if not topics.found:
        return None

    def mean(inside: Callable[[int], bool]) -> Interval:
        return topics.mean(lambda one: mean_at(one.gain, inside))

    return Information(
        note=crawls.note,
        gain=topics.means.line("gain", ((one.topic, one.gain) for one in topics.found), at=OFFSETS).mean,
        anchor=mean(_is_anchor),
        near=mean(_is_near),
        far=mean(_is_far),
        above=topics.mean(lambda one: mean_at(one.gain, _is_anchor) - mean_at(one.gain, _is_near)),
        nearer=topics.mean(lambda one: mean_at(one.gain, _is_near) - mean_at(one.gain, _is_far)),
        sawtooth=topics.mean(lambda one: sawtooth(one.gain)),
    )


def tell(found: Information) -> Found:
    """Put the numbers into words."""
    said = (
        f"In thousandths of a bit, a word in the anchor gains {_milli(found.anchor)}, one up to five leaves away "
        f"{_milli(found.near)} and one "
        f"further away {_milli(found.far)}."
    )
    return Found(said=said, points=(_lower(found), _uneven(found), _constant(found)), sketches=(_sketch(found),))


def _lower(found: Information) -> Point:
    lower = found.above.low > 0 and found.nearer.low > 0
    return Point(
        paper="The further from the link, the less words tell on the whole.",
        ours=f"The anchor gains {_milli(found.anchor)}, one to five leaves away {_milli(found.near)}, further away "
        f"{_milli(found.far)}.",
        agrees=lower,
        guess="Beside the anchor, most words are seen at an offset once or twice in crawls as short as ours; what "
        "these gain "
        "is the same everywhere.",
    )


def _uneven(found: Information) -> Point:
    even, odd = (_at(found, place) for place in (-2, -1))
    return Point(
        paper="The fall is not even but a sawtooth: more at −2 than at −1, and so on.",
        ours=f"It is {figure(even, 2)} at −2 and {figure(odd, 2)} at −1; at even offsets against odd ones, "
        f"{signed(MILLI * found.sawtooth.mean, 2)} ({signed(MILLI * found.sawtooth.low, 2)} to "
        f"{signed(MILLI * found.sawtooth.high, 2)}).",
        agrees=found.sawtooth.low > 0 and even > odd,
        guess="The saw comes from lists in which a leaf without text follows each link. These pages have other "
        "idioms: see "
        "apprentice-idioms.",
    )


def _constant(found: Information) -> Point:
    far = [value for value, offset in zip(found.gain, OFFSETS, strict=True) if _is_far(offset)]
    widest = max(abs(value - found.far.mean) for value in far)
    return Point(
        paper="Beyond five leaves it is almost constant.",
        ours=f"Beyond five leaves it lies between {figure(MILLI * min(far), 2)} and {figure(MILLI * max(far), 2)}.",
        agrees=widest <= FLAT * found.far.mean,
        guess="Few topics make uneven means.",
    )


def _is_anchor(offset: int) -> bool:
    return offset == 0


def _is_near(offset: int) -> bool:
    return 1 <= abs(offset) <= 5


def _is_far(offset: int) -> bool:
    return abs(offset) > 5


def _at(found: Information, offset: int) -> float:
    return MILLI * found.gain[OFFSETS.index(offset)]


def _milli(interval: Interval) -> str:
    mean, low, high = (figure(MILLI * value, 2) for value in (interval.mean, interval.low, interval.high))
    return mean if interval.topics < 2 else f"{mean} ({low} to {high})"


def _sketch(found: Information) -> Sketch:
    world = found.note.name
    panel = Panel(
        title=f"{world}: information gain",
        across="offset from the link",
        up="thousandths of a bit",
        bars=(Bars(name="mean over words", heights=tuple(MILLI * value for value in found.gain)),),
        places=offset_places(),
    )
    return Sketch(
        name=f"apprentice-information-{world}",
        caption=f"{world}: information gain of the words at each offset from a link, mean over words and then over "
        "topics.",
        alt=f"Bars of information gain by offset on {world}; greatest at the anchor, with "
        f"{figure(MILLI * found.anchor.mean, 2)} "
        "thousandths of a bit."
        if max(found.gain) == found.gain[OFFSETS.index(0)]
        else f"Bars of information gain by offset on {world}.",
        panels=(panel,),
    )


STUDY = Study(about=ABOUT, measure=measure, tell=tell)
