"""Where relevance begins is found from a few examples and from pages without labels, and the order of pages stays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import expit

from scenthound.judge.adaptation.border import AS_IT_IS, find_border, with_relevance
from tests.often import often

Floats = NDArray[np.float64]
NONE: Floats = np.zeros(0)
SCORES = st.lists(st.floats(0.0, 1.0), max_size=40).map(np.array)


def scores(chance: np.random.Generator, middle: float, count: int, width: float = 1.0) -> Floats:
    found: Floats = expit(chance.normal(middle, width, count))
    return found


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.95])
def test_the_border_runs_through_the_gap_between_pages_on_and_off_topic(share: float) -> None:
    chance = np.random.default_rng(1)
    relevant = round(400 * share)
    crawled = np.concatenate((scores(chance, 1.0, relevant), scores(chance, -6.0, 400 - relevant)))
    read = find_border(scores(chance, 0.0, 8), scores(chance, -9.0, 600), NONE, crawled)(crawled)
    assert ((read >= 0.5) == (np.arange(400) < relevant)).mean() > 0.95
    assert read.mean() == pytest.approx(share, abs=0.15)


def test_before_any_page_is_crawled_examples_lie_near_the_middle() -> None:
    chance = np.random.default_rng(2)
    examples = scores(chance, 0.0, 8)
    border = find_border(examples, scores(chance, -9.0, 600), NONE, NONE)
    assert 0.5 < border(examples).mean() < 0.9
    assert border(scores(chance, -9.0, 100)).mean() < 0.01


def test_a_crawl_full_of_what_is_merely_near_is_not_called_relevant() -> None:
    """A focused crawl gathers pages that look relevant."""
    chance = np.random.default_rng(3)
    examples, background = scores(chance, 0.0, 8), scores(chance, -9.0, 600)
    near = scores(chance, -3.0, 300)
    border = find_border(examples, background, NONE, near)
    assert border(near).mean() < 0.3
    assert border(examples).mean() > 0.4


def test_refused_pages_move_the_border_beyond_them() -> None:
    chance = np.random.default_rng(5)
    examples, background, crawled = scores(chance, 1.0, 8), scores(chance, -9.0, 600), scores(chance, 0.0, 200, 2.0)
    refused = np.full(10, 0.6)
    before = find_border(examples, background, NONE, crawled)(refused)[0]
    after = find_border(examples, background, refused, crawled)(refused)[0]
    assert before > 0.5 > after


def test_without_examples_or_background_relevance_is_read_as_it_is() -> None:
    assert find_border(NONE, np.array([0.1]), NONE, NONE) == AS_IT_IS
    assert find_border(np.array([0.9]), NONE, NONE, NONE) == AS_IT_IS


@often(200)
@given(examples=SCORES, background=SCORES, refused=SCORES, crawled=SCORES)
def test_whatever_the_scores_the_order_of_pages_stays(
    examples: Floats, background: Floats, refused: Floats, crawled: Floats
) -> None:
    border = find_border(examples, background, refused, crawled)
    assert np.isfinite([border.slope, border.offset]).all()
    assert border.slope > 0
    read = border(np.linspace(0.0, 1.0, 50))
    assert ((read >= 0) & (read <= 1)).all()
    assert (np.diff(read) >= 0).all()


@given(st.lists(st.floats(0.001, 1.0), min_size=3, max_size=3), st.floats(0.0, 1.0))
def test_rows_with_another_relevance_are_probabilities(row: list[float], relevance: float) -> None:
    rows = np.array([row]) / sum(row)
    moved = with_relevance(rows, np.array([True, False, False]), np.array([relevance]))
    assert moved.sum() == pytest.approx(1.0)
    assert (moved >= 0).all()
    assert moved[0, 1] * rows[0, 2] == pytest.approx(moved[0, 2] * rows[0, 1], abs=1e-9), "the others keep their odds"
