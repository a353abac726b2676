"""Map: the graph around a page or a topic as a picture to move in, coloured by topic, and a table of the same.

The middle grows as pages are expanded; what the map is around stands in the address, so that it can be kept and sent.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from nicegui import context, run, ui
from nicegui.events import GenericEventArguments

from scenthound.counted import count
from scenthound.errors import ScenthoundError
from scenthound.parse.urls import typed_address
from scenthound.services.results.neighbourhood import MOST, MapPage, Neighbourhood, neighbourhood_of
from scenthound.ui.views.frame import Crawl, frame
from scenthound.ui.views.map.chart_options import categories_of, category_of, options_of_map
from scenthound.ui.views.results.card_view import show_card
from scenthound.ui.views.widgets import asked, button, empty, in_browser, outside, quickly, relevance, title_button

_STEP: Final = 40  # pages that "more" adds
_ZOOMS: Final = (0.5, 8.0)


async def neighbourhood(crawl: Crawl) -> None:
    """Lay out the page, with the graph in it if it is found quickly."""
    start = Start.of(crawl, context.client.request.query_params)
    begun = crawl.directory.begun
    first = await quickly(asyncio.to_thread(start.first)) if begun else None
    with frame(f"Map of {crawl.name}", desk=crawl.desk, crawl=crawl, here="/map", charts=True):
        if not begun:
            empty(
                "hub",
                "Nothing has been fetched yet",
                "Start the crawl: pages and the links between them are drawn here.",
            )
            return
        Map(start, first)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The first centre of a map: the page or topic in the URL, or the first good topic."""

    crawl: Crawl
    topics: tuple[str, ...]
    topic: str
    url: str

    @classmethod
    def of(cls, crawl: Crawl, asked_for: Mapping[str, str]) -> "Start":
        topics, url = crawl.directory.topics(), asked_for.get("url", "")
        usual = next(iter([*(one.path for one in topics.good), *topics.nodes]), "")
        topic = asked_for.get("topic", "") or ("" if url else usual)
        return cls(crawl=crawl, topics=tuple(topics.nodes), topic=topic, url=url)

    @property
    def urls(self) -> list[str]:
        return [self.url] if self.url else []

    def first(self) -> Neighbourhood | None:
        try:
            return neighbourhood_of(self.crawl.directory, self.topic, self.urls, most=_STEP)
        except ScenthoundError:
            return None  # the map asks again, and shows what is wrong


