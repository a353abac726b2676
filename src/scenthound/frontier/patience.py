"""The patience of a choosy crawl: how long it waits is bounded by what it could have fetched meanwhile.

A crawl that waits for its best hosts gets better pages, and fewer of them in an hour. An idle place would have brought
what the best link of a skipped host promises, once in the time that an exchange and the pause after it take. At most a
set part of all that is given up; otherwise one host that asks for half a minute between two requests could hold up all
others. Promises are weighed, not fetches: with at least a quarter of all possible fetches, 800 pages of the demo web
held 310 about its topic, and 490 with a quarter of the promises (`python -m bench slow_host` prints the second).
"""

from collections import deque
from math import ceil
from statistics import median
from typing import Final, Protocol

from scenthound.frontier.politeness import rest_after
from scenthound.settings.schema import FetchSettings
from scenthound.types import Fetch, HeldBack

SEEN: Final = 64  # exchanges that show how long one takes; the median, so that a few slow hosts do not count
FIRST: Final = 0.5  # seconds that an exchange is thought to take before one was seen
POSSIBLE: Final = 10.0  # fetches a second that any machine can make; more must have been seen
CREDIT: Final = 8.0  # what was asked for in advance and may be waited away later: eight sure pages
LEAST: Final = 1e-6  # what a link is thought to promise at least


class Account(Protocol):
    """What a crawl has asked for, less what it has waited away, both weighed; at most CREDIT."""

    @property
    def balance(self) -> float: ...

    @property
    def debtors(self) -> int:
        """How many share a debt."""
        ...

    def add(self, change: float) -> None: ...


class OwnAccount:
    """The account of a crawl with one engine."""

    balance = 0.0
    debtors = 1

    def add(self, change: float) -> None:
        self.balance = min(CREDIT, self.balance + change)


class Patience:
    """An account: promises that are asked for go in, those that could have been are taken out.

    >>> patience, held = Patience(FetchSettings(delay=1.0), most=0.5), HeldBack(hosts=10, promise=2.0)
    >>> patience.owed(now=0.0, claimed=0.0, held=held, free=64)  # ten hosts are skipped from now on
    0
    >>> patience.owed(now=1.5, claimed=1.0, held=held, free=64)  # each could have been asked once by now
    5
    """

    def __init__(self, settings: FetchSettings, *, most: float, account: Account | None = None) -> None:
        self._settings = settings
        self._most = most
        self._account = account or OwnAccount()
        self._seconds: deque[float] = deque([FIRST], maxlen=SEEN)
        self._cycles: deque[float] = deque([FIRST + settings.delay], maxlen=SEEN)
        self._ended: deque[float] = deque(maxlen=SEEN)
        self._peak = POSSIBLE
        self._since = 0.0
        self._losing = 0.0  # what is given up a second since then

    def note_exchange(self, fetch: Fetch) -> None:
        """Learn from an exchange how often a host could be asked that wants no longer pause than others."""
        if fetch.reason is None and fetch.status:
            self._ended.append(fetch.finished)
            if len(self._ended) == SEEN and (span := max(self._ended) - min(self._ended)) > 0:
                self._peak = max(self._peak, SEEN / span)
            self._seconds.append(max(0.001, fetch.seconds))
            self._cycles.append(max(0.001, fetch.seconds) + rest_after(fetch, settings=self._settings, failures=0))

    def most_hosts(self, free: int) -> int:
        """Return how many hosts keep so many places busy; it is of no use to count more."""
        return ceil(free * max(1.0, median(self._cycles) / median(self._seconds)))

    def owed(self, *, now: float, claimed: float, held: HeldBack, free: int) -> int:
        """Return how many fetches must be made at once, good or not.

        The claims since the last call promise `claimed`; `held` is skipped from now on, and `free` places are free.
        """
        lost = self._losing * max(0.0, now - self._since)
        each = max(LEAST, held.promise / max(1, held.hosts))
        self._since = now
        self._losing = each * min(held.hosts / median(self._cycles), free / median(self._seconds), self._peak)
        self._account.add(self._most * claimed - (1 - self._most) * lost)
        debt = -self._account.balance / self._account.debtors
        if debt <= 0 or not held.hosts:
            return 0
        return min(held.hosts, free, ceil(debt / max(1e-9, self._most * each)))

    def note_made(self, promise: float) -> None:
        """Count fetches that were owed, by what they promise."""
        self._account.add(self._most * promise)
