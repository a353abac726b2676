"""What guides a crawl beyond a simple order: it sees every outcome before it is recorded, and scores links.

    claim ► fetch ► read ► judge ► conclude ► **score** ► record

A guide joins the flow in this one place. It may change its mind about links found earlier: `Outcome.moves` carries that, so
that what it says of a page and what follows from it are written in one transaction.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from scenthound.store.base import Store
from scenthound.types import Distillation, Outcome


class Guide(Protocol):
    def score(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Learn from a batch, in order, and return it with the priorities that its links, and others, shall have."""
        ...

    def hear(self, found: Distillation) -> Mapping[str, float] | None:
        """Learn of hubs; return the priorities that waiting URLs have then, None if it makes nothing of hubs."""
        ...

    def revise(self, store: Store, *, now: float) -> None:
        """Think everything over, because all pages were judged anew, and move what waits in the store."""
        ...
