"""Spelling help: words of the crawl's own pages that differ from a typed word in one or two letters.

Words at a distance of one are made up and looked for (Norvig's way), which takes milliseconds whatever the vocabulary.
For a distance of two, words that begin alike are compared.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final, Protocol

from scenthound.parse.words.tokens import words_of
from scenthound.search.query_language import Field, Node, Phrase, Word, wanted

_SHORTEST: Final = 3  # letters; nearly every shorter word is at a distance of one from another
_LONG: Final = 5  # letters; of a shorter word, two slips leave nothing
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_MUCH_OFTENER: Final = 50  # a rare word is a slip if one beside it is so many times as frequent
_LISTED: Final = 20_000  # words that begin alike


class Vocabulary(Protocol):
    """The words as pages have them."""

    def count(self, word: str) -> int: ...

    def beginning(self, prefix: str, limit: int) -> list[tuple[str, int]]: ...


def better_spelled(query: str, node: Node | None, vocabulary: Vocabulary) -> str:
    """Return a query with its misspelled words replaced; empty if there is nothing to say."""
    said = query
    for leaf in wanted(node):
        if not isinstance(leaf, (Word, Phrase)) or leaf.field is Field.SITE:
            continue
        for word in words_of(leaf.text):
            if (better := nearest_word(word, vocabulary)) and better != word:
                said = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", better.replace("\\", ""), said, flags=re.IGNORECASE)
    return said if said != query else ""


def nearest_word(word: str, vocabulary: Vocabulary) -> str:
    """Return the word that was probably meant; empty if this one is well known, or none is near."""
    if len(word) < _SHORTEST or not word.isalpha():
        return ""
    known = vocabulary.count(word)
    if known > 2:
        return ""
    count: Callable[[str], int] = vocabulary.count
    near = max(((count(other), other) for other in set(_edits(word))), default=(0, ""))
    if near[0] > _MUCH_OFTENER * known:
        return near[1]
    if known:
        return ""
    for shared in (3, 1):  # few slips are in the first letters
        far = [(pages, other) for other, pages in vocabulary.beginning(word[:shared], _LISTED) if _is_near(word, other)]
        if far:
            return max(far)[1]
    return ""


def _is_near(word: str, other: str) -> bool:
    """Tell whether two words are at a distance of two at most; most pairs are told apart by their letters alone."""
    if len(word) < _LONG or abs(len(other) - len(word)) > 2 or len(set(word) ^ set(other)) > 4:
        return False
    return distance(word, other, 2) <= 2


def _edits(word: str) -> Iterator[str]:
    """Yield all words at a distance of one: a letter less, two swapped, one replaced, one more."""
    letters = "".join(sorted({*_LETTERS, *word}))
    for place in range(len(word) + 1):
        head, tail = word[:place], word[place:]
        if tail:
            yield head + tail[1:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        for letter in letters:
            yield head + letter + tail
            if tail:
                yield head + letter + tail[1:]


def distance(one: str, other: str, most: int) -> int:
    """Return how many letters to change, add, drop or swap with the next make one word the other; `most` + 1 if more.

    >>> distance("derailer", "derailleur", 2), distance("gaer", "gear", 2), distance("hub", "chain", 2)
    (2, 1, 3)
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one, 1):
        earlier, before, row = before, row, [place] + [0] * len(other)
        for at, opposite in enumerate(other, 1):
            row[at] = min(before[at] + 1, row[at - 1] + 1, before[at - 1] + (letter != opposite))
            if place > 1 and at > 1 and letter == other[at - 2] and one[place - 2] == opposite:
                row[at] = min(row[at], earlier[at - 2] + 1)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)
