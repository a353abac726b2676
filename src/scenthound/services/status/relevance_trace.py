"""The relevance of pages over time, as FOCUS §2.1 shows it while a crawl runs: dots, and a moving average over them.

Examples are no pages of the crawl and have no dot.

What is read does not grow with the crawl: from a long one, pieces of it are taken that lie evenly over it, and of each
the mean and some dots. A piece is a range of the primary key, so that nothing else is read.
"""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from scenthound.store.sqlite.queries.crawl_progress import relevances_between
from scenthound.store.sqlite.queries.linked_pages import last_page

PIECES: Final = 400
PIECE: Final = 60  # pages in a piece: a mean over them has a standard error of 0.06 at most
DOTS: Final = 4000  # all together; more cannot be told apart on a screen


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    n: int
    at: float
    relevance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Dots in fetch order, and the moving average at some moments; `whole` says that no page was left out."""

    last: int
    dots: tuple[Dot, ...]
    average: tuple[Dot, ...]
    whole: bool


def trace_of(con: sqlite3.Connection, *, latest: int = 0, span: tuple[int, int] | None = None) -> Trace:
    """Return the trace of the `latest` pages, of those from one number to another (`span`), or of all."""
    last = last_page(con)
    first = max(1, last - latest + 1) if latest else 1
    if span is not None:
        first, last = max(first, span[0]), min(last, span[1])
    pages = last - first + 1
    whole = pages <= PIECES * PIECE
    size = max(1, -(-pages // PIECES)) if whole else PIECE
    step = size if whole else pages / PIECES
    pieces = []
    for number in range(PIECES):
        begin = first + int(number * step)
        if begin > last:
            break
        pieces.append([Dot(n=n, at=at, relevance=r) for n, at, r in relevances_between(con, begin, begin + size - 1)])
    found = [dot for piece in pieces for dot in piece]
    every = max(1, -(-len(found) // DOTS))
    return Trace(
        last=last,
        dots=tuple(found[::every]),
        average=_moving(found) if whole else tuple(_mean(piece) for piece in pieces if piece),
        whole=whole and every == 1,
    )


def pages_between(
    trace: Trace, start: float, end: float, *, place: Callable[[Dot], float] = lambda dot: dot.n
) -> tuple[int, int]:
    """Return the numbers of the first and the last page in a part of a trace, from `start` to `end` per cent of its
    axis.

    `place` says where on the axis a dot lies. It reaches to the next dots outside, so that what lies between two dots
    is in it too.

    >>> dots = tuple(Dot(n=n, at=0.0, relevance=0.0) for n in (1, 11, 21, 31, 41))
    >>> pages_between(Trace(last=45, dots=dots, average=(), whole=False), 50, 60)
    (11, 31)
    """
    places = [float(place(dot)) for dot in trace.dots]
    begin, length = min(places), max(places) - min(places)
    low, high = begin + length * start / 100, begin + length * end / 100
    before = [dot.n for dot, place in zip(trace.dots, places, strict=True) if place < low]
    behind = [dot.n for dot, place in zip(trace.dots, places, strict=True) if place > high]
    return max(before, default=trace.dots[0].n), min(behind, default=trace.last)


def finer(coarse: Trace, fine: Trace, span: tuple[int, int]) -> Trace:
    """Put what is known of a span in place of the dots that stood for it."""

    def mended(old: tuple[Dot, ...], new: tuple[Dot, ...]) -> tuple[Dot, ...]:
        before, behind = (dot for dot in old if dot.n < span[0]), (dot for dot in old if dot.n > span[1])
        return (*before, *new, *behind)

    return Trace(
        last=coarse.last, dots=mended(coarse.dots, fine.dots), average=mended(coarse.average, fine.average), whole=False
    )


def _moving(dots: list[Dot]) -> tuple[Dot, ...]:
    """Return the mean of the last PIECE dots at up to PIECES moments.

    >>> [round(dot.relevance, 2) for dot in _moving([Dot(n=n, at=0.0, relevance=n % 2) for n in range(4)])]
    [0.0, 0.5, 0.33, 0.5]
    """
    sums = [0.0]
    for dot in dots:
        sums.append(sums[-1] + dot.relevance)
    every = max(1, len(dots) // PIECES)
    places = [*range(every - 1, len(dots), every)]
    means = []
    for place in places:
        begin = max(0, place + 1 - PIECE)
        mean = (sums[place + 1] - sums[begin]) / (place + 1 - begin)
        means.append(Dot(n=dots[place].n, at=dots[place].at, relevance=mean))
    return tuple(means)


def _mean(piece: list[Dot]) -> Dot:
    middle = piece[len(piece) // 2]
    return Dot(n=middle.n, at=middle.at, relevance=sum(dot.relevance for dot in piece) / len(piece))
