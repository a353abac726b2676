"""Two crawls side by side: what they share along the way, how soon one covers the other, where the best pages lie."""

import numpy as np
import pytest
from hypothesis import given, settings

from scenthound.lab.experiment.values import Task, Trace
from scenthound.lab.metrics.overlap import best, best_hosts, coverage, distances, host_overlap, in_common, page_overlap
from scenthound.lab.metrics.world_facts import Ground
from tests.lab.small_traces import crawls, trace_of

# Pages 0 to 7 on hosts of two pages each; page 7 is out of reach.
GROUND = Ground(host=np.arange(8, dtype=np.int32) // 2, hops=np.array([0, 1, 1, 2, 3, 5, 2, -1], np.int32), reachable=0)
ONE = trace_of([0, 1, 2, 3], relevance=[0.9, 0.1, 0.8, 0.9])
OTHER = trace_of([3, -1, 0, 5], relevance=[0.9, float("nan"), 0.9, 0.2])


def test_pages_in_common_are_counted_after_equally_many_fetches() -> None:
    found = page_overlap(ONE, OTHER, points=4)
    assert found.at == (1, 2, 3, 4)
    # {0} {0,1} {0,1,2} {0,1,2,3} beside {3} {3} {3,0} {3,0,5}
    assert found.of_one == pytest.approx((0, 0, 1 / 3, 2 / 4))
    assert found.of_other == pytest.approx((0, 0, 1 / 2, 2 / 3))


def test_hosts_in_common_are_counted_too() -> None:
    found = host_overlap(ONE, OTHER, GROUND, points=4)
    # {0} {0} {0,1} {0,1} beside {1} {1} {1,0} {1,0,2}
    assert found.of_one == (0.0, 0.0, 1.0, 1.0)
    assert found.of_other == pytest.approx((0, 0, 1, 2 / 3))


def test_a_crawl_covers_what_another_found() -> None:
    found = coverage(ONE, OTHER, GROUND, points=4)
    # relevant pages 0, 2, 3 and hosts 0, 1; visited are 3, nothing, 0, 5
    assert found.pages == pytest.approx((1 / 3, 1 / 3, 2 / 3, 2 / 3))
    assert found.hosts == (0.5, 0.5, 1.0, 1.0)


def test_the_threshold_of_relevance_is_the_papers() -> None:
    reference = trace_of([0, 1], relevance=[0.37, 0.36])  # log R > -1
    assert coverage(reference, trace_of([0]), GROUND).pages == (1.0,)
    assert coverage(reference, trace_of([0]), GROUND, least=0.3).pages == (0.5,)


def test_the_best_are_the_most_relevant_and_of_equals_the_first() -> None:
    assert best(ONE, 3) == (0, 3, 2)
    assert best(OTHER, 10) == (3, 0, 5)
    assert best(trace_of(range(500), relevance=[0.5, 0.9] * 250), 400) == (*range(1, 500, 2), *range(0, 300, 2))
    assert best_hosts(ONE, GROUND, 10) == (0, 1)
    assert best_hosts(OTHER, GROUND, 1) == (1,)


def test_the_best_of_two_crawls_may_be_the_same() -> None:
    assert in_common(best(ONE, 2), best(OTHER, 2)) == 1.0
    assert in_common(best(ONE, 3), best(OTHER, 3)) == pytest.approx(2 / 3)
    assert in_common([], []) == 0.0


def test_distances_are_those_of_the_shortest_ways() -> None:
    assert distances([0, 1, 2, 5, 7], GROUND) == (1, 2, 0, 0, 0, 1)
    assert distances([], GROUND) == ()


@pytest.mark.slow
@settings(deadline=None)
@given(crawls(), crawls())
def test_overlap_looks_the_same_from_either_side(
    first: tuple[Trace, Task, Ground], second: tuple[Trace, Task, Ground]
) -> None:
    one, other, ground = first[0], second[0], first[2]
    for there, back in (
        (page_overlap(one, other), page_overlap(other, one)),
        (host_overlap(one, other, ground), host_overlap(other, one, ground)),
    ):
        assert (there.of_one, there.of_other) == (back.of_other, back.of_one)
        assert all(0 <= share <= 1 for share in there.of_one)


@settings(deadline=None)
@given(crawls())
def test_a_crawl_covers_itself_in_the_end(crawl: tuple[Trace, Task, Ground]) -> None:
    trace, _, ground = crawl
    found = coverage(trace, trace, ground)
    assert list(found.pages) == sorted(found.pages)
    assert not found.pages or found.pages[-1] == (1.0 if (trace.relevance > np.exp(-1)).any() else 0.0)
    assert not found.hosts or found.hosts[-1] == (1.0 if (trace.numbers >= 0).any() else 0.0)
