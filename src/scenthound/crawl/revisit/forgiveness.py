"""Another chance for hosts that failed too often, and for URLs that failed by their fault: at a start, or during a
crawl.

A file in the directory asks a running crawl for it, just as edited topics and settings are noticed by their files. So
the asking process neither writes to the database nor stops the crawl, and budgets and `--set` of the run stay as they
are.
"""

from collections.abc import Callable

from scenthound.clock import Clock
from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.hooks import Batch, Hook
from scenthound.crawl.order.note import note_reconsidered
from scenthound.events import Listener, Notice
from scenthound.store.base import Store
from scenthound.types import Reason


class Forgiving(Hook):
    """Forgive at once, or whenever the file asks for it. `then` is called after that, for the order of the frontier."""

    def __init__(
        self,
        directory: CrawlDirectory,
        *,
        store: Store,
        clock: Clock,
        listener: Listener,
        then: Callable[[], None] = lambda: None,
    ) -> None:
        self._directory = directory
        self._store = store
        self._clock = clock
        self._listener = listener
        self._then = then

    def after_turn(self, batch: Batch) -> None:
        """Forgive if the file asks for it, and have the frontier put in order."""
        if self.follow():
            self._then()

    def forgive(self) -> None:
        """Let bad hosts be asked again, and with them what was given up."""
        now = self._clock.now()
        hosts = self._store.forgive(now=now)
        urls = self._store.reconsider([reason for reason in Reason if reason.blames_host], now=now)
        note_reconsidered(self._store)
        self._listener(
            Notice(
                text=f"another chance for {count(hosts, 'bad host')} "
                f"and for {count(urls, 'URL')} that failed by fault of a host"
            )
        )

    def follow(self) -> bool:
        """Forgive if the file asks for it, and return whether it did."""
        if not self._directory.asks_to_forgive:
            return False
        self._directory.ask_to_forgive(False)
        self.forgive()
        return True
