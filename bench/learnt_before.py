"""What an apprentice is worth that has learnt in another crawl (APPRENTICE §3.5), on the schools web.

A crawl for a topic fetches 400 pages, and what its apprentice knows then is taken along. A second crawl for the same
topic begins at other examples; harvest is the share of labelled pages among its first 100 fetches, with and without the
knowledge. Two more ways take the knowledge of another topic along: the weights alone, which is what a crawl does if
its topic has another name, and the words too. Pages that the first crawl has fetched count like all others: on a small
web, a crawl of the same topic meets them again.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Final

from bench.figures import Figure, Report, at_least, markdown_table
from bench.prior import opened
from bench.serving import missing
from scenthound.apprentice.crawl_guide import Advisor, ApprenticeGuide
from scenthound.apprentice.learnt_before import weights_alone
from scenthound.apprentice.model import State
from scenthound.apprentice.scent import HUB, ScentModel
from scenthound.lab import StrategyChoice, World
from scenthound.lab.experiment.tasks import Drawing, Labels, locked_pages
from scenthound.lab.experiment.values import Role, Task
from scenthound.lab.runs.critics import Critics
from scenthound.lab.runs.run import Conditions, crawl
from scenthound.lab.strategies.kinds import kind_of
from scenthound.store.base import Store

LOCKED: Final = ("*/wp/index/*", "*/images/*")
# Test topics of lab/experiments/classic.toml: the weights that ship have not seen them.
TOPICS: Final = (
    "Science/Biology/Mammals",
    "Science/Physics/Space_Astronomy",
    "History/Ancient_History_Classical_History_and_Mythology",
    "Geography/Geology_and_geophysics",
)
EXAMPLES: Final = 10
FIRST, SECOND = 400, 100  # fetches of the crawl that teaches, and of the one that begins with what it taught
OTHERS: Final = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The harvest of the first fetches: without, with what was learnt on the topic, and on another one (weights alone,
    and with its words)."""

    topic: str
    draw: int
    without: float
    same: float
    other: float
    words: float


def run(*, quick: bool = False) -> Report:
    """Crawl for each topic, take the knowledge along, and crawl again."""
    with tempfile.TemporaryDirectory() as folder, opened("schools") as world:
        if world is None:
            return Report(skipped=missing("schools.warc.gz, with its labels,"))
        critics = Critics(world, Path(folder))
        return report(list(_trials(world, critics, TOPICS[: 2 if quick else None], draws=1 if quick else 2)))


def _trials(world: World, critics: Critics, topics: Sequence[str], *, draws: int) -> Iterator[Trial]:
    known = {topic: learnt(world, critics, _task(world, topic, draw=11)) for topic in topics}
    for place, topic in enumerate(topics):
        other = known[topics[place - 1]]
        for draw in range(1, draws + 1):
            task = _task(world, topic, draw=draw)
            ways = (None, known[topic], weights_alone(other), other)
            without, same, weights, words = (harvest(world, critics, task, before) for before in ways)
            told = f"{without:.2f} without, {same:.2f} with, {weights:.2f} and {words:.2f} of another topic"
            print(f"  {topic} {draw}: {told}", flush=True)
            yield Trial(topic=topic, draw=draw, without=without, same=same, other=weights, words=words)


def learnt(world: World, critics: Critics, task: Task) -> State:
    """Return what an apprentice knows after a crawl."""
    models: list[ScentModel] = []

    def make() -> ScentModel:
        models.append(ScentModel(without=(HUB,)))
        return models[-1]

    _crawl(world, critics, task, make, fetches=FIRST)
    return models[-1].knowledge()


def harvest(world: World, critics: Critics, task: Task, before: State | None) -> float:
    """Return the share of wanted pages among the first fetches."""
    return _crawl(world, critics, task, partial(ScentModel, without=(HUB,), before=before), fetches=SECOND)


def _crawl(world: World, critics: Critics, task: Task, make: Callable[[], ScentModel], *, fetches: int) -> float:
    def guide_by(store: Store, advisor: Advisor) -> ApprenticeGuide:
        return ApprenticeGuide(make, kind="scent", store=store, advisor=advisor, sample=0.01, seed=task.draw)

    choice = StrategyChoice(name="apprentice", kind="apprentice", parameters={}, settings={}, tune={})
    conditions = Conditions(fetches=fetches, locked=LOCKED)
    trace = crawl(world, task, choice, kind_of(choice), conditions, critics, guide_by=guide_by)
    wanted = [int(number) in task.wanted for number in trace.numbers]
    return sum(wanted) / fetches


def _task(world: World, topic: str, *, draw: int) -> Task:
    drawing = Drawing(seed=7, examples=EXAMPLES, negatives=OTHERS, locked=locked_pages(world, LOCKED))
    return drawing.task(world, Labels(world=world), topic, draw=draw, role=Role.TEST)


def report(trials: Sequence[Trial]) -> Report:
    """Show each topic, and the means."""
    names = ("without", "same", "other", "words")
    without, same, other, words = (mean(getattr(one, name) for one in trials) for name in names)
    figures = (
        Figure(name="harvest of the first 100 fetches, without", value=without),
        Figure(name="the same, with what was learnt on the topic", value=same, goal=at_least(without)),
        Figure(name="the same, with the weights of another topic", value=other),
        Figure(name="the same, with the weights and words of another topic", value=words),
    )
    rows = [[one.topic, str(one.draw), *(f"{getattr(one, name):.2f}" for name in names)] for one in trials]
    headings = ["topic", "draw", "without", "learnt on the topic", "weights of another", "words of another too"]
    return Report(figures=figures, text=(markdown_table(headings, rows, right=range(1, 6)),))
