"""The window in a real browser: from an empty folder to exported results on the demo web, by clicks alone."""

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from scenthound.cli.work.demo_run import TOPIC, demo_settings
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedApart
from scenthound.demo.web import DemoWeb
from scenthound.settings.help import toml_value
from scenthound.topics.url_topics import topics_of_urls
from tests.ui.in_browser import CommonWindow, Watched, window
from tests.ui.owner import set_by_owner

PAGES = 80
CHART = "window.getElement?.(Number(document.querySelector('.plot')?.id.slice(1)))?.chart"


def bookmarks(web: DemoWeb) -> str:
    """Write a bookmark file with a folder for each of some topics."""
    topics = [TOPIC, *(topic for topic in web.topics if not topic.startswith(TOPIC))][:6]
    folders = "".join(
        f"<DT><H3>{topic.rpartition('/')[2]}</H3><DL><p>"
        + "".join(f'<DT><A HREF="{url}">x</A>' for url in web.seeds(topic, 6))
        + "</DL><p>"
        for topic in topics
    )
    return f"<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>{folders}</DL><p>"


def settings_lines(web: DemoWeb, port: int) -> str:
    fetch = demo_settings(web, port, pages=PAGES).fetch
    names = ("delay", "max_delay", "delay_factor", "per_domain", "per_ip", "first_byte_timeout", "timeout")
    return "\n".join(f"fetch.{name} = {toml_value(getattr(fetch, name))}" for name in names)


@pytest.mark.slow
def test_from_an_empty_folder_to_exported_results(browser: Browser, tmp_path: Path) -> None:
    web = DemoWeb(7)
    folder = tmp_path / "crawls"
    folder.mkdir()
    file = tmp_path / "bookmarks.html"
    file.write_text(bookmarks(web), encoding="utf-8")
    with ServedApart(web.answer) as served, window(folder) as home:
        watched = Watched(browser.new_page(), home)
        page = watched.go("/")
        expect(page.get_by_text("No crawl yet")).to_be_visible()
        _make(page, file, settings_lines(web, served.port))
        _mark_good(page)
        resolve = demo_settings(web, served.port, pages=PAGES).fetch.resolve
        set_by_owner(CrawlDirectory(path=folder / "bikes"), "fetch.resolve", resolve)
        _start(page)
        _watch(page)
        _correct(page, CrawlDirectory(path=folder / "bikes"))
        _ask(page)
        _take_away(page, tmp_path)
        assert watched.elsewhere == []
        assert watched.errors == []


@pytest.mark.slow
def test_a_crawl_is_made_of_pasted_addresses_or_words(common: CommonWindow) -> None:
    watched = common.open()
    page = watched.go("/new")
    make = page.get_by_role("button", name="Create")
    make.click()
    expect(page.get_by_text("Give it a name.")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("bikes")
    make.click()
    expect(page.get_by_text("Give at least one address")).to_be_visible()
    page.get_by_label("URLs, one per line").fill("https://tour.test/\nhttps://race.test/")
    page.get_by_label("Name of the topic").fill("Cycling")
    page.get_by_label("Your e-mail address or URL").fill('"Ann" <ann@example.org>')
    make.click()
    expect(page.get_by_role("checkbox", name="Cycling")).to_be_checked()
    page = watched.go("/new")
    page.get_by_label("Name", exact=True).fill("tours")
    page.get_by_role("tab", name="Words").click()
    page.get_by_label("Words that describe what you want").fill("touring bicycles")
    page.get_by_label("URLs to start from, one per line").fill("https://tour.test/")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_text("“touring bicycles”")).to_be_visible()
    assert watched.errors == []
    [cycling] = CrawlDirectory.open(common.folder / "bikes").topics().good
    assert (cycling.path, len(cycling.examples)) == ("Cycling", 2)
    contacts = [CrawlDirectory.open(common.folder / name).settings().fetch.contact for name in ("bikes", "tours")]
    assert contacts == ['"Ann" <ann@example.org>', ""]


@pytest.mark.slow
def test_what_opens_private_networks_or_runs_code_is_shown_and_not_set(common: CommonWindow) -> None:
    directory = CrawlDirectory.create(common.folder / "private", topics=topics_of_urls(["http://a.test/"]))
    set_by_owner(directory, "fetch.allow_private", ["10.0.0.0/8"])
    watched = common.open()
    page = watched.go("/crawl/private/settings")
    private = page.get_by_label("fetch.allow_private")
    expect(private).to_have_value('["10.0.0.0/8"]')
    expect(private).not_to_be_editable()
    expect(page.get_by_text("Set it in crawl.toml, not here: it opens private networks to the crawl.")).to_have_count(2)
    page.get_by_label("crawl.order").fill('"os:system"')
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("a function runs code; write it into crawl.toml yourself")).to_be_visible()
    page.get_by_label("crawl.order").fill('"breadth"')
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved: crawl.order.")).to_be_visible()
    assert watched.errors == []
    assert directory.settings().crawl.order == "breadth"


