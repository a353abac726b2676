"""The net under the apprentice: never much worse than the better of the two, whatever comes, and quick to change the
lead.

The bound. After each link an expert keeps 1 - SHARE / 2 of its part of the weight, and SHARE / 2 of it goes to the
other. The weight of a sequence of experts that begins with one and changes k times in T links is therefore at least

    START * (SHARE / 2)^k * (1 - SHARE / 2)^(T - 1 - k)

and the mixture's loss is at most that sequence's, and the negative logarithm of this. For soft outcomes too: p^y (1 -
p)^(1 - y) is concave in p, so that the loss of the mean forecast is no more than that of the mean likelihood.
"""

from math import floor, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.apprentice.mixture import APPRENTICE, BEST_FIRST, SHARE, START, SURE, Floats, Mixture
from tests.often import often

EXPERTS = (APPRENTICE, BEST_FIRST)
CHANCES = st.floats(0.0, 1.0)
LINKS = st.lists(st.tuples(CHANCES, CHANCES, CHANCES), min_size=1, max_size=80)  # both forecasts, and what came
UNSURE = 0.5


def losses(forecasts: Floats, came: Floats | float) -> Floats:
    sure = np.clip(forecasts, SURE, 1.0 - SURE)
    found: Floats = -(came * np.log(sure) + (1.0 - came) * np.log1p(-sure))
    return found


def cost(links: int, expert: int, changes: int = 0) -> float:
    """What it may cost at the most not to have known which expert is the best to begin with, and where that changes."""
    stays = links - 1 - changes
    return -log(START[expert]) - changes * log(SHARE / 2) - stays * log(1.0 - SHARE / 2)


def run(forecasts: Floats, came: Floats) -> float:
    """Return the loss of the mixture on links that come one by one; `forecasts` has a column for each."""
    mixture, total = Mixture(), 0.0
    for column, outcome in zip(forecasts.T, came, strict=True):
        total += losses(mixture.mixed(column[:, None]), outcome)[0]
        mixture.learn(column[:, None], np.array([outcome]))
    return total


def within_bounds(forecasts: Floats, came: Floats) -> bool:
    """Tell whether the mixture is as good as either expert, and as any change of the lead, but for what that costs."""
    mixed, each = run(forecasts, came), losses(forecasts, came)
    links = len(came)
    steady = all(mixed <= each[expert].sum() + cost(links, expert) + 1e-9 for expert in EXPERTS)
    changing = all(
        mixed <= each[expert, :at].sum() + each[1 - expert, at:].sum() + cost(links, expert, changes=1) + 1e-9
        for expert in EXPERTS
        for at in range(1, links)
    )
    return steady and changing


@given(LINKS)
def test_the_loss_is_within_the_bound_whatever_is_foretold_and_comes(links: list[tuple[float, float, float]]) -> None:
    table = np.array(links)
    assert within_bounds(table[:, :2].T, table[:, 2])


@often(20)
@given(seed=st.integers(0, 10**6), links=st.integers(1, 150), soft=st.booleans())
def test_nor_does_an_adversary_break_it(seed: int, links: int, soft: bool) -> None:
    """Each time the outcome is the one that harms the leader most."""
    chance, mixture = np.random.default_rng(seed), Mixture()
    forecasts, came = chance.random((2, links)), np.zeros(links)
    for link in range(links):
        leads = APPRENTICE if mixture.lead > 0.5 else BEST_FIRST
        came[link] = float(forecasts[leads, link] < 0.5) * (chance.uniform(0.7, 1.0) if soft else 1.0)
        mixture.learn(forecasts[:, link : link + 1], came[link : link + 1])
    assert within_bounds(forecasts, came)


def test_the_bound_is_of_use() -> None:
    """What is lost against the better expert is far less than what the worse one loses."""
    came = np.tile([1.0, 0.0], 100)
    forecasts = np.array((1.0 - np.clip(came, 0.2, 0.8), np.clip(came, 0.2, 0.8)))
    mixed, each = run(forecasts, came), losses(forecasts, came).sum(axis=1)
    assert mixed - each[BEST_FIRST] < cost(200, BEST_FIRST) < 3.0
    assert each[APPRENTICE] - each[BEST_FIRST] > 250.0


def links_to_lead(ratio: float) -> int:
    """Return how many links in a row, each `ratio` times as likely by one expert as by the other, give it the lead.

    It has SHARE / 2 of the weight at least, whatever was before; that grows by the ratio with each link, and the share
    only brings both nearer to a half.
    """
    return floor(log((2.0 - SHARE) / SHARE) / log(ratio)) + 1


def test_the_lead_changes_within_a_few_links() -> None:
    assert [links_to_lead(ratio) for ratio in (1.1, 1.5, 3.0, 9.0)] == [56, 14, 5, 3]


@given(
    history=st.lists(st.tuples(CHANCES, CHANCES, CHANCES), max_size=40), right=st.floats(0.55, 0.95), good=st.booleans()
)
def test_who_turns_wrong_loses_the_lead_and_has_it_back_when_right_again(
    history: list[tuple[float, float, float]], right: float, good: bool
) -> None:
    mixture, came = Mixture(), np.array([float(good)])
    for own, plain, outcome in history:
        mixture.learn(np.array([[own], [plain]]), np.array([outcome]))
    foretold = right if good else 1.0 - right
    wrong = np.array([[1.0 - foretold], [UNSURE]])
    for _ in range(links_to_lead(UNSURE / (1.0 - right))):
        mixture.learn(wrong, came)
    assert mixture.lead < 0.5
    for _ in range(links_to_lead(right / UNSURE)):
        mixture.learn(np.array([[foretold], [UNSURE]]), came)
    assert mixture.lead > 0.5


@given(LINKS)
def test_the_weight_of_each_stays_within_what_the_share_leaves(links: list[tuple[float, float, float]]) -> None:
    mixture = Mixture()
    for own, plain, came in links:
        mixture.learn(np.array([[own], [plain]]), np.array([came]))
        assert SHARE / 2 - 1e-12 <= mixture.lead <= 1.0 - SHARE / 2 + 1e-12
        (mixed,) = mixture.mixed(np.array([[own], [plain]]))
        low, high = np.clip(sorted((own, plain)), SURE, 1.0 - SURE)
        assert low - 1e-12 <= mixed <= high + 1e-12


@given(LINKS, LINKS)
def test_one_that_was_kept_goes_on_as_if_nothing_had_been(
    before: list[tuple[float, float, float]], after: list[tuple[float, float, float]]
) -> None:
    whole, first, second = Mixture(), Mixture(), Mixture()
    for mixture, links in ((whole, before + after), (first, before)):
        table = np.array(links)
        mixture.learn(table[:, :2].T, table[:, 2])
    second.restore({name: array.copy() for name, array in first.state().items()})
    table = np.array(after)
    first_lead = first.lead
    second.learn(table[:, :2].T, table[:, 2])
    assert second.lead == whole.lead
    assert first.lead == first_lead


def test_where_one_says_the_same_of_all_the_other_decides_their_order() -> None:
    mixture = Mixture()
    mixed = mixture.mixed(np.array([[0.3, 0.3, 0.3], [0.9, 0.1, 0.5]]))
    assert mixed.tolist() == pytest.approx([0.42, 0.26, 0.34])
