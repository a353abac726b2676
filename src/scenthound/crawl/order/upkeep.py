"""The upkeep of an order of columns while the columns move (RELATIONAL §3.2: "a crude and lazily updated estimate").

A turn renumbers at once the URLs that its pages cite, those that the apprentice has changed its mind about, and all
URLs of a host whose load has reached another step. The rest follows in pieces: a few URLs for each recorded page, and
more after new hubs. So a turn costs a bounded number of look-ups, however many URLs wait.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from scenthound.frontier.orders import Combined
from scenthound.settings.order_columns import load_code
from scenthound.store.base import Store
from scenthound.store.rules import VISITED
from scenthound.types import Bearings, Ending, Outcome

OFTEN: Final = 16  # citations that each renumber a URL; beyond them, every sixteenth does
REMEMBERED: Final = 100_000  # URLs whose citations are counted; then counting begins again
HOST_PIECE: Final = 2_000  # URLs of hosts with another load, weighed in one turn
ROUND: Final = 20  # URLs weighed for each page recorded, to go round the whole frontier
HURRY: Final = 1_000  # URLs weighed in a turn, from a distillation on until all have the new scores
CALM: Final = 5  # the same where no column moves but by what a turn has touched
RESTLESS: Final = ("hub", "authority", "expected", "server_load")


class Upkeep:
    """Use it from the lane's thread after each batch. `expected` returns the apprentice's expectation of a URL."""

    def __init__(
        self, store: Store, order: Combined, *, nofollow: bool, expected: Callable[[str], float] = lambda _url: 0.0
    ) -> None:
        self._store = store
        self._order = order
        self._nofollow = nofollow
        self._expected = expected
        packed = {key.name for key in order.combination.packed}
        self._loads = "server_load" in packed
        self._scores = not packed.isdisjoint(("hub", "authority"))
        self._distilled: int | None = None  # the version whose scores URLs have, or will have after the round
        self._hurries = False
        self._pace = CALM if packed.isdisjoint(RESTLESS) else ROUND
        self._steps: dict[str, int] = {}  # of the loads of hosts, as their URLs have it
        self._hosts: deque[tuple[str, int]] = deque()  # still to be renumbered, each from an id on
        self._cited: dict[str, int] = {}
        self._round = 0

    def numbers_after(self, outcomes: Sequence[Outcome], also: Sequence[str] = ()) -> dict[str, float]:
        """Return the numbers of the URLs that a recorded batch has touched, and of some of the rest."""
        touched = dict.fromkeys([*self._touched(outcomes), *also])
        places = self._store.bearings_of(list(touched), nofollow=self._nofollow) if touched else []
        if self._loads:
            self._note_loads(outcomes)
        places += self._of_hosts()
        recorded = sum(outcome.ending is not Ending.RETURN for outcome in outcomes)
        if self._scores:
            self._note_distillation()
        many = max(self._pace * recorded, HURRY if self._hurries else 0)
        places += self._next(many) if many else []
        return {one.url: self._order.number(one, self._expected(one.url)) for one in places}

    def _touched(self, outcomes: Sequence[Outcome]) -> list[str]:
        """Return what pages cite, and what goes back to the frontier."""
        if len(self._cited) > REMEMBERED:
            self._cited.clear()
        back = [one.claim.url for one in outcomes if one.ending in (Ending.RETRY, Ending.RETURN)]
        cited = [found.link.url for one in outcomes for found in one.discoveries if found.refusal is None]
        return back + [url for url in cited if self._is_time(url)]

    def _is_time(self, url: str) -> bool:
        times = self._cited[url] = self._cited.get(url, 0) + 1
        return times <= OFTEN or times % OFTEN == 0

    def _note_loads(self, outcomes: Sequence[Outcome]) -> None:
        """Put hosts in line whose load has come to another step."""
        pages = {one.claim.host: one.claim.url for one in outcomes if one.ending in VISITED}
        for place in self._store.bearings_of(list(pages.values()), nofollow=self._nofollow):
            step = load_code(place.server_load)
            if self._steps.get(place.host) != step:
                self._steps[place.host] = step
                self._hosts.append((place.host, 0))

    def _of_hosts(self) -> list[Bearings]:
        places: list[Bearings] = []
        while self._hosts and len(places) < HOST_PIECE:
            host, after = self._hosts.popleft()
            some = self._store.bearings(nofollow=self._nofollow, after=after, limit=HOST_PIECE - len(places), host=host)
            places += some
            if len(places) >= HOST_PIECE:
                self._hosts.appendleft((host, some[-1].id if some else after))
        return places

    def _note_distillation(self) -> None:
        """Go round the frontier in a hurry when there are new scores."""
        last = self._store.last_distillation()
        version = last.version if last is not None else 0
        if self._distilled is not None and version != self._distilled:
            self._round, self._hurries = 0, True
        self._distilled = version

    def _next(self, many: int) -> list[Bearings]:
        """Return some URLs more of the whole frontier, and begin again at its end."""
        places = self._store.bearings(nofollow=self._nofollow, after=self._round, limit=many)
        if len(places) < many:
            self._round, self._hurries = 0, False
        else:
            self._round = places[-1].id
        return places
