"""The list of pages with filters and feedback. It is updated when the critic has learnt."""

import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from nicegui import run, ui

from scenthound.counted import count
from scenthound.errors import ScenthoundError
from scenthound.services.results.page_list import (
    Choices,
    Hits,
    PageHit,
    PageOrder,
    Total,
    choices_of,
    count_pages,
    find_pages,
)
from scenthound.services.topics.page_feedback import Sayings, sayings_of
from scenthound.ui.views.frame import Crawl
from scenthound.ui.views.results.card_view import feedback_buttons, show_card
from scenthound.ui.views.results.filters import Filters
from scenthound.ui.views.widgets import asked, empty, in_browser, moment, outside, relevance, title_button
from scenthound.ui.watch import Look

PAGE: Final = 25
_LEARNING: Final = "The critic learns from your feedback. Then the list is updated."
_PATIENCE: Final = 10.0  # seconds after which a critic that does not begin to learn will not do so
_ORDERS: Final = {PageOrder.RELEVANCE: "most relevant", PageOrder.NEWEST: "newest", PageOrder.OLDEST: "oldest"}


class Found:
    """The list of pages with its filters, which are also in the page's URL."""

    def __init__(self, crawl: Crawl, filters: Filters, first: Hits | None) -> None:
        self._crawl = crawl
        self._shown = PAGE
        self._judged: str | None = None
        self._said_at = 0.0
        self._fields(filters)
        self._head = ui.row().classes("found-head")
        with self._head:
            self._count = ui.label("").classes("muted").props('role="status"')
            self._learning = ui.label(_LEARNING).classes("learning-note").props('role="status"')
            self._learning.set_visibility(False)
        self._list = ui.element("div").classes("hits").props('role="list" aria-live="polite"')
        self._more = ui.button("More", on_click=self._further).props("flat no-caps").classes("more")
        if first is not None:
            self._draw(first, begin=0)
            ui.timer(0, self._total, once=True)
        else:
            ui.timer(0, self._again, once=True)
        ui.timer(0.5, self._offer, once=True)
        crawl.live.show(self._follow)

    def _fields(self, given: Filters) -> None:
        topics = {path: path for path in self._crawl.directory.topics().nodes}
        with ui.element("div").classes("filters").props('role="search" aria-label="Filters"'):
            self._words = ui.input("Words in title or address", value=given.words, on_change=self._again).props(
                'clearable debounce="400" dense outlined'
            )
            self._topic = self._choice("Topic", "all topics", given.topic, topics, typed=True)
            self._site = self._choice("Site", "all sites", given.site, typed=True)
            self._language = self._choice("Language", "all languages", given.language)
            self._mime = self._choice("Type", "all types", given.mime)
            self._since = ui.input("Fetched since", value=given.since, on_change=self._again).props(
                'type="date" dense outlined stack-label'
            )
            self._order = ui.select(_ORDERS, value=given.order, label="Order", on_change=self._again).props(
                "dense outlined options-dense"
            )
            # A slider of Quasar's has no name for those who do not see it.
            self._least = ui.number(
                "Relevance at least", value=given.least, min=0, max=1, step=0.05, on_change=self._again
            ).props('dense outlined debounce="400"')

    def _choice(
        self, label: str, every: str, value: str, options: dict[str, str] | None = None, *, typed: bool = False
    ) -> ui.select:
        known = {"": every} | (options or {}) | ({value: value} if value else {})
        return ui.select(known, value=value, label=label, on_change=self._again, with_input=typed).props(
            "dense outlined options-dense"
        )

    @property
    def counted(self) -> ui.label:
        """The label with the number of pages."""
        return self._count

    async def _offer(self) -> None:
        found = await asked(choices_of, self._crawl.directory)
        if isinstance(found, Choices):
            offered = (
                (self._site, "all sites", found.sites),
                (self._language, "all languages", found.languages),
                (self._mime, "all types", found.mimes),
            )
            for field, every, pairs in offered:
                own = {field.value: field.value} if field.value else {}
                field.set_options({"": every} | own | _counted(pairs))

    @property
    def filters(self) -> Filters:
        """The current values of the fields."""
        return Filters(
            words=self._words.value or "",
            topic=self._topic.value or "",
            site=self._site.value or "",
            language=self._language.value or "",
            mime=self._mime.value or "",
            since=self._since.value or "",
            least=float(self._least.value or 0.0),
            order=self._order.value,
        )

    async def _again(self) -> None:
        """Show the matching pages from the start."""
        self._shown = PAGE
        chosen = self.filters.as_text()
        path = self._crawl.address("/results") + (f"?{chosen}" if chosen else "")
        in_browser(self._list.client, "address", path=path)
        await self._redraw()

    async def _redraw(self) -> None:
        """Draw as many pages as were shown before."""
        hits = await asked(find_pages, self._crawl.directory, self.filters.query(limit=self._shown))
        if isinstance(hits, Hits):
            self._draw(hits, begin=0)
            await self._total()

    async def _further(self) -> None:
        query = self.filters.query(limit=PAGE, offset=self._shown)
        hits = await asked(find_pages, self._crawl.directory, query)
        if isinstance(hits, Hits):
            self._draw(hits, begin=self._shown)
            self._shown += PAGE

    async def _total(self) -> None:
        try:
            found = await run.io_bound(count_pages, self._crawl.directory, self.filters.query())
        except ScenthoundError:  # too many to be counted soon
            found = None
        self._count.text = "" if found is None else total_words(found)

    def _draw(self, hits: Hits, *, begin: int) -> None:
        sayings = sayings_of(self._crawl.directory)
        if not begin:
            self._list.clear()
        with self._list:
            for hit in hits.pages:
                _hit(self._crawl, hit, sayings, changed=self._said)
            if not begin and not hits.pages:
                self._nothing()
        self._more.set_visibility(hits.more)

    def _nothing(self) -> None:
        look = self._crawl.watch.last_look
        if look is not None and not look.census.pages:
            empty("travel_explore", "No page yet", "The crawl fetches the examples first. Then its pages appear here.")
        else:
            empty("search_off", "No page matches", "Lower the relevance, or remove some filters.")

    def _said(self) -> None:
        """Say that the critic is still learning from the reader's feedback."""
        self._said_at = time.monotonic()
        self._learning.set_visibility(True)

    def _follow(self, look: Look) -> None:
        """Draw the list again when all pages have been judged again."""
        before, self._judged = self._judged, look.judged
        idle = look.engine.doing == "stopped" and time.monotonic() > self._said_at + _PATIENCE
        if (before is not None and before != look.judged) or idle:
            self._learning.set_visibility(False)
        if before is not None and before != look.judged:
            with self._head:  # not in the list, with which it would be taken away before it has come to an end
                ui.timer(0, self._redraw, once=True)


