"""Pages as the engine and the critic read them."""

from dataclasses import replace

from scenthound.store.base import Store
from scenthound.types import ArchiveSpot, Discovery, LinkKind
from tests.store.small_world import FREE, claim, found, moved, page, put

A, B, C, D = "http://a.test/", "http://b.test/", "http://c.test/", "http://d.test/"


def example(url: str) -> Discovery:
    return found(url, demoted=-100, kind=LinkKind.SEED, example=True)


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


def test_the_first_page_with_some_content_is_its_original(store: Store) -> None:
    store.add([found(A), found(B)], now=0.0)
    first, second = claim(store, now=0.0)
    put(store, page(first, at=1.0, digest="same"), page(second, at=2.0, digest="same"), now=2.0)
    originals = store.originals(["same", "other"])
    assert {digest: (page.url, page.captured_at) for digest, page in originals.items()} == {"same": (A, 0.5)}


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


def test_uploads_are_remembered_once(store: Store) -> None:
    assert store.uploaded() == frozenset()
    store.note_upload("x.warc.gz", digest="abc", at=1.0)
    store.note_upload("x.warc.gz", digest="abc", at=2.0)
    assert store.uploaded() == {"x.warc.gz"}


def test_pages_of_a_lost_archive_file_wait_to_be_fetched_whole(store: Store) -> None:
    store.add([found(A), found(B)], now=0.0)
    first, second = claim(store, now=0.0)
    there = ArchiveSpot(file="there.warc.gz", offset=10, length=20)
    lost = ArchiveSpot(file="lost.warc.gz", offset=10, length=20)
    outcomes = [
        replace(page(first, at=1.0, digest="a"), spot=lost),
        replace(page(second, at=1.0, digest="b"), spot=there),
    ]
    store.record(outcomes, now=1.0, archived={there.file: 30, lost.file: 30})
    assert store.lose_file("lost.warc.gz", now=2.0) == 1
    assert store.lose_file("lost.warc.gz", now=2.0) == 0
    assert store.archived() == {there.file: 30}
    assert {row.url: row.spot for row in store.pages()} == {first.url: None, second.url: there}
    [again] = claim(store, now=10.0)
    assert (again.url, again.fetched_before, again.etag, again.last_modified) == (first.url, True, None, None)
    put(store, page(again, at=10.0, digest="a"), now=10.0)
    assert (store.census(now=11.0).pages, store.census(now=11.0).waiting) == (2, 0)
