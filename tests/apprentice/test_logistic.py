"""The one fit of an apprentice, over lessons that are meant to harm it: it never runs away, and finds what an exact
one finds.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from scenthound.apprentice.bounded_fit import EXACT, REACH, Floats
from scenthound.apprentice.calibration import FAITH, LEAST_SLOPE, UNCHANGED, Calibration
from scenthound.apprentice.memory.ranges import Ranges
from scenthound.apprentice.regression import Regression
from scenthound.apprentice.words.meanings import EVERY, FREE, RIDGE, Meanings
from scenthound.apprentice.words.word_vectors import WordVectors
from tests.apprentice.logistic_problems import Problem
from tests.often import THOROUGH, often, slowly

Chance = np.random.Generator
SEEDS = st.integers(0, 2**32 - 1)
ROUNDED = 1e-9  # of an objective, what is lost in adding up


def any_rows(chance: Chance, many: int, size: int) -> Floats:
    return chance.normal(0.0, 2.0, (many, size))


def same_rows(chance: Chance, many: int, size: int) -> Floats:
    return np.tile(chance.normal(0.0, 2.0, size), (many, 1))


def empty_rows(chance: Chance, many: int, size: int) -> Floats:
    return np.zeros((many, size))


def huge_rows(chance: Chance, many: int, size: int) -> Floats:
    return chance.choice([-1e6, 0.0, 1.0, 1e6], (many, size))


def chances_of(chance: Chance, rows: Floats) -> Floats:
    return (chance.random(len(rows)) < 0.5).astype(np.float64)


def soft(chance: Chance, rows: Floats) -> Floats:
    return chance.random(len(rows))


def failures(chance: Chance, rows: Floats) -> Floats:
    return np.zeros(len(rows))


def successes(chance: Chance, rows: Floats) -> Floats:
    return np.ones(len(rows))


def separable(chance: Chance, rows: Floats) -> Floats:
    return (rows @ chance.normal(0.0, 1.0, rows.shape[1]) > 0.0).astype(np.float64)


class Rows(Protocol):
    def __call__(self, chance: Chance, many: int, size: int) -> Floats: ...


ROWS: tuple[Rows, ...] = (any_rows, same_rows, empty_rows, huge_rows)
OUTCOMES: tuple[Callable[[Chance, Floats], Floats], ...] = (chances_of, soft, failures, successes, separable)
SIZES = st.sampled_from([0, 1, 2, 10, 60])


def made(chance: Chance, rows: Floats, outcomes: Floats) -> Problem:
    size: int = rows.shape[1]
    faith = chance.choice(np.array([0.1, 1.0, 40.0]), size)
    return Problem(rows, outcomes, start=chance.normal(0.0, 2.0, (size,)), faith=faith)


def is_sound(problem: Problem, weights: Floats, *others: Floats) -> bool:
    """Tell whether weights are numbers within reach, and none of the others explains the lessons better."""
    found = problem.objective(weights)
    return bool(
        np.isfinite(weights).all()
        and (np.abs(weights - problem.start) <= REACH + 1e-12).all()
        and all(found <= problem.objective(other) * (1.0 + ROUNDED) + ROUNDED for other in others)
    )


@pytest.mark.parametrize("outcomes", OUTCOMES)
@pytest.mark.parametrize("rows", ROWS)
@often(25)
@given(seed=SEEDS, many=SIZES, size=st.integers(1, 6))
def test_no_weight_runs_away_and_none_is_worse_than_before(
    rows: Rows, outcomes: Callable[[Chance, Floats], Floats], seed: int, many: int, size: int
) -> None:
    chance = np.random.default_rng(seed)
    lessons = rows(chance, many, size)
    problem = made(chance, lessons, outcomes(chance, lessons))
    guess = problem.start + chance.normal(0.0, 5.0, size)
    found = problem.fitted(guess)
    assert is_sound(problem, found, problem.start, np.clip(guess, problem.start - REACH, problem.start + REACH))
    assert is_sound(problem, problem.fitted(found), found)  # the same lessons again


@pytest.mark.parametrize("outcomes", OUTCOMES)
@often(25)
@given(seed=SEEDS, many=SIZES, size=st.integers(1, 6))
def test_it_finds_what_an_exact_fit_finds(
    outcomes: Callable[[Chance, Floats], Floats], seed: int, many: int, size: int
) -> None:
    """A slope of g is left at most, so that by convexity the weights are within g / faith of the exact ones."""
    chance = np.random.default_rng(seed)
    lessons = any_rows(chance, many, size)
    problem = made(chance, lessons, outcomes(chance, lessons))
    exact = problem.answer()
    if (np.abs(exact - problem.start) < REACH).all():
        nearness = np.sqrt(size) * EXACT * max(1, many) / problem.faith.min()
        assert problem.fitted() == pytest.approx(exact, abs=nearness + 1e-6)


def test_thousands_of_failures_move_the_weights_as_far_as_they_say_and_no_further() -> None:
    """With a faith of 1 the log-odds w of nothing but failures have w = -5000 / (1 + exp(-w))."""
    problem = Problem(np.ones((5_000, 1)), np.zeros(5_000), start=np.zeros(1), faith=np.ones(1))
    (weight,) = problem.fitted()
    assert weight == pytest.approx(-5_000 * expit(weight), abs=1e-2)
    assert -7.0 < weight < -6.0


def test_where_the_penalty_alone_would_let_a_weight_go_it_stops_at_the_bound() -> None:
    problem = Problem(np.full((1_000, 1), 1e-1), np.ones(1_000), start=np.zeros(1), faith=np.full(1, 1e-3))
    assert problem.answer()[0] > REACH
    assert problem.fitted().tolist() == [REACH]


class Stream:
    """Lessons one learner takes, some at a time, and what is to hold after each."""

    SIZE = 4

    def __init__(self, seed: int) -> None:
        self.chance = np.random.default_rng(seed)
        self._rows = ROWS[seed % len(ROWS)]
        self._outcomes = OUTCOMES[seed // len(ROWS) % len(OUTCOMES)]

    def lessons(self, many: int, size: int = SIZE) -> tuple[Floats, Floats]:
        rows = self._rows(self.chance, many, size)
        return rows, self._outcomes(self.chance, rows)


def regression_holds(stream: Stream) -> None:
    start, faith = stream.chance.normal(0.0, 1.0, Stream.SIZE), np.full(Stream.SIZE, 2.0)
    regression = Regression(start, faith=faith)
    for many in (6, 6):
        before = regression.weights
        rows, came = stream.lessons(many)
        regression.learn(rows, came)
        state = regression.state()
        problem = Problem(state["rows"], state["outcomes"], start=start, faith=faith)
        assert is_sound(problem, regression.weights, before, start)
        assert are_chances(expit(regression.odds(rows)))


def calibration_holds(stream: Stream) -> None:
    """A line that was held at the least slope may be worse than the one before, and is not compared."""
    calibration = Calibration()
    before, taken = UNCHANGED, 0
    for many in (6, 6):
        rows, came = stream.lessons(many, size=1)
        calibration.learn(rows[:, 0], came)
        taken += many
        state = calibration.state()
        line, expected = state["line"], state["latest expected"][:taken]
        problem = Problem(
            np.column_stack((expected, np.ones(taken))),
            state["latest came"][:taken],
            start=UNCHANGED,
            faith=np.array(FAITH),
        )
        assert calibration.slope >= LEAST_SLOPE
        assert is_sound(problem, line, *(() if calibration.slope == LEAST_SLOPE else (before, UNCHANGED)))
        assert are_chances(expit(calibration.corrected(rows[:, 0])))
        before = line


def meanings_hold(stream: Stream) -> None:
    rows, _ = stream.lessons(20)
    vectors = WordVectors(
        rows=np.concatenate((np.zeros((1, Stream.SIZE)), rows)).astype(np.float32),
        places=np.arange(21, dtype=np.int32),
    )
    meanings, before = Meanings(vectors), np.zeros(Stream.SIZE + 1)
    faith = np.append(np.full(Stream.SIZE, RIDGE), FREE)
    for _ in range(2):
        words = stream.chance.integers(0, 21, 24)
        _, came = stream.lessons(12)
        meanings.learn(words, Ranges.of(np.arange(0, 24, 2), np.arange(2, 26, 2)), came)
        meanings.turn(EVERY)
        state = meanings.state()
        problem = Problem(state["rows"].astype(np.float64), state["came"], start=np.zeros(len(faith)), faith=faith)
        assert is_sound(problem, state["weights"], before, problem.start)
        assert are_chances(expit(meanings.speak(words).astype(np.float64)))
        before = state["weights"]


def are_chances(numbers: Floats) -> bool:
    return bool(((numbers >= 0.0) & (numbers <= 1.0)).all())


@pytest.mark.parametrize("streams", slowly(10_000 if THOROUGH else 600))
def test_no_stream_of_lessons_makes_a_learner_run_away(streams: int) -> None:
    """Most are for regression and calibration, which have no more than a few numbers and are fitted most often."""
    for seed in range(streams):
        holds = (regression_holds, calibration_holds, regression_holds, calibration_holds, meanings_hold)[seed % 5]
        holds(Stream(seed // 5))
