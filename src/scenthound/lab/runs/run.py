"""One crawl of the lab: the real loop, with a virtual clock, an archived web, and a strategy.

Nothing of the crawl is simulated. Loop, lane, judging, focus, traps and frontier are those of a live crawl with one
connection and no delay; only the network, the reading of pages and the time are replaced.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self

import numpy as np
import uvloop

from scenthound.apprentice.crawl_guide import Advisor
from scenthound.archive.place import ArchivePlace
from scenthound.clock import VirtualClock
from scenthound.crawl.critic.crawl_critic import Judging
from scenthound.crawl.engine.exchange_archive import UnarchivedExchanges
from scenthound.crawl.engine.garbage import seldom_collected
from scenthound.crawl.engine.lane import Lane
from scenthound.crawl.engine.loop import CrawlLoop, Parts, StopSwitch
from scenthound.crawl.engine.rulebook import rulebook_of
from scenthound.crawl.engine.steps import Rulebook
from scenthound.crawl.engine.visitor import Visitor
from scenthound.crawl.hubs.distillation import NO_HUBS, Distilling, Hubs
from scenthound.crawl.learning.archetype_choice import Choice, choose
from scenthound.crawl.order.fixed import FixedOrder
from scenthound.crawl.order.frontier_order import FrontierOrder
from scenthound.errors import LabError
from scenthound.events import Summary, ignore
from scenthound.frontier.bounds import Fence
from scenthound.frontier.guide import UNGUIDED, Guide
from scenthound.frontier.orders import APPRENTICE, Combined
from scenthound.lab.experiment.tasks import locked_pages
from scenthound.lab.experiment.values import OUTSIDE, Outside, StrategyChoice, Task, Trace
from scenthound.lab.runs.critics import Critics, TaskLearner
from scenthound.lab.runs.distillation_at_once import AtOnce
from scenthound.lab.runs.offline_apprentice import OFFLINE, WITHOUT, LessonTaker, guided
from scenthound.lab.runs.strategy_guide import StrategyGuide
from scenthound.lab.strategies.kinds import Kind, kind_of
from scenthound.lab.strategies.strategy import Briefing
from scenthound.lab.world.replay import CachedReadings, Inside, ReplayFetcher
from scenthound.lab.world.world import World
from scenthound.settings.file import settings_from
from scenthound.settings.schema import Settings
from scenthound.store.base import Store
from scenthound.store.indexed.store import IndexedStore
from scenthound.taxonomy import Topic, Topics
from scenthound.types import Distillation, Ending, Errand, Guidance, Lesson, Outcome

REST = "(not wanted)"  # the topic of negative examples
LATENCY = 0.1  # virtual seconds per fetch
# One request at a time, in the order of the frontier, without an archive. hubs.toml measures hubs separately. What a
# crawl teaches itself would give strategies of one task different critics; `bench self_taught` measures it.
ALONE: Mapping[str, Any] = {
    "fetch.delay": 0.0,
    "fetch.delay_factor": 0.0,
    "fetch.concurrency": 1,
    "fetch.per_host": 1,
    "fetch.per_domain": 0,
    "fetch.per_ip": 0,
    "fetch.robots": False,
    "archive.keep": False,
    "distill.lift": 0.0,
    "crawl.pages": 0,
    "crawl.phases": "off",
    "crawl.archetypes": 0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """The common conditions of all crawls. `fetches` is the budget; a redirect and its target are one fetch."""

    fetches: int
    seed: int = 7
    host_cap: int = 0
    outside: Outside = OUTSIDE
    locked: tuple[str, ...] = ()
    settings: tuple[tuple[str, Any], ...] = ()


def crawl(
    world: World,
    task: Task,
    choice: StrategyChoice,
    kind: Kind,
    conditions: Conditions,
    critics: Critics,
    *,
    within: AbstractSet[str] | None = None,
    guide_by: Callable[[Store, Advisor], Guide] | None = None,
    choice_by: Callable[[Store], Choice] = lambda _store: choose,
    watch: Callable[[Store], None] = lambda _store: None,
) -> Trace:
    """Crawl for a task with a strategy, and return the fetches; `within` confines it to some addresses.

    `guide_by` replaces the strategy's own guide, `choice_by` what chooses archetypes; `watch` sees what the crawl has
    left.
    """
    settings = settings_of(choice, kind, conditions)
    learner = critics.learner(settings.critic)
    with _Bench(world, task, settings, conditions, learner, choice_by) as bench:
        guide = _guide(world, task, choice, kind, conditions, learner)
        if guide_by is not None:
            guide = guide_by(bench.store, bench.judging)
        if guide is None and settings.crawl.order == APPRENTICE:
            before = (
                _train_lessons(world, task, conditions, critics, within)
                if kind.parameters_for(choice).get(OFFLINE)
                else None
            )
            without = str(kind.parameters_for(choice).get(WITHOUT, ""))
            guide = guided(settings, store=bench.store, advisor=bench.judging, before=before, without=without)
        trace = bench.crawl(guide, text=kind.wants_text, within=within)
        watch(bench.store)
        return trace


def _train_lessons(
    world: World, task: Task, conditions: Conditions, critics: Critics, within: AbstractSet[str] | None
) -> list[Lesson]:
    """Return the lessons of a crawl with best-first under the same conditions."""
    choice = StrategyChoice(name="best-first", kind="best-first", parameters={}, settings={}, tune={})
    settings = settings_of(choice, kind_of(choice), conditions)
    with _Bench(world, task, settings, conditions, critics.learner(settings.critic)) as bench:
        bench.crawl(LessonTaker(), text=False, within=within)
        return bench.store.lessons(limit=bench.store.last_lesson())


class _Bench:
    """The parts of one crawl; use it in a `with`."""

    def __init__(
        self,
        world: World,
        task: Task,
        settings: Settings,
        conditions: Conditions,
        learner: TaskLearner,
        choice_by: Callable[[Store], Choice] = lambda _store: choose,
    ) -> None:
        self._world = world
        self._task = task
        self._settings = settings
        self._conditions = conditions
        self._clock = VirtualClock()
        self.store = IndexedStore(bad_after=settings.fetch.tries)
        self.judging = Judging(
            directory=Commissioned(task),
            settings=settings,
            store=self.store,
            clock=self._clock,
            listener=ignore,
            learner=learner,
            choice=choice_by(self.store),
        )

    def __enter__(self) -> Self:
        self.store.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self.store.close()

    def crawl(self, guide: Guide | None, *, text: bool, within: AbstractSet[str] | None) -> Trace:
        """Crawl until the budget is spent."""
        stop = StopSwitch()
        logbook = Logbook(self._world, self._conditions.fetches, stop, guide or UNGUIDED)
        parts = self._parts(logbook, stop, text=text, within=within)
        with seldom_collected():
            summary: Summary = uvloop.run(CrawlLoop(parts, None).run())
        return logbook.trace(self.store, summary)

    def _parts(self, logbook: "Logbook", stop: StopSwitch, *, text: bool, within: AbstractSet[str] | None) -> Parts:
        settings, clock, store = self._settings, self._clock, self.store
        fence = _fence(self._world, self._task, self._conditions.outside, within)
        book = rulebook_of(settings, store, only=fence)
        _check_columns(book)
        self.judging.begin(book)
        order = FrontierOrder(
            FixedOrder(book, store=store, clock=clock, critic=self.judging, guide=logbook),
            store=store,
            clock=clock,
            critic=self.judging,
            hubs=self._hubs(),
        )
        return Parts(
            settings=settings,
            clock=clock,
            store=store,
            lane=Lane(
                store=store,
                exchanges=UnarchivedExchanges(store),
                clock=clock,
                owner="lab",
                critic=self.judging,
                order=order,
                hooks=(self.judging, order),
            ),
            visitor=Visitor(ReplayFetcher(self._world, clock, latency=LATENCY), settings=settings.fetch, clock=clock),
            reader=CachedReadings(self._world, text=text),
            listener=ignore,
            stop=stop,
        )

    def _hubs(self) -> Hubs:
        """Return what finds hubs, if they do anything here."""
        distill, apprentice = self._settings.distill, self._settings.apprentice
        guided = self._settings.crawl.order == APPRENTICE
        lifted = apprentice.hubs or apprentice.lift if guided else distill.lift
        if not distill.on or not (lifted or self._settings.crawl.archetypes):
            return NO_HUBS
        distilling = Distilling(
            distill,
            store=self.store,
            worker=AtOnce(self.store, distill),
            clock=self._clock,
            listener=ignore,
            critic=lambda: self.judging.version,
        )
        distilling.begin()
        return distilling


def _check_columns(book: Rulebook) -> None:
    """Refuse a column that needs an apprentice beside the order: the lab has none to ask."""
    if isinstance(book.order, Combined) and book.order.combination.has("expected"):
        raise LabError('"expected" is no column in the lab; let the kind "apprentice" crawl, or name other columns')


def settings_of(choice: StrategyChoice, kind: Kind, conditions: Conditions) -> Settings:
    """Return the settings of one crawl: of the lab, the experiment, the kind and the choice, in this order."""
    table: dict[str, dict[str, Any]] = {}
    wanted = {
        **ALONE,
        "crawl.seed": conditions.seed,
        "crawl.pages_per_host": conditions.host_cap,
        "fetch.locked": list(conditions.locked),
        **dict(conditions.settings),
        **kind.settings_for(choice),
    }
    for key, value in wanted.items():
        section, _, name = key.partition(".")
        table.setdefault(section, {})[name] = value
    return settings_from(dict(table), where=f'strategy "{choice.name}"')


class Commissioned:
    """A task as the topics of a crawl: its topic is good, and the negatives are one other topic or several."""

    path = Path()
    archive_place = ArchivePlace(Path())  # nothing is read from there: all pages come with their terms

    def __init__(self, task: Task) -> None:
        self._task = task

    def topics_stamp(self) -> object:
        return None

    def topics(self) -> Topics:
        task = self._task
        wanted = Topic(path=task.topic, good=True, examples=task.examples)
        rest = Topic(path=REST, examples=task.others)
        others = [Topic(path=other.path, examples=other.examples) for other in task.other_topics]
        return Topics(topics=(wanted, *others, *([rest] if task.others or not others else [])))

    def seeds(self) -> list[str]:
        return list(self._task.start)

    asks_to_harvest = False

    def ask_to_harvest(self, wanted: bool = True) -> None:
        """Do nothing: nobody watches."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One fetch in the logbook."""

    url: str
    number: int
    relevance: float
    priority: float
    depth: int


