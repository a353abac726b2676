"""The lease of one engine: a thread renews it over a connection of its own, whatever the crawl is at.

An engine asks no host when its last sign of life is too old, by a clock that also runs while the machine sleeps. So it
is silent for some seconds before another engine may take over what it had claimed.
"""

import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from math import inf
from typing import Final

from scenthound.errors import StoreError
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.connection import PostgresConnection
from scenthound.store.postgres.engine_rows import LEASE, RENEWAL, SILENCE, renew

AGAIN: Final = 1.0  # seconds after which a sign of life that did not arrive is sent again
ANSWER: Final = 5.0  # seconds that the server may take for one


def awake_clock() -> float:
    """Return seconds of a clock that nobody sets, and that runs while the machine sleeps."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class Lease:
    """Use `begin` when the engine has a number, and `end` when it leaves. `may_ask` is for any thread."""

    def __init__(self, url: ServerUrl, *, seconds: float = LEASE, clock: Callable[[], float] = awake_clock) -> None:
        self._url = url
        self.seconds = seconds
        self._clock = clock
        self._renewed = -inf
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._lost = 0  # a number whose row is gone
        self.number = 0
        self.pages = 0  # that this engine has recorded, for people
        self.speed = 0.0

    def begin(self, number: int, *, at: float) -> None:
        """Hold a lease that was given or renewed by a message sent `at` this moment of the clock."""
        self.number, self._renewed = number, at
        if self._thread is None:
            self._over.clear()
            self._thread = threading.Thread(target=self._keep, name="lease", daemon=True)
            self._thread.start()

    def end(self) -> None:
        """Give no more signs of life."""
        self._over.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join(timeout=2 * ANSWER)
        self.number, self._renewed = 0, -inf

    def may_ask(self, number: int) -> bool:
        """Tell whether a host may be asked for what was claimed under this number."""
        return not self.has_lost(number) and self._clock() - self._renewed < SILENCE * self.seconds

    def has_lost(self, number: int) -> bool:
        """Tell whether others have taken over what was claimed under this number."""
        return number in (self._lost, 0) or number != self.number

    def now(self) -> float:
        return self._clock()

    def _keep(self) -> None:
        pause = RENEWAL * self.seconds
        while not self._over.wait(pause):
            pause = AGAIN
            with suppress(StoreError):
                pause = self._keep_over_one_connection()

    def _keep_over_one_connection(self) -> float:
        """Renew until the connection fails or the engine leaves; return how long to wait then."""
        con = PostgresConnection(self._url, read_only=False, timeout=min(ANSWER, self.seconds / 3))
        con.open()
        with closing(con):
            while True:
                number, at = self.number, self._clock()
                if self._renew(con, number):
                    if number == self.number:
                        self._renewed = at
                else:  # others have taken over; the next transaction joins again
                    self._lost = number
                if self._over.wait(RENEWAL * self.seconds):
                    return 0.0

    def _renew(self, con: PostgresConnection, number: int) -> bool:
        return renew(con.as_sqlite(), number, lease=self.seconds, pages=self.pages, speed=self.speed)
