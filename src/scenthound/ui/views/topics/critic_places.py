"""The topics of given pages, by the critic, each with a button to mark it good (FOCUS §2.1)."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from scenthound.judge.canonical.topic_places import Place
from scenthound.services.topics.critic_answers import Places, places_of
from scenthound.ui.api_models import EditKind, TopicEdit
from scenthound.ui.views.frame import Crawl
from scenthound.ui.views.widgets import asked, button, lines_of

Change = Callable[[TopicEdit], Awaitable[bool]]


def places_panel(crawl: Crawl, change: Change) -> None:
    """Ask for URLs, and show their topics."""
    ui.label(
        "Paste pages of what interests you: the critic says into which topics they fall, so that you can mark these "
        "good."
    ).classes("muted")
    field = ui.textarea("URLs, one per line").props("outlined autogrow dense")
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
    if found.tree == "canonical":
        ui.label("This crawl has no critic yet. These are topics of the built-in tree.")
    for one in found.places:
        with ui.row().classes("place-row"):
            ui.label(one.path or "(no topic)").props('dir="auto"')
            ui.label(f"{one.holds} of {one.of} pages, probability {one.probability:.2f}").classes("muted")
            if one.mark:
                _marking(one, change, known=found.tree == "crawl")
    for url, why in (found.unread | found.failed).items():
        ui.label(f"{url}: {why}").classes("muted")


def _marking(place: Place, change: Change, *, known: bool) -> None:
    """Offer to mark a topic good. One that the crawl lacks is added, with its pages."""
    if known:
        wanted, text = TopicEdit(edit=EditKind.MARK, topic=place.path), "Mark good"
    else:
        wanted = TopicEdit(edit=EditKind.ADD, topic=place.path, examples=list(place.urls), good=True)
        text = "Add as a good topic"
    button(text, lambda: change(wanted), icon="check", label=text)