class Logbook:
    """Logs the fetches of a crawl and stops it at the budget; passes everything on to its guide."""

    def __init__(self, world: World, fetches: int, stop: StopSwitch, guide: Guide) -> None:
        self._world = world
        self._fetches = fetches
        self._stop = stop
        self._guide = guide
        self._fetched: list[Entry] = []

    def advise(self, outcomes: Sequence[Outcome]) -> list[Guidance]:
        given = self._guide.advise(outcomes)
        pairs = zip(outcomes, given, strict=True)
        self._fetched += [self._entry(outcome, said.lesson) for outcome, said in pairs if _counts(outcome)]
        if len(self._fetched) >= self._fetches:
            self._stop.ask()
        return given

    def hear(self, found: Distillation) -> Mapping[str, float] | None:
        return self._guide.hear(found)

    def revise(self, store: Store) -> Iterator[Mapping[str, float]]:
        return self._guide.revise(store)

    def _entry(self, outcome: Outcome, lesson: Lesson | None) -> Entry:
        claim, judgement = outcome.claim, outcome.judgement
        return Entry(
            url=claim.url,
            number=self._world.number.get(claim.url, -1) if outcome.ending is Ending.PAGE else -1,
            relevance=judgement.relevance if judgement else float("nan"),
            priority=_expected(outcome, lesson),
            depth=claim.depth,
        )

    def trace(self, store: Store, summary: Summary) -> Trace:
        fetched = self._fetched[: self._fetches]
        repeats = {row.final_url for row in store.pages(everything=True) if row.duplicate_of or row.near_duplicate_of}
        return Trace(
            numbers=np.array([entry.number for entry in fetched], dtype=np.int32),
            relevance=np.array([entry.relevance for entry in fetched], dtype=np.float64),
            priority=np.array([entry.priority for entry in fetched], dtype=np.float64),
            depth=np.array([entry.depth for entry in fetched], dtype=np.int32),
            repeats=np.array([entry.url in repeats for entry in fetched], dtype=np.bool_),
            stopped="budget" if len(fetched) >= self._fetches else summary.cause.value,
            digest=_digest(entry.url for entry in fetched),
        )


