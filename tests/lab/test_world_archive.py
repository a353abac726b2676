"""A world can be made of any WARC file: what its responses mean is what they would have meant to the fetcher of a
crawl.
"""

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.archive.warc import payload_digest
from scenthound.errors import LabError, StoreError
from scenthound.lab.world.warc_origin import Archived, ArchiveFile
from scenthound.lab.world.world_links import number_links, under_both_schemes
from scenthound.lab.world.world_sources import WorldSource
from scenthound.settings.schema import FetchSettings
from scenthound.types import Fetch, Reason
from tests.lab.small_worlds import Capture, opened, record, write_warc

URL = "http://a.test/x"
HTML = (("Content-Type", "text/html"),)


def archived(folder: Path, *captures: Capture, packed: bool = True) -> Archived:
    path = write_warc(folder / "a.warc.gz", captures, packed=packed)
    return Archived([ArchiveFile(path=path)], FetchSettings())


def fetched(folder: Path, status: str = "200 OK", body: bytes = b"", **headers: str) -> Fetch:
    lines = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return archived(folder, Capture(url=URL, status=status, headers=lines, body=body)).fetch(URL)


def test_chunks_are_joined_and_content_codings_kept(tmp_path: Path) -> None:
    chunks = b"3;x=y\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    assert fetched(tmp_path, body=chunks, Transfer_Encoding="chunked").body == b"abcde"
    assert fetched(tmp_path, body=b"3\r\nabc\r\n", Transfer_Encoding="Chunked").body == b"abc"  # cut off after a chunk
    assert fetched(tmp_path, body=b"not chunked", Transfer_Encoding="chunked").body == b"not chunked"
    packed = fetched(tmp_path, body=gzip.compress(b"<p>Hello"), Content_Encoding="GZIP", content_type="text/html")
    assert packed.coding == "gzip"
    assert gzip.decompress(packed.body) == b"<p>Hello"


@given(parts=st.lists(st.binary(min_size=1, max_size=40), max_size=5))
def test_any_chunks_give_back_what_was_cut_into_them(
    tmp_path_factory: pytest.TempPathFactory, parts: list[bytes]
) -> None:
    body = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
    folder = tmp_path_factory.mktemp("chunks")
    assert fetched(folder, body=body, Transfer_Encoding="chunked").body == b"".join(parts)


def test_headers_are_read_as_the_fetcher_reads_them(tmp_path: Path) -> None:
    fetch = fetched(
        tmp_path, Content_Type="Text/HTML; Charset=latin1", ETag='"1"', Last_Modified="yesterday", Retry_After="7"
    )
    assert (fetch.mime, fetch.charset, fetch.etag, fetch.last_modified) == ("text/html", "latin1", '"1"', "yesterday")
    assert fetch.retry_after == 7.0
    assert fetched(tmp_path, Retry_After="Wed, 21 Oct 2015 07:28:30 GMT").retry_after is None  # counted from when?
    date = "Wed, 21 Oct 2015 07:28:00 GMT"
    assert fetched(tmp_path, Retry_After="Wed, 21 Oct 2015 07:28:30 GMT", Date=date).retry_after == 30.0


@pytest.mark.parametrize(
    ("status", "headers", "reason", "detail"),
    [
        ("200 OK", {"Content-Type": "text/html"}, None, ""),
        ("404 Not here", {}, Reason.HTTP_ERROR, "404 Not Found"),
        ("503 Busy", {}, Reason.OVERLOADED, "503 Service Unavailable"),
        ("500 Oops", {}, Reason.SERVER_ERROR, "500 Internal Server Error"),
        ("200 OK", {"Content-Type": "image/png"}, Reason.UNSUPPORTED_TYPE, "image/png"),
        ("302 Found", {}, Reason.BAD_REDIRECT, "302 with no Location"),
        ("302 Found", {"Location": "http://["}, Reason.BAD_REDIRECT, "302 with a Location that is no URL"),
    ],
)
def test_a_status_or_a_type_that_gives_no_page_has_its_reason(
    tmp_path: Path, status: str, headers: dict[str, str], reason: Reason | None, detail: str
) -> None:
    fetch = archived(tmp_path, Capture(url=URL, status=status, headers=tuple(headers.items()))).fetch(URL)
    assert (fetch.status, fetch.reason, fetch.detail) == (int(status[:3]), reason, detail)