class Map:
    """The picture, its table, and details of the clicked page."""

    def __init__(self, start: Start, first: Neighbourhood | None) -> None:
        self._crawl = start.crawl
        self._topic, self._urls = start.topic, start.urls
        self._most = _STEP
        self._zoom = 1.0
        self._found = first or Neighbourhood(pages=(), links=(), more=0)
        self._tools([*start.topics])
        with ui.element("div").classes("map-columns"):
            self._picture()
            self._beside = ui.element("section").classes("panel map-beside").props('aria-live="polite"')
        # Below the picture and not in its place: a graph whose chart loses its size fails within ECharts.
        with ui.expansion("The map as a table").classes("panel map-table"):
            self._table = ui.element("div")
        if first is not None:
            self._tell(first)
        else:
            ui.timer(0, self.draw, once=True)

    def _tools(self, topics: list[str]) -> None:
        with ui.row().classes("map-tools"):
            self._choice = ui.select(
                topics, value=self._topic or None, label="Around a topic", with_input=True, on_change=self._other_topic
            ).props("dense outlined options-dense")
            with ui.element("div").classes("map-page"):
                self._address = ui.input("Around a page").props('dense outlined placeholder="https://…"')
                self._address.on("keydown.enter", self._other_page)
                button("Show", self._other_page, icon="my_location", label="Show the map around this page")
            self._note = ui.label("").classes("muted")
            self._more = button("More", self._further, icon="add_circle_outline", label="Show more pages")

    def _picture(self) -> None:
        with ui.element("div").classes("panel map-frame"):
            self._chart = ui.echart(options_of_map(self._found)).classes("map")
            # Not on_point_click: that expects a value, which the dots of a graph do not have.
            self._chart.on("componentClick", self._click, ["dataType", "dataIndex"])
            self._chart.props('role="img" aria-label="Pages and the links between them; the table has the same data"')
            with ui.element("div").classes("map-zoom").props('role="group" aria-label="Zoom"'):
                button("", lambda: self._zoom_by(1.4), icon="zoom_in", label="Zoom in")
                button("", lambda: self._zoom_by(1 / 1.4), icon="zoom_out", label="Zoom out")
                button("", self._reset, icon="fit_screen", label="Show everything")
            self._nothing = ui.element("div").classes("map-nothing")

    async def draw(self) -> None:
        """Fetch the graph, and show it."""
        found = await asked(neighbourhood_of, self._crawl.directory, self._topic, self._urls, most=self._most)
        if isinstance(found, Neighbourhood):
            self._found = found
            options = await run.io_bound(options_of_map, found)
            self._chart.run_chart_method("setOption", options, {"replaceMerge": ["series"]})
            self._tell(found)

    def _tell(self, found: Neighbourhood) -> None:
        """Show the content of the picture in words and as a table."""
        self._say_nothing(found)
        self._note.text = f"{count(len(found.pages), 'page')}, {count(len(found.links), 'link')}" + (
            f", {count(found.more, 'more page')} near" if found.more else ""
        )
        self._more.set_visibility(found.more > 0 and self._most < MOST)
        self._draw_table()
        self._show(found.pages[0] if len(self._urls) == 1 and not self._topic and found.pages else None)

    def _say_nothing(self, found: Neighbourhood) -> None:
        self._nothing.set_visibility(not found.pages)
        self._nothing.clear()
        among = f"among the latest {found.latest:,} pages" if found.latest else "so far"
        with self._nothing:
            empty("hub", "No page here yet", f"This topic has no page {among}. Choose another one.")

    def _draw_table(self) -> None:
        self._table.clear()
        out = Counter(one.source for one in self._found.links)
        into = Counter(one.target for one in self._found.links)
        with self._table, ui.element("table").classes("plain"):
            with ui.element("thead"), ui.element("tr"):
                for name in ("Page", "Topic", "Relevance", "Links to", "Cited by", ""):
                    with ui.element("th").props('scope="col"'):
                        ui.label(name)
            with ui.element("tbody"):
                for page in self._found.pages:
                    with ui.element("tr"):
                        with ui.element("td"):
                            self._title(page)
                        for text in (
                            page.topic or page.state,
                            "–" if page.relevance is None else f"{page.relevance:.2f}",
                            f"{out[page.id]}",
                            f"{into[page.id]}",
                        ):
                            with ui.element("td"):
                                ui.label(text).props('dir="auto"')
                        with ui.element("td"):
                            self._expand_button(page, "")

    def _title(self, page: MapPage) -> None:
        if page.relevance is None:
            outside(page.url)
        else:
            title_button(page.title or page.url, lambda: show_card(self._crawl, url=page.url))

    def _expand_button(self, page: MapPage, text: str) -> None:
        if not page.middle:
            button(text, lambda: self._expand(page), icon="open_in_full", label="Also show the pages around this one")

    def _click(self, event: GenericEventArguments) -> None:
        number = event.args.get("dataIndex")
        if event.args.get("dataType") == "node" and isinstance(number, int) and 0 <= number < len(self._found.pages):
            self._show(self._found.pages[number])

    def _show(self, page: MapPage | None) -> None:
        """Show details of the clicked page, or explain the colours."""
        self._beside.clear()
        with self._beside:
            if page is None:
                self._legend()
                return
            with ui.element("h2").props('dir="auto"'):
                ui.label(page.title or page.url)
            outside(page.url)
            with ui.row().classes("card-facts"):
                relevance(page.relevance)
                ui.label(page.topic or page.state).classes("chip").props('dir="auto"')
            with ui.row().classes("map-actions"):
                if page.relevance is not None:
                    button("Card", lambda: show_card(self._crawl, url=page.url), icon="article", label="Open its card")
                self._expand_button(page, "Expand")
                button(
                    "Centre", lambda: self._centre(page.url), icon="my_location", label="Show the map around this page"
                )
                button("Colours", lambda: self._show(None), icon="palette", label="What the colours mean")

    def _legend(self) -> None:
        with ui.element("h2"):
            ui.label("Colours")
        if not self._found.pages:
            ui.label("The map is empty.").classes("muted")
        categories = categories_of(self._found.pages)
        counted = Counter(category_of(page, categories) for page in self._found.pages)
        with ui.element("ul").classes("legend"):
            for one in categories:
                with ui.element("li"):
                    ui.element("span").classes("swatch").style(f"background: {one.colour}").props('aria-hidden="true"')
                    ui.label(one.name).props('dir="auto"')
                    ui.label(f"{counted[one.name]}").classes("muted")
        ui.label(
            "Larger is more relevant; a ring marks what the map is around. Click a page to learn of it and to go on "
            "from there; drag and scroll to move."
        ).classes("muted")

    async def _expand(self, page: MapPage) -> None:
        self._urls = [*self._urls, page.url]
        self._most = min(MOST, max(self._most, len(self._found.pages) + _STEP // 2))
        await self.draw()

    async def _centre(self, url: str) -> None:
        self._topic, self._urls, self._most = "", [url], _STEP
        self._choice.set_value(None)
        in_browser(context.client, "address", path=self._crawl.map_address(url=url))
        await self.draw()

    async def _other_page(self) -> None:
        typed = (self._address.value or "").strip()
        if typed:
            await self._centre(typed_address(typed) or typed)

    async def _other_topic(self) -> None:
        topic = self._choice.value
        if topic and topic != self._topic:
            self._topic, self._urls, self._most = topic, [], _STEP
            in_browser(context.client, "address", path=self._crawl.map_address(topic=topic))
            await self.draw()

    async def _further(self) -> None:
        self._most = min(MOST, self._most + _STEP)
        await self.draw()

    def _zoom_by(self, factor: float) -> None:
        self._zoom = min(_ZOOMS[1], max(_ZOOMS[0], self._zoom * factor))
        self._chart.run_chart_method("setOption", {"series": [{"id": "map", "zoom": self._zoom}]})

    def _reset(self) -> None:
        self._zoom = 1.0
        whole: dict[str, Any] = {"series": [{"id": "map", "zoom": 1, "center": None}]}
        self._chart.run_chart_method("setOption", whole)
