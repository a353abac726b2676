"""Carrying out a claim's errand on the network: fetch its page, or the robots.txt that must be known first."""

import logging

from scenthound.clock import Clock
from scenthound.config import FetchSettings
from scenthound.fetch.base import Fetcher, Request, robots_request
from scenthound.frontier.gate import HostGate
from scenthound.parse.urls import Locks, canonical, host_of, origin_of
from scenthound.types import Claim, Errand, Fetch, Reason

ROBOTS_HOPS = 5  # RFC 9309 §2.3.1.2: at least five consecutive redirects of a robots.txt are followed

log = logging.getLogger(__name__)


class Visitor:
    def __init__(self, fetcher: Fetcher, *, settings: FetchSettings, clock: Clock) -> None:
        self._fetcher = fetcher
        self._clock = clock
        self._delay = settings.delay
        self._locks = Locks(settings.locked)
        self._gate = HostGate(clock, per_host=settings.per_host)

    async def visit(self, claim: Claim) -> tuple[Fetch, bool]:
        """Do the errand; return the exchange, and whether its body is a page to be understood."""
        if claim.errand is Errand.ROBOTS:
            return await self._fetch_robots(claim), False
        request = Request(url=claim.url, etag=claim.etag, last_modified=claim.last_modified)
        fetch = await self._ask(request, claim.host, max(self._delay, claim.host_delay))
        return fetch, fetch.reason is None and not fetch.location and fetch.status != 304

    async def _fetch_robots(self, claim: Claim) -> Fetch:
        url = origin_of(claim.url) + "/robots.txt"
        for _ in range(ROBOTS_HOPS + 1):
            fetch = await self._ask(robots_request(url), host_of(url), max(self._delay, claim.host_delay))
            target = canonical(fetch.location, url) if fetch.location else None
            if target is None or self._locks.locked(target):
                break
            url = target
        return fetch

    async def _ask(self, request: Request, host: str, delay: float) -> Fetch:
        async with self._gate.enter(host, delay):
            started = self._clock.now()
            try:
                return await self._fetcher.fetch(request)
            except Exception as error:
                # A fetcher answers with reasons; what it raises is a fault of ours, and must not end a crawl that
                # somebody left running overnight. The log has the whole of it.
                log.exception("fetching %s", request.url)
                detail = f"{type(error).__name__}: {error}"[:200]
                return Fetch(
                    url=request.url, started=started, finished=self._clock.now(), reason=Reason.PROTOCOL, detail=detail
                )
