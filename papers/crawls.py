"""The crawls behind the papers' figures: unfocused, hard, soft, guided, and pairs from disjoint halves of the examples.

They are made by the processes of any experiment and kept as its crawls are, so that what is there is not crawled again.
Only test topics are crawled for: on the others, strategies may be tuned one day.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache as kept_once
from functools import partial
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Final

from papers.apprentice.findings import LinkFindings
from papers.apprentice.guided import Guidance, Guided, for_run
from papers.apprentice.world_findings import Followed, world_findings
from papers.halves import halves
from papers.locality import locality
from scenthound.errors import CrawlsFailedError, LabError
from scenthound.lab.experiment.experiment import Experiment
from scenthound.lab.experiment.jobs import Group, Job, conditions_of, followed, sizes_of
from scenthound.lab.experiment.seeds import seed_of
from scenthound.lab.experiment.tasks import locked_pages
from scenthound.lab.experiment.values import Role, StrategyChoice, Task, Trace, WorldNote
from scenthound.lab.experiment.world_sites import Site, open_sites
from scenthound.lab.metrics.world_facts import Ground, survey
from scenthound.lab.runs.crew import crew_of
from scenthound.lab.runs.progress import FailedCrawl, Listener, Pace, unheard
from scenthound.lab.runs.runner import CRITICS, LOG, RUNS
from scenthound.lab.runs.trace_file import read_trace
from scenthound.lab.runs.trace_key import trace_key
from scenthound.lab.runs.worker import Broken, Setup
from scenthound.lab.strategies.kinds import kind_of
from scenthound.lab.world.cache import cache_folder
from scenthound.lab.world.world import World, open_world


class Way(StrEnum):
    """The three crawls of FOCUS §4.2."""

    UNFOCUSED = "unfocused"
    HARD = "hard focus"
    SOFT = "soft focus"


# What the experiment calls them.
STRATEGIES: Final = {Way.UNFOCUSED: "random", Way.HARD: "focus-hard", Way.SOFT: "focus-soft"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TaskCrawls:
    """All crawls of one task, a run of `fetches` each: by way, from all examples, and in pairs from half of them each.

    A run is twice as long as there are wanted pages to which a way leads: in its first half a perfect crawl would find
    nothing else. What was fetched after that for other experiments is cut off.

    There are pairs of soft crawls for every task; of unfocused crawls, which show what two crawls share by chance, for
    the first draw of each topic; so there are crawls that an apprentice guides, if they were asked for.
    """

    task: Task
    fetches: int
    ground: Ground
    whole: Mapping[Way, Trace]
    pairs: Mapping[Way, tuple[Trace, Trace]]
    guided: Mapping[Guidance, Trace] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WorldCrawls:
    """All crawls in one world. `locality` says of each topic how many of the links of its pages stay with it.

    `links` finds out, once and when it is first asked, what the links of the soft crawls of first draws tell.
    """

    note: WorldNote
    seed: int
    locality: Mapping[str, float]
    tasks: tuple[TaskCrawls, ...]
    links: Callable[[], tuple[LinkFindings, ...]] = tuple

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(crawls.task.topic for crawls in self.tasks))


def crawl_worlds(
    experiment: Experiment,
    *,
    folder: Path,
    guided: Guided | None = None,
    processes: int = 0,
    listener: Listener = unheard,
    cache: Path | None = None,
) -> tuple[WorldCrawls, ...]:
    """Make the crawls in every world of an experiment that has test topics, or what is left of them."""
    where = cache_folder() if cache is None else cache
    folder.mkdir(parents=True, exist_ok=True)
    sites = [site for site in open_sites(experiment, cache=where, listener=listener) if _tested(site)]
    sources = {site.choice.name: site.source for site in sites}
    setup = Setup(sources=sources, cache=where, runs=folder / RUNS, critics=folder / CRITICS)
    plans = [_Plan.of(site, experiment, guided or {}) for site in sites]
    _make(plans, setup, processes=processes, log=folder / LOG, listener=listener)
    return tuple(_gathered(plan, experiment, setup, listener) for plan in plans)


@dataclass(frozen=True, slots=True, kw_only=True)
class _TaskPlan:
    task: Task
    whole: Mapping[Way, Job]
    pairs: Mapping[Way, tuple[Job, Job]]
    guided: Mapping[Guidance, Job]

    def jobs(self) -> Iterator[Job]:
        yield from self.whole.values()
        for pair in self.pairs.values():
            yield from pair
        yield from self.guided.values()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What is to be crawled in one world."""

    site: Site
    tasks: tuple[_TaskPlan, ...]

    @classmethod
    def of(cls, site: Site, experiment: Experiment, guided: Guided) -> "_Plan":
        return cls(site=site, tasks=tuple(_task_plan(task, site, experiment, guided) for task in _tested(site)))


def _tested(site: Site) -> list[Task]:
    return [task for task in site.tasks if task.role is Role.TEST]


