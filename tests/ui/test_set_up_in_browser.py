"""Setting up in a real browser: topics and examples moved by drag, menu and key, and undone; the critic tried; pages
accepted.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.taxonomy import Topic, Topics
from tests.patience import until
from tests.services.small_site import on_the_site
from tests.ui.in_browser import CommonWindow

BRAKE = "http://cycling.example/4"
RACES, CAKES = "https://races.test/", "https://cakes.test/"
TOPICS = Topics(
    topics=(
        Topic(path="Arts", examples=("https://arts.test/",)),
        Topic(path="Sport/Cycling", good=True, examples=(RACES, CAKES)),
        Topic(path="Home"),
    )
)


@pytest.fixture
def directory(common: CommonWindow) -> Iterator[CrawlDirectory]:
    with on_the_site(common.folder / "tried") as made:
        yield made


@pytest.mark.slow
def test_topics_and_examples_are_moved_and_that_is_undone(common: CommonWindow) -> None:
    directory = CrawlDirectory.create(common.folder / "moved", topics=TOPICS)
    watched = common.open()
    page = watched.go("/crawl/moved/topics")
    _drag(page, directory)
    _by_menu(page, directory)
    _by_key(page, directory)
    assert watched.errors == []
    assert watched.elsewhere == []


@pytest.mark.slow
def test_a_menu_stays_open_while_the_tree_changes(common: CommonWindow) -> None:
    CrawlDirectory.create(common.folder / "held", topics=TOPICS)
    watched = common.open()
    page = watched.go("/crawl/held/topics")
    menu = page.locator(f"li:has-text('{CAKES}')").get_by_role("button", name="Change this example")
    box = page.get_by_role("checkbox", name="Cycling", exact=True)
    expect(box).to_be_checked()
    # Both before the server has answered, as when one edit takes a while.
    menu.evaluate("(menu, box) => { box.click(); menu.click(); }", box.element_handle())
    expect(page.get_by_text("None is good yet")).to_be_visible()  # so the new tree is known
    page.get_by_text("Move to another topic").click()
    expect(page.get_by_label("To which topic")).to_be_visible()
    expect(page.locator(".node.good")).to_have_count(0)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".q-dialog")).to_have_count(0)
    assert watched.errors == []


@pytest.mark.slow
def test_the_critic_is_tried_and_a_proposal_accepted(common: CommonWindow, directory: CrawlDirectory) -> None:
    watched = common.open()
    page = watched.go("/crawl/tried/topics")
    page.get_by_role("button", name="Try the critic").click()
    expect(page.locator(".verdict")).to_contain_text("It recognises all of 10 examples")
    expect(page.locator(".pair.good .pair-name").last).to_have_text("Sport/Cycling")
    page.get_by_role("button", name="Pages similar to Sport/Cycling").click()
    expect(page.locator(".proposal-title")).to_have_text("brake")
    page.drag_and_drop(".proposal", node("Home/Baking"))  # where it does not belong, and is taken back
    assert until(lambda: BRAKE in directory.topics().find("Home/Baking").examples)  # type: ignore[union-attr]
    page.get_by_role("button", name="Undo the last change").click()
    assert until(lambda: BRAKE not in directory.topics().find("Home/Baking").examples)  # type: ignore[union-attr]
    page.get_by_role("button", name="Add as an example of Sport/Cycling").click()
    expect(page.get_by_text("Taken", exact=True)).to_be_visible()
    assert BRAKE in directory.topics().find("Sport/Cycling").examples  # type: ignore[union-attr]
    assert watched.errors == []


def node(name: str) -> str:
    """Return how to find the line of a topic."""
    return f".node-head[data-topic$='{name}']"


def nodes(directory: CrawlDirectory) -> set[str]:
    return set(directory.topics().nodes)


def _drag(page: Page, directory: CrawlDirectory) -> None:
    """Drag a topic below another, and an example to another topic; a drop that changes nothing is none."""
    page.drag_and_drop(node("Home"), node("Arts"))
    expect(page.get_by_text('"Home" was moved and is "Arts/Home" now')).to_be_visible()
    expect(page.locator(node("Arts/Home"))).to_be_visible()
    assert "Arts/Home" in nodes(directory)
    page.drag_and_drop(f"li:has-text('{CAKES}')", node("Arts/Home"))
    expect(page.get_by_text("1 example moved")).to_be_visible()
    assert directory.topics().find("Arts/Home").examples == (CAKES,)  # type: ignore[union-attr]
    for _ in range(2):
        page.get_by_role("button", name="Undo the last change").click()
    expect(page.locator(node("Arts/Home"))).to_be_hidden()
    assert directory.topics() == TOPICS


def _by_menu(page: Page, directory: CrawlDirectory) -> None:
    page.locator(f"li:has-text('{CAKES}')").get_by_role("button", name="Change this example").click()
    page.get_by_text("Move to another topic").click()
    page.get_by_label("To which topic").fill("Home")
    page.get_by_role("option", name="Home", exact=True).click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text('from "Sport/Cycling" to "Home"')).to_be_visible()
    expect(page.locator(".q-dialog")).to_have_count(0)
    assert directory.topics().find("Home").examples == (CAKES,)  # type: ignore[union-attr]


def _by_key(page: Page, directory: CrawlDirectory) -> None:
    """Move a topic out of the one above it and back, with the focus on it all the while; then rename it."""
    page.get_by_role("checkbox", name="Cycling", exact=True).focus()
    page.keyboard.press("Alt+ArrowLeft")
    expect(page.get_by_text('"Sport/Cycling" was moved and is "Cycling" now')).to_be_visible()
    expect(page.locator(".node-head[data-topic='Cycling'] [role=checkbox]")).to_be_focused()
    page.keyboard.press("F2")
    page.get_by_label("Name", exact=True).fill("Bicycles")
    page.keyboard.press("Enter")
    expect(page.get_by_role("checkbox", name="Bicycles", exact=True)).to_be_visible()
    expect(page.locator(".q-dialog")).to_have_count(0)  # it keeps the focus as long as it is open
    assert "Bicycles" in nodes(directory)
    page.get_by_role("checkbox", name="Bicycles", exact=True).focus()
    page.keyboard.press("Delete")  # with an example on it: it is asked for
    dialog = page.get_by_role("dialog", name="Remove Bicycles?")
    expect(dialog.get_by_text("This also removes 1 example")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert "Bicycles" in nodes(directory)
    page.get_by_role("checkbox", name="Bicycles", exact=True).focus()
    page.keyboard.press("Delete")
    expect(dialog.get_by_role("button", name="Remove")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("checkbox", name="Bicycles", exact=True)).to_have_count(0)
    assert "Bicycles" not in nodes(directory)
