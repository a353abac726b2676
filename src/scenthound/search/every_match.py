"""All pages with the words of a question, not only the best: for saved questions.

A ranking is of no use there. A page that comes as the thousand and first is as new as the first.
"""

from collections.abc import Sequence
from typing import Final

import tantivy

from scenthound.search.compile import Compiler
from scenthound.search.engine import sharp_filters
from scenthound.search.index import SearchReader
from scenthound.search.query_language import parse_query
from scenthound.search.snippets import Wanted, snippet_of
from scenthound.search.types import Question

_AT_ONCE: Final = 500  # pages whose texts are read


class EveryMatch:
    """The pages of one state of an index that have the words and pass the filters."""

    def __init__(self, reader: SearchReader, question: Question) -> None:
        self._reader = reader
        self._node = parse_query(question.words)
        self._compiler = Compiler(reader.schema, reader.state.by_language)
        words = self._compiler.query(self._node, question.words) if self._node is not None else None
        self._query = self._compiler.filtered(words, sharp_filters(question))

    def ids(self, most: int) -> list[int]:
        """Return the numbers of all pages, the last fetched first; of more than `most`, only the first of them."""
        return [id for id, _ in self._found(self._query, most)]

    def snippets(self, ids: Sequence[int]) -> dict[int, str]:
        """Return a piece of the text of some of the pages."""
        languages = self._reader.state.by_language
        wanted, first = Wanted.of(self._node, languages), languages[0] if languages else ""
        found = dict[int, str]()
        for start in range(0, len(ids), _AT_ONCE):
            some = ids[start : start + _AT_ONCE]
            for id, address in self._found(self._compiler.among(self._query, some), len(some)):
                found[id] = snippet_of(self._reader.text(address), first, wanted).text
        return found

    def _found(self, query: tantivy.Query, most: int) -> list[tuple[int, tantivy.DocAddress]]:
        searcher = self._reader.searcher
        hits = searcher.search(query, min(most, max(1, searcher.num_docs)), count=False, order_by_field="date").hits
        addresses = [address for _, address in hits]
        ids = searcher.fast_field_values("id", addresses)
        return [(int(id or 0), address) for id, address in zip(ids, addresses, strict=True)]
