"""One canonical form for every URL, and the questions that a crawler asks of it."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scenthound.parse.urls import Joiner, Locks, canonical, domain_of, host_of, origin_of, surt, too_long
from scenthound.types import Reason

PAGE = "http://a.example/x/y/page.htm?q=1"


@pytest.mark.parametrize(
    ("href", "wanted"),
    [
        ("HTTP://User:pw@A.Example:80/", "http://a.example/"),
        ("https://a.example:443", "https://a.example/"),
        ("https://a.example:8443/z", "https://a.example:8443/z"),
        ("http://a.example./z", "http://a.example/z"),
        ("http://a..example/z", None),
        ("http://bücher.example/ä", "http://xn--bcher-kva.example/%C3%A4"),
        ("../z", "http://a.example/x/z"),
        ("../../../../z", "http://a.example/z"),
        ("./a/./b/../c", "http://a.example/x/y/a/c"),
        ("//b.example/z", "http://b.example/z"),
        ("?p=2", "http://a.example/x/y/page.htm?p=2"),
        ("z?", "http://a.example/x/y/z"),
        ("z#part", "http://a.example/x/y/z"),
        (" \n z\t", "http://a.example/x/y/z"),
        ("z\\w", "http://a.example/x/y/z/w"),
        ("/%7ejo%2fx", "http://a.example/~jo%2Fx"),
        ("/%41%c3%a9", "http://a.example/A%C3%A9"),
        ("/100%", "http://a.example/100%25"),
        ("/%%34%31", "http://a.example/%2541"),
        ("/a;jsessionid=0A1B.n1?b=1", "http://a.example/a?b=1"),
        ("/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "http://a.example/a.aspx"),
        ("/a?PHPSESSID=1&b=2", "http://a.example/a?b=2"),
        ("/a?sid=0123456789abcdef0123456789abcdef", "http://a.example/a"),
        ("/a?sid=7", "http://a.example/a?sid=7"),
        ("/a?z=1&utm_source=x&b=2&fbclid=y&a=3", "http://a.example/a?z=1&b=2&a=3"),
        ("http://127.1/", "http://127.0.0.1/"),
        ("http://[::1]:80/", "http://[::1]/"),
        ("javascript:void(0)", None),
        ("mailto:a@b.example", None),
        ("data:text/html,x", None),
        ("http://", None),
        ("http://a b/", None),
        ("http://a.example/\ud800", None),
    ],
)
def test_canonical_form(href: str, wanted: str | None) -> None:
    assert canonical(href, PAGE) == wanted
    assert Joiner(PAGE)(href) == wanted


def test_hrefs_encoded_twice_stay_different_from_those_encoded_once() -> None:
    twice, once = canonical("/%25C3%2585land.htm", PAGE), canonical("/%C3%85land.htm", PAGE)
    assert twice == "http://a.example/%25C3%2585land.htm"
    assert once == "http://a.example/%C3%85land.htm"


PIECES = (
    "/ // . .. ... ../ ? & = ; # % %2e %2E%2e %25 %2525 %41 %c3%a9 %zz : @ a b A é .. ~ + , ( ) (S(x)) [ ] \\ | ' \" { } ^ ` "
    ";jsessionid=1 PHPSESSID=1 utm_x=1 gclid sid=00112233445566778899aabbccddeeff http:// https:// a.example b.example:80 "
    "xn-- 127.1 0x7f 1. a. a.. [::1] user@ www.b-c.example/ \t \n \0 \u3002 \u00ad ß"
)
pieces = st.sampled_from(PIECES.split(" "))
hrefs = st.one_of(st.lists(pieces, max_size=8).map("".join), st.text(max_size=20))
bases = st.one_of(
    st.just(PAGE), hrefs.map(lambda tail: f"http://a.example/{tail}"), hrefs.map(lambda rest: f"https://{rest}")
)


@given(hrefs, bases)
def test_canonical_is_idempotent(href: str, base: str) -> None:
    url = canonical(href, base)
    if url is not None:
        assert canonical(url) == url
        assert canonical(url, base) == url


@given(hrefs, bases)
@example("0 #", "http://a.example/x/y/page.htm")
def test_joiner_equals_the_full_parser(href: str, base: str) -> None:
    page = canonical(base)
    if page is not None:
        assert Joiner(page)(href) == canonical(href, page)


plain_paths = st.text(alphabet="abz09._~-,+!*$@=&/%25C3", max_size=20)


@given(plain_paths, st.sampled_from(["", "/", "../", "../../", "http://b.example/", "https://9.example"]))
def test_plain_hrefs_mean_what_the_full_parser_takes_them_to_mean(path: str, start: str) -> None:
    """A blank in front defeats every shortcut and means nothing to the parser."""
    assert Joiner(PAGE)(start + path) == canonical(" " + start + path, PAGE)


@given(st.text(max_size=60))
def test_no_text_raises(text: str) -> None:
    canonical(text)
    canonical(text, PAGE)


def test_parts_of_a_url() -> None:
    assert host_of("http://a.example:8080/x") == "a.example:8080"
    assert origin_of("https://a.example/x?http://b/") == "https://a.example"
    assert too_long("http://a.example/" + "x" * 1000, 1000, 255) is Reason.URL_TOO_LONG
    assert too_long(f"http://{'a' * 256}.example/", 1000, 255) is Reason.URL_TOO_LONG
    assert too_long("http://a.example/", 1000, 255) is None


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.example.co.uk", "example.co.uk"),
        ("co.uk", "co.uk"),
        ("someone.github.io", "someone.github.io"),
        ("a.b.school.example:81", "school.example"),
        ("localhost", "localhost"),
        ("10.0.0.1:80", "10.0.0.1"),
        ("[2001:db8::1]:80", "[2001:db8::1]"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ],
)
def test_registered_domain(host: str, domain: str) -> None:
    assert domain_of(host) == domain


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://www2.example.com/Dir/?b=2&a=1", "com,example)/dir?a=1&b=2"),
        ("https://example.com/", "com,example)/"),
        ("http://example.com:8080/a//b/", "com,example:8080)/a/b"),
        ("http://127.0.0.1/x", "1,0,0,127)/x"),
        ("http://[::1]:81/x", "::1:81)/x"),
    ],
)
def test_archive_key(url: str, key: str) -> None:
    assert surt(url) == key


@pytest.mark.parametrize(
    ("pattern", "url", "locked"),
    [
        ("example.com", "http://example.com/x", True),
        ("example.com", "http://www.example.com:81/", True),
        ("Example.COM", "http://example.com/", True),
        ("example.com", "http://notexample.com/", False),
        ("example.com", "http://a.example/example.com", False),
        ("*/wp/index/*", "http://schools.example/wp/index/a.htm", True),
        ("*/wp/index/*", "http://schools.example/wp/i.htm", False),
        ("example.com/path*", "https://example.com/path/x", True),
        ("example.com/path*", "https://www.example.com/path/x", False),
        ("https://example.com/only", "https://example.com/only", True),
        ("https://example.com/only", "https://example.com/only/x", False),
        ("https://example.com/only", "http://example.com/only", False),
        ("*.example.com", "http://a.example.com/x", True),
        ("*.example.com", "http://example.com/x", False),
        ("*.pdf", "http://a.example/x.pdf", True),
        ("*.pdf", "http://a.example/x.pdf?y", False),
        ("*print=1*", "http://a.example/x?print=1&y=2", True),
        ("a*b*c", "http://aXbXc/", True),
    ],
)
def test_locks(pattern: str, url: str, locked: bool) -> None:
    assert Locks([pattern]).locked(url) is locked
    assert Locks(["other.example", pattern, "*/never/*"]).locked(url) is locked


def test_no_locks_lock_nothing() -> None:
    assert not Locks([]).locked("http://a.example/")
    assert not Locks([" "]).locked("http://a.example/")


def test_a_lock_of_many_stars_is_quick() -> None:
    locks = Locks(["*a" * 40 + "*b"])
    started = time.process_time()
    assert not locks.locked("http://x.example/" + "a" * 4_000)
    assert time.process_time() - started < 0.5
