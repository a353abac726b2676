"""Probabilities that mean something: measured and mended by a temperature."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax

from scenthound.judge.models.temperature import calibration_error, log_loss, reliability, temperature
from tests.judge.top_calibration import top_calibration_error

PAGES = 4_000


def honest_scores(seed: int, *, classes: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Scores whose softmax is the very distribution from which the labels are drawn."""
    chance = np.random.default_rng(seed)
    scores = chance.normal(0, 1.5, (PAGES, classes))
    labels = [chance.choice(classes, p=row) for row in softmax(scores, axis=1)]
    return scores, np.array(labels)


@pytest.mark.slow
@pytest.mark.parametrize("boast", [0.3, 1.0, 4.0])
def test_the_temperature_undoes_boasting_and_timidity(boast: float) -> None:
    scores, labels = honest_scores(1)
    assert temperature(scores * boast, labels) == pytest.approx(boast, rel=0.1)


@pytest.mark.slow
def test_probabilities_are_calibrated_after_cooling_and_were_not_before() -> None:
    scores, labels = honest_scores(2)
    boasting = 4 * scores
    assert top_calibration_error(softmax(boasting, axis=1), labels) > 0.15
    cooled = boasting / temperature(boasting, labels)
    assert top_calibration_error(softmax(cooled, axis=1), labels) < 0.03
    assert log_loss(cooled, labels) < log_loss(boasting, labels)


def test_a_few_pages_told_apart_perfectly_leave_doubt() -> None:
    scores = np.array([[1.0, 0.0]] * 5 + [[0.0, 1.0]] * 5)
    cooled = softmax(scores / temperature(scores, np.array([0] * 5 + [1] * 5)), axis=1)
    assert 0.9 < cooled.max() < 0.99


def test_no_pages_change_nothing() -> None:
    assert temperature(np.zeros((0, 3)), np.zeros(0, dtype=np.int64)) == 1.0


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60))
def test_the_error_lies_between_overall_bias_and_one(pairs: list[tuple[float, bool]]) -> None:
    said, true = np.array([one for one, _ in pairs]), np.array([other for _, other in pairs])
    error = calibration_error(said, true)
    assert abs(said.mean() - true.mean()) - 1e-9 <= error <= 1 + 1e-9
    assert sum(row.pages for row in reliability(said, true)) == len(pairs)
