"""Every kind of document gives its title, its text, and its link with the words it is made of."""

import bz2
import gzip
import lzma
from pathlib import Path

import pytest

from bench import making_documents as make
from scenthound import media_types
from scenthound.parse.documents import Document, read_document
from scenthound.settings.schema import FetchSettings

FILES = Path(__file__).parent / "files"
URL = "http://site.example/papers/one"

MADE = [
    (media_types.PDF, make.pdf()),
    (media_types.DOCX, make.docx()),
    (media_types.PPTX, make.pptx()),
    (media_types.ODT, make.odt()),
    (media_types.ODP, make.odt(kind="presentation")),
    (media_types.ODS, make.odt(kind="spreadsheet")),
    (media_types.RTF, make.rtf()),
    (media_types.RSS, make.rss()),
    (media_types.ATOM, make.atom()),
    ("text/markdown", make.markdown()),
    ("text/html", make.html()),
    (media_types.ZIP, make.zipped({"a.pdf": make.pdf()})),
    (media_types.TAR, make.tarred({"a.docx": make.docx()})),
    (media_types.GZIP, gzip.compress(make.rtf(), mtime=0)),
    (media_types.GZIP, make.tarred({"a.html": make.html()}, mode="w:gz")),
    (media_types.BZIP2, bz2.compress(make.markdown())),
    (media_types.XZ, lzma.compress(make.html())),
]


def read(body: bytes, mime: str = "", url: str = URL) -> Document:
    document = read_document(body, url=url, mime=mime)
    assert isinstance(document, Document), document
    return document


@pytest.mark.parametrize(("mime", "body"), MADE)
@pytest.mark.parametrize("announced", ["", "right", "text/plain", "application/octet-stream", "application/pdf"])
def test_it_is_read_whatever_it_is_announced_as(mime: str, body: bytes, announced: str) -> None:
    document = read(body, mime if announced == "right" else announced)
    assert document.mime == mime
    assert document.title == make.TITLE
    assert make.TEXT in " ".join(document.leaves)
    [link] = {link.url: link for link in document.links if "feed.example" not in link.url}.values()
    assert (link.url, link.text) == (make.TARGET, make.WORDS)


@pytest.mark.parametrize(("mime", "body"), MADE)
def test_a_link_stands_at_the_leaf_that_has_its_words(mime: str, body: bytes) -> None:
    document = read(body)
    [*_, link] = [link for link in document.links if link.url == make.TARGET]
    assert make.WORDS in " ".join(document.leaves[link.first_leaf : link.last_leaf + 1])


def test_all_that_can_be_read_is_fetched_by_default() -> None:
    assert {mime for mime, _ in MADE} | {"text/plain", "text/xml", media_types.DOC, media_types.PPT} <= set(
        FetchSettings().types
    )


@pytest.mark.parametrize("name", ["hounds.doc", "hounds.docx", "hounds.odt", "hounds.rtf"])
def test_files_as_a_word_processor_writes_them(name: str) -> None:
    document = read((FILES / name).read_bytes())
    assert document.title == "Scent of hounds"
    assert document.leaves == (
        "Scent of hounds",
        "Trails are read by",
        "trained noses",
        "of many dogs.",
        "Пёс и собака, naïve café “quoted” — end.",
        "cell one",
        "cell two",
    )
    [link] = document.links
    assert (link.url, link.text, link.first_leaf, link.last_leaf) == (
        "http://hounds.example/trail",
        "trained noses",
        2,
        2,
    )


@pytest.mark.parametrize("name", ["deck.pptx", "deck.odp"])
def test_slides_as_a_presentation_program_writes_them(name: str) -> None:
    document = read((FILES / name).read_bytes())
    assert document.title == "Training of noses"
    assert document.leaves == (
        "First slide: hounds",
        "Read more at",
        "the kennel club",
        "today",
        "Second slide: Пёс naïve",
    )
    assert [(link.url, link.first_leaf) for link in document.links] == [("http://hounds.example/deck", 2)]


def test_old_slides() -> None:
    document = read((FILES / "deck.ppt.gz").read_bytes())
    assert document.title == "Training of noses"
    assert document.leaves == ("First slide: hounds", "Read more at the kennel club today", "Second slide: Пёс naïve")
    assert [link.url for link in document.links] == ["http://hounds.example/deck"]


def test_cells_are_leaves() -> None:
    assert read((FILES / "sheet.ods").read_bytes()).leaves == ("name", "site", "hound", "http://a.example/")
