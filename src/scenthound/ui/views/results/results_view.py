"""Results: pages with filters, hubs, authorities, sites, and exports."""

import asyncio
from collections.abc import Callable
from typing import Any

from nicegui import context, ui
from nicegui.events import ValueChangeEventArguments

from scenthound.counted import count
from scenthound.distill.site import Site
from scenthound.errors import ScenthoundError
from scenthound.services.corpus.parquet_files import has_parquet
from scenthound.services.results.best_pages import RankedPages, RankedSites, Wanted, authorities_of, hubs_of, sites_of
from scenthound.services.results.export_format import ExportFormat
from scenthound.services.results.page_list import Hits, find_pages
from scenthound.services.topics.group_feedback import Of, said_of_site
from scenthound.services.topics.page_feedback import sayings_of
from scenthound.ui.views.frame import Crawl, frame
from scenthound.ui.views.results.card_view import feedback_buttons, show_card
from scenthound.ui.views.results.filters import Filters
from scenthound.ui.views.results.found_pages import PAGE, Found, said_of
from scenthound.ui.views.results.group_dialog import group_buttons
from scenthound.ui.views.results.publish_panel import PublishPanel
from scenthound.ui.views.results.search_box import SearchBox
from scenthound.ui.views.widgets import asked, empty, outside, quickly, relevance, title_button


async def results(crawl: Crawl) -> None:
    """Lay out the page, with the best pages in it if they are found quickly."""
    begun = crawl.directory.begun
    filters = Filters.of(context.client.request.query_params)
    first = await quickly(asyncio.to_thread(_first, crawl, filters)) if begun else None
    with frame(f"Results of {crawl.name}", desk=crawl.desk, crawl=crawl, here="/results"):
        if not begun:
            empty(
                "travel_explore", "Nothing has been fetched yet", "Start the crawl, and what it finds is listed here."
            )
            return
        SearchBox(crawl)
        with ui.tabs().props("no-caps align=left").classes("result-tabs") as tabs:
            names = [ui.tab(name) for name in ("Pages", "Hubs", "Authorities", "Sites", "Export", "Publish")]
        with ui.tab_panels(tabs, value=names[0]).classes("result-panels"):
            with ui.tab_panel(names[0]):
                found = Found(crawl, filters, first)
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
                _take_away(crawl, found)
            with ui.tab_panel(names[5]):
                PublishPanel(crawl)


def _first(crawl: Crawl, filters: Filters) -> Hits | None:
    """Find the first pages of the list."""
    try:
        return find_pages(crawl.directory, filters.query(limit=PAGE))
    except ScenthoundError:
        return None  # the list asks again, and shows what is wrong


def _lazily(where: tuple[ui.tabs, str], ask: Callable[[], Any], show: Callable[[Any], None]) -> None:
    """Compute something when its tab is opened, and show that this takes a moment.

    Not before: to distil a large crawl takes a while, and most readers come for the pages.
    """
    place = ui.element("div")
    with place, ui.row().classes("working").props('role="status"'):
        ui.spinner(size="1.5em")
        ui.label("Computing …")

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
        empty("hub", "None yet", "Hubs and authorities need judged pages that link to each other.")
        return
    between = "pages" if found.site is Site.PAGE else "sites"
    pages, links = count(found.distilled.pages, "different page"), count(found.distilled.links, "link")
    said = f"For {', '.join(found.topics)}: {pages}, examples included, and {links} between {between}."
    if found.only:
        said += f" All pages are from {found.only}, so each counts as a site."
    ui.label(said).classes("muted told")
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
                    feedback_buttons(crawl, one.url, *said_of(sayings, one.url), small=True)


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


def _take_away(crawl: Crawl, found: Found) -> None:
    ui.label("The pages that match the filters under “Pages”, in fetch order.")
    ui.label("").classes("muted counted").bind_text_from(found.counted, "text")
    unique = ui.checkbox("Near-duplicates once").mark("export unique")
    text = ui.checkbox("Main texts also in JSON lines and CSV").mark("export text")
    ui.label("Texts are made when you click: about a minute for some thousand pages.").classes("muted")

    def download(form: ExportFormat) -> None:
        more = "&unique=true" if unique.value else ""
        more += "&text=true" if text.value and form in (ExportFormat.JSONL, ExportFormat.CSV) else ""
        ui.navigate.to(f"{crawl.api}/export?format={form.value}&{found.filters.for_export()}{more}")

    with ui.element("div").classes("exports"):
        for form in ExportFormat:
            if form is ExportFormat.PARQUET and not has_parquet():
                continue
            name, use = form.words
            with ui.element("div").classes("export"):
                ui.button(
                    name,
                    icon="download",
                    on_click=lambda form=form: download(form),
                ).props("unelevated no-caps").mark(f"export {form.value}")
                ui.label(use).classes("muted")
