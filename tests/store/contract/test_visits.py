"""What visits to a page found, which pages were visited, in which order they are visited again, and what is found backwards."""

from dataclasses import replace

import pytest

from scenthound.store.base import Store
from scenthound.types import Change, Ending, Errand, LinkKind, LostLink, Outcome, PutOff, Reason, Standing
from tests.store.small_world import FREE, answer, back, claim, failed, found, later, moved, page, put, rules, urls

A, B, C = "http://a.test/", "http://b.test/", "http://c.test/"
PROMISING = Standing(promise=0.9)


def begin(store: Store, *addresses: str, relevance: float | None = None) -> None:
    """Crawl some pages, at moment 1."""
    store.add([found(url) for url in addresses], now=0.0)
    for taken in claim(store, now=0.0):
        put(store, page(taken, at=1.0, relevance=relevance, standing=PROMISING), now=1.0)


def again(store: Store, outcome_of: str, *, at: float, **values: object) -> Change | None:
    """Visit the page A again, and return what is said of the visit."""
    store.revisit({A: 0}, now=at)
    [taken] = [one for one in claim(store, now=at, limits=replace(FREE, again=True)) if one.url == A]
    outcomes: dict[str, Outcome] = {
        "same": page(taken, at=at, **values),  # type: ignore[arg-type]
        "304": replace(page(taken, at=at), ending=Ending.UNCHANGED, fetch=answer(taken, at=at, status=304)),
        "404": failed(taken, Reason.HTTP_ERROR, at=at, status=404),
        "500": failed(taken, Reason.SERVER_ERROR, at=at, status=500),
        "robots": failed(taken, Reason.ROBOTS, at=at, asked=False),
        "moved": moved(taken, B, at=at),
        "other": page(taken, at=at, digest=f"of {at}", **values),  # type: ignore[arg-type]
    }
    [recorded] = store.record([outcomes[outcome_of]], now=at, archived={})
    return recorded.change


def changes(store: Store, url: str) -> list[tuple[float, str]]:
    story = store.story(url, now=99.0)
    assert story is not None
    return [(visit.at, visit.change.value) for visit in story.visits]


def test_a_page_appears_changes_vanishes_and_comes_back(store: Store) -> None:
    begin(store, A)
    for at, what in enumerate(["304", "same", "other", "404", "404", "500", "304", "robots", "moved"], start=2):
        again(store, what, at=at)
    assert changes(store, A) == [
        (1, "appeared"), (2, "unchanged"), (3, "unchanged"), (4, "changed"), (5, "vanished"), (6, "gone"), (7, "unseen"),
        (8, "appeared"), (9, "unseen"), (10, "moved"),
    ]  # fmt: skip


def test_the_first_visit_is_told_and_a_url_without_a_page_has_none(store: Store) -> None:
    store.add([found(A), found(B)], now=0.0)
    one, two = claim(store, now=0.0)
    done = [page(one, at=1.0), failed(two, Reason.HTTP_ERROR, at=1.0, status=404)]
    assert [recorded.change for recorded in store.record(done, now=1.0, archived={})] == [Change.APPEARED, None]
    assert (changes(store, A), changes(store, B)) == ([(1, "appeared")], [])


@pytest.mark.parametrize(("bits", "change"), [(0b111, Change.UNCHANGED), (0b1111, Change.CHANGED)])
def test_text_that_is_nearly_the_same_has_not_changed(store: Store, bits: int, change: Change) -> None:
    begin(store, A)
    again(store, "other", at=2.0, fingerprint=0)
    assert again(store, "other", at=3.0, fingerprint=bits) is change


def test_nearly_the_same_text_with_a_link_to_an_unknown_address_has_changed(store: Store) -> None:
    begin(store, A, B)
    again(store, "other", at=2.0, fingerprint=0, links=[found(B)])
    known = again(store, "other", at=3.0, fingerprint=1, links=[found(B), found(A)])
    locked = again(store, "other", at=4.0, fingerprint=0, links=[found(C, refusal=Reason.LOCKED)])
    news = again(store, "other", at=5.0, fingerprint=1, links=[found(A + "new")])
    assert (known, locked, news) == (Change.UNCHANGED, Change.UNCHANGED, Change.CHANGED)


