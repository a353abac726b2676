"""What the lab measures is what ships: a live crawl over HTTP asks for the same URLs, in the same order, as the lab's.

Dead links, redirects and links that lead out of the archive are among them: the server answers 404 for all that it does
not have, and so does the lab.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import StopSwitch, run_crawl
from scenthound.demo.server import ServedWeb
from scenthound.demo.warc_web import WarcWeb
from scenthound.events import ignore
from scenthound.frontier.guide import UNGUIDED
from scenthound.lab.experiment.values import OtherTopic, Outside, Role, StrategyChoice, Task, Trace
from scenthound.lab.runs.critics import Critics
from scenthound.lab.runs.run import Commissioned, Conditions, crawl
from scenthound.lab.strategies.kinds import kind_of
from scenthound.lab.world.world import World, open_world
from scenthound.lab.world.world_sources import WorldSource
from scenthound.parse.urls import canonical
from scenthound.store.base import Store
from scenthound.types import Distillation, Errand, Guidance, Outcome
from tests.lab.small_worlds import TOPICS, Capture, captures, markup, page, write_warc
from tests.often import THOROUGH, thoroughly
from tests.parse.webs import beginning

ORDERS = [
    "best-first",
    "breadth",
    "random",
    *(pytest.param(name, marks=thoroughly) for name in ("best-first-max", "depth")),
]
SEED = 11
PAGES = 20  # of each subject
LOCKED = ("*/images/*", "https://*", "*/wp/index/*")
ROBOTS = "/robots.txt"


@pytest.mark.slow
@pytest.mark.parametrize("order", ORDERS)
def test_a_live_crawl_of_a_small_web_goes_the_same_way_failures_and_all(order: str, tmp_path: Path) -> None:
    source = WorldSource(name="frayed", warc=(write_warc(tmp_path / "frayed.warc.gz", list(frayed())),))
    task = _task("frayed", others=tuple(page(subject, n) for subject in ("fish", "pots") for n in range(3)))
    with open_world(source, cache=tmp_path / "cache", workers=1) as world:
        trace, replayed = _replayed(world, task, order, 100, tmp_path)
    asked = _asked_live(source.warc[0], task, order, 100, tmp_path)
    # Where chance or the depth rules, what the critic refuses when it has learnt again depends on which turn of the
    # lane that was.
    same = 60 if order in ("random", "depth") else len(replayed)
    assert asked[:same] == replayed[:same]
    answers = [answer.status for answer in replayed]
    assert min(answers.count(status) for status in (200, 301, 404)) >= 5
    outside = [answer.url for answer in replayed if ".out" in answer.url]
    assert len(outside) >= 3
    # The budget counts pages and failures, and not the redirects that led to them.
    counted = [status for status in answers if status != 301][:100]
    assert (len(trace), (trace.numbers < 0).sum()) == (100, counted.count(404))


@pytest.mark.slow
def test_with_other_topics_too_a_live_crawl_goes_the_same_way(tmp_path: Path) -> None:
    source = WorldSource(name="frayed", warc=(write_warc(tmp_path / "frayed.warc.gz", list(frayed())),))
    others = [
        OtherTopic(path=TOPICS[subject], examples=tuple(page(subject, n) for n in range(15)))
        for subject in ("fish", "pots")
    ]
    task = _task("frayed", other_topics=tuple(others))
    with open_world(source, cache=tmp_path / "cache", workers=1) as world:
        _, replayed = _replayed(world, task, "best-first", 40, tmp_path)
    assert _asked_live(source.warc[0], task, "best-first", 40, tmp_path)[: len(replayed)] == replayed


@pytest.fixture(scope="module")
def schools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return beginning("schools", tmp_path_factory.mktemp("schools"))


@pytest.mark.slow
@pytest.mark.parametrize("order", ["best-first", pytest.param("breadth", marks=thoroughly)])
def test_a_live_crawl_of_the_schools_web_goes_the_same_way(order: str, schools: Path, tmp_path: Path) -> None:
    archive, pages = schools, 300 if THOROUGH else 80
    source = WorldSource(name="schools", warc=(archive,), labels=archive.with_name("schools.labels.tsv"))
    with open_world(source, cache=None if THOROUGH else schools.with_name("cache"), workers=1) as world:
        about = sorted(world.about("Science/Physics") or world.about(world.topics[0]))
        others = [number for number, labels in enumerate(world.labels) if labels and number not in about]
        task = Task(
            world="schools",
            topic="wanted",
            draw=0,
            role=Role.TEST,
            examples=tuple(world.urls[number] for number in about[:10]),
            others=tuple(world.urls[number] for number in others[:: len(others) // 60]),
            start=tuple(world.urls[number] for number in about[:10]),
            wanted=frozenset(about[10:]),
        )
        _, replayed = _replayed(world, task, order, pages, tmp_path)
    assert _asked_live(archive, task, order, pages, tmp_path)[: len(replayed)] == replayed


def frayed() -> Iterator[Capture]:
    """Yield the small web with what links lead to on the real one: each page has a link to one more failure or
    redirect.
    """
    whole = [capture for capture in captures(PAGES) if capture.status == "200 OK"]
    places = {page(subject, number): (subject, number) for subject in TOPICS for number in range(PAGES)}
    for capture in whole:
        if capture.url not in places:
            yield capture
            continue
        subject, number = places[capture.url]
        links = "".join(f'<p>More at <a href="{target}">{target[7:]}</a>' for target in _loose_ends(subject, number))
        yield Capture(url=capture.url, body=(markup(subject, number, PAGES) + links).encode())
        yield Capture(url=f"http://{subject}.test/gone-{number}", status="404 Not Found", body=b"<p>Gone.")
        target = f"/{(number + 7) % PAGES}.html" if number % 3 else f"http://moved.out/{subject}"
        yield Capture(url=f"http://{subject}.test/moved-{number}", status="301 Moved", headers=(("Location", target),))


def _loose_ends(subject: str, number: int) -> Sequence[str]:
    """Return what one page links to besides: dead, moved, not archived on a host that is, and on one that is not."""
    here = f"http://{subject}.test"
    return (
        f"{here}/gone-{number}",
        f"{here}/moved-{number}",
        f"{here}/never-archived-{number}",
        f"http://{subject}{number % 4}.out/{number}",
    )


def _task(world: str, *, others: tuple[str, ...] = (), other_topics: tuple[OtherTopic, ...] = ()) -> Task:
    examples = tuple(page("birds", n) for n in range(4))
    return Task(
        world=world,
        topic=TOPICS["birds"],
        draw=0,
        role=Role.TEST,
        examples=examples,
        others=others,
        other_topics=other_topics,
        start=examples,
        wanted=frozenset(range(4, PAGES)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One URL that was asked for, and the status that came."""

    url: str
    status: int


