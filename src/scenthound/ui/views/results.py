"""Results: the pages that were found, by what the reader looks for; hubs, authorities and sites; all to be taken away."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from scenthound.desk.best import RankedPages, RankedSites, Wanted, authorities_of, hubs_of, sites_of
from scenthound.desk.feedback import Sayings, sayings_of
from scenthound.desk.feedback_groups import Of, said_of_site
from scenthound.desk.pages import Choices, Hits, PageHit, PageOrder, PageQuery, choices_of, find_pages
from scenthound.errors import ScenthoundError
from scenthound.ui.asked import ExportFormat
from scenthound.ui.views.card import feedback_buttons, show_card
from scenthound.ui.views.frame import Crawl, frame
from scenthound.ui.views.group_feedback import group_buttons
from scenthound.ui.views.parts import asked, empty, moment, outside, quickly, relevance, title_button

PAGE: Final = 25
LEAST: Final = 0.5  # relevance, at first
_ORDERS: Final = {PageOrder.RELEVANCE: "most relevant", PageOrder.NEWEST: "newest", PageOrder.OLDEST: "oldest"}


async def results(crawl: Crawl) -> None:
    """Lay out the page, with the best pages in it if these are found soon."""
    begun = crawl.directory.database.exists()
    first = await quickly(asyncio.to_thread(_first, crawl)) if begun else None
    with frame(f"Results of {crawl.name}", desk=crawl.desk, crawl=crawl, here="/results"):
        if not begun:
            empty(
                "travel_explore", "Nothing has been fetched yet", "Start the crawl, and what it finds is listed here."
            )
            return
        with ui.tabs().props("no-caps align=left").classes("result-tabs") as tabs:
            names = [ui.tab(name) for name in ("Pages", "Hubs", "Authorities", "Sites", "Take away")]
        with ui.tab_panels(tabs, value=names[0]).classes("result-panels"):
            with ui.tab_panel(names[0]):
                Found(crawl, first)
            with ui.tab_panel(names[1]):
                _lazily(
                    (tabs, "Hubs"),
                    lambda: asked(hubs_of, crawl.directory, Wanted()),
                    lambda found: _ranked(crawl, found, "links to", hubs=True),
                )
            with ui.tab_panel(names[2]):
                _lazily(
                    (tabs, "Authorities"),
                    lambda: asked(authorities_of, crawl.directory, Wanted()),
                    lambda found: _ranked(crawl, found, "cited by"),
                )
            with ui.tab_panel(names[3]):
                _lazily(
                    (tabs, "Sites"),
                    lambda: asked(sites_of, crawl.directory, Wanted()),
                    lambda found: _sites(crawl, found),
                )
            with ui.tab_panel(names[4]):
                _take_away(crawl)


def _first(crawl: Crawl) -> Hits | None:
    """Find what the list begins with."""
    try:
        return find_pages(crawl.directory, PageQuery(min_relevance=LEAST, limit=PAGE))
    except ScenthoundError:
        return None  # the list asks again, and shows what is wrong


class Found:
    """The list of pages under its filters."""

    def __init__(self, crawl: Crawl, first: Hits | None) -> None:
        self._crawl = crawl
        self._offset = 0
        with ui.element("div").classes("filters").props('role="search" aria-label="Filters"'):
            self._words = ui.input("Words in title or address", on_change=self._again).props(
                'clearable debounce="400" dense outlined'
            )
            self._topic = ui.select(
                {"": "all topics"}, value="", label="Topic", on_change=self._again, with_input=True
            ).props("dense outlined options-dense")
            self._site = ui.select(
                {"": "all sites"}, value="", label="Site", on_change=self._again, with_input=True
            ).props("dense outlined options-dense")
            self._language = ui.select({"": "all languages"}, value="", label="Language", on_change=self._again).props(
                "dense outlined options-dense"
            )
            self._mime = ui.select({"": "all types"}, value="", label="Type", on_change=self._again).props(
                "dense outlined options-dense"
            )
            self._since = ui.input("Fetched since", on_change=self._again).props(
                'type="date" dense outlined stack-label'
            )
            self._order = ui.select(_ORDERS, value=PageOrder.RELEVANCE, label="Order", on_change=self._again).props(
                "dense outlined options-dense"
            )
            self._least = _least(self._again)
        self._list = ui.element("div").classes("hits").props('role="list" aria-live="polite"')
        self._more = ui.button("More", on_click=self._further).props("flat no-caps").classes("more")
        topics = crawl.directory.topics()
        self._topic.set_options({"": "all topics"} | {path: path for path in topics.nodes})
        if first is not None:
            self._draw(first, anew=True)
        else:
            ui.timer(0, self._again, once=True)
        ui.timer(0.5, self._offer, once=True)

    async def _offer(self) -> None:
        found = await asked(choices_of, self._crawl.directory)
        if isinstance(found, Choices):
            self._site.set_options({"": "all sites"} | _counted(found.sites))
            self._language.set_options({"": "all languages"} | _counted(found.languages))
            self._mime.set_options({"": "all types"} | _counted(found.mimes))

    def _query(self) -> PageQuery:
        return PageQuery(
            words=self._words.value or "",
            topic=self._topic.value or "",
            site=self._site.value or "",
            language=self._language.value or "",
            mime=self._mime.value or "",
            since=_day(self._since.value),
            min_relevance=self._least.value or None,
            order=self._order.value,
            limit=PAGE,
            offset=self._offset,
        )

    async def _again(self) -> None:
        self._offset = 0
        await self._show(anew=True)

    async def _further(self) -> None:
        self._offset += PAGE
        await self._show(anew=False)

    async def _show(self, *, anew: bool) -> None:
        hits = await asked(find_pages, self._crawl.directory, self._query())
        if isinstance(hits, Hits):
            self._draw(hits, anew=anew)

    def _draw(self, hits: Hits, *, anew: bool) -> None:
        sayings = sayings_of(self._crawl.directory)
        if anew:
            self._list.clear()
        with self._list:
            for hit in hits.pages:
                _hit(self._crawl, hit, sayings)
            if anew and not hits.pages:
                self._nothing()
        self._more.set_visibility(hits.more)

    def _nothing(self) -> None:
        look = self._crawl.watch.last_look
        if look is not None and not look.census.pages:
            empty("travel_explore", "No page yet", "The examples come first; what the crawl finds then is listed here.")
        else:
            empty("search_off", "No page fits", "Let the relevance be lower, or take some filters away.")


def _hit(crawl: Crawl, hit: PageHit, sayings: Sayings) -> None:
    with ui.element("article").classes("hit").props('role="listitem"'):
        with ui.element("div").classes("hit-main"):
            title_button(hit.title or hit.url, lambda: show_card(crawl, n=hit.n))
            outside(hit.url)
            facts = filter(
                None, (hit.topic, hit.language, "" if hit.mime == "text/html" else hit.mime, moment(hit.fetched_at))
            )
            ui.label(" · ".join(facts)).classes("muted").props('dir="auto"')
        with ui.element("div").classes("hit-side"):
            relevance(hit.relevance)
            feedback_buttons(crawl, hit.url, *_said(sayings, hit.url), small=True)


def _least(changed: Callable[[], Any] | None = None) -> ui.number:
    """Make the field for the least relevance; a slider of Quasar's has no name for those who do not see it."""
    return ui.number("Relevance at least", value=LEAST, min=0, max=1, step=0.05, on_change=changed).props(
        'dense outlined debounce="400"'
    )


