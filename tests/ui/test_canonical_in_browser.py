"""Setting up in a real browser with the canonical topic tree: paste addresses, see where they belong, tick what is
looked for.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedWeb
from scenthound.settings.file import override
from scenthound.settings.schema import Settings
from scenthound.taxonomy import Topic, Topics
from tests.services.planets import BREAD, SOLAR, answer, url
from tests.ui.in_browser import CommonWindow, Watched, window


@pytest.fixture(scope="module")
def settings() -> Iterator[list[str]]:
    with ServedWeb(answer) as web:
        yield [f'fetch.resolve={{"*.example" = "127.0.0.1:{web.port}"}}', "fetch.delay=0.01"]


@pytest.fixture(scope="module")
def owned(tmp_path_factory: pytest.TempPathFactory, settings: list[str]) -> Iterator[tuple[Path, str]]:
    """A folder and its window, which the owner lets fetch from the server of the tests."""
    folder = tmp_path_factory.mktemp("owned")
    with window(folder, *(part for one in settings for part in ("--set", one))) as home:
        yield folder, home


@pytest.mark.slow
def test_a_topic_of_a_new_crawl_is_named_by_one_click(visitor: BrowserContext, owned: tuple[Path, str]) -> None:
    folder, home = owned
    watched = Watched(visitor.new_page(), home)
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
    page.wait_for_url("**/crawl/planets/**")
    expect(page.get_by_role("checkbox", name="Solar system")).to_be_checked()
    assert watched.errors == []
    assert watched.elsewhere == []
    [topic] = CrawlDirectory.open(folder / "planets").topics().topics
    assert (topic.path, topic.good, len(topic.examples)) == (SOLAR, True, 3)


@pytest.mark.slow
def test_several_places_become_several_good_topics(visitor: BrowserContext, owned: tuple[Path, str]) -> None:
    folder, home = owned
    watched = Watched(visitor.new_page(), home)
    page = watched.go("/new")
    _fill(page, "mixed", [url("saturn"), url("bread"), url("missing")])
    page.get_by_role("button", name="Find their topics").click()
    page.get_by_role("checkbox", name=SOLAR).click()
    page.get_by_role("checkbox", name=BREAD).click()
    expect(page.get_by_label("Name of the topic")).to_have_value("")
    expect(page.get_by_text('<b>Bread</b> & "cakes": ')).to_be_visible()
    page.get_by_role("button", name="Create").click()
    page.wait_for_url("**/crawl/mixed/**")
    expect(page.get_by_role("checkbox", name="Solar system")).to_be_checked()
    assert watched.errors == []
    made = CrawlDirectory.open(folder / "mixed")
    assert {topic.path: topic.examples for topic in made.topics().good} == {
        SOLAR: (url("saturn"), url("missing")),
        BREAD: (url("bread"),),
    }


@pytest.mark.slow
def test_what_cannot_be_asked_is_said(visitor: BrowserContext, owned: tuple[Path, str]) -> None:
    _, home = owned
    page = Watched(visitor.new_page(), home).go("/new")
    page.get_by_role("button", name="Find their topics").click()
    expect(page.get_by_text("Give at least one address")).to_be_visible()
    _fill(page, "none", [url("mond")])
    page.get_by_role("button", name="Find their topics").click()
    expect(page.get_by_text("None of the pages fits into the tree.")).to_be_visible()
    page.get_by_label("URLs, one per line").fill("/etc/passwd")
    page.get_by_role("button", name="Find their topics").click()
    expect(page.get_by_text("/etc/passwd is not the URL of a web page")).to_be_visible()


@pytest.mark.slow
def test_private_networks_are_not_opened_by_the_form(common: CommonWindow, settings: list[str]) -> None:
    page = common.open().go("/new")
    _fill(page, "none", ["http://127.0.0.1:8901/"])
    page.get_by_text("Settings for this crawl").click()
    page.locator(".mono textarea").fill('fetch.allow_private = ["127.0.0.1"]\n' + "\n".join(settings))
    page.get_by_role("button", name="Find their topics").click()
    expect(page.get_by_text("http://127.0.0.1:8901/ gave no page: private-address")).to_be_visible()


@pytest.mark.slow
def test_a_crawl_without_a_critic_is_offered_topics_of_the_tree(common: CommonWindow, settings: list[str]) -> None:
    directory = CrawlDirectory.create(
        common.folder / "offered",
        topics=Topics(topics=(Topic(path="Interest", good=True, examples=(url("saturn"),)),)),
        settings=override(Settings(), settings),
    )
    watched = common.open()
    page = watched.go("/crawl/offered/topics")
    page.get_by_label("URLs, one per line").fill(url("moon"))
    page.get_by_role("button", name="Find their topics").click()
    expect(page.get_by_text("This crawl has no critic yet")).to_be_visible()
    page.get_by_role("button", name="Add as a good topic").click()
    expect(page.get_by_role("checkbox", name="Solar system")).to_be_checked()
    assert watched.errors == []
    added = directory.topics().find(SOLAR)
    assert added is not None
    assert (added.good, added.examples) == (True, (url("moon"),))


def _fill(page: Page, name: str, urls: list[str]) -> None:
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("URLs, one per line").fill("\n".join(urls))


def _ask(page: Page) -> None:
    page.get_by_role("button", name="Find their topics").click()
    expect(page.get_by_role("checkbox", name=SOLAR)).to_be_visible()
