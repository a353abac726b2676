"""A crawl as people see it: totals, one URL's story, the pages to export."""

from collections.abc import Iterator
from typing import Protocol

from scenthound.types import Census, PageRow, RecentPage, Story


class Views(Protocol):
    """These verbs write nothing. A reader in another process may call them at any time."""

    def census(self, *, now: float) -> Census:
        """Return all totals that `status` and the live view show.

        The cost does not grow with the frontier. A store with shards keeps the totals of each shard and adds them up.
        """
        ...

    def story(self, url: str, *, now: float) -> Story | None:
        """Return everything known about a URL, or None if it is unknown."""
        ...

    def pages(
        self, *, after: int = 0, everything: bool = False, min_relevance: float | None = None
    ) -> Iterator[PageRow]:
        """Yield fetched URLs with n > `after`, in fetch order.

        `everything` adds redirects, failures without an answer, and examples whose links are not followed.
        """
        ...

    def recent(self, *, limit: int) -> list[RecentPage]:
        """Return the pages fetched last, in fetch order, examples left out."""
        ...
