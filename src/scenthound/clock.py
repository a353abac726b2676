"""Time as a dependency: the crawl asks a clock, so the lab can simulate years in seconds.

Times are seconds since the epoch, because the store keeps them and compares them after a restart.
"""

import time
from typing import Protocol


class Clock(Protocol):
    def now(self) -> float:
        """Return the time in seconds since the epoch."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait for so many seconds."""
        ...


class SystemClock:
    """The machine's time, made monotonic: setting the clock back during a crawl must not break politeness.

    `ahead` seconds are added: engines on several machines go by one clock.
    """

    def __init__(self, *, ahead: float = 0.0) -> None:
        self._offset = time.time() - time.monotonic() + ahead

    def now(self) -> float:
        return time.monotonic() + self._offset

    async def sleep(self, seconds: float) -> None:
        import asyncio  # 25 ms: commands that only look at a crawl read this clock and never sleep

        await asyncio.sleep(max(0.0, seconds))


class VirtualClock:
    """A clock that only sleeping moves forward.

    >>> import asyncio
    >>> clock = VirtualClock(start=100.0)
    >>> asyncio.run(clock.sleep(2.5))
    >>> clock.now()
    102.5
    """

    def __init__(self, start: float = 0.0) -> None:
        self._now = start

    def now(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        import asyncio  # as above

        self._now += max(0.0, seconds)
        await asyncio.sleep(0)
