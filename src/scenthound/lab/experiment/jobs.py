"""The crawls that an experiment consists of: tasks × strategies × host caps, in groups that share a critic."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from scenthound.lab.experiment.experiment import Budget, Experiment, WorldChoice, budget_size
from scenthound.lab.experiment.seeds import seed_of
from scenthound.lab.experiment.values import StrategyChoice, Task
from scenthound.lab.runs.run import Conditions
from scenthound.lab.strategies.kinds import RECALL


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One crawl. `place` is its index in the stage; `within`, if any, is the crawl whose pages confine it."""

    place: int
    task: Task
    choice: StrategyChoice
    conditions: Conditions
    within: "Job | None" = None

    @property
    def label(self) -> str:
        cap = self.conditions.host_cap
        return f"{self.choice.name}, {cap} a host" if cap else self.choice.name

    @property
    def name(self) -> str:
        return f"{self.task.name} {self.label}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The crawls of one task, for one process: they share its critic. `budgets` are in fetches, by name."""

    task: Task
    budgets: Mapping[str, int]
    jobs: tuple[Job, ...]

    @property
    def fetches(self) -> int:
        return sum(job.conditions.fetches for job in self.jobs)


def groups_of(
    tasks: Sequence[Task],
    choices: Sequence[StrategyChoice],
    experiment: Experiment,
    *,
    budgets: Sequence[Budget],
    host_caps: Sequence[int],
    worlds: Mapping[str, WorldChoice],
) -> tuple[Group, ...]:
    """Return the crawls of some strategies for some tasks, in the order of the experiment."""
    places = count()
    groups = []
    for task in tasks:
        sizes = sizes_of(task, worlds[task.world], budgets)
        conditions = conditions_of(task, worlds[task.world], experiment, budgets)
        own = [replace(conditions, host_cap=cap) for cap in host_caps]
        jobs = tuple(_job(next(places), task, choice, one, choices) for one in own for choice in choices)
        groups.append(Group(task=task, budgets=sizes, jobs=jobs))
    return tuple(groups)


def sizes_of(task: Task, world: WorldChoice, budgets: Sequence[Budget]) -> dict[str, int]:
    """Return the budgets of a task in fetches, by their names; none is larger than its world allows."""
    return {str(budget): budget_size(budget, len(task.wanted), most=world.most_fetches) for budget in budgets}


def conditions_of(task: Task, world: WorldChoice, experiment: Experiment, budgets: Sequence[Budget]) -> Conditions:
    """Return the conditions of a task's crawls: they run to the greatest budget, and smaller ones are its beginning.

    All strategies get the same seed, and no other task has it.
    """
    return Conditions(
        fetches=max(sizes_of(task, world, budgets).values()),
        seed=seed_of("crawl", str(experiment.seed), task.world, task.topic, str(task.draw)),
        outside=experiment.outside,
        locked=world.locked,
        settings=tuple(sorted(experiment.settings.items())),
    )


def _job(
    place: int, task: Task, choice: StrategyChoice, conditions: Conditions, choices: Sequence[StrategyChoice]
) -> Job:
    followers = [other for other in choices if other.name == followed(choice)]
    within = [_job(place, task, other, conditions, choices) for other in followers]
    return Job(place=place, task=task, choice=choice, conditions=conditions, within=within[0] if within else None)


def followed(choice: StrategyChoice) -> str:
    """Return the name of the strategy whose pages confine a strategy; "" for most."""
    return str(choice.parameters.get("of", "")) if choice.kind == RECALL else ""
