"""A 64-bit similarity hash of a text, for near-duplicates (Charikar 2002; Manku, Jain and Das Sarma, WWW 2007).

Each pair of neighbouring words is hashed to 64 bits, and each bit of the fingerprint is the majority over all pairs;
texts that share nearly all pairs get fingerprints within a Hamming distance of three. All of it is vectorised over the
bytes of the text in UTF-8, so no word becomes a string: a word's hash is its first eight bytes, and for a longer one
also its last eight and its length. Polynomial hashes over all characters were as good and took twice as long.

Measured on the schools web (5,261 pages with a fingerprint, links' own words left out, 13.8 million pairs of pages):
    feature        near pairs   of them different pages      still near after 1, 3, 5, 10 edited words
    single words        5,651     2,987 of the first 3,000   1.00  0.98  0.98  0.94
    two words              17                            0   0.98  0.90  0.84  0.76
    three words            13                            0   0.93  0.79  0.71  0.54
"""

import hashlib
import re
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

_Hashes = npt.NDArray[np.uint64]
_Places = npt.NDArray[np.intp]

_FEWEST_WORDS: Final = 20
NEAR: Final = 3
_SECOND: Final = np.uint64(0xC2B2AE3D27D4EB4F)  # so that "dog bites" and "bites dog" differ
_LAST: Final = np.uint64(0x9E3779B97F4A7C15)
_LENGTH: Final = np.uint64(0xFF51AFD7ED558CCD)
_NUMBER: Final = re.compile(r"[0-9]+")
_LONGEST: Final = 200_000  # bytes: bounds time and memory; of a longer text the beginning counts
_BLANK: Final = 0x20
_PAD: Final = b" " * 8  # so that eight bytes can be read at the start and before the end of every word
# First of the three UTF-8 bytes of a Chinese or Japanese character, U+3000 to U+9FFF.
_CJK_FROM: Final = np.uint8(0xE3)
_WIDE: Final = np.uint8(0xE2)  # or greater: first of three or four bytes, from U+2000 on
_CJK_LEADS: Final = np.uint8(7)


def fingerprint(text: str) -> int | None:
    """Return the fingerprint as a signed 64-bit number, or None for a text of fewer than 20 words.

    >>> distance(fingerprint("a hound " * 30), fingerprint("a hound " * 31)) <= NEAR
    True
    """
    return fingerprint_of_utf8(text[:_LONGEST].encode("utf-8", "replace"))


def fingerprint_of_utf8(text: bytes) -> int | None:
    """Return the same for a text in UTF-8."""
    words = _word_hashes(text[:_LONGEST])
    if len(words) < _FEWEST_WORDS:
        return None
    return _majority(_mix(words[:-1] + words[1:] * _SECOND))


def fingerprint_of_little(text: str) -> int | None:
    """Return a fingerprint for a page with hardly any text: words of links count, and all numbers count as one.

    A calendar's empty months and an apology for a missing page differ in nothing else. Below 20 words a majority means
    nothing, so texts are near only if they are the same.

    >>> fingerprint_of_little("No events in week 7") == fingerprint_of_little("No events in week 812")
    True
    """
    plain = _NUMBER.sub("0", text.lower())
    similar = fingerprint(plain)
    if similar is not None:
        return similar
    words = " ".join(plain.split())
    digest = hashlib.blake2b(words.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True) if words else None


def distance(one: int, other: int) -> int:
    """Return the number of bits in which two fingerprints differ."""
    return ((one ^ other) & 0xFFFFFFFFFFFFFFFF).bit_count()


def _word_hashes(text: bytes) -> _Hashes:
    """Return a hash for each word in order. Chinese and Japanese characters count as words.

    Beyond ASCII everything counts as a letter except the punctuation of U+2000 to U+203F and U+3000 to U+303F, and
    capitals stay: lowering a text that is not ASCII takes 0.1 ms a page, as much as all of this.
    """
    data = b"".join((_PAD, text.translate(_letters()), _PAD))
    starts, ends = _bounds(np.frombuffer(data, dtype=np.uint8), text.isascii())
    eights: _Hashes = np.ndarray(len(data) - 7, dtype=np.uint64, buffer=data, strides=(1,))
    lengths = ends - starts
    hashes: _Hashes = eights[starts] & np.take(_masks(), lengths, mode="clip")
    long = np.flatnonzero(lengths > 8)
    hashes[long] += eights[ends[long] - 8] * _LAST + lengths[long].astype(np.uint64) * _LENGTH
    return hashes


def _bounds(codes: npt.NDArray[np.uint8], is_ascii: bool) -> tuple[_Places, _Places]:
    """Return the starts and ends of words."""
    inside = codes != _BLANK
    if not is_ascii and len(wide := np.flatnonzero(codes >= _WIDE)):
        leads = codes[wide]
        # Most pages have some dashes and quotation marks beyond ASCII, and little else: only those need a second look.
        punctuation = wide[(leads <= _CJK_FROM) & (codes[wide + 1] == 0x80)]
        for offset in range(3):
            inside[punctuation + offset] = False
        alone = wide[(leads - _CJK_FROM < _CJK_LEADS) & inside[wide]]
        if len(alone):
            return _bounds_among(inside, alone)
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    return edges[::2], edges[1::2]


def _bounds_among(inside: npt.NDArray[np.bool_], alone: _Places) -> tuple[_Places, _Places]:
    """Return the starts and ends of words if the three-byte characters at some places are words."""
    cut = np.zeros(len(inside) - 1, dtype=np.bool_)
    cut[alone - 1] = True
    cut[alone + 2] = True
    before, after = inside[:-1], inside[1:]
    return np.flatnonzero(after & (~before | cut)) + 1, np.flatnonzero(before & (~after | cut)) + 1


def _mix(hashes: _Hashes) -> _Hashes:
    """Spread each hash over all its bits (the finaliser of MurmurHash3)."""
    hashes ^= hashes >> np.uint64(33)
    hashes *= np.uint64(0xFF51AFD7ED558CCD)
    hashes ^= hashes >> np.uint64(33)
    hashes *= np.uint64(0xC4CEB9FE1A85EC53)
    hashes ^= hashes >> np.uint64(33)
    return hashes


def _majority(hashes: _Hashes) -> int:
    """Return for each bit whether most hashes have it.

    Bits are spread over the bytes of eight 64-bit lanes, which add up 255 rows at a time: an eighth of the additions of
    counting bit by bit.
    """
    lanes = np.unpackbits(hashes.view(np.uint8)).view(np.uint64).reshape(-1, 8)
    sums = np.add.reduceat(lanes, np.arange(0, len(lanes), 255), axis=0)
    counts = sums.view(np.uint8).reshape(-1, 64).sum(axis=0, dtype=np.int64)
    return int(np.packbits(counts * 2 > len(hashes)).view(np.int64)[0])


@cache
def _letters() -> bytes:
    """Return a table that lowers ASCII letters, keeps digits and bytes beyond ASCII, and blanks the rest."""
    kept = [chr(code).lower() if chr(code).isalnum() else " " for code in range(0x80)]
    return "".join(kept).encode() + bytes(range(0x80, 0x100))


@cache
def _masks() -> _Hashes:
    """Return the mask of eight bytes (the first is the lowest) for a word of so many bytes, or more than eight."""
    return np.array([(1 << 8 * length) - 1 for length in range(9)], dtype=np.uint64)
