"""Hubs are found beside a crawl when its graph has grown, and what they cite rises; whatever becomes of the distiller,
the crawl goes on.
"""

import asyncio
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from scenthound.clock import VirtualClock
from scenthound.crawl.hubs.distillation import Distilling
from scenthound.crawl.hubs.distiller_process import DistillerProcess
from scenthound.crawl.hubs.hub_visits import HubVisits
from scenthound.crawl.order.frontier_order import with_priorities
from scenthound.crawl.order.priority_moves import move_waiting
from scenthound.distill.distil_process import distil_beside
from scenthound.distill.scores import Found, Order, Rules
from scenthound.errors import ScenthoundError
from scenthound.events import Event, Notice
from scenthound.frontier.guide import UNGUIDED
from scenthound.frontier.orders import BestFirst, Breadth
from scenthound.frontier.rates import DAY
from scenthound.lab.runs.distillation_at_once import AtOnce
from scenthound.settings.schema import DistillSettings, RevisitSettings
from scenthound.store.indexed.store import IndexedStore
from scenthound.store.sqlite.connection import open_reader
from scenthound.store.sqlite.store import SqliteStore
from scenthound.taxonomy import Topic, Topics
from scenthound.types import Discovery
from tests.cli.conftest import scenthound
from tests.crawl.scene import wait_until
from tests.distill.small_crawls import MadeCrawl, directory_of, link
from tests.distill.small_crawls import page as made_page
from tests.patience import PATIENCE
from tests.store.small_world import claim, found, page, put

TOPICS = Topics(topics=(Topic(path="a", good=True, examples=("http://a.test/0",)),))
HUB, GOOD, NEW, DULL = "http://hub.test/", "http://good{}.test/", "http://new.test/", "http://dull.test/"


class Stage:
    """A crawl by hand, which is told what was recorded."""

    def __init__(self, **settings: object) -> None:
        self.store = IndexedStore()
        self.settings = msgspec.convert(
            {"least": 3, "growth": 1.5, "share": 1.0, "lift": 1.0, **settings}, DistillSettings
        )
        self.said: list[str] = []
        self.clock = VirtualClock()
        self.begin()
        self.now = 0.0

    def begin(self) -> None:
        """Start, or start again."""
        self.distilling = Distilling(
            self.settings,
            store=self.store,
            worker=AtOnce(self.store, self.settings),
            clock=self.clock,
            listener=self.hear,
            critic=lambda: 1,
            visits=HubVisits(
                self.store,
                RevisitSettings(),
                share=self.settings.revisit,
                clock=self.clock,
                listener=self.hear,
            ),
        )
        self.distilling.begin()

    def hear(self, event: Event) -> None:
        assert isinstance(event, Notice)
        self.said.append(event.text)

    def fetch(self, url: str, *links: Discovery, relevance: float = 1.0) -> None:
        self.now += 1.0
        self.store.add([found(url, 9.0)], now=self.now)
        [taken] = claim(self.store, now=self.now, limit=1)
        assert taken.url == url
        read = page(taken, at=self.now, links=links, relevance=relevance)
        outcome = with_priorities(read, returns={}, raised=self.distilling.raised)
        put(self.store, outcome, now=self.now)
        self.distilling.note_recorded([outcome])

    def turn(self, *, order: BestFirst | Breadth | None = None, reordered: bool = False) -> None:
        for change in self.distilling.follow(UNGUIDED, order or BestFirst(), reordered=reordered):
            move_waiting(self.store, change, now=self.clock.now())

    def crawl(self) -> None:
        """Fetch a hub and six of the seven pages that it cites; a dull page cites more."""
        good = [found(GOOD.format(number), 0.2, cited=0.2) for number in range(6)]
        self.fetch(HUB, *good, found(NEW, 0.2, cited=0.2), relevance=0.2)
        self.fetch(DULL, found("http://other.test/", 0.3), found(NEW, 0.1, cited=0.1), relevance=0.1)
        for one in good:
            self.fetch(one.link.url)

    def priority(self, url: str) -> float:
        return {one.url: one.priority for one in self.store.waiting(limit=99)}[url]


