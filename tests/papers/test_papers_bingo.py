"""The table of feature spaces and meta decisions, from results made by hand."""

import pytest

from bench.spaces import report
from papers.bingo.meta_decisions import Result, error_of_estimates, table

pytestmark = pytest.mark.slow


def result(
    topic: str, way: str, precision: float | None, *, estimate: float | None = None, decided: float = 1.0
) -> Result:
    return Result(world="w", topic=topic, way=way, precision=precision, recall=0.5, decided=decided, estimate=estimate)


RESULTS = [
    result("A", "terms", 0.8, estimate=0.7),
    result("B", "terms", 0.6, estimate=0.5),
    result("C", "terms", None, estimate=0.4),  # it called no page on topic
    result("A", "unanimous", 1.0, decided=0.5),
    result("B", "unanimous", 0.9, decided=0.7),
]


def test_precision_is_the_mean_over_topics_that_have_any() -> None:
    lines = table(RESULTS)
    [terms] = [line for line in lines if line.startswith("| terms |")]
    [unanimous] = [line for line in lines if line.startswith("| unanimous |")]
    assert terms.startswith("| terms | .70 (")
    assert "| 60 % |" in unanimous
    assert len(lines) == 4  # ways without results have no line


def test_estimates_are_compared_with_the_truth() -> None:
    assert error_of_estimates(RESULTS).startswith("ξα less the true precision: -0.10 on the average, 0.10 in size")


def test_the_default_critic_is_held_to_its_speed() -> None:
    found = report({"default": 1_000.0, "pairs": 100.0})
    assert [(figure.name, figure.verdict) for figure in found.figures] == [
        ("judging, default critic", "short"),
        ("judging, pairs", ""),
    ]
