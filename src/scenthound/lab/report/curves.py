"""The course of crawls: the mean over topics after each share of the budget, with a bootstrap interval.

The unit is the topic, as in the tables: first the mean of a topic's draws, then the mean over topics. Topics differ in
size, so fetches count in shares of n, the number of pages to find, if a budget does.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scenthound.lab.experiment.values import RunResult
from scenthound.lab.metrics.bootstrap import TAILS, resample
from scenthound.lab.report.contests import Contest

Numbers = NDArray[np.float64]

POINTS = 60
DECIMALS = 9  # BLAS sums differ between machines beyond this


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Axis:
    """The positions of the points. With `shares`, `at` counts in n; otherwise in fetches."""

    at: Numbers
    shares: bool

    def fetches(self, wanted: int) -> Numbers:
        return self.at * wanted if self.shares else self.at

    def place(self, budget: str) -> float | None:
        """Return the position of a budget on the axis, None for one in another unit."""
        return _times(budget) if budget.endswith("n") == self.shares else None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Band:
    """A mean with its interval, point by point."""

    mean: Numbers
    low: Numbers
    high: Numbers


def axis(contest: Contest) -> Axis:
    """Return the axis up to the greatest budget; budgets in n, if there are any, decide the unit.

    If a world limits its budgets, shares of n end at another place for each topic: then the axis counts fetches, as far
    as all topics go.
    """
    if contest.most_fetches:
        ends = [max(run.budgets.values()) for run in contest.runs]
        return Axis(at=np.linspace(0.0, min(ends, default=contest.most_fetches), POINTS + 1)[1:], shares=False)
    shares = any(budget.endswith("n") for budget in contest.budgets)
    end = max(_times(budget) for budget in contest.budgets if budget.endswith("n") == shares)
    return Axis(at=np.linspace(0.0, end, POINTS + 1)[1:], shares=shares)


def bands(contest: Contest, metric: str, along: Axis) -> dict[str, Band]:
    """Return the curves of all strategies that crawled, over the topics of a contest."""
    drawn: dict[tuple[str, ...], Numbers] = {}
    curves: dict[str, Band] = {}
    for strategy in contest.strategies:
        topics = _by_topic([run for run in contest.runs if run.strategy == strategy], metric, along)
        names = tuple(topics)
        if names:
            drawn.setdefault(names, resample(names, seed=contest.seed))
            curves[strategy] = _band(np.array(list(topics.values())), drawn[names])
    return curves


def so_far(run: RunResult, metric: str, fetches: Numbers) -> Numbers:
    """Return a metric of one crawl after so many fetches.

    Finds are counted, then divided: a dry crawl finds nothing more, so its recall stays and its harvest falls with
    every remaining fetch.
    """
    values = np.array([0.0, *getattr(run.curve, metric)])
    at = np.array([0.0, *run.curve.at])
    if metric == "recall":
        return np.asarray(np.interp(fetches, at, values))
    return np.asarray(np.interp(fetches, at, values * at) / fetches)


def dry(run: RunResult, budget: str) -> bool:
    """Tell whether a crawl ran dry before its budget was used up."""
    return run.fetched < run.budgets[budget]


def _times(budget: str) -> float:
    return float(budget.removesuffix("n") or 1)


def _by_topic(runs: Sequence[RunResult], metric: str, along: Axis) -> dict[str, Numbers]:
    draws: dict[str, list[Numbers]] = {}
    for run in runs:
        if run.curve.at and run.wanted:
            draws.setdefault(run.topic, []).append(so_far(run, metric, along.fetches(run.wanted)))
    return {topic: np.mean(draws[topic], axis=0) for topic in sorted(draws)}


def _band(topics: Numbers, drawn: Numbers) -> Band:
    mean = topics.mean(axis=0).round(DECIMALS)
    if len(topics) == 1:
        return Band(mean=mean, low=mean, high=mean)
    low, high = np.percentile(drawn.T @ topics / len(topics), TAILS, axis=0).round(DECIMALS)
    return Band(mean=mean, low=low, high=high)