def test_what_a_hub_cites_rises_to_what_its_other_links_led_to() -> None:
    stage = Stage()
    stage.crawl()
    before = stage.priority("http://other.test/")
    stage.turn()  # begins
    stage.turn()  # takes in what was found
    assert stage.priority(NEW) == pytest.approx(6 / 8)
    assert stage.priority("http://other.test/") == before
    assert [hub.url for hub in stage.store.hubs(limit=1)] == [HUB]
    assert stage.said == ["distilled 8 pages with 9 links: 1 hub found; 1 URL cited by them moved"]


def test_what_was_raised_stays_where_it_is_when_a_poor_page_cites_it_too() -> None:
    stage = Stage()
    stage.crawl()
    stage.turn()
    stage.turn()
    stage.fetch("http://poor.test/", found(NEW, 0.1, cited=0.1), relevance=0.1)
    assert stage.priority(NEW) == pytest.approx(6 / 8)
    stage.begin()
    stage.turn()
    stage.fetch("http://poor2.test/", found(NEW, 0.1, cited=0.1), relevance=0.1)
    assert stage.priority(NEW) == pytest.approx(6 / 8)


def test_a_frontier_that_was_put_in_order_anew_is_raised_again() -> None:
    stage = Stage()
    stage.crawl()
    stage.turn()
    stage.turn()
    stage.store.move({NEW: 0.1}, now=99.0)
    stage.turn(reordered=True)
    assert stage.priority(NEW) == pytest.approx(6 / 8)


def test_what_a_hub_newly_cites_is_raised_when_the_hub_was_asked_again() -> None:
    stage = Stage(revisit=0.5)
    stage.crawl()
    stage.turn()
    stage.turn()
    stage.now = 40 * DAY
    asyncio.run(stage.clock.sleep(stage.now))
    stage.turn()
    again, *_ = claim(stage.store, now=stage.now, limit=1)
    assert (again.url, again.fetched_before) == (HUB, True)
    newest = found("http://newest.test/", 0.2, cited=0.2)
    links = [*(found(GOOD.format(number), 0.2, cited=0.2) for number in range(6)), newest]
    outcome = page(again, at=stage.now, links=links, relevance=0.2)
    put(stage.store, outcome, now=stage.now)
    stage.distilling.note_recorded([outcome])
    stage.turn()
    assert stage.priority("http://newest.test/") == pytest.approx(6 / 8)


def test_other_orders_are_left_alone() -> None:
    stage = Stage()
    stage.crawl()
    before = stage.priority(NEW)
    stage.turn(order=Breadth())
    stage.turn(order=Breadth())
    assert (stage.priority(NEW), len(stage.store.hubs(limit=9))) == (before, 1)


def test_it_is_done_again_when_the_graph_has_grown() -> None:
    stage = Stage(lift=0.0)
    stage.turn()
    stage.turn()
    assert stage.store.last_distillation() is None
    stage.crawl()  # 9 links
    for _ in range(5):
        stage.turn()
    assert [one.links for one in stage.store.distillations()] == [9]
    stage.fetch("http://more.test/", *[found(f"http://more.test/{number}") for number in range(4)], relevance=0.1)
    stage.begin()  # as after a kill: what was found counts, and nothing is done twice
    stage.turn()
    stage.turn()
    assert len(stage.store.distillations()) == 1
    stage.fetch("http://most.test/", found("http://most.test/1"), relevance=0.1)
    stage.turn()
    stage.turn()
    assert [(one.version, one.links) for one in stage.store.distillations()] == [(1, 9), (2, 14)]


# -- a crawl of one site


class Here:
    """A worker that distils a database as the process does, in this one."""

    at_work = False

    def __init__(self, database: Path) -> None:
        self._database = database
        self._found: Found | None = None

    def begin(self) -> None:
        with closing(open_reader(self._database)) as con:
            self._found = distil_beside(con, Rules(share=1.0))

    def result(self) -> Found | None:
        found, self._found = self._found, None
        return found


