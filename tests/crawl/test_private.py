"""Nothing private is reached by a crawl: a server on this machine waits for a connection that must not come."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from scenthound.types import Ending, Reason
from tests.badweb import BadWeb
from tests.crawl.scene import Crawled, bad_web, crawl, on

pytestmark = pytest.mark.slow

SPELLINGS = ["/", "/decimal", "/octal", "/hex", "/short", "/mapped", "/name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lured:
    """A crawl that was led to this machine by links, by redirects, by a name, and for a robots.txt."""

    web: BadWeb
    crawled: Crawled


@pytest.fixture(scope="module")
def lured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lured]:
    with bad_web() as web:
        seeds = [
            web.url("private-links"),
            *(web.url("redirect-private", path) for path in SPELLINGS),
            *(web.url("robots-private", f"/{number}") for number in range(6)),
            f"http://localhost:{web.trap_port}/seed",
            web.url("plain"),
        ]
        yield Lured(web=web, crawled=crawl(tmp_path_factory.mktemp("lured") / "crawl", seeds, on(web)))


def test_no_connection_came_and_the_crawl_went_on(lured: Lured) -> None:
    assert lured.web.trapped == []
    assert lured.crawled.story(lured.web.url("plain", "/another")).state == "page"
    assert lured.crawled.trouble() == []


def test_links_in_every_spelling_of_a_private_address_have_the_reason(lured: Lured) -> None:
    cited = [row for row in lured.crawled.pages(everything=True) if row.referrer == lured.web.url("private-links")]
    assert len(cited) == 10
    assert {(row.ending, row.reason, row.status) for row in cited} == {(Ending.FAILED, Reason.PRIVATE_ADDRESS, 0)}
    assert "http://169.254.169.254/latest/meta-data/" in [row.url for row in cited]
    assert all("[private-address]" in lured.crawled.why(row.url) for row in cited)


def test_redirects_lead_there_no_more_than_links(lured: Lured) -> None:
    assert len(lured.web.visits("redirect-private")) == len(SPELLINGS) + 1
    # The spellings of one address are one URL; the mapped address and the name are others.
    for host in ("127.0.0.1", "[::ffff:7f00:1]", "localhost"):
        story = lured.crawled.story(f"http://{host}:{lured.web.trap_port}/")
        assert (story.state, story.reason) == ("failed", Reason.PRIVATE_ADDRESS)
        assert {(attempt.status, attempt.ip) for attempt in story.attempts} == {(0, "")}


def test_a_robots_txt_said_to_lie_there_is_one_that_cannot_be_had(lured: Lured) -> None:
    assert [visit.path for visit in lured.web.visits("robots-private")] == ["/robots.txt"] * 3
    assert lured.crawled.hosts()["robots-private.bad.test"].state == "bad"
    assert "127.0.0.1" in lured.crawled.why(lured.web.url("robots-private", "/0"))


def test_a_name_that_resolves_to_this_machine_is_refused_with_and_without_robots_txt(
    lured: Lured, tmp_path: Path
) -> None:
    seed = f"http://localhost:{lured.web.trap_port}/seed"
    assert lured.crawled.story(seed).reason is Reason.PRIVATE_ADDRESS
    crawled = crawl(tmp_path / "crawl", [seed], on(lured.web, "fetch.robots=false"))
    assert crawled.story(seed).reason is Reason.PRIVATE_ADDRESS
    assert lured.web.trapped == []


def test_the_trap_would_have_noticed(tmp_path: Path) -> None:
    """With the address allowed the connection does come, so its absence above proves something."""
    with bad_web() as web:
        settings = on(web, 'fetch.allow_private=["127.0.0.1"]', "fetch.tries=1")
        crawl(tmp_path / "crawl", [web.url("redirect-private")], settings)
        assert len(web.trapped) >= 1
