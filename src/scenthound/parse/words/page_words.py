"""The words of a page, cut once for both readers: counted for a critic, and in order for an apprentice.

leaves ─► tokens ─► codes of terms, by the page's language ─┬─► how often in title, main text and rest
                                                            └─► numbers, leaf by leaf

The results equal those of `page_terms.terms_of` and `word_stream.stream_of`, which read the page once each and together
take a third more time. For terms alone, the former is faster.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.parse.markup.boilerplate import main_leaves
from scenthound.parse.words.language import guess
from scenthound.parse.words.page_terms import (
    BREAK,
    FEWEST_WORDS,
    LEAST_STOP_WORDS,
    WITH_SURROUNDINGS,
    counted,
    merged,
    terms_of,
)
from scenthound.parse.words.stems import stems
from scenthound.parse.words.stop_words import stop_words
from scenthound.parse.words.terms import Terms
from scenthound.parse.words.token_terms import STOPPED, Codes, Flags, Places, TokenTerms, token_places, token_terms
from scenthound.parse.words.tokens import cut, tokens_of
from scenthound.parse.words.word_stream import MOST_BYTES, WordStream, joined, stream_by, stream_of, worded
from scenthound.types import Reading

_MAIN: Final = 0  # the zone of a leaf
_REST: Final = 1
_NOWHERE: Final = 2  # in neither: the text of an image that is a link

_Zones = NDArray[np.int8]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageWords:
    terms: Terms
    stream: WordStream


def words_of(reading: Reading) -> PageWords:
    """Return the words of a page or document."""
    leaves = worded(reading.leaves, reading.links)
    text, breaks = joined(leaves)
    if len(text) > MOST_BYTES:  # too long for arrays of all its tokens
        found = terms_of(reading)
        return PageWords(terms=found, stream=stream_of(reading, found.language))
    parted = cut(text)
    begins, ends = token_places(parted)
    page = _Page(reading, parted, begins, ends, begins.searchsorted(breaks), _zones(reading, leaves))
    said = page.in_its_language()
    title, headings = (counted(tokens_of(text), stems(said.language)) for text in (reading.title, reading.headings))
    return PageWords(
        terms=merged(said.language, title, said.counts(_MAIN), said.counts(_REST), headings),
        stream=stream_by(said.table, said.codes, page.leaf_tokens),
    )


def _zones(reading: Reading, leaves: Sequence[str]) -> _Zones:
    """Return the zone of each leaf."""
    if reading.mime not in WITH_SURROUNDINGS:
        zones = np.full(len(leaves), _MAIN, dtype=np.int8)
    else:
        zones = np.where(main_leaves(reading.leaves, reading.links), np.int8(_MAIN), np.int8(_REST))
    zones[[one is not other for one, other in zip(leaves, reading.leaves, strict=True)]] = _NOWHERE
    return zones


@dataclass(frozen=True, slots=True)
class _Page:
    """A page cut into tokens; `leaf_tokens` counts the tokens before each leaf, and after the last."""

    reading: Reading
    parted: bytes
    begins: Places
    ends: Places
    leaf_tokens: Places
    zones: _Zones

    def in_its_language(self) -> "_Said":
        """Return the content of the page in the declared language, unless its stop words show another."""
        declared = self.reading.language
        said = self._said_in(declared)
        if said.shows_language or (declared and not stop_words(declared)):
            return said
        text = BREAK.join(self.reading.leaves[leaf] for leaf in np.flatnonzero(self.zones == _MAIN).tolist())
        if (guessed := guess(text)) and guessed != declared:
            other = self._said_in(guessed)
            return other if other.shows_language else self._said_in(declared)
        return said

    def _said_in(self, language: str) -> "_Said":
        table = token_terms(language)
        codes = table.of(self.parted, self.begins, self.ends)
        before = codes.before(self.leaf_tokens)
        main = int((self.leaf_tokens[1:] - self.leaf_tokens[:-1])[self.zones == _MAIN].sum())
        return _Said(language, table, codes, self.zones.repeat(before[1:] - before[:-1]), main)


@dataclass(frozen=True, slots=True)
class _Said:
    """The content of a page in a language: codes, the zone of each, and the number of tokens of the main text."""

    language: str
    table: TokenTerms
    codes: Codes
    zones: _Zones
    main_tokens: int

    @property
    def shows_language(self) -> bool:
        """Whether the main text has enough stop words of this language, or is too short to tell."""
        stopped = np.count_nonzero((self.codes.codes == STOPPED) & (self.zones == _MAIN))
        return self.main_tokens < FEWEST_WORDS or bool(stopped >= LEAST_STOP_WORDS * self.main_tokens)

    def counts(self, zone: int) -> Counter[str]:
        """Count the terms of a zone, in order of first occurrence; those of tokens with several terms come last."""
        places = ((self.zones == zone) & (self.codes.codes > STOPPED)).nonzero()[0]
        own, several = self.codes.codes.take(places), self.codes.of_several
        if not len(own):
            return Counter()
        if several is not None:
            places = places + len(several) * several[places]
        order = own.argsort()
        ranked = own.take(order)
        firsts = _changes(ranked).nonzero()[0]
        many = np.append(firsts[1:], len(ranked)) - firsts
        found = np.minimum.reduceat(places.take(order), firsts).argsort()
        terms = self.table.terms(ranked.take(firsts.take(found)))
        return Counter(dict(zip(terms, many.take(found).tolist(), strict=True)))


def _changes(ranked: Places) -> Flags:
    """Tell for each number whether it differs from the one before."""
    changes = np.ones(len(ranked), dtype=np.bool_)
    np.not_equal(ranked[1:], ranked[:-1], out=changes[1:])
    return changes
