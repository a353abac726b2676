"""Forecasts of an apprentice against outcomes, and who leads: the apprentice, or the best-first mixed in with it.

The calibration error is the mean distance between forecast and outcome, over tenths of the forecast weighted by their
size. `status` and `diagnosis` both show it, and both take it from here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import pi, sqrt
from typing import Final

from scenthound.apprentice.reason_numbers import lead_of
from scenthound.types import Lesson

LATEST: Final = 200  # chosen links that show how the apprentice does lately
ENOUGH: Final = 30  # links that a calibration error needs to mean something
CHOSEN, DRAWN = b"c", b"d"  # how the reasons of a lesson begin (`apprentice.crawl_guide`, which takes long to import)
MIXED: Final = "scent"  # the kind of apprentice that best-first is mixed with
KINDS: Final = (MIXED, "bayes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The relevance expected of a link, and the relevance that came."""

    expected: float
    came: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenth:
    """Links with about the same forecast: their number, and the sums of forecasts and outcomes."""

    links: int
    expected: float
    came: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Of so many links, what was expected and what came, on average."""

    links: int
    expected: float
    came: float
    calibration_error: float | None = None  # where there are enough


def record_of(tenths: Iterable[Tenth]) -> Record | None:
    """Add up tenths.

    >>> record_of([Tenth(links=2, expected=0.4, came=1.0), Tenth(links=2, expected=1.8, came=1.0)])
    Record(links=4, expected=0.55, came=0.5, calibration_error=None)
    """
    tenths = list(tenths)
    links = sum(tenth.links for tenth in tenths)
    if not links:
        return None
    return Record(
        links=links,
        expected=sum(tenth.expected for tenth in tenths) / links,
        came=sum(tenth.came for tenth in tenths) / links,
        calibration_error=sum(abs(tenth.expected - tenth.came) for tenth in tenths) / links
        if links >= ENOUGH
        else None,
    )


def in_tenths(forecasts: Iterable[Forecast]) -> list[Tenth]:
    """Group links with about the same forecast.

    >>> [tenth.links for tenth in in_tenths([Forecast(expected=x, came=0.0) for x in (0.11, 0.19, 0.21)])]
    [2, 1]
    """
    found: dict[int, list[Forecast]] = {}
    for one in forecasts:
        found.setdefault(int(10 * one.expected), []).append(one)
    return [
        Tenth(links=len(some), expected=sum(one.expected for one in some), came=sum(one.came for one in some))
        for _, some in sorted(found.items())
    ]


def error_by_chance(tenths: Sequence[Tenth]) -> float:
    """Return the calibration error that even right forecasts hardly ever exceed: its mean by chance, and four
    deviations.

    Each page counts as on topic or not, which varies most; the distance of a sum is half-normal. With three deviations,
    4 of 1,000 looks at a hundred right forecasts were above it.

    >>> all_over = [Tenth(links=20, expected=2.0 * tenth + 1.0, came=0.0) for tenth in range(10)]
    >>> round(error_by_chance(all_over), 3), round(error_by_chance(all_over[:5]), 3)
    (0.141, 0.169)
    """
    links = sum(tenth.links for tenth in tenths)
    spreads = [sqrt(max(0.0, tenth.expected * (1.0 - tenth.expected / tenth.links))) for tenth in tenths]
    mean = sqrt(2 / pi) * sum(spreads)
    return (mean + 4.0 * sqrt((1.0 - 2 / pi) * sum(spread**2 for spread in spreads))) / max(1, links)


def chosen(lessons: Iterable[Lesson]) -> list[Forecast]:
    """Return what was expected of the links that the apprentice chose, the latest last."""
    return [
        Forecast(expected=lesson.score, came=lesson.relevance)
        for lesson in lessons
        if lesson.score is not None and lesson.relevance is not None and lesson.reasons[:1] == CHOSEN
    ][-LATEST:]


def kind_of(order: str | None) -> str:
    """Return the kind of apprentice that a frontier has, by the note of its order; an empty text for none.

    >>> notes = ("apprentice scent links=9", "-expected bayes start=9", "random 7", "best-first", None)
    >>> [kind_of(order) for order in notes]
    ['scent', 'bayes', '', '', '']
    """
    return next((word for word in (order or "").split()[1:2] if word in KINDS), "")


def lead_in(reasons: bytes) -> float | None:
    """Return the weight of the apprentice against best-first, from a lesson's reasons; None if they do not have it."""
    return lead_of(reasons[1:])


def leads(lead: float) -> str:
    """Say who leads.

    >>> leads(0.93), leads(0.19)
    ('the apprentice leads (0.93 to 0.07)', 'best-first leads (0.81 to 0.19): it has foretold better lately')
    """
    if lead >= 0.5:
        return f"the apprentice leads ({lead:.2f} to {1 - lead:.2f})"
    return f"best-first leads ({1 - lead:.2f} to {lead:.2f}): it has foretold better lately"
