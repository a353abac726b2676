"""The filters of the results. They are part of the page's URL, so reloads and bookmarks keep them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Final, Self
from urllib.parse import urlencode

from scenthound.services.results.page_list import PageOrder, PageQuery

LEAST: Final = 0.5  # relevance, at first


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """The fields above the list. `since` is a day in the browser's format."""

    words: str = ""
    topic: str = ""
    site: str = ""
    language: str = ""
    mime: str = ""
    since: str = ""
    least: float = LEAST
    order: PageOrder = PageOrder.RELEVANCE

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Self:
        """Read them from a URL; ignore wrong values.

        >>> Filters.of({"topic": "Sport", "least": "0.2", "order": "newest"}).as_text()
        'topic=Sport&least=0.2&order=newest'
        >>> Filters.of({"least": "much", "order": "best", "since": "soon", "more": "x"}) == Filters()
        True
        """
        texts = {name: given[name] for name in ("words", "topic", "site", "language", "mime") if given.get(name)}
        since = given.get("since", "")
        return cls(
            **texts,
            since=since if _moment(since) is not None else "",
            least=_number(given.get("least", "")),
            order=PageOrder(given["order"]) if given.get("order") in set(PageOrder) else PageOrder.RELEVANCE,
        )

    def as_text(self) -> str:
        """Write those that differ from their defaults as a query string."""
        said = {field.name: getattr(self, field.name) for field in fields(self)}
        usual = Filters()
        return urlencode({name: value for name, value in said.items() if value != getattr(usual, name)})

    def query(self, *, limit: int = 50, offset: int = 0) -> PageQuery:
        """Return the query."""
        return PageQuery(
            words=self.words,
            topic=self.topic,
            site=self.site,
            language=self.language,
            mime=self.mime,
            since=_moment(self.since),
            min_relevance=self.least or None,
            order=self.order,
            limit=limit,
            offset=offset,
        )

    def for_export(self) -> str:
        """Return the same for the API's export, which writes pages in fetch order."""
        query = self.query()
        names = ("words", "topic", "site", "language", "mime", "since", "min_relevance")
        said = {name: getattr(query, name) for name in names}
        return urlencode({"order": query.order} | {name: value for name, value in said.items() if value})


def _moment(day: str) -> float | None:
    try:
        return datetime.fromisoformat(day).timestamp() if day else None
    except (ValueError, OverflowError):
        return None


def _number(text: str) -> float:
    try:
        return min(1.0, max(0.0, float(text)))
    except ValueError:
        return LEAST
