"""What a guide says of a URL is its priority, whatever the pages that cite it promise."""

from dataclasses import replace

from scenthound.store.base import Store
from tests.store.small_world import claim, found, page, urls

A = "http://a.test/"


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


def test_a_moved_url_forgets_who_cites_it(store: Store) -> None:
    store.add([found(A + "cited", 0.8, cited=0.8), found(A + "plain", 0.5)], now=0.0)
    store.move({A + "cited": 0.1}, now=0.0)
    assert [taken.priority for taken in claim(store, now=0.0)] == [0.5, 0.1]
