"""The values of the lab, in the order in which they appear.

    World, topic, draw ─► Task ─► (one crawl) Trace ─► Scores ─► Results ─► report

A task is crawled for by every strategy with the same budget; what counts as relevant is the truth of the task, never the
opinion of the critic that led the crawl.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray


class Role(StrEnum):
    """What a topic is for: strategies may be tuned on development topics only."""

    DEVELOPMENT = "development"
    TEST = "test"


class Outside(StrEnum):
    """What becomes of links that lead out of a world."""

    WASTED = "wasted"  # each is a fetch that fails with a 404, as it would live
    INVISIBLE = "invisible"  # as if they were not there

    @property
    def said(self) -> str:
        """What it means, in words."""
        if self is Outside.WASTED:
            return "wasted: each is a fetch that fails, as it would in a live crawl"
        return "invisible: they are not followed and cost nothing"


# Invisible was the default once. It hid how much a crawl pays for dead links, and what an apprentice learns from them.
OUTSIDE: Final = Outside.WASTED


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherTopic:
    """A topic that is not wanted, with pages about it that teach the critic so."""

    path: str
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One topic of a world to be crawled for, from one draw of examples.

    `examples` teach the critic what is wanted. What is not wanted it learns from `others`, which are one topic together, or
    from `other_topics`, each a topic of its own. `start` are those examples whose links the crawl starts from, as a rule all.
    `wanted` numbers the pages of the world that are truly relevant, examples left out: a perfect crawl of that many fetches
    brings them all, and a budget of "n" is their number.
    """

    world: str
    topic: str
    draw: int
    role: Role
    examples: tuple[str, ...]
    others: tuple[str, ...]
    start: tuple[str, ...]
    wanted: frozenset[int]
    other_topics: tuple[OtherTopic, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.world}:{self.topic}#{self.draw}"

    @property
    def unwanted(self) -> tuple[str, ...]:
        """All examples of what is not wanted, whatever their topic."""
        return (*self.others, *(url for topic in self.other_topics for url in topic.examples))


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyChoice:
    """A strategy as an experiment names it: its kind, its parameters, and settings of the crawl that go with it.

    `name` is what tables call it. `tune` holds values to be tried for parameters or settings ("crawl.tunnel") on the
    development topics. `source` is the file of a strategy of the user's own.
    """

    name: str
    kind: str
    parameters: Mapping[str, Any]
    settings: Mapping[str, Any]
    tune: Mapping[str, tuple[Any, ...]]
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trace:
    """What a crawl fetched, in order, the examples left out. Arrays run side by side.

    `numbers` are those of the world's pages, -1 for what lies outside or gave no page. `relevance` is the critic's, NaN
    where there was nothing to judge. `priority` is that with which the URL was claimed. `repeats` marks pages that are the
    same, or nearly, as one fetched before. `digest` stands for the order of the addresses.
    """

    numbers: NDArray[np.int32]
    relevance: NDArray[np.float64]
    priority: NDArray[np.float64]
    depth: NDArray[np.int32]
    repeats: NDArray[np.bool_]
    stopped: str
    digest: str

    def __len__(self) -> int:
        return len(self.numbers)


class Curve(Struct, frozen=True, kw_only=True):
    """How a crawl went along: after each number of fetches `at`, the values of some metrics so far."""

    at: tuple[int, ...]
    harvest: tuple[float, ...]  # by truth
    judged: tuple[float, ...]  # harvest by the critic
    recall: tuple[float, ...]


class RunResult(Struct, frozen=True, kw_only=True):
    """One crawl of an experiment, as results.json has it.

    `budgets` says of each budget how many fetches it was, `scores` what the metrics were at it.
    """

    world: str
    topic: str
    role: Role
    draw: int
    strategy: str
    host_cap: int
    wanted: int
    fetched: int
    stopped: str
    digest: str
    budgets: dict[str, int]
    scores: dict[str, dict[str, float | None]]
    curve: Curve


class Interval(Struct, frozen=True, kw_only=True):
    """A mean over topics with its bootstrap interval."""

    mean: float
    low: float
    high: float
    topics: int


class Standing(Struct, frozen=True, kw_only=True):
    """How one strategy did in one world at one budget, by every metric, and for each topic (the mean of its draws).

    All topics of a standing have its `role`: none is a mean over development and test topics.
    """

    world: str
    role: Role = Role.TEST
    host_cap: int
    budget: str
    strategy: str
    metrics: dict[str, Interval]
    by_topic: dict[str, dict[str, float]]  # metric → topic → value


class Duel(Struct, frozen=True, kw_only=True):
    """Two strategies on the same topics, all of one role, by one metric: paired Wilcoxon test, corrected after Holm within its family."""

    world: str
    role: Role = Role.TEST
    host_cap: int
    budget: str
    metric: str
    one: str
    other: str
    difference: Interval  # one minus other
    wins: int
    ties: int
    losses: int
    p: float
    p_holm: float


class WorldNote(Struct, frozen=True, kw_only=True):
    """A world as a report names it."""

    name: str
    digest: str
    pages: int
    hosts: int
    links: int  # between its pages
    said: str  # where it comes from, in words
    outside: Outside
    locked: tuple[str, ...]
    truth: str  # what judges, in words
    most_fetches: int = 0  # of a budget; 0 is no limit


class Tuning(Struct, frozen=True, kw_only=True):
    """What was tried for a strategy on development topics, and what was chosen."""

    strategy: str
    metric: str
    tried: tuple[dict[str, Any], ...]  # each: the values, and "mean"
    chosen: dict[str, Any]


class Results(Struct, frozen=True, kw_only=True):
    """Everything that an experiment found; the same experiment gives the same bytes."""

    title: str
    about: str
    version: str
    seed: int
    experiment: dict[str, Any]  # the file as it was read, with defaults
    worlds: tuple[WorldNote, ...]
    strategies: tuple[dict[str, Any], ...]
    tunings: tuple[Tuning, ...]
    runs: tuple[RunResult, ...]
    standings: tuple[Standing, ...]
    duels: tuple[Duel, ...]