def test_links_gained_and_lost_are_counted_and_the_lost_ones_remembered(store: Store) -> None:
    begin(store, A)
    again(store, "other", at=2.0, links=[found(B), found(C), found(B)])
    again(store, "other", at=3.0, links=[found(C), found(A + "x"), found(A + "y")])
    story = store.story(A, now=9.0)
    assert story is not None
    assert [(visit.gained, visit.lost) for visit in story.visits] == [(0, 0), (2, 0), (2, 1)]
    lost = store.story(B, now=9.0)
    assert lost is not None
    assert (lost.lost, lost.citing_count) == ((LostLink(url=A, at=3.0),), 0)


def test_pages_to_be_visited_again_come_before_all_that_is_new_each_in_its_turn(store: Store) -> None:
    begin(store, A, B, C)
    store.add([found("http://new.test/", 1.0)], now=2.0)
    assert store.revisit({A: 5, B: 900, C: 0, "http://new.test/": 0, "http://never.test/": 0}, now=2.0) == 3
    assert urls(claim(store, now=2.0)) == [C, A, B, "http://new.test/"]


def test_only_pages_to_be_visited_again_may_be_asked_for(store: Store) -> None:
    begin(store, A)
    store.add([found(B, 1.0)], now=2.0)
    store.revisit({A: 3}, now=2.0)
    assert claim(store, now=2.0, limits=replace(FREE, examples=True)) == []
    only = replace(FREE, again=True)
    assert urls(claim(store, now=2.0, limits=only)) == [A]
    assert claim(store, now=2.0, limits=only) == []


def test_an_example_keeps_its_rank_when_it_is_visited_again(store: Store) -> None:
    store.add([found(A, demoted=-100, example=True)], now=0.0)
    put(store, page(claim(store, now=0.0)[0], at=1.0), now=1.0)
    store.revisit({A: 40}, now=2.0)
    assert urls(claim(store, now=2.0, limits=replace(FREE, examples=True))) == [A]


def test_when_a_page_may_be_visited_again_next(store: Store) -> None:
    slow = replace(FREE, delay=10.0)
    begin(store, A, B)
    claim(store, now=1.0, limits=slow)
    store.add([found(C)], now=2.0)
    assert store.next_due(now=2.0, again=True) is None
    store.revisit({A: 0, B: 0}, now=2.0)
    one, _ = claim(store, now=2.0, limits=replace(slow, again=True))
    assert store.next_due(now=3.0, again=True) is None  # both are in flight
    put(store, later(one, Reason.OVERLOADED, at=3.0, rest=60.0), now=3.0)
    assert (store.next_due(now=3.0, again=True), store.next_due(now=3.0)) == (63.0, 3.0)


def test_visited_pages_are_shown_by_age_and_in_pieces_unless_they_wait(store: Store) -> None:
    begin(store, A, B, C)
    again(store, "304", at=5.0)
    store.revisit({B: 0}, now=6.0)
    [first] = store.visited(limit=1)
    assert (first.url, first.host, [visit.at for visit in first.visits]) == (A, "a.test", [1.0, 5.0])
    assert [one.url for one in store.visited(after=first.id, limit=9)] == [C]
    assert [one.url for one in store.visited(limit=9, again=True)] == [A]


def test_pages_of_bad_hosts_are_not_to_be_visited(store: Store) -> None:
    begin(store, A)
    store.add([found(A + "x")], now=2.0)
    for at in range(2, 5):
        put(store, later(claim(store, now=at)[0], Reason.DNS, at=at), now=at)
    assert store.visited(limit=9) == []


def test_good_pages_are_asked_about_once_and_in_fetch_order(store: Store) -> None:
    begin(store, A, B, C, relevance=0.75)
    assert [(one.url, one.relevance) for one in store.good_pages(least=0.5, limit=2)] == [(A, 0.75), (B, 0.75)]
    assert store.found_backwards(A, [], now=2.0) == 0
    assert [one.url for one in store.good_pages(least=0.5, limit=9)] == [B, C]
    assert [one.url for one in store.good_pages(after=2, least=0.5, limit=9)] == [C]
    assert store.good_pages(least=0.8, limit=9) == []


def test_pages_that_repeat_others_or_hand_nothing_on_are_not_asked_about(store: Store) -> None:
    store.add([found(A), found(B), found(C)], now=0.0)
    one, two, three = claim(store, now=0.0)
    put(store, page(one, at=1.0, digest="x", relevance=0.9, standing=PROMISING), now=1.0)
    put(store, page(two, at=1.0, digest="x", relevance=0.9, standing=PROMISING), now=1.0)
    put(store, page(three, at=1.0, relevance=0.9, standing=Standing()), now=1.0)
    assert [good.url for good in store.good_pages(least=0.5, limit=9)] == [A]


