"""From runs to standings and duels: topics are the unit, and nothing depends on order, process or hash seed."""

import os
import subprocess
import sys
from itertools import product
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import wilcoxon

from scenthound.lab.experiment.values import Curve, Interval, Role, RunResult, Standing
from scenthound.lab.metrics.bootstrap import RESAMPLES, Bootstrap, resample
from scenthound.lab.metrics.signed_rank import holm, signed_rank
from scenthound.lab.metrics.statistics import duels, standings
from tests.often import often
from tests.patience import PATIENCE

NO_CURVE = Curve(at=(), harvest=(), judged=(), recall=())
VALUES = st.floats(min_value=-100, max_value=100).map(lambda value: round(value, 3))


def run(
    strategy: str,
    topic: str,
    harvest: float | None,
    *,
    draw: int = 0,
    role: Role = Role.TEST,
    metric: str = "harvest",
) -> RunResult:
    return RunResult(
        world="small",
        topic=topic,
        role=role,
        draw=draw,
        strategy=strategy,
        host_cap=0,
        wanted=10,
        fetched=10,
        stopped="budget",
        digest="",
        budgets={"n": 10},
        scores={"n": {metric: harvest}},
        curve=NO_CURVE,
    )


def runs_of(**strategies: list[float]) -> list[RunResult]:
    """Give each strategy one draw of the topics T0, T1, …"""
    return [run(name, f"T{n}", value) for name, values in strategies.items() for n, value in enumerate(values)]


def only(found: tuple[Standing, ...]) -> Standing:
    (standing,) = found
    return standing


def test_first_the_mean_over_draws_and_then_over_topics() -> None:
    runs = [run("a", "T0", 0.1), run("a", "T0", 0.3, draw=1), run("a", "T0", 0.2, draw=2), run("a", "T1", 0.6)]
    standing = only(standings(runs, seed=7))
    assert standing.by_topic == {"harvest": {"T0": 0.2, "T1": 0.6}}
    assert standing.metrics["harvest"].mean == 0.4  # and not .3, the mean over runs
    assert standing.metrics["harvest"].topics == 2


def test_one_topic_has_no_interval() -> None:
    standing = only(standings([run("a", "T0", 0.25)], seed=7))
    assert standing.metrics["harvest"] == Interval(mean=0.25, low=0.25, high=0.25, topics=1)


def test_development_and_test_topics_are_kept_apart() -> None:
    runs = [run("a", "T0", 0.2), run("a", "T1", 0.8, role=Role.DEVELOPMENT)]
    assert {(found.role, found.metrics["harvest"].mean) for found in standings(runs, seed=7)} == {
        (Role.TEST, 0.2),
        (Role.DEVELOPMENT, 0.8),
    }


def test_a_topic_with_a_draw_that_has_no_value_is_left_out_and_the_number_of_topics_says_so() -> None:
    values = [("T0", 0, 10.0), ("T0", 1, None), ("T1", 0, 40.0), ("T1", 1, 60.0)]
    runs = [run("a", topic, value, draw=draw, metric="fetches_to_50") for topic, draw, value in values]
    standing = only(standings(runs, seed=7))
    assert standing.metrics == {"fetches_to_50": Interval(mean=50.0, low=50.0, high=50.0, topics=1)}


def test_a_metric_that_nobody_has_is_left_out() -> None:
    assert only(standings([run("a", "T0", None)], seed=7)).metrics == {}


def test_strategies_fight_topic_by_topic() -> None:
    runs = runs_of(mine=[0.3, 0.4, 0.5, 0.2, 0.7, 0.8, 0.6], base=[0.2, 0.2, 0.2, 0.2, 0.3, 0.3, 0.7])
    (duel,) = duels(runs, baseline="base", seed=7)
    assert (duel.one, duel.other, duel.metric) == ("mine", "base", "harvest")
    assert (duel.wins, duel.ties, duel.losses) == (5, 1, 1)
    assert duel.difference.mean == pytest.approx(1.4 / 7)
    # Sizes 0, .1, .1, .2, .3, .4, .5 have ranks 1, 2½, 2½, 4, 5, 6, 7, and what is lost has 2½. Of the 64 ways to sign
    # the last six, three have no more below zero (nothing, or either 2½), and three no more above.
    assert duel.p == pytest.approx(2 * 3 / 64)


def test_where_lower_is_better_the_lower_one_wins() -> None:
    runs = [run("mine", f"T{n}", 10.0 + n, metric="fetches_to_50") for n in range(6)]
    runs += [run("base", f"T{n}", 20.0 + 2 * n, metric="fetches_to_50") for n in range(6)]
    (duel,) = duels(runs, baseline="base", seed=7)
    assert (duel.wins, duel.losses) == (6, 0)
    assert duel.difference.mean == -12.5
    assert duel.p == 2 / 64


