"""The dialog that asks which parts of a page count; the others stay out of the example (BINGO §2.6)."""

from collections.abc import Callable
from typing import Final

from nicegui import ui

from scenthound.services.topics.page_trim import blocks_of
from scenthound.services.topics.topic_edits import Edited
from scenthound.ui.actions import trim_page
from scenthound.ui.api_models import Trim
from scenthound.ui.views.frame import Crawl
from scenthound.ui.views.widgets import asked, titled_dialog

_SHOWN: Final = 300  # characters of a block


async def ask_for_parts(crawl: Crawl, url: str, title: str, *, then: Callable[[Edited], object]) -> None:
    """Show the blocks of a page with a box each, and make an example of those that are chosen."""
    blocks = await asked(blocks_of, crawl.directory, url)
    if not isinstance(blocks, tuple):
        return
    with titled_dialog(f"Which parts of {title or url} count?") as dialog:
        boxes = [ui.checkbox(_short(block)).classes("block") for block in blocks]

        async def take() -> None:
            chosen = [number for number, box in enumerate(boxes, 1) if box.value]
            done = await asked(trim_page, crawl.desk.window, crawl.directory, Trim(url=url, blocks=chosen))
            if isinstance(done, Edited):
                dialog.close()
                ui.notify(done.says, multi_line=True)
                then(done)

        with ui.row().classes("actions"):
            ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
            ui.button("Use these parts", on_click=take).props("unelevated no-caps")


def _short(block: str) -> str:
    text = " ".join(block.split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
