"""The query language: from what a user types to a tree of words, phrases and operators.

hub gears                  both words, anywhere on the page
"hub gears"                the phrase
title:gears site:a.org     in the title; on a host or registered domain
anchor:"hub gears"         in the text of links that lead to the page
derail*                    words that begin so
gears OR chain, NOT motor  operators in capitals; -motor is NOT motor
(gears OR chain) hub       brackets group
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from scenthound.search.types import QueryError

LONGEST: Final = 2_000  # characters of a query
DEEPEST: Final = 50  # brackets within brackets


class Field(StrEnum):
    """Where words are looked for; `ANY` is title, text and anchor texts together."""

    ANY = ""
    TITLE = "title"
    ANCHOR = "anchor"
    SITE = "site"


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    field: Field = Field.ANY


@dataclass(frozen=True, slots=True)
class Prefix:
    text: str
    field: Field = Field.ANY


@dataclass(frozen=True, slots=True)
class Phrase:
    text: str
    field: Field = Field.ANY


@dataclass(frozen=True, slots=True)
class Not:
    node: "Node"


@dataclass(frozen=True, slots=True)
class And:
    nodes: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Or:
    nodes: tuple["Node", ...]


Node = Word | Prefix | Phrase | Not | And | Or


def parse_query(text: str) -> Node | None:
    """Return the tree of a query; None if it is empty.

    >>> parse_query('hub -motor title:"gear ratio"')
    And(nodes=(Word(text='hub', field=<Field.ANY: ''>), Not(node=Word(text='motor', field=<Field.ANY: ''>)), \
Phrase(text='gear ratio', field=<Field.TITLE: 'title'>)))
    """
    if len(text) > LONGEST:
        raise QueryError(text, LONGEST, f"it has more than {LONGEST:,} characters")
    parser = _Parser(text)
    if parser.kind == _END:
        return None
    tree = parser.alternatives(0)
    if parser.kind == ")":
        raise QueryError(text, parser.at, "this ) closes no bracket")
    return tree


def plain_words(node: Node | None) -> list[str]:
    """Return the words of a query without operators, phrases and fields; an empty list if it has any of these.

    >>> plain_words(parse_query("hub gears")), plain_words(parse_query("hub NOT gears"))
    (['hub', 'gears'], [])
    """
    nodes = node.nodes if isinstance(node, And) else (node,)
    words = [one.text for one in nodes if isinstance(one, Word) and one.field is Field.ANY]
    return words if len(words) == len(nodes) else []


def wanted(node: Node | None) -> Iterator[Word | Phrase | Prefix]:
    """Yield the words and phrases that a page may have; those under NOT are left out."""
    match node:
        case Word() | Phrase() | Prefix():
            yield node
        case And(nodes) | Or(nodes):
            for one in nodes:
                yield from wanted(one)
        case _:
            return


_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<open>\()|(?P<close>\))|(?P<minus>-(?=[\w("]))|(?P<field>(?:title|anchor|site):)|(?P<quote>")"""
    r"""|(?P<word>[^\s()"]+))""",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(r"([A-Za-z]+):(?=\S)(?!//)")
_END: Final = ""
_OPERATORS: Final = ("AND", "OR", "NOT")


class _Parser:
    """Recursive descent; `kind` and `value` are the token at hand, `at` its place."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._next = 0
        self.kind, self.value, self.at = _END, "", 0
        self._advance()

    def alternatives(self, depth: int) -> Node:
        """Read parts with OR between them."""
        found = [self._conjunction(depth)]
        while self.kind == "OR":
            self._advance()
            found.append(self._conjunction(depth))
        return found[0] if len(found) == 1 else Or(tuple(found))

    def _conjunction(self, depth: int) -> Node:
        found = [self._negation(depth)]
        while self.kind not in (_END, ")", "OR"):
            if self.kind == "AND":
                self._advance()
            found.append(self._negation(depth))
        return found[0] if len(found) == 1 else And(tuple(found))

    def _negation(self, depth: int) -> Node:
        if depth > DEEPEST:
            raise QueryError(self._text, self.at, f"brackets go deeper than {DEEPEST}")
        if self.kind == "NOT":
            self._advance()
            return Not(self._negation(depth + 1))
        return self._part(depth)

    def _part(self, depth: int) -> Node:
        kind, value, at = self.kind, self.value, self.at
        if kind == "(":
            self._advance()
            tree = self.alternatives(depth + 1)
            if self.kind != ")":
                raise QueryError(self._text, at, "this ( is never closed")
            self._advance()
            return tree
        if kind == "field":
            self._advance()
            return self._in_field(Field(value), at)
        if kind in ("word", "phrase"):
            self._advance()
            return _leaf(self._text, kind, value, Field.ANY, at)
        missing = "a word is missing here" if kind == _END else f"there is a word missing before {value or kind}"
        raise QueryError(self._text, at, missing)

    def _in_field(self, field: Field, at: int) -> Node:
        kind, value, begins = self.kind, self.value, self.at
        if kind not in ("word", "phrase"):
            raise QueryError(self._text, begins, f"{field}: needs a word or a phrase behind it")
        self._advance()
        return _leaf(self._text, kind, value, field, at)

    def _advance(self) -> None:
        found = _TOKEN.match(self._text, self._next)
        if found is None:
            self.kind, self.value, self.at = _END, "", len(self._text)
            return
        group = str(found.lastgroup)
        self.value, self.at, self._next = found[group], found.start(group), found.end()
        if group == "quote":
            self._phrase()
        elif group == "field":
            self.kind, self.value = "field", self.value[:-1].lower()
        elif group == "minus":
            self.kind = "NOT"
        elif group == "word":
            self._word()
        else:
            self.kind = self.value

    def _phrase(self) -> None:
        end = self._text.find('"', self._next)
        if end < 0:
            raise QueryError(self._text, self.at, "this quotation mark is never closed")
        self.kind, self.value, self._next = "phrase", self._text[self._next : end], end + 1

    def _word(self) -> None:
        behind_field, self.kind = self.kind == "field", "word"
        if behind_field:
            return
        if self.value in _OPERATORS:
            self.kind = self.value
            return
        named = _NAMED.match(self.value)
        if named is not None:
            known = ", ".join(f"{field}:" for field in Field if field)
            raise QueryError(self._text, self.at, f'there is no field "{named[1]}:"; there are {known}')


def _leaf(query: str, kind: str, value: str, field: Field, at: int) -> Node:
    if kind == "phrase":
        return Phrase(value, field)
    bare = value.rstrip("*")
    if bare == value or field is Field.SITE:
        return Word(value, field)
    if sum(map(str.isalnum, bare)) < 2:
        raise QueryError(query, at, "before * there must be two letters at least")
    return Prefix(bare, field)
