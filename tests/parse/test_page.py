"""A fetched body in, a reading out: links, title, language, wishes, digest, and never an exception."""

import gzip
from itertools import islice
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.parse.page import read
from scenthound.parse.words.fingerprint import NEAR, distance
from scenthound.types import Fetch, Link, LinkKind, Reading, Reason
from tests.often import THOROUGH

from .webs import fetches, web

PAGE = "http://a.example/dir/page.htm"
TYPES = ["text/html", "application/xhtml+xml", "text/plain"]


def reading(
    body: str | bytes, *, url: str = PAGE, mime: str = "text/html", charset: str = "", coding: str = ""
) -> Reading:
    body = body.encode() if isinstance(body, str) else body
    fetch = Fetch(url=url, started=0.0, finished=1.0, status=200, body=body, mime=mime, charset=charset, coding=coding)
    return read(fetch, types=TYPES, max_unpacked=1_000_000, product="scenthound")


def links(markup: str) -> list[tuple[str, str]]:
    return [(link.kind.value, link.url.removeprefix("http://a.example")) for link in reading(markup).links]


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        ("<a href=x>", [("anchor", "/dir/x")]),
        ("<a href='../x?y=1#z'>", [("anchor", "/x?y=1")]),
        ("<a name=x><a>", []),
        ("<a href='mailto:x@y.example'><a href='javascript:x'><a href='tel:1'>", []),
        ("<a href='#part'><a href='page.htm#part'>", []),
        ("<a href='page.htm'>", [("anchor", "/dir/page.htm")]),
        ("<map><area href=/m alt=map>", [("area", "/m")]),
        ("<iframe src=f></iframe>", [("frame", "/dir/f")]),
        ("<frameset><frame src=f><frame src=g></frameset>", [("frame", "/dir/f"), ("frame", "/dir/g")]),
        ("<meta http-equiv=Refresh content='5; URL=next'>", [("refresh", "/dir/next")]),
        ("<meta http-equiv=refresh content=\"0;url='next'\">", [("refresh", "/dir/next")]),
        ("<meta http-equiv=refresh content='30'>", []),
        ("<meta http-equiv=refresh content='0;url=page.htm'>", []),
        ("<link rel='Canonical' href=/c>", [("canonical", "/c")]),
        ("<link rel=alternate hreflang=de href=/de>", [("hreflang", "/de")]),
        ("<link rel=alternate type=application/rss+xml href=/feed><link rel=stylesheet href=/s>", []),
        ("<base href=/other/><a href=x>", [("anchor", "/other/x")]),
        ("<a href=x><base href=/one/><base href=/two/>", [("anchor", "/one/x")]),
        ("<base href='javascript:1'><a href=x>", [("anchor", "/dir/x")]),
        ("<base href=/other/><a href='#x'>", [("anchor", "/other/")]),
    ],
)
def test_links(markup: str, found: list[tuple[str, str]]) -> None:
    assert links(markup) == found


def test_a_link_has_words_a_place_and_a_shape() -> None:
    page = reading("<p>See <a href=story-77 rel='external NoFollow'>the <b>big</b>\n story</a>")
    (link,) = page.links
    assert link == Link(
        url="http://a.example/dir/story-77",
        kind=LinkKind.ANCHOR,
        text="the big story",
        first_leaf=2,
        last_leaf=4,
        nofollow=True,
        shape="http://a.example/dir/story-#",
    )
    assert page.leaves[link.first_leaf : link.last_leaf + 1] == ("the", "big", "story")


def test_an_image_lends_its_alternative_text() -> None:
    page = reading("<a href=x><img alt='A  cat'></a><map><area href=y alt=Map></map><a href=z>" + "long " * 100)
    assert [link.text for link in page.links] == ["A cat", "Map", ("long " * 100)[:300]]


