"""The parts of a report: curves, the experiment as text, verdicts in words, labels, colours and markup."""

from itertools import pairwise
from tomllib import loads

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.lab.experiment.values import Curve, Results, Role, RunResult
from scenthound.lab.report.contests import contests
from scenthound.lab.report.curves import Axis, axis, bands, so_far
from scenthound.lab.report.experiment_text import experiment_text
from scenthound.lab.report.markup import Markup, join, tag
from scenthound.lab.report.palette import INK, MUTED, PAPER, SERIES, Colour, looks
from scenthound.lab.report.plots.name_labels import short_names, spread
from scenthound.lab.report.topic_table import DEEPEST
from tests.lab.made_up_results import SMALL, Plan, made_up
from tests.lab.report_page import Page

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def results() -> Results:
    return made_up(SMALL)


def crawl(curve: Curve, *, wanted: int, fetched: int) -> RunResult:
    return RunResult(
        world="small",
        topic="Cycling",
        role=Role.TEST,
        draw=0,
        strategy="breadth",
        host_cap=0,
        wanted=wanted,
        fetched=fetched,
        stopped="",
        digest="",
        budgets={"n": wanted, "2n": 2 * wanted},
        scores={},
        curve=curve,
    )


def test_a_crawl_that_ran_dry_keeps_its_recall_and_loses_harvest() -> None:
    run = crawl(Curve(at=(5, 10), harvest=(0.4, 0.5), judged=(0.4, 0.5), recall=(0.2, 0.5)), wanted=10, fetched=10)
    at = np.array([5.0, 10.0, 20.0])
    assert so_far(run, "harvest", at).tolist() == [0.4, 0.5, 0.25]
    assert so_far(run, "recall", at).tolist() == [0.2, 0.5, 0.5]


def test_curves_end_where_the_tables_say(results: Results) -> None:
    contest = contests(results)[0]
    along = axis(contest)
    assert along.shares
    assert along.place("2n") == along.at[-1] == 2.0
    assert along.place("100") is None
    curves = bands(contest, "harvest", along)
    for name, band in curves.items():
        mean = contest.mean(name, "2n")
        assert mean is not None
        assert band.mean[-1] == pytest.approx(mean.mean, abs=1e-6)
        assert band.low[-1] == pytest.approx(mean.low, abs=1e-6)
        assert band.high[-1] == pytest.approx(mean.high, abs=1e-6)


def test_budgets_in_fetches_are_drawn_in_fetches() -> None:
    (contest,) = contests(made_up(Plan(topics=2, draws=1, budgets=("50", "100"), skills={"breadth": 0.4})))
    along: Axis = axis(contest)
    assert not along.shares
    assert along.fetches(7)[-1] == 100


def test_where_budgets_are_limited_curves_count_fetches_as_far_as_all_topics_go() -> None:
    (contest,) = contests(made_up(Plan(topics=4, draws=1, most_fetches=60, skills={"breadth": 0.4})))
    along = axis(contest)
    assert not along.shares
    assert along.at[-1] == min(max(run.budgets.values()) for run in contest.runs) <= 60
    assert along.place("n") is None


def test_an_experiment_is_written_so_that_it_can_be_read_again() -> None:
    told = {
        "title": 'A "title"',
        "budgets": ["n", 200],
        "settings": {"critic.kind": "bayes"},
        "world": [{"name": "demo", "demo": 7, "locked": ["*/index/*"]}],
        "strategy": [{"name": "shark", "kind": "shark", "crawl.tunnel": 0, "tune": {"gamma": [0.1, 0.5]}}],
    }
    assert loads(experiment_text({**told, "about": "", "labels": None})) == told


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_of_an_experiment_comes_back(text: str) -> None:
    assert loads(experiment_text({"about": text})) == {"about": text}


@given(st.lists(st.floats(0, 100), min_size=1, max_size=15), st.floats(0.5, 12))
def test_labels_are_moved_apart_in_order_and_stay_on_the_paper(places: list[float], gap: float) -> None:
    moved = spread(places, gap=gap, low=0, high=100)
    order = sorted(range(len(places)), key=lambda index: (places[index], index))
    steps = [moved[after] - moved[before] for before, after in pairwise(order)]
    room = 100 / max(1, len(places) - 1)
    assert all(step >= min(gap, room) - 1e-6 for step in steps)
    assert min(moved) >= -1e-6
    assert max(moved) <= 100 + 1e-6


@given(st.lists(st.floats(0, 100), min_size=1, max_size=8).filter(lambda values: min_gap(values) >= 5))
def test_labels_with_room_enough_are_left_where_they_are(places: list[float]) -> None:
    assert spread(places, gap=5, low=0, high=100) == pytest.approx(places)


def min_gap(values: list[float]) -> float:
    ordered = sorted(values)
    return min((after - before for before, after in pairwise(ordered)), default=100)


def test_long_names_that_differ_stay_different_when_shortened() -> None:
    names = [f"a strategy with a long name (tunnel={n}, gamma=0.5)" for n in range(12)]
    short = short_names([*names, "ache"], 18)
    assert len(set(short.values())) == 13
    assert all(len(name) <= 18 for name in short.values())
    assert short["ache"] == "ache"


def test_no_two_of_twelve_strategies_look_alike() -> None:
    names = [f"strategy {n}" for n in range(12)]
    found = looks(names, references={"strategy 3", "strategy 7"})
    assert len({(look.colour, look.dash) for look in found.values()}) == 12
    assert [name for name, look in found.items() if look.reference] == ["strategy 3", "strategy 7"]


@pytest.mark.parametrize("dark", [False, True])
def test_what_is_to_be_read_stands_out(dark: bool) -> None:
    def shade(colour: Colour) -> list[float]:
        code = colour.dark if dark else colour.light
        return [int(code[place : place + 2], 16) / 255 for place in (1, 3, 5)]

    deepest = [DEEPEST / 100 * b + (1 - DEEPEST / 100) * p for b, p in zip(shade(SERIES[0]), shade(PAPER), strict=True)]
    assert all(contrast(shade(colour), shade(PAPER)) >= 4.5 for colour in (INK, MUTED, SERIES[0]))
    assert all(contrast(shade(colour), shade(PAPER)) >= 3 for colour in SERIES)
    assert contrast(shade(INK), deepest) >= 5.5


def contrast(one: list[float], other: list[float]) -> float:
    """Return the contrast of two colours after WCAG 2.1."""
    weights = (0.2126, 0.7152, 0.0722)
    light, dark = sorted(
        (sum(w * linear(c) for w, c in zip(weights, x, strict=True)) for x in (one, other)), reverse=True
    )
    return (light + 0.05) / (dark + 0.05)


def linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


@given(st.text() | st.text(st.sampled_from("<>&;#/'\"abx ")))
def test_text_comes_out_of_the_page_as_it_went_in(text: str) -> None:
    clean = text.replace("\r", " ").replace("\x00", " ")
    page = Page(tag("p", clean, title=clean) + join(Markup("<br>")))
    assert "".join(page.texts) == clean
