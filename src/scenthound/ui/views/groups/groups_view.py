"""Groups: pages of a topic, a search or a site in groups that are alike, as a map to walk into and as a list.

What is shown stands in the address, so that it can be kept and sent.
"""

from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

from nicegui import context, ui
from nicegui.events import GenericEventArguments

from scenthound.counted import count
from scenthound.errors import UsageError
from scenthound.search.groups import MOST_GROUPS
from scenthound.search.types import PageFacts
from scenthound.services.clusters.crawl_clusters import Cluster, Clusters, ClusterWish, clusters_of, into_of, place_of
from scenthound.services.clusters.group_topic import add_topic, name_of
from scenthound.services.topics.topic_edits import Edited
from scenthound.ui.views.frame import Crawl, frame
from scenthound.ui.views.map.chart_options import COLOURS
from scenthound.ui.views.results.card_view import show_card
from scenthound.ui.views.widgets import asked, button, empty, in_browser, outside, title_button, titled_dialog

_SHOWN: Final = 5  # pages of a group


def groups(crawl: Crawl) -> None:
    """Lay out the page. The groups follow, because to find them takes a moment."""
    with frame(f"Groups of {crawl.name}", desk=crawl.desk, crawl=crawl, here="/groups", charts=True):
        if not crawl.directory.begun:
            empty("bubble_chart", "Nothing has been fetched yet", "Start the crawl: pages that are alike appear here.")
            return
        Groups(crawl, dict(context.client.request.query_params))


class Groups:
    """The choice of pages, the map of their groups, and the list."""

    def __init__(self, crawl: Crawl, asked_for: dict[str, str]) -> None:
        self._crawl = crawl
        self._into = _place(asked_for.get("into", ""))
        self._found: Clusters | None = None
        self._tools(asked_for)
        self._way = ui.row().classes("actions").props('role="navigation" aria-label="Groups walked into"')
        self._said = ui.label("").classes("muted told").props('role="status" aria-live="polite"')
        with ui.element("div").classes("panel map-frame groups-map"):
            self._chart = ui.echart(treemap(())).classes("map")
            self._chart.on("componentClick", self._click, ["dataIndex", "data"])
            self._chart.props('role="img" aria-label="The groups by their size; the list below has the same data"')
        self._list = ui.element("div").classes("hits").props('role="list"')
        ui.timer(0, self.draw, once=True)

    def _tools(self, asked_for: dict[str, str]) -> None:
        topics = [*self._crawl.directory.topics().nodes]
        topic = asked_for.get("topic", "")
        with ui.element("div").classes("filters"):
            self._topic = ui.select(
                {"": "all pages", **{path: path for path in topics}},
                value=topic if topic in topics else "",
                label="Topic",
                on_change=self._other,
            ).props("dense outlined options-dense")
            self._words = ui.input("Search", value=asked_for.get("query", ""), on_change=self._other).props(
                'dense outlined clearable debounce="600"'
            )
            self._site = ui.input("Site", value=asked_for.get("site", ""), on_change=self._other).props(
                'dense outlined clearable debounce="600"'
            )
            self._number = ui.number(
                "Groups (0: automatic)",
                value=_number(asked_for),
                min=0,
                max=MOST_GROUPS,
                precision=0,
                on_change=self._other,
            ).props('dense outlined debounce="600"')
        with ui.row().classes("actions"):
            ui.link("Whose company topics keep", self._crawl.address("/company"))

    @property
    def _wish(self) -> ClusterWish:
        return ClusterWish(
            topic=self._topic.value or "",
            words=self._words.value or "",
            site=(self._site.value or "").strip(),
            groups=int(self._number.value or 0),
            into=self._into,
            whole=False,
        )

    async def _other(self) -> None:
        self._into = ()
        await self.draw()

    async def walk(self, into: tuple[int, ...]) -> None:
        """Show the groups at another place."""
        self._into = into
        await self.draw()

    async def draw(self) -> None:
        """Find the groups, and show them."""
        self._said.text = "Grouping …"
        wish = self._wish
        given = {"topic": wish.topic, "query": wish.words, "site": wish.site, "into": place_of(wish.into)}
        given["groups"] = str(wish.groups or "")
        address = urlencode({name: value for name, value in given.items() if value})
        in_browser(context.client, "address", path=f"{self._crawl.address('/groups')}{'?' * bool(address)}{address}")
        found = await asked(clusters_of, self._crawl.directory, wish)
        if wish != self._wish:
            return  # something else is asked for by now
        if isinstance(found, Clusters):
            self._show(found)
        else:
            self._said.text = ""

    def _show(self, found: Clusters) -> None:
        self._found = found
        aside = [count(found.left, "page") + " without text" if found.left else ""]
        aside += [count(found.copies, "copy", "copies") if found.copies else ""]
        left = " and ".join(filter(None, aside))
        self._said.text = found.says.replace(" (--groups)", "") + (f" Left out: {left}." if left else "")
        self._chart.run_chart_method("setOption", treemap(found.groups), {"replaceMerge": ["series"]})
        self._draw_way(found)
        self._list.clear()
        with self._list:
            for number, group in enumerate(found.groups, 1):
                self._draw(number, group)
            if not found.groups:
                empty("bubble_chart", "No groups here", "Choose another topic, or take some words away.")

    def _draw_way(self, found: Clusters) -> None:
        self._way.clear()
        self._way.set_visibility(bool(found.above))
        with self._way:
            button("All", partial(self.walk, ()), icon="home", label="Back to all groups")
            for depth, group in enumerate(found.above, 1):
                button(
                    group.label,
                    partial(self.walk, self._into[:depth]),
                    icon="chevron_right",
                    label=f"Groups in {group.label}",
                )

    def _draw(self, number: int, group: Cluster) -> None:
        into = (*self._into, number)
        with ui.element("article").classes("hit").props('role="listitem"'):
            ui.label(group.place).classes("place")
            with ui.element("div").classes("hit-main"):
                with ui.element("h2").props('dir="auto"'):
                    ui.label(group.label)
                facts = (count(group.pages, "page"), group.topic, group.language)
                ui.label(" · ".join(filter(None, facts))).classes("muted").props('dir="auto"')
                if group.terms[3:]:
                    ui.label("also " + ", ".join(group.terms[3:])).classes("muted").props('dir="auto"')
                with ui.expansion("its best pages", value=number <= 2).props("dense").classes("neighbours"):
                    for page in group.best[:_SHOWN]:
                        self._page(page)
            with ui.element("div").classes("hit-side"):
                button("Look inside", partial(self.walk, into), icon="zoom_in", label=f"Groups in {group.label}")
                button(
                    "Make a subtopic",
                    partial(self._make, group),
                    icon="account_tree",
                    label=f"Make {group.label} a topic",
                )

    def _page(self, page: PageFacts) -> None:
        title_button(page.title or page.url, partial(show_card, self._crawl, n=page.n))
        outside(page.url)

    def _make(self, group: Cluster) -> None:
        """Ask for the name, and make the topic."""
        found = self._found
        assert found is not None
        with titled_dialog("Make a subtopic") as dialog:
            above = found.topic or group.topic
            ui.label(f"Below {above}." if above else "At the top of the topics.").classes("muted").props('dir="auto"')
            name = ui.input("Name", value=name_of(group)).props("autofocus outlined dense")
            ui.label(f"Its examples are the {count(len(group.best), 'best page')} of the group.").classes("muted")

            async def make() -> None:
                done = await asked(add_topic, self._crawl.directory, found, group, name=name.value or "")
                if isinstance(done, Edited):
                    dialog.close()
                    await asked(self._crawl.desk.window.engine.learn, self._crawl.directory)
                    ui.notify(f"{done.says} It can be undone in Topics.", multi_line=True)

            name.on("keydown.enter", make)
            with ui.row().classes("actions"):
                ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
                ui.button("Make it", on_click=make).props("unelevated no-caps").mark("make topic")

    async def _click(self, event: GenericEventArguments) -> None:
        data = event.args.get("data")
        place = data.get("place") if isinstance(data, dict) else None
        if isinstance(place, int) and self._found is not None and 1 <= place <= len(self._found.groups):
            await self.walk((*self._into, place))