def test_long_and_many_links_are_counted_but_not_carried() -> None:
    page = reading(f"<a href='/{'x' * 900_000}'>x</a><a href=y>y</a>")
    assert [link.text for link in page.links] == ["y"]
    assert page.detail == "1 links longer than 4000 characters left out"
    page = reading("<a href=y>y</a>" * 5_010)
    assert len(page.links) == 5_000
    assert page.detail == "10 links beyond the first 5000 left out"


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("<title>A</title><h1>B</h1>", "A"),
        ("<title> </title><meta property=og:title content=' C  D '><h1>B</h1>", "C D"),
        ("<h1>B <i>and</i> more</h1>", "B and more"),
        ("text", ""),
    ],
)
def test_title(markup: str, title: str) -> None:
    assert reading(markup).title == title


@pytest.mark.parametrize(
    ("markup", "language"),
    [
        ("<html lang=de-AT>", "de"),
        ("<html xml:lang=fr>", "fr"),
        ("<meta http-equiv=content-language content='pt-BR, en'>", "pt"),
        ("<html lang=''><p>" + "the hound of the moor is not what it was, and they were with it for years " * 3, "en"),
        ("<p>" + "der Hund und die Katze sind nicht auf dem Dach, sondern in einer Kiste bei uns " * 3, "de"),
        ("<p>" + "собака и кошка не на крыше, а в доме, и это не то, что было, но так же как и он " * 3, "ru"),
        ("<p>" + "lorem ipsum dolor sit amet consectetur adipiscing elit sed eiusmod tempor " * 3, ""),
        ("<p>the", ""),
    ],
)
def test_language(markup: str, language: str) -> None:
    assert reading(markup).language == language


@pytest.mark.parametrize(
    ("meta", "nofollow", "noindex"),
    [
        ("<meta name=robots content='NOINDEX, follow'>", False, True),
        ("<meta name=Robots content=nofollow>", True, False),
        ("<meta name=robots content=none>", True, True),
        ("<meta name=ScentHound content=noindex>", False, True),
        ("<meta name=googlebot content=none>", False, False),
        ("", False, False),
    ],
)
def test_wishes_to_robots(meta: str, nofollow: bool, noindex: bool) -> None:
    page = reading(meta)
    assert (page.nofollow, page.noindex) == (nofollow, noindex)


def test_the_canonical_address() -> None:
    assert reading("<link rel=canonical href=/c#x>").canonical == "http://a.example/c"
    assert reading("<p>").canonical == ""


def test_plain_text_has_a_leaf_a_paragraph_and_no_links() -> None:
    page = reading("One\nline <b>\r\n\r\n\n two  http://b.example/ \n", mime="text/plain")
    assert page.leaves == ("One line <b>", "two http://b.example/")
    assert page.title == "One"
    assert page.links == ()
    assert page.words == 5


@pytest.mark.parametrize(
    ("body", "charset", "text"),
    [
        ("Zoë".encode("latin-1"), "iso-8859-1", "Zoë"),
        (b"<meta charset=windows-1251><p>" + "привет".encode("cp1251"), "", "привет"),
        ("\ufeff<p>猎犬".encode("utf-16-le"), "utf-8", "猎犬"),
        (b"<p>Zo\xeb", "utf-8", "Zo\ufffd"),
    ],
)
def test_text_is_decoded(body: bytes, charset: str, text: str) -> None:
    assert reading(body, charset=charset).leaves[-1] == text


def test_digest_and_fingerprint_are_of_the_unpacked_body() -> None:
    body = "<p>" + " ".join(f"word{n}" for n in range(50))
    plain, packed = reading(body), reading(gzip.compress(body.encode()), coding="gzip")
    assert plain.digest == packed.digest == "sha1:" + plain.digest[5:]
    assert len(plain.digest) == 5 + 32
    assert plain.fingerprint == packed.fingerprint is not None
    assert plain.words == 50


