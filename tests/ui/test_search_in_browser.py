"""The search box in a real browser: words, facets that filter, and texts of pages that stay texts."""

import pytest
from playwright.sync_api import expect

from scenthound.taxonomy import Topic, Topics
from tests.distill.small_crawls import MadeCrawl, directory_of, page
from tests.ui.in_browser import CommonWindow

CYCLING = "Sport/Cycling"
SCRIPT = "Tours <img src=x onerror=alert(1)>"
CRAWL = MadeCrawl(
    urls=[
        page("http://tour.test/", 0.9, topic=CYCLING, title=SCRIPT),
        page("http://cake.test/", 0.1, topic="Home", title="Tours of bakeries"),
        page("http://shop.test/", 0.2, topic="Home", title="A shop"),
    ],
    links=[],
)
TOPICS = Topics(topics=(Topic(path=CYCLING, good=True), Topic(path="Home")))


@pytest.mark.slow
def test_words_are_searched_for_and_filtered_by_facets(common: CommonWindow) -> None:
    directory_of(CRAWL, common.folder / "searched", TOPICS)
    watched = common.open()
    shown = watched.go("/crawl/searched/results")
    shown.get_by_label("Search the full text").fill("tours")
    expect(shown.get_by_text("2 of 3 pages match")).to_be_visible()
    shown.get_by_role("button", name="Home (1)").click()
    expect(shown.get_by_text("1 of 3 pages match")).to_be_visible()
    shown.get_by_role("checkbox", name="Choose Tours of bakeries").click()
    expect(shown.get_by_text("1 chosen")).to_be_visible()
    shown.get_by_role("button", name="Find more like these").click()
    shown.get_by_role("button", name="No longer look for pages like Tours of bakeries").click()
    expect(shown.get_by_text("pages match")).to_have_count(0)
    shown.get_by_label("Search the full text").fill("tours")
    expect(shown.get_by_text("2 of 3 pages match")).to_be_visible()
    shown.get_by_role("checkbox", name="Choose Tours of bakeries").click()
    shown.get_by_role("button", name="Less like these").click()
    expect(shown.get_by_text("The critic learns from 1 page.")).to_be_visible()
    shown.get_by_text("Ranking").click()
    expect(shown.get_by_role("slider", name="Weight of text")).to_be_visible()
    shown.get_by_label("Search the full text").fill("tours AND")
    expect(shown.get_by_text("cannot be read at character 10")).to_be_visible()
    assert watched.errors == []
    assert watched.elsewhere == []
