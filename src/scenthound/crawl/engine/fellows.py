"""The other engines of a crawl on a server, as one engine sees them: who teaches, what may be asked, what is shared.

A crawl in a file has one engine, which is `ALONE`: it teaches itself and needs no lease.
"""

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol, cast

from scenthound.clock import Clock, SystemClock
from scenthound.frontier.patience import CREDIT, Account, OwnAccount
from scenthound.store.base import Store
from scenthound.store.roles.engines import Engines
from scenthound.types import EngineStanding

LOOK: Final = 1.0  # seconds between two looks at the others
WRONG: Final = 0.5  # seconds by which clocks may differ: to tell less, a message takes too long
_ONE: Final = EngineStanding(teaches=True, others=0, shards="", pages=0)


class Fellows(Protocol):
    """What an engine asks about the others. `look` comes at the beginning of each turn."""

    @property
    def engines(self) -> Engines | None:
        """The store, where engines share it."""
        ...

    @property
    def teaches(self) -> bool:
        """Whether this engine trains critics, distils, and puts the frontier in order for all."""
        ...

    @property
    def standing(self) -> EngineStanding: ...

    @property
    def number(self) -> int:
        """The number of this engine, which changes when it has lost its lease."""
        ...

    def look(self) -> bool:
        """See how this engine stands; return whether it has other hosts than before."""
        ...

    def may_ask(self, number: int) -> bool:
        """Tell whether a host may be asked for what this engine claimed under a number."""
        ...

    def has_lost(self, number: int) -> bool:
        """Tell whether others have taken over what this engine claimed under a number."""
        ...

    def budget(self, pages: int) -> int:
        """Return the page budget that claims must keep to; 0 if the loop of the only engine sees to it."""
        ...

    def places(self, own: int) -> int:
        """Return how many requests all engines may have in flight, if each may have as many; 0 for the only engine."""
        ...

    def soonest(self, due: float | None, later: float) -> float | None:
        """Return when to claim again. Others may have used the budget up, and then claiming at once is of no use."""
        ...

    def tell(self, *, pages: int, speed: float) -> None:
        """Let others know how far this engine is."""
        ...

    def account(self) -> Account:
        """Return the account of what a choosy crawl waits away."""
        ...


class Alone:
    """The only engine of a crawl."""

    engines = None
    teaches = True
    number = 0
    standing = _ONE

    def look(self) -> bool:
        return False

    def may_ask(self, number: int) -> bool:
        return True

    def has_lost(self, number: int) -> bool:
        return False

    def budget(self, pages: int) -> int:
        return 0

    def places(self, own: int) -> int:
        return 0

    def soonest(self, due: float | None, later: float) -> float | None:
        return due

    def tell(self, *, pages: int, speed: float) -> None:
        pass

    def account(self) -> Account:
        return OwnAccount()


ALONE: Final = Alone()


class Together:
    """One of several engines. Use it from the lane's thread, `may_ask` and `tell` from any."""

    def __init__(self, engines: Engines, clock: Clock) -> None:
        self.engines = engines
        self._clock = clock
        self._looked = 0.0
        self._number = 0
        self.standing = _ONE

    @property
    def teaches(self) -> bool:
        return self.standing.teaches

    @property
    def number(self) -> int:
        return self.engines.lease.number

    def look(self) -> bool:
        now = self._clock.now()
        if self._number == self.number and now - self._looked < LOOK:
            return False
        before = self.standing.shards
        self.standing = self.engines.standing()
        self._looked, self._number = now, self.number
        return before not in ("", self.standing.shards)

    def may_ask(self, number: int) -> bool:
        return self.engines.lease.may_ask(number)

    def has_lost(self, number: int) -> bool:
        return self.engines.lease.has_lost(number)

    def budget(self, pages: int) -> int:
        return pages

    def places(self, own: int) -> int:
        return own * (1 + self.standing.others) if self.standing.others else 0

    def soonest(self, due: float | None, later: float) -> float | None:
        return due if due is None or not self.standing.others else max(due, later)

    def tell(self, *, pages: int, speed: float) -> None:
        self.engines.lease.pages, self.engines.lease.speed = pages, speed

    def account(self) -> Account:
        keep = partial(self.engines.account, most=CREDIT)
        return CommonAccount(keep, self._clock, others=lambda: self.standing.others)


class CommonAccount:
    """The account of all engines together, in the store. Between two looks, an engine knows its own changes only.

    With an account for each engine, those without good hosts fetched poor links all the time, because of what they
    waited away while others fetched the good ones: 310 of 640 fetches in one crawl, where one engine made none.
    """

    def __init__(self, keep: Callable[[float], float], clock: Clock, *, others: Callable[[], int]) -> None:
        self._keep = keep  # adds a change in the store, and returns the account
        self._others = others
        self._clock = clock
        self._looked = 0.0
        self._known = 0.0
        self._change = 0.0

    @property
    def balance(self) -> float:
        return min(CREDIT, self._known + self._change)

    @property
    def debtors(self) -> int:
        return 1 + self._others()

    def add(self, change: float) -> None:
        self._change += change
        now = self._clock.now()
        if now - self._looked >= LOOK:
            self._known = self._keep(self._change)
            self._change, self._looked = 0.0, now


def clock_of(store: Store, clock: Clock | None) -> Clock:
    """Return the clock of a run. Engines of one crawl go by that of the server, where it differs from theirs by much:
    hosts that change hands are due by one clock.
    """
    if clock is not None:
        return clock
    ahead = cast(Engines, store).clock_ahead() if getattr(store, "is_engine", False) else 0.0
    return SystemClock(ahead=ahead if abs(ahead) > WRONG else 0.0)


def fellows_of(store: Store, clock: Clock) -> Fellows:
    """Return how an engine sees the others of its store."""
    if not getattr(store, "is_engine", False):
        return ALONE
    fellows = Together(cast(Engines, store), clock)
    fellows.look()
    return fellows
