"""The features of a link, as APPRENTICE §2.2 has them: every word near it together with its offset.

    ⟨gears, 0⟩ is in the anchor, ⟨hub, -1⟩ in the leaf before it, ⟨more, 2⟩ in the second leaf behind it

The leaves of the page's tree are counted, also empty ones. Besides words, the topics of the page can be features, and
the outcomes of other links near this one (§2.2.3, §3.8).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.apprentice.memory.ranges import Ranges
from scenthound.parse.words.word_stream import WordStream, number_of
from scenthound.taxonomy import ancestors

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Features are numbered by hashing, which bounds the size of the tables in any crawl. Exact pairs would need a table
# that grows with the crawl, and a search in it for every word.
BITS: Final = 22
SPACE: Final = 1 << BITS

HIGH_FROM: Final = 0.5  # least relevance of a page in the bucket HIGH: most pages are near 0 or near 1 (§2.3)

ROOT: Final = "/"  # the prefix that all topics share
# Words are numbers of 24 bits; what is no word has bits above them.
_TOPIC: Final = 1 << 24
_CITED: Final = 1 << 25
LOW: Final = _CITED
HIGH: Final = _CITED + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """The features of some links: occurrence i belongs to link `rows[i]`, and is `tokens[i]` at `offsets[i]`.

    A feature that occurs twice counts twice. Occurrences are in no particular order.
    """

    links: int
    rows: Ints
    tokens: NDArray[np.uint32]
    offsets: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def numbers(self) -> NDArray[np.uint32]:
        """The number of each occurrence's feature, below `SPACE`."""
        mixed = self.tokens ^ (self.offsets.astype(np.uint32) * np.uint32(0x9E3779B1))
        # The last steps of MurmurHash3. A plain sum of products would be two steps instead of six, but if one word at
        # an offset shared its number with another, the two would share theirs at all other offsets too.
        mixed ^= mixed >> np.uint32(16)
        mixed *= np.uint32(0x85EBCA6B)
        mixed ^= mixed >> np.uint32(13)
        mixed *= np.uint32(0xC2B2AE35)
        mixed ^= mixed >> np.uint32(16)
        return mixed >> np.uint32(32 - BITS)

    def within(self, d_max: int) -> "Features":
        """Leave out what is further away than this."""
        near = np.abs(self.offsets) <= d_max
        return replace(self, rows=self.rows[near], tokens=self.tokens[near], offsets=self.offsets[near])

    def without_offsets(self) -> "Features":
        """Forget how far away everything is: plain text near the link (fig. 7)."""
        return replace(self, offsets=np.zeros_like(self.offsets))


def text_features(stream: WordStream, first: Ints, last: Ints, *, d_max: int) -> Features:
    """Return the words near links, which stand at the leaves from `first` to `last`; a link without leaves has none.

    The leaves of different links are different ones, so that a word is near 2·d_max + 1 links at the most.

    >>> some = WordStream(
    ...     words=np.array([11, 12, 13], dtype=np.uint32),
    ...     starts=np.array([0, 1, 1, 2, 3], dtype=np.uint32),
    ... )
    >>> found = text_features(some, np.array([2]), np.array([2]), d_max=2)  # leaf 1 is empty
    >>> found.tokens.tolist(), found.offsets.tolist()
    ([11, 12, 13], [-2, 0, 1])
    """
    starts = stream.starts.astype(np.int64) if len(stream.starts) else np.zeros(1, dtype=np.int64)
    leaves = len(starts) - 1
    there = (first >= 0) & (last < leaves)
    begin = np.where(there, np.maximum(first - d_max, 0), 0)
    end = np.where(there, np.minimum(last + d_max + 1, leaves), 0)
    near = Ranges.of(starts[begin], starts[end])
    rows = np.repeat(np.arange(len(first)), near.sizes)
    leaf = np.repeat(np.arange(leaves), np.diff(starts))[near.places]
    offsets = np.minimum(leaf - first[rows], 0) + np.maximum(leaf - last[rows], 0)
    return Features(links=len(first), rows=rows, tokens=stream.words[near.places], offsets=offsets.astype(np.int16))


