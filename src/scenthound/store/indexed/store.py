"""The in-memory store made quick, for the lab and for tests: the specification, with indexes beside its plain data.

Everything stays in memory, terms and all, and is gone with the process: a crawl worth keeping goes to SQLite. What is
called for every page costs the same however many URLs are known; what is called once in a crawl leaves the work to the
specification and then builds the indexes again.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from scenthound.store.indexed.frontier import IndexedFrontier
from scenthound.store.indexed.pages import Citations, Likenesses
from scenthound.store.memory.rows import WAITING, Host, Page, Tally, Url
from scenthound.store.memory.store import MemoryStore
from scenthound.store.rules import Hope, HostState, UrlState, improves
from scenthound.types import (
    Call,
    Claim,
    Discovery,
    Ending,
    Errand,
    HeldBack,
    Limits,
    Link,
    Original,
    Outcome,
    PutOff,
    Reason,
    Recorded,
    Rescored,
)


class IndexedStore(MemoryStore):
    """Keep a crawl in memory, quickly."""

    def __init__(self, *, bad_after: int = 3) -> None:
        super().__init__(bad_after=bad_after)
        self._counts = super()._tally()
        self._frontier = IndexedFrontier(
            lambda host, now: self._host_state(host, self._counts, now), lambda host: self._counts.pages[host.name]
        )
        self._claimed: dict[str, Url] = {}
        self._wanted: dict[str, Url] = {}
        self._likenesses = Likenesses()
        self._links_to = Citations(self._links)

    # -- claiming

    def claim(self, *, owner: str, now: float, limit: int, limits: Limits, lease: float) -> list[Claim]:
        if _room(limits) != _room(self._limits):
            self._frontier.touch_all()
        return super().claim(owner=owner, now=now, limit=limit, limits=limits, lease=lease)

    def _claimable(self, tally: Tally, now: float) -> Iterator[Url]:
        while (url := self._frontier.best(now)) is not None:
            yield url

    def _floor(self, tally: Tally, now: float) -> float | None:
        hope = self._frontier.best_hope(now) if self._limits.choosy else None
        return None if hope is None else self._limits.choosy * hope

    def held_back(self, *, now: float, choosy: float, most: int) -> HeldBack:
        hope = self._frontier.best_hope(now)
        floor = None if hope is None else choosy * hope
        ready = (host for host in self._hosts.values() if self._host_state(host, self._counts, now) is HostState.READY)
        poor = sorted(filter(None, (self._frontier.poor(host, floor) for host in ready)))[:most]
        return HeldBack(hosts=len(poor), promise=sum(-key[1] for key in poor))

    def _take(self, url: Url, tally: Tally, *, owner: str, now: float, lease: float) -> Claim:
        self._claimed[url.url] = url
        self._wanted.pop(url.url, None)
        self._frontier.touch(url.host)
        return super()._take(url, tally, owner=owner, now=now, lease=lease)

    def _give_back(self, urls: list[Url], now: float) -> None:
        for url in urls:
            self._vacate(url)
        super()._give_back(urls, now)
        for url in urls:
            self._wait(url)

    def _vacate(self, url: Url) -> None:
        """Free the places of a claim, while its lease still says which."""
        host, counts = url.host, self._counts
        del self._claimed[url.url]
        counts.busy[host.name] -= 1
        counts.domains[host.domain] -= 1
        counts.ips[host.ip] -= 1
        if url.lease and url.lease.errand is Errand.ROBOTS:
            counts.errands.discard(host.name)
        self._frontier.touch(host)
        self._frontier.free(host.domain, host.ip)

    def _wait(self, url: Url) -> None:
        """Count a URL that waits from now on, and let it compete."""
        self._counts.waiting[url.host.name] += 1
        self._frontier.offer(url)
        if url.example:
            self._wanted[url.url] = url

    def _due_next(self, now: float, *, again: bool = False) -> float | None:
        return super()._due_next(now, again=True) if again else self._frontier.next_due(now)

    def _in_state(self, state: UrlState) -> list[Url]:
        return list(self._claimed.values()) if state is UrlState.CLAIMED else super()._in_state(state)

    def _waiting_examples(self) -> Iterable[Url]:
        return self._wanted.values()

    def _tally(self) -> Tally:
        return self._counts

    # -- recording

    def _record(self, outcome: Outcome, now: float) -> Recorded:
        url = self._claimed.get(outcome.claim.url)
        if url is None:
            return Recorded()
        host, address = url.host, url.host.ip
        self._vacate(url)
        recorded = super()._record(outcome, now)
        if host.ip != address:  # what it has in flight counts for the address at which it was met now
            self._counts.ips[address] -= self._counts.busy[host.name]
            self._counts.ips[host.ip] += self._counts.busy[host.name]
        if url.state is UrlState.WAITING:
            self._wait(url)
        self._counts.pages[host.name] += url.state is UrlState.PAGE and not url.example
        return recorded

    def _treat_called(self, host: Host, call: Call) -> None:
        address = host.ip
        super()._treat_called(host, call)
        if host.ip != address:  # as when a claim of it is recorded
            self._counts.ips[address] -= self._counts.busy[host.name]
            self._counts.ips[host.ip] += self._counts.busy[host.name]
        self._frontier.touch(host)
        self._frontier.free(host.domain, address)

    def _find(self, url: Url, find: Discovery, referrer: Url | None, now: float) -> None:
        url.found(find, referrer, now)
        if not find.refusal:
            self._wait(url)

    def _find_again(self, url: Url, find: Discovery, referrer: Url | None) -> None:
        hope, demoted = url.hope, url.demoted
        if find.cited is None and not find.example and not improves(find, hope.best, demoted, url.depth, url.hops):
            return  # the common case: navigation
        url.found_again(find, referrer)
        if find.example:
            self._wanted[url.url] = url
        if url.hope.priority > hope.priority or url.demoted < demoted:
            self._frontier.offer(url)

    def _move(self, priorities: Mapping[str, float]) -> int:
        moved = 0
        for address, priority in priorities.items():
            url = self._urls.get(address)
            if url is None or url.state is not WAITING:
                continue
            old = url.hope
            if old.citing or old.best != priority:
                url.hope = Hope(priority)
                moved += 1
                if priority > old.priority:
                    self._frontier.offer(url)
        return moved

    def _record_page(self, url: Url, outcome: Outcome, found: Mapping[str, Url]) -> Page:
        before = url.page
        page = super()._record_page(url, outcome, found)
        if page is not before:
            self._links_to.add(url)
            if before is not None:
                self._links_to.forget()
            if page.ending is Ending.PAGE:
                self._likenesses.add(page)
        return page

    # -- looking

    def _perhaps_alike(self, page: Page) -> list[Page]:
        return self._likenesses.of(page)

    def originals(self, digests: Sequence[str]) -> dict[str, Original]:
        found = ((digest, self._likenesses.first(digest)) for digest in digests)
        return {digest: page.original(page.url.url) for digest, page in found if page}

    def _citations(self, url: Url) -> list[tuple[Url, Link]]:
        return self._links_to.of(url, self._urls.values())

    def revisit_pages(self, urls: Sequence[str], *, priority: float, now: float) -> int:
        pages = [url for url in dict.fromkeys(urls) if url in self._urls and self._urls[url].state is UrlState.PAGE]
        again = super().revisit_pages(pages, priority=priority, now=now)
        for url in (self._urls[address] for address in pages):
            self._counts.pages[url.host.name] -= not url.example
            self._wait(url)
            self._frontier.touch(url.host)
        return again

    # -- once in a crawl

    def revisit(self, turns: Mapping[str, int], *, now: float) -> int:
        return self._indexed_again(super().revisit(turns, now=now))

    def lose_file(self, file: str, *, now: float) -> int:
        return self._indexed_again(super().lose_file(file, now=now))

    def wind_back(self, *, now: float) -> PutOff:
        self._frontier.touch_all()
        return super().wind_back(now=now)

    def leave_alone(self, *, now: float) -> int:
        return self._indexed_again(super().leave_alone(now=now))

    def forgive(self, *, now: float) -> int:
        self._frontier.touch_all()
        return super().forgive(now=now)

    def reconsider(self, reasons: Collection[Reason], *, now: float) -> int:
        return self._indexed_again(super().reconsider(reasons, now=now))

    def rescore(
        self, *, by_promise: bool, blend: bool, nofollow: bool, now: float, after: int = 0, limit: int
    ) -> Rescored:
        found = super().rescore(
            by_promise=by_promise, blend=blend, nofollow=nofollow, now=now, after=after, limit=limit
        )
        self._indexed_again(found.moved)
        return found

    def _indexed_again(self, changed: int) -> int:
        """Count and queue everything again if anything changed; return how much did."""
        if changed:
            waiting = self._in_state(UrlState.WAITING)
            self._counts = super()._tally()
            self._wanted = {url.url: url for url in waiting if url.example}
            self._frontier.clear()
            for url in waiting:
                self._frontier.offer(url)
        return changed


def _room(limits: Limits) -> tuple[int, int, int, int]:
    """Return those limits that decide about the state of hosts."""
    return (limits.per_host, limits.per_domain, limits.per_ip, limits.pages_per_host)
