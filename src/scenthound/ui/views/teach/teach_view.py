"""Teach: ten pages to say yes or no to, the choice of the parts that count, and the phase of the crawl (BINGO §2.6)."""

from collections.abc import Callable
from typing import Any

from nicegui import ui

from scenthound.services.status.learnt_status import learnt_lines
from scenthound.services.topics.lesson_choice import LessonPage, lesson_pages
from scenthound.services.topics.topic_edits import Edited
from scenthound.ui.actions import edit, feed_back, harvest_now
from scenthound.ui.api_models import EditKind, Feedback, FeedbackKind, TopicEdit
from scenthound.ui.views.frame import Crawl, frame
from scenthound.ui.views.teach.trim_dialog import ask_for_parts
from scenthound.ui.views.widgets import asked, button, empty, outside, panel, relevance
from scenthound.ui.watch import Look


def teach(crawl: Crawl) -> None:
    """Lay out the page."""
    title = f"Teach the critic of {crawl.name}"
    with frame(title, desk=crawl.desk, crawl=crawl, here="/topics"), ui.element("div").classes("columns"):
        with ui.element("div").classes("column-wide"), panel("Teach the critic"):
            Lessons(crawl)
        with ui.element("div"), panel("What the crawl has learnt"):
            phase_panel(crawl)


class Lessons:
    """The pages, with their buttons."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        ui.label(
            "These pages teach the critic most. Say whether each is what you want. It takes a minute, and the crawl "
            "goes on without it."
        ).classes("muted")
        with ui.row().classes("tree-tools"):
            button("Ask again", self.draw, icon="refresh", label="Choose pages again, after your answers")
            button("Undo", self._undo, icon="undo", label="Undo the last answer")
        self._place = ui.element("div").classes("proposals").props('role="list" aria-live="polite"')
        ui.timer(0, self.draw, once=True)

    async def draw(self) -> None:
        found = await asked(lesson_pages, self._crawl.directory)
        self._place.clear()
        with self._place:
            if isinstance(found, tuple):
                for page in found:
                    self._lesson(page)
            else:
                empty("school", "No page to ask about yet", "Crawl a little, then come back.")

    def _lesson(self, page: LessonPage) -> None:
        with (
            ui.element("div").classes("proposal").props('role="listitem"'),
            ui.element("div").classes("hit-main"),
        ):
            ui.label(page.title or page.url).classes("proposal-title").props('dir="auto"')
            outside(page.url)
            ui.label(page.why[:1].upper() + page.why[1:]).classes("muted small")
            relevance(page.relevance)
            said = ui.label("").classes("small").props('role="status"')
            with ui.row().classes("answers") as row:
                for text, icon, kind in (
                    ("Yes", "thumb_up", FeedbackKind.GOOD),
                    ("No", "thumb_down", FeedbackKind.NOT_GOOD),
                ):
                    button(text, self._answer(page, kind, row, said), icon=icon, label=f"{text}: {page.title}")
                button("Part …", self._part(page, row, said), icon="content_cut", label=f"A part of {page.title}")

    def _answer(self, page: LessonPage, kind: FeedbackKind, row: ui.row, said: ui.label) -> Callable[..., Any]:
        async def answer() -> None:
            feedback = Feedback(url=page.url, say=kind)
            done = await asked(feed_back, self._crawl.desk.window, self._crawl.directory, feedback)
            _settled(done, row, said)

        return answer

    def _part(self, page: LessonPage, row: ui.row, said: ui.label) -> Callable[..., Any]:
        async def choose() -> None:
            await ask_for_parts(self._crawl, page.url, page.title, then=lambda done: _settled(done, row, said))

        return choose

    async def _undo(self) -> None:
        done = await asked(edit, self._crawl.desk.window, self._crawl.directory, TopicEdit(edit=EditKind.UNDO))
        if isinstance(done, Edited):
            ui.notify(done.says)
            await self.draw()


def _settled(done: object, row: ui.row, said: ui.label) -> None:
    if isinstance(done, Edited):
        said.text = done.says
        row.set_visibility(False)


def phase_panel(crawl: Crawl) -> None:
    """Show the phase of a crawl and its archetypes, with a button that ends the learning phase."""
    lines = ui.element("div").props('role="status"')
    harvest = ui.button("Harvest now", icon="agriculture", on_click=lambda: end()).props("unelevated no-caps")
    harvest.set_visibility(False)
    ui.link("Archetypes are shown with the topics", crawl.address("/topics")).classes("way")
    state: dict[str, object] = {}

    async def end() -> None:
        says = await asked(harvest_now, crawl.directory)
        if isinstance(says, str):
            ui.notify(says)

    async def prepare(look: Look) -> Callable[[], None]:
        learnt = (await crawl.watch.background()).learnt

        def shown() -> None:
            if state.get("learnt", lines) == learnt:
                return
            state["learnt"] = learnt
            lines.clear()
            said = learnt_lines(learnt) if learnt is not None else ["Nothing: archetypes and phases are off."]
            with lines:
                for line in said:
                    ui.label(line[:1].upper() + line[1:] + ("" if line.endswith(".") else "."))
            harvest.set_visibility(learnt is not None and learnt.phase == "learning")

        return shown

    crawl.live.prepare(prepare)
