"""The answer of a search as a list of hits, with its counts and facets."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from scenthound.library.data_frames import Column, moment
from scenthound.library.row_list import SHOWN, Rows
from scenthound.search.types import FacetCount, Hit
from scenthound.services.search.crawl_search import Found

_COLUMNS: Final[tuple[Column[Hit], ...]] = (
    Column(name="url", read=lambda hit: hit.page.url, kind=str),
    Column(name="title", read=lambda hit: hit.page.title, kind=str),
    Column(name="score", read=lambda hit: hit.score, kind=float),
    Column(name="relevance", read=lambda hit: hit.page.relevance, kind=float),
    Column(name="topic", read=lambda hit: hit.page.topic, kind=str),
    Column(name="language", read=lambda hit: hit.page.language, kind=str),
    Column(name="fetched_at", read=lambda hit: moment(hit.page.fetched_at), kind=datetime),
    Column(name="snippet", read=lambda hit: hit.snippet.text, kind=str),
)


class SearchResult(Rows[Hit]):
    """The best pages. `matches` counts all pages with the words, `behind` those that are not indexed yet."""

    def __init__(self, found: Found, asked: str) -> None:
        super().__init__(found.answer.hits, _COLUMNS, about=asked)
        self.matches = found.answer.matches
        self.did_you_mean = found.answer.did_you_mean
        self.facets: Mapping[str, tuple[FacetCount, ...]] = found.answer.facets
        self.behind = found.behind
        self._pages = found.answer.pages

    def _caption(self) -> str:
        told = f"{self.about}: {self.matches:,} of {self._pages:,} pages match"
        behind = f"; {self.behind:,} pages are not indexed yet" if self.behind else ""
        return f"{told}{behind}; did you mean: {self.did_you_mean}" if self.did_you_mean else f"{told}{behind}"

    def _table(self) -> tuple[list[str], list[list[object]]]:
        rows = [[hit.page.title or hit.page.url, hit.page.url, hit.score, hit.snippet] for hit in self[:SHOWN]]
        return ["title", "url", "score", "snippet"], rows
