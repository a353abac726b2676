"""The likeness of two crawls from different examples: their common pages, and the distance of their best pages.

Overlap of pages and servers along the crawl as in FOCUS fig. 6 and 7, of the best ones as in fig. 8, distances of these
as in fig. 9; coverage of one crawl by another as in RELATIONAL fig. 6. Servers are host names; the papers use IP
addresses, which archives seldom have. The best pages are those that the critic finds most relevant.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.lab.experiment.values import Trace
from scenthound.lab.metrics.crawl_metrics import steps
from scenthound.lab.metrics.digits import tidy
from scenthound.lab.metrics.world_facts import UNREACHED, Ground

LEAST: Final = exp(-1)  # RELATIONAL §3.5: a page counts as relevant if log R > -1
NOWHERE: Final = -1  # the number of a fetch without a page, and of its host

Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """The common part of two crawls after each number of fetches `at`, as a share of either."""

    at: tuple[int, ...]
    of_one: tuple[float, ...]
    of_other: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Shares of another crawl's relevant pages and of all its hosts visited after each number of fetches `at`."""

    at: tuple[int, ...]
    pages: tuple[float, ...]
    hosts: tuple[float, ...]


def page_overlap(one: Trace, other: Trace, *, points: int = 100) -> Overlap:
    """Compare the pages that two crawls have fetched after equally many fetches (FOCUS fig. 6)."""
    return _overlap(one.numbers, other.numbers, points)


def host_overlap(one: Trace, other: Trace, ground: Ground, *, points: int = 100) -> Overlap:
    """Compare the hosts that two crawls have visited after equally many fetches (FOCUS fig. 7)."""
    return _overlap(_hosts(one, ground), _hosts(other, ground), points)


def coverage(reference: Trace, crawl: Trace, ground: Ground, *, least: float = LEAST, points: int = 100) -> Coverage:
    """Return how soon a crawl visits the finds of a reference crawl: pages above `least`, and all hosts."""
    at = steps(len(crawl), points)
    relevant = reference.numbers[reference.relevance > least]
    return Coverage(
        at=tuple(at.tolist()),
        pages=_covered_share(relevant, crawl.numbers, at),
        hosts=_covered_share(_hosts(reference, ground), _hosts(crawl, ground), at),
    )


def best(trace: Trace, k: int) -> tuple[int, ...]:
    """Return the pages that the critic finds most relevant, best first; of equals, the first fetched."""
    return _best(trace.numbers, trace.relevance, k)


def best_hosts(trace: Trace, ground: Ground, k: int) -> tuple[int, ...]:
    """Return the numbers of the hosts with the most relevant pages, each by its best."""
    return _best(_hosts(trace, ground), trace.relevance, k)


def in_common(one: Sequence[int], other: Sequence[int]) -> float:
    """Return the share that two lists of best ones have in common, of the longer (FOCUS fig. 8); 0 for empty ones.

    >>> in_common([3, 1, 2], [2, 9, 3, 7])
    0.5
    """
    return tidy(len(set(one) & set(other)) / max(len(one), len(other), 1))


def distances(pages: Sequence[int], ground: Ground) -> tuple[int, ...]:
    """Return how many of some pages are 0, 1, 2, … links from the start (FOCUS fig. 9), without unreachable ones."""
    hops = ground.hops[np.array(pages, dtype=np.int64)]
    return tuple(np.bincount(hops[hops != UNREACHED]).tolist())


def _overlap(one: Numbers, other: Numbers, points: int) -> Overlap:
    at = steps(min(len(one), len(other)), points)
    first, second = _first_visits(one), _first_visits(other)
    both = np.array([max(time, second[item]) for item, time in first.items() if item in second], dtype=np.int64)
    return Overlap(
        at=tuple(at.tolist()),
        of_one=_shares(_until(both, at), _until(_times(first), at)),
        of_other=_shares(_until(both, at), _until(_times(second), at)),
    )


def _covered_share(wanted: Numbers, visited: Numbers, at: NDArray[np.int64]) -> tuple[float, ...]:
    goal, visits = set(_first_visits(wanted)), _first_visits(visited)
    times = np.array([time for item, time in visits.items() if item in goal], dtype=np.int64)
    return _shares(_until(times, at), np.full(len(at), len(goal)))


def _best(items: Numbers, relevance: NDArray[np.float64], k: int) -> tuple[int, ...]:
    judged = np.flatnonzero((items != NOWHERE) & ~np.isnan(relevance))
    ranked = judged[np.argsort(-relevance[judged], kind="stable")]
    return tuple(dict.fromkeys(items[ranked].tolist()))[:k]


def _hosts(trace: Trace, ground: Ground) -> Numbers:
    return np.append(ground.host, np.int32(NOWHERE))[trace.numbers]


def _first_visits(items: Numbers) -> dict[int, int]:
    """Return after how many fetches each page or host first appeared."""
    found, places = np.unique(items, return_index=True)
    return {item: place + 1 for item, place in zip(found.tolist(), places.tolist(), strict=True) if item != NOWHERE}


def _times(visits: dict[int, int]) -> NDArray[np.int64]:
    return np.array(list(visits.values()), dtype=np.int64)


def _until(times: NDArray[np.int64], at: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.searchsorted(np.sort(times), at, side="right")


def _shares(parts: NDArray[np.int64], wholes: NDArray[np.int64]) -> tuple[float, ...]:
    return tuple(tidy(part / max(1, whole)) for part, whole in zip(parts.tolist(), wholes.tolist(), strict=True))
