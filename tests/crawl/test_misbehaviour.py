"""Every misbehaviour of the bad web met in one crawl: each leaves its reason behind, and the crawl goes on to the end."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from scenthound.events import StopCause
from scenthound.types import Errand, Reason
from tests.badweb import BadWeb
from tests.crawl.scene import Crawled, bad_web, command, crawl, on

# Name, the reason with which the store ends it, what its detail says, and how often it was asked for. Timeouts and
# broken connections are tried again, since they may pass; what a server says clearly is believed at once.
FAILURES = [
    ("slow-loris", Reason.TOTAL_TIMEOUT, "headers took too long", 2),
    ("slow-body", Reason.TOTAL_TIMEOUT, "body took too long", 2),
    ("silent", Reason.FIRST_BYTE_TIMEOUT, "no answer in time", 2),
    ("cut-body", Reason.CUT_SHORT, "received 21 of 5000 bytes", 2),
    ("cut-headers", Reason.CUT_SHORT, "in the middle of the headers", 2),
    ("cut-chunks", Reason.CUT_SHORT, "not enough data", 2),
    ("long-length", Reason.TOTAL_TIMEOUT, "body took too long", 2),
    ("short-length", Reason.PROTOCOL, "bad status line", 1),
    ("huge-length", Reason.TOO_LARGE, "1,000,000,000,000 bytes announced", 1),
    ("endless", Reason.TOO_LARGE, "more than 5,000,000 bytes", 1),
    ("endless-chunks", Reason.TOO_LARGE, "more than 5,000,000 bytes", 1),
    ("endless-error", Reason.HTTP_ERROR, "404", 1),
    ("header-flood", Reason.PROTOCOL, "too many headers", 1),
    ("huge-header", Reason.PROTOCOL, "more than 65536 bytes", 1),
    ("broken-chunks", Reason.PROTOCOL, "chunk", 1),
    ("http-09", Reason.PROTOCOL, "bad status line", 1),
    ("bad-status", Reason.PROTOCOL, "bad status line", 1),
    ("switching", Reason.PROTOCOL, "101", 1),
    ("reset-early", Reason.RESET, "reset", 2),
    ("reset-late", Reason.RESET, "in the middle of the body", 2),
    ("closes-early", Reason.RESET, "without an answer", 2),
    ("redirect-nowhere", Reason.BAD_REDIRECT, "no location", 1),
    ("missing", Reason.HTTP_ERROR, "404", 1),
    ("failing", Reason.SERVER_ERROR, "500", 2),
    ("overloaded", Reason.OVERLOADED, "503", 2),
    ("picture", Reason.UNSUPPORTED_TYPE, "image/png", 1),
    ("png-as-html", Reason.UNSUPPORTED_TYPE, "image/png", 1),
    ("gzip-bomb", Reason.BOMB, "more than 20000000 bytes", 1),
    ("br-bomb", Reason.BOMB, "more than 20000000 bytes", 1),
    ("zstd-bomb", Reason.BOMB, "more than 20000000 bytes", 1),
    ("lying-coding", Reason.BAD_CODING, "gzip", 1),
]
# What fails on the way to robots.txt: no page may be asked for, and the detail names what is in the way.
UNREACHABLE = [
    ("robots-hangs", "no answer in time"),
    ("robots-failing", "500"),
    ("self-signed", "self-signed certificate"),
    ("expired", "certificate"),
    ("plain-on-tls", "ssl"),
    ("mute-on-tls", "no connection in time"),
    ("refused", "refused"),
    ("no-such-name", "not known"),
]
# Strange, yet pages: name, path, title.
PAGES = [
    ("late-surplus", "/", ""),
    ("paused-body", "/", ""),
    ("forgetful", "/", "A proper page"),
    ("html-untyped", "/", "No type"),
    ("utf16-as-latin1", "/", "Žluťoučký kůň"),
    ("nested", "/", ""),
    ("attributes", "/after", ""),  # found after thirty thousand attributes
    ("nul-bytes", "/", "N\N{REPLACEMENT CHARACTER}ul"),
    ("long-link", "/short", "Long"),  # found after a link of a megabyte
    ("robots-huge", "/public/page", "Page /public/page"),
    ("biscuits", "/", "no cookie"),
    ("plain", "/another", "A proper page"),  # found on a page of the same list of seeds
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """The bad web, and the crawl that has met all of it."""

    web: BadWeb
    crawled: Crawled


@pytest.fixture(scope="module")
def met(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Met]:
    tables = ([row[0] for row in FAILURES], [row[0] for row in UNREACHABLE], [row[0] for row in PAGES])
    names = [name for table in tables for name in table] + ["redirect-loop", "redirect-latin"]
    with bad_web() as web:
        settings = on(web, "fetch.tries=2", "fetch.connect_timeout=1.5")
        yield Met(
            web=web,
            crawled=crawl(tmp_path_factory.mktemp("met") / "crawl", [web.url(name) for name in names], settings),
        )


@pytest.mark.slow
def test_the_crawl_comes_to_its_own_end_with_its_books_in_order(met: Met) -> None:
    assert met.crawled.summary.cause is StopCause.DRY
    assert met.crawled.trouble() == []
    assert met.crawled.summary.census.waiting == 0


@pytest.mark.parametrize(("name", "reason", "detail", "asked"), FAILURES, ids=[row[0] for row in FAILURES])
def test_a_failure_is_kept_with_its_reason(met: Met, name: str, reason: Reason, detail: str, asked: int) -> None:
    story = met.crawled.story(met.web.url(name))
    assert (story.state, story.reason) == ("failed", reason)
    assert detail in story.detail.lower()
    # Without a delay, what a server cuts on the connection kept from robots.txt is asked for at once on a fresh one.
    assert len(met.web.visits(name, "/")) - asked in (0, 1)
    assert [attempt.errand for attempt in story.attempts] == [Errand.ROBOTS] + [Errand.PAGE] * asked
    told = met.crawled.why(met.web.url(name))
    assert f"[{reason}]" in told.splitlines()[-1]
    assert detail in told.splitlines()[-1].lower()


@pytest.mark.parametrize(("name", "detail"), UNREACHABLE, ids=[row[0] for row in UNREACHABLE])
def test_without_robots_txt_no_page_is_asked_for(met: Met, name: str, detail: str) -> None:
    story = met.crawled.story(met.web.url(name))
    assert (story.state, story.reason) == ("failed", Reason.ROBOTS_UNREACHABLE)
    assert detail in story.detail.lower()
    assert met.web.visits(name, "/") == []
    assert {attempt.errand for attempt in story.attempts} == {Errand.ROBOTS}
    assert "[robots-unreachable]" in met.crawled.why(met.web.url(name))


@pytest.mark.parametrize(("name", "path", "title"), PAGES, ids=[row[0] for row in PAGES])
def test_what_is_strange_and_yet_a_page_is_read(met: Met, name: str, path: str, title: str) -> None:
    story = met.crawled.story(met.web.url(name, path))
    assert (story.state, story.reason) == ("page", None)
    assert story.page is not None
    assert (story.page.status, story.page.title) == (200, title)
    assert f"  Page {story.page.n} " in met.crawled.why(met.web.url(name, path)).replace(",", " ")


def test_a_link_below_forty_thousand_tags_is_not_worth_the_parser_s_life(met: Met) -> None:
    """The tree is cut at a depth; whether the link below is seen or not, the reader must have survived the page."""
    died = [reason for reason in met.crawled.summary.census.reasons if reason.startswith("read")]
    assert died == []


def test_a_link_of_a_megabyte_is_no_url(met: Met) -> None:
    known = [row.url for row in met.crawled.pages(everything=True) if "long-link" in row.url]
    assert max(map(len, known)) < 1000
    assert {visit.path for visit in met.web.visits("long-link")} == {"/robots.txt", "/", "/short"}


def test_a_circle_of_redirects_is_walked_once_and_named(met: Met) -> None:
    assert sorted(visit.path for visit in met.web.visits("redirect-loop")) == ["/", "/a", "/b", "/robots.txt"]
    story = met.crawled.story(met.web.url("redirect-loop", "/b"))
    assert (story.state, story.reason) == ("failed", Reason.REDIRECT_LOOP)
    assert "[redirect-loop]" in met.crawled.why(met.web.url("redirect-loop", "/b"))


def test_robots_txt_of_ten_megabytes_is_obeyed_as_far_as_it_is_read(met: Met) -> None:
    """RFC 9309 §2.5: at least 500 KiB. The rule against everything stands behind ten megabytes of nothing."""
    assert met.web.visits("robots-huge", "/private/page") == []
    assert met.crawled.story(met.web.url("robots-huge", "/private/page")).reason is Reason.ROBOTS


def test_status_counts_each_reason(met: Met) -> None:
    told = json.loads(command("status", str(met.crawled.directory.path), "--json"))
    counted = told["census"]["reasons"]
    for reason in {reason for _, reason, *_ in FAILURES}:
        assert counted[reason] >= sum(row[1] is reason for row in FAILURES)
    assert counted["robots-unreachable"] == len(UNREACHABLE)


def test_whatever_a_server_does_it_is_told_who_asks(met: Met) -> None:
    agents = {visit.user_agent for visit in met.web.log}
    assert len(agents) == 1
    assert "scenthound" in agents.pop()
    assert {visit.headers.get("cookie") for visit in met.web.log} == {None}
