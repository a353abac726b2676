"""Groups in a real browser: drawn, walked into, made a topic; and the company of topics with its links."""

import pytest
from playwright.sync_api import expect

from tests.services.grouped_crawl import CYCLING, grouped_crawl
from tests.ui.in_browser import CommonWindow


@pytest.mark.slow
def test_groups_are_walked_into_and_made_topics(common: CommonWindow) -> None:
    grouped_crawl(common.folder / "grouped")
    watched = common.open()
    shown = watched.go("/crawl/grouped/groups?groups=3")
    expect(shown.get_by_text("48 pages fall into 3 groups. Left out: 1 page without text.")).to_be_visible()
    expect(shown.locator(".hits .hit")).to_have_count(3)
    shown.locator(".hits .hit").first.get_by_role("button", name="Groups in").click()
    expect(shown.locator(".hits .hit .place").first).to_have_text("1.1")
    assert "into=1" in shown.url
    shown.get_by_role("button", name="Back to all groups").click()
    expect(shown.locator(".hits .hit .place").first).to_have_text("1")
    shown.locator(".hits .hit", has_text=CYCLING).first.get_by_role("button", name="a topic").click()
    shown.get_by_label("Name").fill("Gears")
    shown.get_by_role("button", name="Make it").click()
    expect(shown.locator(".q-notification").filter(has_text=f"{CYCLING}/Gears")).to_be_visible()
    assert watched.errors == []
    assert watched.elsewhere == []


@pytest.mark.slow
def test_the_links_between_topics_are_shown(common: CommonWindow) -> None:
    grouped_crawl(common.folder / "in company")
    watched = common.open()
    shown = watched.go("/crawl/in company/company")
    expect(shown.get_by_text("3 links between sites, from 49 judged pages.")).to_be_visible()
    shown.get_by_role("button", name=f"Links from Home to {CYCLING}").click()
    expect(shown.locator(".dialog").get_by_text("http://bread0.test/")).to_be_visible()
    assert watched.errors == []
    assert watched.elsewhere == []