def topic_features(topics: Sequence[str], *, links: int, prefixes: bool = True) -> Features:
    """Return the names of the topics of a page as features of all of its links, with or without prefixes of these
    names.

    >>> len(topic_features(["Sport/Cycling", "Sport/Golf"], links=1))  # /, Sport, and the two
    4
    """
    names = dict.fromkeys(name for topic in topics for name in (_prefixes(topic) if prefixes else (topic,)))
    tokens = np.array([_TOPIC | number_of(name) for name in names], dtype=np.uint32)
    rows = np.repeat(np.arange(links), len(tokens))
    return Features(links=links, rows=rows, tokens=np.tile(tokens, links), offsets=np.zeros(len(rows), dtype=np.int16))


def cited_features(first: Ints, last: Ints, relevance: Floats, fetched: Ints, *, d_max: int) -> Features:
    """Return, for each link of a page, HIGH or LOW at the offset of every other link whose target is known by then.

    `relevance` is that of the links' targets, NaN where it is not known; `fetched` are their places in the order of
    fetches. A link learns nothing from those that were fetched after its own target. Links that were not fetched have a
    place after all others.

    >>> found = cited_features(
    ...     np.array([0, 2, 5]), np.array([0, 3, 5]), np.array([0.9, 0.1, np.nan]), np.array([1, 2, 9]), d_max=2
    ... )
    >>> list(zip(found.rows.tolist(), (found.tokens == HIGH).tolist(), found.offsets.tolist()))
    [(1, True, -2), (2, False, -2)]
    """
    sides = [_behind(first, last, d_max=d_max), _before(first, last, d_max=d_max)]
    link, other, offset = (np.concatenate(parts) for parts in zip(*sides, strict=True))
    known = (first[link] >= 0) & (first[other] >= 0) & ~np.isnan(relevance[other]) & (fetched[other] < fetched[link])
    high = relevance[other[known]] >= HIGH_FROM
    return Features(
        links=len(first),
        rows=link[known],
        tokens=np.where(high, np.uint32(HIGH), np.uint32(LOW)),
        offsets=offset[known].astype(np.int16),
    )


def joined(*parts: Features) -> Features:
    """Return all that the same links have."""
    return replace(
        parts[0],
        rows=np.concatenate([part.rows for part in parts]),
        tokens=np.concatenate([part.tokens for part in parts]),
        offsets=np.concatenate([part.offsets for part in parts]),
    )


def stacked(pages: Iterable[Features]) -> Features:
    """Return the features of the links of several pages, one page after another."""
    parts, rows, links = list(pages), [], 0
    for part in parts:
        rows.append(part.rows + links)
        links += part.links
    none = Features(links=0, rows=np.zeros(0, np.int64), tokens=np.zeros(0, np.uint32), offsets=np.zeros(0, np.int16))
    return Features(
        links=links,
        rows=np.concatenate([none.rows, *rows]),
        tokens=np.concatenate([none.tokens, *(part.tokens for part in parts)]),
        offsets=np.concatenate([none.offsets, *(part.offsets for part in parts)]),
    )


def _prefixes(topic: str) -> tuple[str, ...]:
    return (ROOT, *ancestors(topic), topic)


def _behind(first: Ints, last: Ints, *, d_max: int) -> tuple[Ints, Ints, Ints]:
    """Return the pairs of a link and another that begins behind it, and how far."""
    order = np.argsort(first, kind="stable")
    begins = first[order]
    near = Ranges.of(np.searchsorted(begins, last + 1), np.searchsorted(begins, last + d_max, side="right"))
    link, other = np.repeat(np.arange(len(first)), near.sizes), order[near.places]
    return link, other, first[other] - last[link]


def _before(first: Ints, last: Ints, *, d_max: int) -> tuple[Ints, Ints, Ints]:
    """Return the pairs of a link and another that ends before it, with their negative distance: the mirror of
    `_behind`."""
    link, other, offset = _behind(-last, -first, d_max=d_max)
    return link, other, -offset
