"""What lies in the archive is read again as it was read when it came."""

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from scenthound.archive.files import Archive
from scenthound.archive.warc import exchange_record, payload_digest, revisit_record
from scenthound.crawl.readers.reader import Job, ReaderOptions, work
from scenthound.crawl.readers.stored_pages import page_of_archive, reading_of_archive
from scenthound.parse.words.terms import unpack
from scenthound.parse.words.word_stream import number_of
from scenthound.parse.words.word_stream import unpack as unpack_stream
from scenthound.settings.schema import FetchSettings
from scenthound.types import ArchiveSpot, Fetch, HeldPage, Reading

URL = "http://a.example/dir/page"
PAGE = "<html lang=en><title>Otters</title><p>Otters eat <a href=fish>fresh <b>fish</b></a> — <a href=/x><img alt=Möwen></a>"
OPTIONS = ReaderOptions(
    types=tuple(FetchSettings().types),
    max_unpacked=20_000_000,
    product="scenthound",
    memory=1024,
    archive=True,
    terms=True,
    stream=True,
    text=True,
)


def fetched(body: bytes, *headers: str, mime: str = "text/html", charset: str = "", coding: str = "") -> Fetch:
    head = "\r\n".join(["HTTP/1.1 200 OK", *headers, "", ""]).encode()
    return Fetch(
        url=URL, started=0.0, finished=0.0, status=200, head=head, body=body, mime=mime, charset=charset, coding=coding
    )


def kept(folder: Path, record: bytes) -> ArchiveSpot:
    with Archive(folder, file_size=1_000_000, software="scenthound/0") as archive:
        return archive.append(record)


def as_it_came(fetch: Fetch) -> Reading:
    return replace(work(Job(fetch=fetch, understand=True), OPTIONS), payload="", record=b"", seconds=0.0)


@pytest.mark.parametrize(
    "fetch",
    [
        fetched(PAGE.encode(), "Content-Type: text/html; charset=utf-8", charset="utf-8"),
        fetched(PAGE.encode("cp1252"), "Content-Type: text/html; charset=windows-1252", charset="windows-1252"),
        fetched(gzip.compress(PAGE.encode()), "Content-Type: text/html", "Content-Encoding: gzip", coding="gzip"),
        fetched(b"See http://b.example/otters there.", "Content-Type: text/plain", mime="text/plain"),
    ],
    ids=["utf-8", "windows-1252", "gzip", "plain text"],
)
def test_a_page_is_read_as_it_was_when_it_came(tmp_path: Path, fetch: Fetch) -> None:
    again = reading_of_archive(tmp_path, kept(tmp_path, exchange_record(fetch)), url=URL)
    assert again is not None
    assert again.leaves
    assert replace(again, seconds=0.0) == as_it_came(fetch)


def test_the_words_of_a_link_are_there_again(tmp_path: Path) -> None:
    spot = kept(tmp_path, exchange_record(fetched(PAGE.encode(), "Content-Type: text/html; charset=utf-8")))
    again = reading_of_archive(tmp_path, spot, url=URL)
    assert again is not None
    stream, link = unpack_stream(again.stream), again.links[0]
    assert link.url == "http://a.example/dir/fish"
    own = stream.words[stream.starts[link.first_leaf] : stream.starts[link.last_leaf + 1]]
    assert own.tolist() == [number_of("fresh"), number_of("fish")]


def test_a_critic_gets_the_terms_of_the_same_reading(tmp_path: Path) -> None:
    spot = kept(tmp_path, exchange_record(fetched(PAGE.encode(), "Content-Type: text/html; charset=utf-8")))
    held = HeldPage(n=1, url=URL, title="Otters", language="en", digest="", terms=b"", spot=spot)
    page, again = page_of_archive(tmp_path, held), reading_of_archive(tmp_path, spot, url=URL)
    assert page is not None
    assert again is not None
    assert page.terms.terms == unpack(again.terms).terms
    assert page_of_archive(tmp_path, replace(held, spot=None)) is None


def test_what_is_no_page_is_none(tmp_path: Path) -> None:
    picture = fetched(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "Content-Type: image/png", mime="image/png")
    assert reading_of_archive(tmp_path, kept(tmp_path, exchange_record(picture)), url=URL) is None


def test_a_revisit_is_none_for_its_content_lies_elsewhere(tmp_path: Path) -> None:
    fetch = fetched(PAGE.encode(), "Content-Type: text/html; charset=utf-8")
    again = revisit_record(fetch, URL, fetch.started, payload_digest(fetch.body))
    assert reading_of_archive(tmp_path, kept(tmp_path, again), url=URL) is None