def test_what_cites_a_good_page_joins_the_frontier_and_says_so(store: Store) -> None:
    begin(store, A, relevance=0.9)
    store.add([found(B, refusal=Reason.OFF_TOPIC), found(C, 0.1)], now=1.0)
    citing = [found(url, 0.8, kind=LinkKind.BACKWARD) for url in (B, C, "http://d.test/", A)]
    locked = found("http://locked.test/", refusal=Reason.LOCKED, kind=LinkKind.BACKWARD)
    assert store.found_backwards(A, [*citing, locked], now=2.0) == 1
    assert store.found_backwards(A, citing, now=3.0) == 0
    assert [(one.url, one.priority) for one in claim(store, now=4.0)] == [(B, 0.8), (C, 0.8), ("http://d.test/", 0.8)]
    stories = [store.story(url, now=4.0) for url in (B, C, "http://d.test/", A)]
    assert [story and (story.found_by.value, story.cites) for story in stories] == [
        ("backward", (A,)), ("anchor", (A,)), ("backward", (A,)), ("anchor", ()),
    ]  # fmt: skip
    assert store.story("http://locked.test/", now=4.0) is None
    assert store.found_backwards("http://never.test/", citing, now=5.0) == 0


def test_new_judgements_leave_alone_what_waits_to_be_visited_again_and_what_was_found_backwards(store: Store) -> None:
    begin(store, A)
    store.revisit({A: 0}, now=2.0)
    store.found_backwards(A, [found(B, 0.8, kind=LinkKind.BACKWARD)], now=2.0)
    assert store.rescore(by_promise=True, blend=False, nofollow=True, now=3.0) == 0
    assert urls(claim(store, now=3.0)) == [A, B]


def test_a_robots_errand_does_not_cost_a_page_its_turn(store: Store) -> None:
    begin(store, A)
    store.revisit({A: 0}, now=2.0)
    only = replace(FREE, robots=True, again=True)
    [errand] = claim(store, now=2.0, limits=only)
    put(store, back(errand, at=2.0, robots=rules(errand, at=2.0)), now=2.0)
    assert urls(claim(store, now=2.0, limits=only)) == [A]
    assert changes(store, A) == [(1, "appeared")]


def test_what_a_clock_that_was_ahead_has_put_off_is_brought_back(store: Store) -> None:
    """One host was asked before it was ahead, and wants a long rest; one since then; one was claimed and never recorded."""
    year = 365 * 86400.0
    store.add([found(A), found(A + "2"), found(B), found(B + "2"), found(C)], now=0.0)
    taken = {one.url: one for one in claim(store, now=10.0, limits=replace(FREE, delay=1.0, per_host=1))}
    put(store, replace(page(taken[A], at=11.0), rest=7200.0), now=11.0)
    store.release(owner=None, now=11.0)
    limits = replace(FREE, delay=1.0, per_host=1, robots=True)
    ahead = {one.url: one for one in claim(store, now=year, limits=limits)}
    assert sorted(ahead) == [A + "2", B, C]
    put(store, back(ahead[B], at=year + 1, robots=rules(ahead[B], at=year + 1, lasts=86400.0)), now=year + 1)
    put(store, replace(failed(ahead[A + "2"], Reason.RESET, at=year + 2), rest=40.0), now=year + 2)
    store.release(owner=None, now=20.0)
    put_off = store.wind_back(now=20.0)
    assert (put_off.hosts, put_off.robots, round(put_off.ahead / 86400)) == (3, 1, 365)
    dues = {host.host: host.due for host in store.hosts(now=20.0)}
    assert {name: round(due - 20.0) for name, due in dues.items()} == {"a.test": 40, "b.test": 0, "c.test": 1}
    again = store.wind_back(now=20.0)
    assert (again.hosts, again.robots) == (0, 0)
    [one, two] = claim(store, now=25.0, limits=limits)
    assert {one.errand, two.errand} == {Errand.ROBOTS}  # what was said then is not believed


def test_a_right_clock_changes_nothing(store: Store) -> None:
    store.add([found(A), found(A + "2")], now=0.0)
    [one] = claim(store, now=10.0, limit=1)
    put(store, replace(page(one, at=11.0), rest=86400.0), now=11.0)
    assert store.wind_back(now=12.0) == PutOff()
    assert store.next_due(now=12.0) == 86411.0
