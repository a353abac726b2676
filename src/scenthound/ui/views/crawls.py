"""The list of crawls, and the form for a new one."""

from nicegui import events, ui

from scenthound.services.crawls.crawl_list import fault_of_name
from scenthound.settings.help import toml_value
from scenthound.ui.actions import line_of, make
from scenthound.ui.api_models import CrawlLine, NewCrawl
from scenthound.ui.request_guard import LARGEST_UPLOAD
from scenthound.ui.views.frame import Desk, frame
from scenthound.ui.views.topics.canonical_choice import PlacesInTree
from scenthound.ui.views.widgets import asked, empty, fault, lines_of, panel

_BY_URLS, _BY_QUERY, _BY_FILE = "Pages you like", "Words", "Bookmarks"


def crawls(desk: Desk) -> None:
    """Lay out the list."""
    with frame("Crawls", desk=desk):
        with ui.row().classes("list-head"):
            with ui.element("h1"):
                ui.label("Crawls")
            ui.element("div").classes("grow")
            if not desk.window.crawls.single:
                ui.button("New crawl", icon="add", on_click=lambda: ui.navigate.to("/new")).props(
                    "unelevated no-caps"
                ).mark("new crawl")
        place = ui.element("div").classes("crawl-list")
        seen: list[list[CrawlLine]] = []

        async def show() -> None:
            found = await asked(lambda: [line_of(desk.window, name) for name in desk.window.crawls.names()])
            if not isinstance(found, list) or seen[-1:] == [found]:
                return
            seen[:] = [found]
            place.clear()
            with place:
                for line in found:
                    _line(desk, line)
                if not found:
                    empty(
                        "pets",
                        "No crawl yet",
                        "Create one from pages that you like, from bookmarks, or from a few words.",
                    )

        ui.timer(3.0, show, immediate=True)


def _line(desk: Desk, line: CrawlLine) -> None:
    with ui.element("a").classes("crawl-line").props(f'href="{desk.crawl(line.name).address()}"'):
        with ui.element("div").classes("crawl-line-name"):
            ui.label(line.name).classes("hit-site").props('dir="auto"')
            if not line.doing.startswith("damaged"):
                ui.label(", ".join(line.good) or "no good topic yet").classes("muted").props('dir="auto"')
        doing, _, fault = line.doing.partition(": ")
        ui.label(doing).classes(f"state {doing}")
        if fault:
            ui.label(fault).classes("crawl-fault").props('dir="auto"')
            return
        ui.label(f"{line.pages:,} pages")
        ui.label("harvest –" if line.harvest is None else f"harvest {line.harvest:.3f}").classes("muted")


def new_crawl(desk: Desk) -> None:
    """Lay out the form."""
    with frame("New crawl", desk=desk):
        with ui.element("h1"):
            ui.label("New crawl")
        with panel("Name of the crawl"):
            name = (
                ui.input("Name", validation=lambda text: fault_of_name(text or "") or None)
                .props("outlined dense")
                .mark("name")
            )
        with panel("What do you want?"):
            with ui.tabs().props("no-caps align=left dense") as tabs:
                by_urls, by_query, by_file = map(ui.tab, (_BY_URLS, _BY_QUERY, _BY_FILE))
            with ui.tab_panels(
                tabs, value=_BY_URLS
            ):  # by name: the tab itself would be another value than a click gives
                with ui.tab_panel(by_urls):
                    urls = ui.textarea("URLs, one per line").props("outlined autogrow").classes("wide").mark("urls")
                    ui.label("A few pages from different sites teach more than many from one site.").classes("muted")
                    places = PlacesInTree(
                        overrides=desk.window.overrides,
                        urls=lambda: lines_of(urls.value),
                        settings=lambda: _contact(contact.value) | _settings(settings.value),
                        name=lambda path: good.set_value(path),
                    )
                with ui.tab_panel(by_query):
                    query = (
                        ui.input("Words that describe what you want")
                        .props("outlined dense")
                        .classes("wide")
                        .mark("query")
                    )
                    start = ui.textarea("URLs to start from, one per line").props("outlined autogrow").classes("wide")
                with ui.tab_panel(by_file):
                    file = _Upload()
            good = (
                ui.input("Name of the topic (for pages and words)", value="")
                .props("outlined dense")
                .classes("wide")
                .mark("good")
            )
        with panel("Contact"):
            contact = ui.input("Your e-mail address or URL").props("outlined dense").classes("wide").mark("contact")
            ui.label(
                "It is sent with every request, so that the owner of a site can reach you, and not only block you."
            ).classes("muted")
        with ui.expansion("Settings for this crawl").classes("panel"):
            settings = (
                ui.textarea("One per line, such as fetch.delay = 2")
                .props("outlined autogrow")
                .classes("wide mono")
                .mark("settings")
            )

        async def done() -> None:
            if lacking := _lacking(tabs.value, name.value, urls.value, query.value, file.text):
                fault(lacking)
                return
            wanted = NewCrawl(
                name=(name.value or "").strip(),
                urls={_BY_URLS: lines_of(urls.value), _BY_QUERY: lines_of(start.value)}.get(tabs.value, []),
                query=(query.value or "") if tabs.value == _BY_QUERY else "",
                bookmarks=file.text if tabs.value == _BY_FILE else "",
                good=[good.value.strip()] if (good.value or "").strip() and tabs.value != _BY_FILE else [],
                settings=_contact(contact.value) | _settings(settings.value),
            )
            if tabs.value == _BY_URLS:
                wanted = places.applied(wanted)
            told = await asked(make, desk.window, wanted)
            if told is not None:
                ui.navigate.to(desk.crawl(wanted.name).address("/topics"))

        ui.button("Create", icon="check", on_click=done).props("unelevated no-caps").mark("make")


def _lacking(by: str, name: str | None, urls: str | None, query: str | None, bookmarks: str) -> str:
    """Say what is still missing in the form; "" if nothing is.

    >>> _lacking(_BY_QUERY, "bikes", "", "touring bicycles", ""), _lacking(_BY_QUERY, " ", "", "", "")
    ('', 'Give it a name.')
    """
    if not (name or "").strip():
        return "Give it a name."
    given = {_BY_URLS: urls, _BY_QUERY: query, _BY_FILE: bookmarks}
    wanted = {
        _BY_URLS: "Give at least one address of a page that you like.",
        _BY_QUERY: "Give some words that say what is wanted.",
        _BY_FILE: "Choose a file of bookmarks first.",
    }
    return "" if (given[by] or "").strip() else wanted[by]


class _Upload:
    """An uploaded file of bookmarks, kept as text until the crawl is created."""

    def __init__(self) -> None:
        self.text = ""
        ui.upload(
            label="Bookmarks, exported as HTML",
            auto_upload=True,
            max_files=1,
            max_file_size=LARGEST_UPLOAD - 1_000_000,
            on_upload=self._take,
            on_rejected=lambda: fault("That file is too large, or not the only one."),
        ).props('accept=".html,.htm" flat bordered').mark("bookmarks")
        ui.label("Folders become topics. Mark the good ones on the next page.").classes("muted")

    async def _take(self, event: events.UploadEventArguments) -> None:
        self.text = (await event.file.read()).decode("utf-8", "replace")
        ui.notify(f"{event.file.name} was read.")


def _contact(text: str | None) -> dict[str, str]:
    return {"fetch.contact": toml_value(text.strip())} if text and text.strip() else {}


def _settings(text: str | None) -> dict[str, str]:
    pairs = [line.partition("=") for line in lines_of(text) if not line.startswith("#")]
    return {key.strip(): value.strip() for key, _, value in pairs}
