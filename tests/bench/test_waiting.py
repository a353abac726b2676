"""The bench that looks at what waits: what its report says of links. That looking changes nothing is in test_prior.py."""

import numpy as np
import pytest

from bench.waiting import GOAL, Waiting, report, together

pytestmark = pytest.mark.slow


def seen(*pairs: tuple[float, bool]) -> Waiting:
    return Waiting(expected=np.array([said for said, _ in pairs]), wanted=np.array([wanted for _, wanted in pairs]))


def test_links_are_ranked_within_topics_and_all_together() -> None:
    easy, hard = seen((0.9, True), (0.8, False)), seen((0.3, True), (0.1, False))
    figures = {figure.name: figure for figure in report({"topics": {"easy": easy, "hard": hard}}).figures}
    assert figures["links drawn by chance, topics"].value == 4
    assert figures["area under the curve, topics, mean of topics"].value == 1.0
    together = figures["area under the curve, topics, all together"]
    assert together.value == pytest.approx(
        0.75
    )  # a wanted one of the hard topic has less than the other of the easy one
    assert together.verdict == ("met" if GOAL <= 0.75 else "short")


def test_a_topic_of_which_nothing_wanted_was_drawn_has_no_area() -> None:
    nothing, something = seen((0.9, False), (0.8, False)), seen((0.3, True), (0.1, False))
    told = report({"topics": {"nothing": nothing, "something": something}})
    assert [figure.value for figure in told.figures] == [4, pytest.approx(1 / 3), 1.0]
    assert "| nothing | 2 | 0 |  |" in told.text[0]


def test_nothing_seen_is_nothing() -> None:
    assert len(together([])) == 0
    assert together([]).ranked is None
