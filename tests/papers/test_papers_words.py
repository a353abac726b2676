"""The words of the papers' experiments follow from their numbers."""

from dataclasses import replace

import numpy as np
import pytest

from papers import best, coverage, distance, harvest, relevance, robustness
from papers.crawls import Way, WorldCrawls
from papers.reproduce import STUDIES
from papers.study import Point
from tests.lab.made_up_crawls import FETCHES, GROUND, WORLD, crawl, crawls_of
from tests.lab.small_traces import trace_of

pytestmark = pytest.mark.slow


def points_of(study: object, crawls: WorldCrawls) -> list[Point]:
    found = study.STUDY.found(crawls)  # type: ignore[attr-defined]
    assert found is not None
    return list(found.points)


def verdicts(study: object, crawls: WorldCrawls) -> list[bool | None]:
    return [point.agrees for point in points_of(study, crawls)]


def test_the_words_about_harvest_follow_its_numbers() -> None:
    every_second = trace_of(range(FETCHES), relevance=[0.9, 0.02] * (FETCHES // 2))
    as_in_the_paper = {Way.UNFOCUSED: crawl(600), Way.HARD: every_second, Way.SOFT: every_second}
    lost, healthy, steady, alike, orders = points_of(harvest, crawls_of(as_in_the_paper))
    assert (lost.agrees, healthy.agrees, steady.agrees, alike.agrees, orders.agrees) == (True, True, True, True, False)
    assert "nearly nothing" in lost.ours
    assert "a third is reached" in healthy.ours
    assert "no crawl ran out of links" in steady.ours
    assert "they cannot be told apart" in alike.ours

    otherwise = {Way.UNFOCUSED: crawl(-200), Way.HARD: crawl(fetches=40), Way.SOFT: crawl(relevant=0.3)}
    points = points_of(harvest, crawls_of(otherwise))
    assert [point.agrees for point in points] == [False, False, False, False, False]
    assert "not below .1" in points[0].ours
    assert "less than a third" in points[1].ours
    assert "7 of 7 with hard focus" in points[2].ours
    assert "soft focus is better" in points[3].ours
    blind = points_of(harvest, crawls_of({way: crawl(600, relevant=0) for way in Way}))[0]
    assert blind.agrees is False  # lost is who has less than others
    few = points_of(harvest, crawls_of(otherwise, topics=("a", "b")))
    assert few[3].agrees is None
    assert "too few topics" in few[3].ours


def test_the_words_about_relevance_follow_its_numbers() -> None:
    flat = trace_of(range(FETCHES), relevance=[step / FETCHES for step in range(FETCHES)])
    sharp = trace_of(range(FETCHES), relevance=[1.0] * 200 + [0.0] * 100)
    assert verdicts(relevance, crawls_of({Way.UNFOCUSED: flat, Way.HARD: flat, Way.SOFT: sharp})) == [
        False,  # hard is flat, and has no peak
        True,
        True,
        True,
    ]
    points = points_of(relevance, crawls_of({Way.UNFOCUSED: sharp, Way.HARD: sharp, Way.SOFT: flat}))
    assert [point.agrees for point in points] == [False, False, False, False]
    assert "R from .9 to 1.0 holds 67 % (67 to 67)" in points[2].ours
    assert "fewer" in points[3].ours
    alike = points_of(relevance, crawls_of(dict.fromkeys(Way, sharp)))
    assert [point.agrees for point in alike] == [True, True, False, False]
    assert "no clear difference" in alike[3].ours


def test_shares_of_relevance_count_what_was_judged() -> None:
    trace = trace_of([0, 1, -1, 2], relevance=[1.0, 0.95, float("nan"), 0.0])
    assert relevance.shares_of(trace) == pytest.approx([1 / 3] + [0] * 8 + [2 / 3])


def test_the_words_about_robustness_follow_its_numbers() -> None:
    growth, reached, servers = points_of(robustness, crawls_of(soft=(crawl(0), crawl(60))))
    assert (growth.agrees, reached.agrees, servers.agrees) == (True, True, True)
    assert "60 % or more on 7 of 7 topics" in reached.ours
    assert "80 % (80 to 80)" in reached.ours
    apart = points_of(robustness, crawls_of(soft=(crawl(0), crawl(400))))
    assert [point.agrees for point in apart] == [False, False, False]
    assert "it does not grow" in apart[0].ours
    assert len(points_of(robustness, crawls_of(hosts=1))) == 2  # one server says nothing about servers


def test_the_words_about_the_best_follow_their_numbers() -> None:
    hundred, top = points_of(best, crawls_of(soft=(crawl(0), crawl(10)), hosts=1))
    assert (hundred.agrees, top.agrees) == (True, True)
    assert "90 % (90 to 90) of the best 100 pages" in hundred.ours
    assert "60 % (60 to 60) of the best 25 pages" in top.ours
    hundred, top = points_of(best, crawls_of(soft=(crawl(0), crawl(100)), hosts=1))
    assert (hundred.agrees, top.agrees) == (False, False)
    # Relevant are hosts 0 to 7, which both know; after them come 8 to 14 of the first, and 42 to 49 of the second.
    top = points_of(best, crawls_of(soft=(crawl(0), crawl(-150))))[1]
    assert "50 % (50 to 50) of the best 25 hosts" in top.ours
    assert best.measure(crawls_of(soft=(crawl(fetches=150), crawl()))) is None


def test_the_words_about_distances_follow_them() -> None:
    near = replace(GROUND, hops=np.ones(WORLD, dtype=np.int32))
    far = replace(GROUND, hops=np.arange(WORLD, dtype=np.int32) % 12 + 1)
    points = points_of(distance, crawls_of(ground=near))
    assert [point.agrees for point in points] == [False, False]
    assert points[0].ours == "0 % (0 to 0) of the best 100 are more than two links away; of all pages 0 % (0 to 0)."
    points = points_of(distance, crawls_of(ground=far))
    assert [point.agrees for point in points] == [True, True]
    assert "farthest of the best is 12 links away" in points[1].ours


def test_the_words_about_coverage_follow_it() -> None:
    pages, servers, threshold = points_of(coverage, crawls_of(soft=(crawl(0), crawl(10))))
    assert (pages.agrees, servers.agrees, threshold.agrees) == (True, True, True)
    # Each has 140 of the other's relevant pages: 140 of 150 and 140 of 140.
    assert "97 % (97 to 97): as many" in pages.ours
    apart = points_of(coverage, crawls_of(soft=(crawl(0), crawl(100))))
    assert [point.agrees for point in apart] == [False, False, True]
    assert "fewer" in apart[0].ours
    nothing = (trace_of(range(FETCHES), relevance=[0.1] * FETCHES),) * 2
    assert coverage.measure(crawls_of(soft=nothing)) is None


def test_every_study_can_be_told_without_a_second_host() -> None:
    for study in STUDIES:
        assert study.found(crawls_of(hosts=1)) is not None
