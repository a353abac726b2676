"""Whether the distiller's hubs are hubs: on the schools web, whose index pages list the articles of a subject.

Best-first crawls for eight development topics begin with their examples and all index pages of single subjects, with
500 fetches; then the crawl is distilled, every page standing for itself. Raising what hubs cite is compared with not
raising it, at equal budget.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Final

from bench.figures import Figure, Report, at_least, markdown_table
from bench.serving import missing, webs_file
from scenthound.distill.of_store import distil_store
from scenthound.distill.scores import Rules
from scenthound.distill.site import Site
from scenthound.lab import StrategyChoice, World, WorldSource, open_world
from scenthound.lab.experiment.tasks import Labels, draw_tasks
from scenthound.lab.experiment.values import Outside, Role, Task
from scenthound.lab.experiments import named
from scenthound.lab.runs.critics import Critics
from scenthound.lab.runs.offline_apprentice import LessonTaker
from scenthound.lab.runs.run import Conditions, crawl
from scenthound.lab.strategies.kinds import kind_of
from scenthound.store.base import Store
from scenthound.store.memory.store import MemoryStore

WARC, LABELS = "schools.warc.gz", "schools.labels.tsv"
BUDGETS: Final = (300, 500)
TOP: Final = 20
TOPICS: Final = 8
SITE: Final = {"distill.site": "page", "distill.least": 300, "distill.growth": 1.2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The result of one topic: index pages among the top hubs, and wanted pages without and with raising, by budget."""

    topic: str
    wanted: int
    index: float
    place: int  # of the best index page among hubs, 0 without one
    plain: tuple[int, ...]
    raised: tuple[int, ...]


def run(*, quick: bool = False) -> Report:
    """Crawl for each topic, twice."""
    warc, labels = webs_file(WARC), webs_file(LABELS)
    if warc is None or labels is None:
        return Report(skipped=missing(WARC if warc is None else LABELS))
    source = WorldSource(name="schools", warc=(warc,), labels=labels)
    with open_world(source) as world, TemporaryDirectory() as folder:
        critics = Critics(world, Path(folder))
        return report([trial(world, task, critics) for task in tasks(world)[: 1 if quick else TOPICS]])


def tasks(world: World) -> Sequence[Task]:
    """Return those of the experiment of the lab."""
    experiment = named()["hubs"].load()
    choice = experiment.worlds[0]
    drawn = draw_tasks(world, Labels(world=world), choice, experiment)
    return [task for task in drawn if task.role is Role.DEVELOPMENT]


def trial(world: World, task: Task, critics: Critics) -> Trial:
    hubs, plain = _crawl(world, task, critics, lift=0.0)
    _, raised = _crawl(world, task, critics, lift=0.85)
    is_index = ["/wp/index/" in url for url in hubs]
    print(f"  {task.topic}: {sum(is_index[:TOP])} index pages; wanted pages {plain} and {raised}", flush=True)
    return Trial(
        topic=task.topic,
        wanted=len(task.wanted),
        index=mean(is_index[:TOP]),
        place=is_index.index(True) + 1 if any(is_index) else 0,
        plain=plain,
        raised=raised,
    )


def _crawl(world: World, task: Task, critics: Critics, *, lift: float) -> tuple[list[str], tuple[int, ...]]:
    """Crawl; return all hubs, best first, and how many wanted pages were found with each budget."""
    stores: list[Store] = []

    def taken(store: Store, _: object) -> LessonTaker:
        stores.append(store)
        return LessonTaker()

    choice = StrategyChoice(
        name="best-first", kind="best-first", parameters={}, settings={**SITE, "distill.lift": lift}, tune={}
    )
    conditions = Conditions(fetches=max(BUDGETS), outside=Outside.INVISIBLE, locked=("*/images/*",))
    trace = crawl(world, task, choice, kind_of(choice), conditions, critics, guide_by=taken)
    found = [sum(int(number) in task.wanted for number in trace.numbers[:budget]) for budget in BUDGETS]
    store = stores[0]
    assert isinstance(store, MemoryStore)
    return [score.url for score in distil_store(store, Rules(site=Site.PAGE)).scores if score.hub], tuple(found)


def report(trials: Sequence[Trial]) -> Report:
    gains = [sum(one.raised[place] for one in trials) for place in range(len(BUDGETS))]
    plain = [sum(one.plain[place] for one in trials) for place in range(len(BUDGETS))]
    table = markdown_table(
        (
            "topic",
            "wanted",
            "index pages among 20 hubs",
            "place of the best",
            *(f"found with {n}" for n in BUDGETS),
            *(f"raised, {n}" for n in BUDGETS),
        ),
        [
            (
                one.topic,
                str(one.wanted),
                f"{one.index:.0%}",
                str(one.place),
                *map(str, one.plain),
                *map(str, one.raised),
            )
            for one in trials
        ],
    )
    return Report(
        figures=(
            Figure(name="index pages among the top 20 hubs", value=mean(one.index for one in trials)),
            Figure(name="topics whose best hub is an index page", value=sum(one.place == 1 for one in trials)),
            *(
                Figure(
                    name=f"wanted pages with {budget} fetches, raised over not",
                    value=gain / before,
                    unit="×",
                    goal=at_least(1),
                )
                for budget, gain, before in zip(BUDGETS, gains, plain, strict=True)
            ),
        ),
        text=(table,),
    )
