"""The indexed store does not look at every URL, keeps no more of the past than it must, and is right where indexes go
wrong.

It passes the contract of all stores besides, and `test_same_answers` drives it through random crawls.
"""

import random
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import FrameType
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from scenthound.store.base import Store
from scenthound.store.indexed.store import IndexedStore
from scenthound.store.memory.store import MemoryStore
from scenthound.store.walk import rescore
from scenthound.types import Claim, Discovery, Limits, Outcome, Reason, Standing
from tests.often import slowly
from tests.store.small_world import FREE, claim, failed, found, page, put, taught, urls

ANEW = {"by_promise": True, "blend": True, "nofollow": False}
POLITE = Limits(delay=60.0, per_host=1, per_domain=2, per_ip=2, robots=False, choosy=0.5)


def steps(call: Callable[[], object]) -> int:
    """Count the instructions of Python that a call takes: the same on every machine, however busy."""
    counted = 0

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal counted
        frame.f_trace_opcodes = True
        counted += event == "opcode"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        call()
    finally:
        sys.settrace(before)
    return counted


def under_way(*, hosts: int, urls_of_each: int) -> tuple[IndexedStore, Claim]:
    """Return a crawl with so many hosts, one page fetched and one in flight."""
    store = IndexedStore()
    names = [f"http://h{host}.d{host // 2}.test/" for host in range(hosts)]
    store.add([found(f"{name}{n}", 1 / (n + 2)) for name in names for n in range(urls_of_each)], now=0.0)
    store.add([found(f"{names[0]}example", demoted=-100, example=True)], now=0.0)
    store.add([found(f"{name}", 2.0) for name in names[:3]], now=0.0)
    first, second = claim(store, now=1.0, limit=2, limits=FREE)
    put(store, taught(page(first, at=1.0, digest="first", links=[found(f"{names[1]}0", 0.9)])), now=1.0)
    claim(store, now=2.0, limit=1, limits=POLITE)
    claim(store, now=3.0, limit=1, limits=POLITE)
    return store, second


VERBS: dict[str, Callable[[IndexedStore, Claim], object]] = {
    "claim": lambda store, _: claim(store, now=100.0, limit=1, limits=POLITE),
    "record": lambda store, held: put(
        store,
        page(
            held,
            at=100.0,
            digest="first",
            fingerprint=7,
            canonical="http://h1.d0.test/0",
            links=[found(f"http://h{n % 4}.d{n % 4 // 2}.test/{n % 5}", 0.5, cited=0.5) for n in range(60)],
        ),
        now=100.0,
    ),
    "move": lambda store, _: store.move({f"http://h{n}.d{n // 2}.test/0": n / 4 for n in range(4)}, now=100.0),
    "next_due": lambda store, _: store.next_due(now=3.5),
    "examples_due": lambda store, _: store.examples_due(now=3.5),
    "originals": lambda store, _: store.originals(["first", "other"]),
    "shape_yields": lambda store, _: store.shape_yields([("h1.d0.test", "/x")]),
    "release": lambda store, _: store.release(owner="me", now=100.0),
    "waiting": lambda store, _: store.waiting(after=5, limit=3),
    "lesson": lambda store, _: store.lesson("http://h0.d0.test/"),
    "lessons": lambda store, _: store.lessons(after=0, limit=3),
    "story": lambda store, _: store.story("http://h1.d0.test/0", now=100.0),
}


@pytest.mark.slow
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("more", [{"hosts": 4, "urls_of_each": 2000}, *slowly({"hosts": 1000, "urls_of_each": 5})])
def test_a_turn_costs_the_same_however_much_is_known(verb: str, more: dict[str, int]) -> None:
    small, large = under_way(hosts=4, urls_of_each=5), under_way(**more)
    few, many = (steps(partial(VERBS[verb], *crawl)) for crawl in (small, large))
    assert many <= 2 * few + 200


@pytest.mark.slow
def test_the_specification_looks_at_every_url_and_would_fail_that_test() -> None:
    store = MemoryStore()
    store.add([found(f"http://a.test/{n}") for n in range(4000)], now=0.0)
    assert steps(lambda: claim(store, now=0.0, limit=1)) > 4000


