"""The same page under several URLs, and sites without end: what is marked, what is closed, and that the crawl ends."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from scenthound.events import StopCause
from scenthound.types import Ending, LinkKind, Reason
from tests.badweb import BadWeb, Conversation
from tests.badweb.conversation import page
from tests.crawl.scene import Crawled, bad_web, crawl, on

pytestmark = pytest.mark.slow

# Far more than any site here should cost, and few enough to find out quickly that one has no end.
BOUND = 120
LOREM = " ".join(f"word{number % 37} and{number % 23}" for number in range(120))


async def months(it: Conversation) -> None:
    """A calendar of pages that differ in the date alone."""
    year, month = (int(part) for part in (it.path.removeprefix("/calendar/").strip("/") or "2024/1").split("/"))
    after, before = year * 12 + month, year * 12 + month - 2
    links = [f"/calendar/{number // 12}/{number % 12 + 1}" for number in (after, before)]
    await it.answer(page("Calendar", *links, text=f"{LOREM} month {month} of {year}"))


async def visits(it: Conversation) -> None:
    """Three pages whose links have a new number at every visit, by a parameter that nobody knows."""
    number = sum(it.path.encode()) * 7919 + len(it.path)
    name = it.path.partition("?")[0].strip("/") or "home"
    links = [f"/{other}?visit={number}" for other in ("home", "news", "about")]
    await it.answer(page(name, *links, text=f"{name} " * 30 + LOREM))


async def sorry(it: Conversation) -> None:
    """A soft 404: 200 and an apology for everything, with links to ever new items."""
    links = [f"/item/{sum(it.path.encode())}/{turn}" for turn in range(5)]
    await it.answer(page("Sorry", *links, text=f"This item has gone. {LOREM}"))


ENDLESS = {"months": months, "visits": visits, "sorry": sorry}


@dataclass(frozen=True, slots=True, kw_only=True)
class Alike:
    web: BadWeb
    crawled: Crawled

    def paths(self, name: str) -> list[str]:
        return [visit.path for visit in self.web.visits(name) if visit.path != "/robots.txt"]


@pytest.fixture(scope="module")
def alike(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Alike]:
    """One crawl over all of it, which must end although three of its sites do not."""
    with bad_web() as web:
        web.sites |= ENDLESS
        names = ["copies", "near-duplicates", "sessions", *ENDLESS]
        seeds = [web.url("redirect-chain", "/5"), *(web.url(name) for name in names)]
        settings = on(web, f"crawl.pages={len(names) * BOUND}")
        yield Alike(web=web, crawled=crawl(tmp_path_factory.mktemp("alike") / "crawl", seeds, settings))


def test_each_hop_of_a_redirect_chain_is_a_link_and_the_page_is_kept_once(alike: Alike) -> None:
    hops = [alike.web.url("redirect-chain", f"/{left}") for left in (5, 4, 3, 2, 1, 0)]
    assert alike.paths("redirect-chain") == ["/5", "/4", "/3", "/2", "/1", "/0"]
    for before, after in pairwise(hops):
        [citation] = alike.crawled.story(after).citations
        assert (citation.url, citation.kind) == (before, LinkKind.REDIRECT)
    rows = [row for row in alike.crawled.pages(everything=True) if row.final_url == hops[-1]]
    assert [row.ending for row in rows] == [Ending.REDIRECT] * 5 + [Ending.PAGE]
    assert rows[-1].url == hops[0]  # a page is known by where its chain began, and by where that led
    assert alike.crawled.story(hops[-1]).depth == 0  # a redirect is no step away


def test_equal_bytes_and_declared_canonicals_are_marked_as_duplicates(alike: Alike) -> None:
    home = alike.web.url("copies")
    rows = [row for row in alike.crawled.pages() if row.host == "copies.bad.test"]
    assert {row.url.removeprefix(home): row.duplicate_of.removeprefix(home) for row in rows} == {
        "": "",
        "same/a": "",
        "same/b": "same/a",
        "same/c": "same/a",
        "page/0": "",
        "view/1": "page/0",
        "view/2": "page/0",
    }
    assert f"the same as that of {home}same/a" in alike.crawled.why(f"{home}same/b")
    kinds = {citation.kind for citation in alike.crawled.story(f"{home}page/0").citations}
    assert kinds == {LinkKind.ANCHOR, LinkKind.CANONICAL}


def test_near_duplicates_are_marked(alike: Alike) -> None:
    first = alike.web.url("near-duplicates")
    rows = [row for row in alike.crawled.pages() if row.host == "near-duplicates.bad.test"]
    assert {row.near_duplicate_of for row in rows} == {"", first}
    assert f"nearly that of {first}" in alike.crawled.why(rows[1].url)


def test_known_session_ids_do_not_make_new_urls(alike: Alike) -> None:
    assert sorted(alike.paths("sessions")) == ["/", "/about", "/home", "/news"]


@pytest.mark.parametrize("name", ["near-duplicates", *ENDLESS])
def test_a_site_without_end_is_closed_as_a_trap(alike: Alike, name: str) -> None:
    assert len(alike.paths(name)) < BOUND
    closed = [
        row.url
        for row in alike.crawled.pages(everything=True)
        if row.host == f"{name}.bad.test" and row.reason is Reason.TRAP
    ]
    assert closed
    assert "closed: " in alike.crawled.why(closed[0])
    assert "[trap]" in alike.crawled.why(closed[0])


def test_the_crawl_ends_by_itself(alike: Alike) -> None:
    assert alike.crawled.summary.cause is StopCause.DRY
    assert alike.crawled.trouble() == []


@pytest.mark.parametrize("name", ["calendar", "soft-404"])
def test_sites_without_end_and_nearly_without_text_are_closed_too(tmp_path: Path, name: str) -> None:
    with bad_web() as web:
        crawled = crawl(tmp_path / "crawl", [web.url(name)], on(web, f"crawl.pages={BOUND}"))
    assert crawled.summary.cause is StopCause.DRY


def test_a_chain_longer_than_allowed_ends_with_a_reason(tmp_path: Path) -> None:
    with bad_web() as web:
        crawled = crawl(tmp_path / "crawl", [web.url("redirect-chain")], on(web, "fetch.max_redirects=5"))
        assert len(web.visits("redirect-chain")) == 7
        story = crawled.story(web.url("redirect-chain", "/15"))
    assert (story.state, story.reason) == ("failed", Reason.TOO_MANY_REDIRECTS)
