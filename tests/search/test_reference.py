"""The index answers as a plain search through all pages does, on small random corpora."""

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from scenthound.parse.words.tokens import tokens_of, words_of
from scenthound.search.query_language import And, Field, Node, Not, Or, Phrase, Prefix, Word
from scenthound.search.types import IndexedPage
from scenthound.search.words import terms_in
from tests.often import often
from tests.search.made_pages import MadeFacts, ask, found, index, page

VOCABULARY = (
    "hub",
    "hubs",
    "gear",
    "gears",
    "geared",
    "chain",
    "the",
    "of",
    "1950",
    "isn't",
    "mother-in-law",
    "riding",
)
_texts = st.lists(st.sampled_from(VOCABULARY), max_size=6).map(" ".join)
_pages = st.lists(
    st.tuples(_texts, _texts, _texts, st.sampled_from(["a.example", "b.example"])), min_size=1, max_size=6
)
_fields = st.sampled_from([Field.ANY, Field.TITLE, Field.ANCHOR])
_words = st.builds(Word, st.sampled_from(VOCABULARY), _fields)
_sites = st.builds(Word, st.sampled_from(["a.example", "www.b.example", "c.example"]), st.just(Field.SITE))
_phrases = st.builds(Phrase, st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=3).map(" ".join), _fields)
_prefixes = st.builds(Prefix, st.sampled_from(["ge", "gear", "gears", "ch", "hub", "xy"]), _fields)
_queries: st.SearchStrategy[Node] = st.recursive(
    st.one_of(_words, _sites, _phrases, _prefixes),
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.lists(inner, min_size=2, max_size=3).map(lambda nodes: And(tuple(nodes))),
        st.lists(inner, min_size=2, max_size=3).map(lambda nodes: Or(tuple(nodes))),
    ),
    max_leaves=4,
)


@often(40)
@given(_pages, st.lists(_queries, min_size=1, max_size=4))
def test_the_index_answers_as_a_search_through_all_pages(
    rows: list[tuple[str, str, str, str]], queries: list[Node]
) -> None:
    pages = [
        page(number, text, title=title, anchors=(anchor,), host=f"www.{site}", site=site)
        for number, (text, title, anchor, site) in enumerate(rows, 1)
    ]
    with tempfile.TemporaryDirectory() as folder:
        reader, facts = index(Path(folder) / "search", pages), MadeFacts(pages)
        for query in queries:
            wanted = {one.id for one in pages if matches(query, one)}
            answer = ask(reader, facts, written(query))
            assert found(answer) == wanted, written(query)
            assert answer.matches == len(wanted), written(query)


def matches(query: Node, one: IndexedPage) -> bool:
    """Tell whether a page has what a query asks for, by looking at its words."""
    match query:
        case Not(inner):
            return not matches(inner, one)
        case And(nodes):
            return all(matches(node, one) for node in nodes)
        case Or(nodes):
            return any(matches(node, one) for node in nodes)
        case Word(text, Field.SITE):
            return text in (one.host, one.site)
        case Prefix(text, field):
            return any(word.startswith(text) for place in _places(one, field) for word in words_of(place))
        case Word(text, field) | Phrase(text, field):
            wanted = _terms(text)
            return any(_holds(_terms(place), wanted) for place in _places(one, field))


def _places(one: IndexedPage, field: Field) -> list[str]:
    texts = {Field.TITLE: one.title, Field.ANCHOR: "\n".join(one.anchors)}
    return [one.text, *texts.values()] if field is Field.ANY else [texts[field]]


def _terms(text: str) -> list[str]:
    return terms_in(tokens_of(text), "en").split()


def _holds(terms: list[str], wanted: list[str]) -> bool:
    return any(terms[start : start + len(wanted)] == wanted for start in range(len(terms) - len(wanted) + 1))


def written(query: Node) -> str:
    """Write a query as a user would."""
    match query:
        case Not(inner):
            return f"NOT {written(inner)}"
        case And(nodes):
            return f"({' AND '.join(map(written, nodes))})"
        case Or(nodes):
            return f"({' OR '.join(map(written, nodes))})"
        case Phrase(text, field):
            return f'{field}:"{text}"' if field else f'"{text}"'
        case Prefix(text, field):
            return f"{field}:{text}*" if field else f"{text}*"
        case Word(text, field):
            return f"{field}:{text}" if field else text