@pytest.mark.slow
def test_a_body_beyond_the_limits_is_too_large(tmp_path: Path) -> None:
    fetch = fetched(tmp_path, body=b"x" * 5_000_001, Content_Type="text/html")
    assert fetch.reason is Reason.TOO_LARGE


def test_a_redirect_points_where_its_address_and_location_say(tmp_path: Path) -> None:
    assert fetched(tmp_path, "301 Moved", Location="../y?q=1").location == "http://a.test/y?q=1"
    assert fetched(tmp_path, "200 OK", Location="/y").location == ""


def test_the_first_capture_of_an_address_counts(tmp_path: Path) -> None:
    origin = archived(
        tmp_path,
        Capture(url="http://A.test:80/x#top", body=b"first"),
        Capture(url="<http://a.test/x>", body=b"second"),
        Capture(url="http://a.test/%7ejo", body=b"jo"),
    )
    assert origin.addresses() == ("http://a.test/x", "http://a.test/~jo")
    assert origin.fetch(URL).body == b"first"


def test_what_passes_gives_way_to_what_came_later(tmp_path: Path) -> None:
    cut = Capture(url=URL, headers=HTML, body=b"<p>Hal", fields=(("WARC-Truncated", "disconnect"),))
    busy, whole = Capture(url=URL, status="503 Busy"), Capture(url=URL, headers=HTML, body=b"<p>Hello")
    assert archived(tmp_path, busy, cut, whole).fetch(URL).body == b"<p>Hello"
    assert archived(tmp_path, cut).fetch(URL).reason is Reason.CUT_SHORT
    gone = Capture(url=URL, status="404 Not Found")
    assert archived(tmp_path, gone, whole).fetch(URL).reason is Reason.HTTP_ERROR  # a 404 is an answer


def test_requests_and_notes_and_what_is_no_web_address_are_passed_over(tmp_path: Path) -> None:
    origin = archived(
        tmp_path,
        Capture(url=URL, type="request"),
        Capture(url="urn:note", type="metadata"),
        Capture(url="dns:a.test", body=b"1.2.3.4"),
        Capture(url=URL, status="304 Not Modified"),
    )
    assert origin.addresses() == ()


def test_a_revisit_has_its_own_head_and_the_body_of_what_it_repeats(tmp_path: Path) -> None:
    digest = ("WARC-Payload-Digest", payload_digest(b"<p>Hello"))
    refers = ("WARC-Refers-To-Target-URI", "http://a.test/first")
    latin = (("Content-Type", "text/html; charset=latin1"),)
    origin = archived(
        tmp_path,
        Capture(url="http://a.test/first", headers=HTML, body=b"<p>Hello", fields=(digest,)),
        Capture(url="http://a.test/by-digest", type="revisit", headers=latin, fields=(digest,)),
        Capture(url="http://a.test/by-address", type="revisit", headers=latin, fields=(refers,)),
        Capture(url="http://a.test/headless", type="revisit", status="", fields=(refers,)),
        Capture(url="http://a.test/first", type="revisit", status="304 Not Modified", fields=(refers,)),
        Capture(url="http://a.test/lost", type="revisit", fields=(("WARC-Payload-Digest", "sha1:LOST"),)),
    )
    found = {url[14:]: origin.fetch(url) for url in origin.addresses()}
    assert {name: (fetch.body, fetch.charset) for name, fetch in found.items()} == {
        "first": (b"<p>Hello", ""),
        "by-digest": (b"<p>Hello", "latin1"),
        "by-address": (b"<p>Hello", "latin1"),
        "headless": (b"<p>Hello", ""),
    }


def test_a_file_may_be_uncompressed(tmp_path: Path) -> None:
    origin = archived(
        tmp_path, Capture(url=URL, body=b"one\r\n\r\n"), Capture(url="http://a.test/y", body=b"two"), packed=False
    )
    assert [origin.fetch(url).body for url in origin.addresses()] == [b"one\r\n\r\n", b"two"]


def test_a_file_that_is_compressed_as_a_whole_is_refused_with_the_cure(tmp_path: Path) -> None:
    path = tmp_path / "whole.warc.gz"
    path.write_bytes(gzip.compress(record(Capture(url=URL)) + record(Capture(url="http://a.test/y"))))
    with pytest.raises(LabError, match="compressed as a whole, not record by record; `warcio recompress`"):
        Archived([ArchiveFile(path=path)], FetchSettings()).addresses()
    path.write_bytes(gzip.compress(record(Capture(url=URL))))
    assert Archived([ArchiveFile(path=path)], FetchSettings()).addresses() == (URL,)


