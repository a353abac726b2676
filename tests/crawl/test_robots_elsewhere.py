"""A robots.txt that lies on another host: the requests for it keep to what that host asks, proven from the server's
own log.
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from tests.badweb import Visit
from tests.badweb.conversation import Conversation, page
from tests.badweb.manners import ROBOTS
from tests.crawl.scene import bad_web, crawl, new, on, resume
from tests.crawl.test_politeness import most_at_once, rests

# The server notes a request when its thread has the interpreter, which on a busy machine may be this much too late.
BLUR = 0.05
PAUSE, RETRY = 1, 3  # seconds that the landlord asks for between requests, and when it has too much to do
TENANTS = [f"tenant-{number}" for number in range(4)]


async def rules_elsewhere(it: Conversation) -> None:
    """A robots.txt that the landlord has."""
    await it.answer(status="302 Found", location="http://landlord.bad.test/rules")


async def rules(it: Conversation) -> None:
    await it.answer(f"User-agent: *\nCrawl-delay: {PAUSE}\n".encode(), content_type="text/plain")


async def landlord(it: Conversation) -> None:
    """Has the rules of its tenants at /rules, and links to them; at /busy it has too much to do, at first."""
    if it.path == "/rules":
        await rules(it)
    elif it.path == "/busy" and it.number == 1:
        await it.answer(status="503 Service Unavailable", retry_after=str(RETRY))
    else:
        tenants = [f"http://{name}.bad.test/" for name in TENANTS]
        await it.answer(page("To let", *(["/busy", "/other", *tenants] if it.path == "/" else [])))


@pytest.fixture
def robots(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in TENANTS:
        monkeypatch.setitem(ROBOTS, name, rules_elsewhere)
    monkeypatch.setitem(ROBOTS, "landlord", rules)


@pytest.mark.slow
@pytest.mark.usefixtures("robots")
def test_its_host_is_asked_no_sooner_and_no_oftener_than_it_wants(tmp_path: Path) -> None:
    with bad_web() as web:
        web.sites |= {"landlord": landlord, **dict.fromkeys(TENANTS, web.sites["plain"])}
        crawled = crawl(tmp_path / "crawl", [web.url("landlord")], on(web, "fetch.delay=0.05"))
        asked = web.visits("landlord")
    assert [visit.path for visit in asked].count("/rules") == len(TENANTS)
    assert {"/", "/busy", "/other"} < {visit.path for visit in asked}
    assert all(crawled.story(web.url(name)).state == "page" for name in TENANTS)
    assert min(gaps(asked)) >= PAUSE - BLUR
    assert rests(asked)[[visit.path for visit in asked].index("/busy")] >= RETRY - BLUR
    assert most_at_once(asked) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("robots")
def test_what_it_says_of_a_robots_txt_holds_for_its_pages_too(tmp_path: Path) -> None:
    """It has too much to do when a tenant's rules are asked for: its own pages must wait as well."""

    async def busy_with_rules(it: Conversation) -> None:
        if it.path == "/rules" and it.number == 1:
            await it.answer(status="503 Service Unavailable", retry_after=str(RETRY))
        else:
            await landlord(it)

    with bad_web() as web:
        web.sites |= {"landlord": busy_with_rules, **dict.fromkeys(TENANTS, web.sites["plain"])}
        seeds = [web.url("landlord"), web.url(TENANTS[0])]
        crawl(tmp_path / "crawl", seeds, on(web, "fetch.delay=0.05"))
        asked = web.visits("landlord")
    assert rests(asked)[[visit.path for visit in asked].index("/rules")] >= RETRY - BLUR


@pytest.mark.slow
@pytest.mark.usefixtures("robots")
def test_a_bad_host_is_not_asked_for_the_rules_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent(it: Conversation) -> None:
        it.reset()

    with bad_web() as web:
        monkeypatch.setitem(ROBOTS, "landlord", silent)
        web.sites |= {"landlord": silent, TENANTS[0]: web.sites["plain"]}
        directory = new(tmp_path / "crawl", [web.url("landlord"), web.url(TENANTS[0])])
        settings = on(web, "fetch.max_delay=0.01")
        resume(directory, [*settings, 'fetch.locked=["*//tenant-*"]'])
        before = len(web.visits("landlord"))
        crawled = resume(directory, settings)
        assert crawled.hosts()["landlord.bad.test"].state == "bad"
        assert len(web.visits("landlord")) == before
        assert web.visits(TENANTS[0], "/robots.txt")
        assert not web.visits(TENANTS[0], "/")
        assert "landlord.bad.test is bad" in crawled.why(web.url(TENANTS[0]))


def gaps(visits: Sequence[Visit]) -> list[float]:
    """Return the seconds between the arrivals of requests."""
    return [later.time - earlier.time for earlier, later in pairwise(visits)]
