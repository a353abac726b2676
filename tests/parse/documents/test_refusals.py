"""A document that cannot be read, or must not be, says why; and what is whole in a damaged archive is read all the
same.
"""

import gzip
import sys
from pathlib import Path

import pytest

from bench import making_documents as make
from scenthound import media_types
from scenthound.parse.documents import Document, Limits, Refused, read_document
from scenthound.types import Reason

FILES = Path(__file__).parent / "files"
URL = "http://site.example/one"


def refusal(body: bytes, mime: str = "", limits: Limits | None = None) -> Refused:
    refused = read_document(body, url=URL, mime=mime, limits=limits)
    assert isinstance(refused, Refused), refused
    return refused


def read(body: bytes, limits: Limits | None = None) -> Document:
    document = read_document(body, url=URL, mime="", limits=limits)
    assert isinstance(document, Document), document
    return document


@pytest.mark.parametrize(
    "body",
    [
        make.pdf(password="secret"),
        make.encrypted(make.zipped({"a.txt": "secret"})),
        make.odt(locked=True),
        (FILES / "locked.docx").read_bytes(),
    ],
)
def test_what_is_locked_is_told_from_what_is_damaged(body: bytes) -> None:
    assert refusal(body).reason is Reason.PROTECTED


def test_a_damaged_pdf_after_a_locked_one_is_damaged() -> None:
    assert refusal(make.pdf(password="secret")).reason is Reason.PROTECTED
    assert refusal(b"%PDF-1.7 and nothing more").reason is Reason.DAMAGED


@pytest.mark.parametrize(
    "body",
    [
        make.pdf()[:200],
        make.docx()[:-30],
        make.odt()[:300],
        make.rtf()[:-1],
        make.rss()[:-10],
        gzip.compress(make.html())[:-9],
        (FILES / "hounds.doc").read_bytes()[:3000],
    ],
)
def test_what_is_cut_off_is_damaged(body: bytes) -> None:
    assert refusal(body).reason is Reason.DAMAGED


@pytest.mark.parametrize(
    "body",
    [
        make.zipped({"zeros.txt": bytes(50_000)}),
        make.tarred({"zeros.txt": bytes(50_000)}),
        gzip.compress(bytes(50_000), mtime=0),
        make.docx(f"<w:p>{' ' * 50_000}</w:p>"),
        make.zipped({f"{n}.txt": bytes(3_000) for n in range(5)}),
    ],
)
def test_nothing_unpacks_to_more_than_the_limit(body: bytes) -> None:
    refused = refusal(body, limits=Limits(unpacked=10_000))
    assert (refused.reason, "10,000 bytes" in refused.detail) == (Reason.BOMB, True)


@pytest.mark.parametrize("value", ["'&b;&b;'", f"'{'x' * 2_000}'"])
def test_entities_are_not_multiplied(value: str) -> None:
    body = f"<?xml version='1.0'?><!DOCTYPE rss [<!ENTITY b 'ha'><!ENTITY a {value}>]><rss><title>&a;</title></rss>"
    assert refusal(body.encode()).reason is Reason.BOMB


def test_outside_entities_are_not_looked_at_and_plain_ones_put_in(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("SECRET")
    entities = f"<!ENTITY out SYSTEM '{secret.as_uri()}'><!ENTITY dog 'hound'>"
    body = f"<?xml version='1.0'?><!DOCTYPE d [{entities}]><d><p>the &dog; &out; runs</p></d>"
    assert read(body.encode()).leaves == ("the hound runs",)


def test_nesting_ends_somewhere() -> None:
    body = make.html()
    for _ in range(3):
        body = make.zipped({"inner.zip": body})
    assert read(body).title == make.TITLE
    assert "nested more than 3 deep" in refusal(make.zipped({"inner.zip": body})).detail
    assert refusal(b"<?xml version='1.0'?>" + b"<a>" * 300 + b"</a>" * 300).reason is Reason.BOMB


def test_a_bad_member_does_not_spoil_the_others() -> None:
    body = make.zipped(
        {"a.pdf": make.pdf()[:100], "b.html": make.html(), "c.png": b"\x89PNG\r\n\x1a\n", "d.rtf": make.rtf()}
    )
    document = read(body)
    assert make.TEXT in document.leaves
    assert document.detail == "2 of 4 files in it not read: 1 damaged, 1 unsupported-type"


def test_members_beyond_the_limit_are_left_out_and_that_is_said() -> None:
    document = read(make.tarred({f"{n}.txt": f"word{n}".encode() for n in range(9)}), limits=Limits(members=4))
    assert document.leaves == ("word0", "word1", "word2", "word3")
    assert document.detail == "files beyond the first 4 left out"


def test_pages_and_slides_beyond_the_limit_are_left_out_and_that_is_said() -> None:
    three = Limits(pages=3)
    assert read(make.pdf(pages=5), limits=three).detail == "pages beyond the first 3 of 5 left out"
    assert read(make.pptx(5), limits=three).detail == "slides beyond the first 3 left out"


def test_without_the_extra_an_old_file_says_which_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "olefile", None)
    refused = refusal((FILES / "hounds.doc").read_bytes())
    assert (refused.mime, refused.reason) == (media_types.DOC, Reason.UNSUPPORTED_TYPE)
    assert refused.detail.endswith("pip install 'scenthound[office]'")


def test_a_picture_is_of_no_use_whatever_it_is_called() -> None:
    refused = refusal(b"\x89PNG\r\n\x1a\n" + bytes(50), "application/pdf")
    assert (refused.reason, refused.mime) == (Reason.UNSUPPORTED_TYPE, "image/png")


def test_names_that_climb_lead_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    read(make.zipped({"../escaped.html": make.html()}))
    read(make.tarred({"../escaped.html": make.html(), "/escaped.html": make.html()}))
    assert [path.name for path in tmp_path.rglob("*")] == ["here"]


def test_an_old_file_whose_title_claims_to_be_two_billion_titles_is_read() -> None:
    """A flipped bit like this kept the library that opens such files busy for minutes; we read its properties
    ourselves.
    """
    whole = (FILES / "hounds.doc").read_bytes()
    title = whole.index(b"\x1e\0\0\0\x10\0\0\0Scent of hounds")
    claims = b"\xfe\x10\0\0\xff\xff\xff\x7f"  # a vector of so many, of a type that nobody knows
    assert read(whole[:title] + claims + whole[title + 8 :]).leaves == read(whole).leaves
