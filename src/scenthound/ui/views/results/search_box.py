"""The search box at the top of Results: words over the full text, with snippets, facets and weights.

Facets are buttons: a click on one filters by it, and a second click takes that back.
"""

from collections.abc import Callable
from functools import partial
from html import escape
from typing import Any, Final

from nicegui import ui

from scenthound.search.types import Hit, Snippet, Weights
from scenthound.services.search.crawl_search import Found, SearchWish, search_crawl
from scenthound.services.topics.page_feedback import sayings_of
from scenthound.settings.question_book import SavedQuestion
from scenthound.ui.views.frame import Crawl
from scenthound.ui.views.news.question_dialog import ask_dialog
from scenthound.ui.views.results.card_view import feedback_buttons, show_card
from scenthound.ui.views.results.found_pages import said_of
from scenthound.ui.views.widgets import asked, button, empty, outside, relevance, title_button

_SHOWN: Final = 20
_PARTS: Final = ("text", "meaning", "relevance", "authority", "date")
_FILTERS: Final = {"topic": "topic", "site": "site", "language": "language", "type": "mime", "month": "month"}
_VALUES: Final = 6  # of a facet


class SearchBox:
    """The box, and below it the answer, once there is a question."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._chosen: dict[str, str] = {}
        with ui.element("div").props('role="search" aria-label="Full text"'):
            self._words = ui.input("Search the full text", on_change=self._ask).props(
                'clearable debounce="400" dense outlined'
            )
            with ui.expansion("Ranking"), ui.element("div").classes("filters"):
                self._weights = {part: self._weight(part) for part in _PARTS}
        with ui.row().classes("sql-tools"):
            self._said = ui.label("").classes("muted").props('role="status"')
            self._keep = button(
                "Keep asking", self._save, icon="notifications", label="Save this search as a question that stays asked"
            )
        self._keep.set_visibility(False)
        self._facets = ui.element("div")
        self._list = ui.element("div").classes("hits").props('role="list" aria-live="polite"')

    def _weight(self, part: str) -> ui.number:
        value = getattr(Weights(), part)
        # A slider of Quasar's has no name for those who do not see it.
        return ui.number(f"Weight of {part}", value=value, min=0, max=10, step=0.1, on_change=self._ask).props(
            'dense outlined debounce="400"'
        )

    @property
    def _wish(self) -> SearchWish:
        weights = Weights(**{part: float(field.value or 0.0) for part, field in self._weights.items()})
        return SearchWish(words=self._words.value or "", weights=weights, limit=_SHOWN, whole=False, **self._filters())

    def _filters(self) -> dict[str, Any]:
        return {_FILTERS[name]: value for name, value in self._chosen.items()}

    async def _ask(self) -> None:
        if not (self._words.value or "").strip():
            self._chosen.clear()
            self._clear("")
            return
        found = await asked(search_crawl, self._crawl.directory, self._wish)
        if isinstance(found, Found):
            self._draw(found)

    def _save(self) -> None:
        """Keep asking this; not for the month, because all that comes is of another one."""
        topic, site, language, mime = (self._chosen.get(name, "") for name in ("topic", "site", "language", "type"))
        words = (self._words.value or "").strip()
        question = SavedQuestion(search=words, topic=topic, site=site, language=language, type=mime)
        ask_dialog(self._crawl, question)

    def _clear(self, said: str) -> None:
        self._said.text = said
        self._keep.set_visibility(bool(said))
        self._facets.clear()
        self._list.clear()

    def _draw(self, found: Found) -> None:
        answer = found.answer
        behind = f"; {found.behind:,} pages are not indexed yet" if found.behind else ""
        better = f". Did you mean: {answer.did_you_mean}" if answer.did_you_mean else ""
        self._clear(f"{answer.matches:,} of {answer.pages:,} pages match{behind}{better}")
        with self._facets:
            for name, counts in answer.facets.items():
                with ui.row().props(f'role="group" aria-label="{name}"'):
                    for one in counts[:_VALUES]:
                        self._facet(name, one.value, one.pages)
        sayings = sayings_of(self._crawl.directory)
        with self._list:
            for hit in answer.hits:
                _hit(self._crawl, hit, said_of(sayings, hit.page.url))
            if not answer.hits:
                empty("search_off", "No page fits", "Use fewer words, or take some filters away.")

    def _facet(self, name: str, value: str, pages: int) -> None:
        pressed = self._chosen.get(name) == value
        ui.button(f"{value} ({pages:,})", on_click=partial(self._choose, name, value), color=None).props(
            f'dense no-caps flat aria-pressed="{str(pressed).lower()}"'
        )

    async def _choose(self, name: str, value: str) -> None:
        if self._chosen.get(name) == value:
            del self._chosen[name]
        else:
            self._chosen[name] = value
        await self._ask()


def _hit(crawl: Crawl, hit: Hit, said: tuple[str, str]) -> None:
    page = hit.page
    show: Callable[[], Any] = partial(show_card, crawl, n=page.n)
    with ui.element("article").classes("hit").props('role="listitem"'):
        with ui.element("div").classes("hit-main"):
            title_button(page.title or page.url, show)
            outside(page.url)
            if hit.snippet.text:
                ui.html(snippet_html(hit.snippet), sanitize=False).props('dir="auto"')
            facts = (page.topic, page.language, f"score {hit.score:.2f}", "" if hit.by_words else "near in meaning")
            ui.label(" · ".join(filter(None, facts))).classes("muted").props('dir="auto"')
        with ui.element("div").classes("hit-side"):
            relevance(page.relevance)
            feedback_buttons(crawl, page.url, *said, small=True)


def snippet_html(snippet: Snippet) -> str:
    """Return a snippet as HTML: whatever the page says is text, and only the marks are ours.

    >>> snippet_html(Snippet(text="<b>hub</b> & gear", marks=((3, 6),)))
    '&lt;b&gt;<mark>hub</mark>&lt;/b&gt; &amp; gear'
    """
    parts, end = list[str](), 0
    for start, stop in snippet.marks:
        parts += [escape(snippet.text[end:start]), "<mark>", escape(snippet.text[start:stop]), "</mark>"]
        end = stop
    return "".join([*parts, escape(snippet.text[end:])])
