"""The order of the frontier: a priority that is set counts, whatever the citing pages promise."""

from dataclasses import replace

import pytest
from msgspec.structs import replace as but

from scenthound.store.base import Store
from scenthound.store.walk import rescore
from scenthound.types import Distillation, LinkKind, PageScore, Reason, Standing, Waiting
from tests.store.small_world import claim, failed, found, page, put, urls

A, B, C, D, GOOD = (
    "http://a.test/",
    "http://b.test/",
    "http://c.test/",
    "http://d.test/",
    Standing(promise=0.9, topic="birds"),
)


def test_all_pages_that_cite_a_url_have_their_say_if_they_are_counted(store: Store) -> None:
    store.add([found(A), found(B)], now=0.0)
    one, two = claim(store, now=0.0)
    put(store, page(one, at=1.0, links=[found(C, 0.8, cited=0.8), found(D, 0.8, cited=0.8)]), now=1.0)
    put(store, page(two, at=1.0, links=[found(C, 0.0, cited=0.0), found(D, 0.8, cited=0.8)]), now=1.0)
    best, worst = claim(store, now=2.0)
    assert (best.url, worst.url) == (D, C)
    assert best.priority == pytest.approx((0.8 + 1.6 / 5) / 2)
    assert worst.priority == pytest.approx((0.8 + 0.8 / 5) / 2)


def test_links_marked_nofollow_promise_nothing(store: Store) -> None:
    store.add([found(A, kind=LinkKind.SEED)], now=0.0)
    [first] = claim(store, now=0.0)
    put(store, page(first, at=1.0, links=[found(B, 0.9, nofollow=True)], relevance=0.9, standing=GOOD), now=1.0)
    rescore(store, by_promise=True, blend=False, nofollow=True, now=1.0)
    assert claim(store, now=1.0) == []
    rescore(store, by_promise=True, blend=False, nofollow=False, now=1.0)
    assert urls(claim(store, now=1.0)) == [B]


def test_a_moved_url_is_claimed_in_its_new_place(store: Store) -> None:
    store.add([found(A + "1", 0.9), found(A + "2", 0.5), found(A + "3", 0.1)], now=0.0)
    assert store.move({A + "1": 0.0, A + "2": 0.5, A + "3": 0.7, "http://never.test/": 1.0}, now=0.0) == 2
    assert urls(claim(store, now=0.0)) == [A + "3", A + "2", A + "1"]


def test_moves_of_an_outcome_outdo_its_own_links(store: Store) -> None:
    store.add([found(A, 1.0), found(A + "old", 0.2)], now=0.0)
    [taken] = claim(store, now=0.0, limit=1)
    outcome = page(taken, at=0.0, links=[found(A + "new", 0.9), found(A + "other", 0.5)])
    store.record([replace(outcome, moves={A + "new": 0.1, A + "old": 0.6, A: 9.0})], now=0.0, archived={})
    assert urls(claim(store, now=0.0)) == [A + "old", A + "other", A + "new"]


def test_a_url_that_was_moved_down_rises_with_the_next_page_that_cites_it(store: Store) -> None:
    store.add([found(A, 1.0), found(A + "low", 0.5), found(A + "other", 0.25)], now=0.0)
    [taken] = claim(store, now=0.0, limit=1)
    store.move({A + "low": 0.125}, now=0.0)
    put(store, page(taken, at=1.0, links=[found(A + "low", 0.375)]), now=1.0)
    assert [(one.url, one.priority) for one in claim(store, now=1.0)] == [(A + "low", 0.375), (A + "other", 0.25)]


def test_a_moved_url_forgets_who_cites_it(store: Store) -> None:
    store.add([found(A + "cited", 0.8, cited=0.8), found(A + "plain", 0.5)], now=0.0)
    store.move({A + "cited": 0.1}, now=0.0)
    assert [taken.priority for taken in claim(store, now=0.0)] == [0.5, 0.1]


def test_what_waits_is_shown_by_age_and_in_pieces(store: Store) -> None:
    store.add([found(f"{A}{i}", (i * 5 % 7) / 8, depth=i) for i in range(5)], now=0.0)
    first, second, third = (store.waiting(after=after, limit=2) for after in (0, 2, 4))
    assert first == [
        Waiting(id=1, url=f"{A}0", depth=0, priority=0.0),
        Waiting(id=2, url=f"{A}1", depth=1, priority=0.625),
    ]
    assert [one.url for one in second + third] == [f"{A}{i}" for i in (2, 3, 4)]
    assert store.waiting(after=5, limit=2) == []


