"""Where pages of the reader's belong in the tree, as the critic sees it, with a click to mark a topic good (FOCUS §2.1)."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from scenthound.desk.critic_asked import Places, places_of
from scenthound.ui.asked import EditKind, TopicEdit
from scenthound.ui.views.frame import Crawl
from scenthound.ui.views.parts import asked, button, lines_of

Change = Callable[[TopicEdit], Awaitable[bool]]


def places_panel(crawl: Crawl, change: Change) -> None:
    """Ask for addresses, and show into which topics they fall."""
    ui.label(
        "Paste pages of what interests you: the critic says into which topics they fall, so that you can mark these good."
    ).classes("muted")
    field = ui.textarea("Addresses, one a line").props("outlined autogrow dense")
    ask = ui.button("Find their topics", icon="search").props("unelevated no-caps")
    place = ui.element("div").props('aria-live="polite"')

    async def find() -> None:
        urls = lines_of(field.value)
        if not urls:
            return
        ask.props("loading")
        found = await asked(places_of, crawl.directory, urls)
        ask.props(remove="loading")
        place.clear()
        if isinstance(found, Places):
            with place:
                _show(found, change)

    ask.on_click(find)


def _show(found: Places, change: Change) -> None:
    for one in found.places:
        with ui.row().classes("place-row"):
            ui.label(one.path or "(no topic)").props('dir="auto"')
            ui.label(f"{one.holds} of {one.of} pages, probability {one.probability:.2f}").classes("muted")
            if one.mark:
                marked = TopicEdit(edit=EditKind.MARK, topic=one.path)
                button("Mark good", lambda marked=marked: change(marked), icon="check", label="Mark good")
    for url, why in found.failed.items():
        ui.label(f"{url}: {why}").classes("muted")