def total_words(total: Total) -> str:
    """Return the number of pages, and how many of them are examples, which other counts leave out.

    >>> total_words(Total(pages=1200, examples=8)), total_words(Total(pages=1, examples=0))
    ('1,200 pages, 8 of them examples', '1 page')
    """
    return count(total.pages, "page") + (f", {total.examples:,} of them examples" if total.examples else "")


def _hit(crawl: Crawl, hit: PageHit, sayings: Sayings, *, changed: Callable[[], Any]) -> None:
    with ui.element("article").classes("hit").props('role="listitem"'):
        with ui.element("div").classes("hit-main"):
            title_button(hit.title or hit.url, lambda: show_card(crawl, n=hit.n, changed=changed))
            outside(hit.url)
            facts = filter(
                None, (hit.topic, hit.language, "" if hit.mime == "text/html" else hit.mime, moment(hit.fetched_at))
            )
            ui.label(" · ".join(facts)).classes("muted").props('dir="auto"')
        with ui.element("div").classes("hit-side"):
            relevance(hit.relevance)
            feedback_buttons(crawl, hit.url, *said_of(sayings, hit.url), small=True, changed=changed)


def said_of(sayings: Sayings, url: str) -> tuple[str, str]:
    return str(sayings.of(url) or ""), sayings.example_of(url)


def _counted(pairs: Sequence[tuple[str, int]]) -> dict[str, str]:
    return {name: f"{name} ({number:,})" for name, number in pairs}
