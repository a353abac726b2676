"""A crawl as people see it: totals, stories, exports."""

from scenthound.store.base import Store
from scenthound.types import Ending, Reason
from tests.store.small_world import claim, failed, found, later, moved, page, put

A, B, C = "http://a.test/", "http://b.test/", "http://c.test/"


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
