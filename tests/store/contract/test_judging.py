"""What a store does for critics: it holds pages to be judged, and the frontier follows new judgements."""

from dataclasses import replace

import pytest

from scenthound.store.base import Store
from scenthound.types import CriticRecord, Discovery, HeldPage, Judgement, LinkKind, Reason, Standing, TopicCount
from tests.store.small_world import FREE, claim, failed, found, later, moved, page, put, urls

A, B, C, D = "http://a.test/", "http://b.test/", "http://c.test/", "http://d.test/"
GOOD, POOR = Standing(promise=0.9, topic="birds"), Standing(promise=0.2, tunnel=1, topic="birds")


def example(url: str) -> Discovery:
    return found(url, demoted=-100, kind=LinkKind.SEED, example=True)


def as_judged(_: HeldPage, judgement: Judgement | None, via: Standing | None) -> Standing:
    """Hand on a page's own relevance, nothing below a half."""
    if judgement is None:
        return via or Standing(promise=1.0)
    return Standing(promise=judgement.relevance if judgement.relevance >= 0.5 else None, topic=judgement.topic)


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


def test_pages_are_held_under_every_address_that_leads_to_them(store: Store) -> None:
    store.add([example(A)], now=0.0)
    [first] = claim(store, now=0.0)
    put(store, moved(first, B, at=1.0), now=1.0)
    [second] = claim(store, now=1.0, limits=replace(FREE, examples=True))
    put(store, page(second, at=2.0, terms=b"packed", title="Wrens"), now=2.0)
    held = store.held([A, B, C])
    assert {url: (page.url, page.title, page.terms, page.example) for url, page in held.items()} == {
        A: (B, "Wrens", b"packed", True),
        B: (B, "Wrens", b"packed", True),
    }


def test_the_critic_engaged_last_is_remembered(store: Store) -> None:
    assert store.critic() is None
    old = CriticRecord(version=1, kind="bayes", model="models/1", lessons="x", good=("Birds",), trained_at=5.0)
    new = replace(old, version=2, good=("Fish", "Birds/Größer"))
    store.engage(old)
    store.engage(new)
    assert store.critic() == new
    assert store.critics() == [old, new]


def test_examples_are_counted_under_no_topic(store: Store) -> None:
    store.add([found(A, kind=LinkKind.SEED), found(B, kind=LinkKind.SEED)], now=0.0)
    one, two = claim(store, now=0.0)
    put(store, page(one, at=1.0, relevance=0.9, critic=1, counts=False), now=1.0)
    put(store, page(two, at=1.0, relevance=0.5, critic=1), now=1.0)
    assert store.topic_counts() == {"birds": TopicCount(pages=1, relevance=0.5)}
    assert store.census(now=1.0).judged == 1


def test_other_judgements_move_the_frontier(store: Store) -> None:
    store.add([found(A, kind=LinkKind.SEED), found(B, kind=LinkKind.SEED)], now=0.0)
    one, two = claim(store, now=0.0)
    put(store, page(one, at=1.0, links=[found(C, 0.9)], relevance=0.9, standing=GOOD, terms=b"x", critic=1), now=1.0)
    off = found(D, refusal=Reason.OFF_TOPIC)
    put(store, page(two, at=1.0, links=[off], relevance=0.1, standing=Standing(), terms=b"x", critic=1), now=1.0)
    held = store.to_judge(critic=2, limit=10)
    relevances = {A: 0.25, B: 0.75}
    verdicts = [(page, Judgement(relevance=relevances[page.url], topic="fish", critic=2)) for page in held]
    store.rejudge(verdicts, critic=2, stand=as_judged)
    assert store.to_judge(critic=2, limit=10) == []
    assert store.rescore(by_promise=True, blend=False, nofollow=True, now=2.0) == 2
    assert [(taken.url, taken.priority) for taken in claim(store, now=2.0)] == [(D, 0.75)]
    refused = store.story(C, now=2.0)
    assert refused is not None
    assert refused.reason is Reason.OFF_TOPIC
    assert store.topic_counts() == {"fish": TopicCount(pages=2, relevance=1.0)}
    assert store.census(now=2.0).relevance_sum == 1.0


def test_a_redirect_hands_on_what_it_got(store: Store) -> None:
    store.add([found(A, kind=LinkKind.SEED)], now=0.0)
    [first] = claim(store, now=0.0)
    put(store, page(first, at=1.0, links=[found(B, 0.9)], relevance=0.9, standing=GOOD), now=1.0)
    [second] = claim(store, now=1.0)
    put(store, moved(second, C, at=2.0, standing=second.via), now=2.0)
    verdicts = [
        (page, None if page.redirect else Judgement(relevance=0.5, topic="fish"))
        for page in store.to_judge(critic=3, limit=9)
    ]
    store.rejudge(verdicts, critic=3, stand=as_judged)
    store.rescore(by_promise=True, blend=False, nofollow=True, now=3.0)
    [third] = claim(store, now=3.0)
    assert (third.url, third.priority, third.via) == (C, 0.5, Standing(promise=0.5, topic="fish"))


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
    store.rescore(by_promise=True, blend=False, nofollow=True, now=1.0)
    assert claim(store, now=1.0) == []
    store.rescore(by_promise=True, blend=False, nofollow=False, now=1.0)
    assert urls(claim(store, now=1.0)) == [B]


def test_what_lies_around_a_page(store: Store) -> None:
    store.add([example(A)], now=0.0)
    [first] = claim(store, now=0.0)
    put(store, page(first, at=1.0, links=[found(B, 0.5), found(C)]), now=1.0)
    [second] = claim(store, now=1.0, limit=1)
    put(store, page(second, at=2.0, links=[found(D)], title="Wrens"), now=2.0)
    assert [held.title for held in store.neighbours([A], limit=9)] == ["Wrens"]
    assert store.cited([A], limit=9) == [C]


def test_pages_are_drawn_evenly_from_the_first_ones(store: Store) -> None:
    store.add([found(f"{A}{i}") for i in range(8)], now=0.0)
    for i, taken in enumerate(claim(store, now=0.0)):
        put(store, page(taken, at=1.0, terms=b"x", relevance=i / 10), now=1.0)
    assert store.distinct_pages() == 8
    assert [held.url for held in store.drawn(limit=4, first=8)] == [f"{A}{i}" for i in (0, 2, 4, 6)]
    assert [held.url for held in store.drawn(limit=9, first=3)] == [f"{A}{i}" for i in (0, 1, 2)]
