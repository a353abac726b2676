"""A world behind the seams of a crawl: a fetcher for the archive, a reader for the cache, in virtual time.

Loop, lane and rules are the real ones; nothing here makes a decision that they would make over a network.
"""

from dataclasses import replace

from scenthound.clock import Clock
from scenthound.fetch.fetcher import Request
from scenthound.lab.world.world import World
from scenthound.types import Fetch, Reading, Reason


class ReplayFetcher:
    """The `Fetcher` of a world. Every exchange takes `latency` seconds on the clock.

    An address outside the archive is a 404, as for `Outside.WASTED`. If it should be invisible, the fence `Inside`
    keeps the crawl from asking. Validators in a request are ignored, because a lab visits no page twice.
    """

    def __init__(self, world: World, clock: Clock, *, latency: float) -> None:
        self._world = world
        self._clock = clock
        self._latency = latency

    async def fetch(self, request: Request) -> Fetch:
        """Return the archive's answer."""
        started = self._clock.now()
        await self._clock.sleep(self._latency)
        finished = self._clock.now()
        held = self._world.exchange(request.url)
        if held is None:
            return _not_found(request.url, started, finished)
        first_byte = finished - started if held.fetch.status else 0.0
        return replace(held.fetch, url=request.url, started=started, finished=finished, first_byte=first_byte)


class CachedReadings:
    """The `Reads` of a world: the stored readings of pages, with the text of their leaves only if `text`."""

    def __init__(self, world: World, *, text: bool) -> None:
        self._world = world
        self._text = text

    @property
    def reading(self) -> int:
        return 0

    async def read(self, fetch: Fetch, *, understand: bool = True) -> Reading:
        """Return the reading of an exchange of this world."""
        held = self._world.exchange(fetch.url) if understand else None
        if held is None:
            return Reading(mime=fetch.mime)
        return replace(held.reading, leaves=self._world.leaves(fetch.url)) if self._text else held.reading


class Inside:
    """The fence around a world: matches every address with an answer in the archive, a page, a redirect or an error."""

    def __init__(self, world: World) -> None:
        self._addresses = world.addresses

    def locked(self, url: str) -> bool:
        """Tell whether an address is inside; `Rulebook.only` uses this name."""
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
