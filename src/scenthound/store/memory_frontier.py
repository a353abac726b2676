"""The in-memory store's frontier: what waits, in which order it is claimed, and how it comes to wait."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from scenthound.parse.urls import origin_of
from scenthound.store.memory_hosts import MemoryHosts
from scenthound.store.memory_values import REFUSED, WAITING, Host, Lease, Tally, Url, waiting_of
from scenthound.store.rules import (
    AHEAD,
    HORIZON,
    Hope,
    HostState,
    UrlState,
    again_rank,
    due_after_clock,
    merged,
    rank_after,
    urgent_enough,
    waits_again,
)
from scenthound.types import Awaited, Claim, Discovery, Errand, HeldBack, Limits, PutOff, Reason, RobotsAnswer, Waiting


class MemoryFrontier(MemoryHosts):
    """Verbs about URLs that wait or are claimed."""

    def __init__(self) -> None:
        super().__init__()
        self._robots: dict[str, RobotsAnswer] = {}

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
        for url in islice(self._claimable(tally, now), limit):
            if not self._good_enough(url, floor):
                break  # nor is any after it
            claims.append(self._take(url, tally, owner=owner, now=now, lease=lease))
        return claims

    def _claimable(self, tally: Tally, now: float) -> Iterator[Url]:
        """Yield what may be taken, best first. One pass is enough: taking a URL only ever narrows what comes after it."""
        for url in sorted(self._in_state(UrlState.WAITING), key=lambda url: self._order(url, tally)):
            if self._state(url.host, tally, now) is HostState.READY:
                yield url

    def _floor(self, tally: Tally, now: float) -> float | None:
        """Return the least priority that a choosy crawl takes."""
        hope = self.awaited(now=now) if self._limits.choosy else None
        return None if hope is None else self._limits.choosy * hope.priority

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
            and self._state(host, tally, now) is HostState.READY
        ][:most]
        return HeldBack(hosts=len(held), promise=sum(held))

    def awaited(self, *, now: float) -> Awaited | None:
        tally = self._tally()
        hopes = [
            url
            for url in self._in_state(UrlState.WAITING)
            if url.rank == 0
            and url.host.due <= now + HORIZON
            and self._state(url.host, tally, now) not in (HostState.BAD, HostState.CAPPED)
        ]
        best = min(hopes, key=lambda url: (-url.priority, url.host.name), default=None)
        if best is None:
            return None
        return Awaited(host=best.host.name, due=best.host.due, delay=best.host.delay, priority=best.priority)

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

    def release(self, *, owner: str | None, now: float) -> int:
        held = [url for url in self._in_state(UrlState.CLAIMED) if url.lease and owner in (None, url.lease.owner)]
        self._give_back(held, now)
        return len(held)

    def _give_back(self, urls: list[Url], now: float) -> None:
        for url in urls:
            url.state, url.lease = UrlState.WAITING, None
            url.host.due = max(url.host.due, now + max(self._limits.delay, url.host.delay))

    def revisit(self, turns: Mapping[str, int], *, now: float) -> int:
        known = [(self._urls[url], turn) for url, turn in turns.items() if url in self._urls]
        pages = [(url, turn) for url, turn in known if url.state is UrlState.PAGE and url.page]
        for url, turn in pages:
            url.demoted = url.demoted if url.example else again_rank(turn)
            self._visit_again(url)
        return len(pages)

    def wind_back(self, *, now: float) -> PutOff:
        last: dict[Host, float] = {}
        for url in self._urls.values():
            for attempt in url.attempts:
                if attempt.at > now + AHEAD:
                    last[url.host] = max(attempt.at, last.get(url.host, 0.0))
        if not last:
            return PutOff()
        hosts, latest = 0, max(last.values())
        for host in self._hosts.values():
            delay = max(host.delay, self._limits.delay)
            due = due_after_clock(host.due, last=last.get(host), latest=latest, delay=delay, now=now)
            hosts += due != host.due
            host.due = due
        rules = [answer for answer in self._robots.values() if answer.fetched > now + AHEAD]
        self._robots |= {answer.origin: replace(answer, fetched=now, expires=now) for answer in rules}
        for url in self._urls.values():
            url.visits = tuple(replace(visit, at=min(visit.at, now)) for visit in url.visits)
            if url.page:
                url.page.fetched_at = min(url.page.fetched_at, now)
        return PutOff(ahead=latest - now, hosts=hosts, robots=len(rules))

    def leave_alone(self, *, now: float) -> int:
        waiting = [
            url
            for url in self._in_state(UrlState.WAITING)
            if waits_again(url.demoted, fetched_before=url.fetched_before, example=url.example)
        ]
        for url in waiting:
            url.state = UrlState.PAGE
            url.demoted = rank_after(url.demoted, url.state)
        return len(waiting)

    def revisit_pages(self, urls: Sequence[str], *, priority: float, now: float) -> int:
        known = [self._urls[url] for url in dict.fromkeys(urls) if url in self._urls]
        pages = [url for url in known if url.state is UrlState.PAGE and url.page]
        for url in pages:
            url.hope = Hope(priority)
            self._visit_again(url)
        return len(pages)

    def _visit_again(self, url: Url) -> None:
        url.state, url.tries, url.fetched_before = UrlState.WAITING, 0, True

    def reconsider(self, reasons: Collection[Reason], *, now: float) -> int:
        again = [
            url
            for url in self._urls.values()
            if url.state in (UrlState.REFUSED, UrlState.FAILED) and url.reason in reasons
        ]
        for url in again:
            url.state, url.tries, url.reason, url.detail = UrlState.WAITING, 0, None, ""
        return len(again)

    def move(self, priorities: Mapping[str, float], *, now: float) -> int:
        return self._move(priorities)

    def _move(self, priorities: Mapping[str, float]) -> int:
        moved = 0
        for address, priority in priorities.items():
            url = self._urls.get(address)
            if url is not None and url.state is UrlState.WAITING and url.hope != Hope(priority):
                url.hope = Hope(priority)
                moved += 1
        return moved

    def waiting(self, *, after: int = 0, limit: int) -> list[Waiting]:
        later = islice(self._urls.values(), after, None)  # ids count from 1, in this order
        found = (url for url in later if url.state is UrlState.WAITING and not url.example)
        return [waiting_of(url) for url in islice(found, limit)]

    def _absorb(self, discoveries: Sequence[Discovery], referrer: Url | None, now: float) -> dict[str, Url]:
        """Take over what was discovered; return the URLs by address."""
        urls: dict[str, Url] = {}
        for address, find in merged(discoveries).items():
            url = self._urls.get(address)
            if url is None:
                url = self._urls[address] = Url(
                    id=len(self._urls) + 1, url=address, host=self._known_host(find.host, find.domain)
                )
                self._find(url, find, referrer, now)
            elif not find.refusal and url.state is REFUSED:
                self._find(url, find, referrer, now)
            elif not find.refusal and url.state is WAITING:
                self._find_again(url, find, referrer)
            urls[address] = url
        return urls

    def _known_host(self, name: str, domain: str) -> Host:
        if name not in self._hosts:
            self._hosts[name] = Host(name=name, domain=domain)
        return self._hosts[name]

    def _find(self, url: Url, find: Discovery, referrer: Url | None, now: float) -> None:
        url.found(find, referrer, now)

    def _find_again(self, url: Url, find: Discovery, referrer: Url | None) -> None:
        url.found_again(find, referrer)
