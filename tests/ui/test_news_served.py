"""Questions, news and feeds over HTTP: with a login, and for feed readers with their secret address alone."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Browser, expect

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.crawls.crawl_list import Crawls
from scenthound.services.news.book_edits import add_channel
from scenthound.services.news.watch_process import resume_watches, start_watch, stop_watch, watch_state
from scenthound.settings.question_book import NewsCommand
from tests.patience import until
from tests.services.asked_crawl import PAGES_SQL, asked_crawl, grow
from tests.ui.in_browser import Watched, window
from tests.ui.owner import set_by_owner
from tests.ui.serving import Served, served

pytestmark = pytest.mark.slow

TOKEN = {"authorization": "Bearer secret"}
API = "/api/crawls/mine"


@pytest.fixture
def directory(tmp_path: Path) -> CrawlDirectory:
    made = asked_crawl(tmp_path / "mine")
    set_by_owner(made, "fetch.resolve", {"*.test": "127.0.0.1:9"})  # nobody is there
    return made


@pytest.fixture
def home(directory: CrawlDirectory) -> Iterator[Served]:
    with served(directory.path, token="secret") as found:
        found.client.headers.update(TOKEN)
        yield found


def test_a_question_over_http(home: Served, directory: CrawlDirectory) -> None:
    made = home.client.post(f"{API}/questions", json={"name": "pages", "sql": PAGES_SQL})
    assert (made.status_code, made.json()["says"][0][:22]) == (201, "pages: 3 rows remember")
    grow(directory, "alps", "Tours of the Alps")
    assert home.client.post(f"{API}/questions/run").json()["says"][0] == "pages: 1 new of 4 rows"
    assert [item["title"] for item in home.client.get(f"{API}/news").json()] == ["Tours of the Alps"]
    assert home.client.get(f"{API}/questions").json()["questions"][0]["new"] == 1
    assert home.client.request("DELETE", f"{API}/questions", params={"name": "pages"}).status_code == 200
    assert home.client.get(f"{API}/questions").json()["questions"] == []


def test_what_cannot_be_asked_is_one_sentence(home: Served) -> None:
    for wrong in ({"name": "x"}, {"name": "", "search": "a"}, {"name": "x", "sql": "DROP TABLE pages"}):
        answer = home.client.post(f"{API}/questions", json=wrong)
        assert (answer.status_code, list(answer.json())) == (400, ["error"])
    assert home.client.post(f"{API}/watch", json={"every": "often"}).status_code == 400


def test_neither_webhooks_nor_commands_can_be_set_over_http(home: Served, directory: CrawlDirectory) -> None:
    for more in ({"command": ["sh"]}, {"webhook": "http://a.test/"}, {"run": ["sh"]}):
        answer = home.client.post(f"{API}/questions", json={"name": "x", "search": "a"} | more)
        assert answer.status_code == 400
    hostile = {"name": "x]\n[[command]]\nrun=['sh']", "search": "a"}
    assert home.client.post(f"{API}/questions", json=hostile).status_code == 400
    words = 'a"""\n[[command]]\nrun = ["touch", "mark"]\n#'
    assert home.client.post(f"{API}/questions", json={"name": "y", "sql": f"SELECT 1 -- {words}"}).status_code in (
        201,
        400,
    )
    assert home.client.get(f"{API}/questions").json()["channels"] == []


def test_a_feed_reader_needs_the_secret_address_and_nothing_else(home: Served, directory: CrawlDirectory) -> None:
    home.client.post(f"{API}/questions", json={"name": "pages", "sql": PAGES_SQL, "report_first": True})
    path = home.client.get(f"{API}/feed").json()["path"]
    del home.client.headers["authorization"]
    answer = home.client.get(path)
    assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, "application/atom+xml")
    assert len(ET.fromstring(answer.content).findall("{http://www.w3.org/2005/Atom}entry")) == 3
    assert len(home.client.get(path, params={"question": "none"}).text.split("<entry>")) == 1
    assert home.client.get(path.replace("/news.atom", "x/news.atom")).status_code == 404
    assert home.client.get("/feeds/other/x/news.atom").status_code == 404
    assert home.client.get(f"{API}/news").status_code == 401
    assert home.client.get("/feeds/../api/crawls", follow_redirects=False).status_code in (303, 401, 404)


def test_a_watch_of_the_window_is_taken_up_again(directory: CrawlDirectory) -> None:
    start_watch(directory, "6h")
    assert until(lambda: watch_state(directory).running)
    first = watch_state(directory)
    assert first.wanted == "6h"
    assert first.process
    crawls = Crawls.at(directory.path)
    assert resume_watches(crawls) == []
    os.kill(first.process, signal.SIGKILL)
    assert until(lambda: not watch_state(directory).running)
    assert resume_watches(crawls) == ["mine"]
    assert until(lambda: watch_state(directory).running)
    stop_watch(directory)
    assert until(lambda: not watch_state(directory).running)
    assert resume_watches(crawls) == []


def test_a_search_is_kept_and_its_news_shown(browser: Browser, directory: CrawlDirectory) -> None:
    add_channel(directory, NewsCommand(run=("true",)))
    with window(directory.path) as address:
        watched = Watched(browser.new_page(), address)
        shown = watched.go("/crawl/mine/results")
        shown.get_by_label("Search the full text").fill("tours")
        shown.get_by_role("button", name="Save this search").click()
        shown.get_by_label("Name").fill("tours <b>")
        shown.get_by_text("What is there now is news too").click()
        shown.get_by_role("button", name="Keep asking", exact=True).click()
        expect(shown.get_by_text("tours <b>: 2 new of 2 rows")).to_be_visible()
        watched.go("/crawl/mine")
        expect(shown.get_by_text("2 new items, the last for “tours <b>”")).to_be_visible()
        watched.go("/crawl/mine/news")
        expect(shown.get_by_text("Tours of bakeries")).to_be_visible()
        expect(shown.get_by_text("The command true")).to_be_visible()
        shown.get_by_role("button", name="Remove the question tours <b>").click()
        expect(shown.get_by_text("No news yet")).to_be_visible()
        assert watched.errors == []
        assert watched.elsewhere == []
