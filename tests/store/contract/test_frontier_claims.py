"""The frontier: what a claim takes, in which order, and what it waits for."""

from dataclasses import replace

import pytest

from scenthound.store.base import Store
from scenthound.types import Discovery, Errand, Limits, LinkKind, Reason, Standing
from tests.store.small_world import FREE, back, claim, failed, found, later, page, put, rules, urls

A, B, C, GOOD, POOR = (
    "http://a.test/",
    "http://b.test/",
    "http://c.test/",
    Standing(promise=0.9, topic="birds"),
    Standing(promise=0.2, tunnel=1, topic="birds"),
)


def example(url: str) -> Discovery:
    return found(url, demoted=-100, kind=LinkKind.SEED, example=True)


def test_best_comes_first_and_ties_go_to_the_one_found_first(store: Store) -> None:
    store.add([found(A, 0.1), found(B, 0.9), found(C, 0.9), found("http://d.test/", 5.0, demoted=1)], now=0.0)
    assert urls(claim(store, now=0.0)) == [B, C, A, "http://d.test/"]


def test_adding_counts_only_what_is_new(store: Store) -> None:
    assert store.add([found(A), found(A), found(B)], now=0.0) == 2
    assert store.add([found(B), found(C)], now=1.0) == 1


def test_a_claim_says_all_that_the_fetch_needs(store: Store) -> None:
    store.add([found(A, 0.5, depth=2, hops=1)], now=0.0)
    [taken] = claim(store, now=0.0)
    assert (taken.url, taken.host, taken.priority, taken.depth, taken.hops) == (A, "a.test", 0.5, 2, 1)
    assert taken.errand is Errand.PAGE
    assert not taken.fetched_before


def test_a_host_is_asked_again_only_after_the_delay(store: Store) -> None:
    store.add([found(A + "1"), found(A + "2"), found(B)], now=0.0)
    polite = replace(FREE, delay=10.0, per_host=1)
    assert urls(claim(store, now=0.0, limits=polite)) == [A + "1", B]
    assert claim(store, now=9.9, limits=FREE) == []  # whatever the limits are by now
    assert store.next_due(now=9.9) == 10.0
    assert urls(claim(store, now=10.0, limits=FREE)) == [A + "2"]


def test_a_host_is_not_asked_while_it_is_busy(store: Store) -> None:
    store.add([found(A + "1"), found(A + "2")], now=0.0)
    polite = replace(FREE, delay=1.0, per_host=1)
    [first] = claim(store, now=0.0, limits=polite)
    assert claim(store, now=50.0, limits=polite) == []
    assert store.next_due(now=50.0) is None  # only a record can change that
    put(store, page(first, at=50.0), now=50.0)
    assert urls(claim(store, now=50.0, limits=polite)) == [A + "2"]


def test_a_host_with_a_longer_delay_of_its_own_gets_it(store: Store) -> None:
    store.add([found(A + "1"), found(A + "2"), found(A + "3")], now=0.0)
    polite = replace(FREE, delay=1.0, per_host=1)
    [first] = claim(store, now=0.0, limits=polite)
    put(store, replace(page(first, at=0.5), host_delay=30.0), now=0.5)
    [second] = claim(store, now=1.0, limits=polite)
    assert second.host_delay == 30.0
    put(store, page(second, at=1.5), now=1.5)
    assert store.next_due(now=2.0) == 31.0


@pytest.mark.parametrize(("field", "same"), [("per_domain", "domain"), ("per_ip", "address")])
def test_hosts_that_share_a_domain_or_an_address_share_its_places(store: Store, field: str, same: str) -> None:
    hosts = [f"http://h{i}.{'shared' if same == 'domain' else f'd{i}'}.test/" for i in range(4)]
    store.add([found(host + name) for name in "12" for host in hosts], now=0.0)
    for taken in claim(store, now=0.0, limit=4, limits=replace(FREE, per_host=1)):
        put(store, page(taken, at=0.0, ip="192.0.2.1" if same == "address" else ""), now=0.0)
    limits = replace(FREE, per_host=1, **{field: 2})  # type: ignore[arg-type]
    first, second = claim(store, now=1.0, limits=limits)
    assert claim(store, now=1.0, limits=limits) == []
    put(store, page(second, at=1.0, ip="192.0.2.1" if same == "address" else ""), now=1.0)
    assert urls(claim(store, now=1.0, limits=limits)) == [hosts[2] + "2"]
    assert first.url == hosts[0] + "2"


