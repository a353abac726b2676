"""The last check before a request is sent: this process never has more than its share at one host, nor asks too soon.

The store already hands out claims by these rules. The gate holds them once more at the moment of sending, for what
the store cannot see: the hops of a redirected robots.txt, which lead to hosts that were not claimed.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from scenthound.clock import Clock
from scenthound.parse.urls import domain_of

# Hosts whose pause is over are forgotten when there are more of them than this, so that memory stays bounded.
REMEMBERED = 10_000


class HostGate:
    """Places at hosts, registered domains and addresses (0 is no limit), and the pause of each host."""

    def __init__(self, clock: Clock, *, per_host: int, per_domain: int = 0, per_ip: int = 0) -> None:
        self._clock = clock
        self._most = {"host": per_host, "domain": per_domain, "ip": per_ip}
        self._busy: Counter[tuple[str, str]] = Counter()
        self._free_at: dict[str, float] = {}
        self._ips: dict[str, str] = {}
        self._waiting = 0
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def enter(self, host: str, delay: float) -> AsyncIterator[None]:
        """Wait until the host may be asked, hold its places, and start its pause on leaving."""
        places = await self._take_places(host, delay)
        try:
            yield
        finally:
            await self._leave(host, places, delay)

    def rest(self, host: str, until: float) -> None:
        """Leave a host alone until then, or longer if it must rest longer already."""
        if until > self._free_at.get(host, 0.0):
            self._free_at[host] = until
            self._forget_rested()

    def note_address(self, host: str, ip: str) -> None:
        """Remember at which address a host is."""
        if ip:
            if len(self._ips) > REMEMBERED:
                self._ips.clear()
            self._ips[host] = ip

    async def _take_places(self, host: str, delay: float) -> list[tuple[str, str]]:
        while True:
            wait = self._free_at.get(host, 0.0) - self._clock.now()
            places = self._places(host)
            if wait <= 0 and self._has_room(places):
                self._busy.update(places)
                if delay > 0:
                    self._free_at[host] = self._clock.now() + delay
                return places
            if wait > 0:
                await self._clock.sleep(wait)
            else:
                await self._wait_for_room(host)

    def _places(self, host: str) -> list[tuple[str, str]]:
        places = {"host": host, "domain": domain_of(host), "ip": self._ips.get(host, "")}
        return [(kind, name) for kind, name in places.items() if name and self._most[kind]]

    def _has_room(self, places: list[tuple[str, str]]) -> bool:
        return all(self._busy[place] < self._most[place[0]] for place in places)

    async def _wait_for_room(self, host: str) -> None:
        self._waiting += 1
        try:
            async with self._changed:
                await self._changed.wait_for(lambda: self._has_room(self._places(host)))
        finally:
            self._waiting -= 1

    async def _leave(self, host: str, places: list[tuple[str, str]], delay: float) -> None:
        for place in places:
            self._busy[place] -= 1
            if not self._busy[place]:
                del self._busy[place]
        if delay > 0:
            self.rest(host, self._clock.now() + delay)
        if self._waiting:
            async with self._changed:
                self._changed.notify_all()

    def _forget_rested(self) -> None:
        if len(self._free_at) > REMEMBERED:
            now = self._clock.now()
            self._free_at = {host: at for host, at in self._free_at.items() if at > now}
