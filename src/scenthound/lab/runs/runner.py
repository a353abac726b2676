"""Runs an experiment: opens worlds, draws tasks, tunes strategies, compares them, and writes the results.

    Experiment ─► sites (world, truth, tasks) ─► tuning on development topics ─► crawls ─► Results

It can be interrupted at any moment: each crawl leaves a file, and a finished crawl does not run again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from scenthound.counted import count
from scenthound.errors import CrawlsFailedError, LabError
from scenthound.lab.experiment.experiment import Budget, Experiment
from scenthound.lab.experiment.experiment_file import checked
from scenthound.lab.experiment.jobs import Job, followed, groups_of
from scenthound.lab.experiment.values import Results, Role, RunResult, StrategyChoice, Task, Tuning
from scenthound.lab.experiment.world_sites import Site, open_sites
from scenthound.lab.runs.crew import Crew, crew_of
from scenthound.lab.runs.parameter_search import tuned, variants_of, with_values
from scenthound.lab.runs.progress import FailedCrawl, Listener, Pace, unheard
from scenthound.lab.runs.results_file import assembled, write_results, write_timings
from scenthound.lab.runs.worker import Broken, Setup
from scenthound.lab.strategies.kinds import RECALL, kind_of
from scenthound.lab.world.cache import cache_folder

RUNS, CRITICS, LOG = "runs", "critics", "workers.log"


def run_experiment(
    experiment: Experiment,
    *,
    folder: Path,
    processes: int = 0,
    listener: Listener = unheard,
    cache: Path | None = None,
) -> Results:
    """Run an experiment, or the rest of it, and write its results into a folder.

    `processes` of 0 means one per core. Worlds are in `cache`, traces and critics in the folder. The listener gets
    failed crawls, and the others continue. A failed strategy is left out of the results, and at the end a
    `CrawlsFailedError` says so.
    """
    experiment = checked(experiment)
    check_strategies(experiment.strategies)
    folder.mkdir(parents=True, exist_ok=True)
    where = cache_folder() if cache is None else cache
    sites = open_sites(experiment, cache=where, listener=listener)
    sources = {site.choice.name: site.source for site in sites}
    setup = Setup(sources=sources, cache=where, runs=folder / RUNS, critics=folder / CRITICS)
    with crew_of(setup, processes, log=folder / LOG) as crew:
        run = _Run(experiment=experiment, sites=sites, crew=crew, listener=listener)
        results = run.results()
    write_results(results, folder)
    write_timings(run.timings(), folder)
    run.complain()
    return results


def check_strategies(choices: Sequence[StrategyChoice]) -> None:
    """Raise an error for unknown kinds and parameters, and for strategies that follow a missing one."""
    known = {choice.name: choice for choice in choices}
    for choice in choices:
        for variant in variants_of(choice):
            kind_of(variant.choice)
        other = known.get(followed(choice))
        if choice.kind == RECALL and (other is None or other.kind == RECALL or choice.tune):
            raise LabError(
                f'strategy "{choice.name}": of = "NAME" must name another strategy of the experiment, whose pages it '
                "is confined "
                "to; neither may that be confined itself, nor may this one be tuned"
            )


@dataclass(kw_only=True)
class _Run:
    """One run of an experiment, with its failures by strategy and the duration of each crawl."""

    experiment: Experiment
    sites: Sequence[Site]
    crew: Crew
    listener: Listener
    crawls: int = 0
    failed: list[FailedCrawl] = field(default_factory=list)
    spoilt: set[str] = field(default_factory=set)
    seconds: dict[str, dict[str, float]] = field(default_factory=dict)

    def results(self) -> Results:
        experiment = self.experiment
        tunings = self._tunings()
        values = {tuning.strategy: tuning.chosen for tuning in tunings}
        choices = [with_values(choice, values.get(choice.name, {})) for choice in self._sound(experiment.strategies)]
        runs = self._crawled("crawling", self._tasks(*self._roles()), choices, experiment.budgets, experiment.host_caps)
        sound = self._sound(choices)
        return assembled(
            experiment,
            worlds=[site.note for site in self.sites],
            choices=sound,
            tunings=tunings,
            runs=[run for run in runs if any(run.strategy == choice.name for choice in sound)],
        )

    def timings(self) -> dict[str, Any]:
        """Return the processor seconds of each crawl, by task and strategy."""
        total = sum(seconds for own in self.seconds.values() for seconds in own.values())
        return {"seconds": round(total, 3), "crawls": self.seconds}

    def complain(self) -> None:
        """Raise an error at the end if anything failed."""
        if self.failed:
            names = " and ".join(f'"{name}"' for name in sorted(self.spoilt))
            raise CrawlsFailedError(
                f"{len(self.failed)} of {count(self.crawls, 'crawl')} failed, and the results are without {names}; "
                f"the first: {self.failed[0]}"
            )

    def _roles(self) -> tuple[Role, ...]:
        return tuple(Role) if self.experiment.topics == "all" else (Role(self.experiment.topics),)

    def _tasks(self, *roles: Role) -> list[Task]:
        tasks = [task for site in self.sites for task in site.tasks if task.role in roles]
        if not tasks:
            raise LabError(
                f"no world has topics for {' or '.join(roles)}; say with development or test in [[world]] which are"
            )
        return tasks

    def _sound(self, choices: Sequence[StrategyChoice]) -> list[StrategyChoice]:
        """Return the strategies without a failed crawl, of their own or of the strategy that they follow."""
        return [choice for choice in choices if not {choice.name, followed(choice)} & self.spoilt]

    def _tunings(self) -> list[Tuning]:
        """Crawl for development topics with all values to try; the first budget and host cap decide."""
        variants = {choice.name: variants_of(choice) for choice in self.experiment.strategies if choice.tune}
        if not variants:
            return []
        every = [variant.choice for tried in variants.values() for variant in tried]
        budget, cap = self.experiment.budgets[0], self.experiment.host_caps[0]
        runs = self._crawled("tuning", self._tasks(Role.DEVELOPMENT), every, [budget], [cap])
        self.spoilt |= {
            name for name, tried in variants.items() if any(one.choice.name in self.spoilt for one in tried)
        }
        kept = {name: tried for name, tried in variants.items() if name not in self.spoilt}
        return [tuned(name, tried, runs, budget=str(budget)) for name, tried in kept.items()]

    def _crawled(
        self,
        stage: str,
        tasks: Sequence[Task],
        choices: Sequence[StrategyChoice],
        budgets: Sequence[Budget],
        host_caps: Sequence[int],
    ) -> list[RunResult]:
        """Run all crawls of some strategies for some tasks; return the scores in the order of the experiment."""
        worlds = {site.choice.name: site.choice for site in self.sites}
        groups = groups_of(tasks, choices, self.experiment, budgets=budgets, host_caps=host_caps, worlds=worlds)
        jobs = {job.place: job for group in groups for job in group.jobs}
        pace = Pace(stage, len(jobs), sum(group.fetches for group in groups), now=monotonic())
        found: dict[int, RunResult] = {}
        for report in self.crew.work(groups):
            job = jobs[report.place]
            if isinstance(report, Broken):
                self._fail(job, report.error)
            else:
                found[report.place] = report.result
                self.seconds.setdefault(job.task.name, {})[job.label] = round(report.seconds, 3)
            fresh = isinstance(report, Broken) or report.fresh
            self.listener(pace.step(job.conditions.fetches, job.name, fresh=fresh, now=monotonic()))
        self.crawls += len(jobs)
        return [found[place] for place in sorted(found)]

    def _fail(self, job: Job, error: str) -> None:
        failure = FailedCrawl(strategy=job.choice.name, task=job.task.name, error=error)
        self.failed.append(failure)
        self.spoilt.add(job.choice.name)
        self.listener(failure)
