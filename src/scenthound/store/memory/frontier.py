"""The frontier in memory: claim URLs, and give them back."""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice

from scenthound.parse.urls import origin_of
from scenthound.store.memory.record import Recorder
from scenthound.store.memory.rows import Host, Lease, Tally, Url
from scenthound.store.rules import HORIZON, HostState, UrlState, urgent_enough
from scenthound.types import Awaited, Claim, Discovery, Errand, HeldBack, Limits, Outcome, Reason, Recorded


class MemoryFrontier(Recorder):
    """Verbs about URLs that wait or are claimed."""

    def add(self, discoveries: Sequence[Discovery], *, now: float) -> int:
        known = len(self._urls)
        self._absorb(discoveries, None, now)
        return len(self._urls) - known

    def claim(self, *, owner: str, now: float, limit: int, limits: Limits, lease: float) -> list[Claim]:
        self._limits = limits
        self._give_back([url for url in self._in_state(UrlState.CLAIMED) if url.lease and url.lease.until <= now], now)
        tally = self._tally()
        floor = self._floor(tally, now)
        claims: list[Claim] = []
        for url in islice(self._claimable(tally, now), self._within_budget(limit)):
            if not self._good_enough(url, floor):
                break  # nor is any after it
            claims.append(self._take(url, tally, owner=owner, now=now, lease=lease))
        return claims

    def _within_budget(self, limit: int) -> int:
        if not self._limits.budget:
            return limit
        pages = sum(url.counted for url in self._urls.values())
        return max(0, min(limit, self._limits.budget - pages - len(self._in_state(UrlState.CLAIMED))))

    def record(
        self,
        outcomes: Sequence[Outcome],
        *,
        now: float,
        archived: dict[str, int],
        synced: Callable[[], None] | None = None,
        soon: bool = False,
    ) -> list[Recorded]:
        if synced is not None:
            synced()  # first, where others ask last: there is no undoing here
        recorded = [self._record(outcome, now) for outcome in outcomes]
        self._archived.update(archived)
        return recorded

    def settle(self) -> None:
        pass  # there is no disk

    def release(self, *, owner: str | None, now: float) -> int:
        held = [url for url in self._in_state(UrlState.CLAIMED) if url.lease and owner in (None, url.lease.owner)]
        self._give_back(held, now)
        return len(held)

    def reconsider(self, reasons: Collection[Reason], *, now: float) -> int:
        again = [
            url
            for url in self._urls.values()
            if url.state in (UrlState.REFUSED, UrlState.FAILED) and url.reason in reasons
        ]
        for url in again:
            url.state, url.tries, url.reason, url.detail = UrlState.WAITING, 0, None, ""
        return len(again)

    def next_due(self, *, now: float, again: bool = False) -> float | None:
        return self._due_next(now, again=again)

    def examples_due(self, *, now: float) -> float | None:
        if any(url.example for url in self._in_state(UrlState.CLAIMED)):
            return now
        tally = self._tally()
        hosts = {url.host for url in self._waiting_examples()}
        states = [(self._host_state(host, tally, now), host.due) for host in hosts]
        dues = [
            due if state is HostState.RESTING else now
            for state, due in states
            if state not in (HostState.BAD, HostState.CAPPED)
        ]
        return min(dues, default=None)

    def awaited(self, *, now: float) -> Awaited | None:
        tally = self._tally()
        hopes = [
            url
            for url in self._in_state(UrlState.WAITING)
            if url.rank == 0
            and url.host.due <= now + HORIZON
            and self._host_state(url.host, tally, now) not in (HostState.BAD, HostState.CAPPED)
        ]
        best = min(hopes, key=lambda url: (-url.priority, url.host.name), default=None)
        if best is None:
            return None
        return Awaited(host=best.host.name, due=best.host.due, delay=best.host.delay, priority=best.priority)

    def held_back(self, *, now: float, choosy: float, most: int) -> HeldBack:
        tally = self._tally()
        hope = self.awaited(now=now)
        best: dict[Host, Url] = {}
        for url in sorted(self._in_state(UrlState.WAITING), key=lambda url: self._order(url, tally)):
            best.setdefault(url.host, url)
        held = [
            url.priority
            for host, url in best.items()
            if (url.rank > 0 or (url.rank == 0 and hope is not None and url.priority < choosy * hope.priority))
            and self._host_state(host, tally, now) is HostState.READY
        ][:most]
        return HeldBack(hosts=len(held), promise=sum(held))

    def _claimable(self, tally: Tally, now: float) -> Iterator[Url]:
        """Yield what a claim can take, best first. One pass is enough: each URL taken only narrows the rest."""
        for url in sorted(self._in_state(UrlState.WAITING), key=lambda url: self._order(url, tally)):
            if self._host_state(url.host, tally, now) is HostState.READY:
                yield url

    def _floor(self, tally: Tally, now: float) -> float | None:
        """Return the least priority that a choosy crawl takes."""
        hope = self.awaited(now=now) if self._limits.choosy else None
        return None if hope is None else self._limits.choosy * hope.priority

    def _good_enough(self, url: Url, floor: float | None) -> bool:
        """Tell whether a URL is taken at all now; what ranks before the others, as examples do, always is."""
        if urgent_enough(url.rank, self._limits):
            return True
        return not (self._limits.examples or self._limits.again) and (
            floor is None or (url.rank == 0 and url.priority >= floor)
        )

    def _order(self, url: Url, tally: Tally) -> tuple[int, float, int, int]:
        """Return what the frontier is sorted by (RELATIONAL §3.2: tries, relevance, load of the server)."""
        return (url.rank, -url.priority, tally.pages[url.host.name], url.id)

    def _take(self, url: Url, tally: Tally, *, owner: str, now: float, lease: float) -> Claim:
        host = url.host
        errand = Errand.ROBOTS if self._limits.robots and self._lacks_rules(url, now) else Errand.PAGE
        host.due = now + max(self._limits.delay, host.delay)
        url.state = UrlState.CLAIMED
        url.lease = Lease(owner=owner, until=now + lease, paced=host.due, errand=errand)
        tally.waiting[host.name] -= 1
        tally.occupy(url)
        before = url.page if url.fetched_before else None
        return Claim(
            id=url.id,
            url=url.url,
            host=host.name,
            errand=errand,
            demoted=url.demoted,
            priority=url.priority,
            depth=url.depth,
            hops=url.hops,
            tries=url.tries,
            host_failures=host.failures,
            host_delay=host.delay,
            etag=before.etag if before else None,
            last_modified=before.last_modified if before else None,
            before=before.original(url.url) if before else None,
            example=url.example,
            via=url.via.page.hands_on() if url.via and url.via.page else None,
        )

    def _lacks_rules(self, url: Url, now: float) -> bool:
        known = self._robots.get(origin_of(url.url))
        return known is None or known.expires <= now

    def _give_back(self, urls: list[Url], now: float) -> None:
        for url in urls:
            url.state, url.lease = UrlState.WAITING, None
            url.host.due = max(url.host.due, now + max(self._limits.delay, url.host.delay))
