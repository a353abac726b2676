"""A bounded memory of hosts and URLs looked up lately, because the same navigation links stand on every page of a site.

It must be forgotten when a transaction is rolled back: it may then hold ids that were never written.
"""

from math import inf
from sys import maxsize
from typing import Generic, TypeVar

from msgspec import Struct

V = TypeVar("V")

# Entries in each of two generations: enough for the navigation of all sites that a crawl visits at one time, and
# bounded, because the crawl is not.
HOSTS = 20_000
URLS = 30_000


class Known(Struct, frozen=True, gc=False):
    """A URL seen lately: its id, and values that the stored ones are at least as good as.

    `priority` is the greatest that was given: that of the URL may be less, where all that cite it have their say.
    """

    id: int
    priority: float
    demoted: int
    depth: int
    hops: int


def nothing_to_gain(id: int) -> Known:
    """Remember a URL that has been fetched: until it is revisited, no link changes anything about it."""
    return Known(id, inf, -1, -1, -1)


def everything_to_gain(id: int) -> Known:
    """Remember a refused URL: a link that may be followed makes it wait; another refusal changes nothing."""
    return Known(id, -inf, maxsize, maxsize, maxsize)


class Recent(Generic[V]):
    """A mapping of two generations, the older dropped when the younger is full.

    A strict least-recently-used order would cost a write at every hit.

    >>> ids: Recent[int] = Recent(2)
    >>> for name in "abc":
    ...     ids[name] = ord(name)
    >>> ids.get("a"), ids.get("z")
    (97, None)
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._young: dict[str, V] = {}
        self._old: dict[str, V] = {}

    def get(self, key: str) -> V | None:
        found = self._young.get(key)
        if found is None and (found := self._old.get(key)) is not None:
            self[key] = found
        return found

    def __contains__(self, key: str) -> bool:
        return key in self._young or key in self._old

    def __setitem__(self, key: str, value: V) -> None:
        if len(self._young) >= self._size:
            self._old, self._young = self._young, {}
        self._young[key] = value

    def clear(self) -> None:
        self._young, self._old = {}, {}


class Memo:
    """What a store remembers between transactions."""

    def __init__(self) -> None:
        self.hosts: Recent[int] = Recent(HOSTS)
        self.urls: Recent[Known] = Recent(URLS)

    def forget(self) -> None:
        """Drop everything: some of it may not be true."""
        self.hosts.clear()
        self.urls.clear()
