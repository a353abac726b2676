"""A world behind the seams of a crawl: its fetcher answers from the archive, its reader from the cache, in virtual time.

Loop, lane and rules are those that ship; nothing here decides anything that they would decide over a network.
"""

from dataclasses import replace

from scenthound.clock import Clock
from scenthound.fetch.base import Request
from scenthound.lab.world import World
from scenthound.types import Fetch, Reading, Reason


class ReplayFetcher:
    """The `Fetcher` of a world. Every exchange lets `latency` seconds pass on the clock.

    What the archive does not know is a 404, as `Outside.WASTED` wants it. Where it is to be invisible, the fence
    `Inside` sees to it that nobody asks. Validators in a request are not looked at, for a lab visits no page twice.
    """

    def __init__(self, world: World, clock: Clock, *, latency: float) -> None:
        self._world = world
        self._clock = clock
        self._latency = latency

    async def fetch(self, request: Request) -> Fetch:
        """Return what the archive has."""
        started = self._clock.now()
        await self._clock.sleep(self._latency)
        finished = self._clock.now()
        held = self._world.exchange(request.url)
        if held is None:
            return _not_found(request.url, started, finished)
        first_byte = finished - started if held.fetch.status else 0.0
        return replace(held.fetch, url=request.url, started=started, finished=finished, first_byte=first_byte)


class CachedReadings:
    """The `Reads` of a world: pages as they were read once, with the text of their leaves only if `text`."""

    def __init__(self, world: World, *, text: bool) -> None:
        self._world = world
        self._text = text

    @property
    def reading(self) -> int:
        return 0

    async def read(self, fetch: Fetch, *, understand: bool = True) -> Reading:
        """Return what was understood of an exchange of this world."""
        held = self._world.exchange(fetch.url) if understand else None
        if held is None:
            return Reading(mime=fetch.mime)
        return replace(held.reading, leaves=self._world.leaves(fetch.url)) if self._text else held.reading


class Inside:
    """The fence around a world: matches what the archive knows an answer of, be it a page, a redirect or an error."""

    def __init__(self, world: World) -> None:
        self._addresses = world.addresses

    def locked(self, url: str) -> bool:
        """Tell whether an address is inside; `Rulebook.only` asks it by this name."""
        return url in self._addresses


def _not_found(url: str, started: float, finished: float) -> Fetch:
    return Fetch(
        url=url,
        started=started,
        finished=finished,
        first_byte=finished - started,
        reason=Reason.HTTP_ERROR,
        detail="404 Not Found",
        status=404,
        mime="text/plain",
    )
