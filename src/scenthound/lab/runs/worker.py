"""One process of an experiment: it opens worlds, runs its crawls, and scores them.

`main` takes groups of crawls from a socket on standard input and answers with a report on each; `crew` is the other
end. With one process, the same work runs without another.
"""

import sys
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from time import process_time

from threadpoolctl import threadpool_limits

from scenthound.errors import ScenthoundError
from scenthound.lab.experiment.jobs import Group, Job
from scenthound.lab.experiment.tasks import locked_pages
from scenthound.lab.experiment.values import RunResult, Trace
from scenthound.lab.metrics.crawl_metrics import curve, score
from scenthound.lab.metrics.world_facts import Ground, survey
from scenthound.lab.runs.critics import Critics
from scenthound.lab.runs.run import crawl
from scenthound.lab.runs.trace_file import KeptTrace, read_trace, write_trace
from scenthound.lab.runs.trace_key import trace_key
from scenthound.lab.strategies.kinds import kind_of
from scenthound.lab.world.world import World, open_world
from scenthound.lab.world.world_sources import WorldSource

READY = "ready"
IDLE = None  # said when a group is done


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The folders of worlds, traces and critics; the same for all processes."""

    sources: Mapping[str, WorldSource]
    cache: Path
    runs: Path
    critics: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A finished crawl. `fresh` means that it ran now, and not in an earlier run."""

    place: int
    result: RunResult
    seconds: float
    fresh: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A crawl that failed, and why."""

    place: int
    error: str


Report = Scored | Broken


class Worker:
    """Runs crawls. Worlds stay open, because the next group probably needs the same one."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._worlds: dict[str, World] = {}
        self._critics: dict[str, Critics] = {}

    def run(self, group: Group) -> Iterator[Report]:
        """Run the crawls of a group one after the other, and report on each, failed or not."""
        ground: Ground | None = None
        for job in group.jobs:
            try:
                # One thread: sums then have one order, and processes do not wait for each other.
                with threadpool_limits(limits=1):
                    kept, fresh = self._trace(job)
                    ground = ground or self._ground(job)
                    result = run_result(job, kept.trace, ground, group.budgets)
            except Exception as error:
                yield Broken(place=job.place, error=in_words(error))
            else:
                yield Scored(place=job.place, result=result, seconds=kept.seconds, fresh=fresh)

    def _world(self, name: str) -> World:
        if name not in self._worlds:
            self._worlds[name] = open_world(self._setup.sources[name], cache=self._setup.cache)
            self._critics[name] = Critics(self._worlds[name], self._setup.critics)
        return self._worlds[name]

    def _ground(self, job: Job) -> Ground:
        world = self._world(job.task.world)
        return survey(world, job.task, locked=locked_pages(world, job.conditions.locked))

    def _trace(self, job: Job) -> tuple[KeptTrace, bool]:
        """Return the trace of a job, and whether it ran now."""
        world, kind = self._world(job.task.world), kind_of(job.choice)
        path = self._setup.runs / f"{trace_key(job, kind, world.digest)}.msgpack"
        kept = read_trace(path)
        if kept is not None:
            return kept, False
        within = None if job.within is None else _addresses(world, self._trace(job.within)[0].trace)
        critics = self._critics[job.task.world]
        begun = process_time()
        trace = crawl(world, job.task, job.choice, kind, job.conditions, critics, within=within)
        made = KeptTrace(trace=trace, seconds=process_time() - begun)
        write_trace(path, made)
        return made, True


def run_result(job: Job, trace: Trace, ground: Ground, budgets: Mapping[str, int]) -> RunResult:
    """Score a crawl at every budget."""
    task = job.task
    return RunResult(
        world=task.world,
        topic=task.topic,
        role=task.role,
        draw=task.draw,
        strategy=job.choice.name,
        host_cap=job.conditions.host_cap,
        wanted=len(task.wanted),
        fetched=len(trace),
        stopped=trace.stopped,
        digest=trace.digest,
        budgets=dict(budgets),
        scores={budget: score(trace, task, ground, budget=size) for budget, size in budgets.items()},
        curve=curve(trace, task, ground, fetches=max(budgets.values())),
    )


def in_words(error: Exception) -> str:
    """Say in one line what went wrong and, unless the message is ours, where.

    >>> try: [][1]
    ... except IndexError as error: print(in_words(error))
    IndexError: list index out of range (<doctest scenthound.lab.runs.worker.in_words[0]>, line 1)
    """
    if isinstance(error, ScenthoundError):
        return str(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return f"{text} ({Path(place.filename).name}, line {place.lineno})"


def _addresses(world: World, trace: Trace) -> frozenset[str]:
    """Return every address that leads to a page of a trace, redirects included."""
    pages = set(trace.numbers.tolist()) - {-1}
    return frozenset(url for url in world.addresses if world.find(url) in pages)


def main() -> None:
    """Work for the other end of standard input, until that end is closed."""
    with Connection(sys.stdin.fileno()) as wire:
        try:
            wire.send(READY)
            worker = Worker(wire.recv())
            while True:
                for report in worker.run(wire.recv()):
                    wire.send(report)
                wire.send(IDLE)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return