def _said(sayings: Sayings, url: str) -> tuple[str, str]:
    return str(sayings.of(url) or ""), sayings.example_of(url)


def _counted(pairs: Sequence[tuple[str, int]]) -> dict[str, str]:
    return {name: f"{name} ({number:,})" for name, number in pairs}


def _day(text: str | None) -> float | None:
    try:
        return datetime.fromisoformat(text).timestamp() if text else None
    except ValueError:
        return None


def _lazily(where: tuple[ui.tabs, str], ask: Callable[[], Any], show: Callable[[Any], None]) -> None:
    """Work something out when its tab is opened, and show that it is being worked on.

    Not before: to distil a large crawl takes a while, and most readers come for the pages.
    """
    place = ui.element("div")
    with place, ui.row().classes("working").props('role="status"'):
        ui.spinner(size="1.5em")
        ui.label("Working it out …")

    tabs, name = where
    begun = False

    async def work(event: ValueChangeEventArguments[Any]) -> None:
        nonlocal begun
        if begun or event.value != name:
            return
        begun = True
        found = await ask()
        place.clear()
        with place:
            if not isinstance(found, bool) and found is not None:
                show(found)

    tabs.on_value_change(work)


def _ranked(crawl: Crawl, found: RankedPages, relation: str, *, hubs: bool = False) -> None:
    if not found.pages:
        empty("hub", "None yet", "It takes judged pages of several sites that link to each other.")
        return
    ui.label(
        f"For {', '.join(found.topics)}: {found.distilled.pages:,} pages and {found.distilled.links:,} links between sites."
    ).classes("muted told")
    sayings = sayings_of(crawl.directory)
    for place, one in enumerate(found.pages, 1):
        with ui.element("article").classes("hit"):
            ui.label(str(place)).classes("place")
            with ui.element("div").classes("hit-main"):
                title_button(one.title or one.url, lambda one=one: show_card(crawl, url=one.url))
                outside(one.url)
                more = f", and {one.unvisited:,} not asked for yet" if one.unvisited else ""
                with ui.expansion(f"{relation} {one.count:,}{more}").props("dense").classes("neighbours"):
                    for there in one.neighbours:
                        outside(there.url, there.title)
            with ui.element("div").classes("hit-side"):
                relevance(one.relevance)
                if hubs:
                    group_buttons(crawl, Of.HUB, one.url, str(sayings.of(one.url) or ""))
                else:
                    feedback_buttons(crawl, one.url, *_said(sayings, one.url), small=True)


