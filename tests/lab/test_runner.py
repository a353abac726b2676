"""Experiments run: the same bytes however they are run, nothing crawled twice, and failures that stay where they are."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scenthound.errors import CrawlsFailedError, LabError
from scenthound.lab.experiment.experiment import Experiment, WorldChoice
from scenthound.lab.experiment.experiment_file import located
from scenthound.lab.experiment.values import Results, Role, RunResult, StrategyChoice
from scenthound.lab.runs.progress import Event, FailedCrawl, Stride
from scenthound.lab.runs.results_file import read_results
from scenthound.lab.runs.runner import run_experiment
from tests.lab.small_worlds import small_source
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow

PAGES = 16  # of each topic: with 30 examples of what is not wanted, none need be made up


def strategy(name: str, kind: str = "", **parameters: Any) -> StrategyChoice:
    return StrategyChoice(name=name, kind=kind or name, parameters=parameters, settings={}, tune={})


@pytest.fixture(scope="module")
def webs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("webs")
    small_source(folder, pages=PAGES)
    return folder


@pytest.fixture
def trial(webs: Path) -> Callable[..., Experiment]:
    def make(*strategies: StrategyChoice, world: dict[str, Any] | None = None, **keys: Any) -> Experiment:
        choice = {"topics": ("Nature/Birds", "Nature/Fish"), **(world or {})}
        known: dict[str, Any] = {"examples": 3, "negatives": 30, "draws": 1, "budgets": ("n", "2n"), **keys}
        return Experiment(
            base=str(webs),
            worlds=(WorldChoice(name="small", warc=("small.warc.gz",), labels="small.labels.tsv", **choice),),
            strategies=strategies or (strategy("best-first"), strategy("breadth")),
            **known,
        )

    return make


class Ear:
    """Listens to an experiment, and remembers."""

    def __init__(self) -> None:
        self.heard: list[Event] = []

    def __call__(self, event: Event) -> None:
        self.heard.append(event)

    @property
    def crawled(self) -> list[str]:
        """What was crawled now, and not kept from before."""
        strides = [event for event in self.heard if isinstance(event, Stride) and not event.stage.startswith("reading")]
        kept = 0
        found = []
        for stride in strides:
            if stride.kept == kept:
                found.append(stride.last)
            kept = stride.kept
        return found

    @property
    def failures(self) -> list[str]:
        return [str(event) for event in self.heard if isinstance(event, FailedCrawl)]


def run(experiment: Experiment, folder: Path, *, processes: int = 1, webs: Path) -> tuple[Results, Ear]:
    ear = Ear()
    results = run_experiment(experiment, folder=folder, processes=processes, listener=ear, cache=webs / "cache")
    return results, ear


def of(results: Results, strategy: str) -> list[RunResult]:
    return [run for run in results.runs if run.strategy == strategy]


Trial = Callable[..., Experiment]


def test_every_strategy_crawls_for_every_task(trial: Trial, webs: Path, tmp_path: Path) -> None:
    results, ear = run(trial(draws=2, host_caps=(0, 3)), tmp_path, webs=webs)
    named = [(run.host_cap, run.topic, run.draw, run.strategy) for run in results.runs]
    assert len(set(named)) == len(named) == 2 * 2 * 2 * 2
    assert named[:2] == [(0, "Nature/Birds", 1, "best-first"), (0, "Nature/Birds", 1, "breadth")]
    assert len(ear.crawled) == 16
    assert {(standing.host_cap, standing.budget, standing.strategy) for standing in results.standings} == {
        (cap, budget, name) for cap in (0, 3) for budget in ("n", "2n") for name in ("best-first", "breadth")
    }
    assert read_results(tmp_path) == results


def test_the_results_say_what_was_compared_on_what(trial: Trial, webs: Path, tmp_path: Path) -> None:
    results, _ = run(trial(title="Two orders", world={"locked": ("pots.test",)}), tmp_path, webs=webs)
    [note] = results.worlds
    assert (note.pages, note.hosts, note.locked) == (3 * PAGES + 1, 4, ("pots.test",))
    assert note.truth == "the labels that people gave the pages"
    assert (results.title, results.experiment["baseline"]) == ("Two orders", "best-first")
    assert [entry["name"] for entry in results.strategies] == ["best-first", "breadth"]


def test_a_smaller_budget_is_the_beginning_of_a_greater_one(trial: Trial, webs: Path, tmp_path: Path) -> None:
    both, _ = run(trial(budgets=("n", "2n")), tmp_path / "both", webs=webs)
    alone, _ = run(trial(budgets=("n",)), tmp_path / "alone", webs=webs)
    for long, short in zip(both.runs, alone.runs, strict=True):
        assert long.scores["n"] == short.scores["n"]


def test_links_that_lead_out_are_invisible_or_cost_a_fetch(trial: Trial, webs: Path, tmp_path: Path) -> None:
    seen, _ = run(trial(strategy("breadth"), outside="invisible"), tmp_path / "invisible", webs=webs)
    paid, _ = run(trial(strategy("breadth")), tmp_path / "wasted", webs=webs)
    assert [results.worlds[0].outside for results in (seen, paid)] == ["invisible", "wasted"]
    assert [results.experiment["outside"] for results in (seen, paid)] == ["invisible", "wasted"]
    assert all(run.scores["2n"]["wasted"] == 0 for run in seen.runs if run.stopped == "budget")
    assert any((run.scores["2n"]["wasted"] or 0) > 0 for run in paid.runs)


def test_a_world_may_limit_its_budgets(trial: Trial, webs: Path, tmp_path: Path) -> None:
    results, _ = run(trial(strategy("breadth"), world={"most_fetches": 7}), tmp_path, webs=webs)
    assert results.worlds[0].most_fetches == 7
    for one in results.runs:
        assert (one.budgets, one.fetched, one.stopped) == ({"n": 7, "2n": 7}, 7, "budget")
        assert one.scores["n"] == one.scores["2n"]


# -- the same, whatever happens


def test_one_process_two_processes_and_a_second_run_write_the_same_bytes(
    trial: Trial, webs: Path, tmp_path: Path
) -> None:
    experiment = trial(strategy("best-first"), strategy("random"), strategy("ache"), strategy("oracle"))
    written = []
    for folder, processes in (("one", 1), ("two", 2), ("one", 2)):
        run(experiment, tmp_path / folder, processes=processes, webs=webs)
        written.append((tmp_path / folder / "results.json").read_bytes())
    assert written[0] == written[1] == written[2]
    assert str(tmp_path).encode() not in written[0]
    assert str(webs).encode() not in written[0]


def test_what_is_there_is_not_crawled_again(trial: Trial, webs: Path, tmp_path: Path) -> None:
    first, _ = run(trial(), tmp_path, webs=webs)
    again, ear = run(trial(), tmp_path, webs=webs)
    assert (ear.crawled, again) == ([], first)
    _, ear = run(trial(strategy("best-first"), strategy("breadth"), strategy("random")), tmp_path, webs=webs)
    assert ear.crawled == ["small:Nature/Birds#1 random", "small:Nature/Fish#1 random"]


def test_another_name_is_no_other_strategy(trial: Trial, webs: Path, tmp_path: Path) -> None:
    run(trial(strategy("breadth")), tmp_path, webs=webs)
    results, ear = run(trial(strategy("wide", "breadth")), tmp_path, webs=webs)
    assert ear.crawled == []
    assert {one.strategy for one in results.runs} == {"wide"}


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 8},
        {"settings": {"critic.kind": "bayes"}},
        {"examples": 4},
        {"budgets": ("3n",)},
        {"outside": "invisible"},
    ],
)
def test_what_a_crawl_depends_on_makes_it_anew(
    trial: Trial, webs: Path, tmp_path: Path, change: dict[str, Any]
) -> None:
    run(trial(strategy("breadth")), tmp_path, webs=webs)
    _, ear = run(trial(strategy("breadth"), **change), tmp_path, webs=webs)
    assert len(ear.crawled) == 2


def test_a_damaged_trace_is_crawled_anew(trial: Trial, webs: Path, tmp_path: Path) -> None:
    first, _ = run(trial(), tmp_path, webs=webs)
    kept = sorted((tmp_path / "runs").iterdir())
    kept[0].write_bytes(kept[0].read_bytes()[:-20])
    kept[1].write_bytes(b"")
    again, ear = run(trial(), tmp_path, webs=webs)
    assert len(ear.crawled) == 2
    assert again == first


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_an_interrupted_experiment_goes_on_where_it_was(
    trial: Trial, webs: Path, tmp_path: Path, processes: int
) -> None:
    whole, _ = run(trial(draws=3), tmp_path / "whole", webs=webs)

    def stop_soon(event: Event) -> None:
        if isinstance(event, Stride) and event.stage == "crawling" and event.done == 5:
            raise KeyboardInterrupt

    folder = tmp_path / "interrupted"
    with pytest.raises(KeyboardInterrupt):
        run_experiment(trial(draws=3), folder=folder, processes=processes, listener=stop_soon, cache=webs / "cache")
    assert not (folder / "results.json").exists()
    results, ear = run(trial(draws=3), folder, processes=processes, webs=webs)
    assert len(ear.crawled) <= 12 - 5
    assert results == whole


# -- strategies of one's own, and what may go wrong with them

OWN = """
import os
class Own:
    def __init__(self, briefing, *, least=0.0):
        self.least = least
    def see(self, page):
        {body}
        return {{link.url: max(self.least, page.relevance) for link in page.links}}
