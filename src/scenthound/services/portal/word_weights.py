"""The words by which a reader's browser finds a page, each with a weight from 1 to 7.

A word is a run of letters and digits without accents, in lower case; `static/portal.js` cuts queries in the same way.
Scripts without blanks are cut into pairs of letters. Weights are BM25's share of a text with a fixed mean length, plus
a bonus for the title and for the name of the host: they do not depend on other pages, so new pages do not change them.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from scenthound.parse.words.stop_words import stop_words
from scenthound.parse.words.tokens import tokens_of, unspaced_run

MOST_WORDS: Final = 120  # of a page; 100,000 pages then make an index of some 25 MB
STRONGEST: Final = 7
_SHORTEST, _LONGEST_WORD = 2, 30
_MOST_TOKENS: Final = 300_000  # in memory
_MEAN_LENGTH: Final = 400  # words: of the texts of the webs at hand, half are longer
_TITLE, _HOST = 1.5, 0.6
_RAREST: Final = 6.0  # in powers of ten; what is in no list of a language's words is taken to be this rare
_WORD: Final = re.compile(r"[^\W_]+")


def weigh_words(title: str, host: str, text: str, language: str) -> dict[str, int]:
    """Return the most telling words of a page.

    >>> weigh_words("Chains", "www.hubgear.test", "A chain and the Überschuh of a chain", "en")
    {'chains': 4, 'hubgear': 2, 'uberschuh': 2, 'chain': 2}
    """
    words = _vocabulary(language)
    counted = _counted(text, words)
    norm = 1.2 * (0.25 + 0.75 * sum(counted.values()) / _MEAN_LENGTH)
    rarity = words.rarity
    share = {many: many / (many + norm) for many in set(counted.values())}  # few numbers, and many words
    telling = sorted([(-share[many] * rarity[word], word) for word, many in counted.items()])[:MOST_WORDS]
    names = " ".join(label for label in host.split(".")[:-1] if label != "www")
    chosen = {word: counted[word] for _, word in telling}
    named: dict[str, float] = {}
    for bonus, name in ((_TITLE, title), (_HOST, names)):
        for word in _counted(name, _vocabulary("")):
            named[word] = named.get(word, share[chosen[word]] if word in chosen else 0.0) + bonus
    weight = {many: _weight(score) for many, score in share.items()}
    return {
        **{word: _weight(score) for word, score in named.items()},
        **{word: weight[many] for word, many in chosen.items() if word not in named},
    }


def _weight(score: float) -> int:
    return max(1, min(STRONGEST, round(STRONGEST * score / (1 + _TITLE))))


class _Vocabulary(dict[bytes, tuple[str, ...]]):
    """The words of a token, without stop words; made when they are first asked for. Without a language, none is one."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.rarity = _Rarity(_rarity(language) if language else {})
        self._stopped = stop_words(language)

    def __missing__(self, token: bytes) -> tuple[str, ...]:
        words = _cut(token.decode("utf-8", "ignore"))
        found = tuple(word for word in words if word not in self._stopped and _SHORTEST <= len(word) <= _LONGEST_WORD)
        if len(self) > _MOST_TOKENS:
            self.clear()
        self[token] = found
        return found


class _Rarity(dict[str, float]):
    def __missing__(self, word: str) -> float:
        return _RAREST


def _counted(text: str, words: _Vocabulary) -> dict[str, int]:
    counted: dict[str, int] = {}
    for token, many in Counter(tokens_of(text)).items():
        found = words[token]
        if len(found) == 1:  # nearly always
            counted[found[0]] = counted.get(found[0], 0) + many
        else:
            for word in found:
                counted[word] = counted.get(word, 0) + many
    return counted


@cache
def _vocabulary(language: str) -> _Vocabulary:
    return _Vocabulary(language)


def _cut(text: str) -> Iterator[str]:
    """Yield the words of a text in order.

    >>> list(_cut("L'été 2024, 自行車道"))
    ['l', 'ete', '2024', '自行', '行車', '車道']
    """
    parted = unicodedata.normalize("NFKD", text.replace("ß", "ss"))
    bare = "".join(letter for letter in parted if unicodedata.category(letter) != "Mn")
    for word in _WORD.findall(unicodedata.normalize("NFC", bare).lower()):
        at = 0
        for run in unspaced_run().finditer(word):
            if run.start() > at:
                yield word[at : run.start()]
            letters = run[0]
            yield from (letters[place : place + 2] for place in range(max(1, len(letters) - 1)))
            at = run.end()
        if at < len(word):
            yield word[at:]


@cache
def _rarity(language: str) -> Mapping[str, float]:
    """Return how rare each word of a language is, in powers of ten; nothing for a language without a list."""
    import wordfreq  # a quarter of a second, and only new pages need it

    if language not in wordfreq.available_languages("small"):
        return {}
    listed = wordfreq.get_frequency_dict(language, wordlist="small")
    return {word: min(_RAREST, max(0.5, -math.log10(share))) for word, share in listed.items()}
