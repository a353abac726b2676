"""SQL: a query, its answer as a table and a quick plot, and downloads."""

from typing import Any, Final
from urllib.parse import quote

from nicegui import ui

from scenthound.distill.query import SECONDS
from scenthound.services.company.own_recipes import own_recipes
from scenthound.settings.question_book import SavedQuestion
from scenthound.store.sqlite.queries.questions import FIRST_QUESTION
from scenthound.ui.actions import MOST_ROWS, rows_of
from scenthound.ui.api_models import Rows, SqlFormat
from scenthound.ui.views.frame import Crawl, frame
from scenthound.ui.views.map.chart_options import COLOURS
from scenthound.ui.views.news.question_dialog import ask_dialog
from scenthound.ui.views.widgets import asked, empty

_PLOTTED: Final = 200  # rows in a plot


def sql(crawl: Crawl) -> None:
    """Lay out the page."""
    with frame(f"SQL on {crawl.name}", desk=crawl.desk, crawl=crawl, here="/sql"):
        if not crawl.directory.begun:
            empty("terminal", "No database yet", "Start the crawl first. You can query it while it runs.")
            return
        known = own_recipes(crawl.directory)
        with ui.element("div").classes("sql"):
            choice = (
                ui.select({place: one.title for place, one in enumerate(known)}, label="Recipes")
                .props("dense outlined options-dense")
                .classes("recipes")
            )
            about = ui.label(
                "Questions only read. The papers' tables are CRAWL, LINK, HUBS, AUTH, TAXONOMY and DOCUMENT."
            ).classes("muted")
            editor = (
                ui.codemirror(FIRST_QUESTION, language="SQLite", theme="githubLight", line_wrapping=True)
                .classes("editor")
                .props('aria-label="The SQL query; press Escape, then Tab to leave"')
            )
            with ui.row().classes("sql-tools"):
                ask = ui.button("Ask", icon="play_arrow").props("unelevated no-caps").mark("ask")
                ui.label("or Ctrl-Enter; press Esc, then Tab to leave the editor").classes("muted wide-only")
                ui.element("div").classes("grow")
                ui.button(
                    "Keep asking",
                    icon="notifications",
                    on_click=lambda: ask_dialog(crawl, SavedQuestion(sql=editor.value)),
                ).props("flat no-caps")
                ui.button("CSV", icon="download", on_click=lambda: _save(crawl, editor.value, SqlFormat.CSV)).props(
                    "flat no-caps"
                )
                ui.button("JSON", icon="download", on_click=lambda: _save(crawl, editor.value, SqlFormat.JSON)).props(
                    "flat no-caps"
                )
            answer = ui.element("div").classes("answer").props('aria-live="polite"')

        def take() -> None:
            if choice.value is not None:
                editor.value, about.text = known[choice.value].sql.strip(), known[choice.value].about

        async def run() -> None:
            ask.props("loading")
            found = await asked(rows_of, crawl.directory, editor.value, seconds=SECONDS)
            ask.props(remove="loading")
            answer.clear()
            if isinstance(found, Rows):
                with answer:
                    _answer(found)

        choice.on_value_change(take)
        ask.on_click(run)
        ui.on("sql_ask", run)


def _save(crawl: Crawl, statement: str, form: SqlFormat) -> None:
    ui.navigate.to(f"{crawl.api}/sql?format={form}&statement={quote(statement, safe='')}")


def _answer(found: Rows) -> None:
    if not found.rows:
        empty("table_rows", "No rows", "The query is valid, but nothing matches.")
        return
    options = plot_of(found)
    with ui.tabs().props("no-caps align=left dense") as tabs:
        table = ui.tab("Table")
        plot = ui.tab("Plot") if options else None
    with ui.tab_panels(tabs, value=table).classes("answer-panels"):
        with ui.tab_panel(table):
            _table(found)
        if plot is not None and options is not None:
            with ui.tab_panel(plot):
                ui.echart(options).classes("quick-plot")
    told = f"More than {MOST_ROWS:,} rows; CSV and JSON have them all." if found.more else f"{len(found.rows):,} rows"
    ui.label(told).classes("muted")


def _table(found: Rows) -> None:
    """Show the rows. Columns are identified by position, because two can have the same name."""
    columns = [
        {"name": f"c{place}", "label": name, "field": f"c{place}", "sortable": True, "align": _side(found, place)}
        for place, name in enumerate(found.columns)
    ]
    rows = [
        {"id": number} | {f"c{place}": _shown(value) for place, value in enumerate(row)}
        for number, row in enumerate(found.rows)
    ]
    ui.table(columns=columns, rows=rows, row_key="id", pagination=50).props("flat dense wrap-cells").classes("rows")


def _side(found: Rows, place: int) -> str:
    return "right" if any(isinstance(row[place], (int, float)) for row in found.rows) else "left"


def _shown(value: str | int | float | None) -> str | int | float | None:
    return round(value, 6) if isinstance(value, float) else value


def plot_of(found: Rows) -> dict[str, Any] | None:
    """Return a chart of the first numbers over the first column; None without numbers.

    >>> plot_of(Rows(columns=["topic", "pages"], rows=[["Cycling", 5], ["Arts", 3]], more=False))["series"][0]["data"]
    [5, 3]
    """
    rows = found.rows[:_PLOTTED]
    numeric = [
        place
        for place in range(len(found.columns))
        if all(isinstance(row[place], (int, float)) or row[place] is None for row in rows)
    ]
    numbers = [place for place in numeric if place > 0][:4]
    if not numbers:
        return None
    grey = {"color": "#8a8f98"}
    kind = "line" if 0 in numeric else "bar"
    return {
        "animation": False,
        "color": list(COLOURS),
        "grid": {"left": 56, "right": 16, "top": 36, "bottom": 80},
        "legend": {"top": 0, "textStyle": grey},
        "tooltip": {"trigger": "axis", "renderMode": "richText", "confine": True},
        "xAxis": {
            "type": "category",
            "data": [str(row[0])[:40] for row in rows],
            "axisLabel": grey | {"rotate": 30, "width": 90, "overflow": "truncate"},
        },
        "yAxis": {"type": "value", "axisLabel": grey, "splitLine": {"lineStyle": {"color": "#8a8f9833"}}},
        "series": [
            {"name": found.columns[place], "type": kind, "data": [row[place] for row in rows]} for place in numbers
        ],
    }
