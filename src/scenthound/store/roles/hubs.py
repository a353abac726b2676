"""Hubs and authorities: the results of distillations, and the links of hubs that nobody has followed."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from scenthound.types import Distillation, LinkYield, PageScore, Unvisited


class Hubs(Protocol):
    """One engine at a time distils. All engines read the same scores."""

    def distilled(
        self, found: Distillation, scores: Sequence[PageScore], *, moves: Mapping[str, float], now: float
    ) -> int:
        """Store a distillation and return its version; the first is 1.

        `scores` replace all earlier scores; `found` joins the log with its hubs. Unknown URLs are ignored. Then `moves`
        apply, as in `move`.
        """
        ...

    def distillations(self, *, after: int = 0) -> list[Distillation]:
        """Return the log of distillations with version > `after`, in order."""
        ...

    def last_distillation(self) -> Distillation | None:
        """Return the distillation that the current scores come from."""
        ...

    def page_scores(self, urls: Sequence[str]) -> dict[str, PageScore]:
        """Return the current scores of those of these pages that have any."""
        ...

    def hubs(self, *, limit: int) -> list[PageScore]:
        """Return the best hubs of the last distillation, best first."""
        ...

    def authorities(self, *, limit: int) -> list[PageScore]:
        """Return the best authorities of the last distillation, best first."""
        ...

    def unvisited(self, urls: Sequence[str]) -> list[Unvisited]:
        """Return waiting URLs that these pages link to and that were never fetched, oldest first, examples left out.

        Only links written to be followed count: anchors and areas without nofollow.
        """
        ...

    def link_yields(self, urls: Sequence[str]) -> dict[str, LinkYield]:
        """Return what the links of these pages led to; links count as in `unvisited`, each target page once."""
        ...

    def link_count(self) -> int:
        """Count the links of all pages.

        A database scans its links, so this is not for every turn. A store with shards adds up its shards, or keeps a
        counter.
        """
        ...
