"""The paper's plot (FOCUS §2.1, fig. 1): each page a dot at its time and relevance, with the moving average over them.

Of a long crawl the server sends some dots that stand for all; for a span that is zoomed in on it sends those in it.
Where the crawl was idle for a while, the axis shows the time spent crawling instead of the clock, and a line where each
pause was.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from nicegui import ui
from nicegui.events import EChartPointClickEventArguments, GenericEventArguments

from scenthound.crawl.diagnosis.speed import in_seconds
from scenthound.services.status.relevance_trace import Dot, Trace, finer, pages_between
from scenthound.services.status.trace_axis import TimeAxis, axis_of
from scenthound.ui.views.frame import Crawl
from scenthound.ui.views.results.card_view import show_card
from scenthound.ui.views.widgets import empty

RANGES: Final = {0: "All", 10_000: "Last 10,000", 1000: "Last 1,000", 200: "Last 200"}
_GOOD, _OTHER, _LINE = "#2e8b57", "#8a8f98", "#e08a1e"
_GREY: Final = {"color": "#8a8f98"}
_NAMED: Final = 8  # pauses whose length is written
_REST: Final = 0.25  # seconds between two answers to one that zooms


class Plot:
    """Dots and their moving average. A click on a dot shows the page; zooming in shows more dots."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._latest = 0
        self._by_time = True
        self._zoom = 0.0, 100.0  # per cent of the axis
        self._times = TimeAxis()
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
        # When the reader has come to rest: all dots of the span are sent again.
        self._chart.on("chart:datazoom", self._zoomed, ["start", "end", "batch"], throttle=_REST, leading_events=False)
        self._chart.set_visibility(False)

    async def draw(self) -> None:
        """Update the chart."""
        (await self.prepared())()

    async def prepared(self) -> Callable[[], None]:
        """Fetch new data and return a function that draws it. Only changed data is sent."""
        trace = await self._crawl.watch.trace(self._latest)
        span = self._span(trace)
        key = (trace.last, len(trace.dots), self._latest, self._by_time, trace.average[-1:], span)
        if key == self._drawn:
            return lambda: None
        self._drawn = key
        shown, note = await self._finer(trace, span)
        accept = self._crawl.directory.settings().crawl.accept
        self._times = axis_of(shown.dots)
        data = _data(shown, accept, self._times if self._by_time else None)
        return lambda: self._show(trace, data, note) if key == self._drawn else None  # unless there is newer by now

    def _show(self, trace: Trace, data: dict[str, Any], note: str) -> None:
        self._note.text = note
        if self._chart.visible == bool(trace.dots):
            self._chart.run_chart_method("setOption", data)
            return
        self._remember(data)
        self._chart.set_visibility(bool(trace.dots))
        self._nothing.set_visibility(not trace.dots)

    def _remember(self, data: dict[str, Any]) -> None:
        """Put the data into the chart's own options, from which it is drawn when its element is sent again, as when it
        appears.

        Not each time: to change an option is to have all of them sent and drawn, once for each change.
        """
        with self._chart.props.suspend_updates():
            self._chart.options["xAxis"] |= data["xAxis"]
            for series, new in zip(self._chart.options["series"], data["series"], strict=True):
                series |= new

    def _span(self, trace: Trace) -> tuple[int, int] | None:
        """Return the range of pages that is zoomed in; None if all are visible or none is left out."""
        start, end = self._zoom
        if trace.whole or not trace.dots or (start <= 0 and end >= 100):
            return None
        times = self._times
        return pages_between(trace, start, end, place=lambda dot: times.place(dot.at) if self._by_time else dot.n)

    async def _finer(self, trace: Trace, span: tuple[int, int] | None) -> tuple[Trace, str]:
        """Read the dots of the visible range, and say how many of them are shown."""
        if span is None:
            return trace, "" if trace.whole else f"{len(trace.dots):,} dots stand for {trace.last:,} fetches"
        fine = await self._crawl.watch.trace_between(*span)
        within = f"fetches {span[0]:,} to {span[1]:,}"
        note = f"all of {within}" if fine.whole else f"{len(fine.dots):,} dots stand for {within}"
        return finer(trace, fine, span), note

    async def _zoomed(self, event: GenericEventArguments) -> None:
        [seen, *_] = event.args.get("batch") or [event.args]  # the wheel gives a list, the slider does not
        self._zoom = float(seen.get("start", 0)), float(seen.get("end", 100))
        await self.draw()

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
    grey = _GREY
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
                "markLine": _pauses(TimeAxis()),
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
        # Drawn as one path: a step of the wheel took 50 ms of scripting, and 211 with an object for each dot.
        "large": True,
        "largeThreshold": 500,
        "itemStyle": {"color": colour, "opacity": 0.55},
        "cursor": "pointer",
        "data": [],
        **more,
    }


def _data(trace: Trace, accept: float, times: TimeAxis | None) -> dict[str, Any]:
    """Return dots, average and axis: clock time, crawling time if there were pauses, or numbers without `times`."""
    place = _place(times)
    clock = times is not None and not times.gaps

    def points(dots: Sequence[Dot]) -> list[list[float]]:
        return [[place(dot), round(dot.relevance, 3), dot.n] for dot in dots]

    return {
        "xAxis": {
            "type": "time" if clock else "value",
            "min": None if clock else "dataMin",
            "max": None if clock else "dataMax",
            "axisLabel": _GREY | {"formatter": None if times is None or clock else f"{{value}} {_unit(times)[0]}"},
        },
        "series": [
            {"name": "on topic", "data": points([dot for dot in trace.dots if dot.relevance >= accept])},
            {"name": "off topic", "data": points([dot for dot in trace.dots if dot.relevance < accept])},
            # Pages are numbered as they are recorded, and may have been fetched a moment before one another: no line
            # goes back.
            {
                "name": "moving average",
                "data": sorted(points(trace.average)),
                "markLine": _pauses(times or TimeAxis()),
            },
        ],
    }


def _place(times: TimeAxis | None) -> Callable[[Dot], float]:
    if times is None:
        return lambda dot: dot.n
    if not times.gaps:
        return lambda dot: 1000 * dot.at
    _, seconds = _unit(times)
    return lambda dot: round(times.place(dot.at) / seconds, 3)


def _unit(times: TimeAxis) -> tuple[str, float]:
    """Return the unit of an axis with pauses, and its seconds, from the time until the last pause."""
    crawled = times.place(times.gaps[-1].end) if times.gaps else 0.0
    return ("s", 1.0) if crawled < 120 else ("min", 60.0) if crawled < 7200 else ("h", 3600.0)


def _pauses(times: TimeAxis) -> dict[str, Any]:
    """Return a line for each pause. Only the longest have a label."""
    _, seconds = _unit(times)
    longest = sorted((gap.out for gap in times.gaps), reverse=True)[:_NAMED]
    return {
        "silent": True,
        "symbol": "none",
        "lineStyle": {"color": "#8a8f98", "type": "dotted"},
        "label": {"formatter": "{b}", "position": "insideStartTop", "rotate": 90, **_GREY},
        "data": [
            {
                "name": f"{in_seconds(gap.out)} later" if gap.out in longest else " ",
                "xAxis": round(times.place(gap.end) / seconds, 3),
            }
            for gap in times.gaps
        ],
    }
