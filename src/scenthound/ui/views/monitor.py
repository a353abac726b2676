"""Monitor: the paper's plot, live (FOCUS §2.1, fig. 1), and beside it what the crawl waits for and what goes wrong."""

from collections.abc import Sequence
from typing import Any, Final

from nicegui import ui
from nicegui.events import EChartPointClickEventArguments

from scenthound.crawl.stats import failures, in_seconds, refusals, total
from scenthound.desk.trace import Dot, Trace
from scenthound.desk.words import reason_words
from scenthound.types import HostView
from scenthound.ui.doing import can_cure, cure
from scenthound.ui.views.card import show_card
from scenthound.ui.views.frame import Crawl, frame, harvest_text, live
from scenthound.ui.views.parts import asked, bars, button, empty, panel, tile
from scenthound.ui.watch import Look

RANGES: Final = {0: "All", 10_000: "Last 10,000", 1000: "Last 1,000", 200: "Last 200"}
_GOOD, _OTHER, _LINE = "#2e8b57", "#8a8f98", "#e08a1e"


def monitor(crawl: Crawl) -> None:
    """Lay out the page."""
    with frame(crawl.name, desk=crawl.desk, crawl=crawl, here=""):
        said = ui.label("").classes("notice").props('role="status"')
        alarms = ui.element("div").classes("findings").props('role="status" aria-live="polite"')
        with ui.element("div").classes("tiles"):
            pages, rate, recent = (
                tile("Pages"),
                tile("Harvest", "mean of all pages"),
                tile("Harvest now", "of the last 200 pages"),
            )
            speed, waiting, resting = (
                tile("Pages a second"),
                tile("Frontier", "URLs that wait"),
                tile("Hosts waiting", "for their pause to end"),
            )
            wrong = tile("Errors", "URLs that failed")
        with panel("Relevance over time"):
            plot = Plot(crawl)
        with ui.element("div").classes("columns"):
            beside = ui.element("div").classes("column-wide")
            errors = ui.element("div")

        async def show(look: Look) -> None:
            census = look.census
            pages.text, rate.text, waiting.text = f"{census.pages:,}", harvest_text(look), f"{census.waiting:,}"
            recent.text = (
                "–" if look.pulse is None or look.pulse.recent_harvest is None else f"{look.pulse.recent_harvest:.3f}"
            )
            speed.text = "–" if look.pulse is None or not look.engine.running else f"{look.pulse.pages_per_second:.1f}"
            resting.text = f"{census.hosts_resting + census.hosts_parked:,} of {census.hosts:,}"
            wrong.text = f"{total(failures(census)):,}"
            said.text = look.engine.said
            said.set_visibility(bool(look.engine.said))
            said.classes(add="failed" if look.engine.failed else "", remove="" if look.engine.failed else "failed")
            _errors(errors, look)
            await plot.draw()
            await _background(beside, crawl, look)
            await _findings(alarms, crawl)

        live(crawl.watch, show)


