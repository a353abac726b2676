"""The frontier: what recording an outcome changes."""

from dataclasses import replace

import pytest

from scenthound.errors import DiskFullError
from scenthound.store.base import Store
from scenthound.types import LinkKind, Reason, ShapeYield
from tests.store.small_world import back, claim, failed, found, later, page, put, urls

A, B, C = "http://a.test/", "http://b.test/", "http://c.test/"


def test_a_lease_that_ran_out_is_given_to_the_next_and_the_late_outcome_is_dropped(store: Store) -> None:
    store.add([found(A)], now=0.0)
    [mine] = claim(store, now=0.0, lease=60.0, owner="me")
    assert claim(store, now=59.0, owner="you") == []
    [yours] = claim(store, now=60.0, owner="you")
    put(store, page(yours, at=61.0, title="yours"), now=61.0)
    [late] = store.record([page(mine, at=62.0, title="mine")], now=62.0, archived={})
    assert late.n is None
    assert [row.title for row in store.pages()] == ["yours"]


def test_an_outcome_is_dropped_where_its_number_stands_for_another_url(store: Store) -> None:
    """As after a fail-over to a standby that lagged behind: the URL that had the number is lost."""
    store.add([found(A)], now=0.0)
    [taken] = claim(store, now=0.0)
    lost = replace(taken, url=B, host="b.test")
    put(store, page(lost, at=1.0, title="lost"), page(taken, at=1.0, title="taken"), now=1.0)
    assert [(row.url, row.title) for row in store.pages()] == [(A, "taken")]


def test_links_join_the_frontier_and_the_best_citation_counts(store: Store) -> None:
    store.add([found(A), found(B)], now=0.0)
    first, second = claim(store, now=0.0)
    [one, two] = store.record(
        [
            page(first, at=1.0, links=[found(C + "x", 0.2), found(C + "y", 0.3), found(C + "x", 0.1)]),
            page(second, at=1.0, links=[found(C + "x", 0.8), found(A, 9.0)]),
        ],
        now=1.0,
        archived={},
    )
    assert (one.n, one.new_urls, two.n, two.new_urls) == (1, 2, 2, 0)
    assert [(taken.url, taken.priority) for taken in claim(store, now=1.0)] == [(C + "x", 0.8), (C + "y", 0.3)]


def test_a_refused_link_is_remembered_and_may_be_followed_later(store: Store) -> None:
    store.add([found(A, refusal=Reason.NOFOLLOW)], now=0.0)
    assert claim(store, now=0.0) == []
    story = store.story(A, now=0.0)
    assert story is not None
    assert (story.state, story.reason) == ("refused", Reason.NOFOLLOW)
    assert store.add([found(A, 0.5)], now=1.0) == 0
    assert urls(claim(store, now=1.0)) == [A]
    assert store.census(now=1.0).reasons == {}


def test_a_retry_comes_back_after_the_rest_with_one_try_more(store: Store) -> None:
    store.add([found(A)], now=0.0)
    [first] = claim(store, now=0.0)
    put(store, later(first, Reason.OVERLOADED, at=1.0, rest=20.0), now=1.0)
    assert claim(store, now=20.0) == []
    [second] = claim(store, now=21.0)
    assert second.tries == 1
    put(store, back(second, at=22.0), now=22.0)
    [third] = claim(store, now=22.0)
    assert third.tries == 1  # handing back is no try


def test_three_failures_in_a_row_make_a_host_bad(store: Store) -> None:
    store.add([found(f"{A}{i}") for i in range(6)] + [found(B, -1.0)], now=0.0)
    went_bad = []
    for reason in [Reason.DNS, Reason.DNS, None, Reason.DNS, Reason.CONNECT, Reason.TLS]:
        [taken] = claim(store, now=0.0, limit=1)
        outcome = page(taken, at=0.0) if reason is None else failed(taken, reason, at=0.0)
        went_bad += [recorded.host_went_bad for recorded in store.record([outcome], now=0.0, archived={})]
    assert went_bad == [False] * 5 + [True]
    store.add([found(A + "more", 9.0)], now=0.0)
    assert urls(claim(store, now=9.0)) == [B]
    [bad] = store.hosts(now=9.0, state="bad")
    assert (bad.host, bad.reason, bad.failures, bad.waiting) == ("a.test", "tls", 3, 1)
    census = store.census(now=9.0)
    assert (census.hosts_bad, census.waiting, census.waiting_on_bad) == (1, 1, 1)