def _task_plan(task: Task, site: Site, experiment: Experiment, guided: Guided) -> _TaskPlan:
    choices = {way: _choice(experiment, name) for way, name in STRATEGIES.items()}
    conditions = conditions_of(task, site.choice, experiment, experiment.budgets)
    one, other = (
        Job(place=0, task=half, choice=choices[Way.SOFT], conditions=conditions)
        for half in halves(task, seed=experiment.seed)
    )
    pairs = {Way.SOFT: (one, other)}
    if task.draw == 1:
        # With the same seed, both would draw the same numbers for the same addresses.
        apart = replace(conditions, seed=seed_of("other half", str(conditions.seed)))
        blind = choices[Way.UNFOCUSED]
        pairs[Way.UNFOCUSED] = replace(one, choice=blind), replace(other, choice=blind, conditions=apart)
    whole = {way: Job(place=0, task=task, choice=choice, conditions=conditions) for way, choice in choices.items()}
    run = conditions.fetches
    led = {who: _guided(whole[Way.SOFT], for_run(who, choice, run)) for who, choice in guided.items()}
    return _TaskPlan(task=task, whole=whole, pairs=pairs, guided=led if task.draw == 1 else {})


def _guided(baseline: Job, choice: StrategyChoice) -> Job:
    """Return the crawl of an apprentice in place of another.

    One that is to be confined is confined to that one's pages.
    """
    return replace(baseline, choice=choice, within=baseline if followed(choice) else None)


def _choice(experiment: Experiment, name: str) -> StrategyChoice:
    found = [choice for choice in experiment.strategies if choice.name == name]
    if not found:
        raise LabError(f'the papers\' figures need a strategy "{name}", which the experiment does not have; add it')
    return found[0]


def _make(plans: Sequence[_Plan], setup: Setup, *, processes: int, log: Path, listener: Listener) -> None:
    """Make the crawls; those of one task go to one process, for they share a critic."""
    places = count()
    groups = [
        Group(
            task=plan.task,
            budgets=sizes_of(plan.task, world.site.choice, ["n"]),
            jobs=tuple(replace(job, place=next(places)) for job in plan.jobs()),
        )
        for world in plans
        for plan in world.tasks
    ]
    jobs = {job.place: job for group in groups for job in group.jobs}
    pace = Pace("the papers' crawls", len(jobs), sum(group.fetches for group in groups), now=monotonic())
    failed: list[FailedCrawl] = []
    with crew_of(setup, processes, log=log) as crew:
        for report in crew.work(groups):
            job = jobs[report.place]
            if isinstance(report, Broken):
                failed.append(FailedCrawl(strategy=job.choice.name, task=job.task.name, error=report.error))
                listener(failed[-1])
            fresh = isinstance(report, Broken) or report.fresh
            listener(pace.step(job.conditions.fetches, job.name, fresh=fresh, now=monotonic()))
    if failed:
        raise CrawlsFailedError(
            f"{len(failed)} of {len(jobs)} crawls for the papers' figures failed; the first: {failed[0]}"
        )


def _gathered(plan: _Plan, experiment: Experiment, setup: Setup, listener: Listener) -> WorldCrawls:
    """Read the crawls of one world back, and survey the ground on which they went."""
    site = plan.site
    with open_world(site.source, cache=setup.cache) as world:
        tasks = tuple(_task_crawls(one, world, site, setup) for one in plan.tasks)
        locked = locked_pages(world, site.choice.locked)
        near = {task.task.topic: locality(world, world.about(task.task.topic), locked=locked) for task in tasks}
    links = partial(
        world_findings,
        [
            Followed(task=one.task, trace=one.whole[Way.SOFT], fetches=one.fetches)
            for one in tasks
            if one.task.draw == 1
        ],
        source=site.source,
        cache=setup.cache,
        locked=site.choice.locked,
        seed=experiment.seed,
        listener=listener,
    )
    return WorldCrawls(note=site.note, seed=experiment.seed, locality=near, tasks=tasks, links=kept_once(links))


def _task_crawls(plan: _TaskPlan, world: World, site: Site, setup: Setup) -> TaskCrawls:
    def trace(job: Job) -> Trace:
        kept = read_trace(setup.runs / f"{trace_key(job, kind_of(job.choice), site.note.digest)}.msgpack")
        if kept is None:
            raise LabError(f"the crawl of {job.name} has vanished from {setup.runs}; run it again")
        return kept.trace

    ground = survey(world, plan.task, locked=locked_pages(world, site.choice.locked))
    run = min(2 * max(1, ground.reachable), plan.whole[Way.SOFT].conditions.fetches)
    return TaskCrawls(
        task=plan.task,
        fetches=run,
        ground=ground,
        whole={way: _cut(trace(job), run) for way, job in plan.whole.items()},
        pairs={way: (_cut(trace(one), run), _cut(trace(other), run)) for way, (one, other) in plan.pairs.items()},
        guided={who: _cut(trace(job), run) for who, job in plan.guided.items()},
    )


def _cut(trace: Trace, fetches: int) -> Trace:
    """Return a crawl as if it had stopped after so many fetches."""
    sides = ("numbers", "relevance", "priority", "depth", "repeats")
    return replace(trace, **{side: getattr(trace, side)[:fetches] for side in sides})
