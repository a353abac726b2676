"""Means over topics with their intervals, of single figures and all along a crawl: first over draws, then over topics.

Topics differ in size, and so do their crawls: the way along a crawl is measured in shares of its run.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from papers.sketch import Line
from scenthound.lab.experiment.values import Interval
from scenthound.lab.metrics.bootstrap import Bootstrap
from scenthound.lab.metrics.digits import tidy

Numbers = NDArray[np.float64]

POINTS: Final = 40
SHARES: Final = tuple(number / POINTS for number in range(1, POINTS + 1))
WINDOW: Final = 10  # a moving average is taken over a tenth of the run


class Means:
    """Take means; topics that are the same are resampled alike."""

    def __init__(self, *, seed: int) -> None:
        self._bootstrap = Bootstrap(seed=seed)

    def interval(self, values: Iterable[tuple[str, float]]) -> Interval:
        """Return the mean of values, each with its topic; several of a topic are its draws."""
        return self._bootstrap.interval(by_topic(values))

    def line(self, name: str, values: Iterable[tuple[str, Sequence[float]]], at: Sequence[float] = SHARES) -> Line:
        """Return the mean along the way, with its interval, of crawls that were looked at in the same places."""
        drawn = list(values)
        places = [self.interval((topic, way[place]) for topic, way in drawn) for place in range(len(at))]
        return Line(
            name=name,
            at=tuple(at),
            mean=tuple(one.mean for one in places),
            low=tuple(one.low for one in places),
            high=tuple(one.high for one in places),
        )


def by_topic(values: Iterable[tuple[str, float]]) -> Mapping[str, float]:
    """Return the mean of the draws of each topic.

    >>> by_topic([("Arts", 0.25), ("Arts", 0.75), ("Sport", 1.0)])
    {'Arts': 0.5, 'Sport': 1.0}
    """
    draws: dict[str, list[float]] = {}
    for topic, value in values:
        draws.setdefault(topic, []).append(value)
    return {topic: tidy(fsum(own) / len(own)) for topic, own in draws.items()}


def moving(values: Numbers, *, fetches: int) -> list[float]:
    """Return moving averages of a crawl after each share of its run (FOCUS fig. 3): over the last tenth, or all so far.

    Fetches that were not made, for nothing was left to fetch, count as 0.

    >>> moving(np.array([1.0, 1.0, 0.0, 0.0]), fetches=4)[9::10]
    [1.0, 1.0, 0.0, 0.0]
    """
    sums = np.concatenate([[0.0], np.cumsum(np.nan_to_num(_padded(values, fetches), nan=0.0))])
    ends = ends_of(fetches)
    begins = np.maximum(ends - max(1, fetches // WINDOW), 0)
    return [tidy(value) for value in ((sums[ends] - sums[begins]) / (ends - begins)).tolist()]


def along(at: Sequence[int], values: Sequence[float], *, fetches: int) -> list[float]:
    """Interpolate values after some numbers of fetches to values after each share of the run.

    >>> along([2, 4], [0.5, 1.0], fetches=4)[9::10]
    [0.25, 0.5, 0.75, 1.0]
    """
    found = np.interp(np.array(SHARES) * fetches, [0, *at], [0.0, *values])
    return [tidy(value) for value in found.tolist()]


def part(values: Numbers, *, fetches: int, begin: float, end: float) -> float:
    """Return the mean of a crawl between two shares of its run; fetches that were not made count as 0.

    >>> part(np.array([1.0, 0.5, 0.25]), fetches=4, begin=0.5, end=1.0)
    0.125
    """
    first = min(int(begin * fetches), fetches - 1)
    last = max(first + 1, int(end * fetches))
    return tidy(fsum(np.nan_to_num(values[first:last], nan=0.0).tolist()) / (last - first))


def ends_of(fetches: int) -> NDArray[np.int64]:
    """Return the number of fetches at each share of a run: at least one."""
    return -(-np.arange(1, POINTS + 1, dtype=np.int64) * fetches // POINTS)


def _padded(values: Numbers, fetches: int) -> Numbers:
    made = values[:fetches]
    return np.concatenate([made, np.zeros(fetches - len(made))])