def test_a_freed_place_goes_to_the_best_host_that_can_use_it(store: Store) -> None:
    store.add([found(f"http://h{i}.shared.test/", i) for i in range(5)], now=0.0)
    one = replace(FREE, per_domain=1)
    order = []
    for _ in range(5):
        [taken] = claim(store, now=0.0, limits=one)
        order.append(taken.priority)
        put(store, page(taken, at=0.0), now=0.0)
    assert order == [4, 3, 2, 1, 0]


def test_a_capped_host_gives_no_more_than_its_pages(store: Store) -> None:
    store.add([found(f"{A}{i}") for i in range(5)], now=0.0)
    capped = replace(FREE, pages_per_host=2)
    taken = claim(store, now=0.0, limits=capped)
    assert len(taken) == 2
    put(store, page(taken[0], at=0.0), failed(taken[1], Reason.HTTP_ERROR, at=0.0, status=404), now=0.0)
    assert len(claim(store, now=0.0, limits=capped)) == 1
    assert store.census(now=0.0).hosts_capped == 1
    assert len(claim(store, now=0.0, limits=FREE)) == 2  # limits may change between runs


def test_the_first_visit_to_an_origin_is_an_errand_and_nothing_else_goes_there_meanwhile(store: Store) -> None:
    store.add([found(A + "1"), found(A + "2")], now=0.0)
    limits = replace(FREE, robots=True)
    [errand] = claim(store, now=0.0, limits=limits)
    assert errand.errand is Errand.ROBOTS
    assert claim(store, now=9.0, limits=limits) == []
    put(store, back(errand, at=9.0, robots=rules(errand, at=9.0, lasts=100.0)), now=9.0)
    known = store.robots("http://a.test")
    assert known is not None
    assert known.expires == 109.0
    assert [taken.errand for taken in claim(store, now=10.0, limits=limits)] == [Errand.PAGE, Errand.PAGE]
    store.release(owner=None, now=10.0)
    assert [taken.errand for taken in claim(store, now=109.0, limits=limits)] == [Errand.ROBOTS]  # it has expired


def test_claims_of_one_owner_or_of_all_are_given_back(store: Store) -> None:
    store.add([found(A), found(B), found(C)], now=0.0)
    claim(store, now=0.0, limit=1, owner="me")
    claim(store, now=0.0, limit=2, owner="you")
    assert store.release(owner="you", now=1.0) == 2
    assert store.census(now=1.0).claimed == 1
    assert store.release(owner=None, now=1.0) == 1
    assert len(claim(store, now=2.0)) == 3


def test_a_host_rests_from_the_moment_its_claims_are_given_back(store: Store) -> None:
    limits = replace(FREE, delay=5.0, per_host=1)
    store.add([found(A)], now=0.0)
    claim(store, now=0.0, limits=limits)
    store.release(owner=None, now=60.0)
    assert claim(store, now=64.0, limits=limits) == []
    assert urls(claim(store, now=65.0, limits=limits)) == [A]


def test_what_was_not_asked_costs_the_host_no_rest(store: Store) -> None:
    store.add([found(A + "1"), found(A + "2")], now=0.0)
    polite = Limits(delay=10.0, per_host=1, robots=False)
    [first] = claim(store, now=0.0, limits=polite)
    put(store, failed(first, Reason.ROBOTS, at=0.1, asked=False), now=0.1)
    assert urls(claim(store, now=0.1, limits=polite)) == [A + "2"]


def test_a_rest_that_a_server_asked_for_outlives_claims_that_were_not_sent(store: Store) -> None:
    store.add([found(A + name) for name in "123"], now=0.0)
    pair = Limits(delay=0.0, per_host=2, robots=False)
    first, second = claim(store, now=0.0, limits=pair)
    put(store, later(first, Reason.OVERLOADED, at=1.0, rest=100.0), now=1.0)
    put(store, failed(second, Reason.ROBOTS, at=2.0, asked=False), now=2.0)
    assert claim(store, now=100.0, limits=pair) == []
    assert store.next_due(now=100.0) == 101.0


def test_nothing_is_due_in_an_empty_store(store: Store) -> None:
    assert claim(store, now=0.0) == []
    assert store.next_due(now=0.0) is None


def test_examples_do_not_count_against_the_pages_of_a_host(store: Store) -> None:
    capped = replace(FREE, pages_per_host=1)
    store.add(
        [found(A + "example", demoted=-100, kind=LinkKind.SEED, example=True), found(A + "1"), found(A + "2")], now=0.0
    )
    [example] = claim(store, now=0.0, limit=1, limits=capped)
    put(store, page(example, at=1.0, counts=False), now=1.0)
    [first] = claim(store, now=2.0, limits=replace(capped, per_host=1))
    assert first.url == A + "1"
    put(store, page(first, at=3.0), now=3.0)
    assert claim(store, now=4.0, limits=capped) == []