@pytest.mark.slow
def test_the_frontier_is_scored_anew_in_one_pass_over_the_links() -> None:
    few, many = (steps(partial(rescore, cited_by(pages), **ANEW, now=0.0)) for pages in (10, 80))
    assert many <= 10 * few  # eight times the links; looking through all of them for each URL takes 61 times the steps


def cited_by(pages: int) -> IndexedStore:
    """Return a crawl with so many pages, each with ten links of its own."""
    store = IndexedStore()
    store.add([found(f"http://a.test/{n}", 1.0) for n in range(pages)], now=0.0)
    for number, held in enumerate(claim(store, now=0.0)):
        links = [found(f"http://b.test/{number}/{n}", 0.5) for n in range(10)]
        put(store, page(held, at=0.0, links=links, standing=Standing(promise=0.5)), now=0.0)
    return store


@pytest.mark.slow
def test_what_rises_again_and_again_leaves_no_trail() -> None:
    store = IndexedStore()
    store.add([found("http://a.test/")], now=0.0)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for n in range(20_000):
            store.move({"http://a.test/": float(n)}, now=0.0)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 500_000  # a trail would take 2,500,000


def test_the_order_is_that_of_the_specification_after_thousands_of_rises_and_falls() -> None:
    drawn = random.Random(7)
    addresses = [f"http://{host}.test/{n}" for host in "abc" for n in range(30)]
    stores = MemoryStore(), IndexedStore()
    for store in stores:
        store.add([found(address) for address in addresses], now=0.0)
    for _ in range(200):
        moves = {address: drawn.randrange(1000) / 8 for address in drawn.sample(addresses, 40)}
        assert stores[0].move(moves, now=0.0) == stores[1].move(moves, now=0.0)
    want, have = (urls(claim(store, now=0.0, limits=replace(FREE, choosy=0.01))) for store in stores)
    assert len(want) > 80
    assert have == want


def test_what_a_host_has_in_flight_counts_for_the_address_at_which_it_was_met_last(store: Store) -> None:
    here, there = "http://here.test/", "http://there.test/"
    store.add([found(there + "1", 0.9), found(here + "1", 0.8), found(here + "2", 0.7)], now=0.0)
    first, second, third = claim(store, now=0.0)
    put(store, page(first, at=0.0, ip="192.0.2.1"), now=0.0)
    put(store, page(second, at=0.0, ip="192.0.2.1"), now=0.0)
    store.add([found(there + "2", 0.5)], now=0.0)
    alone = replace(FREE, per_ip=1)
    assert claim(store, now=1.0, limits=alone) == []
    put(store, page(third, at=1.0, ip="192.0.2.2"), now=1.0)
    assert urls(claim(store, now=1.0, limits=alone)) == [there + "2"]


def test_a_url_found_again_without_its_demotion_is_claimed_in_its_new_place(store: Store) -> None:
    one, other = "http://a.test/1", "http://a.test/2"
    store.add([found(one, 0.5, demoted=1), found(other, 0.1)], now=0.0)
    store.add([found(one, 0.2)], now=0.0)
    assert urls(claim(store, now=0.0)) == [one, other]


def test_a_page_visited_again_cites_what_it_cites_now(store: Store) -> None:
    then, since = "http://b.test/then", "http://b.test/since"
    store.add([found("http://a.test/", 0.9)], now=0.0)
    put(store, page(*claim(store, now=0.0), at=0.0, links=[found(then, 0.5)]), now=0.0)
    assert citing_counts(store, then, since) == [1, None]
    store.revisit({"http://a.test/": 0, "http://b.test/": 1}, now=1.0)
    put(store, page(*claim(store, now=1.0, limit=1), at=1.0, links=[found(since, 0.5)]), now=1.0)
    assert citing_counts(store, then, since) == [0, 1]


