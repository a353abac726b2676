"""A crawl of a web small enough to count on one's fingers, and what must hold of every crawl."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.lab.experiment.values import Curve, Role, RunResult, Task, Trace
from scenthound.lab.metrics.crawl_metrics import Scores, curve, score, steps
from scenthound.lab.metrics.metric_page import metrics_page
from scenthound.lab.metrics.metric_table import METRICS, OF_CRAWLS, OF_LINKS, OF_RIVALS, Better, by_name
from scenthound.lab.metrics.relatives import relative, with_relatives
from scenthound.lab.metrics.world_facts import Ground, survey
from tests.lab.small_traces import SmallWeb, crawls, prefix, task_for, trace_of

NAN = float("nan")

#   0 ─► 1 ─► 2 ─► 3 ─► 4        0 is where the crawl starts; 2, 3, 4, 5 and 7 are wanted;
#   └──► 5    └──► 6             nothing leads to 7
WEB = SmallWeb(
    hosts=("a.test", "a.test", "b.test", "b.test", "c.test", "a.test", "d.test", "e.test"),
    ways={0: [1, 5], 1: [2], 2: [3, 6, 0], 3: [4]},
)
TASK = task_for([2, 3, 4, 5, 7])
GROUND = survey(WEB, TASK)
# 1 is not wanted, the second fetch fails, 5 and 2 and 3 are wanted, 3 is nearly the same page as 2.
TRACE = trace_of(
    [1, -1, 5, 2, 3],
    relevance=[0.25, NAN, 0.5, 1.0, 0.75],
    priority=[0.75, 0.75, 0.25, 1.0, 0.5],
    repeats=[4],
)


def scores(budget: int, trace: Trace = TRACE, task: Task = TASK, ground: Ground = GROUND) -> Scores:
    return score(trace, task, ground, budget=budget)


def test_the_ground_knows_hosts_and_the_shortest_ways() -> None:
    assert GROUND.host.tolist() == [0, 0, 1, 1, 2, 0, 3, 4]
    assert GROUND.hops.tolist() == [0, 1, 2, 3, 4, 1, 3, -1]
    assert GROUND.reachable == 4


def test_no_way_passes_a_locked_page() -> None:
    ground = survey(WEB, TASK, locked={2})
    assert ground.hops.tolist() == [0, 1, -1, -1, -1, 1, -1, -1]
    assert ground.reachable == 1


def test_examples_that_the_crawl_does_not_start_from_are_dead_ends() -> None:
    ground = survey(WEB, task_for([2, 3, 4, 5], others=[2]))
    assert ground.hops.tolist() == [0, 1, 2, -1, -1, 1, -1, -1]
    assert survey(WEB, task_for([4], start=[0, 3], examples=[1])).hops.tolist() == [0, 1, -1, 0, 1, 1, -1, -1]


def test_a_start_outside_the_world_leads_nowhere() -> None:
    assert survey(WEB, replace(TASK, start=("http://gone.test/",))).reachable == 0


def test_the_harvest_counts_wanted_pages_for_each_fetch_of_the_budget() -> None:
    found = scores(5)
    assert found["harvest"] == 0.6
    assert found["loss"] == 0.4
    assert found["unique"] == 0.4
    assert found["judged"] == 0.5
    assert found["wasted"] == 0.2
    assert found["auc"] == pytest.approx((0 + 0 + 1 / 3 + 2 / 4 + 3 / 5) / 5)


def test_fetches_that_were_not_made_found_nothing() -> None:
    found = scores(10)
    assert found["harvest"] == 0.3
    assert found["judged"] == 0.25
    assert found["wasted"] == 0.2  # of the fetches that were made
    assert found["auc"] == pytest.approx((1 / 3 + 2 / 4 + sum(3 / t for t in range(5, 11))) / 10)


def test_recall_is_of_what_can_be_reached_and_of_all() -> None:
    found = scores(5)
    assert found["recall"] == 0.75
    assert found["recall_all"] == 0.6
    assert [found[f"fetches_to_{part}"] for part in (25, 50, 75)] == [3, 4, 5]
    assert [scores(4)[f"fetches_to_{part}"] for part in (25, 50, 75)] == [3, 4, None]


def test_the_bound_is_what_the_world_has() -> None:
    assert scores(2)["bound"] == 1.0
    assert scores(5)["bound"] == 0.8
    assert scores(5)["of_bound"] == 0.75


def test_hosts_and_distances() -> None:
    found = scores(5)
    assert (found["hosts"], found["relevant_hosts"]) == (2, 2)
    assert found["hops"] == 2.0
    assert found["far"] == pytest.approx(1 / 3)


def test_a_wanted_page_to_which_no_link_leads_is_found_but_not_recalled() -> None:
    found = score(trace_of([7, 5]), TASK, GROUND, budget=2)
    assert found["harvest"] == 1.0
    assert found["recall"] == 0.25
    assert found["recall_all"] == 0.4
    assert found["hops"] == 1.0


def test_a_page_that_comes_twice_is_found_once() -> None:
    found = score(trace_of([5, 5]), TASK, GROUND, budget=2)
    assert (found["harvest"], found["recall"]) == (0.5, 0.25)


def test_what_cannot_be_said_is_null() -> None:
    found = score(trace_of([]), TASK, GROUND, budget=3)
    assert found["harvest"] == found["judged"] == found["recall"] == 0.0
    assert found["hops"] is found["far"] is found["wasted"] is found["link_auc"] is found["link_brier"] is None
    nothing = score(TRACE, task_for([]), survey(WEB, task_for([])), budget=3)
    assert nothing["recall"] is nothing["recall_all"] is nothing["of_bound"] is nothing["fetches_to_25"] is None
    assert nothing["bound"] == 0.0


def test_a_budget_is_at_least_one_fetch() -> None:
    with pytest.raises(ValueError, match="at least one fetch"):
        scores(0)


def test_priorities_are_held_against_the_truth_and_against_the_critic() -> None:
    found = scores(5)
    # wanted .25, 1, .5; not wanted .75 twice: two of six pairs are right
    assert found["link_auc"] == pytest.approx(2 / 6)
    assert found["link_brier"] == pytest.approx((0.75**2 * 3 + 0 + 0.5**2) / 5)
    # relevance .5 and more: the same pages; relevance itself is .25, 0, .5, 1, .75
    assert found["link_auc_judged"] == pytest.approx(2 / 6)
    assert found["link_brier_judged"] == pytest.approx((0.5**2 + 0.75**2 + 0.25**2 + 0 + 0.25**2) / 5)


def test_the_curve_says_how_it_went_along() -> None:
    assert curve(TRACE, TASK, GROUND, points=5) == Curve(
        at=(1, 2, 3, 4, 5),
        harvest=(0.0, 0.0, 0.333333333333, 0.5, 0.6),
        judged=(0.25, 0.125, 0.25, 0.4375, 0.5),
        recall=(0.0, 0.0, 0.25, 0.5, 0.75),
    )


def test_the_curve_goes_on_after_a_crawl_ran_dry() -> None:
    found = curve(TRACE, TASK, GROUND, fetches=10, points=2)
    assert found == Curve(at=(5, 10), harvest=(0.6, 0.3), judged=(0.5, 0.25), recall=(0.75, 0.75))


def test_a_crawl_that_fetched_nothing_has_an_empty_curve() -> None:
    assert curve(trace_of([]), TASK, GROUND).at == ()


@settings(deadline=None)
@given(st.integers(min_value=0, max_value=5000), st.integers(min_value=1, max_value=200))
def test_the_points_of_a_curve_are_evenly_spread(end: int, points: int) -> None:
    at = steps(end, points).tolist()
    assert len(at) == min(end, points)
    assert at[-1:] == [end][: len(at)]
    gaps = {later - sooner for sooner, later in zip([0, *at], at, strict=False)}
    assert not gaps or max(gaps) - min(gaps) <= 1


@settings(deadline=None)
@given(crawls(), st.integers(min_value=1, max_value=40))
def test_what_comes_after_the_budget_does_not_count(crawl: tuple[Trace, Task, Ground], budget: int) -> None:
    trace, task, ground = crawl
    assert score(trace, task, ground, budget=budget) == score(prefix(trace, budget), task, ground, budget=budget)


@settings(deadline=None)
@given(crawls(), st.integers(min_value=1, max_value=40))
def test_shares_are_shares_and_harvest_counts_pages(crawl: tuple[Trace, Task, Ground], budget: int) -> None:
    found = score(*crawl, budget=budget)
    harvest, judged, auc = (found[name] or 0.0 for name in ("harvest", "judged", "auc"))
    assert harvest * budget == pytest.approx(round(harvest * budget), abs=1e-9)
    assert 0 <= (found["unique"] or 0) <= harvest <= 1
    assert 0 <= judged <= 1
    assert 0 <= auc <= 1
    for metric in METRICS:
        value = found.get(metric.name)
        assert value is None or metric.unit != "share" or metric.name == "of_bound" or 0 <= value <= 1, metric.name


@pytest.mark.slow
@settings(deadline=None)
@given(crawls())
def test_recall_never_falls_and_reaches_its_milestones_in_order(crawl: tuple[Trace, Task, Ground]) -> None:
    trace, task, ground = crawl
    recalls = [score(trace, task, ground, budget=budget)["recall"] or 0.0 for budget in range(1, len(trace) + 1)]
    assert recalls == sorted(recalls)
    assert list(curve(trace, task, ground, points=len(trace) or 1).recall) == recalls
    found = score(trace, task, ground, budget=max(1, len(trace)))
    times = [found[f"fetches_to_{part}"] for part in (25, 50, 75)]
    reached = [time for time in times if time is not None]
    assert reached == sorted(reached)
    assert times[: len(reached)] == reached  # what comes later is missing first
    for part, time in zip((25, 50, 75), reached, strict=False):
        assert recalls[int(time) - 1] >= part / 100
        assert time == 1 or recalls[int(time) - 2] < part / 100


@settings(deadline=None)
@given(crawls())
def test_the_area_is_the_mean_of_the_curve(crawl: tuple[Trace, Task, Ground]) -> None:
    trace, task, ground = crawl
    budget = len(trace) + 3
    harvests = curve(trace, task, ground, fetches=budget, points=budget).harvest
    assert score(trace, task, ground, budget=budget)["auc"] == pytest.approx(sum(harvests) / budget, abs=1e-10)


def test_harvest_lies_between_random_and_oracle() -> None:
    harvests: dict[str, Scores] = {"oracle": {"harvest": 0.8}, "any": {"harvest": 0.2}, "mine": {"harvest": 0.5}}
    assert relative(harvests, oracle="oracle", random="any")["mine"] == {"of_oracle": 0.625, "gain": 0.5}
    assert relative(harvests, oracle="oracle", random="any")["oracle"] == {"of_oracle": 1.0, "gain": 1.0}
    assert relative(harvests, oracle="oracle", random="none")["mine"] == {"of_oracle": 0.625, "gain": None}
    assert relative(harvests, oracle="none", random="any")["mine"] == {"of_oracle": None, "gain": None}


def test_an_oracle_that_is_not_better_than_random_is_no_measure() -> None:
    harvests: dict[str, Scores] = {"oracle": {"harvest": 0.0}, "random": {"harvest": 0.0}}
    assert relative(harvests, oracle="oracle", random="random")["random"] == {"of_oracle": None, "gain": None}


def run(strategy: str, topic: str, harvest: float) -> RunResult:
    empty = Curve(at=(), harvest=(), judged=(), recall=())
    return RunResult(
        world="small",
        topic=topic,
        role=Role.TEST,
        draw=0,
        strategy=strategy,
        host_cap=0,
        wanted=5,
        fetched=5,
        stopped="budget",
        digest="",
        budgets={"n": 5, "2n": 10},
        scores={"n": {"harvest": harvest}, "2n": {"harvest": harvest / 2}},
        curve=empty,
    )


def test_runs_are_compared_within_their_task_only() -> None:
    runs = [run("mine", "A", 0.5), run("mine", "B", 0.5), run("oracle", "A", 1.0), run("random", "A", 0.0)]
    first, second, oracle, _ = with_relatives(runs)
    assert first.scores["n"] == {"harvest": 0.5, "of_oracle": 0.5, "gain": 0.5}
    assert first.scores["2n"] == {"harvest": 0.25, "of_oracle": 0.5, "gain": 0.5}
    assert second.scores["n"] == {"harvest": 0.5, "of_oracle": None, "gain": None}
    assert oracle.scores["n"]["gain"] == 1.0
    assert runs[0].scores["n"] == {"harvest": 0.5}


def test_the_table_names_all_that_is_computed_and_nothing_else() -> None:
    assert list(scores(5)) == [metric.name for metric in OF_CRAWLS + OF_LINKS]
    related = relative({"mine": {"harvest": 0.5}}, oracle="oracle", random="random")
    assert list(related["mine"]) == [metric.name for metric in OF_RIVALS]
    assert len(by_name()) == len(METRICS)


def test_every_metric_has_words() -> None:
    assert len({metric.title for metric in METRICS}) == len(METRICS)
    for metric in METRICS:
        assert metric.help.endswith(".")
        assert metric.formula
        assert metric.better in Better


def test_the_page_of_the_reference_is_what_the_code_makes() -> None:
    page = Path(__file__).parent.parent.parent / "docs" / "reference" / "lab-metrics.md"
    assert page.read_text(encoding="utf-8") == "\n".join(metrics_page()) + "\n", "run `make docs`"
