"""The trace of a crawl: all dots of a short one, dots that lie evenly over a long one, and an average that is one."""

import sqlite3
from contextlib import closing
from itertools import pairwise

import pytest

from scenthound.services.status.relevance_trace import DOTS, PIECE, PIECES, Dot, Trace, finer, pages_between, trace_of
from scenthound.services.status.trace_axis import axis_of


def trace(pages: int, *, latest: int = 0, span: tuple[int, int] | None = None) -> Trace:
    """Trace a crawl whose relevance is 0 in its first half and 1 in its second."""
    with closing(sqlite3.connect(":memory:")) as con:
        con.execute(
            "CREATE TABLE pages (n INTEGER PRIMARY KEY, ending TEXT, fetched_at REAL, relevance REAL, counts INTEGER)"
        )
        rows = ((n, float(n), float(2 * n > pages)) for n in range(1, pages + 1))
        con.executemany("INSERT INTO pages VALUES (?, 'page', ?, ?, 1)", rows)
        return trace_of(con, latest=latest, span=span)


def test_a_short_crawl_is_shown_whole() -> None:
    found = trace(100)
    assert found.whole
    assert [dot.n for dot in found.dots] == list(range(1, 101))
    assert found.average[-1].relevance == pytest.approx(50 / PIECE)


def test_nothing_is_nothing() -> None:
    assert trace(0) == Trace(last=0, dots=(), average=(), whole=True)


@pytest.mark.slow
@pytest.mark.parametrize("pages", [DOTS + 1, PIECES * PIECE, PIECES * PIECE + 1, 100_000])
def test_a_long_crawl_is_thinned_out_evenly(pages: int) -> None:
    found = trace(pages)
    assert not found.whole
    assert DOTS // 2 <= len(found.dots) <= DOTS
    gaps = [after.n - before.n for before, after in pairwise(found.dots)]
    assert min(gaps) > 0
    assert max(gaps) <= max(pages // PIECES, 2 * pages // DOTS + 1)
    assert found.dots[0].n == 1
    assert found.average[0].relevance == 0.0
    assert found.average[-1].relevance == 1.0


@pytest.mark.slow
def test_the_latest_pages_alone() -> None:
    found = trace(100_000, latest=1000)
    assert found.whole
    assert [found.dots[0].n, found.dots[-1].n] == [99_001, 100_000]


@pytest.mark.slow
@pytest.mark.parametrize("by_time", [True, False])
def test_zooming_in_shows_every_page_of_a_span_and_as_many_dots_around_it(by_time: bool) -> None:
    coarse = trace(100_000)
    span = pages_between(coarse, 50.0, 51.0, place=lambda dot: dot.at if by_time else dot.n)
    assert 900 < span[1] - span[0] < 2200
    fine = trace(100_000, span=span)
    assert fine.whole
    shown = finer(coarse, fine, span)
    assert [dot.n for dot in shown.dots if span[0] <= dot.n <= span[1]] == list(range(span[0], span[1] + 1))
    assert [dot for dot in shown.dots if dot.n < span[0]] == [dot for dot in coarse.dots if dot.n < span[0]]
    assert all(one.n < two.n for one, two in pairwise(shown.dots))
    assert all(one.n < two.n for one, two in pairwise(shown.average))


@pytest.mark.slow
def test_zooming_in_between_two_dots_finds_what_lies_there() -> None:
    coarse = trace(100_000)
    before, behind = max(pairwise(dot.n for dot in coarse.dots), key=lambda pair: pair[1] - pair[0])
    middle = 100 * ((before + behind) / 2 - coarse.dots[0].n) / (coarse.dots[-1].n - coarse.dots[0].n)
    assert pages_between(coarse, middle, middle) == (before, behind)


def dots(*moments: float) -> list[Dot]:
    return [Dot(n=n, at=at, relevance=0.5) for n, at in enumerate(moments, 1)]


def test_idle_gaps_take_no_room_on_the_axis() -> None:
    """Ten pages in ten seconds, a night, ten more, a lunch, ten more: half a minute in all."""
    night, lunch = 8 * 3600.0, 3600.0
    moments = [n + (n >= 10) * night + (n >= 20) * lunch for n in range(30)]
    axis = axis_of(dots(*moments))
    assert [(gap.begin, gap.end) for gap in axis.gaps] == [(9.0, 10 + night), (19 + night, 20 + night + lunch)]
    assert [axis.place(moment) for moment in moments] == pytest.approx(list(range(30)))
    assert axis.place(night / 2) == pytest.approx(10.0)  # whatever came in between


@pytest.mark.parametrize(
    "moments", [[], [7.0], [float(n) for n in range(50)], [120.0 * n for n in range(50)], [5.0, 4.0, 6.0]]
)
def test_where_nothing_was_idle_the_axis_is_the_clock(moments: list[float]) -> None:
    assert [axis_of(dots(*moments)).place(moment) for moment in moments] == moments


def test_dots_that_stand_for_many_pages_are_not_taken_for_gaps() -> None:
    """Of a crawl of a million pages there are dots in pieces: ten near to each other, and then minutes until the next."""
    pieces = [
        Dot(n=2500 * piece + n, at=250.0 * piece + n / 10, relevance=0.5) for piece in range(40) for n in range(10)
    ]
    assert axis_of(pieces).gaps == ()
