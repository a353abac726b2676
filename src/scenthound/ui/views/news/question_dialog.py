"""The dialog that saves a question: on News from scratch, in Results and SQL from what was just asked there."""

from collections.abc import Awaitable, Callable

from msgspec.structs import replace
from nicegui import ui

from scenthound.services.news.book_edits import add_question
from scenthound.services.news.question_run import QuestionReport
from scenthound.settings.question_book import SavedQuestion
from scenthound.ui.views.frame import Crawl
from scenthound.ui.views.widgets import asked, titled_dialog


def ask_dialog(
    crawl: Crawl, question: SavedQuestion | None = None, *, then: Callable[[], Awaitable[None]] | None = None
) -> None:
    """Ask for a name, and for the question if it is not given; save it."""
    with titled_dialog("Save a question") as dialog:
        name = ui.input("Name").props("autofocus dense outlined")
        words = sql = None
        if question is None:
            words = ui.input("Words to search for").props("dense outlined")
            sql = ui.textarea("Or a query in SQL").props("dense outlined autogrow").classes("mono")
        else:
            ui.label(question.words[:300]).classes("muted").props('dir="auto"')
        first = ui.checkbox("What is there now is news too")
        ui.label("It runs after each crawl and says what is new since.").classes("muted")

        async def save() -> None:
            asks = question or SavedQuestion(
                search=(words.value or "") if words else "", sql=(sql.value or "") if sql else ""
            )
            whole = replace(asks, report_first=bool(first.value))
            done = await asked(add_question, crawl.directory, (name.value or "").strip(), whole)
            if isinstance(done, QuestionReport):
                dialog.close()
                ui.notify(done.says, multi_line=True)
                if then is not None:
                    await then()

        name.on("keydown.enter", save)
        with ui.row().classes("actions"):
            ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
            ui.button("Keep asking", on_click=save).props("unelevated no-caps").mark("keep asking")
