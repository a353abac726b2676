"""Nothing private is reached by a crawl: a server on this machine waits for a connection that must not come."""

from pathlib import Path

import pytest

from scenthound.types import Ending, Reason
from tests.crawl.scene import bad_web, crawl, on

SPELLINGS = ["/", "/decimal", "/octal", "/hex", "/short", "/mapped", "/name"]


def test_links_in_every_spelling_of_a_private_address_get_no_connection(tmp_path: Path) -> None:
    with bad_web() as web:
        crawled = crawl(tmp_path / "crawl", [web.url("private-links"), web.url("plain")], on(web))
        assert web.trapped == []
    found = [row for row in crawled.pages(everything=True) if "bad.test" not in row.host]
    assert len(found) == 10
    assert {(row.ending, row.reason, row.status) for row in found} == {(Ending.FAILED, Reason.PRIVATE_ADDRESS, 0)}
    assert "http://169.254.169.254/latest/meta-data/" in [row.url for row in found]
    assert all("[private-address]" in crawled.why(row.url) for row in found)
    assert crawled.story(web.url("plain", "/another")).state == "page"


def test_redirects_lead_there_no_more_than_links(tmp_path: Path) -> None:
    with bad_web() as web:
        crawled = crawl(tmp_path / "crawl", [web.url("redirect-private", path) for path in SPELLINGS], on(web))
        assert web.trapped == []
        assert len(web.visits("redirect-private")) == len(SPELLINGS) + 1
    ends = {row.final_url: row.reason for row in crawled.pages(everything=True) if row.ending is Ending.FAILED}
    # The spellings of one address are one URL; the mapped address and the name are others.
    assert len(ends) == 3
    assert set(ends.values()) == {Reason.PRIVATE_ADDRESS}


@pytest.mark.parametrize("robots", ["true", "false"])
def test_a_name_that_resolves_to_this_machine_is_refused_with_and_without_robots_txt(
    tmp_path: Path, robots: str
) -> None:
    with bad_web() as web:
        seed = f"http://localhost:{web.trap_port}/"
        crawled = crawl(tmp_path / "crawl", [seed], on(web, f"fetch.robots={robots}"))
        assert web.trapped == []
    assert crawled.story(seed).reason is Reason.PRIVATE_ADDRESS


def test_a_robots_txt_said_to_lie_there_is_one_that_cannot_be_had(tmp_path: Path) -> None:
    with bad_web() as web:
        seeds = [web.url("robots-private", f"/{number}") for number in range(6)]
        crawled = crawl(tmp_path / "crawl", seeds, on(web))
        assert web.trapped == []
        assert [visit.path for visit in web.visits("robots-private")] == ["/robots.txt"] * 3
        assert crawled.hosts()["robots-private.bad.test"].state == "bad"
        assert "127.0.0.1" in crawled.why(seeds[0])


def test_the_trap_would_have_noticed(tmp_path: Path) -> None:
    """With the address allowed the connection does come, so its absence above proves something."""
    with bad_web() as web:
        settings = on(web, 'fetch.allow_private=["127.0.0.1"]', "fetch.tries=1")
        crawl(tmp_path / "crawl", [web.url("redirect-private")], settings)
        assert len(web.trapped) >= 1
