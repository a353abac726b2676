"""Hubs are asked again while a crawl goes on, for links that were not there before; seen from the server's side."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scenthound.apprentice.crawl_guide import hopes_of_new_links
from scenthound.clock import VirtualClock
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.hubs.hub_visits import HubVisits
from scenthound.crawl.order.frontier_order import with_priorities
from scenthound.distill.distil_process import distil_beside
from scenthound.distill.scores import Rules
from scenthound.distill.site import Site
from scenthound.events import Event, Notice, StopCause
from scenthound.frontier.rates import DAY
from scenthound.settings.schema import RevisitSettings
from scenthound.store.indexed.store import IndexedStore
from scenthound.store.sqlite.store import SqliteStore
from scenthound.taxonomy import Topic, Topics
from scenthound.types import Claim, Distillation, Guidance, Outcome, PageScore, Reason
from tests.crawl.changing_web import START, ChangingWeb, Page, TurnedClock
from tests.crawl.scene import BRISK, Crawled, resume
from tests.crawl.topical_web import TOPICS
from tests.store.small_world import claim, failed, found, page, put

BIRDS, ROCKS = (tuple(TOPICS[name]) for name in ("birds", "rocks"))
LINES = 36  # of which five are examples


@pytest.fixture
def web() -> Iterator[ChangingWeb]:
    """A list of pages about birds, each of which leads to the next; half a day later the list has one more."""
    listed = tuple(f"/bird/{number}" for number in range(20))
    birds = {f"/bird/{n}": Page(words=BIRDS, links=(f"/bird/{n + 1}",)) for n in range(LINES)}
    pages = {
        "/": Page(words=BIRDS, links=listed, later_links=(*listed, "/new"), turn=0.5),
        "/new": Page(words=BIRDS),
        **birds,
        **{f"/rock/{n}": Page(words=ROCKS) for n in range(6)},
    }
    web = ChangingWeb(pages)
    with web.served():
        yield web


def begun(web: ChangingWeb, path: Path, clock: TurnedClock) -> CrawlDirectory:
    """Crawl the first pages of a web, and find its hubs."""
    birds = tuple(web.url(path) for path in ("/", *(f"/bird/{n}" for n in range(5))))
    rocks = tuple(web.url(f"/rock/{n}") for n in range(6))
    topics = Topics(topics=(Topic(path="birds", good=True, examples=birds), Topic(path="rocks", examples=rocks)))
    directory = CrawlDirectory.create(path, topics=topics)
    run(web, directory, clock, "crawl.pages=5", "distill.on=false")
    with closing(sqlite3.connect(directory.database, isolation_level=None)) as con:
        scores = distil_beside(con, Rules(site=Site.PAGE, share=1.0)).scores
    with SqliteStore(directory.database) as store:
        critic = store.critic()
        hubs = Distillation(at=clock.now(), critic=critic.version if critic else 0, links=10**6, hubs=scores[:1])
        store.distilled(hubs, scores, moves={}, now=clock.now())
        assert [hub.url for hub in store.hubs(limit=1)] == [web.url("/")]
    return directory


def run(web: ChangingWeb, directory: CrawlDirectory, clock: TurnedClock, *more: str) -> Crawled:
    given = [*BRISK, *web.settings, "critic.kind=logistic", "crawl.order=best-first", "crawl.minutes=0"]
    return resume(directory, [*given, "fetch.concurrency=1", "revisit.typical_days=1", *more], clock=clock)


@pytest.mark.slow
@pytest.mark.parametrize("order", ["best-first", "apprentice", "tries, -relevance"])
def test_a_hub_is_asked_again_and_what_it_newly_links_to_is_fetched(
    web: ChangingWeb, tmp_path: Path, order: str
) -> None:
    clock = TurnedClock(web)
    directory = begun(web, tmp_path / "crawl", clock)
    web.pace = 0.05
    crawled = run(web, directory, clock, f'crawl.order="{order}"', "crawl.pages=32", "distill.revisit=0.1")
    first, *again = web.asked("/")
    assert (first.condition, first.status) == (None, 200)
    assert 1 <= len(again) <= 4
    assert all(request.condition for request in again)
    assert {request.status for request in again} <= {200, 304}
    assert [request.status for request in web.asked("/new")] == [200]
    # A page counts once, however often it is asked for.
    assert (crawled.summary.cause, crawled.summary.census.pages) == (StopCause.PAGES, 32)
    assert len({row.url for row in crawled.pages()}) == len(crawled.pages())
    assert sum((crawled.summary.changes or {}).values()) == len(again)
    assert any(visit.gained == 1 for visit in crawled.story(web.url("/")).visits)
    assert (
        crawled.notices.count(
            "the best hubs are asked again for new links, with up to 10% of all fetches (distill.revisit)"
        )
        == 1
    )
    assert crawled.trouble() == []


@pytest.mark.slow
def test_without_the_setting_no_hub_is_asked_again(web: ChangingWeb, tmp_path: Path) -> None:
    clock = TurnedClock(web)
    directory = begun(web, tmp_path / "crawl", clock)
    web.pace = 0.05
    crawled = run(web, directory, clock, "crawl.pages=32", "distill.revisit=0")
    assert len(web.asked("/")) == 1
    assert web.asked("/new") == []
    assert not crawled.summary.changes
    assert (crawled.summary.cause, crawled.summary.census.pages) == (StopCause.DRY, 31)


# -- by hand


class Stage:
    """Three hubs of one crawl, the best first, and a clock that is turned by hand."""

    HUBS = ("http://a.test/", "http://b.test/", "http://c.test/")

    def __init__(self, *, share: float = 0.1) -> None:
        self.store = IndexedStore()
        self.clock = VirtualClock(START)
        self.share = share
        self.begin()
        self.links = 0
        self.store.add([found(url) for url in self.HUBS], now=START)
        for taken in claim(self.store, now=START):
            put(self.store, page(taken, at=START, links=[found(f"{taken.url}1")], relevance=1.0), now=START)
        for taken in claim(self.store, now=START):
            put(self.store, page(taken, at=START, relevance=1.0), now=START)
        hubs = tuple(PageScore(url=url, hub=hub) for url, hub in zip(self.HUBS, (0.5, 0.3, 0.2), strict=True))
        self.found = Distillation(version=1, at=START, hubs=hubs)

    def begin(self) -> None:
        """Start, or start again."""
        self.visits = HubVisits(self.store, RevisitSettings(), share=self.share, clock=self.clock, listener=self.hear)

    def hear(self, event: Event) -> None:
        assert isinstance(event, Notice)

    def fetches(self, many: int) -> None:
        """Fetch as many pages, which are of no interest here."""
        urls = [f"http://other.test/{self.links + number}" for number in range(many)]
        self.links += many
        self.store.add([found(url) for url in urls], now=self.clock.now())
        self.answer([one for one in claim(self.store, now=self.clock.now()) if one.host == "other.test"])

    def answer(self, claims: list[Claim], *links: str) -> None:
        now = self.clock.now()
        outcomes: list[Outcome] = [page(one, at=now, links=[found(url) for url in links]) for one in claims]
        put(self.store, *outcomes, now=now)
        self.visits.note_recorded(outcomes)

    def asked(self, days: float) -> list[Claim]:
        """Let days go by, and return which hubs are asked."""
        asyncio.run(self.clock.sleep(days * DAY))
        self.visits.follow(self.found)
        return claim(self.store, now=self.clock.now())


def test_the_share_of_fetches_is_kept_and_the_best_hub_comes_first() -> None:
    stage = Stage()
    stage.fetches(9)
    assert stage.asked(days=1) == []
    stage.fetches(1)
    [hub] = stage.asked(days=0)
    assert (hub.url, hub.fetched_before) == (stage.HUBS[0], True)
    assert stage.asked(days=0) == []  # it is on its way
    stage.answer([hub])
    stage.fetches(19)
    assert [one.url for one in stage.asked(days=0)] == [*stage.HUBS[1:]]


def test_a_hub_is_due_sooner_the_more_often_it_had_new_links() -> None:
    stage = Stage(share=0.5)
    stage.fetches(100)
    assert stage.asked(days=0.3) == []  # nothing is known of them yet
    for turn in range(4):
        for hub in stage.asked(days=10):
            stage.answer([hub], *([f"{hub.url}new/{turn}"] if hub.url == stage.HUBS[2] else [f"{hub.url}1"]))
        stage.answer(claim(stage.store, now=stage.clock.now()))
    assert [one.url for one in stage.asked(days=0.5)] == [stage.HUBS[2]]


def test_what_was_put_back_before_a_kill_is_asked_and_not_put_back_twice() -> None:
    stage = Stage(share=0.1)
    stage.fetches(10)
    asyncio.run(stage.clock.sleep(DAY))
    stage.visits.follow(stage.found)
    stage.begin()
    [first] = stage.asked(days=0)
    stage.answer([first])
    stage.fetches(18)
    assert (first.url, stage.asked(days=0)) == (stage.HUBS[0], [])  # it was the one of the first nineteen
    stage.fetches(1)
    assert [one.url for one in stage.asked(days=0)] == [stage.HUBS[1]]


def test_a_hub_that_may_not_be_asked_is_not_tried_at_every_look() -> None:
    stage = Stage(share=0.3)
    stage.fetches(10)
    tried = stage.asked(days=1)
    assert len(tried) == 3
    refused = [failed(one, Reason.LOCKED, at=stage.clock.now(), asked=False) for one in tried]
    put(stage.store, *refused, now=stage.clock.now())
    stage.visits.note_recorded(refused)
    assert stage.asked(days=600 / DAY) == []


def test_of_a_new_link_the_apprentice_expects_what_it_does_of_the_others_on_the_page() -> None:
    stage = Stage()
    stage.fetches(10)
    [hub] = stage.asked(days=1)
    told = {"http://a.test/1": 0.25, "http://a.test/2": 0.75}
    links = [found(url) for url in (*told, "http://new.test/")] + [found("http://no.test/", refusal=Reason.LOCKED)]
    outcome = page(hub, at=stage.clock.now(), links=links)
    hopes = hopes_of_new_links(outcome, lambda url: told.get(url, 0.0))
    again = with_priorities(outcome, Guidance(links=hopes), returns={}, raised={})
    assert [one.priority for one in again.discoveries] == [0.0, 0.0, 0.5, 0.0]  # those told of have theirs already
    assert hopes_of_new_links(outcome, lambda _url: 0.0) == {}
    assert with_priorities(outcome, returns={}, raised={}) is outcome
