"""Trying to break in, in a real browser: from another site, by guesses, by paths, by size, by SQL."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.taxonomy import Topic, Topics
from tests.distill.small_crawls import MadeCrawl, directory_of, page
from tests.ui.in_browser import Watched, window

CRAWL = MadeCrawl(urls=[page("http://tour.test/", 0.9, topic="Cycling", fetched_at=1.0)], links=[])
TOPICS = Topics(topics=(Topic(path="Cycling", good=True, examples=("http://tour.test/",)),))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    directory_of(CRAWL, tmp_path / "crawls" / "mine", TOPICS)
    return tmp_path / "crawls"


@pytest.mark.slow
def test_another_site_gets_nothing_done(browser: Browser, folder: Path) -> None:
    with window(folder) as home:
        api = f"{home}api/crawls/mine"
        site = f"""<form id=f method=post action="{api}/topics" enctype="text/plain">
        <input name='{{"edit":"remove","topic":"Cycling","query":"' value='"}}'></form><img src="{home}archived/mine/1">"""

        def evil(_host: str, _path: str) -> Answer:
            return Answer(headers=(("Content-Type", "text/html"),), body=site.encode())

        with ServedWeb(evil) as elsewhere:
            shown = browser.new_page()
            shown.goto(f"http://localhost:{elsewhere.port}/")
            tried = shown.evaluate(
                """async (api) => {
                const post = fetch(api + '/stop', {method: 'POST', mode: 'no-cors'}).then(() => 'sent', () =>
                'refused'); const read = fetch(api + '/status').then(() => 'read', () => 'refused'); const socket = new
                Promise((done) => {
                    const one = new WebSocket(api.replace('http', 'ws').replace(/api.*/,
                    '_nicegui_ws/socket.io/?EIO=4&transport=websocket')); one.onopen = () => done('open'); one.onerror =
                    () => done('refused');
                });
                return [await post, await read, await socket];
            }""",
                api,
            )
            assert tried == ["refused", "refused", "refused"]
            with shown.expect_navigation():
                shown.evaluate("document.getElementById('f').submit()")
            assert "Another site caused this request" in shown.inner_text("body")
    assert CrawlDirectory.open(folder / "mine").topics() == TOPICS


@pytest.mark.slow
def test_guesses_paths_sizes_and_questions(browser: Browser, folder: Path) -> None:
    with window(folder, "--token") as printed:
        home = printed.partition("?")[0]
        context = browser.new_context()
        stranger = context.new_page()
        stranger.goto(f"{home}crawl/mine")
        expect(stranger.get_by_text("asks for the token")).to_be_visible()
        stranger.get_by_label("Token").fill("guess")
        stranger.get_by_role("button", name="Log in").click()
        expect(stranger.get_by_text("That is not the token.")).to_be_visible()
        assert context.request.get(f"{home}api/crawls").status == 401

        watched = Watched(browser.new_context().new_page(), home)
        shown = watched.page
        shown.goto(printed)
        shown.wait_for_selector("main")
        assert shown.url == home
        assert shown.evaluate("document.cookie").find("scenthound_") == -1  # no script can read the session
        asked = shown.evaluate(
            """async () => {
            const status = async (path, body) => (await fetch(path, body && {method: 'POST', body, headers:
            {'content-type': 'application/json'}})).status; return [
                await status('/api/crawls/..%2f..%2fetc/status'), await status('/static/..%2f..%2fserve.py'),
                await status('/api/crawls', JSON.stringify({name: '../out', urls: ['http://a.test/']})),
                await status('/api/crawls/mine/sql', 'x'.repeat(2e6)), await status('/api/crawls', 'x'.repeat(2.1e7)),
            ];
        }"""
        )
        assert asked == [404, 404, 400, 413, 413]
        watched.go("/crawl/mine/sql")
        shown.locator(".cm-content").fill("DELETE FROM pages")
        shown.get_by_role("button", name="Ask", exact=True).click()
        expect(shown.get_by_text("DELETE is refused")).to_be_visible()
        assert watched.elsewhere == []
