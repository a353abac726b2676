"""The crawls that an apprentice guides: the paper's, trained off-line on another crawl, trained on-line, and confined.

And ours.

Which strategies these are is said here and nowhere else. Those of a kind, or with a parameter, that the lab does not
have are not crawled.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

from scenthound.lab.experiment.values import StrategyChoice
from scenthound.lab.strategies.kinds import RECALL, catalogue

BAYES: Final = "apprentice-bayes"
OWN: Final = "apprentice"
START: Final = "start"  # the parameter that says after how many pages an apprentice takes over from best-first
TAKEN_OVER: Final = 4  # after a quarter of the run


class Guidance(StrEnum):
    """Who guides a crawl."""

    OFFLINE = "off-line"
    RECALL = "recall crawler"
    ONLINE = "on-line"
    OWN = "our apprentice"


Guided = Mapping[Guidance, StrategyChoice]


def guided_by(baseline: str, *, bayes: str = BAYES, own: str = OWN, offline: Mapping[str, Any] | None = None) -> Guided:
    """Return the strategies by what they are for; `baseline` is the one whose pages confine the recall crawler.

    `offline` are the parameters with which an apprentice is trained beforehand.
    """
    before = {"offline": True} if offline is None else dict(offline)
    confined = {"of": baseline, "by": bayes, **before}
    every = {
        Guidance.OFFLINE: _choice(Guidance.OFFLINE, bayes, before),
        Guidance.RECALL: _choice(Guidance.RECALL, RECALL, confined),
        Guidance.ONLINE: _choice(Guidance.ONLINE, bayes, {}),
        Guidance.OWN: _choice(Guidance.OWN, own, {}),
    }
    return {guidance: choice for guidance, choice in every.items() if _is_known(choice)}


def for_run(guidance: Guidance, choice: StrategyChoice, fetches: int) -> StrategyChoice:
    """Return a strategy as it is to crawl so many pages: runs differ in length, and so does the moment to take over."""
    if guidance is not Guidance.ONLINE or START not in _parameters(choice.kind):
        return choice
    return replace(choice, parameters={**choice.parameters, START: max(1, fetches // TAKEN_OVER)})


def _choice(guidance: Guidance, kind: str, parameters: Mapping[str, Any]) -> StrategyChoice:
    return StrategyChoice(name=guidance, kind=kind, parameters=parameters, settings={}, tune={})


def _is_known(choice: StrategyChoice) -> bool:
    kinds = {choice.kind, str(choice.parameters.get("by", choice.kind))}  # "by": the kind that crawls, confined
    parameters = {name for kind in kinds for name in _parameters(kind)}
    return kinds <= {kind.name for kind in catalogue()} and choice.parameters.keys() <= parameters


def _parameters(name: str) -> set[str]:
    return {parameter.name for kind in catalogue() if kind.name == name for parameter in kind.parameters}
