"""A page's card: its text, why it was judged so, why it was fetched, its neighbours, and the archived copy."""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

from nicegui import context, ui

from scenthound.errors import ScenthoundError
from scenthound.services.results.page_card import Card, WordSaid, card_of, url_of_page
from scenthound.store.sqlite.queries.linked_pages import LinkedPage
from scenthound.ui.actions import feed_back
from scenthound.ui.api_models import Feedback, FeedbackKind
from scenthound.ui.views.frame import Crawl
from scenthound.ui.views.widgets import asked, button, moment, outside, relevance, title_button


async def show_card(crawl: Crawl, *, n: int = 0, url: str = "", changed: Callable[[], Any] | None = None) -> None:
    """Open the card of a page in a dialog. `changed` is called after feedback."""
    found = await asked(lambda: card_of(crawl.directory, url or url_of_page(crawl.directory, n)))
    if not isinstance(found, Card):
        return
    with (
        context.client.content,  # not in the list that it was opened from: the card stays when that is drawn again
        ui.dialog().props("position=right full-height") as dialog,
        ui.card().classes("page-card").props('role="document"'),
    ):
        dialog.props["aria-label"] = found.page.title or found.page.url
        dialog.on("hide", dialog.delete)
        _head(crawl, found, dialog, changed)
        with ui.tabs().props("no-caps align=left dense").classes("card-tabs") as tabs:
            why, text, links, copy = ui.tab("Why"), ui.tab("Text"), ui.tab("Links"), ui.tab("Copy")
        with ui.tab_panels(tabs, value=why).classes("card-panels"):
            with ui.tab_panel(why):
                _why(found)
            with ui.tab_panel(text):
                _text(crawl, found)
            with ui.tab_panel(links):
                _links(crawl, dialog, "Cited by", found.cited_by)
                _links(crawl, dialog, "Links to", found.cites)
            with ui.tab_panel(copy):
                _copy(crawl, found)
    dialog.open()


def _head(crawl: Crawl, card: Card, dialog: ui.dialog, changed: Callable[[], Any] | None) -> None:
    page = card.page
    with ui.row().classes("card-head"):
        with ui.element("h2").props('dir="auto"').classes("card-title"):
            ui.label(page.title or page.url)
        button("", dialog.close, icon="close", label="Close the card")
    outside(page.final_url or page.url)
    with ui.row().classes("card-facts"):
        relevance(page.relevance)
        if page.topic:
            ui.label(page.topic).classes("chip").props('dir="auto"')
        ui.label(
            " · ".join(filter(None, (page.mime, page.language, moment(page.fetched_at), f"page {page.n}")))
        ).classes("muted")
    with ui.row().classes("card-actions"):
        feedback_buttons(crawl, page.url, card.said, card.example, changed=changed)
        button(
            "On the map",
            lambda: ui.navigate.to(crawl.map_address(url=page.url)),
            icon="hub",
            label="See its neighbours",
        )


def feedback_buttons(
    crawl: Crawl, url: str, said: str, example: str, *, changed: Callable[[], Any] | None = None, small: bool = False
) -> None:
    """Make the buttons Good and Not good, and one to undo.

    Of an `example` of a topic that the crawl began with nobody has said anything: it is called one, and no button is
    pressed.
    """
    state = {"said": said}
    with ui.row().classes("feedback").props('role="group" aria-label="What do you say of this page?"'):
        chip = _example(example, small=small) if example else None
        good = ui.button("" if small else "Good", icon="thumb_up", color=None).props(
            'dense no-caps aria-label="Good: more like this"'
        )
        bad = ui.button("" if small else "Not good", icon="thumb_down", color=None).props(
            'dense no-caps aria-label="Not good: less like this"'
        )
        undo = button("" if small else "Undo", lambda: say(FeedbackKind.UNDO), icon="undo", label="Undo the feedback")

    def show() -> None:
        for one, mine in ((good, FeedbackKind.GOOD), (bad, FeedbackKind.NOT_GOOD)):
            on = state["said"] == mine.value
            one.props(f"aria-pressed={'true' if on else 'false'}").props(remove="flat unelevated").props(
                "unelevated" if on else "flat"
            )
        undo.set_visibility(bool(state["said"]))
        if chip is not None:
            chip.set_visibility(not state["said"])

    async def say(what: FeedbackKind) -> None:
        done = await asked(feed_back, crawl.desk.window, crawl.directory, Feedback(url=url, say=what))
        if done is None or isinstance(done, bool):
            return
        state["said"] = "" if what is FeedbackKind.UNDO else what.value
        show()
        ui.notify("Undone. The critic learns again." if what is FeedbackKind.UNDO else "The critic learns from it.")
        if changed is not None:
            changed()

    good.on_click(lambda: say(FeedbackKind.GOOD))
    bad.on_click(lambda: say(FeedbackKind.NOT_GOOD))
    show()


