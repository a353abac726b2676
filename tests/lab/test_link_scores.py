"""Priorities of links against what they led to: by hand, against scikit-learn, and where ties must not matter."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.metrics import log_loss as sklearn_log_loss

from scenthound.lab.metrics.link_scores import auc, brier, calibration_error, link_scores, log_loss

GRID = st.integers(min_value=0, max_value=8).map(lambda eighths: eighths / 8)
LINKS = st.lists(st.tuples(GRID, st.booleans()), min_size=1, max_size=60)
Links = list[tuple[float, bool]]


def arrays(links: Links) -> tuple[np.ndarray, np.ndarray]:
    return np.array([score for score, _ in links]), np.array([there for _, there in links], dtype=np.bool_)


@settings(deadline=None)
@given(LINKS)
def test_auc_log_loss_and_brier_are_those_of_scikit_learn(links: Links) -> None:
    said, there = arrays(links)
    if there.all() or not there.any():
        assert auc(said, there) is None
        return
    assert auc(said, there) == pytest.approx(roc_auc_score(there, said))
    assert brier(said, there.astype(float)) == pytest.approx(brier_score_loss(there, said))
    assert log_loss(said, there.astype(float)) == pytest.approx(sklearn_log_loss(there, said.clip(1e-6, 1 - 1e-6)))


@settings(deadline=None)
@given(LINKS, st.randoms(use_true_random=False))
def test_calibration_does_not_hang_on_how_ties_fall(links: Links, random: object) -> None:
    shuffled = list(links)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    said, there = arrays(links)
    again, there_again = arrays(shuffled)
    found = calibration_error(said, there.astype(float))
    assert found == pytest.approx(calibration_error(again, there_again.astype(float)))
    assert 0 <= found <= 1


def test_priorities_that_mean_what_they_say_have_no_calibration_error() -> None:
    said = np.repeat([0.25, 0.75], 40)
    there = np.tile([1.0, 0.0, 0.0, 0.0], 10), np.tile([1.0, 1.0, 1.0, 0.0], 10)
    assert calibration_error(said, np.concatenate(there)) == 0.0
    assert calibration_error(np.zeros(80), np.concatenate(there)) == 0.5


def test_bins_hold_equally_many_links() -> None:
    said = np.array([0.0, 0.1, 0.2, 0.9])  # equal width would put three into the first of two bins
    assert calibration_error(said, np.array([0.0, 0.0, 1.0, 1.0]), bins=2) == pytest.approx((0.1 + 0.9) / 4)


def test_what_is_no_probability_has_a_ranking_and_nothing_else() -> None:
    found = link_scores(np.array([3.0, -1.0]), np.array([True, False]), np.array([0.2, 0.9]))
    assert {name for name, value in found.items() if value is not None} == {"link_auc", "link_auc_judged"}
    assert found["link_auc"] == 1.0
    assert found["link_auc_judged"] == 0.0
    endless = link_scores(np.array([np.inf, 0.5]), np.array([True, False]), np.array([0.2, 0.9]))
    assert endless["link_auc"] == 1.0
    assert endless["link_brier"] is None


def test_a_sure_mistake_costs_as_one_chance_in_a_million() -> None:
    assert log_loss(np.array([0.0]), np.array([1.0])) == pytest.approx(np.log(1e6))
