"""What a new user meets in the window in the first hour, in a real browser: one server and a few small crawls for all
tests.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.taxonomy import Topic, Topics
from tests.distill.small_crawls import MadeCrawl, MadeUrl, directory_of, link, page
from tests.services.test_status_apprentice import SPOILT
from tests.services.test_status_apprentice import crawl as crawl_with_lessons
from tests.ui.accessible import faint, nameless, small_targets
from tests.ui.in_browser import Watched, window

CYCLING = "Sport/Cycling"
VIEWS = ("", "/results", "/groups", "/company", "/map", "/topics", "/teach", "/sql", "/news", "/settings")
NIGHT = 8 * 3600  # between the first twenty pages and the others
CHART = "window.getElement?.(Number(document.querySelector('.plot')?.id.slice(1)))?.chart"


def _made(name: str, n: int, relevance: float, topic: str) -> MadeUrl:
    at = 1.7e9 + n + (NIGHT if n >= 20 else 0)
    return page(f"http://{name}{n}.test/", relevance, topic=topic, title=f"{name.title()} {n}", fetched_at=at)


URLS = [
    *(_made("tour", n, 0.9 - n / 100, CYCLING) for n in range(30)),
    *(_made("cake", n + 30, 0.2, "Home/Baking") for n in range(5)),
]
TOPICS = Topics(
    topics=(
        Topic(path="Arts"),
        Topic(path="Home/Baking", examples=("http://cake30.test/",)),
        Topic(path=CYCLING, good=True, examples=("http://tour0.test/", "http://tour1.test/")),
    )
)
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of crawls: one that has run, one with an apprentice, two that were never started, and two that are
    damaged.
    """
    crawls = tmp_path_factory.mktemp("first") / "crawls"
    crawl = MadeCrawl(urls=URLS, links=[link(0, 1), link(0, 2), link(2, 3)])
    mine = CrawlDirectory.open(directory_of(crawl, crawls / "mine", TOPICS))
    mine.settings_file.write_text(
        '[fetch]\nresolve = {"*.test" = "127.0.0.1:9"}\n', encoding="utf-8"
    )  # nobody is there
    for name in ("fresh", "tried"):
        CrawlDirectory.create(crawls / name, topics=TOPICS)
    crawl_with_lessons(crawls / "spoilt", SPOILT)
    broken = CrawlDirectory.create(crawls / "broken", topics=TOPICS)
    broken.database.write_bytes(b"this is no database " * 1000)
    garbled = CrawlDirectory.create(crawls / "garbled", topics=TOPICS)
    garbled.settings_file.write_text("contact = [")
    return crawls


@pytest.fixture(scope="module")
def home(folder: Path) -> Iterator[str]:
    with window(folder) as address:
        yield address


@pytest.fixture
def watched(visitor: BrowserContext, home: str) -> Watched:
    return Watched(visitor.new_page(), home)


@pytest.mark.parametrize(
    ("path", "title", "text"),
    [
        ("/crawl/nosuch", "There is no crawl “nosuch” here", "moved or renamed"),
        ("/crawl/broken", "The crawl “broken” cannot be read", "crawl.db"),
        ("/crawl/broken/results", "The crawl “broken” cannot be read", "crawl.db"),
        ("/crawl/garbled/settings", "The crawl “garbled” cannot be read", "crawl.toml: line 1"),
        ("/nowhere", "There is no such page", "/nowhere"),
        ("/crawl/mine/nowhere", "There is no such page", "/crawl/mine/nowhere"),
    ],
)
def test_what_cannot_be_shown_says_why_and_has_a_way_on(watched: Watched, path: str, title: str, text: str) -> None:
    shown = watched.go(path)
    expect(shown.get_by_role("heading", name=title)).to_be_visible()
    expect(shown.locator("main")).to_contain_text(text)
    shown.get_by_role("link", name="All crawls", exact=True).click()
    expect(shown.get_by_role("heading", name="Crawls")).to_be_visible()


def test_a_damaged_crawl_is_a_readable_row_on_a_phone_too(watched: Watched) -> None:
    shown = watched.page
    for width in (390, 1280):
        shown.set_viewport_size({"width": width, "height": 844})
        watched.go("/")
        row = shown.locator(".crawl-line", has_text="broken")
        expect(row.locator(".state")).to_have_text("damaged")
        assert _width(row.locator(".crawl-fault")) > 0.7 * _width(row)
        assert shown.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def _width(one: Locator) -> float:
    box = one.bounding_box()
    assert box is not None
    return box["width"]


