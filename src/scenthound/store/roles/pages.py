"""Fetched pages, as the engine and the critic need them: what they repeat, what they link to, their terms."""

from collections.abc import Sequence
from typing import Protocol

from scenthound.types import HeldPage, Original, ShapeYield


class Pages(Protocol):
    """A page may have been fetched by any engine; every verb reads a bounded number of rows."""

    def originals(self, digests: Sequence[str]) -> dict[str, Original]:
        """Return the earliest page with each content digest, where there is one."""
        ...

    def shape_yields(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], ShapeYield]:
        """Return what fetches of each (host, shape) have brought so far."""
        ...

    def archived(self) -> dict[str, int]:
        """Return the recorded length of each archive file; bytes beyond it were never recorded."""
        ...

    def held(self, urls: Sequence[str]) -> dict[str, HeldPage]:
        """Return the page that each address led to, redirects followed, where there is one."""
        ...

    def neighbours(self, urls: Sequence[str], *, limit: int) -> list[HeldPage]:
        """Return pages one link away from these pages, either way, in fetch order, examples left out."""
        ...

    def cited(self, urls: Sequence[str], *, limit: int) -> list[str]:
        """Return URLs that these pages link to and that were never asked for, in page order."""
        ...

    def drawn(self, *, limit: int, first: int) -> list[HeldPage]:
        """Return up to `limit` pages, spread evenly over the first `first` pages that repeat no other page."""
        ...

    def distinct_pages(self) -> int:
        """Count the pages that repeat no other page: `drawn` chooses from these. A store with shards adds up its
        shards.
        """
        ...
