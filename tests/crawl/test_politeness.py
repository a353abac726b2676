"""Politeness proven from the servers' own log: what was asked, when, how many at a time, and what was never asked."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from scenthound.events import StopCause
from scenthound.types import Reason
from tests.badweb import BadWeb, Visit
from tests.crawl.scene import Crawled, bad_web, command, crawl, on
from tests.often import slowly

DELAY = 0.25
# The server notes a request when its thread has the interpreter, which on a busy machine may be this much too late.
BLUR = 0.03

OPEN = ["robots-missing", "robots-forbidden", "robots-loop"]  # RFC 9309 §2.3.1.3, and more than five redirects
RULED = ["robots-strict", "robots-chain", "robots-elsewhere", "robots-huge"]
RUDE = ["reset-early", "closes-early", "cut-headers"]  # also on the connection kept from robots.txt
SHUT = ["robots-failing", "robots-hangs"]  # RFC 9309 §2.3.1.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    web: BadWeb
    crawled: Crawled

    def gaps(self, name: str) -> list[float]:
        """Return the seconds between the arrivals of requests at a host."""
        return [later.time - earlier.time for earlier, later in pairwise(self.web.visits(name))]

    def paths(self, name: str) -> set[str]:
        return {visit.path for visit in self.web.visits(name)}


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """One crawl with a delay, over hosts that ask for more than that, forbid something, or are slow."""
    names = [
        *OPEN,
        *RULED,
        *SHUT,
        *RUDE,
        "siblings",
        "slow-siblings",
        "crawl-delay",
        "retry-seconds",
        "retry-date",
        "robots-busy",
    ]
    with bad_web() as web:
        settings = on(
            web,
            f"fetch.delay={DELAY}",
            "fetch.delay_factor=2",
            "fetch.max_delay=1",
            "fetch.first_byte_timeout=1",
            'fetch.locked=["*crawl-delay.bad.test/private/*"]',  # three requests two seconds apart are enough
        )
        seeds = [web.url(name) for name in names]
        yield Watched(web=web, crawled=crawl(tmp_path_factory.mktemp("watched") / "crawl", seeds, settings))


@pytest.mark.slow
def test_the_delay_lies_between_any_two_requests_to_a_host(watched: Watched) -> None:
    for host in {visit.host for visit in watched.web.log}:
        name = host.removesuffix(".bad.test")
        assert all(gap >= DELAY - BLUR for gap in watched.gaps(name)), f"{name}: {watched.gaps(name)}"
    assert len(watched.gaps("siblings")) == 7  # robots.txt, the home page and six others


@pytest.mark.slow
@pytest.mark.parametrize("name", RUDE)
def test_a_server_that_cuts_the_line_is_asked_again_after_its_pause_and_three_times_in_all(
    watched: Watched, name: str
) -> None:
    assert [visit.path for visit in watched.web.visits(name)] == ["/robots.txt", "/", "/", "/"]
    assert all(gap >= DELAY - BLUR for gap in watched.gaps(name))


def test_crawl_delay_is_obeyed_from_the_robots_txt_on_that_asks_for_it(watched: Watched) -> None:
    assert watched.paths("crawl-delay") == {"/robots.txt", "/", "/public/page"}
    assert all(gap >= 2.0 - BLUR for gap in watched.gaps("crawl-delay"))


@pytest.mark.parametrize(("name", "seconds"), [("retry-seconds", 1.0), ("retry-date", 2.0)])
def test_retry_after_is_obeyed_in_both_forms_and_then_the_page_comes(
    watched: Watched, name: str, seconds: float
) -> None:
    assert [visit.path for visit in watched.web.visits(name)] == ["/robots.txt", "/", "/"]
    assert watched.gaps(name)[1] >= seconds - BLUR
    story = watched.crawled.story(watched.web.url(name))
    assert [attempt.status for attempt in story.attempts] == [200, {1.0: 429, 2.0: 503}[seconds], 200]
    assert story.page is not None
    assert story.page.title == "Thank you for waiting"


@pytest.mark.slow
def test_a_robots_txt_that_asks_for_time_gets_it_and_is_then_obeyed(watched: Watched) -> None:
    visits = [visit.path for visit in watched.web.visits("robots-busy")]
    assert visits == ["/robots.txt", "/robots.txt", "/", "/public/page"]
    assert watched.gaps("robots-busy")[0] >= 1.0 - BLUR


def test_the_pause_grows_with_the_time_that_a_server_takes(watched: Watched) -> None:
    """Each answer takes 0.2 s; twice that must pass before the next request."""
    pages = [visit for visit in watched.web.visits("slow-siblings") if visit.path != "/robots.txt"]
    assert len(pages) == 7
    assert all(rest >= 0.4 - BLUR for rest in rests(pages))


def rests(visits: Sequence[Visit]) -> list[float]:
    """Return the seconds from the end of each visit to the beginning of the next."""
    return [later.time - earlier.finished for earlier, later in pairwise(visits) if earlier.finished is not None]


@pytest.mark.parametrize("name", OPEN)
def test_where_robots_txt_is_missing_everything_is_allowed(watched: Watched, name: str) -> None:
    assert watched.paths(name) == {"/robots.txt", "/", "/public/page", "/private/page"}


@pytest.mark.slow
@pytest.mark.parametrize("name", RULED)
def test_what_robots_txt_forbids_is_never_asked_for(watched: Watched, name: str) -> None:
    assert watched.paths(name) == {"/robots.txt", "/", "/public/page"}
    assert [visit.path for visit in watched.web.visits(name)].count("/robots.txt") == 1
    forbidden = watched.web.url(name, "/private/page")
    assert watched.crawled.story(forbidden).reason is Reason.ROBOTS
    assert '"Disallow: /private/"' in watched.crawled.why(forbidden)


@pytest.mark.parametrize("name", SHUT)
def test_where_robots_txt_cannot_be_had_nothing_is_asked_for_and_the_host_is_bad(watched: Watched, name: str) -> None:
    assert [visit.path for visit in watched.web.visits(name)] == ["/robots.txt"] * 3
    host = watched.crawled.hosts()[f"{name}.bad.test"]
    assert (host.state, host.failures, host.reason) == ("bad", 3, "robots-unreachable")


def test_the_hops_of_a_robots_txt_are_requests_like_others_to_the_host_they_lead_to(watched: Watched) -> None:
    """Two hosts have their rules at a third, one of them four steps away; all that arrives there keeps the delay."""
    assert sorted(visit.path for visit in watched.web.visits("robots-steps")) == ["/0", "/0", "/1", "/2", "/3"]


def test_a_host_has_one_request_at_a_time(watched: Watched) -> None:
    answered = [name for name in watched.web.sites if watched.web.visits(name) and name != "robots-hangs"]
    assert {most_at_once(watched.web.visits(name)) for name in answered} == {1}


@pytest.mark.slow
def test_or_as_many_as_per_host_allows(tmp_path: Path) -> None:
    with bad_web() as web:
        crawl(tmp_path / "crawl", [web.url("slow-siblings")], on(web, "fetch.per_host=2"))
        pages = web.visits("slow-siblings")
    assert len(pages) == 8
    assert most_at_once(pages) == 2


@pytest.mark.slow
@pytest.mark.parametrize(("setting", "at_once"), [("fetch.per_domain=2", 2), *slowly(("fetch.per_ip=3", 3))])
def test_hosts_of_one_domain_or_address_share_their_places(tmp_path: Path, setting: str, at_once: int) -> None:
    """An address is known from a host's first answer on, so the requests for robots.txt are not counted."""
    names = [f"shop-{number}" for number in range(6)]
    with bad_web() as web:
        web.sites |= dict.fromkeys(names, web.sites["slow-siblings"])
        crawl(tmp_path / "crawl", [web.url(name) for name in names], on(web, setting, "crawl.pages=10"))
        pages = [visit for visit in web.log if visit.path != "/robots.txt"]
    assert len({visit.host for visit in pages}) == len(names)
    assert most_at_once(pages) == at_once


