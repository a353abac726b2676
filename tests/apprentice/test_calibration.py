"""Log-odds that mean something: whoever always says too little, or too much, is understood after some lessons."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from scenthound.apprentice.calibration import LATEST, Calibration
from scenthound.lab.metrics.link_scores import calibration_error

ODDS = st.floats(min_value=-30.0, max_value=30.0)
HISTORIES = st.lists(st.tuples(ODDS, st.floats(min_value=0.0, max_value=1.0)), max_size=40)


def taught(history: list[tuple[float, float]]) -> Calibration:
    calibration = Calibration()
    for odds, came in history:
        calibration.learn(np.array([odds]), np.array([came]))
    return calibration


def test_without_lessons_nothing_is_corrected() -> None:
    assert Calibration().corrected(np.array([-2.0, 0.0, 3.0])).tolist() == [-2.0, 0.0, 3.0]


@pytest.mark.parametrize(("slope", "height"), [(1.0, 1.0), (1.0, -1.5), (0.5, 0.0), (2.0, 0.5)])
def test_who_is_wrong_in_the_same_way_each_time_is_understood(slope: float, height: float) -> None:
    chance = np.random.default_rng(5)
    told = chance.normal(-0.5, 1.5, size=2_000)
    came = (chance.random(2_000) < expit(slope * told + height)).astype(np.float64)
    calibration, corrected = Calibration(), np.zeros(2_000)
    for place in range(2_000):
        corrected[place] = expit(calibration.corrected(told[place : place + 1])[0])
        calibration.learn(told[place : place + 1], came[place : place + 1])
    before, after = calibration_error(expit(told), came), calibration_error(corrected, came)
    assert after < 0.7 * before


@given(HISTORIES, ODDS, ODDS)
def test_the_order_of_links_is_never_turned_round(history: list[tuple[float, float]], one: float, other: float) -> None:
    lower, higher = taught(history).corrected(np.array(sorted((one, other))))
    assert lower <= higher
    assert np.isfinite((lower, higher)).all()


def test_only_the_latest_lessons_count() -> None:
    late = [(0.5 * (place % 5), float(place % 2 == 0)) for place in range(4 * LATEST)]  # any 200 in a row have the same
    early = [(-1.0, 1.0)] * 50
    calm, moved = taught(late).corrected(np.array([1.0])), taught(early + late).corrected(np.array([1.0]))
    assert moved == pytest.approx(calm, abs=1e-6)


@given(HISTORIES, HISTORIES)
def test_one_that_was_kept_goes_on_as_if_nothing_had_been(
    before: list[tuple[float, float]], after: list[tuple[float, float]]
) -> None:
    whole, resumed = taught(before + after), Calibration()
    resumed.restore(taught(before).state())
    for odds, came in after:
        resumed.learn(np.array([odds]), np.array([came]))
    assert {name: array.tolist() for name, array in resumed.state().items()} == {
        name: array.tolist() for name, array in whole.state().items()
    }
