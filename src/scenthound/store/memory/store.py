"""The store as plain Python objects: the specification that every database must agree with.

Counts are taken by a look at every URL. That costs time in proportion to the frontier, which is fine for tests and
small demos.
"""

from types import TracebackType
from typing import Self

from scenthound.store.memory.frontier import MemoryFrontier
from scenthound.store.memory.hosts import MemoryHosts
from scenthound.store.memory.hubs import MemoryHubs
from scenthound.store.memory.judgements import MemoryJudgements
from scenthound.store.memory.lessons import MemoryLessons
from scenthound.store.memory.notes import MemoryNotes
from scenthound.store.memory.pages import MemoryPages
from scenthound.store.memory.priorities import MemoryPriorities
from scenthound.store.memory.uploads import MemoryUploads
from scenthound.store.memory.views import MemoryViews
from scenthound.store.memory.visits import MemoryVisits


class MemoryStore(
    MemoryFrontier,
    MemoryPriorities,
    MemoryPages,
    MemoryJudgements,
    MemoryLessons,
    MemoryHubs,
    MemoryVisits,
    MemoryHosts,
    MemoryViews,
    MemoryNotes,
    MemoryUploads,
):
    """A crawl in memory, for as long as the process lives."""

    def __init__(self, *, bad_after: int = 3) -> None:
        super().__init__(bad_after=bad_after)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""
