"""A frontier that is given another order has its priorities, whatever it had before."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.crawl.order import change as reordering
from scenthound.crawl.order.change import reorder
from scenthound.frontier.orders import BestFirst, Breadth, Depth, Given, Order
from scenthound.frontier.orders import Random as Drawn
from scenthound.store.base import Store
from scenthound.store.indexed.store import IndexedStore
from scenthound.store.sqlite.store import SqliteStore
from scenthound.store.walk import rescore
from scenthound.types import Link, LinkKind, Standing
from tests.often import often
from tests.store import random_world as anything
from tests.store.small_world import FREE, claim, found, page, put

STORES: dict[str, Callable[[Path], AbstractContextManager[Store]]] = {
    "indexed": lambda _: IndexedStore(),
    "sqlite": lambda folder: SqliteStore(folder / "crawl.db"),
}


def by_words(link: Link) -> float:
    return len(link.text) + (100.0 if link.kind is LinkKind.SEED else 0.0)


ORDERS: tuple[Order, ...] = (
    BestFirst(),
    BestFirst(blends=False),
    Breadth(),
    Depth(),
    Drawn(7),
    Given("words", by_words),
)


def live(store: Store, chance: Random) -> None:
    """Let a store live through some of everything."""
    store.add([found(url, kind=LinkKind.SEED) for url in chance.sample(anything.URLS, 9)], now=0.0)
    for turn in range(1, 12):
        claims = store.claim(owner="me", now=50.0 * turn, limit=3, limits=FREE, lease=9e9)
        outcomes = [anything.outcome(chance, claim, 50.0 * turn) for claim in claims]
        store.record(outcomes, now=50.0 * turn, archived={})


def frontier(store: Store) -> dict[str, float]:
    return {one.url: one.priority for one in store.waiting(limit=1000)}


def put_in_order(store: Store, order: Order) -> None:
    seeds = [url for url in frontier(store) if (story := store.story(url, now=0.0)) and story.found_by == "seed"]
    assert reorder(store, order, seeds=seeds, nofollow=True, now=600.0) is not None


@pytest.mark.slow
@pytest.mark.parametrize("kind", STORES)
@often(25)
@given(seed=st.integers(0, 10**6), detour=st.lists(st.sampled_from(ORDERS), max_size=3), last=st.sampled_from(ORDERS))
def test_a_frontier_does_not_tell_which_orders_it_has_had(
    kind: str, seed: int, detour: list[Order], last: Order
) -> None:
    frontiers = []
    for orders in ([last], [*detour, last]):
        with TemporaryDirectory() as folder, STORES[kind](Path(folder)) as store:
            live(store, Random(seed))
            # A new critic has refused by now what no page promises anything of: the same in both.
            rescore(store, by_promise=False, blend=False, nofollow=True, now=600.0)
            for order in orders:
                put_in_order(store, order)
            frontiers.append(frontier(store))
    assert frontiers[0] == frontiers[1]


def test_every_url_has_the_number_of_the_new_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reordering, "PIECE", 3)
    with IndexedStore() as store:
        small_crawl(store)
        put_in_order(store, Depth())
        assert frontier(store) == {"http://a.test/seed": 0.0, **{f"http://a.test/{n}": n % 4 for n in range(10)}}
        put_in_order(store, BestFirst(blends=False))
        assert frontier(store) == {"http://a.test/seed": 1.0, **{f"http://a.test/{n}": 0.7 for n in range(10)}}


def test_a_function_of_the_users_reads_the_words_of_all_links_to_a_url() -> None:
    with IndexedStore() as store:
        small_crawl(store)
        put_in_order(store, Given("words", by_words))
        assert frontier(store)["http://a.test/seed"] == 100.0
        assert frontier(store)["http://a.test/3"] == len("and longer words")  # the greater of its two numbers
        assert frontier(store)["http://a.test/4"] == len("words")


def test_who_wants_to_stop_need_not_wait_until_all_is_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reordering, "PIECE", 4)
    with IndexedStore() as store:
        small_crawl(store)
        asked = iter([False, True])
        assert reorder(store, Depth(), seeds=(), nofollow=True, now=9.0, stopping=lambda: next(asked)) is None
        numbers = [frontier(store)[f"http://a.test/{n}"] for n in range(10)]
        assert numbers == [0, 1, 2, 3, 0, -1, -2, -3, 0, -1]  # the first four are moved, the others not yet


def small_crawl(store: Store) -> None:
    """Record a page with ten links, to one of them twice, under breadth; a seed is still waiting."""
    store.add([found("http://a.test/", 0.5, kind=LinkKind.SEED)], now=0.0)
    [first] = claim(store, now=1.0)
    links = [found(f"http://a.test/{n}", -float(n % 4), depth=n % 4, text="words") for n in range(10)]
    again = found("http://a.test/3", -3.0, depth=3, text="and longer words")
    put(store, page(first, at=1.0, links=[*links, again], standing=Standing(promise=0.7)), now=1.0)
    store.add([found("http://a.test/seed", -0.0, kind=LinkKind.SEED)], now=2.0)
