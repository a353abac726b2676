"""The terms of all tokens of a text at once: each token by a code, its index among the cached terms.

Tokens stay in place in the text. Their bytes become integers, which are mixed into a key, and the key leads to a slot
of a table with the token's term. Cutting tokens out and a dict lookup for each take twice as long. A term's number, its
name outside of this process, is its CRC-32, cut to 24 bits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from scenthound.parse.words.stems import STEMMED, STOP, Stems, stems

Places = NDArray[np.intp]
Numbers = NDArray[np.uint32]
Flags = NDArray[np.bool_]
_Keys = NDArray[np.uint64]

NOTHING: Final = 0  # the code of a token that gives no term
STOPPED: Final = 1  # that of a stop word
_SEVERAL: Final = 2  # that of text without blanks between words, before it is known how many
_BITS: Final = 24
_MOST_REMEMBERED: Final = 200_000  # terms; about 20 MB
_BLANK: Final = 0x20
_WORD: Final = 8  # bytes of an integer
# Odd random numbers, one for each integer of a token: the upper bits of the sum of products are a good hash
# (Dietzfelbinger 1996). A longer token is not cached.
_MIXERS: Final = (0x9A3C5E61D7B2F04B, 0xC58F13A94E6D7B21, 0x6B47E9D20F5A38C5)
_LONGEST: Final = _WORD * len(_MIXERS)
# One record, so that key and code belong together even if two new tokens want the same slot.
_SLOT: Final = np.dtype([("key", np.uint64), ("code", np.uint32)], align=True)
_SLOT_BITS: Final = 19  # 8 MB


def number_of(term: str) -> int:
    """Return the number of a term: 24 bits, the same in all processes, on all machines, in all versions.

    >>> number_of("otter"), number_of("東京")
    (6582068, 2507503)
    """
    return crc32(term.encode("utf-8", "replace")) & ((1 << _BITS) - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Codes:
    """The codes of tokens in order, the number of codes of each token, and which codes belong to a token with several.

    `sizes` and `of_several` are None if each token has one.
    """

    codes: Places
    sizes: Places | None = None
    of_several: Flags | None = None

    def before(self, tokens: Places) -> Places:
        """Return the number of codes before each of some tokens, or after the last."""
        if self.sizes is None:
            return tokens
        return np.concatenate(([0], np.cumsum(self.sizes)))[tokens]


class TokenTerms:
    """The terms of each token of a language, in a table in which a newer token displaces an older one.

    Codes are valid until the next call of `of`.
    """

    def __init__(self, table: Stems) -> None:
        self._stems = table
        self._forget()

    def of(self, text: bytes, begins: Places, ends: Places) -> Codes:
        """Return the codes of all tokens between these places."""
        if len(self._terms) > _MOST_REMEMBERED:
            self._forget()
        seen: dict[bytes, str] = {}
        codes = self._looked_up(text, begins, ends, seen)
        several = np.flatnonzero(codes == _SEVERAL)
        if not several.size:
            return Codes(codes=codes)
        tokens = _cut_out(text, begins[several], ends[several])
        terms = [(seen.get(token) or self._stems[token]).split(" ") for token in tokens]
        sizes = np.ones(len(codes), dtype=np.intp)
        sizes[several] = list(map(len, terms))
        found = np.repeat(codes, sizes)
        of_several = found == _SEVERAL
        found[of_several] = list(map(self._code_of, chain(*terms)))
        return Codes(codes=found, sizes=sizes, of_several=of_several)

    def terms(self, codes: Places) -> list[str]:
        """Return the terms of codes; a stop word gives STOP, and no term gives ""."""
        return list(map(self._terms.__getitem__, codes.tolist()))

    def ranked(self, codes: Places) -> tuple[Places, Places]:
        """Return the distinct codes in order of first occurrence, and for each code its rank among them.

        A table with a place for each code holds its first index, so nothing is sorted.
        """
        indices = np.arange(len(codes))
        self._firsts[codes[::-1]] = indices[::-1]  # of several values for one place the last stays: the first index
        firsts = self._firsts.take(codes)
        is_first = firsts == indices
        return codes.compress(is_first), (np.cumsum(is_first) - 1).take(firsts)

    def numbers(self, codes: Places) -> Numbers:
        """Return the numbers of the terms of codes that have one."""
        return self._numbers.take(codes)

    def _forget(self) -> None:
        self._slots = np.zeros(1 << _SLOT_BITS, dtype=_SLOT)
        self._terms = ["", STOP, " "]
        self._codes = {"": NOTHING, STOP: STOPPED}
        self._numbers = np.zeros(1 << 10, dtype=np.uint32)
        self._firsts = np.zeros(len(self._numbers), dtype=np.intp)  # scratch space of `ranked`

    def _looked_up(self, text: bytes, begins: Places, ends: Places, seen: dict[bytes, str]) -> Places:
        """Return a code for each token: that of its only term, or one of the special codes.

        New tokens with several terms go into `seen`: those of a whole sentence are not cached anywhere else.
        """
        lengths = ends - begins
        keys = _keys(text, begins, lengths)
        places = (keys >> np.uint64(64 - _SLOT_BITS)).astype(np.intp)
        slots = self._slots.take(places)
        strange = np.flatnonzero((slots["key"] != keys) | (lengths > _LONGEST))
        if strange.size:
            slots["key"] = keys
            tokens = list(_cut_out(text, begins[strange], ends[strange]))
            slots["code"][strange] = [
                self._code(token, terms, seen) for token, terms in zip(tokens, self._stems.of_all(tokens), strict=True)
            ]
            learnt = strange[lengths[strange] <= _LONGEST]
            self._slots[places[learnt]] = slots[learnt]
        return slots["code"].astype(np.intp)

    def _code(self, token: bytes, terms: str, seen: dict[bytes, str]) -> int:
        code = self._codes.get(terms)
        if code is not None:
            return code
        if " " not in terms:
            return self._code_of(terms)
        seen[token] = terms
        return _SEVERAL

    def _code_of(self, term: str) -> int:
        code = self._codes.get(term)
        if code is None:
            code = self._codes[term] = len(self._terms)
            self._terms.append(term)
            if code >= len(self._numbers):
                self._numbers = np.concatenate((self._numbers, np.zeros(len(self._numbers), dtype=np.uint32)))
                self._firsts = np.zeros(len(self._numbers), dtype=np.intp)
            self._numbers[code] = number_of(term)
        return code


def token_terms(language: str) -> TokenTerms:
    """Return the terms of a language: one table per process for each stemmed language, and one for all others."""
    return _table(language if language in STEMMED else "")


@cache
def _table(language: str) -> TokenTerms:
    return TokenTerms(stems(language))


def token_places(text: bytes) -> tuple[Places, Places]:
    """Return the starts and ends of tokens in a text that begins and ends with a blank.

    >>> [places.tolist() for places in token_places(b" the  otter ")]
    [[1, 6], [4, 11]]
    """
    inside = np.frombuffer(text, dtype=np.uint8) != _BLANK
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    return edges[::2], edges[1::2]


def _cut_out(text: bytes, begins: Places, ends: Places) -> Iterator[bytes]:
    return (text[begin:end] for begin, end in zip(begins.tolist(), ends.tolist(), strict=True))


def _keys(text: bytes, begins: Places, lengths: Places) -> _Keys:
    """Mix the bytes of each token, up to the longest, into an odd number: an empty slot has the key of no token."""
    padded = text + bytes(_LONGEST)
    words: _Keys = np.ndarray(len(padded) - _WORD + 1, dtype="<u8", buffer=padded, strides=(1,))  # from each byte on
    keys = (words.take(begins) & _masks().take(np.minimum(lengths, _WORD))) * np.uint64(_MIXERS[0])
    for number, mixer in enumerate(_MIXERS[1:], start=1):
        longer = np.flatnonzero(lengths > number * _WORD)
        kept = _masks().take(np.minimum(lengths[longer] - number * _WORD, _WORD))
        keys[longer] += (words.take(begins[longer] + number * _WORD) & kept) * np.uint64(mixer)
    return keys | np.uint64(1)


@cache
def _masks() -> _Keys:
    """Return the integers that keep the first 0, 1, … 8 bytes of one whose first byte is the lowest."""
    return np.array([(1 << 8 * kept) - 1 for kept in range(_WORD + 1)], dtype=np.uint64)
