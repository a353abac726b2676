"""The window without a mouse, and for those who do not see well: names, landmarks, focus and contrast of every view."""

from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.taxonomy import NOT_WANTED, Topic, Topics
from tests.distill.small_crawls import MadeCrawl, directory_of, link, page
from tests.patience import until
from tests.ui.accessible import faint_when_settled, landmarks, nameless, unseen_focus
from tests.ui.in_browser import CommonWindow
from tests.ui.owner import set_by_owner

CYCLING = "Sport/Cycling"
HUB, TOUR, RACE, BLOG = (f"http://{name}.test/" for name in ("hub", "tour", "race", "blog"))
CRAWL = MadeCrawl(
    urls=[
        page(HUB, 0.8, topic=CYCLING, title="Links for cyclists"),
        page(TOUR, 0.9, topic=CYCLING, title="Touring"),
        page(RACE, 0.9, topic=CYCLING, title="سباق الدراجات"),
        page(BLOG, 0.7, topic=CYCLING, title="A title that is " + "very " * 30 + "long"),
    ],
    links=[link(0, 1), link(0, 2), link(0, 3), link(3, 1), link(3, 2)],
)
TOPICS = Topics(topics=(Topic(path="Arts"), Topic(path=CYCLING, good=True, examples=(TOUR,)), Topic(path="Sport/Golf")))
VIEWS = ("", "/results", "/groups", "/company", "/map", "/topics", "/teach", "/sql", "/news", "/settings")


@pytest.fixture
def directory(common: CommonWindow, tmp_path: Path) -> CrawlDirectory:
    made = CrawlDirectory.open(directory_of(CRAWL, common.folder / tmp_path.name, TOPICS))
    set_by_owner(made, "fetch.resolve", {"*.test": "127.0.0.1:9"})  # nobody is there
    return made


@pytest.mark.slow
def test_every_view_has_names_landmarks_contrast_and_a_focus_that_is_seen(
    common: CommonWindow, directory: CrawlDirectory
) -> None:
    watched = common.open()
    shown = watched.page
    for view in ("/", "/new", *(f"/crawl/{directory.path.name}{view}" for view in VIEWS)):
        shown.emulate_media(color_scheme="light")
        watched.go(view)
        with suppress(TimeoutError):  # a busy machine is never idle for long
            shown.wait_for_load_state("networkidle", timeout=10_000)
        assert (view, faint_when_settled(shown)) == (view, [])
        assert (view, nameless(shown), list(unseen_focus(shown, 12))) == (view, [], [])
        parts = landmarks(shown)
        assert (parts["main"], parts["h1"], parts["header"]) == (1, 1, 1)
        shown.emulate_media(color_scheme="dark")
        expect(shown.locator("body.body--dark")).to_be_attached()
        assert (view, "dark", faint_when_settled(shown)) == (view, "dark", [])
    assert watched.errors == []


@pytest.mark.slow
def test_topics_are_gone_through_marked_and_renamed_by_keys_alone(
    common: CommonWindow, directory: CrawlDirectory
) -> None:
    watched = common.open()
    shown = watched.go(f"/crawl/{directory.path.name}/topics")
    expect(shown.get_by_role("treeitem")).to_have_count(4)
    _tab_to(shown, shown.get_by_role("checkbox", name="Arts"))
    shown.keyboard.press("ArrowDown")
    shown.keyboard.press("ArrowDown")
    expect(shown.get_by_role("checkbox", name="Cycling")).to_be_focused()
    shown.keyboard.press("ArrowDown")
    shown.keyboard.press("Space")
    assert until(lambda: directory.topics().is_good("Sport/Golf"))
    expect(shown.locator(".node.good", has_text="Golf")).to_be_visible()  # the tree is drawn again
    expect(shown.get_by_role("checkbox", name="Golf")).to_be_focused()
    expect(shown.get_by_role("checkbox", name="Golf")).to_be_checked()
    shown.keyboard.press("F2")
    expect(shown.get_by_role("dialog", name="Rename Sport/Golf")).to_be_visible()
    expect(shown.get_by_label("Name", exact=True)).to_be_focused()
    shown.keyboard.press("Escape")
    expect(shown.get_by_role("dialog")).to_have_count(0)
    shown.get_by_role("checkbox", name="Cycling").focus()
    shown.keyboard.press("ArrowLeft")
    expect(shown.get_by_role("link", name=TOUR)).to_have_count(0)
    expect(shown.get_by_role("checkbox", name="Cycling")).to_be_focused()
    shown.keyboard.press("ArrowRight")
    expect(shown.get_by_role("link", name=TOUR)).to_be_visible()
    assert watched.errors == []


@pytest.mark.slow
def test_a_card_a_map_and_a_hub_by_keys_alone(common: CommonWindow, directory: CrawlDirectory) -> None:
    watched = common.open()
    shown = watched.go(f"/crawl/{directory.path.name}/results")
    _tab_to(shown, shown.get_by_role("button", name="Touring"))
    shown.keyboard.press("Enter")
    card = shown.get_by_role("dialog", name="Touring")
    expect(card.get_by_text(f"example of {CYCLING}")).to_be_visible()  # and nobody has said that it is good
    expect(card.get_by_role("button", name="Good", exact=False, pressed=True)).to_have_count(0)
    assert nameless(shown) == []
    shown.keyboard.press("Escape")
    expect(shown.get_by_role("dialog")).to_have_count(0)
    _hub_is_not_good(shown, directory)
    watched.go(f"/crawl/{directory.path.name}/map")
    _tab_to(shown, shown.get_by_role("button", name="The map as a table"))
    shown.keyboard.press("Enter")
    expect(shown.get_by_role("button", name="Links for cyclists")).to_be_visible()
    assert watched.errors == []


def _hub_is_not_good(shown: Page, directory: CrawlDirectory) -> None:
    """Say of a hub that it is not good, leave a page out, and take it back: in the dialog too no mouse is needed."""

    def against() -> set[str]:
        topic = directory.topics().find(NOT_WANTED)
        return set(topic.examples) if topic else set()

    shown.get_by_role("tab", name="Pages").focus()
    shown.keyboard.press("ArrowRight")
    shown.keyboard.press("Enter")
    hub = shown.locator("article", has_text="Links for cyclists")
    hub.get_by_role("button", name="Not good: less like this hub").focus()
    shown.keyboard.press("Enter")
    asked = shown.get_by_role("dialog", name=f"{HUB} is not good")
    expect(asked.get_by_text("the most relevant pages that it leads to")).to_be_visible()
    assert nameless(shown) == []
    asked.get_by_role("checkbox", name="Touring").focus()
    shown.keyboard.press("Space")
    asked.get_by_role("button", name="Learn from these").focus()
    shown.keyboard.press("Enter")
    assert until(lambda: against() == {HUB, RACE, BLOG})
    hub.get_by_role("button", name="Undo the feedback").focus()
    shown.keyboard.press("Enter")
    assert until(lambda: against() == set())


def _tab_to(shown: Page, wanted: object) -> None:
    """Press Tab until something has the focus."""
    for _ in range(60):
        shown.keyboard.press("Tab")
        if wanted.evaluate("one => one.contains(document.activeElement)"):  # type: ignore[attr-defined]
            return
    raise AssertionError("the Tab key does not lead there")
