"""What a store keeps of hubs and authorities, and what it says of the pages that hubs cite."""

from dataclasses import replace

from scenthound.store.base import Store
from scenthound.types import Distillation, LinkKind, LinkYield, PageScore, Unvisited
from tests.store.small_world import FREE, claim, found, page, put, urls

A, HUB, OTHER = "http://a.test/", "http://hub.test/", "http://other.test/"
FOUND = Distillation(
    at=5.0, critic=2, lesson=7, pages=3, links=9, relevance=1.5, site="host", hubs=(PageScore(url=HUB, hub=0.75),)
)


def crawled(store: Store) -> None:
    """Fetch two hubs, which cite the same page, and each another."""
    store.add([found(HUB), found(OTHER)], now=0.0)
    hub, other = claim(store, now=0.0)
    links = [found(A + "both", 0.25), found(A + "disowned", nofollow=True), found(A + "icon", kind=LinkKind.HREFLANG)]
    put(store, page(hub, at=1.0, links=[*links, found(A + "one", 0.5), found(OTHER)], etag='"1"'), now=1.0)
    put(store, page(other, at=2.0, links=[found(A + "two"), found(A + "both")]), now=2.0)


def test_there_is_no_distillation_at_first(store: Store) -> None:
    crawled(store)
    assert (store.last_distillation(), store.distillations(), store.hubs(limit=9), store.page_scores([HUB])) == (
        None, [], [], {},
    )  # fmt: skip


def test_the_last_scores_take_the_place_of_earlier_ones(store: Store) -> None:
    crawled(store)
    first = [PageScore(url=HUB, hub=0.75), PageScore(url=A + "both", authority=1.0)]
    assert store.distilled(FOUND, first, moves={}, now=5.0) == 1
    then = [
        PageScore(url=HUB, hub=0.25, authority=0.5),
        PageScore(url=OTHER, hub=0.75),
        PageScore(url="http://no.test/"),
    ]
    assert store.distilled(replace(FOUND, at=6.0), then, moves={}, now=6.0) == 2
    assert store.hubs(limit=9) == [then[1], then[0]]
    assert store.hubs(limit=1) == [then[1]]
    assert store.authorities(limit=9) == [then[0]]
    assert store.page_scores([A + "both", HUB, "http://no.test/"]) == {HUB: then[0]}


def test_the_log_keeps_every_distillation_with_the_hubs_that_count(store: Store) -> None:
    crawled(store)
    store.distilled(FOUND, [], moves={}, now=5.0)
    unknown = (PageScore(url="http://no.test/", hub=0.5), PageScore(url=OTHER, hub=0.25))
    store.distilled(replace(FOUND, lesson=8, hubs=unknown), [], moves={}, now=6.0)
    last = replace(FOUND, version=2, lesson=8, hubs=unknown[1:])
    assert store.distillations() == [replace(FOUND, version=1), last]
    assert store.distillations(after=1) == [last]
    assert store.last_distillation() == last


def test_a_distillation_moves_what_waits(store: Store) -> None:
    crawled(store)
    store.distilled(FOUND, [], moves={A + "two": 0.75, HUB: 1.0}, now=5.0)
    assert urls(claim(store, now=9.0, limit=2)) == [A + "two", A + "one"]


def test_unvisited_are_the_waiting_urls_on_some_pages(store: Store) -> None:
    crawled(store)
    assert store.unvisited([OTHER, HUB, "http://no.test/"]) == [
        Unvisited(url=A + "both", priority=0.25, cited_by=(OTHER, HUB)),
        Unvisited(url=A + "one", priority=0.5, cited_by=(HUB,)),
        Unvisited(url=A + "two", priority=0.0, cited_by=(OTHER,)),
    ]
    claim(store, now=9.0, limit=1)
    assert [one.url for one in store.unvisited([HUB])] == [A + "both"]


def test_what_links_led_to_is_added_up(store: Store) -> None:
    crawled(store)
    both, one = claim(store, now=9.0, limits=replace(FREE, per_host=2), limit=2)
    put(store, page(both, at=9.0, relevance=0.5), page(one, at=9.0, relevance=0.25), now=9.0)
    assert store.link_yields([HUB, OTHER, A + "two", "http://no.test/"]) == {
        HUB: LinkYield(pages=2, relevance=0.75),
        OTHER: LinkYield(pages=1, relevance=0.25),
    }


def test_links_are_counted(store: Store) -> None:
    assert store.link_count() == 0
    crawled(store)
    assert store.link_count() == 7