def test_a_page_visited_again_repeats_others_but_not_itself(store: Store) -> None:
    store.add([found("http://a.test/", 0.9), found("http://b.test/", 0.5)], now=0.0)
    for taken in claim(store, now=0.0):
        put(store, page(taken, at=0.0, digest="same", fingerprint=7), now=0.0)
    store.revisit({"http://a.test/": 0, "http://b.test/": 1}, now=1.0)
    first, _ = claim(store, now=1.0)
    [recorded] = store.record([page(first, at=1.0, digest="other", fingerprint=-1)], now=1.0, archived={})
    assert (recorded.duplicate_of, recorded.near_duplicate_of) == (None, None)
    assert store.originals(["same"])["same"].url == "http://b.test/"  # the first has become another page


def citing_counts(store: Store, *addresses: str) -> list[int | None]:
    stories = [store.story(address, now=0.0) for address in addresses]
    return [story.citing_count if story else None for story in stories]


hosts = [f"{host}.test" for host in "abcd"]
frontiers = st.lists(
    st.builds(
        found,
        st.builds("http://{}/{}".format, st.sampled_from(hosts), st.integers(0, 3)),
        st.sampled_from([0.0, 0.125, 0.25, 0.5, 1.0]),
        demoted=st.sampled_from([0, 0, 0, 1, -100]),
    ),
    max_size=12,
)


@given(
    frontier=frontiers,
    more=frontiers,
    rests=st.lists(st.sampled_from([0.0, 9.0, 29.0, 45.0]), min_size=4, max_size=4),
    gives=st.lists(st.booleans(), min_size=4, max_size=4),
    most=st.sampled_from([0, 0, 1, 2]),
)
def test_a_choosy_crawl_hopes_for_the_same(
    frontier: list[Discovery], more: list[Discovery], rests: list[float], gives: list[bool], most: int
) -> None:
    """Some hosts rest, shortly or for long, some have given all their pages, and some have examples waiting."""
    stores = MemoryStore(), IndexedStore()
    choosy = replace(FREE, per_host=1, choosy=0.5, pages_per_host=most)
    for store in stores:
        store.add([found(f"http://{host}/", 9.0) for host in hosts], now=0.0)
        for taken, rest, gave in zip(claim(store, now=0.0), rests, gives, strict=True):
            outcome = page(taken, at=0.0) if gave else failed(taken, Reason.HTTP_ERROR, at=0.0, status=404)
            put(store, replace(outcome, rest=rest), now=0.0)
    for now, finds in ((1.0, frontier), (10.0, more), (16.0, []), (50.0, [])):
        for store in stores:
            store.add(finds, now=now)
        want, have = (claim(store, now=now, limits=choosy, limit=2, lease=5.0) for store in stores)
        assert have == want
        assert stores[1].next_due(now=now) == stores[0].next_due(now=now)


bits = st.sets(st.integers(0, 63), max_size=5)


@given(
    texts=st.lists(
        st.tuples(st.sampled_from("abc?"), bits, st.integers(0, 9)),
        min_size=6,
        max_size=10,
    )
)
def test_the_same_pages_repeat_the_same_others(texts: list[tuple[str, set[int], int]]) -> None:
    """Ten pages of one host, the last first, with few contents, fingerprints some bits apart, and canonical addresses."""
    stores = MemoryStore(), IndexedStore()
    addresses = [f"http://a.test/{n}" for n in range(10)]
    for store in stores:
        store.add([found(address, n / 10) for n, address in enumerate(addresses)], now=0.0)
    for (content, flipped, canonical), *held in zip(texts, *(claim(store, now=0.0) for store in stores), strict=False):
        digest = "" if content == "?" else content * 8
        want, have = (
            store.record([_page(taken, digest, flipped, addresses[canonical])], now=0.0, archived={})
            for store, taken in zip(stores, held, strict=True)
        )
        assert have == want
    for address in addresses:
        want_story, have_story = (store.story(address, now=0.0) for store in stores)
        assert have_story == want_story


def _page(taken: Claim, digest: str, flipped: set[int], canonical: str) -> Outcome:
    fingerprint = sum(1 << bit for bit in flipped)
    signed = fingerprint - (1 << 64) if fingerprint >> 63 else fingerprint
    links = [found(canonical, 0.1), found("http://a.test/0", 0.1)]
    return page(taken, at=0.0, digest=digest, fingerprint=signed, canonical=canonical, links=links)
