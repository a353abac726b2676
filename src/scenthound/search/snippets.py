"""The piece of a page's text that shows best why it was found, with the words asked for marked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from scenthound.parse.words.token_terms import token_places
from scenthound.parse.words.tokens import cut
from scenthound.search.query_language import Field, Node, Phrase, Prefix, Word, wanted
from scenthound.search.types import Snippet
from scenthound.search.words import terms_of_each, variants, written

_LENGTH: Final = 36  # tokens
_BEFORE: Final = 8  # tokens shown before the first word that was asked for
_LOOKED_AT: Final = 300  # places of words
_LONG_LINE: Final = 60  # characters: a shorter line at the beginning is navigation
_PROSE: Final = 4  # tokens a line; sentences with many links have so many, menus and tables one or two
_LINE_END: Final = ord("\n")
_START, _STOP = "\x02", "\x03"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is marked: terms as the index has them, and beginnings of words."""

    terms: frozenset[str]
    prefixes: tuple[str, ...] = ()

    @property
    def firsts(self) -> frozenset[int]:
        """The first bytes of what is marked."""
        return frozenset(text.encode()[0] for text in (*self.terms, *self.prefixes) if text)

    def has(self, terms: str) -> bool:
        """Tell whether one of the terms of a token is asked for."""
        return not self.terms.isdisjoint(terms.split())

    @classmethod
    def of(cls, node: Node | None, languages: Sequence[str]) -> "Wanted":
        leaves = [leaf for leaf in wanted(node) if leaf.field is not Field.SITE]
        texts = [leaf.text for leaf in leaves if isinstance(leaf, (Word, Phrase))]
        ways = [way for text in texts for way in variants(text, languages or ("",))]
        prefixes = tuple(leaf.text.casefold() for leaf in leaves if isinstance(leaf, Prefix))
        return cls(frozenset(term for way in ways for term in way), prefixes)


def snippet_of(text: str, language: str, asked: Wanted) -> Snippet:
    """Return the best piece of a text.

    >>> found = snippet_of("Bikes have chains. A hub gear hides them.", "en", Wanted(frozenset({"hub", "gear"})))
    >>> found.marked("[", "]")
    'Bikes have chains. A [hub] [gear] hides them.'
    """
    data = f" {_clean(text)} ".encode("utf-8", "replace")  # with the blanks that token_places needs
    parted = cut(data)
    begins, ends = token_places(parted)
    tokens = parted.split()
    named = _named(tokens, language, asked)
    places = [place for place, token in enumerate(tokens) if token in named][:_LOOKED_AT]
    if not places:
        return _beginning(text)
    lines = np.searchsorted(np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == _LINE_END), begins).tolist()
    first = max(0, _best([named[tokens[place]] for place in places], places, lines) - _BEFORE)
    last = min(len(tokens), first + _LENGTH)
    marked = {place for place in places if first <= place < last}
    parts: list[bytes] = []
    at = int(begins[first])
    for place in sorted(marked):
        start, end = int(begins[place]), int(ends[place])
        parts += [data[at:start], _START.encode(), data[start:end], _STOP.encode()]
        at = end
    parts.append(data[at : int(ends[last - 1]) if last < len(tokens) else len(data)])
    shown = b"".join(parts).decode("utf-8", "ignore")
    return _unmarked(("… " if first else "") + _tidy(shown) + (" …" if last < len(tokens) else ""))


def _named(tokens: Sequence[bytes], language: str, asked: Wanted) -> dict[bytes, str]:
    """Return the tokens that are asked for, and the term of each.

    A stem begins as its word does, so most tokens need not be stemmed.
    """
    firsts = asked.firsts
    maybe = [token for token in set(tokens) if token[0] in firsts or not token.isalnum()]
    terms = zip(maybe, terms_of_each(maybe, language), strict=True)
    found = {token: term for token, term in terms if term in asked.terms or (" " in term and asked.has(term))}
    if asked.prefixes:
        found.update((token, token.decode()) for token in maybe if written(token).startswith(asked.prefixes))
    return found


def _best(terms: Sequence[str], places: Sequence[int], lines: Sequence[int]) -> int:
    """Return the first place of the best window: with many distinct words, in sentences rather than in a menu.

    Each text between two tags has a line of its own, so menus, tables and titles have many lines and sentences few.
    """
    best, found = 0.0, places[0]
    end = 0
    for start, place in enumerate(places):
        while end < len(places) and places[end] < place + _LENGTH - _BEFORE:
            end += 1
        first, last = max(0, place - _BEFORE), min(len(lines), place + _LENGTH - _BEFORE) - 1
        a_line = (last + 1 - first) / (lines[last] + 1 - lines[first])
        score = len(set(terms[start:end])) + 0.2 * min(end - start, 5) + 1.2 * min(1.0, a_line / _PROSE)
        if score > best:
            best, found = score, place
    return found


def _beginning(text: str) -> Snippet:
    """Return the first line that is long enough to say something."""
    lines = [line.strip() for line in text.splitlines()]
    start = next((place for place, line in enumerate(lines) if len(line) >= _LONG_LINE), 0)
    whole = _tidy(_clean(" ".join(lines[start : start + 20])))
    return Snippet(text=whole if len(whole) <= 240 else whole[:240].rsplit(" ", 1)[0] + " …")


def _clean(text: str) -> str:
    return text.replace(_START, " ").replace(_STOP, " ")


def _tidy(text: str) -> str:
    """Return a text on one line; links and emphasis leave blanks before signs."""
    return re.sub(r" ([\x03]?[,.;:!?)\]])", r"\1", " ".join(text.split()))


def _unmarked(text: str) -> Snippet:
    parts, marks, length, start = list[str](), list[tuple[int, int]](), 0, 0
    for piece in re.split(f"([{_START}{_STOP}])", text):
        if piece == _START:
            start = length
        elif piece == _STOP:
            marks.append((start, length))
        else:
            parts.append(piece)
            length += len(piece)
    return Snippet(text="".join(parts), marks=tuple(marks))
