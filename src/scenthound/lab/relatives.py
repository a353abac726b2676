"""What a crawl is worth beside others of the same task: its harvest between that of random order and that of the oracle."""

from collections.abc import Mapping, Sequence
from itertools import groupby

import msgspec.structs

from scenthound.lab.metrics import Scores
from scenthound.lab.rounding import tidy
from scenthound.lab.values import RunResult


def relative(scores: Mapping[str, Scores], *, oracle: str, random: str) -> dict[str, Scores]:
    """Return for each strategy what its harvest is worth beside that of two others, on one task at one budget.

    `scores` are those of all strategies, by name; where the oracle or random is not among them, there is nothing to say.

    >>> found = relative({"a": {"harvest": 0.5}, "best": {"harvest": 0.8}, "any": {"harvest": 0.3}}, oracle="best", random="any")
    >>> found["a"]
    {'of_oracle': 0.625, 'gain': 0.4}
    """
    most, least = _harvest_of(scores.get(oracle)), _harvest_of(scores.get(random))
    return {name: _beside(_harvest_of(own), most, least) for name, own in scores.items()}


def with_relatives(runs: Sequence[RunResult], *, oracle: str = "oracle", random: str = "random") -> list[RunResult]:
    """Add the relative metrics to the runs of an experiment, task by task; `oracle` and `random` are names of strategies."""
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
