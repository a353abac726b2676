"""What a crawl has noticed about itself, with the button that does what would help, or the command to copy."""

from collections.abc import Callable, Sequence
from typing import Any

from nicegui import context, ui

from scenthound.desk.curing import Cure, Verb, cure_of, do_cure
from scenthound.events import Finding
from scenthound.ui.views.card import show_card
from scenthound.ui.views.frame import Crawl, start_dialog
from scenthound.ui.views.parts import asked, button, in_browser


def show_findings(place: ui.element, crawl: Crawl, found: Sequence[Finding]) -> None:
    """Show all findings, anew when they have changed."""
    if getattr(place, "shown", ()) == found:
        return
    place.shown = found  # type: ignore[attr-defined]
    place.clear()
    with place:
        for one in found:
            with ui.element("div").classes("finding"):
                ui.icon("warning_amber").props('aria-hidden="true"')
                _words(one)
                _buttons(crawl, one)


def _words(one: Finding) -> None:
    with ui.element("div").classes("finding-words"):
        ui.label(one.sentence[:1].upper() + one.sentence[1:]).classes("finding-sentence").props('dir="auto"')
        for line in one.evidence:
            ui.label(line).classes("muted").props('dir="auto"')
        if one.command:
            with ui.element("code"):
                ui.label(one.command)


def _buttons(crawl: Crawl, one: Finding) -> None:
    cure, undo = cure_of(one.command), cure_of(one.undo)
    if cure is None:
        if one.command:
            button("Copy", lambda: _copy(one.command), icon="content_copy", label="Copy the command")
        return
    if cure.url:
        button("Look", lambda: show_card(crawl, url=cure.url), icon="visibility", label="Look at the page first")
    do = button("Do it", lambda: act(cure), icon="healing", label="Do what would help")

    async def act(what: Cure) -> None:
        if await _done(crawl, what):
            do.set_visibility(what is undo)
            if back is not None:
                back.set_visibility(what is not undo)

    back = None if undo is None else _hidden("Undo", lambda: act(undo), "Take back what was done")


def _hidden(text: str, on_click: Callable[[], Any], label: str) -> ui.button:
    made = button(text, on_click, icon="undo", label=label)
    made.set_visibility(False)
    return made


def _copy(command: str) -> None:
    in_browser(context.client, "copy", text=command)
    ui.notify("Copied; it is for the terminal, where a word in capitals is to be filled in.")


async def _done(crawl: Crawl, cure: Cure) -> bool:
    if cure.verb is Verb.FORGIVE and not crawl.directory.is_running():
        start_dialog(crawl, forgiving=True)  # it comes with a start, and how far that goes is for the reader to say
        return False
    told = await asked(do_cure, cure, crawl.directory, crawl.desk.window.engine)
    if isinstance(told, list):
        ui.notify(" ".join(told), multi_line=True)
    return isinstance(told, list)