def test_what_cannot_be_read_says_why() -> None:
    pdf = reading(b"%PDF-1.4 ...")
    assert (pdf.reason, pdf.detail, pdf.digest[:5]) == (Reason.UNSUPPORTED_TYPE, "application/pdf", "sha1:")
    assert reading(b"x", coding="gzip").reason is Reason.BAD_CODING
    assert reading(gzip.compress(bytes(2_000_000)), coding="gzip").reason is Reason.BOMB
    fetch = Fetch(url=PAGE, started=0.0, finished=1.0, body=b"words", mime="text/plain")
    unwanted = read(fetch, types=["text/html"], max_unpacked=100, product="scenthound")
    assert (unwanted.reason, unwanted.mime) == (Reason.UNSUPPORTED_TYPE, "text/plain")


def test_pages_with_hardly_any_text_are_alike_but_for_numbers_and_addresses() -> None:
    may = reading("<h1>Events</h1><p>Nothing in month 5</p><a href=/2024/4>/2024/4</a><a href=/2024/6>/2024/6</a>")
    june = reading("<h1>Events</h1><p>Nothing in month 6</p><a href=/2024/5>/2024/5</a><a href=/2024/7>/2024/7</a>")
    other = reading("<h1>Events</h1><p>A concert in month 6</p>")
    assert may.fingerprint == june.fingerprint != other.fingerprint


def test_signposts_are_not_taken_for_one_page() -> None:
    moved = "<meta http-equiv=refresh content='0; url={}'><p>This page has moved.</p>"
    assert reading(moved.format("/a")).fingerprint is None


def test_navigation_does_not_make_pages_alike() -> None:
    menu = "".join(f"<li><a href=/{n}>Menu entry number {n}</a>" for n in range(200))
    one = reading(menu + "<p>" + " ".join(f"hound{n} follows" for n in range(60)))
    other = reading(menu + "<p>" + " ".join(f"comet{n} rises" for n in range(60)))
    assert one.fingerprint is not None
    assert other.fingerprint is not None
    assert distance(one.fingerprint, other.fingerprint) > NEAR


bits = st.sampled_from(
    [
        b"<a href=x>",
        b"</a>",
        b"<table>",
        b"<td>",
        b"<p",
        b">",
        b"<!--",
        b"-->",
        b"<script>",
        b"</script>",
        b"<svg>",
        b"<title>",
        b"<base href='",
        b"'",
        b"<meta charset=",
        b"utf-16",
        b"\x00",
        b"\xff",
        b"&#0;",
        b"&#xD800;",
        b"<frameset>",
        b"<select>",
    ]
)


@given(st.one_of(st.lists(st.one_of(bits, st.binary(max_size=8)), max_size=30).map(b"".join), st.binary(max_size=400)))
def test_any_bytes_can_be_read_and_links_lie_within_the_leaves(body: bytes) -> None:
    page = reading(body)
    assert page.reason in (None, Reason.UNSUPPORTED_TYPE)
    for link in page.links:
        assert 0 <= link.first_leaf <= link.last_leaf < len(page.leaves)
        assert link.url.startswith(("http://", "https://"))


def test_hrefs_of_the_schools_web_stay_as_they_are() -> None:
    for fetch in islice(fetches(web("schools")), 20):
        page = read(fetch, types=TYPES, max_unpacked=10_000_000, product="scenthound")
        assert page.title
        assert any("%25" in link.url for link in page.links) or "%25" not in fetch.body.decode("utf-8", "replace")


@pytest.mark.slow
def test_every_messy_page_can_be_read() -> None:
    seconds = []
    messy = list(fetches(web("messy")))
    assert len(messy) == 1_482
    for fetch in messy[:: 1 if THOROUGH else 5]:
        began = process_time()
        page = read(fetch, types=TYPES, max_unpacked=10_000_000, product="scenthound")
        seconds.append(process_time() - began)
        assert page.reason is None, fetch.url
        assert page.words
        assert all(link.last_leaf < len(page.leaves) for link in page.links)
    assert max(seconds) < 2
