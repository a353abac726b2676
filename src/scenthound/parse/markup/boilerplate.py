"""Which leaves of a page are main text, and which surround it: menus, lists of links, footers.

Follows the shallow text features of Kohlschütter, Fankhauser and Nejdl (WSDM 2010): length and link density of a block
and its neighbours. A block is a run of non-empty leaves: in real markup, blank text stands between block elements and
not inside paragraphs.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.types import Link, LinkKind

Flags = NDArray[np.bool_]
Numbers = NDArray[np.float64]

# The paper's thresholds are in words; counting characters is cheaper, and works without blanks between words.
_WORD: Final = 6
_LINKED: Final = 1 / 3
_LINKED_BEFORE: Final = 5 / 9
_LEAST_MAIN: Final = 150  # characters: a page with less is a list, and its items are its content


def main_leaves(leaves: Sequence[str], links: Iterable[Link]) -> Flags:
    """Tell for each leaf whether it is main text; empty ones never are.

    >>> sentence = "Otters live along rivers, lakes and shores, and eat fish, crabs and frogs, day after day. " * 2
    >>> links = [Link(url="http://a.example/", first_leaf=number, last_leaf=number) for number in (0, 2)]
    >>> main_leaves(["Home", "", "Contact", "", "Otters", "", sentence], links).tolist()
    [False, False, False, False, True, False, True]
    """
    lengths = np.fromiter(map(len, leaves), dtype=np.float64, count=len(leaves))
    filled = lengths > 0
    linked = _linked(len(leaves), links)
    blocks = np.cumsum(~filled, dtype=np.int64)
    chars, density = _blocks(blocks, lengths, linked)
    plain = density <= _LINKED
    main = plain & _is_main(chars, density)
    if chars[main].sum() < _LEAST_MAIN:
        main = plain
    return np.asarray(main[blocks] & filled)


def _linked(count: int, links: Iterable[Link]) -> Flags:
    """Tell for each leaf whether it is in a link. Links do not nest (HTML standard §4.5.1): a leaf is marked once."""
    kind, linked = LinkKind.ANCHOR, bytearray(count)
    for link in links:
        if link.kind is kind:
            first, after = link.first_leaf, min(link.last_leaf + 1, count)
            if first + 1 == after and first >= 0:
                linked[first] = True
            elif 0 <= first < after:
                linked[first:after] = b"\1" * (after - first)
    return np.frombuffer(linked, dtype=np.bool_)


def _blocks(blocks: NDArray[np.int64], lengths: Numbers, linked: Flags) -> tuple[Numbers, Numbers]:
    """Return the characters of each block, and the share of them in links."""
    chars: Numbers = np.bincount(blocks, weights=lengths).astype(np.float64)
    in_links = np.bincount(blocks, weights=lengths * linked)
    return chars, in_links / np.maximum(chars, 1)


def _is_main(chars: Numbers, density: Numbers) -> Flags:
    """Decide by the paper's decision tree, with lengths in characters; skip blocks without text."""
    told = np.flatnonzero(chars)
    words, linked = chars[told] / _WORD, density[told]
    before, after, linked_before = (np.zeros_like(words) for _ in range(3))
    before[1:], after[:-1], linked_before[1:] = words[:-1], words[1:], linked[:-1]
    after_text = (words > 16) | (after > 15) | (before > 4)
    after_links = (words > 40) | (after > 17)
    main = np.zeros(len(chars), dtype=np.bool_)
    main[told] = np.where(linked_before <= _LINKED_BEFORE, after_text, after_links)
    return main
