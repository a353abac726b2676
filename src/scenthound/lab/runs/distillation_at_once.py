"""The distiller in the lab: it distils at once, in the lane, so that a crawl takes the same URLs every time."""

from scenthound.distill.of_store import distil_store
from scenthound.distill.scores import Found, Rules
from scenthound.distill.site import Site
from scenthound.settings.schema import DistillSettings
from scenthound.store.memory.store import MemoryStore


class AtOnce:
    """The `Worker` of the lab."""

    def __init__(self, store: MemoryStore, settings: DistillSettings) -> None:
        self._store = store
        self._rules = Rules(site=Site(settings.site), share=settings.share, rounds=settings.rounds)
        self._found: Found | None = None

    @property
    def at_work(self) -> bool:
        return self._found is not None

    def begin(self) -> None:
        self._found = distil_store(self._store, self._rules)

    def result(self) -> Found | None:
        found, self._found = self._found, None
        return found
