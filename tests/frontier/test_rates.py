"""How often a page changes, as far as irregular visits tell."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.frontier.rates import (
    DAY,
    RATES,
    Floats,
    Rates,
    chances,
    freshness_gains,
    likelihoods,
    mean_span,
    observed,
    prior_of,
    span_of_chance,
)
from scenthound.types import Change, Visit, Visited

spans_and_news = st.lists(st.tuples(st.floats(0.01, 400), st.booleans()), min_size=1, max_size=12)


def page(*visits: tuple[float, bool], url: str = "p", host: str = "h") -> Visited:
    """A page visited first on day 0, and then after so many days each, with news or without."""
    at, seen = 0.0, [Visit(at=0.0, change=Change.APPEARED)]
    for days, news in visits:
        at += days * DAY
        seen.append(Visit(at=at, change=Change.CHANGED if news else Change.UNCHANGED))
    return Visited(id=1, url=url, host=host, visits=tuple(seen))


def known_of(one: Visited, *others: Visited) -> Floats:
    rates = Rates()
    rates.learn([one, *others])
    return rates.of([one])


def days_between_changes(one: Visited, *others: Visited) -> float:
    return float(mean_span(known_of(one, *others))[0] / DAY)


def test_one_visit_says_what_is_typical() -> None:
    assert days_between_changes(page()) == pytest.approx(30, rel=0.05)


def test_one_more_visit_decides_nothing() -> None:
    """The maximum likelihood would be never, or all the time."""
    assert 30 < days_between_changes(page((7, False))) < 90
    assert 4 < days_between_changes(page((7, True))) < 30


def test_many_visits_find_the_rate() -> None:
    """Visited every 5 days, a page that changes every 5 days on average has news in 1 - 1/e of the visits."""
    news = [number % 19 < 12 for number in range(190)]
    assert days_between_changes(page(*[(5, new) for new in news])) == pytest.approx(5, rel=0.1)


def test_irregular_visits_find_it_too() -> None:
    dice = np.random.default_rng(1)
    spans = dice.choice([0.5, 3.0, 20.0], size=300)
    seen = [(float(span), bool(dice.random() < 1 - np.exp(-span / 4))) for span in spans]
    assert days_between_changes(page(*seen)) == pytest.approx(4, rel=0.25)


def test_other_pages_of_the_host_speak_for_one_that_is_hardly_known() -> None:
    lively = [page(*[(1, True)] * 20, url=str(number)) for number in range(10)]
    elsewhere = page(url="x", host="another")
    assert days_between_changes(page((1, True), url="new"), *lively) < 3
    assert 3 < days_between_changes(elsewhere, *lively) < 30  # all pages together say a little about other hosts


def test_a_page_does_not_speak_for_itself_as_its_host_does() -> None:
    alone = page((1, True))
    by_itself = prior_of() * likelihoods([observed(alone.visits)])
    rates = Rates()
    rates.learn([alone])
    assert rates.of([alone])[0] == pytest.approx((by_itself / by_itself.sum())[0])


@given(spans_and_news)
def test_chances_are_probabilities_that_grow_with_time(seen: list[tuple[float, bool]]) -> None:
    known = known_of(page(*seen))
    assert known.sum() == pytest.approx(1.0)
    over_time = [float(chances(known, np.array([days * DAY]))[0]) for days in (0, 1, 10, 100, 1000)]
    assert over_time[0] == 0.0
    assert over_time == sorted(over_time)
    assert over_time[-1] <= 1.0
    span = span_of_chance(known[0], 0.25)
    assert chances(known, np.array([span]))[0] == pytest.approx(0.25, abs=1e-6)


@given(spans_and_news, st.floats(0.01, 400))
def test_news_makes_a_page_livelier_and_none_makes_it_calmer(seen: list[tuple[float, bool]], days: float) -> None:
    calm, as_it_was, lively = (known_of(page(*seen, *more)) for more in ([(days, False)], [], [(days, True)]))
    expected = [float((known * RATES).sum()) for known in (calm, as_it_was, lively)]
    assert expected == pytest.approx(sorted(expected), rel=1e-6)


def test_likelihoods_are_those_of_the_formula() -> None:
    seen = observed(page((2, True), (3, False), (4, True)).visits)
    by_hand = (1 - np.exp(-2 * DAY * RATES)) * np.exp(-3 * DAY * RATES) * (1 - np.exp(-4 * DAY * RATES))
    assert likelihoods([seen])[0] == pytest.approx(by_hand / by_hand.max())


def test_what_changes_by_the_minute_is_hardly_worth_a_visit_to_stay_fresh() -> None:
    """Of pages visited a week ago, one that changes every week gains most."""

    def surely(days: float) -> Floats:
        return np.asarray(np.eye(len(RATES))[np.abs(np.log(RATES * days * DAY)).argmin()])

    known = np.array([surely(days) for days in (0.01, 5, 3000)])
    gains = freshness_gains(known, np.full(3, 7 * DAY))
    assert gains.argmax() == 1
    assert prior_of().argmax() == surely(30).argmax()
