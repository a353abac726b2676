"""Answers a question: words and filters by the index, judgements and scores as the crawl's database has them now.

    words ─► best by text ┐
    meaning ─► nearest    ├─► candidates ─► facts ─► weighted sum ─► hits, snippets
    relevance, authority, │
    date ─► best of each  ┘

The engine has no callback for scores, so the best few hundred by each part that counts are put together and ranked
exactly (as in Fagin's threshold algorithm: a page that is in none of the lists is not the best in the sum, but by a
rare tie). Lists that cannot hold any page of the answer are not asked for: a page behind the last one by text can
reach the last one shown only if its other parts make up for it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Final

import numpy as np
import tantivy
from numpy.typing import NDArray

from scenthound.parse.words.page_terms import terms_of_text
from scenthound.parse.words.terms import Terms
from scenthound.search.compile import Compiler
from scenthound.search.index import FACETS, SearchReader
from scenthound.search.meaning import Meaning, cosines_of, nearest_rows
from scenthound.search.query_language import Node, Or, Word, parse_query, plain_words, wanted
from scenthound.search.snippets import Wanted, snippet_of
from scenthound.search.spelling import better_spelled
from scenthound.search.types import (
    Answer,
    FacetCount,
    Facts,
    Filters,
    Floats,
    Hit,
    PageScores,
    Question,
    Snippet,
    Weights,
)

CANDIDATES: Final = 300  # best pages by each part
MOST: Final = 1_000  # hits that can be paged through
_FACET_VALUES: Final = 20
_JUDGED_AT_ONCE: Final = 40  # pages given to the critic for a vague filter
_TYPICAL: Final = 20  # terms of pages to which similar ones are wanted

Scores = NDArray[np.float64]
Chances = Callable[[Sequence[int]], Sequence[float]]


def answer(reader: SearchReader, facts: Facts, question: Question, *, chances: Chances | None = None) -> Answer:
    """Return the pages that a question asks for. `chances` gives Pr(topic | page), for a vague filter."""
    return _Search(reader, facts, question, chances).answer()


@dataclass(slots=True)
class _Candidate:
    """A page that may be among the best; `text` is its score by words, `address` its place in the engine."""

    address: tantivy.DocAddress
    text: float = 0.0
    by_words: bool = False


class _Search:
    def __init__(self, reader: SearchReader, facts: Facts, question: Question, chances: Chances | None) -> None:
        self._reader = reader
        self._facts = facts
        self._question = question
        self._chances = chances
        self._weights = question.weights.checked()
        self._languages = reader.state.by_language
        self._compiler = Compiler(reader.schema, self._languages)
        self._node = parse_query(question.words)
        self._filters = sharp_filters(question)
        self._asked = Wanted.of(self._node, self._languages)
        shown = min(MOST, question.offset + question.limit)
        # Where the text alone counts, its order is the answer; a few more, because pages may have gone since.
        self._many = shown + 20 if self._weights.is_text_alone and not question.vague else max(CANDIDATES, shown)
        self._found: dict[int, _Candidate] = {}
        self._scores: dict[int, PageScores] = {}  # what the database says of them
        self._last = 0.0  # score by words of the last page taken by words: those behind it have no more

    def answer(self) -> Answer:
        query = self._text_query()
        matching = self._compiler.filtered(query, self._filters)
        vector = self._vector()
        matches = self._by_text(matching, scored=query is not None)
        self._by_some_words()
        if matches > self._many and (self._weights.has_facts or self._question.vague):  # else all of them are here
            self._by_other_parts(matching, vector)
        if len(vector):
            self._by_meaning(vector, adds=self._adds_pages(query))
        chosen = self._best(vector)
        return Answer(
            hits=tuple(self._shown(hit) for hit in chosen),
            matches=matches,
            did_you_mean=better_spelled(self._question.words, self._node, self),
            facets=self._facets(matching) if self._question.facets else {},
            pages=self._reader.searcher.num_docs,
        )

    def _text_query(self) -> tantivy.Query | None:
        if self._node is not None:
            return self._compiler.query(self._node, self._question.words)
        if self._is_likeness and (meaning := self._reader.meaning) is not None:
            terms = meaning.typical(self._like_terms(), _TYPICAL)
            return self._compiler.any_term(terms) if terms else tantivy.Query.empty_query()
        return None

    @property
    def _is_likeness(self) -> bool:
        return bool(self._question.like or self._question.like_text)

    def _adds_pages(self, query: tantivy.Query | None) -> bool:
        """Whether pages without the words may be found: not where operators, phrases or fields are used."""
        return self._is_likeness or query is None or bool(plain_words(self._node))

    def _like_terms(self) -> list[Terms]:
        found = self._facts.terms(self._question.like) if self._question.like else []
        if self._question.like_text:
            found = [*found, terms_of_text(self._question.like_text, language=self._first_language)]
        return found

    @property
    def _first_language(self) -> str:
        return self._languages[0] if self._languages else ""

    def _vector(self) -> Floats:
        """Return what the question means; nothing if that does not count, or cannot be known."""
        meaning = self._reader.meaning
        if meaning is None or not self._weights.meaning:
            return np.zeros(0, dtype=np.float32)
        if self._is_likeness:
            vector: Floats = meaning.of_terms(self._like_terms()).sum(axis=0)
        else:
            vector = _words_vector(meaning, self._node, self._first_language)
        length = float(np.linalg.norm(vector))
        unit: Floats = vector / length if length else np.zeros(0, dtype=np.float32)
        return unit

    def _by_text(self, query: tantivy.Query, *, scored: bool) -> int:
        found = self._reader.searcher.search(query, self._many)
        self._take(found.hits, scored=scored)
        self._last = float(found.hits[-1][0]) if scored and found.hits else 0.0
        return int(getattr(found, "count", 0) or 0)  # its types leave it out

    def _by_some_words(self) -> None:
        """Add pages with some of several plain words: category names, for one, seldom stand on a page in full."""
        words = plain_words(self._node)
        if len(words) < 2:
            return
        some = self._compiler.query(Or(tuple(Word(word) for word in words)), self._question.words)
        query = self._compiler.filtered(some, self._filters)
        self._take(self._reader.searcher.search(query, self._many, count=False).hits, scored=True, by_words=False)

    def _by_other_parts(self, query: tantivy.Query, vector: Floats) -> None:
        """Add the best pages by relevance, date, authority and a vague topic, with their scores by words."""
        short = self._shortfall(vector)
        authorities = self._facts.best_authorities(self._many) if self._weights.authority else []
        greatest = authorities[0][1] if authorities else 0.0
        worth = {id: self._weights.authority * (score / greatest) ** 0.5 for id, score in authorities if greatest}
        wanted = {id for id, gain in worth.items() if gain >= short}
        for name, weight in (("relevance", self._weights.relevance), ("date", self._weights.date)):
            if weight and min(worth.values(), default=0.0) >= short:
                hits = self._reader.searcher.search(query, self._many, count=False, order_by_field=name).hits
                wanted.update(self._ids([address for _, address in hits]))
        if self._question.vague:
            narrow = self._compiler.filtered(query, Filters(topic=self._question.filters.topic))
            self._take(
                self._reader.searcher.search(narrow, self._many, count=False).hits, scored=self._node is not None
            )
        self._take_among(query, wanted - self._found.keys())

    def _shortfall(self, vector: Floats) -> float:
        """Return how much weight authority must add, so that a page behind those found by words is among the best.

        That page has the last one's score by words at most, and 1 in the other parts. Dates are compared among the
        pages found, and a vague topic changes all scores, so these two tell nothing.
        """
        weights, shown = self._weights, self._question.offset + self._question.limit
        if self._question.vague or weights.date or len(self._found) < shown:
            return 0.0
        scored = self._scored()
        parts = self._parts(scored, vector)
        scores = np.sort(self._sum(parts, vector))
        if len(scores) < shown:
            return 0.0
        greatest = max(one.text for one in self._found.values())
        behind = weights.text * (self._last / greatest if greatest else 0.0)
        rest = behind + weights.relevance + (weights.meaning if len(vector) else 0.0)
        return float(scores[-shown]) * self._total(vector) - rest

    def _by_meaning(self, vector: Floats, *, adds: bool) -> None:
        """Add the pages nearest in meaning that pass the filters."""
        if not adds:
            return
        rows, _ = nearest_rows(self._reader.rows, vector, self._many)
        ids = [int(id) for id in self._reader.rows.rows["id"][rows]]
        new = [id for id in ids if id not in self._found and id not in self._question.like]
        passing = self._compiler.filtered(None, self._filters)
        if new:
            hits = self._reader.searcher.search(self._compiler.among(passing, new), len(new), count=False).hits
            self._take(hits, scored=False, by_words=False)

    def _take_among(self, query: tantivy.Query, ids: Iterable[int]) -> None:
        some = list(ids)
        if some:
            hits = self._reader.searcher.search(self._compiler.among(query, some), len(some), count=False).hits
            self._take(hits, scored=True)

    def _take(self, hits: Sequence[tuple[float, tantivy.DocAddress]], *, scored: bool, by_words: bool = True) -> None:
        ids = self._ids([address for _, address in hits])
        for id, (score, address) in zip(ids, hits, strict=True):
            if id not in self._found and id not in self._question.like:
                self._found[id] = _Candidate(address, float(score) if scored else 0.0, by_words)

    def _ids(self, addresses: list[tantivy.DocAddress]) -> list[int]:
        return [int(id or 0) for id in self._reader.searcher.fast_field_values("id", addresses)]

    def _best(self, vector: Floats) -> list[Hit]:
        scored = self._scored()
        if not scored:
            return []
        ids = [page.id for page in scored]
        parts = self._parts(scored, vector)
        scores = self._sum(parts, vector)
        if self._question.vague and self._chances is not None:
            scores = _weighed(scores, ids, self._chances, self._question.offset + self._question.limit)
        order = np.lexsort((np.array([-page.n for page in scored]), -scores)).tolist()
        shown = order[self._question.offset :][: self._question.limit]
        pages = self._facts.facts([ids[place] for place in shown])
        return [
            Hit(
                page=pages[ids[place]],
                score=float(scores[place]),
                by_words=self._found[ids[place]].by_words,
                parts=Weights(**{name: round(float(values[place]), 4) for name, values in parts.items()}),
            )
            for place in shown
            if ids[place] in pages
        ]

    def _scored(self) -> list[PageScores]:
        """Return what the database says of all pages found."""
        new = [id for id in self._found if id not in self._scores]
        self._scores.update((page.id, page) for page in self._facts.scores(new))
        return [self._scores[id] for id in self._found if id in self._scores]

    def _parts(self, scored: Sequence[PageScores], vector: Floats) -> dict[str, Scores]:
        ids = [page.id for page in scored]
        candidates = [self._found[id] for id in ids]
        return {
            "text": _share([one.text for one in candidates]),
            "meaning": self._cosines(ids, candidates, vector),
            "relevance": np.array([page.relevance or 0.0 for page in scored]),
            "authority": np.sqrt(_share([page.authority for page in scored], of=self._greatest_authority())),
            "date": _recency([page.fetched_at for page in scored]),
        }

    def _sum(self, parts: dict[str, Scores], vector: Floats) -> Scores:
        """Return the weighted means of parts."""
        zeros = np.zeros(len(parts["text"]))
        counting = self._counting(vector)
        return sum((weight * parts[name] for name, weight in counting.items()), zeros) / self._total(vector)

    def _counting(self, vector: Floats) -> dict[str, float]:
        """Return the weight of each part; meaning does not count where it is not known."""
        weights = {part.name: float(getattr(self._weights, part.name)) for part in fields(Weights)}
        return weights if len(vector) else weights | {"meaning": 0.0}

    def _total(self, vector: Floats) -> float:
        return sum(self._counting(vector).values()) or 1.0

    def _greatest_authority(self) -> float:
        if not self._weights.authority:
            return 0.0
        best = self._facts.best_authorities(1)
        return best[0][1] if best else 0.0

    def _cosines(self, ids: Sequence[int], candidates: Sequence[_Candidate], vector: Floats) -> NDArray[np.float64]:
        if not len(vector):
            return np.zeros(len(ids))
        rows = self._reader.rows
        found = self._reader.searcher.fast_field_values("row", [one.address for one in candidates])
        places = np.array([int(place if place is not None else -1) for place in found], dtype=np.intp)
        places[places >= len(rows.rows)] = -1
        places[rows.rows["id"][places] != np.asarray(ids)] = -1  # of a process that was killed before it acknowledged
        return cosines_of(rows, places, vector).astype(np.float64)

    def _shown(self, hit: Hit) -> Hit:
        if not self._question.snippets:
            return hit
        text = self._reader.text(self._found[hit.page.id].address)
        snippet = snippet_of(text, hit.page.language or self._first_language, self._asked) if text else Snippet(text="")
        return Hit(page=hit.page, score=hit.score, by_words=hit.by_words, parts=hit.parts, snippet=snippet)

    def _facets(self, query: tantivy.Query) -> dict[str, tuple[FacetCount, ...]]:
        wish = {name: {"terms": {"field": name, "size": _FACET_VALUES}} for name in FACETS}
        found = self._reader.searcher.aggregate(query, wish)
        return {
            name: tuple(
                FacetCount(value=str(one["key"]), pages=int(one["doc_count"])) for one in found[name]["buckets"]
            )
            for name in FACETS
        }

    # The vocabulary, for spelling help.

    def count(self, word: str) -> int:
        searcher = self._reader.searcher
        return max(searcher.doc_freq("body_forms", word), searcher.doc_freq("title_forms", word))

    def beginning(self, prefix: str, limit: int) -> list[tuple[str, int]]:
        return self._reader.searcher.terms_with_prefix("body_forms", prefix, limit=limit)


def _words_vector(meaning: Meaning, node: Node | None, language: str) -> Floats:
    """Return the meaning of the words that a page may have."""
    texts = [leaf.text for leaf in wanted(node) if not isinstance(leaf, Word) or leaf.field != "site"]
    return meaning.of_text(" ".join(texts), language)


def sharp_filters(question: Question) -> Filters:
    """Return the filters that decide which pages are found: not the topic, if it is vague."""
    given = question.filters
    if not question.vague:
        return given
    return Filters(site=given.site, language=given.language, mime=given.mime, month=given.month)


def _weighed(scores: Scores, ids: Sequence[int], chances: Chances, best: int) -> Scores:
    """Return scores multiplied by the chances of pages.

    To judge a page takes long, so the best are judged first, until no other page can be among the best: a product is
    never greater than its score. The rest gets 0.
    """
    order = np.argsort(-scores, kind="stable")
    found = np.zeros(len(scores))
    for start in range(0, len(order), _JUDGED_AT_ONCE):
        some = order[start : start + _JUDGED_AT_ONCE]
        found[some] = scores[some] * np.asarray(chances([ids[place] for place in some]))
        rest = order[start + _JUDGED_AT_ONCE :]
        if len(rest) and np.sort(found)[-min(best, len(found))] >= scores[rest[0]]:
            break
    return found


def _share(values: Sequence[float], *, of: float = 0.0) -> NDArray[np.float64]:
    """Return values as shares of the greatest, which is 1.

    >>> _share([1.0, 4.0]).tolist(), _share([0.0]).tolist()
    ([0.25, 1.0], [0.0])
    """
    found = np.asarray(values, dtype=np.float64)
    greatest = max(float(found.max(initial=0.0)), of)
    return found / greatest if greatest > 0 else np.zeros(len(found))


def _recency(moments: Sequence[float]) -> NDArray[np.float64]:
    """Return 1 for the newest page and 0 for the oldest."""
    found = np.asarray(moments, dtype=np.float64)
    oldest, newest = float(found.min()), float(found.max())
    return (found - oldest) / (newest - oldest) if newest > oldest else np.ones(len(found))
