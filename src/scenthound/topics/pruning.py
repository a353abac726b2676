"""Cuts a web directory down to topics with enough examples (APPRENTICE §3.1).

A leaf with fewer than k examples gives them to its parent and is deleted, until no such leaf is left. Then each inner
topic gets a leaf `Other` for its own examples, and large classes are sampled. The first step needs no loop: the topics
that survive are exactly those with at least k examples at and below them. (If a topic has that many, either a topic
below it survives or all examples end up on it. If not, no topic below it can survive.)
"""

import hashlib
import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from scenthound.taxonomy import ancestors, is_at_or_below, parent

OTHER = "Other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruning:
    """The result for each topic of a directory: `homes` maps it to the class that gets its examples; `least` is k."""

    homes: Mapping[str, str]
    least: int


def prune(counts: Mapping[str, int], *, least: int, most: int = 0, roots: Iterable[str] = ("",)) -> Pruning:
    """Merge topics with too few examples into their parents. The `roots` always stay.

    With `most`, raise k until at most so many topics survive.

    >>> pruning = prune({"Sport": 1, "Sport/Cycling": 5, "Sport/Cycling/Unicycles": 2, "Sport/Golf": 2}, least=4)
    >>> for topic, home in pruning.homes.items(): print(topic, "→", home)
    Sport → Sport/Other
    Sport/Cycling → Sport/Cycling
    Sport/Cycling/Unicycles → Sport/Cycling
    Sport/Golf → Sport/Other
    """
    kept = frozenset(roots)
    totals = _totals(counts, kept)
    if most and len(totals) > most:
        least = max(least, sorted(totals.values(), reverse=True)[most] + 1)
    alive = {path for path, total in totals.items() if total >= least} | kept
    inner = {parent(path) for path in alive if path}
    return Pruning(homes={path: _home(path, alive, inner) for path in counts}, least=least)


def _totals(counts: Mapping[str, int], roots: frozenset[str]) -> dict[str, int]:
    """Return the number of examples at and below each topic, from the roots down."""
    totals = dict.fromkeys(roots, 0)
    for path, number in counts.items():
        for node in ("", *ancestors(path), path):
            if node or "" in roots:
                totals[node] = totals.get(node, 0) + number
    return {path: total for path, total in totals.items() if any(is_at_or_below(path, root) for root in roots)}


def _home(path: str, alive: set[str], inner: set[str]) -> str:
    while path not in alive:
        path = parent(path)
    return f"{path}/{OTHER}".lstrip("/") if path in inner or not path else path


@dataclass(slots=True, kw_only=True)
class Sample:
    """A random sample of bounded size that does not depend on the order of the texts.

    It keeps the texts with the smallest hashes, each text once.

    >>> sample = Sample(size=2, seed=1)
    >>> for text in ["a", "b", "c", "d", "a", "b"]: sample.offer(text)
    >>> backwards = Sample(size=2, seed=1)
    >>> for text in ["d", "c", "b", "a"]: backwards.offer(text)
    >>> len(sample.texts()), sample.texts() == backwards.texts()
    (2, True)
    """

    size: int  # 0 keeps all
    seed: int
    _heap: list[tuple[int, str]] = field(default_factory=list)
    _held: set[str] = field(default_factory=set)

    def offer(self, text: str) -> None:
        if text in self._held:
            return
        entry = (-self._rank(text), text)
        if not self.size or len(self._heap) < self.size:
            heapq.heappush(self._heap, entry)
        elif entry > self._heap[0]:
            self._held.discard(heapq.heapreplace(self._heap, entry)[1])
        else:
            return
        self._held.add(text)

    def texts(self) -> tuple[str, ...]:
        """Return the kept texts in alphabetical order."""
        return tuple(sorted(self._held))

    def _rank(self, text: str) -> int:
        digest = hashlib.blake2b(f"{self.seed} {text}".encode("utf-8", "replace"), digest_size=8)
        return int.from_bytes(digest.digest())