def _make(page: Page, file: Path, settings: str) -> None:
    page.get_by_role("button", name="New crawl").click()
    page.get_by_label("Name", exact=True).fill("bikes")
    page.get_by_role("tab", name="Bookmarks").click()
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("bookmarks.html was read.")).to_be_visible()
    page.get_by_text("Settings for this crawl").click()
    page.get_by_label("One per line, such as").fill(settings)
    page.get_by_role("button", name="Create").click()


def _mark_good(page: Page) -> None:
    expect(page.get_by_text("None is good yet")).to_be_visible()
    page.get_by_role("checkbox", name="Cycling").click()
    expect(page.get_by_text("None is good yet")).to_be_hidden()


def _start(page: Page) -> None:
    page.get_by_role("link", name="Monitor").click()
    expect(page.get_by_text("No page has been judged yet")).to_be_visible()
    page.get_by_role("button", name="Start the crawl").click()
    page.get_by_label("Stop after this many pages in total").fill(str(PAGES))
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)


def _watch(page: Page) -> None:
    expect(page.get_by_text("Stopped: page budget reached")).to_be_visible()
    expect(page.locator(".tile-value").first).to_have_text(str(PAGES))
    page.reload()  # the dots are there for one who comes later too
    page.wait_for_function(f"() => {CHART}?.getOption().series[0].data.length > 5")
    box = page.locator(".plot canvas").bounding_box()
    assert box is not None
    assert box["width"] > 300


def _correct(page: Page, directory: CrawlDirectory) -> None:
    """Say that the best page is not good: within seconds it is less relevant, and after undoing as relevant as before."""
    page.get_by_role("link", name="Results").click()
    first = page.locator("article.hit").first
    first.locator(".page-title").click()
    card = page.locator(".page-card")
    expect(card.get_by_text("Why it was judged so")).to_be_visible()
    address = card.locator("a.outside").first.inner_text()
    before = _relevance(page, address)
    listed = page.locator("article.hit", has=page.get_by_role("link", name=address, exact=True))
    judged_before = listed.get_by_role("img", name=f"relevance {before:.2f}")
    expect(judged_before).to_have_count(1)
    card.get_by_role("button", name="Not good").click()
    expect(page.get_by_text("The critic learns from your feedback")).to_be_visible()
    page.wait_for_function(_RELEVANCE_IS.format(sign="<"), arg=[address, before - 0.2], polling=300)
    expect(judged_before).to_have_count(0)  # in the list too, without a reload
    expect(page.get_by_text("The critic learns from your feedback")).to_be_hidden()
    expect(page.locator(".found-head")).to_contain_text("page")
    card.get_by_role("button", name="Undo the feedback").click()
    page.wait_for_function(_RELEVANCE_IS.format(sign=">"), arg=[address, before - 0.05], polling=300)
    card.get_by_role("tab", name="Copy").click()
    copy = card.frame_locator("iframe")
    expect(copy.locator("body")).not_to_be_empty()
    card.get_by_role("button", name="Close the card").click()
    assert directory.topics().find("Not wanted") is None or not directory.topics().find("Not wanted").examples  # type: ignore[union-attr]


_RELEVANCE_IS = """async ([url, bound]) => {{
    const answer = await fetch('/api/crawls/bikes/page?url=' + encodeURIComponent(url));
    return answer.ok && (await answer.json()).page.relevance {sign} bound;
}}"""


def _relevance(page: Page, url: str) -> float:
    return float(
        page.evaluate(
            "async (url) => (await (await fetch('/api/crawls/bikes/page?url=' + encodeURIComponent(url))).json()).page.relevance",
            url,
        )
    )


def _ask(page: Page) -> None:
    page.get_by_role("link", name="SQL").click()
    lines = page.locator(".cm-line")
    expect(lines).to_have_count(5)
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(page.locator(".rows tbody tr").first).to_be_visible()
    expect(lines).to_have_count(5)  # it asks, and adds no line
    expect(page.get_by_text("20 rows")).to_be_visible()
    page.get_by_label("Recipes").click()
    page.get_by_role("option", name="Census of topics").click()
    expect(page.locator(".cm-content")).to_contain_text("TAXONOMY")


def _take_away(page: Page, folder: Path) -> None:
    page.get_by_role("link", name="Results").click()
    page.get_by_role("tab", name="Export").click()
    with page.expect_download() as started:
        page.get_by_role("button", name="CSV").click()
    path = folder / "saved.csv"
    started.value.save_as(path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 5
    assert all(float(row["relevance"]) >= 0.5 for row in rows)
