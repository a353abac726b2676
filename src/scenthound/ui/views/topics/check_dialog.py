"""Check: ten crawled pages to say yes or no to, and what the answers say about the critic.

The pages come without the critic's opinion, and it learns from the answers only when all are given: they measure it.
"""

from typing import Final

from nicegui import ui

from scenthound.services.topics.sample import TO_CHECK, Answer, Sample, SampledPage, draw_sample
from scenthound.ui.actions import check_critic
from scenthound.ui.views.frame import Crawl
from scenthound.ui.views.widgets import asked, button, outside, titled_dialog

_SAID: Final = {"Yes": True, "No": False}


async def ask_to_check(crawl: Crawl) -> None:
    """Ask about some crawled pages in a dialog."""
    sample = await asked(lambda: draw_sample(crawl.directory, count=TO_CHECK))
    if not isinstance(sample, Sample):
        return
    with titled_dialog("Is each page what you want?") as dialog:
        intro = ui.label(
            f"{len(sample.asked)} crawled pages, drawn by chance from those called on topic and from the others. Skip "
            "what you cannot tell."
        ).classes("muted")
        with ui.element("div").classes("proposals").props('role="list"') as place:
            chosen = [(page, _question(page)) for page in sample.asked]

        async def finish() -> None:
            answers = [Answer(page=page, good=_SAID[said.value]) for page, said in chosen if said.value]
            if not answers:
                ui.notify("No answers, so nothing changes.")
                return
            lines = await asked(check_critic, crawl.desk.window, crawl.directory, sample, answers)
            if isinstance(lines, list):
                place.clear()
                with place:
                    for line in lines:
                        ui.label(line).props('role="listitem"')
                intro.set_visibility(False)
                done.set_visibility(False)

        with ui.row():
            done = ui.button("That is all", icon="done", on_click=finish).props("unelevated no-caps")
            button("Close", dialog.close, icon="close", label="Close the questions")


def _question(page: SampledPage) -> ui.toggle:
    """Ask about a page; a second click takes the answer back."""
    with (
        ui.element("div").classes("proposal").props('role="listitem"'),
        ui.element("div").classes("hit-main"),
    ):
        ui.label(page.title or page.url).classes("proposal-title").props('dir="auto"')
        outside(page.url)
        toggle = ui.toggle(list(_SAID), clearable=True).props("dense no-caps unelevated")
        toggle.props["aria-label"] = f"Is this what you want: {page.title or page.url}"
    return toggle
