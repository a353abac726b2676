"""The words of a page in order, leaf by leaf, as an apprentice reads them: those of each link and those around it.

Distances are in leaves (Chakrabarti, Punera and Subramanyam, WWW 2002, §2.2.1). A word is the number of its stem.
"""

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from isal import isal_zlib
from numpy.typing import NDArray

from scenthound.parse.words.token_terms import (
    STOPPED,
    Codes,
    Numbers,
    Places,
    TokenTerms,
    number_of,
    token_places,
    token_terms,
)
from scenthound.parse.words.tokens import cut
from scenthound.types import Link, Reading

__all__ = ["WordStream", "number_of", "pack", "stream_of", "unpack"]

_Column = NDArray[np.integer]

_BREAK: Final = "\n"
# The longest of 219 pages of the schools web has 78,000 bytes of text. A file of 20 MB of single letters would need a
# gigabyte, and one of words a stream of 6 MB.
MOST_BYTES: Final = 500_000
_LEVEL: Final = 1
_HEAD: Final = struct.Struct("<" + "IB" * 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class WordStream:
    """The words of a page by place, without stop words and other tokens without a term.

    `words` are the numbers of the terms of all leaves, from left to right; leaf i has `words[starts[i]:starts[i + 1]]`,
    and nothing if it is empty.
    """

    words: Numbers
    starts: Numbers


def stream_of(reading: Reading, language: str) -> WordStream:
    """Return the words of a page, as stems of a language.

    A link with empty leaves but with a text, such as that of an image, has the words of that text in its first leaf.
    Text beyond the first half million bytes is left out, as if those leaves were empty.
    """
    text, breaks = _shorten_text(*joined(worded(reading.leaves, reading.links)))
    parted, table = cut(text), token_terms(language)
    begins, ends = token_places(parted)
    return stream_by(table, table.of(parted, begins, ends), np.searchsorted(begins, breaks))


def stream_by(table: TokenTerms, codes: Codes, leaf_tokens: Places) -> WordStream:
    """Return the words of a page from its tokens' codes and their number before each leaf, and after the last."""
    before = codes.before(leaf_tokens)
    of_leaves = codes.codes[: before[-1]]
    is_word = of_leaves > STOPPED
    return WordStream(words=table.numbers(of_leaves.compress(is_word)), starts=_sums(is_word).take(before))


def worded(leaves: Sequence[str], links: Iterable[Link]) -> Sequence[str]:
    """Return leaves with the texts of links that have none among their leaves; the same leaves if all have."""
    worded = leaves
    for link in links:
        first, last = link.first_leaf, link.last_leaf
        if link.text and 0 <= first < len(worded) and not (worded[first] or any(worded[first + 1 : last + 1])):
            worded = worded if isinstance(worded, list) else list(worded)
            worded[first] = link.text
    return worded


def joined(leaves: Sequence[str]) -> tuple[bytes, Places]:
    """Return leaves as one text with a break before the first and after each, and the places of the breaks."""
    text = _BREAK.join(["", *leaves, ""]).encode("utf-8", "replace")
    breaks = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == ord(_BREAK))
    if len(breaks) == len(leaves) + 1:
        return text, breaks
    # leaves of pages have no breaks, but nothing guarantees it
    return joined([leaf.replace(_BREAK, " ") for leaf in leaves])


def _shorten_text(text: bytes, breaks: Places) -> tuple[bytes, Places]:
    """Cut an overlong text between two words; the leaves after it are empty."""
    if len(text) <= MOST_BYTES:
        return text, breaks
    end = max(text.rfind(blank, 0, MOST_BYTES) for blank in (b" ", _BREAK.encode()))
    return text[:end] + _BREAK.encode(), np.minimum(breaks, end)


def pack(stream: WordStream) -> bytes:
    """Return a stream as compressed bytes; an empty stream gives no bytes.

    >>> words, starts = np.array([9, 7, 9], dtype=np.uint32), np.array([0, 0, 3], dtype=np.uint32)
    >>> back = unpack(pack(WordStream(words=words, starts=starts)))
    >>> back.words.tolist(), back.starts.tolist()
    ([9, 7, 9], [0, 0, 3])
    """
    if len(stream.starts) == 1:
        return b""
    # Each distinct number once, as the gap to the one before, and words by their index among them.
    known, places = np.unique(stream.words, return_inverse=True)
    columns: list[_Column] = [_gaps(known), _gaps(stream.starts)[1:], places]
    widths = [_width(column) for column in columns]
    head = _HEAD.pack(*(value for column, width in zip(columns, widths, strict=True) for value in (len(column), width)))
    planes = [_planes(column, width) for column, width in zip(columns, widths, strict=True)]
    return _deflate_data(b"".join([head, *planes]))


def unpack(packed: bytes) -> WordStream:
    """Undo `pack`. Ignore bytes after the words: earlier versions stored the most important words there."""
    if not packed:
        return WordStream(words=np.zeros(0, dtype=np.uint32), starts=np.zeros(1, dtype=np.uint32))
    data = isal_zlib.decompress(packed)
    head, at, columns = _HEAD.unpack_from(data), _HEAD.size, list[_Column]()
    for count, width in zip(head[::2], head[1::2], strict=True):
        columns.append(_column(data, at, count, width))
        at += count * width
    gaps, sizes, places = columns
    known = np.cumsum(gaps, dtype=np.uint32)
    return WordStream(words=known.take(places), starts=_sums(sizes))


def _deflate_data(data: bytes) -> bytes:
    """Deflate data to always the same bytes: for short data `compress` gives others in one process of sixty."""
    deflate = isal_zlib.compressobj(_LEVEL)
    return bytes(deflate.compress(data) + deflate.flush())


def _sums(sizes: _Column | NDArray[np.bool_]) -> Numbers:
    """Return 0, the first size, the first two together, and so on."""
    sums = np.zeros(len(sizes) + 1, dtype=np.uint32)
    np.cumsum(sizes, out=sums[1:])
    return sums


def _gaps(ascending: Numbers) -> Numbers:
    """Return the first number and the differences between neighbours."""
    gaps = ascending.copy()
    gaps[1:] -= ascending[:-1]
    return gaps


def _width(column: _Column) -> int:
    """Return the bytes that the greatest number needs."""
    return (int(column.max(initial=0)).bit_length() + 7) // 8


def _planes(column: _Column, width: int) -> bytes:
    """Return the lowest bytes of all numbers, then the second ones, and so on: similar bytes stand together."""
    return column.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :width].T.tobytes()


def _column(data: bytes, at: int, count: int, width: int) -> _Column:
    """Undo `_planes`; the numbers have as few bytes as possible, which is enough to add or count."""
    if width <= 1:
        return np.frombuffer(data, dtype=np.uint8, count=count, offset=at) if width else np.zeros(count, dtype=np.uint8)
    kind = np.dtype(f"u{2 if width == 2 else 4}")
    column: _Column = np.frombuffer(data, dtype=np.uint8, count=count, offset=at).astype(kind)
    for place in range(1, width):
        plane = np.frombuffer(data, dtype=np.uint8, count=count, offset=at + place * count)
        np.bitwise_or(column, np.left_shift(plane, 8 * place, dtype=kind), out=column)
    return column