def test_too_few_topics_say_nothing() -> None:
    (duel,) = duels(runs_of(mine=[0.5] * 5, base=[0.1, 0.2, 0.3, 0.4, 0.0]), baseline="base", seed=7)
    assert (duel.wins, duel.p, duel.p_holm) == (5, 1.0, 1.0)
    assert duel.difference.topics == 5


def test_a_duel_is_fought_on_topics_that_both_have() -> None:
    runs = runs_of(mine=[0.5, 0.5], base=[0.1, 0.1, 0.9])
    (duel,) = duels(runs, baseline="base", seed=7)
    assert (duel.wins, duel.difference.topics) == (2, 2)
    assert duels([run("mine", "T0", 0.1), run("base", "T1", 0.1)], baseline="base", seed=7) == ()


def test_what_only_describes_a_crawl_is_not_fought_over() -> None:
    runs = [run(name, "T0", 3.0, metric="hops") for name in ("mine", "base")]
    assert duels(runs, baseline="base", seed=7) == ()


def test_holm_corrects_within_the_same_metric_only() -> None:
    recall = {"a": 0.9, "base": 0.0}
    runs = [
        msgspec.structs.replace(one, scores={"n": {**one.scores["n"], "recall": recall.get(one.strategy)}})
        for one in runs_of(a=[0.5] * 6, b=[0.6] * 6, base=[0.1, 0.2, 0.3, 0.11, 0.12, 0.13])
    ]
    assert [(duel.metric, duel.one, duel.p, duel.p_holm) for duel in duels(runs, baseline="base", seed=7)] == [
        ("harvest", "a", 0.03125, 0.0625),
        ("harvest", "b", 0.03125, 0.0625),
        ("recall", "a", 0.03125, 0.03125),
    ]


def test_everyone_may_fight_everyone() -> None:
    runs = runs_of(a=[0.1], b=[0.2], c=[0.3])
    assert [(duel.one, duel.other) for duel in duels(runs, baseline="b", seed=7)] == [("a", "b"), ("c", "b")]
    assert [(duel.one, duel.other) for duel in duels(runs, baseline="b", seed=7, everyone=True)] == [
        ("a", "b"),
        ("c", "b"),
        ("a", "c"),
    ]
    assert len(duels(runs, baseline=None, seed=7, everyone=True)) == 3
    assert duels(runs, baseline=None, seed=7) == duels(runs, baseline="absent", seed=7) == ()


def test_equal_but_for_the_last_bit_is_a_tie() -> None:
    runs = [run("a", "T0", 0.1, draw=0), run("a", "T0", 0.2, draw=1), run("b", "T0", 0.15)]
    (duel,) = duels(runs, baseline="b", seed=7)
    assert 0.1 + 0.2 != 2 * 0.15
    assert duel.ties == 1


def experiment() -> list[RunResult]:
    """Draw an experiment of three strategies, seven topics and two draws."""
    chance = Random(3)
    return [
        run(strategy, f"T{topic}", round(chance.random(), 4), draw=draw, role=role)
        for role in (Role.TEST, Role.DEVELOPMENT)
        for strategy in ("a", "b", "base")
        for topic in range(7)
        for draw in range(2)
    ]


@often(30)
@given(st.permutations(experiment()))
def test_the_order_of_the_runs_does_not_matter(runs: list[RunResult]) -> None:
    expected = experiment()
    assert standings(runs, seed=7) == standings(expected, seed=7)
    assert duels(runs, baseline="base", seed=7) == duels(expected, baseline="base", seed=7)


def test_another_strategy_changes_nothing_about_the_rest() -> None:
    fewer = [one for one in experiment() if one.strategy != "b"]
    assert set(map(str, standings(fewer, seed=7))) < set(map(str, standings(experiment(), seed=7)))


def test_another_seed_gives_other_resamples() -> None:
    topics = ("A", "B", "C")
    assert (resample(topics, seed=7) == resample(topics, seed=7)).all()
    assert (resample(topics, seed=7) != resample(topics, seed=8)).any()
    assert (resample(topics, seed=7) != resample(("A", "B", "D"), seed=7)).any()


def test_every_resample_has_as_many_topics_and_each_comes_as_often() -> None:
    drawn = resample(("A", "B", "C", "D"), seed=7)
    assert (drawn.sum(axis=0) == 4).all()
    assert drawn.sum(axis=1) == pytest.approx(RESAMPLES, rel=0.03)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from("ABCDE"), VALUES, min_size=1))
