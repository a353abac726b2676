"""The archetypes of a topic in the tree, apart from its examples: each with its reason, to confirm, refuse or trim."""

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from scenthound.services.topics.archetype_list import ArchetypeRow
from scenthound.services.topics.topic_edits import Edited
from scenthound.services.topics.topic_rows import TopicRow
from scenthound.ui.actions import feed_back
from scenthound.ui.api_models import Feedback, FeedbackKind
from scenthound.ui.views.frame import Crawl
from scenthound.ui.views.teach.trim_dialog import ask_for_parts
from scenthound.ui.views.widgets import asked, button, outside


def archetype_shelf(crawl: Crawl, row: TopicRow, redraw: Callable[[], Awaitable[None]]) -> None:
    """Lay out the archetypes of one topic."""
    ui.label("Archetypes: added by the crawl itself").classes("muted small examples")
    with ui.element("ul").classes("examples").props('aria-label="Archetypes"'):
        for one in row.archetypes:
            with ui.element("li"):
                with ui.element("div"):
                    outside(one.url)
                    ui.label(one.reason).classes("muted small")
                _menu(crawl, one, redraw)


def _menu(crawl: Crawl, one: ArchetypeRow, redraw: Callable[[], Awaitable[None]]) -> None:
    def said(kind: FeedbackKind) -> Callable[..., Any]:
        async def say() -> None:
            feedback = Feedback(url=one.url, say=kind, topic=one.topic if kind is FeedbackKind.GOOD else "")
            done = await asked(feed_back, crawl.desk.window, crawl.directory, feedback)
            if isinstance(done, Edited):
                ui.notify(done.says, multi_line=True)
                await redraw()

        return say

    async def part() -> None:
        await ask_for_parts(crawl, one.url, one.title, then=lambda _done: ui.timer(0, redraw, once=True))

    with (
        button("", lambda: None, icon="more_vert", label="Judge this archetype").classes("drop"),
        ui.menu().props("auto-close"),
    ):
        ui.menu_item("Confirm: make it an example", said(FeedbackKind.GOOD))
        ui.menu_item("Refuse: it is not wanted", said(FeedbackKind.NOT_GOOD))
        ui.menu_item("Use a part of it …", part)
