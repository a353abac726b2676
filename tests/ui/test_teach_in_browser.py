"""Teach in a real browser: from two addresses through the learning phase to the harvest, and the answers on the way."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.taxonomy import Topic, Topics
from tests.crawl.topical_web import topical_web, url
from tests.ui.in_browser import CommonWindow

WANTED = Topics(topics=(Topic(path="birds", good=True, examples=(url("birds", 0), url("birds", 20))),))


@pytest.mark.slow
def test_two_addresses_lead_to_the_harvest_and_answers_teach(common: CommonWindow, tmp_path: Path) -> None:
    with topical_web() as served:
        plain = CrawlDirectory.create(tmp_path / "plain", topics=WANTED)
        settings = plain.settings(served.settings("crawl.phases=auto"))
        directory = CrawlDirectory.create(common.folder / "taught", topics=WANTED, settings=settings)
        watched = common.open()
        shown = watched.go("/crawl/taught/teach")
        expect(shown.get_by_text("No page to ask about yet")).to_be_visible()
        shown.get_by_role("button", name="Start the crawl").click()
        shown.locator(".dialog").get_by_role("button", name="Start").click()
        expect(shown.get_by_text("Harvesting since page")).to_be_visible()
        expect(shown.get_by_text("Stopped")).to_be_visible()
        shown.get_by_role("button", name="Choose pages again").click()
        expect(shown.locator(".proposal")).to_have_count(10)
        first = shown.locator(".proposal").first
        first.get_by_role("button", name="Yes").click()
        expect(first.get_by_text("has 1 more example")).to_be_visible()
        shown.locator(".proposal").nth(1).get_by_role("button", name="A part of").click()
        shown.locator(".dialog").get_by_role("checkbox").first.click()
        shown.get_by_role("button", name="Use these parts").click()
        expect(shown.locator(".q-notification").filter(has_text="1 more example")).to_be_visible()
        assert watched.errors == []
        assert watched.elsewhere == []
    [topic] = directory.topics().good
    assert (len(topic.example_urls), len(topic.example_files)) == (3, 1)