def _example(topic: str, *, small: bool) -> ui.label:
    chip = ui.label("example" if small else f"example of {topic}").classes("chip").props('dir="auto"')
    with chip:
        ui.tooltip(f"One of the examples of {topic}")
    return chip


def _why(card: Card) -> None:
    if card.words_for or card.words_against:
        with ui.element("h3"):
            ui.label("Why it was judged so")
        _words("Words that speak for it", card.words_for)
        _words("Words that speak against it", card.words_against)
    with ui.element("h3"):
        ui.label("Its story")
    for line in card.why:
        ui.label(line).classes("story").props('dir="auto"')


def _words(title: str, words: Sequence[WordSaid]) -> None:
    if words:
        ui.label(title).classes("muted")
        with ui.row().classes("words"):
            for one in words:
                ui.label(f"{one.word} {one.weight:+.2f}").classes("chip").props('dir="auto"')


def _text(crawl: Crawl, card: Card) -> None:
    """Show the page's text later. The card does not wait for it, because the first one starts a reader process."""
    label = ui.label("Reading it …").classes("page-text").props('dir="auto"')

    async def read() -> None:
        try:
            text = await crawl.desk.window.reader.text_of(crawl.directory, card.page.n)
        except ScenthoundError as error:
            text = str(error)
        label.text = text or "This page has no text."

    ui.timer(0, read, once=True)


def _links(crawl: Crawl, dialog: ui.dialog, title: str, pages: Sequence[LinkedPage]) -> None:
    with ui.element("h3"):
        ui.label(title)
    if not pages:
        ui.label("None that is known.").classes("muted")
    for one in pages:
        with ui.row().classes("linked"):
            if one.relevance is not None:
                relevance(one.relevance)
                title_button(one.title or one.url, lambda one=one: _next(crawl, dialog, one.url))
            else:
                ui.label(one.state).classes("chip")
                outside(one.url)
            if one.text:
                ui.label(f"“{one.text}”").classes("muted").props('dir="auto"')


async def _next(crawl: Crawl, dialog: ui.dialog, url: str) -> None:
    dialog.close()
    await show_card(crawl, url=url)


def _copy(crawl: Crawl, card: Card) -> None:
    """Show the archived copy in a frame that runs no script and loads nothing (see `headers.SANDBOX`)."""
    if card.page.spot is None:
        ui.label("No copy was kept (archive.keep).").classes("muted")
        return
    address = f"/archived/{quote(crawl.name, safe='')}/{card.page.n}"
    ui.label("As it was fetched, without scripts, pictures and anything from outside.").classes("muted")
    if card.page.mime in ("text/html", "application/xhtml+xml", "text/plain", "text/markdown"):
        frame = ui.element("iframe").props('title="Archived copy" loading="lazy" referrerpolicy="no-referrer"')
        frame.props.update(sandbox="", src=address)  # as a word among others it would be "true", which is no flag
        frame.classes("copy")
    else:
        ui.link("Save the file", address).classes("outside")
