"""Made-up findings about links, in which everything is as a study wants it or not, for the tests of what it says of
them.
"""

from collections.abc import Sequence
from typing import TypeVar

from papers.apprentice.by_offset import OFFSETS
from papers.apprentice.findings import WINDOWS, Extra, Held, LinkFindings, Skill
from papers.apprentice.frontier import Frontier

T = TypeVar("T")

# By offset, as in the paper: less with the distance, and more at even offsets.
GAIN = [0.001 if offset % 2 else 0.002 if abs(offset) > 5 else 0.004 for offset in OFFSETS]
MASS = [(0.05 if offset % 2 else 0.06) - abs(offset) / 1000 for offset in OFFSETS]
FILLED = [0.2 if offset % 2 else 0.9 for offset in OFFSETS]


def skill(high: float, low: float, *, auc: float = 0.8) -> Skill:
    """Return how somebody did who met as many HIGH links as LOW ones."""
    mean = (high + low) / 2
    return Skill(high=high, low=low, balanced=mean, average=mean, auc=auc)


def rising(low_from: float, low_to: float, high_from: float, high_to: float) -> tuple[Skill, ...]:
    """Return skills that change evenly up to five leaves, and then no more."""
    steps = [min(window, 5) / 5 for window in WINDOWS]
    return tuple(
        skill(high_from + step * (high_to - high_from), low_from + step * (low_to - low_from)) for step in steps
    )


def both(value: T) -> dict[Held, T]:
    return dict.fromkeys(Held, value)


def links_of(
    topic: str,
    *,
    by_offset: Sequence[Skill] = rising(0.6, 0.8, 0.75, 0.7),
    by_text: Sequence[Skill] = rising(0.6, 0.5, 0.75, 0.7),
    d_max: int = 5,
    extras: Sequence[float] = (0.01, 0.02, 0.001),
    gain: Sequence[float] = GAIN,
    mass: Sequence[float] = MASS,
    filled: Sequence[float] = FILLED,
    frontier: Frontier | None = None,
) -> LinkFindings:
    """Return findings that are as in the paper, if nothing else is said; `extras` are what topics, prefixes,
    co-citation add.
    """
    words = skill(0.7, 0.8)
    added = [skill(0.7 + more, 0.8 + more) for more in extras]
    return LinkFindings(
        topic=topic,
        links=1000,
        high=0.5,
        by_offset=both(tuple(by_offset)),
        by_text=both(tuple(by_text)),
        d_max=both(d_max),
        extras=both(dict(zip(Extra, [words, *added], strict=True))),
        gain=tuple(gain),
        mass=tuple(mass),
        filled=tuple(filled),
        linked=tuple(0.0 if offset % 2 else 0.4 for offset in OFFSETS),
        frontier=frontier or frontier_of(hoped=0.6, expected=0.2, wanted=0.1),
    )


def frontier_of(*, hoped: float, expected: float, wanted: float) -> Frontier:
    """Return a frontier of which every page is either hopeless or certain."""
    return Frontier(
        size=100,
        by_citing=(1 - hoped, *[0.0] * 8, hoped),
        by_apprentice=(1 - expected, *[0.0] * 8, expected),
        citing_hopes=hoped,
        apprentice_hopes=expected,
        wanted=wanted,
    )
