"""An archived web answers as it once did, whatever tool archived it."""

import gzip
import http.client
import os
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-untyped]

from scenthound.archive.warc import read_warc
from scenthound.demo.server import ServedApart, ServedWeb
from scenthound.demo.warc_web import WarcWeb
from tests.patience import PATIENCE

WEBS = Path(os.environ.get("SCENTHOUND_WEBS") or Path(__file__).parents[3] / "shared" / "webs")
needs_webs = pytest.mark.skipif(
    not (WEBS / "schools.warc.gz").exists(),
    reason=f"the archived webs are not at {WEBS}; set SCENTHOUND_WEBS to the folder that holds schools.warc.gz",
)


def write_warc(path: Path, pages: list[tuple[str, str, list[tuple[str, str]], bytes]]) -> Path:
    """Archive some responses as an older tool would have: WARC 1.0, plain gzip members."""
    with path.open("wb") as file:
        for url, status, headers, body in pages:
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
            block = f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body
            head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <{url}>\r\nWARC-Payload-Digest: sha1:X\r\n"
            file.write(gzip.compress(f"{head}Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n"))
    return path


@pytest.fixture(params=[False, True], ids=["from disk", "preloaded"])
def web(tmp_path: Path, request: pytest.FixtureRequest) -> WarcWeb:
    html = [("Content-Type", "text/html"), ("Content-Length", "99"), ("Connection", "close")]
    chunked = [("Content-Type", "text/html"), ("Transfer-Encoding", "chunked")]
    one = write_warc(
        tmp_path / "one.warc.gz",
        [
            ("http://a.test/", "200 OK", html, b"home"),
            ("https://a.test/x?q=%7e1", "200 OK", html, b"tilde"),
            ("http://a.test/moved", "301 Moved", [("Location", "/x")], b""),
            ("http://a.test/chunks", "200 OK", chunked, b"3;x=y\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"),
            ("http://a.test/%25C3%25A9", "200 OK", html, b"twice"),
        ],
    )
    two = write_warc(tmp_path / "two.warc.gz", [("http://a.test/", "200 OK", html, b"later capture")])
    return WarcWeb([one, two], preload=request.param)


@pytest.mark.parametrize(
    ("path", "status", "body"),
    [
        ("/", 200, b"home"),
        ("/x?q=~1", 200, b"tilde"),
        ("/moved", 301, b""),
        ("/chunks", 200, b"abcde"),
        ("/%25C3%25A9", 200, b"twice"),
        ("/%C3%A9", 404, b"Not in the archive.\n"),
        ("/robots.txt", 404, b"Not in the archive.\n"),
    ],
)
def test_a_page_is_found_by_its_canonical_address(web: WarcWeb, path: str, status: int, body: bytes) -> None:
    answer = web.answer("a.test", path)
    assert (answer.status, answer.body) == (status, body)


def test_headers_of_the_page_are_kept_and_those_of_the_connection_dropped(web: WarcWeb) -> None:
    assert web.answer("a.test", "/chunks").headers == (("Content-Type", "text/html"), ("ETag", '"sha1:X"'))
    assert ("Location", "/x") in web.answer("a.test", "/moved").headers


@pytest.mark.slow
def test_it_can_be_served_from_another_process(web: WarcWeb) -> None:
    with ServedApart(web.answer) as served:
        client = http.client.HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE)
        client.request("GET", "/chunks", headers={"Host": "a.test"})
        assert client.getresponse().read() == b"abcde"
        client.close()


@needs_webs
@pytest.mark.slow
def test_the_schools_web_is_served_page_for_page_as_warcio_reads_it() -> None:
    web = WarcWeb([WEBS / "schools.warc.gz"])
    assert len(web.urls) == 5462
    with (WEBS / "schools.warc.gz").open("rb") as file:
        for record in ArchiveIterator(file):
            url = record.rec_headers["WARC-Target-URI"]
            answer = web.answer("schools.example", url.removeprefix("http://schools.example"))
            assert answer.body == record.content_stream().read()


@needs_webs
@pytest.mark.slow
@pytest.mark.parametrize("name", ["webkb", "messy"])
def test_our_reader_finds_the_same_places_as_warcio(name: str) -> None:
    path = WEBS / f"{name}.warc.gz"
    ours = [(record.url, record.offset, record.length) for record in read_warc(path)]
    theirs = []
    with path.open("rb") as file:
        records = ArchiveIterator(file)
        for record in records:
            url, offset = record.rec_headers["WARC-Target-URI"], records.get_record_offset()
            theirs.append((url, offset, records.get_record_length()))
    assert ours == theirs


def test_a_served_archive_and_its_reader_agree_on_a_proxy_request(web: WarcWeb) -> None:
    with ServedWeb(web.answer) as served:
        client = http.client.HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE)
        client.request("GET", "http://a.test/")
        assert client.getresponse().read() == b"home"
        client.close()
        assert [entry.status for entry in served.log()] == [200]
