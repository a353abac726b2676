"""Cutting a directory of the web down to topics with enough examples (APPRENTICE §3.1).

As long as there is a leaf with fewer than k examples, its examples go to its parent and it is deleted; then each inner
topic gets a leaf `Other` for the examples of its own; and large classes are sampled down. The first step needs no loop:
what survives it are exactly the topics with at least k examples at and below them. (If a topic has that many, either a
topic below it survives, or all of them end up on it; if not, no topic below it can survive either.)
"""

import hashlib
import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from scenthound.taxonomy import ancestors, is_at_or_below, parent

OTHER = "Other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruning:
    """What became of each topic of a directory: `homes` leads to the class that takes its examples, `least` is k."""

    homes: Mapping[str, str]
    least: int


def prune(counts: Mapping[str, int], *, least: int, most: int = 0, roots: Iterable[str] = ("",)) -> Pruning:
    """Fold topics with too few examples into those above; `roots` stay, whatever they hold.

    With `most`, k is raised until no more topics than that survive.

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
    """Return how many examples stand at and below each topic, from the roots down."""
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
    """A sample of bounded size, drawn by chance, the same whatever the order in which it is offered.

    Kept are the texts with the smallest hashes: each text once, however often it is offered.

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
        """Return what is kept, in the order of the alphabet."""
        return tuple(sorted(self._held))

    def _rank(self, text: str) -> int:
        digest = hashlib.blake2b(f"{self.seed} {text}".encode("utf-8", "replace"), digest_size=8)
        return int.from_bytes(digest.digest())
