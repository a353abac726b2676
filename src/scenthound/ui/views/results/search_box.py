"""The search box at the top of Results: words over the full text, with snippets, facets and weights.

Facets are buttons: a click on one filters by it, and a second click takes that back. Found pages can be chosen, to make
them examples, to drop them, or to find more like them; a text can be pasted for the same.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement
from nicegui.events import ValueChangeEventArguments

from scenthound.search.types import Answer, Hit, Snippet, Weights
from scenthound.services.search.crawl_search import Found, SearchWish, search_crawl
from scenthound.services.topics.page_feedback import sayings_of
from scenthound.settings.question_book import SavedQuestion
from scenthound.ui.actions import feed_back_all
from scenthound.ui.api_models import FeedbackKind
from scenthound.ui.views.frame import Crawl
from scenthound.ui.views.news.question_dialog import ask_dialog
from scenthound.ui.views.results.card_view import feedback_buttons, show_card
from scenthound.ui.views.results.found_pages import said_of
from scenthound.ui.views.widgets import asked, button, empty, outside, relevance, title_button
from scenthound.ui.watch import Look

_SHOWN: Final = 20
_PARTS: Final = ("text", "meaning", "relevance", "authority", "date")
_FILTERS: Final = {"topic": "topic", "site": "site", "language": "language", "type": "mime", "month": "month"}
_VALUES: Final = 6  # of a facet
_LONGEST_NAME: Final = 60  # characters of a title among what is similar


class SearchBox:
    """The box, and below it the answer, once there is a question."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._chosen: dict[str, str] = {}  # values of facets
        self._vague = False  # whether pages of other topics are found too, weighted by the chosen one
        self._like: dict[str, str] = {}  # titles of pages to which similar ones are wanted, by address
        self._picked: dict[str, str] = {}  # titles of pages chosen in the list, by address
        self._judged: str | None = None
        with ui.element("div").props('role="search" aria-label="Full text"'):
            self._words = ui.input("Search the full text", on_change=self._ask).props(
                'clearable debounce="400" dense outlined'
            )
            with ui.expansion("Ranking"), ui.element("div").classes("weights"):
                self._weights = {part: self._weight(part) for part in _PARTS}
            with ui.expansion("Similar to a text"):
                self._text = ui.textarea("Paste a text to find pages like it", on_change=self._ask).props(
                    'clearable debounce="600" outlined autogrow'
                )
        self._alike = ui.element("div").classes("search-head")
        self._said = ui.element("div").classes("search-head")
        self._facets = ui.element("div").classes("facets")
        self._actions = ui.element("div").classes("search-head").props('role="group" aria-label="Chosen pages"')
        self._list = ui.element("div").classes("hits").props('role="list" aria-live="polite"')
        crawl.live.show(self._follow)

    def _weight(self, part: str) -> ui.number:
        value = getattr(Weights(), part)

        async def change() -> None:
            made.props(f'suffix="{made.value or 0:g}"')
            await self._ask()

        # A slider of Quasar's has no name for those who do not see it: this is the browser's own.
        made = ui.number(f"Weight of {part}", value=value, min=0, max=5, step=0.1, on_change=change)
        return made.props(f'type="range" dense borderless stack-label debounce="300" suffix="{value:g}"')

    @property
    def _wish(self) -> SearchWish:
        weights = Weights(**{part: float(field.value or 0.0) for part, field in self._weights.items()})
        return SearchWish(
            words=self._words.value or "",
            like=tuple(self._like),
            like_text=(self._text.value or "").strip(),
            weights=weights,
            limit=_SHOWN,
            whole=False,
            **self._filters(),
        )

    def _filters(self) -> dict[str, Any]:
        filters = {_FILTERS[name]: value for name, value in self._chosen.items()}
        return filters | {"vague": self._vague and "topic" in self._chosen}

    async def _ask(self) -> None:
        if not ((self._words.value or "").strip() or self._like or (self._text.value or "").strip()):
            self._chosen.clear()
            self._clear()
            return
        found = await asked(search_crawl, self._crawl.directory, self._wish)
        if isinstance(found, Found):
            self._draw(found)

    def _save(self) -> None:
        """Keep asking this; not for the month, because all that comes is of another one."""
        topic, site, language, mime = (self._chosen.get(name, "") for name in ("topic", "site", "language", "type"))
        words = (self._words.value or "").strip()
        question = SavedQuestion(
            search=words, like=tuple(self._like), topic=topic, site=site, language=language, type=mime
        )
        ask_dialog(self._crawl, question)

    def _clear(self) -> None:
        self._picked.clear()
        for place in (self._alike, self._said, self._facets, self._actions, self._list):
            place.clear()

    def _draw(self, found: Found) -> None:
        answer = found.answer
        self._clear()
        self._draw_likes()
        self._draw_head(found)
        with self._facets:
            for name, counts in answer.facets.items():
                if len(counts) < 2 and name not in self._chosen:
                    continue  # it would filter nothing
                ui.label(name.capitalize()).classes("muted")
                with ui.element("div").classes("facet").props(f'role="group" aria-label="{name}"'):
                    for place, one in enumerate(counts):
                        if place < _VALUES or one.value == self._chosen.get(name):
                            self._facet(name, one.value, one.pages)
                    if name == "topic" and name in self._chosen:
                        ui.checkbox(
                            "other topics too, by probability of this one", value=self._vague, on_change=self._blur
                        ).props("dense")
        self._draw_hits(answer)

    def _draw_head(self, found: Found) -> None:
        answer = found.answer
        behind = f"; {found.behind:,} pages are not indexed yet" if found.behind else ""
        with self._said:
            ui.label(f"{answer.matches:,} of {answer.pages:,} pages match{behind}").classes("muted").props(
                'role="status"'
            )
            if better := answer.did_you_mean:
                button(
                    f"Did you mean: {better}",
                    lambda: self._words.set_value(better),
                    icon="spellcheck",
                    label=f"Search for {better}",
                )
            if (self._words.value or "").strip() or self._like:
                button(
                    "Keep asking",
                    self._save,
                    icon="notifications",
                    label="Save this search as a question",
                )

    def _draw_likes(self) -> None:
        with self._alike:
            for url, title in self._like.items():
                button(
                    f"Like: {title[:_LONGEST_NAME]}",
                    partial(self._unlike, url),
                    icon="close",
                    label=f"No longer look for pages like {title}",
                )

    def _draw_hits(self, answer: Answer) -> None:
        sayings = sayings_of(self._crawl.directory)
        with self._list:
            for hit in answer.hits:
                self._hit(hit, said_of(sayings, hit.page.url))
            if not answer.hits:
                empty("search_off", "No page fits", "Use fewer words, or take some filters away.")

    def _hit(self, hit: Hit, said: tuple[str, str]) -> None:
        page = hit.page
        title = page.title or page.url
        show: Callable[[], Any] = partial(show_card, self._crawl, n=page.n)
        with ui.element("article").classes("hit").props('role="listitem"'):
            box = ui.checkbox(on_change=lambda event: self._pick(page.url, title, chosen=event.value)).props("dense")
            box.props["aria-label"] = f"Choose {title}"
            with ui.element("div").classes("hit-main"):
                title_button(title, show)
                outside(page.url)
                if hit.snippet.text:
                    _snippet(hit.snippet)
                facts = (page.topic, page.language, f"score {hit.score:.2f}", "" if hit.by_words else "near in meaning")
                ui.label(" · ".join(filter(None, facts))).classes("muted").props('dir="auto"')
            with ui.element("div").classes("hit-side"):
                relevance(page.relevance)
                feedback_buttons(self._crawl, page.url, *said, small=True)
                label = f"More like {title}"
                button("", partial(self._more_like, {page.url: title}), icon="find_in_page", label=label)

    def _facet(self, name: str, value: str, pages: int) -> None:
        pressed = self._chosen.get(name) == value
        ui.button(f"{value} ({pages:,})", on_click=partial(self._choose, name, value), color=None).props(
            f'dense no-caps flat aria-pressed="{str(pressed).lower()}"'
        )

    async def _blur(self, event: ValueChangeEventArguments[bool | None]) -> None:
        self._vague = bool(event.value)
        await self._ask()

    async def _choose(self, name: str, value: str) -> None:
        if self._chosen.get(name) == value:
            del self._chosen[name]
            self._vague = self._vague and name != "topic"
        else:
            self._chosen[name] = value
        await self._ask()

    def _pick(self, url: str, title: str, *, chosen: bool) -> None:
        if chosen:
            self._picked[url] = title
        else:
            self._picked.pop(url, None)
        self._actions.clear()
        if not self._picked:
            return
        with self._actions:
            ui.label(f"{len(self._picked):,} chosen").classes("muted").props('role="status"')
            say = self._say_of_picked
            button("Good", lambda: say(FeedbackKind.GOOD), icon="thumb_up", label="Make these examples")
            button("Not good", lambda: say(FeedbackKind.NOT_GOOD), icon="thumb_down", label="Less like these")
            button(
                "More like these",
                lambda: self._more_like(dict(self._picked)),
                icon="find_in_page",
                label="Find more like these",
            )

    async def _say_of_picked(self, kind: FeedbackKind) -> None:
        said = await asked(feed_back_all, self._crawl.desk.window, self._crawl.directory, list(self._picked), kind)
        if isinstance(said, str):
            ui.notify(said)
            await self._ask()

    async def _more_like(self, pages: dict[str, str]) -> None:
        self._like = pages
        if self._words.value:
            self._words.set_value("")  # asks
        else:
            await self._ask()

    async def _unlike(self, url: str) -> None:
        self._like.pop(url, None)
        await self._ask()

    def _follow(self, look: Look) -> None:
        """Ask again when all pages have been judged again."""
        before, self._judged = self._judged, look.judged
        if before is not None and before != look.judged:
            with self._said:
                ui.timer(0, self._ask, once=True)


def _snippet(snippet: Snippet) -> None:
    """Show a snippet with its marks, each piece as text. `ui.html` needs a way to run code that the window forbids."""
    end = 0
    with ui.element("div").props('dir="auto"').classes("snippet"):
        for start, stop in (*snippet.marks, (len(snippet.text), len(snippet.text))):
            TextElement(tag="span", text=snippet.text[end:start])
            if stop > start:
                TextElement(tag="mark", text=snippet.text[start:stop])
            end = stop
