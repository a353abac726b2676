"""The index that a reader's browser searches: for each word the pages that have it, in files that load at once.

A file holds all words with one beginning; a beginning whose words need more than a file is split by the next letter. So
a word and all words that begin with it lie together, and a new page changes only the files of its own words.
`static/portal.js` reads the files by script elements, which work without a server.

The pages of a word stand in groups of falling weight: a dot, the weight, and the distances between page numbers, each
in digits to the base 32, the lowest first, that say whether another one follows.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from scenthound.services.portal.word_weights import STRONGEST

LARGEST: Final = 64_000  # bytes of a file
MOST_PAGES: Final = 16_000  # of a word, those with the greatest weight: some 20 KB
PER_FILE: Final = 32  # pages in a file of titles and snippets: ten hits then load 100 KB
_SMALL: Final = 4_000  # bytes: beginnings with less share a file
_AT_ONCE: Final = 1_000_000  # places of words that are written out together
_DIGITS: Final = np.frombuffer(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", dtype=np.uint8)
_OVERHEAD: Final = 6  # quotes, colon and comma

_BY_WEIGHT: Final = {str(weight): (STRONGEST - weight) << 29 for weight in range(1, STRONGEST + 1)}

Numbers = NDArray[np.int64]
_Entry = tuple[str, str, int]  # a word, its pages as they are written, and the bytes of both


@dataclass(frozen=True, slots=True)
class WordFile:
    """A file of words: its beginning, whether others with that beginning have files of their own, and its content."""

    beginning: str
    is_rest: bool
    content: bytes

    @property
    def key(self) -> str:
        return self.beginning + ("_" if self.is_rest else "")

    @property
    def name(self) -> str:
        return word_file_name(self.beginning, is_rest=self.is_rest)


def word_file_name(beginning: str, *, is_rest: bool) -> str:
    """Return the name of a file: letters as their bytes, which every file system and server takes.

    >>> word_file_name("gé", is_rest=True)
    '67c3a9_'
    """
    return (beginning.encode().hex() or "0") + ("_" if is_rest else "")


def places_of(terms: dict[str, int], number: int, words: str, weights: str) -> bytes:
    """Return the places of a page: for each word its own number, the weight and the number of the page, in 64 bits.

    Words that are new get the next number in `terms`.
    """
    if not words:
        return b""
    parted = zip(words.split(" "), weights, strict=True)
    return array(
        "Q",
        [terms.setdefault(word, len(terms)) << 32 | _BY_WEIGHT[weight] | number for word, weight in parted],
    ).tobytes()


class WordIndex:
    """Collects the places of pages, and gives them as files; `words` are those that the places number."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._places = bytearray()

    def add(self, places: bytes) -> None:
        """Take the places of a page."""
        self._places += places

    def files(self) -> Iterator[WordFile]:
        """Yield all files."""
        places = np.frombuffer(self._places, dtype=np.uint64)  # a hundred MB for 100,000 pages: few copies of it
        terms = (places >> np.uint64(32)).astype(np.uint32)
        is_used = np.zeros(len(self._words), dtype=np.bool_)  # not those of pages that are shown no longer
        is_used[terms] = True
        words = sorted(self._words[number] for number in np.flatnonzero(is_used).tolist())
        by_word = {word: place for place, word in enumerate(words)}
        keys = np.array([by_word.get(word, 0) for word in self._words], dtype=np.uint64)[terms]
        del terms
        keys <<= np.uint64(32)
        keys |= places & np.uint64(0xFFFFFFFF)
        keys.sort()
        written = _written(keys, len(words))
        yield from _split(
            "", [(word, pages, _size_of(word, pages)) for word, pages in zip(words, written, strict=True)]
        )


