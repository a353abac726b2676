"""The words around a link: those in leaves within some distance of it.

Leaves are counted from left to right, as in APPRENTICE §2.2.1; the link's own leaves are at distance 0. A paragraph may
be one leaf, so the number of words on each side is bounded too: the nearest ones count.
"""

from collections.abc import Sequence

from scenthound.parse.words.tokens import tokens_of
from scenthound.types import Link


class Surroundings:
    """The words of one page by leaf, cut on demand.

    >>> page = Surroundings(("Birds of the sea", "and", "gulls", "in", "winter"), reach=2, most=3)
    >>> gulls = Link(url="http://a.test/gulls", text="gulls", first_leaf=2, last_leaf=2)
    >>> page.before(gulls), page.after(gulls)
    ([b'the', b'sea', b'and'], [b'in', b'winter'])
    """

    def __init__(self, leaves: Sequence[str], *, reach: int, most: int) -> None:
        self._leaves = leaves
        self._reach = reach
        self._most = most
        self._words: dict[int, list[bytes]] = {}

    def before(self, link: Link) -> list[bytes]:
        """Return the words to the left of a link, in their order."""
        found: list[bytes] = []
        for leaf in range(link.first_leaf - 1, max(-1, link.first_leaf - 1 - self._reach), -1):
            found = self._of(leaf) + found
            if len(found) >= self._most:
                return found[len(found) - self._most :]
        return found

    def after(self, link: Link) -> list[bytes]:
        """Return the words to the right of a link; a link without a place on the page has none."""
        if link.last_leaf < 0:
            return []
        found: list[bytes] = []
        for leaf in range(link.last_leaf + 1, min(len(self._leaves), link.last_leaf + 1 + self._reach)):
            found = found + self._of(leaf)
            if len(found) >= self._most:
                return found[: self._most]
        return found

    def _of(self, leaf: int) -> list[bytes]:
        words = self._words.get(leaf)
        if words is None:
            words = self._words[leaf] = tokens_of(self._leaves[leaf])
        return words
