"""The map in a real browser: drawn around a topic, read as a table, expanded and centred; titles of pages stay text."""

import pytest
from playwright.sync_api import expect

from scenthound.taxonomy import Topic, Topics
from tests.distill.small_crawls import MadeCrawl, directory_of, link, page
from tests.ui.in_browser import CommonWindow, Watched

CYCLING = "Sport/Cycling"
SCRIPT = "<img src=x onerror=alert(1)>"
CRAWL = MadeCrawl(
    urls=[
        page("http://tour.test/", 0.9, topic=CYCLING, title=SCRIPT),
        page("http://cake.test/", 0.1, topic="Home", title="כותרת מימין לשמאל"),
        page("http://shop.test/", 0.2, topic="Home", title="A shop"),
    ],
    links=[link(0, 1), link(1, 2)],
)
TOPICS = Topics(topics=(Topic(path=CYCLING, good=True), Topic(path="Home")))


PATIENCE_IN_CLICKS = 10


@pytest.mark.slow
def test_a_map_is_moved_in(common: CommonWindow) -> None:
    directory_of(CRAWL, common.folder / "mapped", TOPICS)
    watched = common.open()
    shown = watched.go("/crawl/mapped/map")
    expect(shown.get_by_text("2 pages, 1 link")).to_be_visible()
    expect(shown.locator(".legend")).to_contain_text(CYCLING)
    _click_the_only_large_dot(watched)
    shown.get_by_text("The map as a table").click()
    rows = shown.locator(".map-table tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text(SCRIPT)
    more = rows.nth(1).get_by_role("button", name="Also show the pages around")
    for _ in range(PATIENCE_IN_CLICKS):  # a click while the table still unfolds may miss
        if more.count():
            more.click()
        try:
            expect(rows).to_have_count(3, timeout=3_000)
            break
        except AssertionError:
            continue
    expect(rows).to_have_count(3)
    shown.goto(f"{common.home.rstrip('/')}/crawl/mapped/map?url=http://shop.test/")
    expect(shown.get_by_text("2 pages, 1 link")).to_be_visible()
    expect(shown.locator(".map-beside h2")).to_have_text("A shop")
    assert watched.errors == []
    assert watched.elsewhere == []


def _click_the_only_large_dot(watched: Watched) -> None:
    """Find the dot with the ring by its colour on the canvas, and click it: its page is told about."""
    place = watched.page.locator(".map canvas").evaluate(
        """canvas => {
            const {width, height} = canvas, data = canvas.getContext('2d').getImageData(0, 0, width, height).data;
            let x = 0, y = 0, n = 0;
            for (let i = 0; i < data.length; i += 4)
                if (data[i] === 0xe0 && data[i + 1] === 0x8a && data[i + 2] === 0x1e) {
                    x += (i / 4) % width; y += Math.floor(i / 4 / width); n += 1;
                }
            return n ? {x: x / n, y: y / n} : null;
        }"""
    )
    assert place is not None
    watched.page.locator(".map canvas").click(position=place)
    expect(watched.page.locator(".map-beside h2")).to_have_text(SCRIPT)
