"""Turns of phrase that several studies share; numbers are written as in the report."""

from scenthound.counted import count
from scenthound.lab.experiment.values import Interval, WorldNote
from scenthound.lab.report.numbers import MINUS, figure


def with_span(interval: Interval) -> str:
    """Write a mean with its interval.

    >>> many, one = (0.312, 0.25, 0.375, 12), (0.5, 0.5, 0.5, 1)
    >>> tuple(with_span(Interval(mean=m, low=a, high=b, topics=n)) for m, a, b, n in (many, one))
    ('.31 (.25 to .38)', '.50')
    """
    if interval.topics < 2:
        return figure(interval.mean, 2)
    return f"{figure(interval.mean, 2)} ({figure(interval.low, 2)} to {figure(interval.high, 2)})"


def per_cent(interval: Interval) -> str:
    """Write a mean share with its interval, in per cent.

    >>> per_cent(Interval(mean=0.63, low=0.584, high=0.69, topics=12))
    '63 % (58 to 69)'
    """
    mean, low, high = map(whole_per_cent, (interval.mean, interval.low, interval.high))
    return f"{mean} %" if interval.topics < 2 else f"{mean} % ({low} to {high})"


def whole_per_cent(share: float) -> str:
    """Write a share in per cent, without the sign.

    >>> whole_per_cent(0.634), whole_per_cent(-0.02), whole_per_cent(-0.001)
    ('63', '−2', '0')
    """
    return f"{round(100 * share)}".replace("-", MINUS)


def times(one: float, other: float) -> float:
    """Return how many times another a value is; where there is no other, that is endless, or 1 of nothing.

    >>> times(0.5, 0.25), times(0.0, 0.0), times(0.5, 0.0)
    (2.0, 1.0, inf)
    """
    if other:
        return one / other
    return float("inf") if one else 1.0


def small_web(note: WorldNote) -> str:
    """Say how small a world is, beside the web that the papers crawled."""
    return f"{count(note.pages, 'page')} on {count(note.hosts, 'host')} are not the web: the pages of a topic lie close to all others."
