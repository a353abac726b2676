"""The crawls that an apprentice guides: the paper's, trained off-line on another crawl, trained on-line, and confined; and ours.

Which strategies these are is said here and nowhere else. Those of a kind that the lab does not have are not crawled.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from scenthound.lab.kinds import RECALL, catalogue
from scenthound.lab.values import StrategyChoice

BAYES: Final = "apprentice-bayes"
OWN: Final = "apprentice"


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
    known = {kind.name for kind in catalogue()}
    return {guidance: choice for guidance, choice in every.items() if {choice.kind, _crawler(choice)} <= known}


def _choice(guidance: Guidance, kind: str, parameters: Mapping[str, Any]) -> StrategyChoice:
    return StrategyChoice(name=guidance, kind=kind, parameters=parameters, settings={}, tune={})


def _crawler(choice: StrategyChoice) -> str:
    """Return the kind that crawls."""
    return str(choice.parameters.get("by", choice.kind))
