"""A 64-bit similarity hash of a text, for near-duplicates (Charikar 2002; Manku, Jain and Das Sarma, WWW 2007).

Each run of three words is hashed to 64 bits, and each bit of the fingerprint is the majority over all runs; texts that
share nearly all runs get fingerprints within a Hamming distance of three. All of it is vectorised: a word's hash is a
difference of prefix sums of its characters times powers of an odd number, so no word is ever made into a string.
"""

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

_Hashes = npt.NDArray[np.uint64]

_FEWEST_WORDS: Final = 20
NEAR: Final = 3
_BASE: Final = 0x9E3779B97F4A7C15  # odd, hence invertible modulo 2^64
_INVERSE: Final = pow(_BASE, -1, 1 << 64)
_LONGEST: Final = 200_000  # characters; more change the majority no further on any page measured
_CJK_FROM: Final = 0x2E80
_CJK_TO: Final = 0xA000


def fingerprint(text: str) -> int | None:
    """Return the fingerprint as a signed 64-bit number, or None for a text of fewer than 20 words.

    >>> distance(fingerprint("a hound " * 30), fingerprint("a hound " * 31)) <= NEAR
    True
    """
    words = _word_hashes(text[:_LONGEST].lower())
    if len(words) < _FEWEST_WORDS:
        return None
    mixed = _mix(words[:-2] + words[1:-1] * np.uint64(0xC2B2AE3D27D4EB4F) + words[2:] * np.uint64(0x165667B19E3779F9))
    return _majority(mixed)


def distance(one: int, other: int) -> int:
    """Return in how many bits two fingerprints differ."""
    return ((one ^ other) & 0xFFFFFFFFFFFFFFFF).bit_count()


def _word_hashes(text: str) -> _Hashes:
    """Return a hash for each word in order. Chinese and Japanese characters count as words of their own."""
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
    if not len(codes):
        return np.zeros(0, dtype=np.uint64)
    inside = _is_word_char()[np.minimum(codes, 0x3001)]
    starts, ends = _bounds(inside, codes)
    powers, inverses = _powers()
    sums = np.zeros(len(codes) + 1, dtype=np.uint64)
    np.cumsum(codes * powers[: len(codes)], out=sums[1:])
    hashes: _Hashes = (sums[ends] - sums[starts]) * inverses[starts]
    return hashes


def _bounds(
    inside: npt.NDArray[np.bool_], codes: npt.NDArray[np.uint32]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    if inside[0]:
        edges = np.concatenate(([0], edges))
    if inside[-1]:
        edges = np.concatenate((edges, [len(inside)]))
    starts, ends = edges[::2], edges[1::2]
    if int(codes.max()) < _CJK_FROM:
        return starts, ends
    single = np.flatnonzero((codes >= _CJK_FROM) & (codes < _CJK_TO) & inside)
    starts = np.unique(np.concatenate((starts, single, (single + 1)[inside[np.minimum(single + 1, len(inside) - 1)]])))
    starts = starts[starts < len(inside)]
    return starts, np.minimum(np.append(starts[1:], len(inside)), ends[np.searchsorted(ends, starts, side="right")])


def _mix(hashes: _Hashes) -> _Hashes:
    """Spread each hash over all its bits (the finaliser of MurmurHash3)."""
    hashes ^= hashes >> np.uint64(33)
    hashes *= np.uint64(0xFF51AFD7ED558CCD)
    hashes ^= hashes >> np.uint64(33)
    hashes *= np.uint64(0xC4CEB9FE1A85EC53)
    hashes ^= hashes >> np.uint64(33)
    return hashes


def _majority(hashes: _Hashes) -> int:
    bits = np.unpackbits(hashes.view(np.uint8).reshape(-1, 8), axis=1)
    counts = bits.sum(axis=0, dtype=np.int32)
    packed = np.packbits(counts * 2 > len(hashes))
    return int(packed.view(np.int64)[0])


@cache
def _powers() -> tuple[_Hashes, _Hashes]:
    """Return the powers of the base and of its inverse; made at the first text, 3 MB."""
    ones = np.full(_LONGEST + 1, _BASE, dtype=np.uint64)
    inverses = np.full(_LONGEST + 1, _INVERSE, dtype=np.uint64)
    ones[0] = inverses[0] = 1
    return np.cumprod(ones, dtype=np.uint64), np.cumprod(inverses, dtype=np.uint64)


@cache
def _is_word_char() -> npt.NDArray[np.bool_]:
    """Return for each code point up to 0x3000 whether it belongs to a word; the last entry stands for all above."""
    return np.array([chr(code).isalnum() for code in range(0x3001)] + [True])