@dataclass(slots=True)
class Onlooker:
    """A guide that changes nothing and keeps what was asked for, redirects too, which a trace does not have."""

    asked: list[Answer] = field(default_factory=list)

    def advise(self, outcomes: Sequence[Outcome]) -> list[Guidance]:
        self.asked += [
            Answer(url=outcome.claim.url, status=outcome.fetch.status if outcome.fetch else 0)
            for outcome in outcomes
            if outcome.asked and outcome.claim.errand is Errand.PAGE and not outcome.claim.example
        ]
        return UNGUIDED.advise(outcomes)

    def hear(self, found: Distillation) -> Mapping[str, float] | None:
        return None

    def revise(self, store: Store) -> Iterator[Mapping[str, float]]:
        return iter(())


def _replayed(world: World, task: Task, order: str, fetches: int, folder: Path) -> tuple[Trace, list[Answer]]:
    choice = StrategyChoice(name=order, kind=order, parameters={}, settings={}, tune={})
    conditions = Conditions(fetches=fetches, seed=SEED, outside=Outside.WASTED, locked=LOCKED)
    critics, onlooker = Critics(world, folder / "critics"), Onlooker()
    trace = crawl(world, task, choice, kind_of(choice), conditions, critics, guide_by=lambda store, advisor: onlooker)
    return trace, onlooker.asked


def _asked_live(archive: Path, task: Task, order: str, pages: int, folder: Path) -> list[Answer]:
    """Crawl over HTTP, and return what the server was asked for, examples and robots.txt left out."""
    directory = CrawlDirectory.create(folder / "crawl", topics=Commissioned(task).topics())
    with ServedWeb(WarcWeb([archive], preload=True).answer) as served:
        settings = directory.settings(
            [
                "fetch.delay=0",
                "fetch.delay_factor=0",
                "fetch.concurrency=1",
                "read.workers=1",
                f"fetch.proxy={served.proxy_url}",
                f"fetch.locked={list(LOCKED)}",
                f"crawl.order={order}",
                f"crawl.pages={pages}",
                f"crawl.seed={SEED}",
                "crawl.phases=off",  # as in the lab
            ]
        )
        run_crawl(directory, settings, listener=ignore, stop=StopSwitch())
        log = [entry for entry in served.log() if entry.path != ROBOTS]
    asked = [Answer(url=canonical(f"http://{entry.host}{entry.path}") or "", status=entry.status) for entry in log]
    examples = {*task.examples, *task.unwanted}
    return [answer for answer in asked if answer.url not in examples]
