"""Critics and their judgements of pages."""

from collections.abc import Callable, Sequence
from typing import Protocol

from scenthound.types import CriticRecord, HeldPage, Judgement, Standing, TopicCount

Stand = Callable[[HeldPage, Judgement | None, Standing | None], Standing]
"""Return what a page or redirect hands on, from its judgement and the standing of the best page that led to it."""


class Judgements(Protocol):
    """One engine at a time teaches: it engages critics and judges pages again, a batch at a time."""

    def critic(self) -> CriticRecord | None:
        """Return the current critic."""
        ...

    def critics(self) -> list[CriticRecord]:
        """Return all critics so far, oldest first."""
        ...

    def engage(self, record: CriticRecord) -> None:
        """Store a critic under its version."""
        ...

    def to_judge(self, *, critic: int, after: int = 0, limit: int) -> list[HeldPage]:
        """Return pages and redirects with n > `after` that this critic has not judged, in fetch order."""
        ...

    def rejudge(self, verdicts: Sequence[tuple[HeldPage, Judgement | None]], *, critic: int, stand: Stand) -> None:
        """Write new judgements in fetch order; a redirect has none, but its standing is worked out again.

        `stand` gets the standing of the most promising page fetched earlier that links here; for an example, only a
        redirect counts. The lesson of the page changes with its judgement.
        """
        ...

    def topic_counts(self) -> dict[str, TopicCount]:
        """Count judged pages by their most likely topic, without examples. A store with shards adds up its shards."""
        ...
