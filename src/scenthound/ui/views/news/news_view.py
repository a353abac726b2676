"""News: what is new, the saved questions, where news goes, and the watch that asks them by a schedule."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from nicegui import ui

from scenthound.services.news.book_edits import remove_question
from scenthound.services.news.feed_address import feed_path
from scenthound.services.news.question_list import QuestionList, listed
from scenthound.services.news.question_run import DATABASE, NewsReport, run_questions
from scenthound.services.news.unread_news import latest_news, mark_read
from scenthound.services.news.watch_process import WatchState, start_watch, stop_watch, watch_state
from scenthound.settings.time_span import in_words
from scenthound.types.news import NewsItem
from scenthound.ui.views.frame import Crawl, frame
from scenthound.ui.views.news.question_dialog import ask_dialog
from scenthound.ui.views.widgets import asked, button, empty, moment, outside, panel

_SHOWN = 50  # items
_EVERY = 5.0  # seconds between looks


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """All that the page shows."""

    questions: QuestionList
    news: tuple[NewsItem, ...]
    watch: WatchState
    feed: str = ""


async def news(crawl: Crawl) -> None:
    """Lay out the page."""
    first = await asyncio.to_thread(_look, crawl)
    with frame(f"News of {crawl.name}", desk=crawl.desk, crawl=crawl, here="/news"):
        NewsPage(crawl).show(first)


def _look(crawl: Crawl) -> _Seen:
    directory = crawl.directory
    items = tuple(latest_news(directory, limit=_SHOWN))
    mark_read(directory, items)
    feed = feed_path(directory, crawl.name) if (directory.path / DATABASE).exists() else ""
    return _Seen(questions=listed(directory), news=items, watch=watch_state(directory), feed=feed)


class NewsPage:
    """The parts of the page; what has changed is drawn again."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._seen: _Seen | None = None
        with ui.element("div").classes("columns"):
            with ui.element("div").classes("column-wide"), panel("What is new"):
                self._news = ui.element("div").classes("hits").props('role="list" aria-live="polite"')
            with ui.element("div"):
                with panel("Saved questions"):
                    self._questions = ui.element("div").classes("hits")
                    with ui.row().classes("actions"):
                        button("Run now", self._run, icon="play_arrow", label="Run all questions now")
                        button("New question", self._add, icon="add", label="Save a question to run after each crawl")
                with panel("Watch"):
                    self._watch = ui.element("div").classes("told")
                with panel("Where news goes"):
                    self._ways = ui.element("div").classes("told")
        ui.timer(_EVERY, self.look, immediate=False)

    async def look(self) -> None:
        found = await asked(_look, self._crawl)
        if isinstance(found, _Seen):
            self.show(found)

    def show(self, found: _Seen) -> None:
        before, self._seen = self._seen, found
        if before is None or before.news != found.news:
            self._redraw(self._news, self._draw_news)
        if before is None or before.questions != found.questions:
            self._redraw(self._questions, self._draw_questions)
        if before is None or (before.questions.channels, before.feed) != (found.questions.channels, found.feed):
            self._redraw(self._ways, self._draw_ways)
        if before is None or before.watch != found.watch:
            self._redraw(self._watch, self._draw_watch)

    def _redraw(self, place: ui.element, draw: Callable[[], None]) -> None:
        place.clear()
        with place:
            draw()

    def _draw_news(self) -> None:
        assert self._seen is not None
        for item in self._seen.news:
            with ui.element("article").classes("hit").props('role="listitem"'), ui.element("div").classes("hit-main"):
                ui.label(item.title or item.question).classes("hit-site").props('dir="auto"')
                if item.url:
                    outside(item.url)
                if item.summary:
                    ui.label(item.summary[:300]).classes("muted").props('dir="auto"')
                ui.label(f"{item.question} · {moment(item.at)}").classes("muted small").props('dir="auto"')
        if not self._seen.news:
            empty("notifications_none", "No news yet", "Save a question. What is new after the next crawl is here.")

    def _draw_questions(self) -> None:
        assert self._seen is not None
        for one in self._seen.questions.questions:
            with ui.element("article").classes("hit"):
                with ui.element("div").classes("hit-main"):
                    ui.label(one.name).classes("hit-site").props('dir="auto"')
                    ui.label(one.words[:200]).classes("muted mono" if one.sql else "muted").props('dir="auto"')
                    when = f" · {moment(one.at)}" if one.at is not None else ""
                    ui.label(f"{one.says}{when}").classes("muted small")
                remove = partial(self._remove, one.name)
                button("", remove, icon="delete", label=f"Remove the question {one.name}")
        if not self._seen.questions.questions:
            ui.label("None yet. Results and SQL have a button that keeps asking what you asked there.").classes("muted")

    def _draw_ways(self) -> None:
        assert self._seen is not None
        if self._seen.feed:
            ui.label("An Atom feed. Readers that cannot log in get it at this secret address:").classes("muted")
            with ui.element("div").classes("setting-name"):
                ui.link("Feed", self._seen.feed).classes("way")
        else:
            ui.label("An Atom feed, once there is a question.").classes("muted")
        for channel in self._seen.questions.channels:
            waiting = f": {channel.waiting:,} waiting" if channel.waiting else ""
            said = f", {channel.said}" if channel.said else ""
            ui.label(f"{channel.name[:1].upper()}{channel.name[1:]}{waiting}{said}").classes("muted").props(
                'dir="auto"'
            )
        ui.label("Webhooks and commands are set in questions.toml or on the command line, not here.").classes(
            "muted small"
        )

    def _draw_watch(self) -> None:
        assert self._seen is not None
        state = self._seen.watch
        if state.running:
            span = in_words(state.every) if state.every else "so often"
            ui.label(f"Pages are revisited and questions asked every {span}.")
            if state.due is not None:
                ui.label(f"The next round is due at {moment(state.due)}.").classes("muted")
            button("End the watch", self._end, icon="stop", label="End the watch")
            return
        ui.label("Revisit pages that have probably changed, and ask the questions, by a schedule.").classes("muted")
        with ui.row().classes("sql-tools"):
            every = ui.input("Every", value=state.wanted or "6h").props('dense outlined hint="30m, 6h, 1d, 1w"')
            button("Watch", lambda: self._begin(str(every.value or "")), icon="schedule", label="Begin the watch")

    async def _begin(self, every: str) -> None:
        if await asked(start_watch, self._crawl.directory, every) is not None:
            ui.notify("The crawl is watched, also when this window is closed.")
            await self.look()

    async def _end(self) -> None:
        if await asked(stop_watch, self._crawl.directory) is not None:
            ui.notify("The watch ends when what is in flight has landed; everything is saved.")
            await self.look()

    async def _run(self) -> None:
        report = await asked(run_questions, self._crawl.directory)
        if isinstance(report, NewsReport):
            for sentence in report.says:
                ui.notify(sentence, multi_line=True)
            await self.look()

    async def _remove(self, name: str) -> None:
        if await asked(remove_question, self._crawl.directory, name) is not None:
            ui.notify(f"Removed: {name}")
            await self.look()

    def _add(self) -> None:
        ask_dialog(self._crawl, then=self.look)