def test_the_interval_holds_the_mean_and_lies_among_the_values(values: dict[str, float]) -> None:
    found = Bootstrap(seed=7).interval(values)
    assert min(values.values()) - 1e-9 <= found.low <= found.mean <= found.high <= max(values.values()) + 1e-9
    assert found.topics == len(values)


def test_the_order_of_the_topics_does_not_matter() -> None:
    values = {f"T{n:02}": (n * 37 % 101) / 101 for n in range(20)}
    backwards = dict(reversed(values.items()))
    assert Bootstrap(seed=7).interval(backwards) == Bootstrap(seed=7).interval(values)


@pytest.mark.slow
def test_the_interval_is_about_two_standard_errors_either_way() -> None:
    values = {f"T{n:02}": n / 100 for n in range(100)}
    found = Bootstrap(seed=7).interval(values)
    error = 0.2887 / 10  # the standard deviation of evenly spread values, over the root of their number
    assert found.high - found.mean == pytest.approx(1.96 * error, rel=0.05)
    assert found.mean - found.low == pytest.approx(1.96 * error, rel=0.05)


def by_enumeration(differences: list[float]) -> float:
    """Count, of all ways to give the differences signs, those with a sum of signed ranks at least as far from 0."""
    sizes = sorted(map(abs, differences))
    ranks = [
        (sizes.index(abs(value)) + len(sizes) - sizes[::-1].index(abs(value)) + 1) / 2
        for value in differences
        if value != 0
    ]
    seen = abs(sum(rank if value > 0 else -rank for rank, value in zip(ranks, filter(None, differences), strict=True)))
    ways = [abs(sum(map(float.__mul__, ranks, signs))) for signs in product((1.0, -1.0), repeat=len(ranks))]
    return sum(way >= seen for way in ways) / len(ways)


@settings(deadline=None)
@given(st.lists(st.integers(min_value=-4, max_value=4).map(float), max_size=9))
def test_signed_ranks_are_counted_out_ties_and_zeros_included(differences: list[float]) -> None:
    assert signed_rank(differences) == pytest.approx(by_enumeration(differences))


@settings(deadline=None)
@given(st.permutations(range(1, 16)), st.lists(st.sampled_from([1, -1]), min_size=15, max_size=15))
def test_without_ties_signed_ranks_agree_with_scipy(sizes: list[int], signs: list[int]) -> None:
    differences = [size * sign for size, sign in zip(sizes, signs, strict=True)]
    assert signed_rank(differences) == pytest.approx(wilcoxon(differences, method="exact").pvalue)


def test_fifty_topics_with_ties_are_near_the_normal_curve() -> None:
    chance = Random(5)
    differences = [chance.randint(-8, 13) / 20 for _ in range(50)]
    near = wilcoxon(differences, zero_method="pratt", method="asymptotic").pvalue
    assert 0.01 < near < 0.5
    assert signed_rank(differences) == pytest.approx(near, abs=0.01)  # of 2,000 such samples, .005 was the widest gap


def test_an_equal_topic_does_not_turn_the_verdict_round() -> None:
    pratt = [0, 2, 3, 4, 6, 7, 8, 9, 11, 14, 15, 17, -18]  # the example of Pratt 1959
    less = [value - 1 for value in pratt]
    assert signed_rank(pratt) < signed_rank(less) < signed_rank([value for value in pratt if value != 0])


@given(st.lists(st.floats(min_value=0, max_value=1), max_size=12))
def test_holm_keeps_the_order_and_never_favours(chances: list[float]) -> None:
    corrected = holm(chances)
    for one, one_corrected in zip(chances, corrected, strict=True):
        assert one <= one_corrected <= min(1.0, one * len(chances))
        for other, other_corrected in zip(chances, corrected, strict=True):
            assert one_corrected <= other_corrected or one > other


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


PROGRAM = """
import msgspec, sys
from tests.lab.test_statistics import experiment
from scenthound.lab.metrics.statistics import duels, standings
runs = experiment()
sys.stdout.buffer.write(msgspec.json.encode([standings(runs, seed=7), duels(runs, baseline="base", seed=7)]))
"""


@pytest.mark.slow
def test_results_do_not_hang_on_the_hash_seed() -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "1"}  # that of this process is drawn by chance
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr.decode()
    runs = experiment()
    assert done.stdout == msgspec.json.encode([standings(runs, seed=7), duels(runs, baseline="base", seed=7)])
