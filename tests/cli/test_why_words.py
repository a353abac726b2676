"""The story of a URL in words, from the values that the store gives."""

from dataclasses import replace

import pytest

from scenthound.services.why.url_story import alike, forbidding_rule, tell
from scenthound.types import (
    ArchiveSpot,
    Attempt,
    Citation,
    Ending,
    Errand,
    HostView,
    LinkKind,
    PageRow,
    Reason,
    RobotsAnswer,
    Story,
)

HOST = HostView(host="a.example", state="resting", waiting=3, pages=1, failures=0, due=105.0, delay=1.0)
BAD = HostView(host="a.example", state="bad", waiting=3, pages=0, failures=3, due=0.0, delay=1.0, reason="dns")


def story(
    state: str,
    *,
    host: HostView = HOST,
    reason: Reason | None = None,
    detail: str = "",
    found_by: LinkKind = LinkKind.ANCHOR,
    citations: tuple[Citation, ...] = (),
    attempts: tuple[Attempt, ...] = (),
    robots: RobotsAnswer | None = None,
    page: PageRow | None = None,
) -> Story:
    return Story(
        url="http://a.example/x",
        state=state,
        host=host,
        priority=0.5,
        demoted=0,
        depth=2,
        hops=0,
        tries=0,
        found_at=0.0,
        found_by=found_by,
        reason=reason,
        detail=detail,
        citations=citations,
        citing_count=len(citations) + (30 if citations else 0),
        attempts=attempts,
        robots=robots,
        page=page,
    )


def told(about: Story, *, running: bool = True) -> str:
    return "\n".join(tell(about, now=100.0, product="scenthound", running=running))


def test_a_page_from_its_discovery_to_the_archive() -> None:
    page = PageRow(
        n=7, url="http://a.example/x", final_url="http://a.example/y", host="a.example", status=200, mime="text/html",
        title="Tyres", language="en", relevance=0.75, topic="Cycling", depth=2, priority=0.5,
        referrer="http://b.example/", fetched_at=90.0, digest="sha1:X", near_duplicate_of="http://c.example/",
        spot=ArchiveSpot(file="w-1.warc.gz", offset=1000, length=2000),
    )  # fmt: skip
    links = (
        Citation(url="http://b.example/", kind=LinkKind.ANCHOR, text="all about tyres"),
        Citation(url="http://c.example/", kind=LinkKind.FRAME, text="", nofollow=True),
    )
    tries = (
        Attempt(at=80.0, ending=Ending.RETURN, reason=None, detail="", status=200, seconds=0.1, errand=Errand.ROBOTS),
        Attempt(
            at=85.0, ending=Ending.RETRY, reason=Reason.OVERLOADED, detail="Retry-After 5", status=503, seconds=0.2
        ),
        Attempt(at=90.0, ending=Ending.PAGE, reason=None, detail="", status=200, seconds=0.3, ip="192.0.2.1"),
    )
    robots = RobotsAnswer(origin="http://a.example", status=200, text="", fetched=80.0, expires=200.0)
    assert told(story("page", citations=links, attempts=tries, robots=robots, page=page)).splitlines() == [
        "http://a.example/x",
        '  Found 1970-01-01 00:00:00 UTC, on http://b.example/ as a link with the words "all about tyres".',
        "    also found on http://c.example/ as a frame, marked nofollow",
        "    and on 30 pages more",
        "  Depth 2, priority 0.5.",
        "  robots.txt: http://a.example/robots.txt, fetched 1970-01-01 00:01:20 UTC (status 200), valid for 100 s more, allows it.",
        "  1. 1970-01-01 00:01:20 UTC: robots.txt asked for, status 200 in 0.1 s: back to the frontier.",
        "  2. 1970-01-01 00:01:25 UTC: asked for, status 503 in 0.2 s: to be tried again, "
        "because the server asked us to come back later (429 or 503) (Retry-After 5).",
        "  3. 1970-01-01 00:01:30 UTC: asked for, status 200 from 192.0.2.1 in 0.3 s: a page.",
        '  Page 7 "Tyres", text/html en, fetched 1970-01-01 00:01:30 UTC.',
        "  http://a.example/x led to http://a.example/y.",
        "  Relevance 0.75, most likely about Cycling.",
        "  Its content is nearly that of http://c.example/.",
        "  Archived in w-1.warc.gz, 2,000 bytes from byte 1,000.",
    ]


