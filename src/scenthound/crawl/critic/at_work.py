"""The critic as the rest of a crawl sees it, and the one of a crawl that judges nothing."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from scenthound.crawl.engine.hooks import Batch, Hook
from scenthound.crawl.engine.steps import UNJUDGED, Finished, Verdict
from scenthound.crawl.learning.crawl_phase import HARVESTING, CrawlPhase
from scenthound.types import Claim


class CriticAtWork(Hook, Protocol):
    """It judges each batch. After each turn it looks for edited topics and learns when it is time."""

    @property
    def learns(self) -> bool:
        """Whether pages are judged at all, now or when the examples are in."""
        ...

    @property
    def ready(self) -> bool:
        """Whether there is a critic. While one that learns is not ready, only examples may be claimed."""
        ...

    @property
    def version(self) -> int:
        """The version of the critic; 0 before there is one. A new version has judged all stored pages again."""
        ...

    @property
    def phase(self) -> CrawlPhase:
        """Whether the crawl learns close to its examples, or harvests everywhere."""
        ...

    @property
    def seeds(self) -> Collection[str]:
        """The addresses that the crawl starts from."""
        ...

    @property
    def disowned(self) -> Mapping[str, int]:
        """By domain, how many more of its pages the user has marked bad than good, where there are any."""
        ...

    def wants(self, claim: Claim) -> bool:
        """Tell of an example, before any page is judged, whether it belongs to a good topic."""
        ...

    def judge(self, finished: Sequence[Finished]) -> list[Verdict]:
        """Judge a batch."""
        ...


class NoCritic(Hook):
    """The critic of a crawl with `critic.kind = "none"`: every page passes."""

    learns = False
    ready = False
    version = 0

    def __init__(self, seeds: Collection[str] = ()) -> None:
        self.seeds = seeds
        self.phase = HARVESTING
        self.disowned: Mapping[str, int] = {}

    def wants(self, claim: Claim) -> bool:
        return True

    def judge(self, finished: Sequence[Finished]) -> list[Verdict]:
        return [UNJUDGED] * len(finished)

    def after_turn(self, batch: Batch) -> None:
        """Do nothing: there is nothing to learn."""
