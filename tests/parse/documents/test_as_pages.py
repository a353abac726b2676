"""A document that a crawl fetches becomes a reading like that of a page, or keeps the reason for which it does not."""

import gzip

import pytest

from bench import making_documents as make
from scenthound import media_types
from scenthound.parse.page import read
from scenthound.settings.schema import FetchSettings
from scenthound.types import Fetch, Reading, Reason


def reading(body: bytes, mime: str = "", *, coding: str = "", types: list[str] | None = None) -> Reading:
    url = "http://site.example/one"
    fetch = Fetch(url=url, started=0.0, finished=0.0, status=200, mime=mime, coding=coding, body=body)
    return read(fetch, types=types or FetchSettings().types, max_unpacked=100_000, product="scenthound")


def test_a_document_is_a_page_with_words_links_and_a_fingerprint() -> None:
    page = reading(gzip.compress(make.pdf()), "application/pdf", coding="gzip")
    assert (page.reason, page.mime, page.title) == (None, media_types.PDF, make.TITLE)
    assert page.words == 13
    assert [link.url for link in page.links] == [make.TARGET]
    assert page.fingerprint is not None


def test_the_same_text_in_two_formats_has_nearly_the_same_fingerprint() -> None:
    text = "Hounds follow trails that are hours old through woods and across streams by scent alone. " * 5
    word = reading(make.docx(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"))
    rich = reading(make.rtf(text))
    assert word.fingerprint is not None
    assert rich.fingerprint is not None
    assert ((word.fingerprint ^ rich.fingerprint) & (2**64 - 1)).bit_count() <= 3


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (make.pdf(password="secret"), Reason.PROTECTED),
        (make.docx()[:500], Reason.DAMAGED),
        (make.zipped({"zeros": bytes(200_000)}), Reason.BOMB),
    ],
)
def test_why_it_is_not_read_is_kept(body: bytes, reason: Reason) -> None:
    page = reading(body)
    assert page.reason is reason
    assert page.digest


def test_what_is_not_wanted_is_not_read_whatever_it_is_announced_as() -> None:
    page = reading(make.pdf(), "text/html", types=["text/html"])
    assert (page.reason, page.detail) == (Reason.UNSUPPORTED_TYPE, media_types.PDF)