def test_monitor_follows_when_examples_were_fetched_and_before_the_start_shows_no_harvest(
    watched: Watched, folder: Path
) -> None:
    """Monitor is looked at before anything is known. Then the critic is tried, which fetches examples and finds links."""
    shown = watched.go("/crawl/tried")
    expect(shown.get_by_text("Nothing waits.")).to_be_visible()
    expect(shown.get_by_text("No host is known yet.")).to_be_visible()
    examples = [page("http://tour.test/", 0.99, topic=CYCLING), page("http://race.test/", 0.98, topic=CYCLING)]
    waiting = [page(f"http://host{n}.test/", ending="waiting") for n in range(12)]
    source = directory_of(MadeCrawl(urls=[*examples, *waiting], links=[]), folder / ".made" / "tried", TOPICS)
    with closing(sqlite3.connect(source / "crawl.db")) as con, con:
        con.execute("UPDATE pages SET counts = 0")
        con.execute("UPDATE hosts SET state = 'ready', waiting = 1 WHERE name LIKE 'host%'")
        con.executemany("INSERT OR REPLACE INTO counters VALUES (?, ?)", [("url:waiting", 12), ("host:ready", 12)])
    (source / "crawl.db").rename(folder / "tried" / "crawl.db")
    expect(_tile(shown, "Frontier")).to_have_text("12")
    expect(shown.get_by_text("Nothing waits.")).to_be_hidden()
    expect(shown.get_by_role("cell", name="host11.test")).to_be_visible()
    expect(_tile(shown, "Harvest now")).to_have_text("–")
    expect(shown.get_by_text("No page has been judged yet")).to_be_visible()
    assert watched.errors == []


def _tile(shown: Page, name: str) -> Locator:
    return shown.locator(".tile", has=shown.get_by_text(name, exact=True)).locator(".tile-value")


def test_monitor_shows_who_leads_and_what_was_expected_beside_what_came(watched: Watched) -> None:
    shown = watched.go("/crawl/spoilt")
    panel = shown.locator("section", has=shown.get_by_role("heading", name="The apprentice"))
    expect(panel.get_by_text("Best-first leads: it has foretold better lately", exact=True)).to_be_visible()
    expect(panel.get_by_role("img", name="best-first leads (0.81 to 0.19)")).to_be_visible()
    rows = panel.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("the latest of these")
    expect(rows.nth(1).get_by_role("img", name="relevance expected 0.95")).to_be_visible()
    expect(rows.nth(1).get_by_role("img", name="relevance came 0.15")).to_be_visible()
    assert nameless(shown) == []
    assert faint(shown) == []


def test_the_time_axis_leaves_idle_gaps_out(watched: Watched) -> None:
    shown = watched.go("/crawl/mine")
    shown.wait_for_function(f"() => {CHART}?.getOption()?.series[0].data.length === 30")
    [axis] = shown.evaluate(f"{CHART}.getOption().xAxis")
    assert (axis["type"], axis["axisLabel"]["formatter"]) == ("value", "{value} s")
    places = shown.evaluate(f"{CHART}.getOption().series.flatMap((series) => series.data.map((dot) => dot[0]))")
    assert max(places) - min(places) < 100  # and a night lies between
    [pause] = shown.evaluate(f"{CHART}.getOption().series[2].markLine.data")
    assert pause["name"] == "8 h later"
    shown.get_by_text("by number").click()
    shown.wait_for_function(f"() => {CHART}.getOption().series[2].markLine.data.length === 0")
    assert watched.errors == []


def test_results_say_how_many_there_are_and_keep_their_filters(watched: Watched, tmp_path: Path) -> None:
    shown = watched.go("/crawl/mine/results")
    expect(shown.get_by_text("30 pages", exact=True)).to_be_visible()
    shown.get_by_label("Words in title or address").fill("tour1")
    expect(shown.get_by_text("11 pages", exact=True)).to_be_visible()
    shown.get_by_label("Relevance at least").fill("0.75")
    expect(shown.get_by_text("7 pages", exact=True)).to_be_visible()
    shown.reload()
    expect(shown.get_by_label("Words in title or address")).to_have_value("tour1")
    expect(shown.get_by_label("Relevance at least")).to_have_value("0.75")
    expect(shown.get_by_text("7 pages", exact=True)).to_be_visible()
    expect(shown.locator("article.hit")).to_have_count(7)
    shown.get_by_role("tab", name="Export").click()
    expect(shown.locator(".counted")).to_have_text("7 pages")
    with shown.expect_download() as started:
        shown.get_by_role("button", name="URLs").click()
    started.value.save_as(tmp_path / "urls.txt")
    wanted = [f"http://tour{n}.test/" for n in (1, *range(10, 16))]
    assert (tmp_path / "urls.txt").read_text().split() == wanted
    assert watched.errors == []


def test_on_a_phone_nothing_is_too_small_for_a_finger_or_too_wide_for_the_screen(browser: Browser, home: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    watched = Watched(context.new_page(), home)
    shown = watched.page
    for view in ("/", "/new", "/nowhere", *(f"/crawl/mine{view}" for view in VIEWS)):
        watched.go(view)
        shown.wait_for_load_state("networkidle")
        assert (view, small_targets(shown)) == (view, [])
        assert (view, shown.evaluate("document.documentElement.scrollWidth")) == (view, 390)
    watched.go("/crawl/mine/results")
    shown.get_by_role("button", name="Tour 2", exact=True).click()
    expect(shown.locator(".page-card").get_by_text("Its story")).to_be_visible()
    assert small_targets(shown) == []
    shown.get_by_role("button", name="Close the card").click()
    shown.get_by_role("tab", name="Hubs").click()
    expect(shown.get_by_text("links between sites")).to_be_visible()
    assert small_targets(shown) == []