class Plot:
    """Dots and their moving average; a click on a dot shows the page."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._latest = 0
        self._by_time = True
        self._drawn: object = None
        with ui.row().classes("plot-tools"):
            ui.toggle(RANGES, value=0, on_change=lambda event: self._range(event.value)).props(
                'no-caps dense unelevated aria-label="Which pages"'
            )
            ui.toggle(
                {True: "by time", False: "by number"}, value=True, on_change=lambda event: self._axis(event.value)
            ).props('no-caps dense unelevated aria-label="Along which axis"')
            self._note = ui.label("").classes("muted")
        self._nothing = ui.element("div")
        with self._nothing:
            empty(
                "insights",
                "No page has been judged yet",
                "Start the crawl: the examples come first, then each page is a dot here.",
            )
        self._chart = ui.echart(_options(crawl.directory.settings().crawl.accept), on_point_click=self._click).classes(
            "plot"
        )
        self._chart.props('role="img" aria-label="Relevance of each page over time, with its moving average"')
        self._chart.set_visibility(False)

    async def draw(self) -> None:
        """Bring the chart up to date; only data is sent, and only when it has changed."""
        trace = await self._crawl.watch.trace(self._latest)
        key = (trace.last, len(trace.dots), self._latest, self._by_time, trace.average[-1:])
        if key == self._drawn:
            return
        self._drawn = key
        self._chart.set_visibility(bool(trace.dots))
        self._nothing.set_visibility(not trace.dots)
        self._note.text = "" if trace.whole else f"{len(trace.dots):,} dots stand for {trace.last:,} pages"
        accept = self._crawl.directory.settings().crawl.accept
        self._chart.run_chart_method("setOption", _data(trace, accept, by_time=self._by_time))

    async def _range(self, latest: int) -> None:
        self._latest = latest
        await self.draw()

    async def _axis(self, by_time: bool) -> None:
        self._by_time = by_time
        await self.draw()

    async def _click(self, event: EChartPointClickEventArguments) -> None:
        if isinstance(event.value, list) and len(event.value) == 3:
            await show_card(self._crawl, n=int(event.value[2]))


def _options(accept: float) -> dict[str, Any]:
    grey = {"color": "#8a8f98"}
    split = {"lineStyle": {"color": "#8a8f9833"}}
    return {
        "animation": False,
        "grid": {"left": 40, "right": 16, "top": 36, "bottom": 56},
        "legend": {"top": 0, "textStyle": grey, "data": ["on topic", "off topic", "moving average"]},
        "tooltip": {"trigger": "item", "renderMode": "richText", "confine": True},
        "xAxis": {"type": "time", "axisLabel": grey, "splitLine": {"show": False}},
        "yAxis": {"min": 0, "max": 1, "axisLabel": grey, "splitLine": split},
        "dataZoom": [
            {"type": "inside", "filterMode": "none"},
            {
                "type": "slider",
                "height": 16,
                "bottom": 8,
                "filterMode": "none",
                "borderColor": "transparent",
                "backgroundColor": "#8a8f9814",
                "fillerColor": "#2e8b5722",
                "dataBackground": {"lineStyle": {"opacity": 0}, "areaStyle": {"opacity": 0}},
                "selectedDataBackground": {"lineStyle": {"opacity": 0}, "areaStyle": {"opacity": 0}},
                "moveHandleStyle": {"opacity": 0},
                "handleStyle": {"color": "#2e8b57", "borderColor": "#2e8b57"},
            },
        ],
        "series": [
            _dots("on topic", _GOOD, 6, accept),
            _dots("off topic", _OTHER, 4, None),
            {
                "name": "moving average",
                "type": "line",
                "showSymbol": False,
                "silent": True,
                "z": 5,
                "data": [],
                "lineStyle": {"width": 3, "color": _LINE},
                "itemStyle": {"color": _LINE},
            },
        ],
    }


def _dots(name: str, colour: str, size: int, accept: float | None) -> dict[str, Any]:
    mark = {
        "silent": True,
        "symbol": "none",
        "label": {"show": False},
        "lineStyle": {"color": "#8a8f9866", "type": "dashed"},
        "data": [{"yAxis": accept}],
    }
    more = {"markLine": mark} if accept is not None else {}
    return {
        "name": name,
        "type": "scatter",
        "symbolSize": size,
        "itemStyle": {"color": colour, "opacity": 0.55},
        "cursor": "pointer",
        "data": [],
        **more,
    }


def _data(trace: Trace, accept: float, *, by_time: bool) -> dict[str, Any]:
    def points(dots: Sequence[Dot]) -> list[list[float]]:
        return [[1000 * dot.at if by_time else dot.n, round(dot.relevance, 3), dot.n] for dot in dots]

    return {
        "xAxis": {"type": "time" if by_time else "value", "min": None if by_time else "dataMin"},
        "series": [
            {"name": "on topic", "data": points([dot for dot in trace.dots if dot.relevance >= accept])},
            {"name": "off topic", "data": points([dot for dot in trace.dots if dot.relevance < accept])},
            {"name": "moving average", "data": points(trace.average)},
        ],
    }


async def _findings(place: ui.element, crawl: Crawl) -> None:
    """Show what the crawl has noticed about itself, with the button that helps."""
    found = (await crawl.watch.background()).findings
    if getattr(place, "shown", ()) == found:
        return
    place.shown = found  # type: ignore[attr-defined]
    place.clear()
    with place:
        for one in found:
            with ui.element("div").classes("finding"):
                ui.icon("warning_amber").props('aria-hidden="true"')
                with ui.element("div").classes("finding-words"):
                    ui.label(one.sentence[:1].upper() + one.sentence[1:]).classes("finding-sentence").props(
                        'dir="auto"'
                    )
                    for line in one.evidence:
                        ui.label(line).classes("muted").props('dir="auto"')
                    if one.command:
                        with ui.element("code"):
                            ui.label(one.command)
                if can_cure(one.command):
                    button(
                        "Do it",
                        lambda command=one.command: _cure(crawl, command),
                        icon="healing",
                        label="Do what would help",
                    )


async def _cure(crawl: Crawl, command: str) -> None:
    told = await asked(cure, crawl.directory, command)
    if isinstance(told, list):
        crawl.desk.window.engine.learn(crawl.directory)
        ui.notify(" ".join(told), multi_line=True)


def _errors(place: ui.element, look: Look) -> None:
    failed, refused = failures(look.census), refusals(look.census)
    key = (tuple(failed), tuple(refused))
    if getattr(place, "shown", None) == key:
        return
    place.shown = key  # type: ignore[attr-defined]
    place.clear()
    with place:
        for title, reasons in (("What failed", failed), ("What was not asked for", refused)):
            with panel(title):
                if reasons:
                    bars([(reason_words(reason), number, f"{number:,}") for reason, number in reasons[:8]])
                else:
                    ui.label("Nothing so far.").classes("muted")


async def _background(place: ui.element, crawl: Crawl, look: Look) -> None:
    found = await crawl.watch.background()
    if getattr(place, "shown", None) == found:
        return
    place.shown = found  # type: ignore[attr-defined]
    place.clear()
    with place:
        with panel("What it waits for"):
            for sentence in found.explanation or ("Nothing is known yet.",):
                ui.label(sentence)
        with panel("The frontier by priority"):
            if any(found.priorities):
                tenths = [
                    (f"{tenth / 10:.1f} – {(tenth + 1) / 10:.1f}", number, f"{number:,}")
                    for tenth, number in enumerate(found.priorities)
                ]
                bars(tenths[::-1])
            else:
                ui.label("Nothing waits.").classes("muted")
        with panel("Hosts with most waiting"):
            _hosts(found.hosts, look)


def _hosts(hosts: Sequence[HostView], look: Look) -> None:
    if not hosts:
        ui.label("No host is known yet.").classes("muted")
        return
    with ui.element("table").classes("plain"):
        with ui.element("thead"), ui.element("tr"):
            for name in ("Host", "Waiting", "Pages", "Now"):
                with ui.element("th").props('scope="col"'):
                    ui.label(name)
        with ui.element("tbody"):
            for host in hosts:
                due = f", due in {in_seconds(host.due - look.at)}" if host.due > look.at and look.engine.running else ""
                with ui.element("tr"):
                    for text in (
                        host.host,
                        f"{host.waiting:,}",
                        f"{host.pages:,}",
                        f"{host.state}{due}{f', {host.reason}' if host.reason else ''}",
                    ):
                        with ui.element("td"):
                            ui.label(text)
