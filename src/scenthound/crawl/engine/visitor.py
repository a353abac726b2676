"""Carry out a claim's errand on the network: fetch its page, or the robots.txt that comes first.

A robots.txt may lie on another host, which was not claimed. The visitor looks that host up, asks it no sooner than it
wants and not at all if it is bad, and reports its answer as a `Call`, so that its own pages respect the pause.
"""

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from scenthound.clock import Clock
from scenthound.crawl.engine.fellows import ALONE, Fellows
from scenthound.errors import ScenthoundError
from scenthound.fetch.fetcher import Fetcher, NotSentError, Request, robots_request
from scenthound.frontier.gate import HostGate
from scenthound.frontier.politeness import host_is_to_blame, rest_after
from scenthound.parse.urls import Locks, canonical, domain_of, host_of, origin_of
from scenthound.settings.schema import FetchSettings
from scenthound.store.rules import HostState
from scenthound.types import Call, Claim, Errand, Fetch, HostView, Reason

ROBOTS_HOPS = 5  # RFC 9309 §2.3.1.2: at least five consecutive redirects of a robots.txt are followed
# Seconds of rest of another host that are waited for: with all hops and timeouts less than a claim's lease.
HOP_WAIT = 30.0
LEASE_LOOK = 0.2  # seconds between two looks whether a lease was renewed

log = logging.getLogger(__name__)

LookUp = Callable[[str], Awaitable[HostView | None]]
"""What the store knows of a host, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trip:
    """The result of an errand: the exchange, whether its body is a page to be understood, and the other hosts asked."""

    fetch: Fetch
    understand: bool = False
    calls: tuple[Call, ...] = ()


class _LostLeaseError(Exception):
    """Other engines have taken over what this one had claimed."""


class Visitor:
    """Carries out errands. Among several engines, it asks nobody while the lease of this one is not fresh."""

    def __init__(
        self,
        fetcher: Fetcher,
        *,
        settings: FetchSettings,
        clock: Clock,
        fellows: Fellows = ALONE,
    ) -> None:
        self._fellows = fellows
        self._fetcher = fetcher
        self._clock = clock
        self._settings = settings
        self._locks = Locks(settings.locked)
        self._gate = HostGate(clock, per_host=settings.per_host, per_domain=settings.per_domain, per_ip=settings.per_ip)

    async def visit(self, claim: Claim, look_up: LookUp) -> Trip | None:
        """Do the errand of a claim; None if this engine has lost it since."""
        with suppress(_LostLeaseError):
            return await self._visit(claim, look_up)
        return None

    async def _visit(self, claim: Claim, look_up: LookUp) -> Trip:
        if claim.errand is Errand.ROBOTS:
            return await self._fetch_robots(claim, look_up)
        request = Request(url=claim.url, etag=claim.etag, last_modified=claim.last_modified)
        fetch = await self._ask(request, claim.host, claim.engine, delay=claim.host_delay, failures=claim.host_failures)
        return Trip(fetch=fetch, understand=fetch.reason is None and not fetch.location and fetch.status != 304)

    async def _fetch_robots(self, claim: Claim, look_up: LookUp) -> Trip:
        url = origin_of(claim.url) + "/robots.txt"
        delay, failures, engine = claim.host_delay, claim.host_failures, claim.engine
        fetch = await self._ask(robots_request(url), claim.host, engine, delay=delay, failures=failures)
        calls: list[Call] = []
        for _ in range(ROBOTS_HOPS):
            target = canonical(fetch.location, url) if fetch.location else None
            if target is None or self._locks.locked(target):
                break
            url, host = target, host_of(target)
            if host == claim.host:
                fetch = await self._ask(robots_request(url), host, engine, delay=delay, failures=failures)
                continue
            fetch, call = await self._call(url, host, await look_up(host), engine)
            calls += [call] if call else []
        return Trip(fetch=fetch, calls=tuple(calls))

    async def _call(self, url: str, host: str, known: HostView | None, engine: int) -> tuple[Fetch, Call | None]:
        """Ask a host that was not claimed, unless it is bad or must rest for long."""
        now = self._clock.now()
        if known is not None:
            if known.state == HostState.BAD:
                return _unasked(url, now, f"it lies on {host}, and {host} is bad"), None
            if known.due - now > HOP_WAIT:
                wait = known.due - now
                return _unasked(url, now, f"it lies on {host}, which may be asked in {wait:.0f} s", wait), None
            self._gate.rest(host, known.due)
            self._gate.note_address(host, known.ip)
        delay, failures = (known.delay, known.failures) if known is not None else (0.0, 0)
        fetch = await self._ask(robots_request(url), host, engine, delay=delay, failures=failures)
        call = Call(
            host=host,
            domain=domain_of(host),
            finished=fetch.finished,
            rest=rest_after(fetch, settings=self._settings, failures=failures, host_delay=delay),
            ip=fetch.ip,
            answered=bool(fetch.status),
            reason=fetch.reason if host_is_to_blame(fetch.reason) else None,
        )
        return fetch, call

    async def _ask(self, request: Request, host: str, engine: int, *, delay: float, failures: int) -> Fetch:
        async with self._gate.enter(host, max(self._settings.delay, delay)):
            fetch = await self._fetch_by_lease(request, engine)
            # The store does the same when it records the call; until then the host gets no other request.
            rest = rest_after(fetch, settings=self._settings, failures=failures, host_delay=delay)
            self._gate.rest(host, fetch.finished + rest)
            self._gate.note_address(host, fetch.ip)
        return fetch

    async def _fetch_by_lease(self, request: Request, engine: int) -> Fetch:
        """Fetch when the lease is fresh. It may end while the connection is made; then the request is not sent."""
        request = replace(request, may_send=lambda: self._fellows.may_ask(engine))
        while True:
            await self._wait_for_lease(engine)
            with suppress(NotSentError):
                return await self._fetch(request)

    async def _wait_for_lease(self, engine: int) -> None:
        """Ask nobody while the lease of this engine is not fresh: another one may be about to take over."""
        while not self._fellows.may_ask(engine):
            if self._fellows.has_lost(engine):
                raise _LostLeaseError
            await self._clock.sleep(LEASE_LOOK)

    async def _fetch(self, request: Request) -> Fetch:
        started = self._clock.now()
        try:
            return await self._fetcher.fetch(request)
        except ScenthoundError:
            raise
        except Exception as error:
            # A fetcher answers with reasons. If it raises, the fault is ours, and must not end a crawl that runs
            # overnight. The log has all of it.
            log.exception("fetching %s", request.url)
            detail = f"{type(error).__name__}: {error}"[:200]
            return Fetch(
                url=request.url, started=started, finished=self._clock.now(), reason=Reason.PROTOCOL, detail=detail
            )


def _unasked(url: str, now: float, why: str, wait: float | None = None) -> Fetch:
    """Return what stands for an exchange that does not take place now."""
    return Fetch(url=url, started=now, finished=now, reason=Reason.ROBOTS_UNREACHABLE, detail=why, retry_after=wait)
