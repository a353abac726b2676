"""How well an apprentice does, for `status`: what it expected of links and what came, of those it chose and of those
drawn by chance.

Only links drawn by chance tell how well it judges all of the frontier: those that it chose are the ones of which it
expected most. What the calibration error is, `crawl.order.forecasts` says.
"""

import sqlite3
from dataclasses import dataclass

from scenthound.counted import count
from scenthound.crawl.order.forecasts import (
    CHOSEN,
    DRAWN,
    LATEST,
    MIXED,
    Forecast,
    Record,
    Tenth,
    in_tenths,
    kind_of,
    lead_in,
    leads,
    record_of,
)
from scenthound.store.sqlite.queries.crawl_progress import (
    ScoreTenth,
    forecasts_by_tenths,
    last_reasons,
    latest_forecasts,
    lesson_count,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprenticeStatus:
    """`latest` is the record of the links chosen last. `lead` is the apprentice's weight against best-first, where that
    is known.
    """

    lessons: int
    chosen: Record | None = None
    drawn: Record | None = None
    latest: Record | None = None
    lead: float | None = None


def apprentice_status(con: sqlite3.Connection, *, order: str | None = None) -> ApprenticeStatus | None:
    """Ask the log of lessons; None where none was taken. `order` is the one that the frontier has (`noted_order`)."""
    lessons = lesson_count(con)
    if not lessons:
        return None
    tenths = forecasts_by_tenths(con)
    return ApprenticeStatus(
        lessons=lessons,
        chosen=_record(tenths, CHOSEN),
        drawn=_record(tenths, DRAWN),
        latest=_latest(con),
        lead=_lead(con) if kind_of(order) == MIXED else None,
    )


def _record(tenths: list[ScoreTenth], how: bytes) -> Record | None:
    """Add up the tenths of one kind."""
    return record_of(Tenth(links=one.links, expected=one.expected, came=one.came) for one in tenths if one.kind == how)


def _latest(con: sqlite3.Connection) -> Record | None:
    found = latest_forecasts(con, CHOSEN, LATEST)
    return record_of(in_tenths(Forecast(expected=score, came=relevance) for score, relevance in found))


def _lead(con: sqlite3.Connection) -> float | None:
    reasons = last_reasons(con)
    return lead_in(reasons) if reasons is not None else None


def apprentice_line(status: ApprenticeStatus) -> str:
    """Say it in one line.

    >>> drawn = Record(links=40, expected=0.2, came=0.1, calibration_error=0.13)
    >>> apprentice_line(ApprenticeStatus(lessons=90, chosen=Record(links=2, expected=0.5, came=0.4), drawn=drawn))
    '90 lessons; 2 links chosen: 0.50 expected, 0.40 came; 40 drawn by chance: 0.20 expected, 0.10 came, calibration error 0.130'
    >>> chosen = Record(links=600, expected=0.5, came=0.4, calibration_error=0.1)
    >>> latest = Record(links=200, expected=0.9, came=0.2, calibration_error=0.7)
    >>> apprentice_line(ApprenticeStatus(lessons=900, chosen=chosen, latest=latest, lead=0.93)).partition(" came, ")[2]
    'calibration error 0.100 (of the last 200: 0.700); the apprentice leads (0.93 to 0.07)'
    """
    return "; ".join(apprentice_parts(status))


def apprentice_parts(status: ApprenticeStatus) -> list[str]:
    """Say it in pieces: the lessons, the chosen links, those drawn by chance, who leads."""
    parts = [count(status.lessons, "lesson")]
    if status.chosen is not None:
        parts.append(
            f"{count(status.chosen.links, 'link')} chosen: {_means(status.chosen)}"
            f"{_lately(status.chosen, status.latest)}"
        )
    if status.drawn is not None:
        parts.append(f"{status.drawn.links:,} drawn by chance: {_means(status.drawn)}")
    if status.lead is not None:
        parts.append(leads(status.lead))
    return parts


def _means(record: Record) -> str:
    error = record.calibration_error
    told = "" if error is None else f", calibration error {error:.3f}"
    return f"{record.expected:.2f} expected, {record.came:.2f} came{told}"


def _lately(everything: Record, latest: Record | None) -> str:
    if latest is None or latest.calibration_error is None or latest.links == everything.links:
        return ""
    return f" (of the last {latest.links}: {latest.calibration_error:.3f})"
