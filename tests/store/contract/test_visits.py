"""What visits to a page found, which pages were visited, in which order they are visited again, and what is found
backwards.
"""

from dataclasses import replace

import pytest

from scenthound.store.base import Store
from scenthound.store.walk import rescore
from scenthound.types import Change, Ending, LinkKind, LostLink, Outcome, Reason, Standing
from tests.store.small_world import FREE, answer, back, claim, failed, found, later, moved, page, put, rules, urls

A, B, C, HUB, OTHER = "http://a.test/", "http://b.test/", "http://c.test/", "http://hub.test/", "http://other.test/"
PROMISING = Standing(promise=0.9)


def crawled(store: Store) -> None:
    """Fetch two hubs, which cite the same page, and each another."""
    store.add([found(HUB), found(OTHER)], now=0.0)
    hub, other = claim(store, now=0.0)
    links = [found(A + "both", 0.25), found(A + "disowned", nofollow=True), found(A + "icon", kind=LinkKind.HREFLANG)]
    put(store, page(hub, at=1.0, links=[*links, found(A + "one", 0.5), found(OTHER)], etag='"1"'), now=1.0)
    put(store, page(other, at=2.0, links=[found(A + "two"), found(A + "both")]), now=2.0)


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


def test_some_pages_wait_again_with_their_validators(store: Store) -> None:
    crawled(store)
    assert store.revisit_pages([HUB, HUB, A + "one", "http://no.test/"], priority=0.875, now=3.0) == 1
    assert [one.url for one in store.unvisited([OTHER])] == [A + "both", A + "two"]
    [again] = claim(store, now=9.0, limit=1)
    assert (again.url, again.priority, again.etag, again.fetched_before) == (HUB, 0.875, '"1"', True)
    put(store, replace(page(again, at=9.0), ending=Ending.UNCHANGED), now=9.0)
    assert store.revisit_pages([HUB], priority=0.375, now=9.0) == 1
    assert urls(claim(store, now=19.0))[:3] == [A + "one", HUB, A + "both"]


def test_a_revisit_carries_validators_and_does_not_count_again(store: Store) -> None:
    store.add([found(A)], now=0.0)
    put(store, page(claim(store, now=0.0)[0], at=1.0, etag='"v1"', relevance=0.5), now=1.0)
    assert store.revisit({B: 0}, now=10.0) == 0
    assert store.revisit({A: 0}, now=10.0) == 1
    [again] = claim(store, now=10.0)
    assert (again.fetched_before, again.etag) == (True, '"v1"')
    unchanged = replace(page(again, at=11.0), ending=Ending.UNCHANGED, fetch=answer(again, at=11.0, status=304))
    [recorded] = store.record([unchanged], now=11.0, archived={})
    assert recorded.n == 1
    assert [(row.fetched_at, row.relevance, row.status) for row in store.pages()] == [(11.0, 0.5, 200)]
    store.revisit({A: 0}, now=20.0)
    put(store, page(claim(store, now=20.0)[0], at=21.0, title="changed", relevance=0.25), now=21.0)
    assert [(row.n, row.title) for row in store.pages()] == [(2, "changed")]
    census = store.census(now=21.0)
    assert (census.pages, census.judged, census.relevance_sum) == (1, 1, 0.25)


def test_a_page_that_vanishes_is_kept_as_it_was(store: Store) -> None:
    store.add([found(A)], now=0.0)
    put(store, page(claim(store, now=0.0)[0], at=1.0, title="dear old page", links=[found(B)]), now=1.0)
    store.revisit({A: 0}, now=10.0)
    again, _ = claim(store, now=10.0)
    put(store, failed(again, Reason.HTTP_ERROR, at=11.0, status=404), now=11.0)
    assert [(row.n, row.title, row.status, row.fetched_at) for row in store.pages()] == [(1, "dear old page", 200, 1.0)]
    story = store.story(A, now=11.0)
    assert story is not None
    assert (story.state, story.attempts[-1].status) == ("page", 404)
    assert store.census(now=11.0).failed == 0


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
    assert rescore(store, by_promise=True, blend=False, nofollow=True, now=3.0) == 0
    assert urls(claim(store, now=3.0)) == [A, B]


def test_a_robots_errand_does_not_cost_a_page_its_turn(store: Store) -> None:
    begin(store, A)
    store.revisit({A: 0}, now=2.0)
    only = replace(FREE, robots=True, again=True)
    [errand] = claim(store, now=2.0, limits=only)
    put(store, back(errand, at=2.0, robots=rules(errand, at=2.0)), now=2.0)
    assert urls(claim(store, now=2.0, limits=only)) == [A]
    assert changes(store, A) == [(1, "appeared")]
