"""The exchanges of a crawl on disk: archive and database, written so that a crash leaves both in step.

The archive takes a batch first. The disk takes it in while the database records the batch, and the transaction ends
only when the archive is safe. So after a crash the archive is never behind the database; the next start cuts off what
it has beyond.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from scenthound.archive.files import Archive
from scenthound.archive.warc import exchange_record, revisit_record
from scenthound.crawl.engine.steps import Finished
from scenthound.store.base import Store
from scenthound.types import Ending, Original, Outcome, Reading, Recorded


class Exchanges(Protocol):
    """Keeps the exchanges of a crawl."""

    def append(self, outcomes: Sequence[Outcome], finished: Sequence[Finished]) -> list[Outcome]:
        """Append a batch to the archive, and return the outcomes with their places in it."""
        ...

    def record(self, outcomes: Sequence[Outcome], *, now: float) -> list[Recorded]:
        """Record outcomes in the database once the archive has them. `store.settle` waits until they are on disk."""
        ...


class ArchivedExchanges:
    """Keep exchanges in an archive, and outcomes in a store."""

    def __init__(self, store: Store, archive: Archive) -> None:
        self._store = store
        self._archive = archive

    def append(self, outcomes: Sequence[Outcome], finished: Sequence[Finished]) -> list[Outcome]:
        originals = self._store.originals([one.reading.digest for one in finished])
        return [
            self._append_one(outcome, one.reading, originals.get(one.reading.digest))
            for outcome, one in zip(outcomes, finished, strict=True)
        ]

    def record(self, outcomes: Sequence[Outcome], *, now: float) -> list[Recorded]:
        """Record while the disk takes the archive in, and return before it has taken in the database.

        To wait each time took an eighth of the lane's time.
        """
        lengths = self._archive.begin_flush()
        flushed = self._archive.finish_flush
        return list(self._store.record(outcomes, now=now, archived=lengths, synced=flushed, soon=True))

    def _append_one(self, outcome: Outcome, reading: Reading, original: Original | None) -> Outcome:
        """Append an exchange: whole, or as a revisit of one with the same content that is there already."""
        fetch = outcome.fetch
        if fetch is None or not fetch.head:
            return outcome
        if outcome.ending is Ending.UNCHANGED:
            original = outcome.claim.before
        elif original is not None and original.payload != reading.payload:
            original = None  # the same page in another coding: other bytes
        if original is not None:
            record = revisit_record(fetch, original.url, original.captured_at, original.payload)
        else:
            record = reading.record or exchange_record(fetch)  # a reader that died has left none
        return replace(outcome, spot=self._archive.append(record))


class UnarchivedExchanges:
    """Keep outcomes in a store, and no archive."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def append(self, outcomes: Sequence[Outcome], finished: Sequence[Finished]) -> list[Outcome]:
        return list(outcomes)

    def record(self, outcomes: Sequence[Outcome], *, now: float) -> list[Recorded]:
        return list(self._store.record(outcomes, now=now, archived={}, soon=True))
