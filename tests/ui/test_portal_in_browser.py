"""A portal in a real browser, from file://, without a server: search, keys, phone and dark, and texts that stay texts."""

import shutil
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from threading import Thread
from urllib.request import url2pathname

import pytest
from playwright.sync_api import Browser, Page, expect

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.portal.portal_types import PageGroup, PortalWish
from scenthound.services.portal.publication import publish
from tests.services.portal_world import PAGES, WorldPage, world
from tests.services.test_portal import hostile
from tests.ui.accessible import faint, nameless, small_targets, unseen_focus
from tests.ui.in_browser import Watched

VIEWS = (
    "index.html",
    "topic/sport-cycling.html",
    "topic/sport-cycling-touring-all.html",
    "search.html?q=rider",
    "about.html",
)
MORE = tuple(
    WorldPage(url=f"http://ride{n}.test/", title=f"Ride number {n}", text="A rider rides through rain and shine. " * 4)
    for n in range(14)
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> str:
    place = tmp_path_factory.mktemp("portal")
    crawl = CrawlDirectory.open(world(place / "Slow wheels", (*PAGES, *MORE)))
    publish(
        crawl, PortalWish(out=place / "site", groups=lambda topic, ids: [PageGroup(label="Rain", pages=tuple(ids))])
    )
    shutil.rmtree(crawl.path)
    return (place / "site").as_uri()


def opened(browser: Browser, site: str, **context: object) -> Watched:
    return Watched(browser.new_context(**context).new_page(), site)  # type: ignore[arg-type]


@pytest.mark.slow
def test_search_finds_pages_from_a_file_by_words_beginnings_and_other_forms(browser: Browser, site: str) -> None:
    watched = opened(browser, site)
    shown = watched.go("/index.html")
    shown.get_by_label("Search all pages").fill("deraill uberpass")
    shown.keyboard.press("Enter")
    expect(shown.get_by_role("status")).to_have_text("1 page found")
    hit = shown.locator("#hits .title")
    expect(hit).to_have_text("Over the Überpass")
    expect(hit).to_have_attribute("href", "http://tours.test/pass")
    expect(hit).to_have_attribute("rel", "nofollow noopener")
    expect(shown.locator("#hits mark").first).to_have_text("Überpass")
    field = shown.get_by_label("Words to search for")
    field.fill("cobble")
    expect(shown.locator("#hits .title")).to_have_text("Spring classics")
    field.fill("cobbling")
    expect(shown.locator("#hits .title")).to_have_text("Spring classics")
    field.fill("cobbles derailleur")
    expect(shown.get_by_role("status")).to_have_text("No page has all words; 2 pages with some of them")
    field.fill("zeppelin")
    expect(shown.get_by_role("status")).to_contain_text("No page has these words")
    expect(shown.locator("#hits li")).to_have_count(0)
    assert (watched.errors, watched.elsewhere) == ([], [])


class _Handler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.mark.slow
def test_a_plain_server_of_files_is_enough(browser: Browser, site: str) -> None:
    folder = url2pathname(site.removeprefix("file://"))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        watched = opened(browser, f"http://127.0.0.1:{server.server_port}")
        shown = watched.go("/search.html?q=cobbles")
        expect(shown.locator("#hits .title")).to_have_text("Spring classics")
        assert (watched.errors, watched.elsewhere) == ([], [])
        server.shutdown()


@pytest.mark.slow
def test_everything_is_reached_by_keys(browser: Browser, site: str) -> None:
    watched = opened(browser, site)
    shown = watched.go("/topic/sport-cycling.html")
    shown.keyboard.press("Tab")
    expect(shown.get_by_text("Skip to the content")).to_be_focused()
    shown.keyboard.press("/")
    expect(shown.get_by_label("Search all pages")).to_be_focused()
    shown.keyboard.type("rider")
    shown.keyboard.press("Enter")
    expect(shown.locator("#hits li")).to_have_count(10)
    shown.keyboard.press("ArrowDown")
    expect(shown.locator("#hits .title").first).to_be_focused()
    shown.keyboard.press("ArrowDown")
    expect(shown.locator("#hits .title").nth(1)).to_be_focused()
    shown.keyboard.press("Escape")
    expect(shown.get_by_label("Words to search for")).to_be_focused()
    shown.get_by_role("button", name="More pages").focus()
    shown.keyboard.press("Enter")
    expect(shown.locator("#hits .title").nth(10)).to_be_focused()
    assert watched.errors == []


@pytest.mark.slow
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_every_view_suits_all_readers_on_laptop_and_phone(browser: Browser, site: str, colours: str) -> None:
    axe = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    for size in ((1280, 800), (390, 844)):
        watched = opened(browser, site, color_scheme=colours, viewport={"width": size[0], "height": size[1]})
        for view in VIEWS:
            shown = watched.go(f"/{view}")
            if view.startswith("search"):
                expect(shown.locator("#hits li")).to_have_count(10)
            shown.evaluate(axe)
            found = shown.evaluate(
                "axe.run({preload: false}).then((told) => told.violations.map((one) => one.id + ' ' + one.nodes[0].html))"
            )
            assert (view, size, found) == (view, size, [])
            assert (view, faint(shown), nameless(shown)) == (view, [], [])
            assert not shown.evaluate("document.documentElement.scrollWidth > innerWidth"), view
        assert list(unseen_focus(shown, 8)) == []
        assert [one for one in small_targets(watched.go("/search.html")) if "Search" in one or "More" in one] == []
        assert (watched.errors, watched.elsewhere) == ([], [])


@pytest.mark.slow
def test_what_a_web_says_never_runs(browser: Browser, tmp_path: Path) -> None:
    publish(CrawlDirectory.open(hostile(tmp_path / "crawl")), PortalWish(out=tmp_path / "site"))
    watched = opened(browser, (tmp_path / "site").as_uri())
    names = sorted(path.relative_to(tmp_path / "site").as_posix() for path in (tmp_path / "site").rglob("*.html"))
    for name in (*names, "search.html?q=<img src=x onerror=window.hacked=1> words"):
        shown = watched.go(f"/{name}")
        if "?" in name:
            expect(shown.locator("#hits li").first).to_be_visible()
        assert shown.evaluate("window.hacked") is None
    assert (watched.errors, watched.elsewhere) == ([], [])
    _policy_holds(shown)


def _policy_holds(shown: Page) -> None:
    """Not even markup that got into a page would run, or load anything from elsewhere."""
    shown.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.hacked=1\">')")
    shown.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {src: 'http://elsewhere.test/x.js'}))"
    )
    shown.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'window.hacked=1'}))")
    refused = shown.evaluate(
        "new Promise((done) => { document.addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective));"
        " document.body.append(Object.assign(document.createElement('img'), {src: 'http://elsewhere.test/x.png'})); })"
    )
    assert refused == "img-src"
    assert shown.evaluate("window.hacked") is None
