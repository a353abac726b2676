"""How common relevant pages are is found from pages without labels, and never turns the order of pages round."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import expit

from scenthound.judge.share import AS_IT_IS, Shift, fit_shift
from tests.often import often

NONE: NDArray[np.float64] = np.zeros(0)
SCORES = st.lists(st.floats(0.0, 1.0), max_size=40).map(np.array)


def scores(chance: np.random.Generator, middle: float, count: int) -> NDArray[np.float64]:
    found: NDArray[np.float64] = expit(chance.normal(middle, 1.5, count))
    return found


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.95])
def test_the_share_of_relevant_pages_is_found_without_labels(share: float) -> None:
    chance = np.random.default_rng(1)
    relevant = round(400 * share)
    crawled = np.concatenate((scores(chance, 3.0, relevant), scores(chance, -5.0, 400 - relevant)))
    shift = fit_shift(scores(chance, 0.0, 8), scores(chance, -9.0, 600), NONE, crawled)
    assert shift.share == pytest.approx(share, abs=0.07)
    read = shift(crawled)
    assert read.mean() == pytest.approx(share, abs=0.07)
    assert ((read >= 0.5) == (np.arange(400) < relevant)).mean() > 0.95


def test_before_any_page_is_crawled_examples_lie_near_the_middle() -> None:
    chance = np.random.default_rng(2)
    examples = scores(chance, 0.0, 8)
    shift = fit_shift(examples, scores(chance, -9.0, 600), NONE, NONE)
    assert shift.share is None
    assert 0.3 < shift(examples).mean() < 0.95
    assert shift(scores(chance, -9.0, 100)).mean() < 0.01


def test_without_examples_or_background_relevance_is_read_as_it_is() -> None:
    assert fit_shift(NONE, np.array([0.1]), NONE, NONE) == AS_IT_IS
    assert fit_shift(np.array([0.9]), NONE, NONE, NONE) == AS_IT_IS


@often(200)
@given(examples=SCORES, background=SCORES, off_topic=SCORES, crawled=SCORES)
def test_whatever_the_scores_the_order_of_pages_stays(
    examples: NDArray[np.float64],
    background: NDArray[np.float64],
    off_topic: NDArray[np.float64],
    crawled: NDArray[np.float64],
) -> None:
    shift = fit_shift(examples, background, off_topic, crawled)
    assert np.isfinite([shift.slope, shift.offset]).all()
    assert shift.slope > 0
    read = shift(np.linspace(0.0, 1.0, 50))
    assert ((read >= 0) & (read <= 1)).all()
    assert (np.diff(read) >= 0).all()


@given(st.lists(st.floats(0.001, 1.0), min_size=3, max_size=3), st.floats(-5, 5))
def test_shifted_rows_are_probabilities(row: list[float], offset: float) -> None:
    rows = np.array([row]) / sum(row)
    moved = Shift(offset=offset).applied(rows, np.array([True, False, False]))
    assert moved.sum() == pytest.approx(1.0)
    assert (moved >= 0).all()
    assert moved[0, 1] * rows[0, 2] == pytest.approx(moved[0, 2] * rows[0, 1], abs=1e-9), "the others keep their odds"


def test_a_crawl_full_of_what_is_merely_near_does_not_move_the_border_past_the_examples() -> None:
    """A focused crawl gathers pages that look relevant; if all of them counted, it would call everything relevant."""
    chance = np.random.default_rng(3)
    examples, background = scores(chance, 0.0, 8), scores(chance, -9.0, 600)
    near = scores(chance, -2.5, 300)
    shift = fit_shift(examples, background, NONE, near)
    assert shift(near).mean() < 0.3
    assert shift(examples).mean() > 0.3
