"""Setting up in a real browser with the canonical topic tree: paste addresses, see where they belong, tick what is
looked for.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedWeb
from scenthound.settings.file import override
from scenthound.settings.schema import Settings
from scenthound.taxonomy import Topic, Topics
from tests.services.planets import BREAD, SOLAR, answer, url
from tests.ui.in_browser import Watched, headless, window


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with headless() as found:
        yield found


@pytest.fixture(scope="module")
def settings() -> Iterator[list[str]]:
    with ServedWeb(answer) as web:
        yield [f'fetch.resolve={{"*.example" = "127.0.0.1:{web.port}"}}', "fetch.delay=0.01"]


@pytest.mark.slow
def test_a_topic_of_a_new_crawl_is_named_by_one_click(browser: Browser, tmp_path: Path, settings: list[str]) -> None:
    with window(tmp_path, *by_owner(settings)) as home:
        watched = Watched(browser.new_page(), home)
        page = watched.go("/new")
        _fill(page, "planets", [url("saturn"), url("moon"), url("mond")])
        _ask(page)
        expect(page.get_by_text('its language is "de"; the tree reads English only')).to_be_visible()
        page.get_by_role("checkbox", name=SOLAR).click()
        expect(page.get_by_label("Name of the topic")).to_have_value(SOLAR)
        page.get_by_role("checkbox", name="Science/Astronomy", exact=True).click()
        expect(page.get_by_label("Name of the topic")).to_have_value("Science/Astronomy")
        expect(page.get_by_role("checkbox", name=SOLAR)).not_to_be_checked()
        page.get_by_role("checkbox", name=SOLAR).click()
        page.get_by_role("button", name="Create").click()
        expect(page.get_by_role("checkbox", name="Solar system")).to_be_checked()
        assert watched.errors == []
        assert watched.elsewhere == []
    [topic] = CrawlDirectory.open(tmp_path / "planets").topics().topics
    assert (topic.path, topic.good, len(topic.examples)) == (SOLAR, True, 3)


@pytest.mark.slow
def test_several_places_become_several_good_topics(browser: Browser, tmp_path: Path, settings: list[str]) -> None:
    with window(tmp_path, *by_owner(settings)) as home:
        watched = Watched(browser.new_page(), home)
        page = watched.go("/new")
        _fill(page, "mixed", [url("saturn"), url("bread"), url("missing")])
        page.get_by_role("button", name="Find their topics").click()
        page.get_by_role("checkbox", name=SOLAR).click()
        page.get_by_role("checkbox", name=BREAD).click()
        expect(page.get_by_label("Name of the topic")).to_have_value("")
        expect(page.get_by_text('<b>Bread</b> & "cakes": ')).to_be_visible()
        page.get_by_role("button", name="Create").click()
        expect(page.get_by_role("checkbox", name="Solar system")).to_be_checked()
        assert watched.errors == []
    made = CrawlDirectory.open(tmp_path / "mixed")
    assert {topic.path: topic.examples for topic in made.topics().good} == {
        SOLAR: (url("saturn"), url("missing")),
        BREAD: (url("bread"),),
    }


@pytest.mark.slow
def test_what_cannot_be_asked_is_said(browser: Browser, tmp_path: Path, settings: list[str]) -> None:
    with window(tmp_path, *by_owner(settings)) as home:
        page = Watched(browser.new_page(), home).go("/new")
        page.get_by_role("button", name="Find their topics").click()
        expect(page.get_by_text("Give at least one address")).to_be_visible()
        _fill(page, "none", [url("mond")])
        page.get_by_role("button", name="Find their topics").click()
        expect(page.get_by_text("None of the pages fits into the tree.")).to_be_visible()
        page.get_by_label("URLs, one per line").fill("/etc/passwd")
        page.get_by_role("button", name="Find their topics").click()
        expect(page.get_by_text("/etc/passwd is not the URL of a web page")).to_be_visible()


@pytest.mark.slow
def test_private_networks_are_not_opened_by_the_form(browser: Browser, tmp_path: Path, settings: list[str]) -> None:
    with window(tmp_path) as home:
        page = Watched(browser.new_page(), home).go("/new")
        _fill(page, "none", ["http://127.0.0.1:8901/"])
        page.get_by_text("Settings for this crawl").click()
        page.locator(".mono textarea").fill('fetch.allow_private = ["127.0.0.1"]\n' + "\n".join(settings))
        page.get_by_role("button", name="Find their topics").click()
        expect(page.get_by_text("http://127.0.0.1:8901/ gave no page: private-address")).to_be_visible()


@pytest.mark.slow
def test_a_crawl_without_a_critic_is_offered_topics_of_the_tree(
    browser: Browser, tmp_path: Path, settings: list[str]
) -> None:
    directory = CrawlDirectory.create(
        tmp_path / "mine",
        topics=Topics(topics=(Topic(path="Interest", good=True, examples=(url("saturn"),)),)),
        settings=override(Settings(), settings),
    )
    with window(directory.path) as home:
        watched = Watched(browser.new_page(), home)
        page = watched.go("/crawl/mine/topics")
        page.get_by_label("URLs, one per line").fill(url("moon"))
        page.get_by_role("button", name="Find their topics").click()
        expect(page.get_by_text("This crawl has no critic yet")).to_be_visible()
        page.get_by_role("button", name="Add as a good topic").click()
        expect(page.get_by_role("checkbox", name="Solar system")).to_be_checked()
        assert watched.errors == []
    added = directory.topics().find(SOLAR)
    assert added is not None
    assert (added.good, added.examples) == (True, (url("moon"),))


def by_owner(settings: list[str]) -> list[str]:
    """Return the options with which the owner of the window lets it fetch from the server of the test."""
    return [part for one in settings for part in ("--set", one)]


def _fill(page: Page, name: str, urls: list[str]) -> None:
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("URLs, one per line").fill("\n".join(urls))


def _ask(page: Page) -> None:
    page.get_by_role("button", name="Find their topics").click()
    expect(page.get_by_role("checkbox", name=SOLAR)).to_be_visible()
