"""What a store makes of outcomes."""

from dataclasses import replace

import pytest

from scenthound.errors import DiskFullError
from scenthound.store.base import Store
from scenthound.types import ArchiveSpot, Ending, LinkKind, Reason, ShapeYield
from tests.store.small_world import FREE, answer, back, claim, failed, found, later, moved, page, put, urls

A, B, C = "http://a.test/", "http://b.test/", "http://c.test/"


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


def test_a_redirect_chain_is_one_row(store: Store) -> None:
    store.add([found(B)], now=0.0)
    put(store, page(claim(store, now=0.0)[0], at=0.0, links=[found(A + "old")]), now=0.0)
    put(store, moved(claim(store, now=0.0)[0], A + "newer", at=1.0), now=1.0)
    put(store, moved(claim(store, now=1.0)[0], A + "new", at=2.0), now=2.0)
    [end] = claim(store, now=2.0)
    assert end.hops == 2
    put(store, page(end, at=3.0, title="here"), now=3.0)
    _, row = store.pages()
    assert (row.url, row.final_url, row.referrer, row.title) == (A + "old", A + "new", B, "here")
    redirects = [(row.url, row.final_url) for row in store.pages(everything=True) if row.ending is Ending.REDIRECT]
    assert redirects == [(A + "old", A + "new"), (A + "newer", A + "new")]


def test_a_redirect_to_a_page_that_was_found_otherwise_adds_no_row(store: Store) -> None:
    store.add([found(A), found(B)], now=0.0)
    one, two = claim(store, now=0.0)
    put(store, page(one, at=1.0), moved(two, A, at=2.0), now=2.0)
    assert [(row.url, row.final_url) for row in store.pages()] == [(A, A)]


def test_the_export_holds_what_servers_answered_and_everything_if_asked(store: Store) -> None:
    store.add([found(A), found(B), found(C)], now=0.0)
    one, two, three = claim(store, now=0.0)
    put(
        store,
        failed(one, Reason.HTTP_ERROR, at=1.0, status=404),
        failed(two, Reason.DNS, at=2.0),
        page(three, at=3.0, relevance=0.75),
        now=3.0,
    )
    assert [(row.n, row.url, row.status, row.reason) for row in store.pages()] == [
        (1, A, 404, Reason.HTTP_ERROR),
        (3, C, 200, None),
    ]
    assert [row.n for row in store.pages(everything=True)] == [1, 2, 3]
    assert [row.n for row in store.pages(after=1, everything=True)] == [2, 3]
    assert [row.relevance for row in store.pages(min_relevance=0.5)] == [0.75]


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


def test_a_bad_host_may_be_forgiven(store: Store) -> None:
    store.add([found(A), found(f"{A}x")], now=0.0)
    for at in range(3):
        put(store, later(claim(store, now=at, limit=1)[0], Reason.DNS, at=at), now=at)
    assert claim(store, now=9.0) == []
    assert store.forgive(now=9.0) == 1
    assert len(claim(store, now=9.0)) == 2
    assert store.census(now=9.0).hosts_bad == 0


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


def test_the_first_page_with_some_content_is_its_original(store: Store) -> None:
    store.add([found(A), found(B)], now=0.0)
    first, second = claim(store, now=0.0)
    put(store, page(first, at=1.0, digest="same"), page(second, at=2.0, digest="same"), now=2.0)
    originals = store.originals(["same", "other"])
    assert {digest: (page.url, page.captured_at) for digest, page in originals.items()} == {"same": (A, 0.5)}


def test_pages_fetched_only_as_examples_do_not_count(store: Store) -> None:
    store.add([found(A), found(B)], now=0.0)
    one, two = claim(store, now=0.0)
    put(store, page(one, at=0.0, counts=False, relevance=1.0), page(two, at=0.0, relevance=0.5), now=0.0)
    census = store.census(now=0.0)
    assert (census.pages, census.judged, census.relevance_sum) == (1, 1, 0.5)


def test_the_census_adds_up(store: Store) -> None:
    store.add([found(f"{A}{i}") for i in range(6)] + [found(B, refusal=Reason.LOCKED)], now=0.0)
    taken = claim(store, now=0.0, limit=5)
    put(
        store,
        page(taken[0], at=0.0),
        page(taken[1], at=0.0, digest=A + "0"),
        failed(taken[2], Reason.HTTP_ERROR, at=0.0, status=410),
        moved(taken[3], C, at=0.0),
        now=0.0,
    )
    census = store.census(now=0.0)
    assert (census.pages, census.failed, census.redirects, census.claimed, census.waiting) == (2, 1, 1, 1, 2)
    assert (census.known, census.hosts, census.duplicates) == (8, 3, 1)
    assert census.reasons == {"http-error": 1, "locked": 1}
    assert census.next_due == 0.0