def most_at_once(visits: Sequence[Visit]) -> int:
    """Return how many visits overlapped at most, those that end at the moment another begins not counted."""
    moments = sorted(
        change for visit in visits if visit.finished is not None for change in ((visit.time, 1), (visit.finished, -1))
    )
    now = most = 0
    for _, change in moments:
        now += change
        most = max(most, now)
    return most


@pytest.mark.slow
def test_a_host_is_bad_after_three_tries_and_stays_in_the_books(tmp_path: Path) -> None:
    with bad_web() as web:
        seeds = [web.url("overloaded", f"/{number}") for number in range(9)] + [web.url("plain")]
        crawled = crawl(tmp_path / "crawl", seeds, on(web))
        asked = web.visits("overloaded")
        assert [visit.path == "/robots.txt" for visit in asked] == [True, False, False, False]
        first, second = (later.time - earlier.time for earlier, later in pairwise(asked[1:]))
        assert second > 2 * first  # each failure lengthens the pause
        assert crawled.summary.cause is StopCause.DRY
        host = crawled.hosts()["overloaded.bad.test"]
        assert (host.state, host.failures, host.reason) == ("bad", 3, "overloaded")
        assert host.waiting > 0
        shown = command("status", str(crawled.directory.path))
        assert "1 host is bad: overloaded.bad.test after 3 failures" in shown
        told = json.loads(command("status", str(crawled.directory.path), "--json"))
        assert told["census"]["hosts_bad"] == 1
        assert "is bad after 3 failures" in crawled.why(web.url("overloaded", "/8"))
        assert crawled.story(web.url("plain", "/another")).state == "page"
