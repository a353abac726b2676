"""A world knows its pages, what they link to and what they are about, and finds an address wherever it leads."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from scenthound.errors import LabError, UsageError
from scenthound.lab.world.world import World
from scenthound.lab.world.world_sources import WorldSource
from scenthound.parse.words.terms import unpack
from scenthound.types import Reading, Reason
from tests.lab.small_worlds import (
    GONE,
    HUB,
    MOVED,
    OUTSIDE,
    PAGES,
    Capture,
    captures,
    opened,
    page,
    small_source,
    small_world,
    write_warc,
)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with small_world(tmp_path_factory.mktemp("world")) as opened:
        yield opened


def labelled(folder: Path, table: str) -> World:
    """The small web with other labels."""
    small_source(folder)
    (folder / "other.tsv").write_bytes(table.encode())
    return opened(WorldSource(name="w", warc=(folder / "small.warc.gz",), labels=folder / "other.tsv"), folder)


def test_pages_are_numbered_in_the_order_of_the_archive(world: World) -> None:
    assert world.urls[:2] == (page("birds", 0), page("birds", 1))
    assert world.urls[-1] == HUB
    assert len(world.urls) == 3 * PAGES + 1  # neither the redirect nor the 404 is a page
    assert [world.number[url] for url in world.urls] == list(range(len(world.urls)))
    assert world.hosts[world.number[page("fish", 2)]] == "fish.test"


def test_an_address_leads_to_its_page_through_redirects_and_under_either_scheme(world: World) -> None:
    assert world.find(MOVED) == world.number[page("birds", 3)] == 3
    assert world.find("HTTPS://birds.test:443/3.html#top") == 3
    assert world.number["https://birds.test/3.html"] == 3
    assert [world.find(url) for url in (GONE, OUTSIDE, "mailto:me@birds.test")] == [None, None, None]


def test_links_lead_to_pages_each_once_with_redirects_followed(world: World) -> None:
    first = world.number[page("birds", 0)]
    expected = [HUB, page("birds", 1), page("birds", 2), page("birds", 3)]  # the last one by the redirect
    assert [world.urls[number] for number in world.links(first)] == expected
    assert [world.urls[number] for number in world.links(world.number[HUB])] == [
        page(subject, 0) for subject in ("birds", "fish", "pots")
    ]
    assert world.link_count == sum(len(world.links(number)) for number in range(len(world.urls)))


def test_labels_count_for_a_topic_and_everything_above_it(world: World) -> None:
    assert world.topics == ("Crafts", "Crafts/Pottery", "Nature", "Nature/Birds", "Nature/Fish")
    assert world.about("Nature") == world.about("Nature/Birds") | world.about("Nature/Fish")
    assert world.about("Nature/Birds") == frozenset(range(PAGES))
    assert world.about("Nat") == world.about("Sport") == frozenset()
    assert world.labels[world.number[HUB]] == ()
    assert world.fully_labelled


def test_an_exchange_is_what_a_fetch_would_have_told(world: World) -> None:
    found = world.exchange(page("pots", 4))
    assert found is not None
    assert (found.fetch.status, found.fetch.mime, found.fetch.charset) == (200, "text/html", "utf-8")
    assert (found.fetch.body, found.reading.leaves) == (b"", ())
    assert found.reading.title == "Pots 4"
    assert "glaze" in unpack(found.reading.terms).terms
    assert any("kiln" in leaf for leaf in world.leaves(page("pots", 4)))
    assert world.exchange(page("pots", 4)) is found


def test_redirects_and_errors_of_the_archive_are_kept_too(world: World) -> None:
    moved, gone = world.exchange(MOVED), world.exchange(GONE)
    assert moved is not None
    assert gone is not None
    assert (moved.fetch.status, moved.fetch.location) == (301, page("birds", 3))
    assert (gone.fetch.reason, gone.fetch.detail) == (Reason.HTTP_ERROR, "404 Not Found")
    assert gone.reading == Reading(mime="text/html")
    assert world.exchange(OUTSIDE) is None
    assert world.leaves(OUTSIDE) == world.leaves(MOVED) == ()


def test_it_says_what_it_is_without_the_folders_of_this_machine(world: World) -> None:
    assert world.said == (
        "small.warc.gz: 25 pages on 4 hosts, 2 more addresses that answer without one; 24 labels from small.labels.tsv"
    )


@pytest.mark.slow
def test_its_digest_depends_on_what_it_holds_and_on_nothing_else(world: World, tmp_path: Path) -> None:
    source = small_source(tmp_path)
    for path in (tmp_path / "small.warc.gz", tmp_path / "small.labels.tsv"):
        shutil.move(path, tmp_path / f"moved.{path.name}")
    elsewhere = WorldSource(
        name="another name",
        warc=(tmp_path / "moved.small.warc.gz",),
        labels=tmp_path / "moved.small.labels.tsv",
    )
    with opened(elsewhere, tmp_path) as same:
        assert same.digest == world.digest
    with opened(WorldSource(name=source.name, warc=elsewhere.warc), tmp_path) as unlabelled:
        assert unlabelled.digest != world.digest
    fewer = write_warc(tmp_path / "fewer.warc.gz", list(captures())[1:])
    with opened(WorldSource(name="w", warc=(fewer,), labels=elsewhere.labels), tmp_path) as other:
        assert other.digest != world.digest


@pytest.mark.slow
def test_a_label_may_name_a_page_by_any_spelling_or_by_an_old_address(tmp_path: Path) -> None:
    table = f"HTTP://Birds.TEST:80/0.html#x\tD\r\n\nhttps://birds.test/0.html\tC\n{MOVED}\tC\n"
    more = "".join(f"{page('birds', 0)}\t{topic}\n" for topic in ("E", "A/B", "D", "B/A"))
    with labelled(tmp_path, table + more) as world:
        assert world.labels[0] == ("A/B", "B/A", "C", "D", "E")
        assert world.about("C") == frozenset({0, 3})


@pytest.mark.slow
def test_labels_of_addresses_that_are_no_page_are_told(tmp_path: Path) -> None:
    with labelled(tmp_path, f"{OUTSIDE}\tA\n{GONE}\tA\n{HUB}\tA\n") as world:
        assert world.said.endswith("3 labels from other.tsv, 2 of them of addresses that are no page here")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("url\ttopic\nhttp://a.test/ A\n", "other.tsv, line 2: an address, a tab and a topic must stand here"),
        ("http://a.test/\tA\nnonsense\tA\n", 'other.tsv, line 2: "nonsense" is not a web address'),
        ("http://a.test/\tA//B\n", 'other.tsv, line 1: "A//B" is no topic'),
        ("http://a.test/\tA\tB\n", "other.tsv, line 1: "),
        ("http://a.test/\t\n", 'other.tsv, line 1: "" is no topic'),
    ],
)
def test_a_broken_line_of_labels_is_told_with_its_number(tmp_path: Path, table: str, message: str) -> None:
    with pytest.raises(LabError) as raised:
        labelled(tmp_path, table)
    assert str(raised.value).startswith(message)


def test_labels_in_another_encoding_are_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.tsv").write_bytes("http://a.test/\tCaf\xe9\n".encode("latin-1"))
    with pytest.raises(LabError, match=r"latin\.tsv: byte 18 is not UTF-8"):
        opened(WorldSource(name="w", demo=7, labels=tmp_path / "latin.tsv"), tmp_path)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (WorldSource(name="w"), 'world "w": give exactly one of warc, crawl and demo'),
        (WorldSource(name="w", demo=7, crawl=Path("c")), 'world "w": give exactly one of warc, crawl and demo'),
        (WorldSource(name="w", warc=(Path("no.warc.gz"),)), 'world "w": there is no file no.warc.gz'),
        (WorldSource(name="w", crawl=Path("no-crawl")), "no-crawl does not exist"),
    ],
)
def test_a_source_that_cannot_be_is_refused(tmp_path: Path, source: WorldSource, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        opened(source, tmp_path)
    assert str(raised.value).startswith(message)


@pytest.mark.slow
def test_links_that_may_not_be_followed_and_links_to_the_page_itself_are_no_links(tmp_path: Path) -> None:
    links = '<a href="/b" rel=nofollow>b</a> <a href="/a">a</a> <a href="/c">c</a> <a href="/c">again</a>'
    pages = [
        Capture(url="http://a.test/a", body=links.encode()),
        Capture(url="http://a.test/b", body=b'<meta name=robots content=nofollow><a href="/c">c</a>'),
        Capture(url="http://a.test/c", body=b"c"),
    ]
    with opened(WorldSource(name="w", warc=(write_warc(tmp_path / "a.warc.gz", pages),)), tmp_path) as world:
        assert [world.links(number).tolist() for number in range(3)] == [[2], [], []]
        found = world.exchange("http://a.test/a")
        assert found is not None
        assert [link.nofollow for link in found.reading.links] == [True, False, False, False]
