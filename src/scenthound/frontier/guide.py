"""The guide of a crawl: it sees each batch before the batch is recorded, and advises on the priorities of links.

    claim ► fetch ► read ► judge ► conclude ► **advise** ► record

A guide only returns numbers. `crawl.order.frontier_order` writes them into the batch, so a page and all its effects
reach the store in one transaction.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Protocol

from scenthound.store.base import Store
from scenthound.types import Distillation, Guidance, Outcome

NO_GUIDANCE: Final = Guidance()


class Guide(Protocol):
    def advise(self, outcomes: Sequence[Outcome]) -> list[Guidance]:
        """Learn from a batch, in order, and return the advice on each of its outcomes."""
        ...

    def hear(self, found: Distillation) -> Mapping[str, float] | None:
        """Learn of hubs. Return the new priorities of waiting URLs, or None if hubs mean nothing to this guide."""
        ...

    def revise(self, store: Store) -> Iterator[Mapping[str, float]]:
        """Think everything over after all pages were judged again, and yield new priorities of waiting URLs in pieces.

        The caller moves each piece before it asks for the next, and takes all of them.
        """
        ...


class NoGuide:
    """The guide of a crawl that follows a simple order: it gives no advice."""

    def advise(self, outcomes: Sequence[Outcome]) -> list[Guidance]:
        return [NO_GUIDANCE] * len(outcomes)

    def hear(self, found: Distillation) -> Mapping[str, float] | None:
        return None

    def revise(self, store: Store) -> Iterator[Mapping[str, float]]:
        return iter(())

    def expected(self, url: str) -> float:
        """Return 0: nothing is expected of any URL."""
        return 0.0


UNGUIDED: Final = NoGuide()