class Both:
    """A fence that requires both of two fences."""

    def __init__(self, one: Fence, other: Fence) -> None:
        self._one, self._other = one, other

    def locked(self, url: str) -> bool:
        return self._one.locked(url) and self._other.locked(url)


class Within:
    """A set of addresses as a fence."""

    def __init__(self, urls: AbstractSet[str]) -> None:
        self._urls = urls

    def locked(self, url: str) -> bool:
        return url in self._urls


def _guide(
    world: World, task: Task, choice: StrategyChoice, kind: Kind, conditions: Conditions, learner: TaskLearner
) -> Guide | None:
    if kind.make is None:
        return None
    make, parameters = kind.make, kind.parameters_for(choice)
    truth = Truth(world, task, locked_pages(world, conditions.locked)) if kind.knows_truth else None
    briefing = Briefing(seed=conditions.seed, words=learner, truth=truth)
    return StrategyGuide(lambda: make(briefing, parameters), start=frozenset(task.start))


class Truth:
    """The knowledge of an oracle, without links to pages that are never fetched."""

    def __init__(self, world: World, task: Task, locked: AbstractSet[int]) -> None:
        self._world = world
        self._wanted = task.wanted
        self._locked = locked

    def relevant(self, url: str) -> bool:
        return self._world.number.get(url, -1) in self._wanted

    def alive(self, url: str) -> bool:
        return self._world.find(url) is not None

    def links(self, url: str) -> Sequence[str]:
        number = self._world.number.get(url)
        targets = [] if number is None else self._world.links(number).tolist()
        return [self._world.urls[target] for target in targets if target not in self._locked]


def _fence(world: World, task: Task, outside: Outside, within: AbstractSet[str] | None) -> Fence | None:
    inside = Inside(world) if outside is Outside.INVISIBLE else None
    if within is None:
        return inside
    confined = Within(within | {*task.examples, *task.unwanted})
    return confined if inside is None else Both(inside, confined)


def _expected(outcome: Outcome, lesson: Lesson | None) -> float:
    """Return what was expected of a page: the lesson of an apprentice says so, else it is the priority."""
    score = lesson.score if lesson is not None else None
    return outcome.claim.priority if score is None else score


def _counts(outcome: Outcome) -> bool:
    ended = outcome.ending in (Ending.PAGE, Ending.FAILED) and outcome.claim.errand is Errand.PAGE
    return ended and outcome.asked and not outcome.claim.example


def _digest(urls: Iterable[str]) -> str:
    seen = blake2b(digest_size=16)
    for url in urls:
        seen.update(url.encode() + b"\n")
    return seen.hexdigest()
