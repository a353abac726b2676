"""Where the pages of a new crawl belong in the canonical topic tree, on the form for it: the topics that are ticked are
looked for.

One topic that is ticked gives the crawl's topic its name. With several, each page becomes an example of the one that it
falls into.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from nicegui import ui

from scenthound.judge.canonical.topic_places import Place
from scenthound.services.topics.canonical_places import Canonical, ask_canonical, topics_chosen, without_relatives
from scenthound.topics.topics_text import topics_text
from scenthound.ui.api_models import NewCrawl
from scenthound.ui.views.widgets import asked, fault

# The settings on the form that count for fetching its pages. None of them opens private networks: that is the owner's
# to say, by `scenthound serve --set`.
_TAKEN: Final = ("fetch.contact", "fetch.user_agent", "fetch.delay", "fetch.timeout")


class PlacesInTree:
    """A button that finds topics, and the results. `name` is called with the only chosen topic, or ""."""

    def __init__(
        self,
        *,
        overrides: Sequence[str],
        urls: Callable[[], list[str]],
        settings: Callable[[], Mapping[str, str]],
        name: Callable[[str], object],
    ) -> None:
        self._overrides, self._urls, self._settings, self._name = overrides, urls, settings, name
        self._found: Canonical | None = None
        self._boxes: dict[str, ui.checkbox] = {}
        self._chosen: tuple[str, ...] = ()
        ui.label(
            "Not sure how to name the topic? The pages are fetched, and the canonical topic tree says where they "
            "belong (English only)."
        ).classes("muted")
        self._ask = ui.button("Find their topics", icon="account_tree", on_click=self._find)
        self._ask.props("outline no-caps").classes("self-start")
        self._place = ui.element("div").props('aria-live="polite"')

    def applied(self, wanted: NewCrawl) -> NewCrawl:
        """Return the new crawl with the chosen topics, if there are several."""
        if self._found is None or len(self._chosen) < 2 or not wanted.urls:
            return wanted
        topics = topics_chosen(self._found, self._chosen, wanted.urls)
        return wanted.model_copy(update={"urls": [], "good": [], "topics": topics_text(topics)})

    async def _find(self) -> None:
        urls = self._urls()
        if not urls:
            fault("Give at least one address of a page that you like.")
            return
        self._ask.props("loading")
        given = [f"{key}={value}" for key, value in self._settings().items() if key in _TAKEN]
        found = await asked(ask_canonical, urls, [*given, *self._overrides])
        self._ask.props(remove="loading")
        if isinstance(found, Canonical):
            self._found, self._chosen, self._boxes = found, (), {}
            self._place.clear()
            with self._place:
                self._show(found)

    def _show(self, found: Canonical) -> None:
        if found.places:
            ui.label("Choose what you want:").classes("title")
        else:
            ui.label("None of the pages fits into the tree. Name the topic yourself.")
        for place in found.places:
            self._row(place)
        for page in found.pages:
            ui.label(f"{page.title or page.name}: {page.leaves[0].leaf}").classes("muted").props('dir="auto"')
        for name, why in found.unread.items():
            ui.label(f"{name} does not fit: {why}.").classes("muted")
        for name, why in found.failed.items():
            ui.label(f"{name} could not be read: {why}.").classes("muted")

    def _row(self, place: Place) -> None:
        with ui.row().classes("place-row"):
            box = ui.checkbox(place.path).props('dir="auto"')
            ui.label(f"{place.holds} of {place.of} pages, probability {place.probability:.2f}").classes("muted")
            if place.mark:
                ui.label("proposed").classes("muted")
        self._boxes[place.path] = box
        box.on_value_change(lambda event, path=place.path: self._tick(path, on=bool(event.value)))

    def _tick(self, path: str, *, on: bool) -> None:
        """Choose or drop a topic. A chosen one replaces those above and below it."""
        if on == (path in self._chosen):
            return  # a box that this very method has changed
        self._chosen = (
            without_relatives(self._chosen, path) if on else tuple(one for one in self._chosen if one != path)
        )
        for other, box in self._boxes.items():
            box.set_value(other in self._chosen)
        self._name(self._chosen[0] if len(self._chosen) == 1 else "")
