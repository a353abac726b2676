"""Results split into contests: one world, one role of topics, one host cap. Nothing is compared across contests.

Harvest depends on the cap of pages per host as much as on the strategy, and strategies may have been tuned on
development topics. So each contest has a separate part of the report, those with test topics first.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from scenthound.counted import count
from scenthound.lab.experiment.values import Duel, Interval, Results, Role, RunResult, Standing
from scenthound.lab.report.numbers import SURE

MAIN = "harvest"
RANDOM = "random"  # the kind that every useful strategy beats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contest:
    """All crawls of one world with topics of one role and one host cap.

    `name` is for anchors and files. `budgets` and `strategies` keep the order of the experiment; the first budget is
    the main one. `contenders` are the strategies that are no references. `baseline` is empty if there is none. `split`
    says whether the report has topics of both roles, which its headings then show; `seed` is the experiment's. No
    budget exceeds `most_fetches` (0: no limit).
    """

    name: str
    world: str
    role: Role
    host_cap: int
    budgets: tuple[str, ...]
    strategies: tuple[str, ...]
    contenders: tuple[str, ...]
    topics: tuple[str, ...]
    baseline: str
    seed: int
    split: bool
    runs: tuple[RunResult, ...]
    standings: tuple[Standing, ...]
    duels: tuple[Duel, ...]
    most_fetches: int = 0

    @property
    def heading(self) -> str:
        parts = [self.world]
        if self.split or self.role is Role.DEVELOPMENT:
            parts.append(f"{self.role} topics")
        if self.host_cap:
            parts.append(f"at most {count(self.host_cap, 'page')} of a host")
        return ", ".join(parts)

    @property
    def topics_said(self) -> str:
        """The topics in words: "16 test topics"."""
        role = f"{self.role} " if self.split or self.role is Role.DEVELOPMENT else ""
        return count(len(self.topics), f"{role}topic")

    @property
    def interval_said(self) -> str:
        """The words on intervals for captions, after "the mean over 16 topics": nothing for one topic."""
        return f" with its {SURE} interval" if len(self.topics) > 1 else ""

    def metrics(self) -> frozenset[str]:
        """Return the metrics for which any standing has a mean."""
        return frozenset(metric for standing in self.standings for metric in standing.metrics)

    def mean(self, strategy: str, budget: str, metric: str = MAIN) -> Interval | None:
        standing = self.standing(strategy, budget)
        return standing.metrics.get(metric) if standing else None

    def by_topic(self, strategy: str, budget: str, metric: str = MAIN) -> dict[str, float]:
        standing = self.standing(strategy, budget)
        return standing.by_topic.get(metric, {}) if standing else {}

    def standing(self, strategy: str, budget: str) -> Standing | None:
        return next((s for s in self.standings if (s.strategy, s.budget) == (strategy, budget)), None)

    def ranked(self, budget: str, metric: str = MAIN) -> tuple[str, ...]:
        """Return the strategies that have a mean, the highest first."""
        means = {name: interval.mean for name in self.strategies if (interval := self.mean(name, budget, metric))}
        return tuple(sorted(means, key=lambda strategy: -means[strategy]))

    def best(self, budget: str) -> tuple[str, ...]:
        """Return the contenders, the best first; all strategies if there are only references."""
        ranked = self.ranked(budget)
        return tuple(strategy for strategy in ranked if strategy in self.contenders) or ranked

    def duel(self, one: str, other: str, budget: str, metric: str = MAIN) -> Duel | None:
        """Return the duel of one strategy against another, from the side of the first."""
        for duel in self.duels:
            if (duel.budget, duel.metric) == (budget, metric):
                if (duel.one, duel.other) == (one, other):
                    return duel
                if (duel.one, duel.other) == (other, one):
                    return turned(duel)
        return None


def contests(results: Results) -> tuple[Contest, ...]:
    """Split results into contests: test topics before development topics, then worlds in the experiment's order."""
    worlds = [note.name for note in results.worlds]
    keys = {(s.world, s.role, s.host_cap) for s in results.standings}
    order = sorted(keys, key=lambda key: (key[1] is Role.DEVELOPMENT, _place(worlds, key[0]), key[0], key[2]))
    split = len({role for _, role, _ in keys}) > 1
    names = _names(order)
    return tuple(_contest(results, *key, name=name, split=split) for key, name in zip(order, names, strict=True))


def references(results: Results) -> frozenset[str]:
    """Return the strategies that are references for others: those that know the truth, and random."""
    return frozenset(
        str(entry["name"]) for entry in results.strategies if entry.get("knows_truth") or entry.get("kind") == RANDOM
    )


def strategies_of(results: Results) -> tuple[str, ...]:
    """Return the names of all strategies, in the order of the experiment."""
    return tuple(str(entry["name"]) for entry in results.strategies)


def turned(duel: Duel) -> Duel:
    """Return the same duel seen from the other side."""
    gap = duel.difference
    difference = replace(gap, mean=-gap.mean, low=-gap.high, high=-gap.low)
    return replace(duel, one=duel.other, other=duel.one, difference=difference, wins=duel.losses, losses=duel.wins)


def slug(text: str) -> str:
    """Return a name for an anchor or a file.

    >>> slug("The Schools' web")
    'the-schools-web'
    """
    kept = "".join(letter if letter.isalnum() else " " for letter in text.lower().replace("'", ""))
    return "-".join(kept.split())


def _contest(results: Results, world: str, role: Role, host_cap: int, *, name: str, split: bool) -> Contest:
    standings = tuple(s for s in results.standings if (s.world, s.role, s.host_cap) == (world, role, host_cap))
    duels = tuple(d for d in results.duels if (d.world, d.role, d.host_cap) == (world, role, host_cap))
    runs = tuple(r for r in results.runs if (r.world, r.role, r.host_cap) == (world, role, host_cap))
    strategies = _in_order(strategies_of(results), [standing.strategy for standing in standings])
    return Contest(
        name=name,
        world=world,
        role=role,
        host_cap=host_cap,
        budgets=_in_order([str(b) for b in results.experiment.get("budgets", ())], [s.budget for s in standings]),
        strategies=strategies,
        contenders=tuple(strategy for strategy in strategies if strategy not in references(results)),
        topics=tuple(sorted({topic for s in standings for values in s.by_topic.values() for topic in values})),
        baseline=_baseline(results, duels, strategies),
        seed=results.seed,
        split=split,
        runs=runs,
        standings=standings,
        duels=duels,
        most_fetches=next((note.most_fetches for note in results.worlds if note.name == world), 0),
    )


def _names(keys: Sequence[tuple[str, Role, int]]) -> list[str]:
    """Name contests for anchors and files; number worlds whose names differ only in signs."""
    names: list[str] = []
    for world, role, cap in keys:
        name = slug(f"{world}-{role}") + (f"-cap-{cap}" if cap else "")
        names.append(name if name not in names else f"{name}-{len(names) + 1}")
    return names


def _baseline(results: Results, duels: Sequence[Duel], strategies: Sequence[str]) -> str:
    """Return the baseline: as the experiment says, or else as in the duels."""
    named = str(results.experiment.get("baseline") or "")
    if not named and duels:
        named = Counter(duel.other for duel in duels).most_common(1)[0][0]
    return named if named in strategies else ""


def _in_order(known: Iterable[str], there: Sequence[str]) -> tuple[str, ...]:
    """Return the present items in the known order; unknown ones come last."""
    return tuple(dict.fromkeys([*(name for name in known if name in there), *there]))


def _place(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else len(names)
