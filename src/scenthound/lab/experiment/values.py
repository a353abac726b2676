"""The values of the lab, in order of appearance.

    World, topic, draw ─► Task ─► (one crawl) Trace ─► Scores ─► Results ─► report

Every strategy crawls a task with the same budget. The truth of the task decides what is relevant, never the opinion of
the critic that led the crawl.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray


class Role(StrEnum):
    """The role of a topic: strategies may be tuned on development topics only."""

    DEVELOPMENT = "development"
    TEST = "test"


class Outside(StrEnum):
    """How to treat links that lead out of a world."""

    WASTED = "wasted"  # each is a failed fetch with a 404, as in a live crawl
    INVISIBLE = "invisible"  # as if they did not exist

    @property
    def said(self) -> str:
        """The meaning in words."""
        if self is Outside.WASTED:
            return "wasted: each is a fetch that fails, as it would in a live crawl"
        return "invisible: they are not followed and cost nothing"


# Invisible was once the default. It hid the cost of dead links, and what an apprentice learns from them.
OUTSIDE: Final = Outside.WASTED


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherTopic:
    """A topic that is not wanted, with pages that teach the critic so."""

    path: str
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One topic of a world to crawl for, from one draw of examples.

    `examples` teach the critic the wanted topic. It learns the rest from `others`, which are one topic together, or
    from `other_topics`, each a separate topic. The crawl starts from the links of the examples in `start`, by default
    all. `wanted` numbers the truly relevant pages of the world without the examples: a perfect crawl of that many
    fetches finds them all, and a budget of "n" is their number.
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
        """All examples of unwanted pages, of any topic."""
        return (*self.others, *(url for topic in self.other_topics for url in topic.examples))


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyChoice:
    """A strategy as an experiment names it: its kind, its parameters, and its settings of the crawl.

    `name` is its name in tables. `tune` holds values to try for parameters or settings ("crawl.tunnel") on the
    development topics. `source` is the file of a user's own strategy.
    """

    name: str
    kind: str
    parameters: Mapping[str, Any]
    settings: Mapping[str, Any]
    tune: Mapping[str, tuple[Any, ...]]
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trace:
    """The fetches of a crawl in order, without the examples, as parallel arrays.

    `numbers` are those of the world's pages, -1 for anything outside or without a page. `relevance` is the critic's,
    NaN if there was nothing to judge. `priority` is that of the claim. `repeats` marks pages that are the same, or
    nearly, as an earlier one. `digest` identifies the order of the addresses.
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
    """The course of a crawl: after each number of fetches `at`, the values of some metrics so far."""

    at: tuple[int, ...]
    harvest: tuple[float, ...]  # by truth
    judged: tuple[float, ...]  # harvest by the critic
    recall: tuple[float, ...]


class RunResult(Struct, frozen=True, kw_only=True):
    """One crawl of an experiment, as in results.json.

    `budgets` gives the number of fetches of each budget, `scores` the metrics at it.
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
    """The result of one strategy in one world at one budget, by every metric, and by topic (the mean of its draws).

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
    """Two strategies on the same topics of one role, by one metric: paired Wilcoxon test with Holm's correction."""

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
    said: str  # its origin in words
    outside: Outside
    locked: tuple[str, ...]
    truth: str  # the judge in words
    most_fetches: int = 0  # of a budget; 0 means no limit


class Tuning(Struct, frozen=True, kw_only=True):
    """The values tried for a strategy on development topics, and the chosen ones."""

    strategy: str
    metric: str
    tried: tuple[dict[str, Any], ...]  # each: the values, and "mean"
    chosen: dict[str, Any]


class Results(Struct, frozen=True, kw_only=True):
    """All results of an experiment; the same experiment gives the same bytes."""

    title: str
    about: str
    version: str
    seed: int
    experiment: dict[str, Any]  # the file as read, with defaults
    worlds: tuple[WorldNote, ...]
    strategies: tuple[dict[str, Any], ...]
    tunings: tuple[Tuning, ...]
    runs: tuple[RunResult, ...]
    standings: tuple[Standing, ...]
    duels: tuple[Duel, ...]
