"""The store as plain Python objects: the specification that every database must agree with.

Nothing here is clever. Counts are taken by looking at every URL, so that they cannot be wrong; that costs
time in proportion to the frontier, which is fine for tests, demos and small labs.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import TracebackType
from typing import Self

from scenthound.parse.urls import origin_of
from scenthound.store.memory_judging import MemoryJudging
from scenthound.store.memory_values import (
    REFUSED,
    WAITING,
    Host,
    Lease,
    Links,
    Page,
    Tally,
    Url,
    attempt_of,
    near,
    page_of,
    row_of,
    same_canonical,
    same_content,
    waiting_of,
)
from scenthound.store.rules import (
    CITATIONS_SHOWN,
    FINAL,
    HORIZON,
    TEACHING,
    WHOLE_HOST,
    Hope,
    HostState,
    UrlState,
    answered,
    attempted,
    full,
    merged,
    own_state,
    state_after,
)
from scenthound.types import (
    Census,
    Citation,
    Claim,
    Discovery,
    Ending,
    Errand,
    HostView,
    Limits,
    Original,
    Outcome,
    PageRow,
    Reason,
    Recorded,
    RobotsAnswer,
    ShapeYield,
    Story,
    Waiting,
)


class MemoryStore(MemoryJudging):
    """Keep a crawl in memory, for as long as the process lives."""

    def __init__(self, *, bad_after: int = 3) -> None:
        super().__init__()
        self._bad_after = bad_after
        self._limits = Limits()
        self._hosts: dict[str, Host] = {}
        self._robots: dict[str, RobotsAnswer] = {}
        self._shapes: dict[tuple[str, str], ShapeYield] = {}
        self._archived: dict[str, int] = {}
        self._notes: dict[str, str] = {}
        self._n = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""

    # -- the frontier

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
        hopes = [
            url.priority
            for url in self._in_state(UrlState.WAITING)
            if url.rank == 0
            and url.host.due <= now + HORIZON
            and self._state(url.host, tally, now) not in (HostState.BAD, HostState.CAPPED)
        ]
        return self._limits.choosy * max(hopes) if self._limits.choosy and hopes else None

    def _good_enough(self, url: Url, floor: float | None) -> bool:
        """Tell whether a URL is taken at all now; what ranks before the others, as examples do, always is."""
        if url.rank < 0:
            return True
        return not self._limits.examples and (floor is None or (url.rank == 0 and url.priority >= floor))

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

    def next_due(self, *, now: float) -> float | None:
        tally = self._tally()
        dues = [
            max(now, host.due)
            for host in self._hosts.values()
            if self._state(host, tally, max(now, host.due)) is HostState.READY
        ]
        return min(dues, default=None)

    def examples_due(self, *, now: float) -> float | None:
        if any(url.example for url in self._in_state(UrlState.CLAIMED)):
            return now
        tally = self._tally()
        hosts = {url.host for url in self._waiting_examples()}
        states = [(self._state(host, tally, now), host.due) for host in hosts]
        dues = [
            due if state is HostState.RESTING else now
            for state, due in states
            if state not in (HostState.BAD, HostState.CAPPED)
        ]
        return min(dues, default=None)

    def revisit(self, *, before: float, now: float) -> int:
        old = [url for url in self._in_state(UrlState.PAGE) if url.page and url.page.fetched_at < before]
        for url in old:
            url.state, url.tries, url.fetched_before = UrlState.WAITING, 0, True
        return len(old)

    def forgive(self, *, now: float) -> int:
        bad = [host for host in self._hosts.values() if host.bad]
        for host in bad:
            host.bad, host.failures, host.reason = False, 0, ""
        return len(bad)

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

    def waiting(self, *, after: int = 0, limit: int) -> list[Waiting]:
        later = islice(self._urls.values(), after, None)  # ids count from 1, in this order
        found = (url for url in later if url.state is UrlState.WAITING and not url.example)
        return [waiting_of(url) for url in islice(found, limit)]

    # -- recording

    def record(self, outcomes: Sequence[Outcome], *, now: float, archived: dict[str, int]) -> list[Recorded]:
        recorded = [self._record(outcome, now) for outcome in outcomes]
        self._archived.update(archived)
        return recorded

    def _record(self, outcome: Outcome, now: float) -> Recorded:
        url = self._urls.get(outcome.claim.url)
        if url is None or url.lease is None:
            return Recorded()
        lease, url.lease = url.lease, None
        went_bad = self._treat_host(url.host, outcome, lease, now)
        url.state = state_after(outcome.ending, fetched_before=url.fetched_before)
        url.tries += outcome.ending is Ending.RETRY
        failed = url.state is UrlState.FAILED
        url.reason, url.detail = (outcome.reason, outcome.detail) if failed else (None, "")
        if outcome.robots:
            self._robots[outcome.robots.origin] = outcome.robots
        if attempted(outcome):
            url.attempts += (attempt_of(outcome, lease.errand),)
        known = len(self._urls)
        found = self._absorb(outcome.discoveries, url, now)
        new_urls = len(self._urls) - known
        self._move(outcome.moves)
        if outcome.ending not in FINAL:
            return Recorded(new_urls=new_urls, host_went_bad=went_bad)
        page = self._record_page(url, outcome, found)
        if outcome.lesson and outcome.ending in TEACHING:
            self._learn(url, outcome.lesson)
        return Recorded(
            n=page.n,
            duplicate_of=page.duplicate_of.url if page.duplicate_of else None,
            near_duplicate_of=page.near_duplicate_of.url if page.near_duplicate_of else None,
            new_urls=new_urls,
            host_went_bad=went_bad,
        )

    def _move(self, priorities: Mapping[str, float]) -> int:
        moved = 0
        for address, priority in priorities.items():
            url = self._urls.get(address)
            if url is not None and url.state is UrlState.WAITING and url.hope != Hope(priority):
                url.hope = Hope(priority)
                moved += 1
        return moved

    def _treat_host(self, host: Host, outcome: Outcome, lease: Lease, now: float) -> bool:
        """Note what the outcome says about its host; return whether it went bad."""
        if outcome.fetch and outcome.fetch.ip:
            host.ip = outcome.fetch.ip
        if outcome.host_delay is not None:
            host.delay = outcome.host_delay
        if outcome.asked:
            host.due = max(host.due, outcome.finished + outcome.rest)
        elif host.due == lease.paced:  # nobody else was asked since, nor told us to wait
            host.due = min(host.due, now)
        if outcome.host_failed:
            host.failures += 1
            host.reason = outcome.reason or ""
        elif answered(outcome) and not host.bad:
            host.failures, host.reason = 0, ""
        was_bad, host.bad = host.bad, host.bad or host.failures >= self._bad_after
        return host.bad and not was_bad

    def _absorb(self, discoveries: Sequence[Discovery], referrer: Url | None, now: float) -> dict[str, Url]:
        """Take over what was discovered; return the URLs by address."""
        urls: dict[str, Url] = {}
        for address, find in merged(discoveries).items():
            url = self._urls.get(address)
            if url is None:
                url = self._urls[address] = Url(id=len(self._urls) + 1, url=address, host=self._host(find))
                self._find(url, find, referrer, now)
            elif not find.refusal and url.state is REFUSED:
                self._find(url, find, referrer, now)
            elif not find.refusal and url.state is WAITING:
                self._find_again(url, find, referrer)
            urls[address] = url
        return urls

    def _host(self, find: Discovery) -> Host:
        if find.host not in self._hosts:
            self._hosts[find.host] = Host(name=find.host, domain=find.domain)
        return self._hosts[find.host]

    def _find(self, url: Url, find: Discovery, referrer: Url | None, now: float) -> None:
        url.found(find, referrer, now)

    def _find_again(self, url: Url, find: Discovery, referrer: Url | None) -> None:
        url.found_again(find, referrer)

    def _record_page(self, url: Url, outcome: Outcome, found: Mapping[str, Url]) -> Page:
        fetch = outcome.fetch
        if outcome.ending in (Ending.UNCHANGED, Ending.FAILED) and url.fetched_before and url.page:
            if outcome.ending is Ending.UNCHANGED and fetch:
                url.page.fetched_at = outcome.finished
                url.page.etag = fetch.etag or url.page.etag
                url.page.last_modified = fetch.last_modified or url.page.last_modified
            return url.page
        links = tuple([find.link for find in outcome.discoveries])
        targets = tuple([found[link.url] for link in links])
        self._links[url.id] = Links(targets, links)
        first_visit = not url.fetched_before
        self._n += 1
        url.page = None  # what it was before does not make it a duplicate
        page = page_of(url, outcome, self._n)
        if outcome.ending is Ending.PAGE:
            self._compare(page, url, outcome)
            if first_visit and outcome.shape:
                for shape in (outcome.shape, WHOLE_HOST):
                    self._count_shape((url.host.name, shape), novel=not (page.duplicate_of or page.near_duplicate_of))
        if outcome.ending is Ending.REDIRECT:
            page.target = next(iter(targets), None)
        url.counted = url.counted or (outcome.ending is Ending.PAGE and outcome.counts)
        url.page = page
        return page

    def _count_shape(self, key: tuple[str, str], *, novel: bool) -> None:
        old = self._shapes.get(key, ShapeYield())
        self._shapes[key] = ShapeYield(fetched=old.fetched + 1, novel=old.novel + novel)

    # -- sameness

    def _compare(self, page: Page, url: Url, outcome: Outcome) -> None:
        """Find the earliest page that this one repeats: by content, by declared canonical, or nearly."""
        page.canonical = self._canonical(url, outcome)
        earlier = self._perhaps_alike(page)
        for same in (same_content, same_canonical):
            page.duplicate_of = next((old.url for old in earlier if same(page, old)), None)
            if page.duplicate_of:
                return
        page.near_duplicate_of = next((old.url for old in earlier if near(page, old)), None)

    def _perhaps_alike(self, page: Page) -> list[Page]:
        """Return the pages to compare a new one with, in fetch order."""
        return [old for _, old in self._fetched(Ending.PAGE)]

    def _canonical(self, url: Url, outcome: Outcome) -> Url | None:
        """Return the declared canonical address, unless it lies on another registered domain."""
        wanted = outcome.reading.canonical if outcome.reading else ""
        if wanted == url.url:
            return url
        near_by = wanted and any(
            found.link.url == wanted and found.domain == url.host.domain for found in outcome.discoveries
        )
        return self._urls[wanted] if near_by else None

    # -- looking

    def robots(self, origin: str) -> RobotsAnswer | None:
        return self._robots.get(origin)

    def originals(self, digests: Sequence[str]) -> dict[str, Original]:
        latest_first = reversed(self._fetched(Ending.PAGE))
        return {page.digest: page.original(url.url) for url, page in latest_first if page.digest in digests}

    def shape_yields(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], ShapeYield]:
        return {key: self._shapes.get(key, ShapeYield()) for key in keys}

    def archived(self) -> dict[str, int]:
        return dict(self._archived)

    def note(self, key: str, value: str | None = None) -> str | None:
        if value is not None:
            self._notes[key] = value
        return self._notes.get(key)

    def census(self, *, now: float) -> Census:
        tally = self._tally()
        urls = self._urls.values()
        hosts = Counter(self._state(host, tally, now) for host in self._hosts.values())
        states = Counter(url.state for url in urls)
        pages = [url.page for url in urls if url.page and url.page.ending is Ending.PAGE]
        judged = [page.relevance for page in pages if page.counts and page.relevance is not None]
        return Census(
            pages=sum(url.counted for url in urls),
            waiting=states[UrlState.WAITING],
            claimed=states[UrlState.CLAIMED],
            redirects=states[UrlState.REDIRECT],
            failed=states[UrlState.FAILED],
            known=len(urls),
            duplicates=sum(page.duplicate_of is not None for page in pages),
            near_duplicates=sum(page.near_duplicate_of is not None for page in pages),
            relevance_sum=sum(judged),
            judged=len(judged),
            hosts=len(self._hosts),
            hosts_ready=hosts[HostState.READY],
            hosts_resting=hosts[HostState.RESTING],
            hosts_busy=hosts[HostState.BUSY],
            hosts_parked=hosts[HostState.PARKED],
            hosts_bad=hosts[HostState.BAD],
            hosts_capped=hosts[HostState.CAPPED],
            waiting_on_bad=sum(url.state is UrlState.WAITING and url.host.bad for url in urls),
            next_due=self.next_due(now=now),
            reasons=dict(Counter(url.reason.value for url in urls if url.reason)),
        )

    def hosts(self, *, now: float, state: str | None = None, limit: int = 20) -> list[HostView]:
        tally = self._tally()
        views = [self._view(host, tally, now) for host in self._hosts.values()]
        chosen = [view for view in views if state in (None, view.state)]
        return sorted(chosen, key=lambda view: (-view.waiting, view.host))[:limit]

    def story(self, url: str, *, now: float) -> Story | None:
        known = self._urls.get(url)
        if known is None:
            return None
        citing = self._citations(known)
        return Story(
            url=url,
            state=known.state,
            host=self._view(known.host, self._tally(), now),
            priority=known.priority,
            demoted=known.demoted,
            depth=known.depth,
            hops=known.hops,
            tries=known.tries,
            found_at=known.found_at,
            found_by=known.found_by,
            reason=known.reason,
            detail=known.detail,
            citations=tuple(
                Citation(url=source.url, kind=link.kind, text=link.text, nofollow=link.nofollow)
                for source, link in citing[:CITATIONS_SHOWN]
            ),
            citing_count=len(citing),
            attempts=known.attempts,
            robots=self._robots.get(origin_of(url)),
            page=row_of(known, known.page) if known.page else None,
        )

    def pages(
        self, *, after: int = 0, everything: bool = False, min_relevance: float | None = None
    ) -> Iterator[PageRow]:
        for url, page in self._fetched(*Ending):
            row = row_of(url, page)
            wanted = page.counts or (page.standing is not None and page.standing.promise is not None)
            ended = wanted and (row.ending is Ending.PAGE or (row.ending is Ending.FAILED and row.status > 0))
            relevant = min_relevance is None or (row.relevance is not None and row.relevance >= min_relevance)
            if row.n > after and (everything or ended) and relevant:
                yield row

    # -- counting

    def _in_state(self, state: UrlState) -> list[Url]:
        return [url for url in self._urls.values() if url.state is state]

    def _waiting_examples(self) -> Iterable[Url]:
        return (url for url in self._in_state(UrlState.WAITING) if url.example)

    def _tally(self) -> Tally:
        tally = Tally(Counter(), Counter(), Counter(), Counter(), Counter(), set())
        for url in self._urls.values():
            tally.waiting[url.host.name] += url.state is UrlState.WAITING
            tally.pages[url.host.name] += url.state is UrlState.PAGE and not url.example
            if url.lease:
                tally.occupy(url)
        return tally

    def _state(self, host: Host, tally: Tally, now: float) -> HostState:
        state = own_state(
            bad=host.bad,
            waiting=tally.waiting[host.name],
            busy=tally.busy[host.name],
            errand=host.name in tally.errands,
            pages=tally.pages[host.name],
            due=host.due,
            now=now,
            limits=self._limits,
        )
        crowded = full(tally.domains[host.domain], self._limits.per_domain) or (
            host.ip != "" and full(tally.ips[host.ip], self._limits.per_ip)
        )
        return HostState.PARKED if state is HostState.READY and crowded else state

    def _view(self, host: Host, tally: Tally, now: float) -> HostView:
        return HostView(
            host=host.name,
            state=self._state(host, tally, now),
            waiting=tally.waiting[host.name],
            pages=tally.pages[host.name],
            failures=host.failures,
            due=host.due,
            delay=host.delay,
            reason=host.reason,
        )