@pytest.mark.parametrize(
    ("second", "duplicate", "near"),
    [
        ({"digest": "sha1:A", "fingerprint": 0b1111}, True, False),
        ({"digest": "sha1:B", "fingerprint": 0b0111}, False, True),
        ({"digest": "sha1:B", "fingerprint": 0b1111}, False, False),
        ({"digest": "sha1:B", "fingerprint": -1}, False, False),
        ({"digest": "sha1:B", "canonical": A + "1"}, True, False),
        ({"digest": "sha1:B", "canonical": C}, False, False),  # another domain has no say
    ],
)
def test_pages_that_say_the_same_are_told_apart_from_new_ones(
    store: Store, second: dict[str, object], duplicate: bool, near: bool
) -> None:
    store.add([found(A + "1"), found(A + "2"), found(C)], now=0.0)
    one, two, three = claim(store, now=0.0)
    links = [found(A + "1", kind=LinkKind.CANONICAL), found(C, kind=LinkKind.CANONICAL)]
    put(store, page(one, at=0.0, digest="sha1:A", fingerprint=0, shape="/N"), page(three, at=0.0), now=0.0)
    [recorded] = store.record([page(two, at=1.0, links=links, shape="/N", **second)], now=1.0, archived={})  # type: ignore[arg-type]
    assert recorded.duplicate_of == (A + "1" if duplicate else None)
    assert recorded.near_duplicate_of == (A + "1" if near else None)
    novel = 1 if duplicate or near else 2
    assert store.shape_yields([("a.test", "/N"), ("a.test", "/other")]) == {
        ("a.test", "/N"): ShapeYield(fetched=2, novel=novel),
        ("a.test", "/other"): ShapeYield(),
    }


def test_pages_that_share_a_canonical_address_are_one(store: Store) -> None:
    store.add([found(A + "?ref=1"), found(A + "?ref=2")], now=0.0)
    one, two = claim(store, now=0.0)
    outcomes = [page(each, at=0.0, canonical=A, links=[found(A, kind=LinkKind.CANONICAL)]) for each in (one, two)]
    recorded = store.record(outcomes, now=0.0, archived={})
    assert [each.duplicate_of for each in recorded] == [None, A + "?ref=1"]


def test_what_was_given_up_may_be_reconsidered(store: Store) -> None:
    store.add([found(A), found(B, refusal=Reason.LOCKED), found(C, refusal=Reason.NOFOLLOW)], now=0.0)
    put(store, failed(claim(store, now=0.0)[0], Reason.PRIVATE_ADDRESS, at=1.0), now=1.0)
    assert claim(store, now=2.0) == []
    assert store.reconsider([Reason.LOCKED, Reason.PRIVATE_ADDRESS], now=2.0) == 2
    again = claim(store, now=2.0)
    assert urls(again) == [A, B]
    put(store, page(again[0], at=3.0), now=3.0)
    assert [row.url for row in store.pages()] == [A]
    assert store.census(now=3.0).reasons == {"nofollow": 1}


def test_nothing_is_recorded_unless_the_archive_is_safe(store: Store) -> None:
    def full() -> None:
        raise DiskFullError("no room")

    store.add([found(A)], now=0.0)
    [taken] = claim(store, now=0.0)
    outcomes, archived = [page(taken, at=1.0, links=[found(B)])], {"x.warc.gz": 30}
    with pytest.raises(DiskFullError, match="no room"):
        store.record(outcomes, now=1.0, archived=archived, synced=full)
    assert (list(store.pages()), store.archived(), store.story(B, now=1.0)) == ([], {}, None)
    asked: list[bool] = []
    [recorded] = store.record(outcomes, now=2.0, archived=archived, synced=lambda: asked.append(True))
    assert (recorded.n, recorded.new_urls, asked, store.archived()) == (1, 1, [True], archived)


def test_a_batch_that_is_to_settle_later_counts_at_once(store: Store) -> None:
    store.add([found(A)], now=0.0)
    [taken] = claim(store, now=0.0)
    store.settle()  # nothing to wait for
    [recorded] = store.record([page(taken, at=1.0, links=[found(B)])], now=1.0, archived={}, soon=True)
    [following] = claim(store, now=2.0)
    assert (recorded.n, recorded.new_urls, following.url) == (1, 1, B)
    store.record([page(following, at=2.0)], now=2.0, archived={}, soon=True)
    store.settle()
    assert [row.url for row in store.pages()] == [A, B]
