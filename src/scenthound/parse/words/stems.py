"""From a token to the terms that a critic counts.

Stop words give none, other words their Snowball stem in the language (Porter, snowballstem.org), and text in scripts
without blanks its pairs of characters. The result of each token is cached.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

import Stemmer  # type: ignore[import-not-found]

from scenthound.parse.words.stop_words import stop_words
from scenthound.parse.words.tokens import unspaced_run, words_of

_ALGORITHMS: Final = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
    "pt": "portuguese",
    "nl": "dutch",
    "ru": "russian",
}
STEMMED: Final = tuple(_ALGORITHMS)
STOP: Final = "."  # result of a stop word: no term, but it shows the language
_LONGEST: Final = 40  # characters: longer words are keys and addresses
_LONGEST_REMEMBERED: Final = 80  # bytes
_MOST_REMEMBERED: Final = 100_000
_FIRST_UNSPACED: Final = "\u0e00"


class Stems(dict[bytes, str]):
    """The terms of each token in a language, joined by blanks; computed at the first lookup of a token.

    >>> english = Stems("en")
    >>> [english[token] for token in (b"whose", b"dogs", b"isn't", b"dog's", b"1950", b"mp3", b"e")]
    ['.', 'dog', '.', 'dog', '', 'mp3', '']
    >>> Stems("fr")["l’animal".encode()], Stems("ja")["東京タワー".encode()]
    ('animal', '東京 京タ タワ ワー')
    """

    def __init__(self, language: str) -> None:
        super().__init__()
        self._before: dict[bytes, str] = {}
        self._stop_words = stop_words(language)
        algorithm = _ALGORITHMS.get(language)
        stemmer = Stemmer.Stemmer(algorithm, 0) if algorithm else None  # 0: without its own cache
        self._stem = stemmer.stemWord if stemmer else str
        self._stem_all = stemmer.stemWords if stemmer else list[str]

    def of_all(self, tokens: Sequence[bytes]) -> list[str]:
        """Return the terms of each token.

        New words of ASCII letters are stemmed together: most new tokens are such words, and a call for each costs more
        than its stem.

        >>> Stems("en").of_all([b"dogs", b"whose", b"e", b"dogs", b"1950"])
        ['dog', '.', '', 'dog', '']
        """
        plain = (token for token in tokens if token not in self and token.isalpha() and len(token) <= _LONGEST)
        new = list(dict.fromkeys(plain))
        if new and len(self) + len(new) < _MOST_REMEMBERED:
            words = b" ".join(new).decode().split(" ")
            for token, word, stem in zip(new, words, self._stem_all(words), strict=True):
                self[token] = STOP if word in self._stop_words else stem if len(word) > 1 else ""
        return list(map(self.__getitem__, tokens))

    def __missing__(self, token: bytes) -> str:
        terms = self._before.get(token)
        if terms is None:
            terms = self._terms(token)
        if len(token) <= _LONGEST_REMEMBERED:
            self._remember(token, terms)
        return terms

    def _remember(self, token: bytes, terms: str) -> None:
        """Cache the result of a token. A full table is set aside and searched once more, so that common words stay."""
        if len(self) >= _MOST_REMEMBERED:
            self._before = dict(self)
            self.clear()
        self[token] = terms

    def _terms(self, token: bytes) -> str:
        if token.isalpha():  # ASCII letters only: four of five distinct tokens of the schools web
            return self._term(token.decode())
        words = words_of(token.decode())
        if len(words) == 1 and max(words[0]) < _FIRST_UNSPACED:
            return self._term(words[0])
        found = [term for word in words for term in self._of_any_script(word)]
        return " ".join(term for term in found if term and term != STOP)

    def _of_any_script(self, word: str) -> list[str]:
        """Return the pairs of the runs without blanks, and the words between them."""
        runs = unspaced_run().findall(word)
        others = unspaced_run().sub(" ", word).split() if runs else [word]
        return [*(pair for run in runs for pair in pairs_of(run)), *map(self._term, others)]

    def _term(self, word: str) -> str:
        bare = self._longest_part(word) if "'" in word else word
        if bare in self._stop_words:
            return STOP
        if not 2 <= len(bare) <= _LONGEST or _is_number(bare):
            return ""
        return str(self._stem(bare))

    def _longest_part(self, word: str) -> str:
        """Return a word without elided articles and contracted verbs; a stop word if nothing is left."""
        parts = word.split("'")
        if word.endswith("n't") and "not" in self._stop_words:
            return "not"
        return max((part for part in parts if part not in self._stop_words), key=len, default=parts[0])


def pairs_of(run: str) -> list[str]:
    """Return the pairs of neighbouring characters of a run, without pairs of hiragana, which are grammar.

    >>> pairs_of("東京へ行った"), pairs_of("水")
    (['東京', '京へ', 'へ行', '行っ'], ['水'])
    """
    pairs = map("".join, pairwise(run)) if len(run) > 1 else [run]
    return [pair for pair in pairs if not all("\u3040" <= character <= "\u309f" for character in pair)]


def _is_number(word: str) -> bool:
    """Tell whether a token is a number, date or code: it starts with a digit or has as many digits as letters."""
    return not word.isalpha() and (word[0].isdigit() or 2 * sum(map(str.isdigit, word)) >= len(word))


def stems(language: str) -> Stems:
    """Return the stems of a language: one table per process for each stemmed language, and one for all others."""
    return _table(language if language in _ALGORITHMS else "")


@cache
def _table(language: str) -> Stems:
    return Stems(language)
