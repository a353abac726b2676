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
    terms_of,
)
from scenthound.parse.words.stop_words import stop_words
from scenthound.parse.words.terms import NO_TERMS, Terms
from scenthound.parse.words.token_terms import STOPPED, Codes, Places, TokenTerms, token_places, token_terms
from scenthound.parse.words.tokens import cut
from scenthound.parse.words.word_stream import MOST_BYTES, WordStream, joined, stream_by, stream_of, worded
from scenthound.types import Reading

# The zone of a leaf, in the order in which their terms stand. Title and headings are two more leaves at the end.
_MAIN: Final = 0
_TITLE: Final = 1
_REST: Final = 2
_HEADINGS: Final = 3
_NOWHERE: Final = 4  # in none: the text of an image that is a link
_AFTER: Final = np.array([_TITLE, _HEADINGS], dtype=np.uint8)

_Zones = NDArray[np.uint8]


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
    title, headings = (f"{said}{BREAK}".encode("utf-8", "replace") for said in (reading.title, reading.headings))
    ends = np.array([len(text) + len(title) - 1, len(text) + len(title) + len(headings) - 1])
    yield
    parted = cut(b"".join((text, title, headings)))
    page = _Page(reading, parted, *token_places(parted), np.concatenate((breaks, ends)), zones)
    said = page.in_its_language()  # its codes are valid until another page has this turn
    return PageWords(terms=said.terms(), stream=said.stream())


def _zones(reading: Reading, leaves: Sequence[str]) -> _Zones:
    """Return the zone of each leaf, and those of title and headings."""
    if reading.mime not in WITH_SURROUNDINGS:
        zones = np.full(len(leaves), _MAIN, dtype=np.uint8)
    else:
        zones = np.where(main_leaves(reading.leaves, reading.links), np.uint8(_MAIN), np.uint8(_REST))
    if leaves is not reading.leaves:
        zones[[one is not other for one, other in zip(leaves, reading.leaves, strict=True)]] = _NOWHERE
    return np.concatenate((zones, _AFTER))


class _Page:
    """A page cut into tokens. `breaks` are the places before each leaf, and after the last."""

    def __init__(
        self, reading: Reading, parted: bytes, begins: Places, ends: Places, breaks: Places, zones: _Zones
    ) -> None:
        self._reading = reading
        self._parted = parted
        self._begins = begins
        self._ends = ends
        self._leaf_tokens: Places = begins.searchsorted(breaks)  # the number of tokens before each leaf
        self._zones = zones

    def in_its_language(self) -> "_Said":
        """Return the content of the page in the declared language, unless its stop words show another."""
        declared = self._reading.language
        said = self._said_in(declared)
        if said.shows_language or (declared and not stop_words(declared)):
            return said
        main = np.flatnonzero(self._zones[: len(self._reading.leaves)] == _MAIN)
        text = BREAK.join(self._reading.leaves[leaf] for leaf in main.tolist())
        if (guessed := guess(text)) and guessed != declared:
            other = self._said_in(guessed)
            return other if other.shows_language else self._said_in(declared)
        return said

    def _said_in(self, language: str) -> "_Said":
        table = token_terms(language)
        codes = table.of(self._parted, self._begins, self._ends)
        before = codes.before(self._leaf_tokens)
        main = int((self._leaf_tokens[1:] - self._leaf_tokens[:-1])[self._zones == _MAIN].sum())
        return _Said(language, table, codes, self._leaf_tokens, self._zones.repeat(before[1:] - before[:-1]), main)


@dataclass(frozen=True, slots=True)
class _Said:
    """The content of a page in a language: codes, the zone of each, and the number of tokens of the main text."""

    language: str
    table: TokenTerms
    codes: Codes
    leaf_tokens: Places
    zones: _Zones
    main_tokens: int

    @property
    def shows_language(self) -> bool:
        """Whether the main text has enough stop words of this language, or is too short to tell."""
        stopped = np.count_nonzero((self.codes.codes == STOPPED) & (self.zones == _MAIN))
        return self.main_tokens < FEWEST_WORDS or bool(stopped >= LEAST_STOP_WORDS * self.main_tokens)

    def terms(self) -> Terms:
        """Count the terms in each zone, in order of first occurrence: the main text, then title, rest and headings.

        In a zone, those of tokens with several terms come last. The result is that of `page_terms.merged`, which needs
        a string and a lookup for each term.
        """
        codes, zones = self._in_order()
        distinct, ranks = self.table.ranked(codes)
        size = len(distinct)
        many = np.bincount(ranks + zones * size, minlength=4 * size).reshape(4, size)
        counts = np.minimum(many, MOST).astype(np.uint16)
        return Terms(
            language=self.language,
            terms=tuple(self.table.terms(distinct)),
            title=counts[_TITLE],
            main=counts[_MAIN],
            rest=counts[_REST],
            headings=counts[_HEADINGS] if counts[_HEADINGS].any() else NO_TERMS.headings,
        )

    def _in_order(self) -> tuple[Places, Places]:
        """Return the codes of all terms zone by zone, and the zone of each."""
        codes, several = self.codes.codes, self.codes.of_several
        keys = self.zones + self.zones
        if several is not None:
            keys += several
        keys[codes <= STOPPED] = 2 * _NOWHERE
        order = keys.argsort(kind="stable")[: np.count_nonzero(keys < 2 * _NOWHERE)]  # a radix sort: no comparisons
        return codes.take(order), (keys.take(order) >> 1).astype(np.intp)

    def stream(self) -> WordStream:
        """Return the words of all leaves: title and headings are none."""
        return stream_by(self.table, self.codes, self.leaf_tokens[:-2])
