"""The words of a page as the index has them: stems as the critics use (parse/words/stems.py), in their order.

Critics pass over stop words and numbers. Search keeps both, as they stand: a phrase may hold them. The words as they
are written are kept besides, once a page, for prefixes and spelling. So are neighbours that are both stop words: nearly
every page has "of" and "the", and to compare all their places takes long.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from scenthound.parse.words.stems import STEMMED, STOP, stems
from scenthound.parse.words.stop_words import stop_words
from scenthound.parse.words.tokens import tokens_of, words_of

_LONGEST: Final = 60  # characters: longer ones are keys and addresses
_MOST_REMEMBERED: Final = 200_000


class Stemmed(dict[bytes, str]):
    """The terms of each token in a language, with blanks between them.

    >>> english = Stemmed("en")
    >>> [english[token] for token in (b"dogs", b"the", b"1950", b"isn't")]
    ['dog', 'the', '1950', "isn't"]
    """

    def __init__(self, language: str) -> None:
        super().__init__()
        self._stems = stems(language)

    def __missing__(self, token: bytes) -> str:
        found = self._stems[token]
        if found in ("", STOP):
            found = written(token)
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        self[token] = found
        return found


def written(token: bytes) -> str:
    """Return the words in a token, with blanks between them; none for signs and for overlong ones."""
    if token.isalnum() and len(token) <= _LONGEST:  # ASCII only, as `tokens_of` leaves it
        return token.decode()
    return " ".join(word for word in words_of(token.decode("utf-8", "replace")) if len(word) <= _LONGEST)


def terms_of_each(tokens: Sequence[bytes], language: str) -> list[str]:
    """Return the terms of each token; those that have several, with blanks between them."""
    return list(map(_stemmed(one_language(language)).__getitem__, tokens))


def terms_in(tokens: Sequence[bytes], language: str) -> str:
    """Return the terms of a text in order, with blanks between them."""
    return " ".join(map(_stemmed(one_language(language)).__getitem__, tokens))


def forms_in(tokens: Sequence[bytes]) -> str:
    """Return the distinct words of a text, as they are written.

    >>> sorted(forms_in([b"dogs", b"isn't", b"dogs", b"x" * 61]).split())
    ['dogs', "isn't"]
    """
    distinct = set(tokens)
    plain = [token for token in distinct if token.isalnum() and len(token) <= _LONGEST]
    others = distinct.difference(plain)
    words = words_of(b" ".join(others).decode("utf-8", "replace")) if others else []
    return " ".join([b" ".join(plain).decode(), *(word for word in set(words) if len(word) <= _LONGEST)])


def common_pairs(terms: Sequence[str]) -> list[str]:
    """Return each two neighbours that are stop words of any language, as one word.

    Of any language, because a query does not say in which language it is.

    >>> common_pairs("one of the wheels of my bike".split())
    ['one_of', 'of_the', 'of_my']
    """
    common = _common()
    return [f"{one}_{other}" for one, other in pairwise(terms) if one in common and other in common]


def variants(text: str, languages: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the terms that a word or phrase may have on pages in some languages, each way once.

    >>> variants("hiking", ["en", ""]), variants("Mother-in-law", ["en"]), variants("—", ["en"])
    ([('hike',), ('hiking',)], [('mother', 'in', 'law')], [])
    """
    tokens = tokens_of(text)
    ways = (tuple(terms_in(tokens, language).split()) for language in languages)
    return [way for way in dict.fromkeys(ways) if way]


def one_language(language: str) -> str:
    """Return the language whose stems a page is written in; empty for all that have no stemmer."""
    return language if language in STEMMED else ""


@cache
def _common() -> frozenset[str]:
    return frozenset().union(*map(stop_words, STEMMED))


@cache
def _stemmed(language: str) -> Stemmed:
    return Stemmed(language)
