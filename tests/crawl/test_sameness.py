"""The same page under several URLs, and sites without end: what is marked, what is closed, and that the crawl ends."""

from itertools import pairwise
from pathlib import Path

import pytest

from scenthound.demo.answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.events import StopCause
from scenthound.types import Ending, LinkKind, Reason
from tests.crawl.scene import BRISK, bad_web, crawl, on

# Far more than any of these sites should cost, and few enough to find out quickly that one has no end.
BOUND = 200


def test_each_hop_of_a_redirect_chain_is_a_link_and_the_page_is_kept_once(tmp_path: Path) -> None:
    with bad_web() as web:
        crawled = crawl(tmp_path / "crawl", [web.url("redirect-chain", "/5")], on(web))
        hops = [web.url("redirect-chain", f"/{left}") for left in (5, 4, 3, 2, 1, 0)]
        assert [visit.path for visit in web.visits("redirect-chain")][1:] == ["/5", "/4", "/3", "/2", "/1", "/0"]
    for before, after in pairwise(hops):
        [citation] = crawled.story(after).citations
        assert (citation.url, citation.kind) == (before, LinkKind.REDIRECT)
    rows = crawled.pages(everything=True)
    assert [row.ending for row in rows] == [Ending.REDIRECT] * 5 + [Ending.PAGE]
    assert {row.final_url for row in rows} == {hops[-1]}
    assert rows[-1].url == hops[0]  # a page is known by where its chain began, and by where that led
    assert crawled.story(hops[-1]).depth == 0  # a redirect is no step away


def test_a_chain_longer_than_allowed_ends_with_a_reason(tmp_path: Path) -> None:
    with bad_web() as web:
        crawled = crawl(tmp_path / "crawl", [web.url("redirect-chain")], on(web, "fetch.max_redirects=5"))
        assert len(web.visits("redirect-chain")) == 7
        story = crawled.story(web.url("redirect-chain", "/15"))
    assert (story.state, story.reason) == ("failed", Reason.TOO_MANY_REDIRECTS)


def test_equal_bytes_and_declared_canonicals_are_marked_as_duplicates(tmp_path: Path) -> None:
    with bad_web() as web:
        crawled = crawl(tmp_path / "crawl", [web.url("copies")], on(web, "fetch.concurrency=1"))
        copy = {path: web.url("copies", path) for path in ("/same/a", "/page/0", "/view/1", "/view/2")}
    marks = {row.url.removeprefix(web.url("copies", "")): row.duplicate_of for row in crawled.pages()}
    assert marks == {
        "/": "",
        "/same/a": "",
        "/same/b": copy["/same/a"],
        "/same/c": copy["/same/a"],
        "/page/0": "",
        "/view/1": copy["/page/0"],
        "/view/2": copy["/page/0"],
    }
    assert crawled.summary.census.duplicates == 4
    assert f"the same as that of {copy['/same/a']}" in crawled.why(web.url("copies", "/same/b"))
    kinds = {citation.kind for citation in crawled.story(copy["/page/0"]).citations}
    assert LinkKind.CANONICAL in kinds


def test_near_duplicates_are_marked_and_their_endless_series_is_closed_as_a_trap(tmp_path: Path) -> None:
    with bad_web() as web:
        crawled = crawl(tmp_path / "crawl", [web.url("near-duplicates")], on(web, f"crawl.pages={BOUND}"))
        assert len(web.visits("near-duplicates")) < 50
        first = web.url("near-duplicates")
    assert crawled.summary.cause is StopCause.DRY
    assert {row.near_duplicate_of for row in crawled.pages()} == {"", first}
    closed = [row.url for row in crawled.pages(everything=True) if row.reason is Reason.TRAP]
    assert closed
    assert "closed: of " in crawled.why(closed[0])
    assert "[trap]" in crawled.why(closed[0])


def test_known_session_ids_do_not_make_new_urls(tmp_path: Path) -> None:
    with bad_web() as web:
        crawled = crawl(tmp_path / "crawl", [web.url("sessions")], on(web, f"crawl.pages={BOUND}"))
        assert sorted(visit.path for visit in web.visits("sessions")) == [
            "/",
            "/about",
            "/home",
            "/news",
            "/robots.txt",
        ]
    assert crawled.summary.cause is StopCause.DRY


@pytest.mark.xfail(
    strict=True,
    reason="pages of less than 20 words have no fingerprint, so that each is new; and a path of two folder names in any "
    "order has as many shapes as paths",
)
@pytest.mark.parametrize("name", ["calendar", "soft-404"])
def test_sites_without_end_and_nearly_without_text_are_closed_too(tmp_path: Path, name: str) -> None:
    with bad_web() as web:
        crawled = crawl(tmp_path / "crawl", [web.url(name)], on(web, f"crawl.pages={BOUND}"))
    assert crawled.summary.cause is StopCause.DRY


LOREM = " ".join(f"word{number % 37} and{number % 23}" for number in range(120))


def endless(host: str, path: str) -> Answer:
    """Three sites without end: a calendar, session ids by a parameter that nobody knows, a soft 404."""
    if path == "/robots.txt":
        return Answer(status=404)
    number = sum(path.encode())
    match host:
        case "calendar.test":
            year, month = (
                int(part) for part in (path.removeprefix("/calendar/") if path != "/" else "2024/1").split("/")
            )
            links = [
                f"/calendar/{year + (month == 12)}/{month % 12 + 1}",
                f"/calendar/{year - (month == 1)}/{(month - 2) % 12 + 1}",
            ]
            text = f"{LOREM} month {month} of {year}"
        case "visits.test":
            links = [f"/{name}?visit={number * 7919 + len(path)}" for name in ("home", "news", "about")]
            text = f"{path.partition('?')[0]} " * 30 + LOREM
        case _:
            links = [f"/item/{number}/{turn}" for turn in range(5)]
            text = f"Sorry, this item has gone. {LOREM}"
    items = "".join(f'<a href="{link}">on</a> ' for link in links)
    return Answer(headers=(("Content-Type", "text/html"),), body=f"<title>T</title><p>{text}</p>{items}".encode())


@pytest.mark.parametrize("host", ["calendar.test", "visits.test", "soft-404.test"])
def test_a_site_without_end_is_closed_and_the_crawl_ends_by_itself(tmp_path: Path, host: str) -> None:
    with ServedWeb(endless) as web:
        settings = [*BRISK, f'fetch.resolve={{"*.test" = "127.0.0.1:{web.port}", "{host}" = "127.0.0.1:{web.port}"}}']
        crawled = crawl(tmp_path / "crawl", [f"http://{host}/"], [*settings, f"crawl.pages={BOUND}"])
        requests = len(web.log())
    assert crawled.summary.cause is StopCause.DRY
    assert requests < BOUND
    assert crawled.summary.census.reasons == {"trap": crawled.summary.census.reasons["trap"]}
