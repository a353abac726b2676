"""Findings of the crawl about itself, with a button for the remedy or a command to copy."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from nicegui import context, ui

from scenthound.events import Finding, FindingKind
from scenthound.services.crawls.cure import Cure, Verb, cure_of, do_cure
from scenthound.ui.views.frame import Crawl, start_dialog
from scenthound.ui.views.results.card_view import show_card
from scenthound.ui.views.topics.check_dialog import ask_to_check
from scenthound.ui.views.widgets import asked, button, in_browser

_CHECKED: Final = (FindingKind.UNCHECKED, FindingKind.CONTRADICTED)  # what a reader's answers help against


def show_findings(place: ui.element, crawl: Crawl, found: Sequence[Finding]) -> None:
    """Show all findings; redraw them after a change."""
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
    if one.kind in _CHECKED:
        button("Check pages", lambda: ask_to_check(crawl), icon="fact_check", label="Say which crawled pages are good")
        return
    cure, undo = cure_of(one.command), cure_of(one.undo)
    if cure is None:
        if one.command:
            button("Copy", lambda: _copy(one.command), icon="content_copy", label="Copy the command")
        return
    if cure.url:
        button("Look", lambda: show_card(crawl, url=cure.url), icon="visibility", label="Look at the page first")
    do = button("Do it", lambda: act(cure), icon="healing", label="Apply the remedy")

    async def act(what: Cure) -> None:
        if await _done(crawl, what):
            do.set_visibility(what is undo)
            if back is not None:
                back.set_visibility(what is not undo)

    back = None if undo is None else _hidden("Undo", lambda: act(undo), "Undo the remedy")


def _hidden(text: str, on_click: Callable[[], Any], label: str) -> ui.button:
    made = button(text, on_click, icon="undo", label=label)
    made.set_visibility(False)
    return made


def _copy(command: str) -> None:
    in_browser(context.client, "copy", text=command)
    ui.notify("Copied. Paste it into a terminal and replace words in capitals.")


async def _done(crawl: Crawl, cure: Cure) -> bool:
    if cure.verb is Verb.FORGIVE and not crawl.directory.is_running():
        start_dialog(crawl, forgiving=True)  # it comes with a start, and how far that goes is for the reader to say
        return False
    told = await asked(do_cure, cure, crawl.directory, crawl.desk.window.engine)
    if isinstance(told, list):
        ui.notify(" ".join(told), multi_line=True)
    return isinstance(told, list)