"""


def own(folder: Path, name: str, body: str = "pass", **parameters: Any) -> StrategyChoice:
    (folder / f"{name}.py").write_text(OWN.format(body=body))
    return located(strategy(name, f"{name}.py:Own", **parameters), folder)


def test_a_class_of_ones_own_alone_is_crawled_with_again_when_it_changes(
    trial: Trial, webs: Path, tmp_path: Path
) -> None:
    first, ear = run(trial(strategy("breadth"), own(tmp_path, "mine")), tmp_path / "out", webs=webs)
    assert len(of(first, "mine")) == 2
    _, ear = run(trial(strategy("breadth"), own(tmp_path, "mine", "page.depth")), tmp_path / "out", webs=webs)
    assert ear.crawled == ["small:Nature/Birds#1 mine", "small:Nature/Fish#1 mine"]


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_crawl_that_fails_is_named_and_the_others_go_on(
    trial: Trial, webs: Path, tmp_path: Path, processes: int
) -> None:
    bad = own(tmp_path, "bad", "1 / 0 if page.n == 34 else 0")
    ear = Ear()
    with pytest.raises(
        CrawlsFailedError, match=r'2 of 4 crawls failed, and the results are without "bad"; the first: '
    ):
        run_experiment(
            trial(bad, strategy("breadth")),
            folder=tmp_path / "out",
            processes=processes,
            listener=ear,
            cache=webs / "cache",
        )
    assert sorted(ear.failures) == [
        f'strategy "bad" failed on small:Nature/{topic}#1: ZeroDivisionError: division by zero (bad.py, line 7)'
        for topic in ("Birds", "Fish")
    ]
    assert [one.strategy for one in read_results(tmp_path / "out").runs] == ["breadth", "breadth"]


def test_a_process_that_dies_costs_one_crawl(trial: Trial, webs: Path, tmp_path: Path) -> None:
    deadly = own(tmp_path, "deadly", "os.kill(os.getpid(), 9) if page.n == 34 else 0")
    ear = Ear()
    with pytest.raises(CrawlsFailedError):
        run_experiment(
            trial(deadly, strategy("breadth")),
            folder=tmp_path / "out",
            processes=2,
            listener=ear,
            cache=webs / "cache",
        )
    assert len(ear.failures) == 2
    assert all("its process ended with signal 9" in failure for failure in ear.failures)
    assert len(of(read_results(tmp_path / "out"), "breadth")) == 2


SCRIPT = """
import sys
from pathlib import Path
from scenthound.lab import Experiment, StrategyChoice, WorldChoice, run_experiment

