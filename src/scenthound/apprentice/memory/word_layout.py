"""The places of links' words, their own and those around them, among the words of pages laid one after another."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.parse.words.word_stream import WordStream
from scenthound.types import Lesson

Ints = NDArray[np.int64]

LEAVES_AROUND: Final = 4  # of the page's tree, on each side of a link
WORDS_AROUND: Final = 30  # at most, on each side


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layout:
    """Ranges of words, one of each kind for a link; a link whose leaves are not there has none."""

    own_from: Ints
    own_to: Ints
    around_from: Ints  # with its own
    around_to: Ints


def laid_out(lessons: Sequence[Lesson], streams: Sequence[WordStream], *, base: int) -> Layout:
    """Find the words of the links of some pages; the first word of the first page has the number `base`."""
    starts, firsts, lasts = _leaves(streams, base)
    links = [link for lesson in lessons for link in lesson.links]
    sizes = [len(lesson.links) for lesson in lessons]
    leaf, last = np.repeat(firsts, sizes), np.repeat(lasts, sizes)
    first = np.array([link.first_leaf for link in links], dtype=np.int64) + leaf
    after = np.array([link.last_leaf for link in links], dtype=np.int64) + leaf + 1
    has = (first >= leaf) & (after <= last)
    first, after = np.where(has, first, leaf), np.where(has, after, leaf)
    own_from, own_to = starts[first], starts[after]
    from_leaf, to_leaf = np.maximum(first - LEAVES_AROUND, leaf), np.minimum(after + LEAVES_AROUND, last)
    around_from, around_to = np.maximum(starts[from_leaf], own_from - WORDS_AROUND), starts[to_leaf]
    return Layout(
        own_from=own_from,
        own_to=own_to,
        around_from=np.where(has, around_from, own_from),
        around_to=np.where(has, np.minimum(around_to, own_to + WORDS_AROUND), own_to),
    )


def _leaves(streams: Sequence[WordStream], base: int) -> tuple[Ints, Ints, Ints]:
    """Return where the words of all leaves begin, and for each page its first leaf and the one after its last."""
    many = np.array([len(stream.starts) for stream in streams])
    words = np.array([len(stream.words) for stream in streams])
    before = np.cumsum(words) - words + base
    starts = np.concatenate([stream.starts for stream in streams]).astype(np.int64) + np.repeat(before, many)
    ends = np.cumsum(many)
    return starts, ends - many, ends - 1