def test_what_waits_does_not_show_what_is_claimed_refused_done_or_an_example(store: Store) -> None:
    store.add([found(A + "done", 1.0), found(A + "failed", 0.9), found(A + "claimed", 0.8)], now=0.0)
    done, none, _ = claim(store, now=0.0)
    put(store, page(done, at=1.0), failed(none, Reason.HTTP_ERROR, at=1.0), now=1.0)
    store.add([found(A + "example", demoted=-100, example=True), found(A + "locked", refusal=Reason.LOCKED)], now=1.0)
    store.add([found(A + "seed", kind=LinkKind.SEED), found(A + "found")], now=1.0)
    assert [one.url for one in store.waiting(limit=9)] == [A + "seed", A + "found"]


def test_what_waits_knows_what_the_best_page_promised_of_it(store: Store) -> None:
    store.add([found(A + "good", 0.9), found(A + "poor", 0.8)], now=0.0)
    good, poor = claim(store, now=0.0)
    both, one = found(A + "both", 0.5), found(A + "one", 0.25)
    put(store, page(poor, at=1.0, links=[but(both, priority=0.25), one], standing=Standing(promise=0.25)), now=1.0)
    put(store, page(good, at=1.0, links=[both], standing=Standing(promise=0.5)), now=1.0)
    store.move({A + "both": 0.125}, now=1.0)
    assert [(one.priority, one.promise) for one in store.waiting(limit=9)] == [(0.125, 0.5), (0.25, 0.25)]


def test_a_whole_frontier_is_turned_round_a_piece_at_a_time(store: Store) -> None:
    store.add([found(f"http://{host}.test/{i}", i / 16) for i in range(5) for host in "ab"], now=0.0)
    after = 0
    while some := store.waiting(after=after, limit=3):
        assert store.move({one.url: 1.0 - one.priority for one in some}, now=0.0) == len(some)
        after = some[-1].id
    assert urls(claim(store, now=0.0)) == [f"http://{host}.test/{i}" for i in range(5) for host in "ab"]


def test_bearings_tell_all_that_an_order_of_columns_compares(store: Store) -> None:
    hub, cited = A + "hub", A + "cited"
    store.add([found(hub), found(B, depth=0)], now=0.0)
    one, other = sorted(claim(store, now=0.0), key=lambda taken: taken.url)
    links = [found(cited, 0.5, depth=1), found(B + "marked", 0.5, nofollow=True)]
    put(store, page(one, at=1.0, links=links, relevance=0.5, standing=Standing(promise=0.5)), now=1.0)
    put(
        store, page(other, at=2.0, links=[found(cited, 0.25)], relevance=0.25, standing=Standing(promise=0.25)), now=2.0
    )
    scores = [PageScore(url=hub, hub=0.75, authority=0.125), PageScore(url=B, hub=0.25, authority=0.5)]
    store.distilled(Distillation(at=2.0, critic=0, lesson=0, pages=2, links=3), scores, moves={}, now=2.0)
    [place] = store.bearings_of([cited, cited, "http://never.test/"], nofollow=True)
    blend = (0.5 + (0.5 + 0.25) / (2 + 3)) / 2
    assert (place.relevance, place.hub, place.authority) == (blend, 0.75, 0.5)  # of the best that cite it
    assert (place.depth, place.server_load, place.tries, place.visits, place.last_visited) == (0, 1, 0, 0, 0.0)
    assert [one.relevance for one in store.bearings_of([B + "marked"], nofollow=True)] == [None]
    assert [one.relevance for one in store.bearings_of([B + "marked"], nofollow=False)] == [(0.5 + 0.5 / 4) / 2]
    store.revisit({hub: 0}, now=3.0)
    [again] = store.bearings(nofollow=True, limit=9, host="a.test")[:1]
    assert (again.url, again.relevance, again.hub, again.authority) == (hub, 0.5, 0.75, 0.125)  # its own
    assert (again.visits, again.last_visited, again.server_load) == (1, 1.0, 0)
    assert [one.url for one in store.bearings(nofollow=True, after=again.id, limit=1)] == [cited]
