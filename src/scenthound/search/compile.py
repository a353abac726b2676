"""From the tree of a query to a query of the engine.

A word stands for its stem in each language of the crawl's pages. Title and anchor texts count more than the
text: they are short, and people wrote them to say what a page is about.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from tantivy import Occur, Query, Schema

from scenthound.parse.words.tokens import words_of
from scenthound.search.query_language import And, Field, Node, Not, Or, Phrase, Prefix, Word
from scenthound.search.types import Filters, QueryError
from scenthound.search.words import common_pairs, variants

BOOSTS: Final = {"title": 2.5, "anchor": 1.5, "body": 1.0}


class Compiler:
    """Makes queries for an index whose pages are in some languages."""

    def __init__(self, schema: Schema, languages: Sequence[str]) -> None:
        self._schema = schema
        self._languages = tuple(languages) or ("",)

    def query(self, node: Node, text: str) -> Query:
        """Return the query of a tree; `text` is what was typed."""
        made = self._of(node)
        if made is None:
            raise QueryError(text, 0, "it has no word that could be found")
        return made

    def filtered(self, query: Query | None, filters: Filters) -> Query:
        """Return a query for pages that also pass filters; without one, for all that do."""
        wanted = {
            "topics": filters.topic,
            "hosts": filters.site.lower(),
            "language": filters.language,
            "type": filters.mime,
            "month": filters.month,
        }
        musts = [self._name(field, value) for field, value in wanted.items() if value]
        if query is not None:
            musts.insert(0, query)
        return self._all(musts) if musts else Query.all_query()

    def among(self, query: Query | None, ids: Iterable[int]) -> Query:
        """Return a query for those of some pages that match."""
        chosen = _uncounted(Query.term_set_query(self._schema, "id", list(ids)))
        return chosen if query is None else self._all([query, chosen])

    def any_term(self, terms: Sequence[str]) -> Query:
        """Return a query for pages with some of these terms in their text; the rarer ones count more."""
        return Query.boolean_query([(Occur.Should, Query.term_query(self._schema, "body", term)) for term in terms])

    def _of(self, node: Node) -> Query | None:
        match node:
            case Word(text, Field.SITE) | Phrase(text, Field.SITE):
                return self._name("hosts", text.strip().lower())
            case Word(text, field) | Phrase(text, field):
                return self._words(text, field)
            case Prefix(text, field):
                return self._prefix(text, field)
            case Not(inner):
                made = self._of(inner)
                return None if made is None else self._conjunction([], [made])
            case Or(nodes):
                parts = [part for node in nodes for part in self._alternatives(node)]
                return self._any(parts) if parts else None
            case And(nodes):
                return self._and(nodes)

    def _alternatives(self, node: Node) -> list[Query]:
        """Return queries of which one must match. One list of words lets the engine pass over blocks of pages."""
        match node:
            case Word(text, field) | Phrase(text, field) if field is not Field.SITE:
                return self._ways(text, field)
            case Or(nodes):
                return [part for one in nodes for part in self._alternatives(one)]
        made = self._of(node)
        return [] if made is None else [made]

    def _and(self, nodes: Sequence[Node]) -> Query | None:
        musts = [self._of(node) for node in nodes if not isinstance(node, Not)]
        nots = [self._of(node.node) for node in nodes if isinstance(node, Not)]
        wanted = [query for query in musts if query is not None]
        unwanted = [query for query in nots if query is not None]
        return self._conjunction(wanted, unwanted) if wanted or unwanted else None

    def _conjunction(self, wanted: Sequence[Query], unwanted: Sequence[Query]) -> Query:
        musts = [(Occur.Must, query) for query in wanted or [Query.all_query()]]
        return Query.boolean_query([*musts, *((Occur.MustNot, query) for query in unwanted)])

    def _words(self, text: str, field: Field) -> Query | None:
        found = self._ways(text, field)
        return self._any(found) if found else None

    def _ways(self, text: str, field: Field) -> list[Query]:
        ways = variants(text, self._languages)
        return [self._way(name, way) for name in _names(field) for way in ways]

    def _way(self, name: str, way: tuple[str, ...]) -> Query:
        if len(way) == 1:
            made = Query.term_query(self._schema, name, way[0])
        elif name == "body":
            made = self._phrase_of_text(way)
        else:
            made = Query.phrase_query(self._schema, name, list(way))
        return made if BOOSTS[name] == 1 else Query.boost_query(made, BOOSTS[name])

    def _phrase_of_text(self, way: tuple[str, ...]) -> Query:
        """Return the query of a phrase. Pairs of stop words are indexed as words, so that few places are compared."""
        pairs = [Query.term_query(self._schema, "body_pairs", pair) for pair in common_pairs(way)]
        if len(way) == 2 and pairs:
            return pairs[0]
        return self._all([Query.phrase_query(self._schema, "body", list(way)), *map(_uncounted, pairs)])

    def _prefix(self, text: str, field: Field) -> Query | None:
        words = words_of(text)
        if not words:
            return None
        pattern = re.escape(words[-1]) + ".*"
        ends = self._any([Query.regex_query(self._schema, f"{name}_forms", pattern) for name in _names(field)])
        before = [self._words(word, field) for word in words[:-1]]
        return self._all([*(query for query in before if query is not None), ends])

    def _name(self, field: str, value: str) -> Query:
        return _uncounted(Query.term_query(self._schema, field, value, "basic"))

    def _any(self, queries: Sequence[Query]) -> Query:
        return queries[0] if len(queries) == 1 else Query.boolean_query([(Occur.Should, query) for query in queries])

    def _all(self, queries: Sequence[Query]) -> Query:
        return queries[0] if len(queries) == 1 else Query.boolean_query([(Occur.Must, query) for query in queries])


def _names(field: Field) -> tuple[str, ...]:
    return tuple(BOOSTS) if field is Field.ANY else (str(field),)


def _uncounted(query: Query) -> Query:
    """Return a query that adds nothing to a score."""
    return Query.const_score_query(query, 0.0)
