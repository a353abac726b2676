"""Good and Not good for a site or a hub: a dialog lists the pages that become examples, and lets the reader choose."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from scenthound.services.topics.group_feedback import Meant, MeantPage, Of, meant_by
from scenthound.services.topics.page_feedback import Saying
from scenthound.taxonomy import NOT_WANTED
from scenthound.ui.actions import feed_back
from scenthound.ui.api_models import Feedback, FeedbackKind
from scenthound.ui.views.frame import Crawl
from scenthound.ui.views.widgets import asked, button, fault, relevance, titled_dialog

_FOLLOWS = "The critic learns from them, judges again what is stored and orders the frontier by it. It can be undone."


class GroupButtons:
    """The buttons Good and Not good of a site or a hub, and one to undo."""

    def __init__(self, crawl: Crawl, of: Of, name: str, said: str) -> None:
        self._crawl, self._of, self._name, self._said = crawl, of, name, said
        with ui.row().classes("feedback").props(f'role="group" aria-label="Your feedback on this {of}"'):
            self._good = self._thumb("thumb_up", f"Good: more like this {of}", Saying.GOOD)
            self._bad = self._thumb("thumb_down", f"Not good: less like this {of}", Saying.NOT_GOOD)
            self._undo = button("", self._take_back, icon="undo", label="Undo the feedback")
        self._show()

    def _thumb(self, icon: str, label: str, saying: Saying) -> ui.button:
        return ui.button("", icon=icon, color=None, on_click=lambda: self._ask(saying)).props(
            f'dense no-caps aria-label="{label}"'
        )

    def _show(self) -> None:
        for one, mine in ((self._good, Saying.GOOD), (self._bad, Saying.NOT_GOOD)):
            on = self._said == mine.value
            one.props(f"aria-pressed={'true' if on else 'false'}").props(remove="flat unelevated").props(
                "unelevated" if on else "flat"
            )
        self._undo.set_visibility(bool(self._said))

    async def _ask(self, saying: Saying) -> None:
        found = await asked(meant_by, self._crawl.directory, self._of, self._name, saying)
        if isinstance(found, Meant):
            _dialog(f"{self._name} is {saying.value}", found, lambda only: self._say(saying, only))

    async def _say(self, saying: Saying, only: list[str]) -> bool:
        told = await self._feed(Feedback(url=self._name, of=self._of, say=FeedbackKind(saying.value), only=only))
        if told:
            self._said = saying.value
            self._show()
            ui.notify("The critic learns from them.")
        return told

    async def _take_back(self) -> None:
        if await self._feed(Feedback(url=self._name, of=self._of, say=FeedbackKind.UNDO)):
            self._said = ""
            self._show()
            ui.notify("Undone. The critic learns again.")

    async def _feed(self, feedback: Feedback) -> bool:
        return await asked(feed_back, self._crawl.desk.window, self._crawl.directory, feedback) is not None


def group_buttons(crawl: Crawl, of: Of, name: str, said: str) -> None:
    """Make the buttons of a site or a hub. `said` is the earlier feedback."""
    GroupButtons(crawl, of, name, said)


def _dialog(title: str, meant: Meant, say: Callable[[list[str]], Awaitable[bool]]) -> None:
    with titled_dialog(title) as dialog:
        ui.label(meant.says)
        boxes = {page.url: _row(page) for page in meant.pages}
        ui.label(_FOLLOWS).classes("muted")

        async def agree() -> None:
            chosen = [url for url, box in boxes.items() if box.value]
            if not chosen:
                fault("Leave at least one page, or cancel.")
            elif await say(chosen):
                dialog.close()

        with ui.row().classes("actions"):
            ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
            ui.button("Learn from these", on_click=agree).props("unelevated no-caps")


def _row(page: MeantPage) -> ui.checkbox:
    with ui.element("div").classes("meant"):
        with ui.element("div").classes("meant-page"):
            box = ui.checkbox(page.title or page.url, value=True).props('dir="auto"')
            facts = (
                page.url,
                f"of “{page.to}”" if page.to != NOT_WANTED else "",
                f"now of “{page.now}”" if page.now else "",
            )
            ui.label(" · ".join(filter(None, facts))).classes("muted").props('dir="auto"')
        relevance(page.relevance)
    return box