def treemap(found: tuple[Cluster, ...]) -> dict[str, Any]:
    """Return the groups as an ECharts treemap. Texts are drawn on a canvas, never read as markup."""
    data = [
        {
            "name": group.label,
            "value": group.pages,
            "place": number,
            "itemStyle": {"color": COLOURS[(number - 1) % len(COLOURS)]},
        }
        for number, group in enumerate(found, 1)
    ]
    series = {
        "id": "groups",
        "type": "treemap",
        "roam": False,
        "nodeClick": False,
        "breadcrumb": {"show": False},
        "left": 4,
        "right": 4,
        "top": 4,
        "bottom": 4,
        "itemStyle": {"borderColor": "#ffffff", "borderWidth": 1, "gapWidth": 2},
        "label": {
            "show": True,
            "overflow": "break",
            "fontSize": 12,
            "lineHeight": 16,
            "padding": 2,
            "color": "#ffffff",
            "textBorderColor": "rgba(0, 0, 0, 0.5)",
            "textBorderWidth": 2,
            "formatter": "{b}\n{c}",
        },
        "cursor": "pointer",
        "data": data,
    }
    tooltip = {"renderMode": "richText", "confine": True, "formatter": "{b}: {c}"}
    return {"animation": False, "tooltip": tooltip, "series": [series]}


def _place(typed: str) -> tuple[int, ...]:
    try:
        return into_of(typed)
    except UsageError:
        return ()


def _number(asked_for: dict[str, str]) -> int:
    typed = asked_for.get("groups", "")
    return min(MOST_GROUPS, int(typed)) if typed.isdecimal() else 0
