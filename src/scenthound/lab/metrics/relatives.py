"""The value of a crawl relative to others of the same task: its harvest between random order and the oracle."""

from collections.abc import Mapping, Sequence
from itertools import groupby

import msgspec.structs

from scenthound.lab.experiment.values import RunResult
from scenthound.lab.metrics.crawl_metrics import Scores
from scenthound.lab.metrics.digits import tidy


def relative(scores: Mapping[str, Scores], *, oracle: str, random: str) -> dict[str, Scores]:
    """Return the relative harvest of each strategy, on one task at one budget.

    `scores` are those of all strategies, by name; without the oracle or random there is no result.

    >>> scores = {"a": {"harvest": 0.5}, "best": {"harvest": 0.8}, "any": {"harvest": 0.3}}
    >>> found = relative(scores, oracle="best", random="any")
    >>> found["a"]
    {'of_oracle': 0.625, 'gain': 0.4}
    """
    most, least = _harvest_of(scores.get(oracle)), _harvest_of(scores.get(random))
    return {name: _beside(_harvest_of(own), most, least) for name, own in scores.items()}


def with_relatives(runs: Sequence[RunResult], *, oracle: str = "oracle", random: str = "random") -> list[RunResult]:
    """Add the relative metrics to the runs of an experiment, task by task; `oracle` and `random` name strategies."""
    found: dict[int, RunResult] = {}
    order = sorted(range(len(runs)), key=lambda place: _task_of(runs[place]))
    for _, group in groupby(order, key=lambda place: _task_of(runs[place])):
        places = list(group)
        found |= zip(places, _related([runs[place] for place in places], oracle, random), strict=True)
    return [found[place] for place in range(len(runs))]


def _task_of(run: RunResult) -> tuple[str, int, str, int]:
    return run.world, run.host_cap, run.topic, run.draw


def _related(runs: Sequence[RunResult], oracle: str, random: str) -> list[RunResult]:
    scores = [dict(run.scores) for run in runs]
    for budget in dict.fromkeys(budget for own in scores for budget in own):
        there = {run.strategy: own[budget] for run, own in zip(runs, scores, strict=True) if budget in own}
        beside = relative(there, oracle=oracle, random=random)
        for run, own in zip(runs, scores, strict=True):
            if budget in own:
                own[budget] = own[budget] | beside[run.strategy]
    return [msgspec.structs.replace(run, scores=own) for run, own in zip(runs, scores, strict=True)]


def _harvest_of(scores: Scores | None) -> float | None:
    return scores.get("harvest") if scores else None


def _beside(own: float | None, most: float | None, least: float | None) -> Scores:
    return {
        "of_oracle": tidy(own / most) if own is not None and most else None,
        "gain": tidy((own - least) / (most - least))
        if own is not None and most is not None and least is not None and most > least
        else None,
    }