webs, out = map(Path, sys.argv[1:])
world = WorldChoice(
    name="small", warc=("small.warc.gz",), labels="small.labels.tsv", topics=("Nature/*",)
)
choice = StrategyChoice(name="breadth", kind="breadth", parameters={}, settings={}, tune={})
experiment = Experiment(base=str(webs), worlds=(world,), strategies=(choice,), draws=1, examples=3, negatives=30)
results = run_experiment(experiment, folder=out, processes=2, cache=webs / "cache")
print(len(results.runs))
"""


def test_a_script_without_a_guard_may_use_several_processes(webs: Path, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, str(tmp_path / "script.py"), str(webs), str(tmp_path / "out")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (ran.stdout, ran.stderr) == ("2\n", "")


# -- tuning


def test_values_are_chosen_on_development_topics_alone(trial: Trial, webs: Path, tmp_path: Path) -> None:
    tried = replace(strategy("best-first"), tune={"crawl.order": ("depth", "best-first")})
    experiment = trial(tried, strategy("breadth"), world={"development": ("Nature/Birds",)}, draws=2)
    results, ear = run(experiment, tmp_path, webs=webs)
    [tuning] = results.tunings
    means = [one["mean"] for one in tuning.tried]
    assert [one["crawl.order"] for one in tuning.tried] == ["depth", "best-first"]
    assert tuning.chosen["crawl.order"] == ("depth" if means[0] >= means[1] else "best-first")
    assert tuning.metric == "harvest at n"
    assert {(one.topic, one.role) for one in results.runs} == {("Nature/Fish", Role.TEST)}
    assert [name for name in ear.crawled if "Birds" in name] == ear.crawled[:4]


def test_nothing_is_tuned_without_development_topics(trial: Trial, webs: Path, tmp_path: Path) -> None:
    tried = replace(strategy("best-first"), tune={"crawl.tunnel": (0, 2)})
    with pytest.raises(LabError, match="no world has topics for development"):
        run(trial(tried), tmp_path, webs=webs)


def test_development_and_test_topics_may_both_be_reported_and_stay_apart(
    trial: Trial, webs: Path, tmp_path: Path
) -> None:
    experiment = trial(strategy("breadth"), world={"development": ("Nature/Birds",)}, topics="all")
    results, _ = run(experiment, tmp_path, webs=webs)
    assert {(standing.role, tuple(standing.by_topic["harvest"])) for standing in results.standings} == {
        (Role.DEVELOPMENT, ("Nature/Birds",)),
        (Role.TEST, ("Nature/Fish",)),
    }


# -- strategies that follow others


def test_a_recall_crawl_keeps_to_the_pages_of_another(trial: Trial, webs: Path, tmp_path: Path) -> None:
    confined = strategy("again", "recall", of="breadth", by="best-first")
    results, _ = run(trial(confined, strategy("breadth"), budgets=("0.5n",)), tmp_path, webs=webs)
    for one, other in zip(of(results, "again"), of(results, "breadth"), strict=True):
        assert one.fetched <= other.fetched
        assert one.scores["0.5n"]["recall_all"] <= other.scores["0.5n"]["recall_all"]  # type: ignore[operator]


@pytest.mark.parametrize("other", ["", "nobody", "again"])
def test_a_recall_crawl_needs_another_to_follow(trial: Trial, webs: Path, tmp_path: Path, other: str) -> None:
    confined = strategy("again", "recall", of=other, by="best-first")
    with pytest.raises(LabError, match="must name another strategy"):
        run(trial(confined, strategy("breadth")), tmp_path, webs=webs)
