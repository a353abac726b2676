"""The choice of parameters on development topics: the lab crawls every combination, and the best mean harvest wins.

The mean is over topics (each the mean of its draws) of all worlds with development topics. Test topics never count.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, product
from math import fsum
from typing import Any

from scenthound.lab.experiment.values import RunResult, StrategyChoice, Tuning
from scenthound.lab.metrics.digits import tidy

METRIC = "harvest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A strategy with one combination of the values to try."""

    values: Mapping[str, Any]
    choice: StrategyChoice


def variants_of(choice: StrategyChoice) -> tuple[Variant, ...]:
    """Return every combination of a strategy to tune, the first values of all parameters first.

    >>> tune = {"a": (1, 2), "crawl.tunnel": (0,)}
    >>> shark = StrategyChoice(name="shark", kind="shark", parameters={}, settings={}, tune=tune)
    >>> [(variant.choice.name, variant.choice.settings) for variant in variants_of(shark)]
    [('shark (a=1, crawl.tunnel=0)', {'crawl.tunnel': 0}), ('shark (a=2, crawl.tunnel=0)', {'crawl.tunnel': 0})]
    """
    combinations = [dict(zip(choice.tune, values, strict=True)) for values in product(*choice.tune.values())]
    return tuple(Variant(values=values, choice=_named(choice, values)) for values in combinations)


def with_values(choice: StrategyChoice, values: Mapping[str, Any]) -> StrategyChoice:
    """Return a strategy with some parameters or settings fixed, and nothing left to tune."""
    settings = {name: value for name, value in values.items() if "." in name}
    parameters = {name: value for name, value in values.items() if "." not in name}
    return replace(
        choice, parameters={**choice.parameters, **parameters}, settings={**choice.settings, **settings}, tune={}
    )


def tuned(strategy: str, variants: Sequence[Variant], runs: Sequence[RunResult], *, budget: str) -> Tuning:
    """Return the values tried for a strategy and the best ones; of equals, the first."""
    means = [_mean([run for run in runs if run.strategy == variant.choice.name], budget) for variant in variants]
    best = means.index(max(means))
    return Tuning(
        strategy=strategy,
        metric=f"{METRIC} at {budget}",
        tried=tuple({**variant.values, "mean": mean} for variant, mean in zip(variants, means, strict=True)),
        chosen=dict(variants[best].values),
    )


def _named(choice: StrategyChoice, values: Mapping[str, Any]) -> StrategyChoice:
    told = ", ".join(f"{name}={value}" for name, value in values.items())
    return replace(with_values(choice, values), name=f"{choice.name} ({told})")


def _mean(runs: Sequence[RunResult], budget: str) -> float:
    ordered = sorted(runs, key=_topic)
    topics = [[run.scores[budget][METRIC] or 0.0 for run in own] for _, own in groupby(ordered, key=_topic)]
    return tidy(fsum(fsum(draws) / len(draws) for draws in topics) / len(topics))


def _topic(run: RunResult) -> tuple[str, str]:
    return run.world, run.topic
