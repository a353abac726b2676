"""How quickly the lab replays: the schools web by best-first on one core, with judgements remembered and without.

Each figure is the best of several runs over the same task, because whatever else the machine does only ever takes away.
A comparison of eight strategies on sixteen topics and three draws is timed as a whole, with both cores.
"""

import tempfile
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time

from bench.figures import Figure, Report, at_least, at_most
from bench.serving import missing, webs_file
from scenthound.lab import Experiment, StrategyChoice, World, WorldChoice, WorldSource, open_world, run_experiment
from scenthound.lab.experiment.tasks import Drawing, Labels, locked_pages
from scenthound.lab.experiment.values import Outside, Role, Task
from scenthound.lab.runs.critics import Critics
from scenthound.lab.runs.run import Conditions, crawl
from scenthound.lab.strategies.kinds import kind_of

LOCKED = ("*/wp/index/*", "*/images/*")
TOPIC = "Science"  # the largest tree, so that a crawl is long enough to be timed
FETCHES = 2000
ROUNDS = 5
EIGHT = ("breadth", "random", "in-degree", "best-first", "best-first-max", "shark", "ache", "oracle")
MINUTES = 15


def run(*, quick: bool = False) -> Report:
    """Time replays, and then a whole comparison."""
    warc = webs_file("schools.warc.gz")
    if warc is None:
        return Report(skipped=missing("schools.warc.gz"))
    labels = warc.with_name("schools.labels.tsv")
    source = WorldSource(name="schools", warc=(warc,), labels=labels)
    open_world(source).close()  # read it, if nobody has
    began = perf_counter()
    with open_world(source) as world, tempfile.TemporaryDirectory() as folder:
        task = _task(world)
        opening = perf_counter() - began
        rounds = 1 if quick else ROUNDS
        remembered = max(_pace(world, task, Critics(world, Path(folder))) for _ in range(rounds))
        judging = max(_pace(world, task, Critics(world, Path(folder), remember=False)) for _ in range(rounds))
    minutes, crawls = _comparison(warc, labels, topics=2 if quick else 16)
    return Report(
        figures=(
            Figure(name="opening a world that was read before", value=opening, unit="s", goal=at_most(2)),
            Figure(name="replayed, judgements remembered", value=remembered, unit="pages/s", goal=at_least(1000)),
            Figure(name="replayed, each page judged", value=judging, unit="pages/s", goal=at_least(300)),
            Figure(name=f"comparison of {crawls} crawls", value=minutes, unit="min", goal=at_most(MINUTES)),
        )
    )


def _task(world: World) -> Task:
    drawing = Drawing(seed=7, examples=10, negatives=150, locked=locked_pages(world, LOCKED))
    return drawing.task(world, Labels(world=world), TOPIC, draw=1, role=Role.TEST)


def _pace(world: World, task: Task, critics: Critics) -> float:
    """Return pages per second of processor time, without the training of the critic, which the first crawl does."""
    choice = _choice("best-first")
    conditions = Conditions(
        fetches=FETCHES, outside=Outside.INVISIBLE, locked=LOCKED
    )  # a 404 would be quicker than a page
    crawl(world, task, choice, kind_of(choice), replace(conditions, fetches=1), critics)
    began = process_time()
    trace = crawl(world, task, choice, kind_of(choice), conditions, critics)
    return len(trace) / (process_time() - began)


def _comparison(warc: Path, labels: Path, *, topics: int) -> tuple[float, int]:
    world = WorldChoice(name="schools", warc=(str(warc),), labels=str(labels), locked=LOCKED, least_pages=40)
    experiment = Experiment(
        title="eight strategies",
        budgets=("n",),
        draws=3,
        outside=Outside.INVISIBLE,
        worlds=(world,),
        most_topics=topics,
        strategies=tuple(map(_choice, EIGHT)),
    )
    began = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        results = run_experiment(experiment, folder=Path(folder))
    return (perf_counter() - began) / 60, len(results.runs)


def _choice(name: str) -> StrategyChoice:
    return StrategyChoice(name=name, kind=name, parameters={}, settings={}, tune={})