def test_examples_come_before_everything_and_alone_if_asked(store: Store) -> None:
    store.add([found(A, 9.0), example(B)], now=0.0)
    assert urls(claim(store, now=0.0, limits=replace(FREE, examples=True))) == [B]
    assert urls(claim(store, now=0.0)) == [A]


def test_an_example_that_failed_once_is_still_an_example(store: Store) -> None:
    store.add([example(B)], now=0.0)
    [first] = claim(store, now=0.0)
    assert first.example
    put(store, later(first, Reason.OVERLOADED, at=1.0, rest=20.0), now=1.0)
    assert store.examples_due(now=1.0) == 21.0
    assert urls(claim(store, now=21.0, limits=replace(FREE, examples=True))) == [B]
    assert store.examples_due(now=22.0) == 22.0  # in flight


def test_nobody_waits_for_examples_that_are_settled_or_on_bad_hosts(store: Store) -> None:
    store.add([example(A), example(B), example(B + "2")], now=0.0)
    for taken in claim(store, now=0.0):
        put(store, page(taken, at=1.0) if taken.url == A else failed(taken, Reason.DNS, at=1.0), now=1.0)
    assert store.examples_due(now=2.0) is None
    assert store.census(now=2.0).pages == 1  # it is the outcome that says whether a page counts


def test_a_url_tried_in_vain_stands_behind_those_never_tried(store: Store) -> None:
    store.add([found(A, 0.9), found(A + "2", 0.1)], now=0.0)
    [first] = claim(store, now=0.0, limit=1)
    put(store, later(first, Reason.OVERLOADED, at=1.0, rest=0.0), now=1.0)
    assert urls(claim(store, now=2.0)) == [A + "2", A]


def test_a_choosy_claim_waits_for_the_best_host_rather_than_take_what_promises_little(store: Store) -> None:
    store.add([found(A, 0.9), found(A + "2", 0.8), found(B, 0.3), found(C, 0.5)], now=0.0)
    picky = replace(FREE, delay=5.0, choosy=0.5)
    assert urls(claim(store, now=0.0, limits=picky)) == [A, C]
    assert urls(claim(store, now=5.0, limits=picky)) == [A + "2"]
    assert urls(claim(store, now=5.0, limits=picky)) == [B]  # nothing better is left


def test_what_waits_behind_an_example_is_hoped_for_too(store: Store) -> None:
    store.add([example(A), found(A + "2", 0.9), found(B, 0.3), found(C, 0.5)], now=0.0)
    picky = replace(FREE, delay=5.0, choosy=0.5)
    assert urls(claim(store, now=0.0, limits=picky)) == [A, C]
    assert urls(claim(store, now=5.0, limits=picky)) == [A + "2"]


def test_what_waits_behind_an_example_on_a_host_at_rest_is_not_hoped_for(store: Store) -> None:
    store.add([example(A), found(A + "2", 0.9), found(B, 0.3)], now=0.0)
    [first] = claim(store, now=0.0, limit=1)
    put(store, later(first, Reason.OVERLOADED, at=1.0, rest=3600.0), now=1.0)
    assert urls(claim(store, now=2.0, limits=replace(FREE, choosy=0.5))) == [B]


def test_a_host_that_asks_for_a_long_rest_is_not_waited_for(store: Store) -> None:
    store.add([found(A, 0.9), found(A + "2", 0.9), found(B, 0.3)], now=0.0)
    [first] = claim(store, now=0.0, limit=1)
    put(store, replace(page(first, at=1.0), rest=3600.0), now=1.0)
    assert urls(claim(store, now=2.0, limits=replace(FREE, choosy=0.5))) == [B]


def test_of_equal_urls_the_one_on_the_less_visited_host_comes_first(store: Store) -> None:
    store.add([found(A), found(A + "2"), found(B)], now=0.0)
    [first] = claim(store, now=0.0, limit=1)
    put(store, page(first, at=1.0), now=1.0)
    assert urls(claim(store, now=1.0)) == [B, A + "2"]


def test_a_claim_knows_the_standing_of_the_page_that_promised_most(store: Store) -> None:
    store.add([found(A), found(B)], now=0.0)
    one, two = claim(store, now=0.0)
    put(store, page(one, at=1.0, links=[found(C, 0.2)], relevance=0.1, standing=POOR), now=1.0)
    put(store, page(two, at=1.0, links=[found(C, 0.9)], relevance=0.9, standing=GOOD), now=1.0)
    [taken] = claim(store, now=2.0)
    assert (taken.url, taken.priority, taken.via) == (C, 0.9, GOOD)