def test_a_robots_denial_names_the_rule() -> None:
    text = "User-agent: *\nDisallow: /y\nDisallow: /x"
    robots = RobotsAnswer(origin="http://a.example", status=200, text=text, fetched=0.0, expires=50.0)
    words = told(story("failed", reason=Reason.ROBOTS, robots=robots))
    assert 'expired, does not allow it ("Disallow: /x").' in words
    assert "No page: the site's robots.txt does not allow it [robots]." in words


def test_what_waits_says_for_what() -> None:
    words = told(story("waiting"))
    assert "It waits in the frontier. 3 URLs of a.example wait with it. a.example may be asked again in 5.0 s." in words
    words = told(story("waiting", host=BAD))
    assert (
        "It will not be fetched: a.example is bad after 3 failures (the name of its host has no address); crawl --forgive"
        in words
    )


def test_a_seed_and_a_refusal() -> None:
    words = told(story("refused", found_by=LinkKind.SEED, reason=Reason.LOCKED, detail="*/x"))
    assert "  Given as a starting point, 1970-01-01 00:00:00 UTC.\n" in words
    assert "No page: the settings lock it: a pattern in fetch.locked fits [locked] (*/x)." in words


def test_a_page_that_links_twice_is_named_once() -> None:
    twice = [Citation(url="http://b.example/", kind=LinkKind.ANCHOR, text=text) for text in ("home", "start")]
    about = replace(
        story("waiting", citations=(*twice, Citation(url="http://c.example/", kind=LinkKind.ANCHOR, text=""))),
        citing_count=2,
    )
    assert told(about).splitlines()[1:4] == [
        '  Found 1970-01-01 00:00:00 UTC, on http://b.example/ as a link with the words "home".',
        "    also found on http://c.example/ as a link",
        "  Depth 2, priority 0.5.",
    ]


def test_a_seed_that_is_also_linked_is_a_seed_all_the_same() -> None:
    links = (Citation(url="http://b.example/", kind=LinkKind.ANCHOR, text="home"),)
    assert told(story("waiting", found_by=LinkKind.SEED, citations=links)).splitlines()[1:4] == [
        "  Given as a starting point, 1970-01-01 00:00:00 UTC.",
        '    also found on http://b.example/ as a link with the words "home"',
        "    and on 30 pages more",
    ]


def test_a_link_that_has_gone_since() -> None:
    assert "on a page that no longer links to it." in told(story("waiting"))


@pytest.mark.parametrize("reason", [Reason.ROBOTS, Reason.TRAP, Reason.LOCKED, Reason.PRIVATE_ADDRESS])
def test_what_was_not_sent_was_not_asked(reason: Reason) -> None:
    unsent = Attempt(at=80.0, ending=Ending.FAILED, reason=reason, detail="", status=0, seconds=0.0)
    assert "00:01:20 UTC: not asked for: no page, because" in told(story("failed", reason=reason, attempts=(unsent,)))
    silent = Attempt(at=80.0, ending=Ending.FAILED, reason=Reason.RESET, detail="", status=0, seconds=2.0)
    assert "asked for, no answer in 2.0 s: no page" in told(story("failed", reason=Reason.RESET, attempts=(silent,)))


def test_what_was_in_flight_when_the_crawl_stopped() -> None:
    assert "It is being fetched now." in told(story("claimed"))
    assert "It was in flight when the crawl stopped; it comes back" in told(story("claimed"), running=False)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("http://a.example/x", "https://a.example/x"),
        ("https://a.example/x", "https://www.a.example/x"),
        ("https://www.a.example/x", "https://a.example/x/"),
        ("http://a.example/x?utm=1", "https://a.example/x"),
    ],
)
def test_addresses_that_people_take_for_each_other(typed: str, meant: str) -> None:
    others = list(alike(typed))
    assert meant in others
    assert typed not in others
    assert len(others) == len(set(others)) < 24


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("User-agent: *\nDisallow: /", "Disallow: /"),
        ("User-agent: *\nDisallow: /\nDisallow: /b", "Disallow: /b"),
        ("User-agent: *\nDisallow: /\nAllow: /b", ""),
        ("User-agent: other\nDisallow: /b/c\n\nUser-agent: *\nDisallow: /b", "Disallow: /b"),
        ("User-agent: scenthound\nDisallow: /b\n\nUser-agent: *\nDisallow: /b/c", "Disallow: /b"),
        ("User-agent: *\ndisallow: /*c   # no", "disallow: /*c   # no"),
        ("", ""),
    ],
)
def test_the_rule_is_the_one_that_decides(text: str, rule: str) -> None:
    assert forbidding_rule(text, "http://a.example/b/c", "scenthound") == rule
