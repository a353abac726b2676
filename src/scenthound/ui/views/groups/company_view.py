"""Whose company topics keep: which topics cite which, against chance and over time, and the links themselves."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from nicegui import ui

from scenthound.counted import count
from scenthound.services.company.topic_company import Company, CompanyWish, Over, Pair, company_of, links_question
from scenthound.ui.actions import rows_of
from scenthound.ui.api_models import Rows
from scenthound.ui.views.frame import Crawl, frame
from scenthound.ui.views.widgets import asked, button, empty, outside, panel, titled_dialog

_SHOWN: Final = 60  # pairs
_PERIODS: Final = 6  # the latest
_SECONDS: Final = 30.0
_WAYS: Final = {Over.PROGRESS: "parts of the crawl", Over.MONTH: "months in which citing pages were changed"}
_VERDICTS: Final = {"more": "more than by chance", "fewer": "fewer than by chance", "": "may be chance"}
_HEADINGS: Final = ("Topic", "cites", "Links", "Times chance", "95 % interval", "Sites", "Verdict", "Over time", "")


def company(crawl: Crawl) -> None:
    """Lay out the page. What was counted follows, because that takes a moment."""
    with frame(f"Company of topics in {crawl.name}", desk=crawl.desk, crawl=crawl, here="/groups"):
        if not crawl.directory.begun:
            empty("diversity_3", "Nothing has been fetched yet", "Start the crawl: who cites whom is counted here.")
            return
        CompanyTable(crawl)


class CompanyTable:
    """The choice of a topic and of time, and below it the pairs of topics."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        topics = crawl.directory.topics().nodes
        with ui.element("div").classes("filters"):
            self._topic = ui.select(
                {"": "all topics", **{path: path for path in topics}}, value="", label="Topic", on_change=self.draw
            ).props("dense outlined options-dense")
            self._over = ui.select(_WAYS, value=Over.PROGRESS, label="Over time, by", on_change=self.draw).props(
                "dense outlined options-dense"
            )
        with ui.row().classes("actions"):
            ui.link("Groups of pages", crawl.address("/groups"))
        self._said = ui.label("").classes("muted told").props('role="status" aria-live="polite"')
        self._tables = ui.element("div")
        ui.timer(0, self.draw, once=True)

    async def draw(self) -> None:
        """Count, and show what was found."""
        self._said.text = "Counting …"
        wish = CompanyWish(topic=self._topic.value or "", over=self._over.value or Over.PROGRESS)
        found = await asked(company_of, self._crawl.directory, wish)
        self._tables.clear()
        self._said.text = ""
        if isinstance(found, Company):
            with self._tables:
                self._show(found)

    def _show(self, found: Company) -> None:
        between = "pages, which are all of one site" if found.by_page else "sites"
        self._said.text = (
            f"{count(found.links, 'link')} between {between}, from {count(found.pages, 'judged page')}. "
            "2.0 means twice as many links as chance would bring. "
            "Of the pairs with a verdict, one in twenty may be by chance."
        )
        if not found.links:
            empty("diversity_3", "No links yet", "No judged page links to a judged page of another site so far.")
            return
        others = [pair for pair in found.pairs if pair.citing != pair.cited]
        own = [pair for pair in found.pairs if pair.citing == pair.cited]
        for title, pairs in (("Topics that cite another", others), ("Topics that keep to themselves", own)):
            if pairs:
                with panel(title):
                    self._table(found, pairs[:_SHOWN])

    def _table(self, found: Company, pairs: Sequence[Pair]) -> None:
        scrolled = 'tabindex="0" role="region" aria-label="Pairs of topics"'
        with (
            ui.element("div").classes("map-table company-table").props(scrolled),
            ui.element("table").classes("plain"),
        ):
            with ui.element("thead"), ui.element("tr"):
                for name in _HEADINGS:
                    with ui.element("th").props('scope="col"'):
                        ui.label(name)
            with ui.element("tbody"):
                for pair in pairs:
                    self._row(found, pair)

    def _row(self, found: Company, pair: Pair) -> None:
        times = [f"{one.ratio:.1f}" if one.ratio is not None else "–" for one in pair.periods[-_PERIODS:]]
        names = [f"{one.name}: {count(one.links, 'link')}" for one in pair.periods[-_PERIODS:]]
        texts = (
            pair.citing,
            pair.cited,
            f"{pair.links:,}",
            f"{pair.ratio:.2f}",
            f"{pair.low:.2f} to {pair.high:.2f}",
            f"{pair.sites:,}",
            _VERDICTS[pair.verdict],
        )
        with ui.element("tr"):
            for text in texts:
                with ui.element("td"):
                    ui.label(text).props('dir="auto"')
            with ui.element("td"):
                ui.label(" ".join(times)).classes("mono")
                ui.tooltip("; ".join(names))
            with ui.element("td"):
                if pair.links:
                    button(
                        "Links",
                        partial(self._links, found, pair),
                        icon="link",
                        label=f"Links from {pair.citing} to {pair.cited}",
                    )

    async def _links(self, found: Company, pair: Pair) -> None:
        """Show the links of a pair."""
        question = links_question(pair, by_page=found.by_page)
        rows = await asked(rows_of, self._crawl.directory, question, seconds=_SECONDS)
        if not isinstance(rows, Rows):
            return
        with titled_dialog(f"{pair.citing} → {pair.cited}") as dialog:
            with ui.element("div").classes("hits"):
                for page, words, cites in rows.rows:
                    with ui.element("div").classes("hit-main"):
                        outside(str(page))
                        ui.label(f"“{words}”" if words else "without words").classes("muted").props('dir="auto"')
                        outside(str(cites))
            with ui.row().classes("actions"):
                ui.button("Close", on_click=dialog.close).props("flat no-caps")
