"""Which pages are due, and in which order they are asked for."""

from dataclasses import replace

import pytest

from scenthound.crawl.revisit.calendar import Calendar, Revisit, end_revisit, put_back
from scenthound.frontier.rates import DAY
from scenthound.settings.schema import RevisitSettings
from scenthound.store.memory.store import MemoryStore
from scenthound.types import Change, Distillation, Ending, PageScore, Reason, Visited
from tests.store.small_world import FREE, answer, claim, failed, found, page, put, urls

NAMES = ("a", "b", "c", "d")
SETTINGS = RevisitSettings()


def address(name: str) -> str:
    return f"http://{name}.test/"


@pytest.fixture
def store() -> MemoryStore:
    """Four pages that were fetched on day 0, all with the same relevance."""
    store = MemoryStore()
    store.add([found(address(name)) for name in NAMES], now=0.0)
    for taken in claim(store, now=0.0):
        put(store, page(taken, at=0.0, relevance=0.5, fingerprint=None), now=0.0)
    return store


def visit(store: MemoryStore, name: str, *, day: float, news: bool | None) -> None:
    """Visit a page again; without an answer about news, it is not there."""
    store.revisit({address(name): 0}, now=day * DAY)
    [taken] = claim(store, now=day * DAY, limits=replace(FREE, again=True))
    at = day * DAY
    if news is None:
        put(store, failed(taken, Reason.HTTP_ERROR, at=at, status=404), now=at)
    elif news:
        put(store, page(taken, at=at, digest=f"{name} {day}", relevance=0.5), now=at)
    else:
        same = replace(page(taken, at=at), ending=Ending.UNCHANGED, fetch=answer(taken, at=at, status=304))
        put(store, same, now=at)


def due(store: MemoryStore, *, day: float, settings: RevisitSettings = SETTINGS) -> set[str]:
    return {one.url[7] for one in Calendar(store, settings, now=day * DAY).due()}


def turns(store: MemoryStore, wish: Revisit, *, day: float, settings: RevisitSettings = SETTINGS) -> str:
    """Put pages back and say in which order they would be asked for."""
    put_back(store, Calendar(store, settings, now=day * DAY), wish, now=day * DAY)
    return "".join(url[7] for url in urls(claim(store, now=day * DAY, limits=replace(FREE, again=True))))


def outlook_days(store: MemoryStore, name: str, *, day: float) -> float | None:
    story = store.story(address(name), now=day * DAY)
    assert story is not None
    page = Visited(id=0, url=story.url, host=story.host.host, visits=story.visits)
    when = Calendar(store, SETTINGS, now=day * DAY).outlook(page).due
    return None if when is None else when / DAY


def test_a_page_is_due_when_it_has_probably_changed(store: MemoryStore) -> None:
    for day in range(1, 9):
        visit(store, "a", day=day, news=True)
        visit(store, "b", day=day, news=False)
    assert due(store, day=9.5) == {"a", "c", "d"}
    assert outlook_days(store, "a", day=9.5) < outlook_days(store, "b", day=9.5)  # type: ignore[operator]
    surely = RevisitSettings(chance=0.99)
    assert due(store, day=9.5, settings=surely) == set()


def test_no_page_is_asked_twice_within_the_least_hours(store: MemoryStore) -> None:
    assert due(store, day=1, settings=RevisitSettings(chance=0.0, hours=25)) == set()
    assert due(store, day=1.1, settings=RevisitSettings(chance=0.0, hours=25)) == set(NAMES)


def test_a_page_that_stays_away_is_given_up_but_asked_for_with_all(store: MemoryStore) -> None:
    for day in (100, 200, 300):
        assert "a" in due(store, day=day)
        visit(store, "a", day=day, news=None)
    assert due(store, day=4000) == {"b", "c", "d"}
    assert outlook_days(store, "a", day=4000) is None
    assert "a" in turns(store, Revisit.ALL, day=4000)


def test_hubs_come_first_then_relevant_pages_and_lost_ones_last(store: MemoryStore) -> None:
    hub = PageScore(url=address("d"), hub=0.4)
    store.distilled(Distillation(at=0.0), [hub, PageScore(url=address("b"), hub=0.1)], moves={}, now=0.0)
    visit(store, "a", day=1, news=None)
    assert turns(store, Revisit.DUE, day=60) == "dbca"


def test_the_aim_decides_between_fresh_copies_and_many_changes(store: MemoryStore) -> None:
    for hour in range(1, 40):
        visit(store, "a", day=40 + hour / 24, news=True)  # it is never fresh for long
    visit(store, "b", day=41, news=True)
    assert turns(store, Revisit.DUE, day=60, settings=RevisitSettings(aim="changes"))[0] == "a"
    store.release(owner=None, now=60 * DAY)
    fresh = {one.url[7]: one.benefit for one in Calendar(_again(), SETTINGS, now=60 * DAY).due()}
    assert min(fresh, key=lambda name: fresh[name]) == "a"


def _again() -> MemoryStore:
    store = MemoryStore()
    store.add([found(address(name)) for name in NAMES], now=0.0)
    for taken in claim(store, now=0.0):
        put(store, page(taken, at=0.0, relevance=0.5), now=0.0)
    for hour in range(1, 40):
        visit(store, "a", day=40 + hour / 24, news=True)
    return store


def test_a_revisit_of_all_that_was_interrupted_asks_only_for_the_rest(store: MemoryStore) -> None:
    assert len(turns(store, Revisit.ALL, day=1)) == 4
    store.release(owner=None, now=1.1 * DAY)
    one, two, *_ = claim(store, now=1.2 * DAY)
    put(store, page(one, at=1.2 * DAY), failed(two, Reason.DNS, at=1.2 * DAY), now=1.2 * DAY)
    store.release(owner=None, now=1.3 * DAY)
    assert put_back(store, Calendar(store, SETTINGS, now=2 * DAY), Revisit.ALL, now=2 * DAY) == 0
    assert len(claim(store, now=2 * DAY, limits=replace(FREE, again=True))) == 2
    end_revisit(store)
    calendar = Calendar(store, SETTINGS, now=3 * DAY)
    assert put_back(store, calendar, Revisit.ALL, now=3 * DAY) == 2  # the other two are still in flight


def test_a_visit_that_saw_nothing_leaves_the_chance_as_it_was(store: MemoryStore) -> None:
    before = outlook_days(store, "a", day=9)
    store.revisit({address("a"): 0}, now=9 * DAY)
    [taken] = claim(store, now=9 * DAY)
    [recorded] = store.record([failed(taken, Reason.SERVER_ERROR, at=9 * DAY, status=500)], now=9 * DAY, archived={})
    assert recorded.change is Change.UNSEEN
    after = outlook_days(store, "a", day=9)
    assert before is not None
    assert after == pytest.approx(max(before, 9 + 1 / 24))  # but for the least hours between two visits
