"""Small webs and crawls of them, written down by hand or drawn by hypothesis, for the tests of what is measured on
them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from scenthound.lab.experiment.values import Role, Task, Trace
from scenthound.lab.metrics.world_facts import Ground


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallWeb:
    """Page n is called "n"; `ways` says what it links to."""

    hosts: tuple[str, ...]
    ways: Mapping[int, Sequence[int]] = field(default_factory=dict)

    @property
    def number(self) -> Mapping[str, int]:
        return {str(number): number for number in range(len(self.hosts))}

    def links(self, number: int) -> NDArray[np.int32]:
        return np.array(self.ways.get(number, ()), dtype=np.int32)


def task_for(
    wanted: Sequence[int], *, start: Sequence[int] = (0,), examples: Sequence[int] = (), others: Sequence[int] = ()
) -> Task:
    return Task(
        world="small",
        topic="Cycling",
        draw=0,
        role=Role.TEST,
        examples=tuple(map(str, (*start, *examples))),
        others=tuple(map(str, others)),
        start=tuple(map(str, start)),
        wanted=frozenset(wanted),
    )


def trace_of(
    numbers: Sequence[int],
    *,
    relevance: Sequence[float] | None = None,
    priority: Sequence[float] | None = None,
    repeats: Sequence[int] = (),
) -> Trace:
    """Write down a crawl; `repeats` are the places of pages that are the same as others."""
    count = len(numbers)
    return Trace(
        numbers=np.array(numbers, dtype=np.int32),
        relevance=np.array([0.5] * count if relevance is None else relevance, dtype=np.float64),
        priority=np.array([0.5] * count if priority is None else priority, dtype=np.float64),
        depth=np.zeros(count, dtype=np.int32),
        repeats=np.isin(np.arange(count), repeats),
        stopped="budget",
        digest="",
    )


def prefix(trace: Trace, fetches: int) -> Trace:
    return Trace(
        numbers=trace.numbers[:fetches],
        relevance=trace.relevance[:fetches],
        priority=trace.priority[:fetches],
        depth=trace.depth[:fetches],
        repeats=trace.repeats[:fetches],
        stopped=trace.stopped,
        digest=trace.digest,
    )


PAGES = 30


@st.composite
def crawls(draw: st.DrawFn) -> tuple[Trace, Task, Ground]:
    """Draw a crawl in a world of 30 pages, not all of them reachable, with failures among the fetches."""
    pages = st.integers(min_value=0, max_value=PAGES - 1)
    visited = draw(st.lists(pages, max_size=PAGES, unique=True))
    numbers = draw(st.permutations(visited + [-1] * draw(st.integers(min_value=0, max_value=5))))
    shares = st.floats(min_value=0, max_value=1)
    relevance = [float("nan") if number < 0 else draw(shares) for number in numbers]
    wanted = draw(st.sets(pages, min_size=1))
    hops = np.array(draw(st.lists(st.integers(min_value=-1, max_value=6), min_size=PAGES, max_size=PAGES)), np.int32)
    ground = Ground(
        host=np.arange(PAGES, dtype=np.int32) // 4,
        hops=hops,
        reachable=int(sum(hops[number] >= 0 for number in wanted)),
    )
    trace = trace_of(numbers, relevance=relevance, priority=[draw(shares) for _ in numbers])
    return trace, task_for(sorted(wanted)), ground