def test_a_page_that_links_twice_cites_once(store: Store) -> None:
    store.add([found(B), found(C)], now=0.0)
    first, second = claim(store, now=0.0)
    put(store, page(first, at=1.0, links=[found(A, text="one"), found(A, text="two")]), now=1.0)
    put(store, page(second, at=2.0, links=[found(A, text="three")]), now=2.0)
    story = store.story(A, now=3.0)
    assert story is not None
    assert (story.citing_count, [cited.text for cited in story.citations]) == (2, ["one", "two", "three"])


def test_a_story_tells_who_cites_a_url_and_what_was_tried(store: Store) -> None:
    store.add([found(B)], now=0.0)
    [first] = claim(store, now=0.0)
    put(store, page(first, at=1.0, links=[found(A, 0.5, text="a page", depth=1)]), now=1.0)
    put(store, later(claim(store, now=1.0)[0], Reason.SERVER_ERROR, at=2.0), now=2.0)
    put(store, page(claim(store, now=3.0)[0], at=4.0), now=4.0)
    story = store.story(A, now=5.0)
    assert story is not None
    assert (story.state, story.depth, story.tries, story.found_at, story.citing_count) == ("page", 1, 1, 1.0, 1)
    assert [(cited.url, cited.text) for cited in story.citations] == [(B, "a page")]
    assert [(each.ending, each.reason) for each in story.attempts] == [
        (Ending.RETRY, Reason.SERVER_ERROR),
        (Ending.PAGE, None),
    ]
    assert story.page is not None
    assert story.page.referrer == B
    assert store.story("http://never.test/", now=5.0) is None
    assert store.story("no address", now=5.0) is None


def test_hosts_are_shown_with_most_waiting_first(store: Store) -> None:
    store.add([found(A + "1"), found(B + "1"), found(B + "2")], now=0.0)
    assert [(host.host, host.waiting, host.state) for host in store.hosts(now=0.0)] == [
        ("b.test", 2, "ready"),
        ("a.test", 1, "ready"),
    ]
    claim(store, now=0.0, limits=replace(FREE, per_host=1, delay=5.0))
    assert [host.state for host in store.hosts(now=0.0)] == ["busy", "busy"]
    assert len(store.hosts(now=0.0, limit=1)) == 1


def test_archive_lengths_and_notes_are_remembered(store: Store) -> None:
    store.add([found(A)], now=0.0)
    [taken] = claim(store, now=0.0)
    spot = ArchiveSpot(file="x.warc.gz", offset=10, length=20)
    store.record([replace(page(taken, at=0.0), spot=spot)], now=0.0, archived={"x.warc.gz": 30})
    store.record([], now=0.0, archived={"x.warc.gz": 40, "y.warc.gz": 5})
    assert store.archived() == {"x.warc.gz": 40, "y.warc.gz": 5}
    assert [row.spot for row in store.pages()] == [spot]
    assert store.note("seen") is None
    assert store.note("seen", "yes") == "yes"
    assert store.note("seen") == "yes"


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


def test_an_export_may_be_read_slowly_while_the_crawl_goes_on(store: Store) -> None:
    store.add([found(f"{A}{i}") for i in range(4)], now=0.0)
    one, two, *_ = claim(store, now=0.0)
    put(store, page(one, at=0.0), page(two, at=0.0), now=0.0)
    rows = store.pages()
    assert next(rows).n == 1
    store.add([found(B)], now=1.0)
    assert next(rows).n == 2


def test_the_latest_pages_are_seen_in_fetch_order_without_examples(store: Store) -> None:
    store.add([found(A), found(A + "gone"), found(B, example=True), found(C)], now=0.0)
    a, gone, b, c = sorted(claim(store, now=0.0), key=lambda one: one.url)[:4]
    outcomes = (
        page(b, at=1.0, counts=False),
        page(c, at=2.0, relevance=0.25, digest="same"),
        failed(gone, Reason.TLS, at=3.0),
    )
    put(store, *outcomes, page(a, at=4.0, digest="same"), now=4.0)
    both = store.recent(limit=9)
    assert [(one.n, one.url, one.host, one.fetched_at) for one in both] == [
        (2, C, "c.test", 2.0),
        (4, A, "a.test", 4.0),
    ]
    assert [(one.relevance, one.topic, one.repeats) for one in both] == [(0.25, "birds", False), (None, "", True)]
    assert store.recent(limit=1) == both[1:]
    assert store.recent(limit=0) == []
