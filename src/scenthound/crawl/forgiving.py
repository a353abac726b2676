"""Another chance for hosts that failed too often, and for what failed by their fault: at a start, or while a crawl runs.

A running crawl is asked for it by a file in its directory, as edited topics and settings are noticed by theirs: whoever asks
neither writes to the database nor stops the crawl, and budgets and `--set` of the run stay as they are.
"""

from scenthound.clock import Clock
from scenthound.crawl.directory import CrawlDirectory
from scenthound.crawl.noted_order import reconsidered
from scenthound.crawl.stats import count
from scenthound.events import Listener, Notice
from scenthound.store.base import Store
from scenthound.types import Reason


class Forgiving:
    """Use it from the lane's thread: `forgive` at once, or `follow` to do so when somebody has asked for it."""

    def __init__(self, directory: CrawlDirectory, *, store: Store, clock: Clock, listener: Listener) -> None:
        self._directory = directory
        self._store = store
        self._clock = clock
        self._listener = listener

    def forgive(self) -> None:
        """Let bad hosts be asked again, and with them what was given up."""
        now = self._clock.now()
        hosts = self._store.forgive(now=now)
        urls = self._store.reconsider([reason for reason in Reason if reason.blames_host], now=now)
        reconsidered(self._store)
        self._listener(
            Notice(
                text=f"another chance for {count(hosts, 'bad host')} and for {count(urls, 'URL')} that failed by fault of a host"
            )
        )

    def follow(self) -> bool:
        """Forgive if somebody has asked for it since the last time; return whether."""
        if not self._directory.asks_to_forgive:
            return False
        self._directory.ask_to_forgive(False)
        self.forgive()
        return True
