"""Small made crawls for the tests of search: pages, their facts, and an index of them."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from scenthound.parse.words.page_terms import terms_of_text
from scenthound.parse.words.terms import Terms
from scenthound.search.engine import answer
from scenthound.search.index import SearchReader, SearchWriter, open_index, write_lock
from scenthound.search.types import Answer, IndexedPage, PageFacts, PageScores, Question, Weights

TEXT_ALONE = Weights(text=1, meaning=0)


def page(id: int, text: str, **more: object) -> IndexedPage:
    """Return an English page; its number is its id."""
    given: dict[str, object] = {"language": "en", "host": "www.a.example", "site": "a.example", "mime": "text/html"}
    terms = terms_of_text(text, language="en")
    return IndexedPage(id=id, n=id, text=text, terms=terms, **(given | more))  # type: ignore[arg-type]


class MadeFacts:
    """The facts of pages that are in no database (`search.types.Facts`)."""

    def __init__(self, pages: Iterable[IndexedPage], authorities: dict[int, float] | None = None) -> None:
        self.pages = {page.id: page for page in pages}
        self.authorities = authorities or {}

    def scores(self, ids: Sequence[int]) -> list[PageScores]:
        pages = self.facts(ids).values()
        return [PageScores(page.id, page.n, page.relevance, page.authority, page.fetched_at) for page in pages]

    def facts(self, ids: Sequence[int]) -> dict[int, PageFacts]:
        return {id: self._facts(self.pages[id]) for id in ids if id in self.pages}

    def best_authorities(self, most: int) -> list[tuple[int, float]]:
        return sorted(self.authorities.items(), key=lambda item: -item[1])[:most]

    def terms(self, ids: Sequence[int]) -> list[Terms]:
        return [self.pages[id].terms for id in ids]

    def _facts(self, page: IndexedPage) -> PageFacts:
        return PageFacts(
            id=page.id,
            n=page.n,
            url=f"http://{page.host}/{page.id}",
            host=page.host,
            title=page.title,
            language=page.language,
            mime=page.mime,
            topic=page.topic,
            relevance=page.relevance,
            authority=self.authorities.get(page.id, 0.0),
            fetched_at=page.fetched_at,
        )


def index(folder: Path, pages: Sequence[IndexedPage], *, learn: bool = False) -> SearchReader:
    """Index pages and open the index."""
    with write_lock(folder), SearchWriter(folder) as writer:
        for one in pages:
            writer.add(one)
        writer.commit(max((one.n for one in pages), default=0))
        if learn:
            writer.learn(MadeFacts(pages).terms, lambda done: None)
    reader = open_index(folder)
    assert reader is not None
    return reader


def ask(reader: SearchReader, facts: MadeFacts, words: str, **more: object) -> Answer:
    """Ask by words alone, unless weights are given."""
    given: dict[str, object] = {"weights": TEXT_ALONE, "limit": 100}
    return answer(reader, facts, Question(words=words, **(given | more)))  # type: ignore[arg-type]


def found(given: Answer) -> set[int]:
    """Return the ids of the pages that have all that was asked for."""
    return {hit.page.id for hit in given.hits if hit.by_words}