def _sites(crawl: Crawl, found: RankedSites) -> None:
    if not found.sites:
        empty("domain", "None yet", "No page has been judged relevant so far.")
    sayings = sayings_of(crawl.directory)
    for place, one in enumerate(found.sites, 1):
        with ui.element("article").classes("hit"):
            ui.label(str(place)).classes("place")
            with ui.element("div").classes("hit-main"):
                ui.label(one.site).classes("hit-site")
                ui.label(f"{one.relevant:,} of {one.pages:,} pages are relevant ({100 * one.density:.0f} %)").classes(
                    "muted"
                )
                with ui.expansion("its best pages").props("dense").classes("neighbours"):
                    for page in one.best:
                        title_button(page.title or page.url, lambda page=page: show_card(crawl, url=page.url))
            with ui.element("div").classes("hit-side"):
                relevance(one.score)
                group_buttons(crawl, Of.SITE, one.site, str(said_of_site(sayings, one.site) or ""))


def _take_away(crawl: Crawl) -> None:
    texts = {
        ExportFormat.CSV: ("CSV", "a table for a spreadsheet"),
        ExportFormat.JSONL: ("JSON lines", "one object a page, for programs"),
        ExportFormat.BOOKMARKS: ("Bookmarks", "to be imported into a browser"),
        ExportFormat.URLS: ("Addresses", "one a line"),
        ExportFormat.CDXJ: ("Archive index", "CDXJ, for pywb and the like"),
    }
    least = _least().classes("export-least")
    with ui.element("div").classes("exports"):
        for form, (name, text) in texts.items():
            with ui.element("div").classes("export"):
                ui.button(
                    name,
                    icon="download",
                    on_click=lambda form=form: ui.navigate.to(
                        f"{crawl.api}/export?format={form.value}&min_relevance={least.value or 0}"
                    ),
                ).props("unelevated no-caps").mark(f"export {form.value}")
                ui.label(text).classes("muted")