def _written(keys: NDArray[np.uint64], many: int) -> Iterator[str]:
    """Yield the pages of each word as a text, from sorted numbers of word, weight and page."""
    starts = np.searchsorted(keys >> np.uint64(32), np.arange(many + 1, dtype=np.uint64))
    first = 0
    while first < many:
        last = max(first + 1, int(np.searchsorted(starts, starts[first] + _AT_ONCE, side="right")) - 1)
        yield from _encoded(keys[starts[first] : starts[last]], starts[first : last + 1] - starts[first])
        first = last


def _encoded(keys: NDArray[np.uint64], starts: Numbers) -> Iterator[str]:
    counts = np.diff(starts)
    within = np.arange(len(keys)) - np.repeat(starts[:-1], counts)
    keys = keys[within < MOST_PAGES]
    kept = np.minimum(counts, MOST_PAGES)
    groups = (keys >> np.uint64(29)).astype(np.int64)  # of word and weight
    numbers = (keys & np.uint64((1 << 29) - 1)).astype(np.int64)
    is_first = np.ones(len(keys), dtype=np.bool_)
    is_first[1:] = groups[1:] != groups[:-1]
    steps = np.where(is_first, numbers, np.diff(numbers, prepend=0))
    data, ends = _digits(steps, is_first, STRONGEST - (groups & 7))
    bounds = np.concatenate(([0], ends))[np.concatenate(([0], np.cumsum(kept)))]
    text = data.tobytes().decode("ascii")
    for place, all_of_them in enumerate(counts.tolist()):
        cut = f"{all_of_them};" if all_of_them > MOST_PAGES else ""
        yield cut + text[bounds[place] : bounds[place + 1]]


def _digits(steps: Numbers, is_first: NDArray[np.bool_], weights: Numbers) -> tuple[NDArray[np.uint8], Numbers]:
    """Return all steps as one text, and where each of them ends."""
    lengths = 1 + sum((steps >= 32**power).astype(np.int64) for power in range(1, 6))
    ends = np.cumsum(lengths + 2 * is_first)
    data = np.zeros(int(ends[-1]) if len(ends) else 0, dtype=np.uint8)
    begins = ends - lengths
    data[begins[is_first] - 2] = ord(".")
    data[begins[is_first] - 1] = weights[is_first] + ord("0")
    for power in range(6):
        has = lengths > power
        digit = (steps[has] >> (5 * power)) & 31
        data[begins[has] + power] = _DIGITS[digit + 32 * (lengths[has] > power + 1)]
    return data, ends


def _split(beginning: str, entries: Sequence[_Entry]) -> Iterator[WordFile]:
    """Yield the files of the words with one beginning."""
    if _size(entries) <= LARGEST:
        if entries:
            yield _file(beginning, entries, is_rest=False)
        return
    below: dict[str, list[_Entry]] = {}
    for entry in entries:
        below.setdefault(entry[0][len(beginning) : len(beginning) + 1], []).append(entry)
    rest = below.pop("", [])
    room = LARGEST - _size(rest)
    for letter, some in sorted(below.items(), key=lambda one: (_size(one[1]), one[0])):
        if _size(some) < _SMALL and (room := room - _size(some)) >= 0:
            rest += below.pop(letter)
    if rest:
        yield _file(beginning, sorted(rest), is_rest=True)
    for letter in sorted(below):
        yield from _split(beginning + letter, below[letter])


def _size(entries: Sequence[_Entry]) -> int:
    return sum([size for _, _, size in entries])


def _size_of(word: str, pages: str) -> int:
    return len(word.encode()) + len(pages) + _OVERHEAD


def _file(beginning: str, entries: Sequence[_Entry], *, is_rest: bool) -> WordFile:
    key = beginning + ("_" if is_rest else "")
    return WordFile(beginning, is_rest, script("words", key, {word: pages for word, pages, _ in entries}))


def script(function: str, *values: object) -> bytes:
    """Return a script that hands values to a function of search.js; no value can end the script or a line of it."""
    texts = b",".join(msgspec.json.encode(value) for value in values)
    safe = texts.replace(b"<", b"\\u003c").replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029")
    return b"scenthound." + function.encode("ascii") + b"(" + safe + b");\n"
