"""Time as a crawl has spent it: what lies between two runs, or in a long rest, takes no room on the axis of a plot."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from statistics import median
from typing import Final

from scenthound.services.status.relevance_trace import Dot

LEAST: Final = 60.0  # seconds without a page that may be an idle gap
SLOWER: Final = (
    20.0  # times slower than usual: a crawl of one host with a long pause between requests is slow, and not idle
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A gap without pages, from the last page before it to the first page after it, and how much of it is cut."""

    begin: float
    end: float
    out: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeAxis:
    """Where moments lie on the axis, in seconds. Without gaps that is the clock."""

    gaps: tuple[Gap, ...] = ()
    start: float = 0.0

    def place(self, at: float) -> float:
        """Return the place of a moment: seconds of crawling since the first page where there are gaps, else the moment
        itself.

        >>> axis = TimeAxis(gaps=(Gap(begin=10.0, end=1010.0, out=999.0),), start=5.0)
        >>> axis.place(10.0), axis.place(1010.0), axis.place(1015.0), TimeAxis().place(1015.0)
        (5.0, 6.0, 11.0, 1015.0)
        """
        if not self.gaps:
            return at
        past = bisect_right([gap.end for gap in self.gaps], at)
        out = sum(gap.out for gap in self.gaps[:past])
        if past < len(self.gaps) and at > self.gaps[past].begin:  # in the middle of one
            gap = self.gaps[past]
            at = min(at, gap.begin + (gap.end - gap.begin - gap.out))
        return at - self.start - out


def axis_of(dots: Sequence[Dot]) -> TimeAxis:
    """Find the gaps between dots in fetch order; a dot that stands for many pages is as far from the next as these
    took.
    """
    # Pages are numbered as they are recorded, and may have been fetched a moment before one another.
    moments = list(accumulate((dot.at for dot in dots), max))
    steps = [(b - a, two.n - one.n, a, b) for (one, two), (a, b) in zip(pairwise(dots), pairwise(moments), strict=True)]
    if not steps:
        return TimeAxis()
    usual = median(seconds / pages for seconds, pages, _, _ in steps)
    gaps = tuple(
        Gap(begin=begin, end=end, out=seconds - usual * pages)
        for seconds, pages, begin, end in steps
        if seconds > LEAST and seconds > SLOWER * usual * pages
    )
    return TimeAxis(gaps=gaps, start=moments[0]) if gaps else TimeAxis()
