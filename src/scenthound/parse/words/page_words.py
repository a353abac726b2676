"""The words of a page, cut once for both readers: counted for a critic, and in order for an apprentice.

leaves ─► tokens ─► codes of terms, by the page's language ─┬─► how often in title, main text, rest and headings
                                                            └─► numbers, leaf by leaf

The results equal those of `page_terms.terms_of` and `word_stream.stream_of`, which read the page once each and together
take a third more time. For terms alone, the former is faster.
"""

from collections.abc import Generator, Sequence
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
    MOST,
    WITH_SURROUNDINGS,
    counted,
    terms_of,
)
from scenthound.parse.words.stems import STOP, stems
from scenthound.parse.words.stop_words import stop_words
from scenthound.parse.words.terms import NO_TERMS, Terms
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
    steps = words_in_steps(reading)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: PageWords = end.value
            return found


def words_in_steps(reading: Reading) -> Generator[None, None, PageWords]:
    """Do the same in steps, so that a caller with several pages can take the same step for all of them."""
    leaves = worded(reading.leaves, reading.links)
    text, breaks = joined(leaves)
    if len(text) > MOST_BYTES:  # too long for arrays of all its tokens
        found = terms_of(reading)
        return PageWords(terms=found, stream=stream_of(reading, found.language))
    zones = _zones(reading, leaves)
    yield
    parted = cut(text)
    begins, ends = token_places(parted)
    page = _Page(reading, parted, begins, ends, begins.searchsorted(breaks), zones)
    said = page.in_its_language()  # its codes are valid until another page has this turn
    terms = said.terms(reading.title, reading.headings)
    return PageWords(terms=terms, stream=stream_by(said.table, said.codes, page.leaf_tokens))


def _zones(reading: Reading, leaves: Sequence[str]) -> _Zones:
    """Return the zone of each leaf."""
    if reading.mime not in WITH_SURROUNDINGS:
        zones = np.full(len(leaves), _MAIN, dtype=np.int8)
    else:
        zones = np.where(main_leaves(reading.leaves, reading.links), np.int8(_MAIN), np.int8(_REST))
    if leaves is not reading.leaves:
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

    def terms(self, title: str, headings: str) -> Terms:
        """Merge the counts of all zones: the terms of the main text first, then new ones of title, rest and headings.

        All by codes, in arrays: `page_terms.merged`, which has the same result, takes three times as long.
        """
        zones = (self._named(title), self.counts(_MAIN), self.counts(_REST), self._named(headings))
        in_order = (1, 0, 2, 3)
        codes, firsts, owners = np.unique(
            np.concatenate([zones[row].codes for row in in_order]), return_index=True, return_inverse=True
        )
        order = firsts.argsort()
        places = np.empty(len(order), dtype=np.intp)
        places[order] = np.arange(len(order))
        places = places.take(owners)
        counts, at = np.zeros((4, len(order)), dtype=np.uint16), 0
        for row in in_order:
            many = zones[row].many
            counts[row, places[at : at + len(many)]] = np.minimum(many, MOST)
            at += len(many)
        names = tuple(self.table.terms(codes.take(order)))
        above = counts[3] if len(zones[3].codes) else NO_TERMS.headings
        return Terms(
            language=self.language, terms=names, title=counts[0], main=counts[1], rest=counts[2], headings=above
        )

    def _named(self, text: str) -> "_Counts":
        """Count the terms of a text that is no leaf: a title, the headings."""
        named = counted(tokens_of(text), stems(self.language)) if text else {}
        terms = [term for term in named if term and term != STOP]
        return _Counts(self.table.codes_of(terms), np.array([named[term] for term in terms], dtype=np.intp))

    def counts(self, zone: int) -> "_Counts":
        """Count the terms of a zone, in order of first occurrence; those of tokens with several terms come last."""
        places = ((self.zones == zone) & (self.codes.codes > STOPPED)).nonzero()[0]
        own, several = self.codes.codes.take(places), self.codes.of_several
        if not len(own):
            return _Counts(own, own)
        if several is not None:
            places = places + len(several) * several[places]
        order = own.argsort()
        ranked = own.take(order)
        firsts = _changes(ranked).nonzero()[0]
        many = np.append(firsts[1:], len(ranked)) - firsts
        found = np.minimum.reduceat(places.take(order), firsts).argsort()
        return _Counts(ranked.take(firsts.take(found)), many.take(found))


@dataclass(frozen=True, slots=True)
class _Counts:
    """The codes of the terms of a zone, and how often each occurs."""

    codes: Places
    many: Places


def _changes(ranked: Places) -> Flags:
    """Tell for each number whether it differs from the one before."""
    changes = np.ones(len(ranked), dtype=np.bool_)
    np.not_equal(ranked[1:], ranked[:-1], out=changes[1:])
    return changes
