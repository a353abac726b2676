"""The last check before a request is sent: this process never has more than its share at one host, nor asks too soon.

The store already hands out claims by these rules. The gate holds them once more at the moment of sending, for what
the store cannot see: the hops of a redirected robots.txt, which lead to hosts that were not claimed.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from scenthound.clock import Clock

# Hosts whose pause is over are forgotten when there are more of them than this, so that memory stays bounded.
REMEMBERED = 10_000


class HostGate:
    def __init__(self, clock: Clock, *, per_host: int) -> None:
        self._clock = clock
        self._per_host = per_host
        self._busy: dict[str, int] = {}
        self._free_at: dict[str, float] = {}
        self._waiting = 0
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def enter(self, host: str, delay: float) -> AsyncIterator[None]:
        """Wait until the host may be asked, hold a place there, and start its pause on leaving."""
        await self._take_place(host, delay)
        try:
            yield
        finally:
            await self._leave(host, delay)

    async def _take_place(self, host: str, delay: float) -> None:
        while True:
            wait = self._free_at.get(host, 0.0) - self._clock.now()
            if wait <= 0 and self._busy.get(host, 0) < self._per_host:
                self._busy[host] = self._busy.get(host, 0) + 1
                if delay > 0:
                    self._free_at[host] = self._clock.now() + delay
                return
            if wait > 0:
                await self._clock.sleep(wait)
            else:
                await self._wait_for_place(host)

    async def _wait_for_place(self, host: str) -> None:
        self._waiting += 1
        try:
            async with self._changed:
                await self._changed.wait_for(lambda: self._busy.get(host, 0) < self._per_host)
        finally:
            self._waiting -= 1

    async def _leave(self, host: str, delay: float) -> None:
        left = self._busy[host] - 1
        if left:
            self._busy[host] = left
        else:
            del self._busy[host]
        if delay > 0:
            self._free_at[host] = self._clock.now() + delay
            self._forget_rested()
        if self._waiting:
            async with self._changed:
                self._changed.notify_all()

    def _forget_rested(self) -> None:
        if len(self._free_at) > REMEMBERED:
            now = self._clock.now()
            self._free_at = {host: at for host, at in self._free_at.items() if at > now}
