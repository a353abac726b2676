"""Visits to pages: which pages are there, which to visit again, and which pages cite the good ones."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from scenthound.types import Discovery, GoodPage, Visited


class Visits(Protocol):
    """Pages are read piece by piece, so that an engine walks over its own shards only."""

    def visited(self, *, after: int = 0, limit: int, again: bool = False) -> list[Visited]:
        """Return pages with id > `after`, oldest first, with all visits to each.

        Pages on bad hosts and pages that wait or are claimed for another visit are left out. With `again`, so are pages
        with a single visit.
        """
        ...

    def revisit(self, turns: Mapping[str, int], *, now: float) -> int:
        """Put pages back into the frontier with their validators; return how many.

        They rank before all new URLs. Smaller turns are claimed first, from 0 up to 63. Examples keep their own rank.
        URLs that are no page, or wait already, are ignored.
        """
        ...

    def revisit_pages(self, urls: Sequence[str], *, priority: float, now: float) -> int:
        """Put those of these URLs that are pages back into the frontier with this priority; return how many."""
        ...

    def leave_alone(self, *, now: float) -> int:
        """Undo `revisit` for pages that still wait for their turn; return how many.

        A store with shards does one shard at a time.
        """
        ...

    def good_pages(self, *, after: int = 0, least: float, limit: int) -> list[GoodPage]:
        """Return pages with n > `after` and at least this relevance whose backlinks are not yet known, in fetch order.

        Examples count if their links are followed; pages that repeat another do not count.
        """
        ...

    def found_backwards(
        self, cited: str, discoveries: Sequence[Discovery], *, now: float, citing: Sequence[str] | None = None
    ) -> int:
        """Add URLs that cite a page to the frontier, and remember that its backlinks are known; return how many were
        new.

        Refused discoveries and URLs that were fetched before are ignored. With `citing`, these known pages cite it and
        the discoveries came by way of them; then the backlinks of `cited` do not count as known.
        """
        ...
