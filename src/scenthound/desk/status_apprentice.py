"""How well an apprentice does, for `status`: what it expected of links and what came, of those it chose and of those drawn by chance.

Only links drawn by chance tell how well it judges all of the frontier: those that it chose are the ones of which it expected
most. The calibration error is the mean distance between expectation and outcome over tenths of the expectation, by their size.
"""

import sqlite3
from dataclasses import dataclass
from typing import Final

from scenthound.crawl.stats import count

# The reasons of a lesson begin with c where the apprentice chose the link, and with d where chance did. A scan of the lessons:
# their streams lie in another table.
_BY_TENTHS: Final = """
SELECT substr(reasons, 1, 1), count(*), total(score), total(relevance) FROM lessons
WHERE score IS NOT NULL AND relevance IS NOT NULL GROUP BY substr(reasons, 1, 1), CAST(score * 10 AS INTEGER)"""
_LESSONS: Final = "SELECT coalesce(max(n), 0) FROM lessons"
_CHOSEN, _DRAWN = b"c", b"d"
ENOUGH: Final = 30  # links from which on a calibration error says something


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Of so many links, what was expected and what came, on average."""

    links: int
    expected: float
    came: float
    calibration_error: float | None = None  # where there are enough


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprenticeStatus:
    lessons: int
    chosen: Record | None = None
    drawn: Record | None = None


def apprentice_status(con: sqlite3.Connection) -> ApprenticeStatus | None:
    """Ask the log of lessons; None where none was taken."""
    lessons = con.execute(_LESSONS).fetchone()[0]
    if not lessons:
        return None
    tenths = con.execute(_BY_TENTHS).fetchall()
    return ApprenticeStatus(lessons=lessons, chosen=_record(tenths, _CHOSEN), drawn=_record(tenths, _DRAWN))


def _record(tenths: list[tuple[bytes, int, float, float]], how: bytes) -> Record | None:
    """Add up the tenths of one kind.

    >>> _record([(b"c", 2, 0.4, 1.0), (b"c", 2, 1.8, 1.0), (b"d", 1, 0.1, 0.0)], b"c")
    Record(links=4, expected=0.55, came=0.5, calibration_error=None)
    """
    own = [(links, expected, came) for kind, links, expected, came in tenths if kind == how]
    links = sum(links for links, _, _ in own)
    if not links:
        return None
    return Record(
        links=links,
        expected=sum(expected for _, expected, _ in own) / links,
        came=sum(came for _, _, came in own) / links,
        calibration_error=sum(abs(expected - came) for _, expected, came in own) / links if links >= ENOUGH else None,
    )


def apprentice_line(status: ApprenticeStatus) -> str:
    """Say it in one line.

    >>> drawn = Record(links=40, expected=0.2, came=0.1, calibration_error=0.13)
    >>> apprentice_line(ApprenticeStatus(lessons=90, chosen=Record(links=2, expected=0.5, came=0.4), drawn=drawn))
    '90 lessons; 2 links chosen: 0.50 expected, 0.40 came; 40 drawn by chance: 0.20 expected, 0.10 came, calibration error 0.130'
    """
    parts = [count(status.lessons, "lesson")]
    if status.chosen is not None:
        parts.append(f"{count(status.chosen.links, 'link')} chosen: {_means(status.chosen)}")
    if status.drawn is not None:
        parts.append(f"{status.drawn.links:,} drawn by chance: {_means(status.drawn)}")
    return "; ".join(parts)


def _means(record: Record) -> str:
    error = record.calibration_error
    told = "" if error is None else f", calibration error {error:.3f}"
    return f"{record.expected:.2f} expected, {record.came:.2f} came{told}"
