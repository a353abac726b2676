"""A summary of the runs of an experiment: the standing of each strategy, and which of two is better.

The unit is the topic: draws of one topic are not independent, so they are averaged first, and then topics. Topics for
development and topics for test never mix.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby
from math import fsum
from typing import Final, NamedTuple

import msgspec.structs

from scenthound.lab.experiment.values import Duel, Role, RunResult, Standing
from scenthound.lab.metrics.bootstrap import Bootstrap
from scenthound.lab.metrics.digits import tidy
from scenthound.lab.metrics.metric_table import METRICS, Better, Metric
from scenthound.lab.metrics.signed_rank import FEWEST, holm, signed_rank

_EQUAL: Final = 10  # decimals: smaller differences are rounding


def standings(runs: Sequence[RunResult], *, seed: int) -> tuple[Standing, ...]:
    """Return the standing of each strategy, by world, role, host cap and budget; the order of the runs does not matter.

    A metric without a value for any topic is left out.
    """
    bootstrap = Bootstrap(seed=seed)
    return tuple(
        Standing(
            **place._asdict(),
            strategy=strategy,
            metrics={name: bootstrap.interval(topics) for name, topics in metrics.items()},
            by_topic={name: {topic: tidy(topics[topic]) for topic in topics} for name, topics in metrics.items()},
        )
        for place, strategies in _tables(runs)
        for strategy, metrics in strategies.items()
    )


def duels(runs: Sequence[RunResult], *, baseline: str | None, seed: int, everyone: bool = False) -> tuple[Duel, ...]:
    """Return the result of every strategy against the baseline and, if `everyone`, of each against each other.

    A duel uses the topics for which both have a value, for each metric with a better direction. With fewer than
    `signed_rank.FEWEST` topics (`difference.topics` says how many) there is no conclusion, and p is 1.
    """
    bootstrap = Bootstrap(seed=seed)
    return tuple(
        duel
        for place, strategies in _tables(runs)
        for metric in METRICS
        if metric.better is not Better.NEITHER
        for duel in _family(place, metric, _of_metric(strategies, metric), baseline, everyone, bootstrap)
    )


class _Place(NamedTuple):
    """The conditions under which strategies can be compared."""

    world: str
    role: Role
    host_cap: int
    budget: str


_Values = Mapping[str, float]  # by topic
_Table = dict[str, dict[str, _Values]]  # by strategy, then by metric


def _tables(runs: Sequence[RunResult]) -> Iterator[tuple[_Place, _Table]]:
    """Yield the values of all strategies, place by place; budgets keep the order of the runs."""

    def conditions(run: RunResult) -> tuple[str, Role, int]:
        return run.world, run.role, run.host_cap

    ordered = sorted(runs, key=lambda run: (*conditions(run), run.strategy, run.topic, run.draw))
    for (world, role, host_cap), group in groupby(ordered, key=conditions):
        here = list(group)
        for budget in dict.fromkeys(budget for run in here for budget in run.scores):
            place = _Place(world=world, role=role, host_cap=host_cap, budget=budget)
            yield (
                place,
                {
                    strategy: _by_metric([run for run in own if budget in run.scores], budget)
                    for strategy, own in groupby(here, key=lambda run: run.strategy)
                },
            )


def _by_metric(runs: Sequence[RunResult], budget: str) -> dict[str, _Values]:
    """Return the values of one strategy by metric and topic, without metrics that have no values."""
    topics = {topic: list(draws) for topic, draws in groupby(runs, key=lambda run: run.topic)}
    found = {
        metric.name: {
            topic: value
            for topic, draws in topics.items()
            if (value := _mean(run.scores[budget].get(metric.name) for run in draws)) is not None
        }
        for metric in METRICS
    }
    return {name: values for name, values in found.items() if values}


def _mean(values: Iterable[float | None]) -> float | None:
    """Return the mean over draws; None if one of them has no value, since the rest would be the easy ones."""
    known = list(values)
    there = [value for value in known if value is not None]
    return fsum(there) / len(there) if there and len(there) == len(known) else None


def _of_metric(strategies: _Table, metric: Metric) -> dict[str, _Values]:
    return {strategy: metrics[metric.name] for strategy, metrics in strategies.items() if metric.name in metrics}


def _family(
    place: _Place,
    metric: Metric,
    strategies: Mapping[str, _Values],
    baseline: str | None,
    everyone: bool,
    bootstrap: Bootstrap,
) -> list[Duel]:
    """Compare strategies by one metric, and correct for the number of comparisons."""
    fought = []
    for one, other in _pairs(list(strategies), baseline, everyone):
        differences = _differences(strategies[one], strategies[other])
        if differences:
            fought.append(_duel(place, metric, one, other, differences, bootstrap))
    corrected = holm([duel.p for duel in fought])
    return [msgspec.structs.replace(duel, p_holm=tidy(p)) for duel, p in zip(fought, corrected, strict=True)]


def _pairs(strategies: Sequence[str], baseline: str | None, everyone: bool) -> Iterator[tuple[str, str]]:
    if baseline is not None and baseline in strategies:
        yield from ((one, baseline) for one in strategies if one != baseline)
    if everyone:
        yield from combinations([one for one in strategies if one != baseline], 2)


def _differences(one: _Values, other: _Values) -> dict[str, float]:
    return {topic: round(one[topic] - other[topic], _EQUAL) for topic in one if topic in other}


def _duel(
    place: _Place, metric: Metric, one: str, other: str, differences: Mapping[str, float], bootstrap: Bootstrap
) -> Duel:
    up = sum(value > 0 for value in differences.values())
    down = sum(value < 0 for value in differences.values())
    wins, losses = (up, down) if metric.better is Better.HIGHER else (down, up)
    p = tidy(signed_rank(list(differences.values()))) if len(differences) >= FEWEST else 1.0
    return Duel(
        **place._asdict(),
        metric=metric.name,
        one=one,
        other=other,
        difference=bootstrap.interval(differences),
        wins=wins,
        ties=len(differences) - up - down,
        losses=losses,
        p=p,
        p_holm=p,
    )
