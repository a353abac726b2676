"""A collection is kept fresh: what changes often is asked for often, and what was found is told; seen from the
server's side.
"""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.revisit.calendar import Revisit
from scenthound.events import StopCause
from scenthound.frontier.rates import DAY
from scenthound.store.sqlite.store import SqliteStore
from scenthound.types import Change
from tests.crawl.changing_web import START, ChangingWeb, Page, TurnedClock
from tests.crawl.scene import BRISK, Crawled, new, resume
from tests.nursery import started
from tests.patience import PATIENCE


class Collection:
    """A crawl of a changing web, run again on later days."""

    def __init__(self, web: ChangingWeb, path: Path, seeds: Sequence[str]) -> None:
        self.web = web
        self.clock = TurnedClock(web)
        self.directory: CrawlDirectory = new(path, [web.url(seed) for seed in seeds])

    def run(self, *settings: str, revisit: Revisit | None = None) -> Crawled:
        given = [*BRISK, *self.web.settings, *settings]
        return resume(self.directory, given, revisit=revisit, clock=self.clock)

    def revisit(self, *settings: str) -> Crawled:
        return self.run(*settings, revisit=Revisit.DUE)


@pytest.fixture
def web() -> Iterator[ChangingWeb]:
    """A hub, a page that changes every other day, one that never does, one that vanishes and comes back."""
    still = tuple(f"/still/{number}" for number in range(6))
    pages = {
        "/": Page(links=("/lively", "/fleeting", *still), later_links=("/lively", "/news", *still), turn=15),
        "/lively": Page(every=2),
        "/fleeting": Page(vanishes=9, returns=35),
        "/news": Page(),
        **{path: Page(validators=path != "/still/1") for path in still},
    }
    web = ChangingWeb(pages)
    with web.served():
        yield web


@pytest.mark.slow
def test_what_changes_often_is_asked_for_more_often_than_what_never_does(web: ChangingWeb, tmp_path: Path) -> None:
    collection = Collection(web, tmp_path / "crawl", ["/"])
    collection.run()
    for day in range(4, 61, 4):
        web.day = day
        collection.revisit()
    asked = Counter(request.path for request in web.log if request.day)
    still = max(asked[f"/still/{number}"] for number in range(6))
    assert asked["/lively"] >= 2 * still
    assert 0 < still <= 5  # of fifteen runs
    conditions = {request.status for request in web.log if request.path.startswith("/still/2") and request.day}
    assert conditions == {304}  # every one of these visits was a question whether it had changed
    assert all(request.condition for request in web.asked("/lively")[1:])


@pytest.mark.slow
def test_what_changed_appeared_and_vanished_is_told(web: ChangingWeb, tmp_path: Path) -> None:
    collection = Collection(web, tmp_path / "crawl", ["/"])
    first = collection.run()
    assert first.summary.changes == {}
    web.day = 20
    second = collection.revisit()
    assert second.summary.changes == {Change.UNCHANGED: 6, Change.CHANGED: 2, Change.VANISHED: 1}
    assert second.summary.new_pages == 1  # /news, to which the hub links since
    hub, fleeting, plain = (second.story(web.url(path)) for path in ("/", "/fleeting", "/still/1"))
    assert [(visit.change.value, visit.gained, visit.lost) for visit in hub.visits] == [
        ("appeared", 0, 0),
        ("changed", 1, 1),
    ]
    assert [visit.change.value for visit in fleeting.visits] == ["appeared", "vanished"]
    assert [(lost.url, fleeting.citing_count) for lost in fleeting.lost] == [(web.url("/"), 0)]
    assert web.asked("/still/1")[-1].status == 200  # it has no validators, but the words are the same
    assert plain.visits[-1].change is Change.UNCHANGED
    assert second.trouble() == []
    told = second.why(web.url("/"))
    assert "  Visited 2 times:" in told
    assert ": changed, 1 link gained, 1 link lost" in told
    assert "It changes about once in " in told
    assert f"{web.url('/')} no longer linked to it on " in second.why(web.url("/fleeting"))


@pytest.mark.slow
def test_due_pages_come_before_all_that_is_new_and_the_budget_is_theirs(web: ChangingWeb, tmp_path: Path) -> None:
    collection = Collection(web, tmp_path / "crawl", ["/"])
    collection.run("crawl.pages=4", "fetch.concurrency=1")
    known = {request.path for request in web.log}
    web.day = 30
    before = len(web.log)
    crawled = collection.revisit("crawl.pages=6", "fetch.concurrency=2")
    asked = [request.path for request in web.log[before:] if request.path != "/robots.txt"]
    assert set(asked[:4]) == known - {"/robots.txt"}
    assert (crawled.summary.pages_this_run, crawled.summary.new_pages) == (6, 3)  # /fleeting has vanished
    assert crawled.summary.cause is StopCause.PAGES


@pytest.mark.slow
def test_a_revisit_may_leave_what_is_new_for_another_run(web: ChangingWeb, tmp_path: Path) -> None:
    collection = Collection(web, tmp_path / "crawl", ["/"])
    collection.run()
    web.day = 20
    crawled = collection.revisit('revisit.then="stop"')
    assert (crawled.summary.cause, crawled.summary.new_pages) == (StopCause.FRESH, 0)
    assert crawled.story(web.url("/news")).state == "waiting"
    assert web.asked("/news") == []


PAGES = 150


@pytest.mark.slow
@pytest.mark.parametrize("asked_for", ["--revisit", "--revisit-all"])
def test_a_revisit_that_is_killed_goes_on_where_it_was(tmp_path: Path, asked_for: str) -> None:
    """Of what was answered before a kill nothing is asked for again, but for what was in flight; and nothing is left
    out.
    """
    leaves = [f"/leaf/{number}" for number in range(PAGES)]
    web = ChangingWeb({"/": Page(links=tuple(leaves)), **{path: Page(every=1) for path in leaves}})
    with web.served():
        collection = Collection(web, tmp_path / "crawl", ["/"])
        web.day = (
            -100 + (time.time() - START) / DAY
        )  # the first crawl was a hundred days ago, in the time of this machine
        collection.run("fetch.per_host=4", "fetch.concurrency=4")
        web.day += 100
        first = len(web.log)
        for kill in range(3):
            web.trip.clear()
            web.trip_after = len(web.log) + 20 + 15 * kill
            kill_when_tripped(collection, asked_for)
        web.trip_after = 0
        run_command(collection, asked_for)
    asked = Counter(request.path for request in web.log[first:] if request.path != "/robots.txt")
    assert set(asked) == {"/", *leaves}
    assert asked.total() - len(asked) <= 3 * 4  # three kills, with four in flight
    with SqliteStore(collection.directory.database) as store:
        assert store.check() == []
        assert {len(page.visits) for page in store.visited(limit=1000)} == {2}


def command_line(collection: Collection, *more: str) -> list[str]:
    settings = [*BRISK, *collection.web.settings, "fetch.per_host=4", "fetch.concurrency=4", "fetch.robots=false"]
    chosen = [word for setting in settings for word in ("--set", setting)]
    return ["crawl", str(collection.directory.path), "--quiet", *chosen, *more]


def kill_when_tripped(collection: Collection, *more: str) -> None:
    with started(*command_line(collection, *more)) as process:
        assert collection.web.trip.wait(timeout=PATIENCE)
        process.kill()


def run_command(collection: Collection, *more: str) -> None:
    with started(*command_line(collection, *more)) as process:
        pass
    assert process.returncode == 0