def test_in_a_crawl_of_one_site_hubs_are_found_to_be_looked_at_and_change_nothing_else(tmp_path: Path) -> None:
    urls = [*(made_page(f"http://a.test/{n}", 0.9) for n in range(3)), made_page("http://a.test/new", ending="waiting")]
    path = directory_of(MadeCrawl(urls=urls, links=[link(0, 1), link(0, 2), link(0, 3)]), tmp_path / "crawl", TOPICS)
    said: list[Event] = []
    with SqliteStore(path / "crawl.db") as store:
        settings = DistillSettings(least=1, lift=1.0)
        worker, clock = Here(path / "crawl.db"), VirtualClock()
        distilling = Distilling(
            settings, store=store, worker=worker, clock=clock, listener=said.append, critic=lambda: 1
        )
        distilling.begin()
        before = [(one.url, one.priority) for one in store.waiting(limit=9)]
        for _ in range(2):
            for change in distilling.follow(UNGUIDED, BestFirst(), reordered=False):
                move_waiting(store, change, now=clock.now())
        last = store.last_distillation()
        assert last is not None
        assert (last.site, last.hubs) == ("page", ())
        assert [(one.url, one.priority) for one in store.waiting(limit=9)] == before
    assert [event.text for event in said if isinstance(event, Notice)] == [
        "distilled 3 pages with 3 links: 1 hub found, with each page taken for a site, because all are of one; "
        "the order does not change by them"
    ]
    shown = scenthound("hubs", path, "--stored")
    assert "All pages were of one site: each page is taken for a site." in shown.out
    assert "  1  1.0000" in shown.out


# -- the process


@pytest.fixture
def crawled(tmp_path: Path) -> Path:
    urls = [made_page(f"http://{name}.test/", 0.9) for name in ("a", "b", "c")]
    made = MadeCrawl(urls=urls, links=[link(0, 1), link(0, 2), link(1, 2)])
    return directory_of(made, tmp_path / "crawl", Topics(topics=())) / "crawl.db"


def awaited(worker: DistillerProcess) -> Found:
    found: list[Found] = []

    def look() -> bool:
        if (answer := worker.result()) is not None:
            found.append(answer)
        return bool(found)

    wait_until(look)
    return found[0]


@pytest.mark.slow
def test_a_process_finds_hubs_and_is_gone(crawled: Path, tmp_path: Path) -> None:
    settings = DistillSettings(share=1.0)
    with DistillerProcess(crawled, settings, log=tmp_path / "log") as worker:
        assert (worker.at_work, worker.result()) == (False, None)
        worker.begin()
        answer = awaited(worker)
        assert (worker.at_work, worker.result()) == (False, None)
    assert answer.pages == 3
    assert [score.url for score in answer.scores if score.hub] == ["http://a.test/", "http://b.test/"]


@pytest.mark.usefixtures("started_at_length")
def test_a_process_is_in_the_session_of_the_crawl_so_that_it_gives_way(crawled: Path, tmp_path: Path) -> None:
    with DistillerProcess(crawled, DistillSettings(), log=tmp_path / "log") as worker:
        worker.begin()
        assert worker.pid is not None
        assert os.getsid(worker.pid) == os.getsid(0)
        assert os.getpgid(worker.pid) == worker.pid  # Ctrl-C is not for it


@pytest.mark.slow
def test_a_process_that_fails_is_said_to_have_failed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with DistillerProcess(tmp_path / "none.db", DistillSettings(), log=log) as worker:
        worker.begin()
        with pytest.raises(ScenthoundError, match=r"the distiller ended with exit code 1 \(.*log may say why\)"):
            wait_until(worker.result)
        assert not worker.at_work
    assert "unable to open" in log.read_text()


@pytest.mark.slow
def test_a_slow_process_is_ended(crawled: Path, tmp_path: Path) -> None:
    settings = DistillSettings(share=1.0, rounds=10**9)
    with DistillerProcess(crawled, settings, log=tmp_path / "log", longest=0.1) as worker:
        worker.begin()
        with pytest.raises(ScenthoundError, match="not done after"):
            wait_until(worker.result)
        assert not worker.at_work


@pytest.mark.slow
def test_a_process_ends_with_whoever_started_it(crawled: Path) -> None:
    order = Order(database=str(crawled), rules=Rules(share=1.0, rounds=10**9))
    command = [sys.executable, "-m", "scenthound.distill.distil_process"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        process.stdin.write(msgspec.json.encode(order) + b"\n")
        process.stdin.close()
        assert process.wait(timeout=PATIENCE) == 1