@pytest.mark.parametrize(
    "content", [b"Hello, I am a text.\n", gzip.compress(b"Hello\r\n\r\n", mtime=0), b"\x1f\x8b\x08broken"]
)
def test_a_file_that_is_no_warc_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "no.warc.gz").write_bytes(content)
    with pytest.raises(StoreError, match=r"no\.warc\.gz"):
        opened(WorldSource(name="w", warc=(tmp_path / "no.warc.gz",)), tmp_path)
    assert not list((tmp_path / "cache").glob("*.world*"))


def test_what_lies_behind_the_recorded_end_of_a_file_is_not_looked_at(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "a.warc.gz", [Capture(url=URL)])
    end = path.stat().st_size
    with path.open("ab") as file:
        file.write(gzip.compress(record(Capture(url="http://a.test/y")))[:20])
    assert Archived([ArchiveFile(path=path, end=end)], FetchSettings()).addresses() == (URL,)


def test_http_and_https_are_one_where_only_one_was_captured_and_links_say_which(tmp_path: Path) -> None:
    pages = [
        Capture(url="http://a.test/", status="301 Moved", headers=(("Location", "https://a.test/"),)),
        Capture(url="https://a.test/", body=b'<a href="http://a.test/b">b</a> <a href="/b">b</a> <a href="/c">c</a>'),
        Capture(url="https://a.test/b", body=b'<link rel=canonical href="http://a.test/b">b'),
        Capture(url="http://a.test/c", status="302 Found", headers=(("Location", "http://a.test/b"),)),
    ]
    source = WorldSource(name="w", warc=(write_warc(tmp_path / "a.warc.gz", pages),))
    with opened(source, tmp_path) as world:
        assert world.urls == ("https://a.test/", "https://a.test/b")
        assert world.find("http://a.test/") == 0  # both were captured, and one leads to the other
        home, second, third = (world.exchange(f"https://a.test/{path}") for path in ("", "b", "c"))
        assert home is not None
        assert second is not None
        assert third is not None
        addresses = ["https://a.test/b", "https://a.test/b", "http://a.test/c"]
        assert [link.url for link in home.reading.links] == addresses
        assert second.reading.canonical == "https://a.test/b"
        assert third.fetch.location == "https://a.test/b"
        assert world.links(0).tolist() == [1]


webs = st.integers(min_value=1, max_value=8).flatmap(
    lambda size: st.lists(st.sampled_from([*range(size), None, "page"]), min_size=size, max_size=size)
)


@given(web=webs)
def test_redirects_end_at_a_page_or_nowhere_whatever_circles_they_run(web: list[int | str | None]) -> None:
    """Each address is a page, an error (None), or a redirect to another (its number)."""
    urls = [f"http://a.test/{number}" for number in range(len(web))]
    pages = [number for number, what in enumerate(web) if what == "page"]
    locations = {number: urls[what] for number, what in enumerate(web) if isinstance(what, int)}
    everything = [list(range(len(web)))] * len(pages)
    found = number_links(urls=urls, pages=pages, locations=locations, addresses=urls, links=everything)
    for number, lead in enumerate(found.leads.tolist()):
        assert lead == (pages.index(number) if web[number] == "page" else _walked(web, number, pages))
    for page in range(len(pages)):
        targets = found.targets[found.starts[page] : found.starts[page + 1]].tolist()
        assert targets == sorted(set(targets) - {page}, key=targets.index)
        assert set(targets) == set(found.leads.tolist()) - {page, -1}


def _walked(web: list[int | str | None], at: int, pages: list[int]) -> int:
    """Take more steps than there are addresses: who has not arrived by then never will."""
    here: int | str | None = at
    for _ in range(len(web) + 1):
        if isinstance(here, int):
            here = here if web[here] == "page" else web[here]
    return pages.index(here) if isinstance(here, int) and web[here] == "page" else -1


@given(st.lists(st.tuples(st.sampled_from(["http", "https"]), st.sampled_from("abc")), unique=True))
def test_an_address_that_was_captured_is_never_taken_for_that_of_the_other_scheme(pairs: list[tuple[str, str]]) -> None:
    urls = [f"{scheme}://{name}.test/" for scheme, name in pairs]
    numbers = under_both_schemes(urls)
    assert [numbers[url] for url in urls] == list(range(len(urls)))
    assert {url.partition("://")[2] for url in numbers} == {url.partition("://")[2] for url in urls}
