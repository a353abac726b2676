"""Facts about the world of a task for the metrics: the host of each page, and its distance from the start.

They are computed once per task and used for every crawl and budget of it. Distances are shortest paths in the whole
world, so they do not depend on the path of a crawl.
"""

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from scenthound.lab.experiment.values import Task

UNREACHED: Final = -1


class Web(Protocol):
    """The part of a world that the metrics need."""

    @property
    def hosts(self) -> Sequence[str]:
        """Return the host of each page."""
        ...

    @property
    def number(self) -> Mapping[str, int]:
        """Return the page numbers by address."""
        ...

    def links(self, number: int) -> NDArray[np.int32]:
        """Return the numbers of the pages that a page links to."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ground:
    """By page number: `host`, a number for each host, and `hops`, the links from the nearest start page, or UNREACHED.

    `reachable` counts the wanted pages that can be reached.
    """

    host: NDArray[np.int32]
    hops: NDArray[np.int32]
    reachable: int


def survey(web: Web, task: Task, *, locked: AbstractSet[int] = frozenset()) -> Ground:
    """Measure the distance from the start pages to all others along links that a crawl could follow.

    Locked pages are never entered. Examples that are not start pages, wanted or not, are dead ends: a crawl reads them
    to learn, and does not follow their links.
    """
    start = _numbers(web, task.start)
    ends = _numbers(web, (*task.examples, *task.unwanted)) - start
    hops = _hops(web, start, locked=locked, ends=ends)
    wanted = np.fromiter(task.wanted, dtype=np.int64, count=len(task.wanted))
    return Ground(
        host=_numbered(web.hosts),
        hops=hops,
        reachable=int(np.count_nonzero(hops[wanted] != UNREACHED)),
    )


def _hops(web: Web, start: AbstractSet[int], *, locked: AbstractSet[int], ends: AbstractSet[int]) -> NDArray[np.int32]:
    """Walk breadth first, a ring of pages at a time."""
    hops = np.full(len(web.hosts), UNREACHED, dtype=np.int32)
    shut = np.zeros(len(web.hosts), dtype=np.bool_)
    shut[list(locked)] = True
    ring = np.array(sorted(start), dtype=np.int32)
    distance = 0
    while len(ring):
        hops[ring] = distance
        ways = [web.links(page) for page in ring.tolist() if page not in ends]
        seen = np.unique(np.concatenate(ways)) if ways else np.empty(0, dtype=np.int32)
        ring = seen[(hops[seen] == UNREACHED) & ~shut[seen]]
        distance += 1
    return hops


def _numbers(web: Web, urls: Collection[str]) -> AbstractSet[int]:
    return {web.number[url] for url in urls if url in web.number}


def _numbered(names: Sequence[str]) -> NDArray[np.int32]:
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.int32)
