"""What the user forbids is never asked for, and what robots.txt forbids neither, whichever way leads there."""

from pathlib import Path

import pytest

from scenthound.events import StopCause
from scenthound.types import Reason
from tests.badweb import BadWeb, Conversation
from tests.badweb.conversation import page
from tests.crawl.scene import bad_web, crawl, on, resume


def paths(web: BadWeb, name: str) -> list[str]:
    return sorted(visit.path for visit in web.visits(name) if visit.path != "/robots.txt")


def test_locked_hosts_and_patterns_are_reached_by_no_link_seed_or_redirect(tmp_path: Path) -> None:
    async def three_ways(it: Conversation) -> None:
        if it.path == "/moved":
            await it.answer(status="302 Found", location="http://siblings.bad.test/")
        else:
            await it.answer(page("Ways", "/moved", "/open", "/closed/door", "http://siblings.bad.test/page/1"))

    with bad_web() as web:
        web.sites["three-ways"] = three_ways
        seeds = [web.url("three-ways"), web.url("siblings", "/page/2")]
        crawled = crawl(tmp_path / "crawl", seeds, on(web, 'fetch.locked=["siblings.bad.test", "*/closed/*"]'))
        assert paths(web, "three-ways") == ["/", "/moved", "/open"]
        assert web.visits("siblings") == []  # not even its robots.txt
        locked = [web.url("siblings", path) for path in ("/", "/page/1", "/page/2")] + [
            web.url("three-ways", "/closed/door")
        ]
        assert {crawled.story(url).reason for url in locked} == {Reason.LOCKED}
        assert "[locked]" in crawled.why(locked[0])


@pytest.mark.slow
def test_a_lock_set_later_holds_for_what_already_waits(tmp_path: Path) -> None:
    with bad_web() as web:
        first = crawl(tmp_path / "crawl", [web.url("siblings")], on(web, "crawl.pages=2", "fetch.concurrency=1"))
        second = resume(first.directory, on(web, 'fetch.locked=["*/page/5"]'))
        assert paths(web, "siblings") == ["/", *(f"/page/{number}" for number in range(5))]
        assert second.story(web.url("siblings", "/page/5")).reason is Reason.LOCKED


def test_a_redirect_into_what_robots_txt_forbids_is_not_followed(tmp_path: Path) -> None:
    async def sly(it: Conversation) -> None:
        await it.answer(status="301 Moved Permanently", location="http://robots-strict.bad.test/private/page")

    with bad_web() as web:
        web.sites["sly"] = sly
        crawled = crawl(tmp_path / "crawl", [web.url("sly")], on(web))
        assert paths(web, "robots-strict") == []
        assert crawled.story(web.url("robots-strict", "/private/page")).reason is Reason.ROBOTS


def test_depth_pages_per_host_and_nofollow_bound_what_is_asked_for(tmp_path: Path) -> None:
    async def shy(it: Conversation) -> None:
        await it.answer(b'<a rel="nofollow" href="/hidden">x</a> <a href="/shown">y</a>')

    with bad_web() as web:
        web.sites["shy"] = shy
        seeds = [web.url("shy"), web.url("siblings"), web.url("maze")]
        limits = ("crawl.depth=2", "crawl.pages_per_host=5", "fetch.per_host=4")
        crawled = crawl(tmp_path / "crawl", seeds, on(web, *limits))
        assert paths(web, "shy") == ["/", "/shown"]
        assert len(paths(web, "siblings")) == 5
        assert len(paths(web, "maze")) == 5
        assert max(path.count("/") for path in paths(web, "maze")) <= 2
        assert crawled.story(web.url("shy", "/hidden")).reason is Reason.NOFOLLOW
        assert crawled.hosts()["siblings.bad.test"].state == "capped"
    assert crawled.summary.cause is StopCause.DRY
    assert crawled.trouble() == []


def test_without_a_contact_the_crawl_still_says_what_it_is(tmp_path: Path) -> None:
    with bad_web() as web:
        crawl(tmp_path / "crawl", [web.url("plain")], on(web, 'fetch.contact=""', 'fetch.user_agent="otter"'))
        agents = {visit.user_agent for visit in web.log}
    [agent] = agents
    assert agent.startswith("otter/")
    assert "http" in agent
