"""What all roles of the in-memory store share: its data, and the ways to look at it.

Nothing here is clever. Counts are taken by a look at every URL, so that they cannot be wrong.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from scenthound.store.memory.rows import REFUSED, WAITING, Host, Links, Page, Tally, Url
from scenthound.store.rules import Hope, HostState, UrlState, full, merged, own_state
from scenthound.types import (
    CriticRecord,
    Discovery,
    Distillation,
    Ending,
    HostView,
    Lesson,
    Limits,
    Link,
    LinkKind,
    PageScore,
    RobotsAnswer,
    ShapeYield,
)


class State:
    """The data of one crawl. Each role is a class beside this one; `store.MemoryStore` joins them."""

    def __init__(self, *, bad_after: int) -> None:
        self._bad_after = bad_after
        self._limits = Limits()
        self._urls: dict[str, Url] = {}
        self._hosts: dict[str, Host] = {}
        self._robots: dict[str, RobotsAnswer] = {}
        self._links: dict[int, Links] = {}  # of each page, by the id of its URL
        self._shapes: dict[tuple[str, str], ShapeYield] = {}
        self._archived: dict[str, int] = {}
        self._uploaded: dict[str, str] = {}
        self._asked_backwards: set[Url] = set()
        self._critics: list[CriticRecord] = []
        self._lessons: list[Lesson] = []  # lesson n is at n - 1
        self._numbers: dict[str, int] = {}  # of lessons, by URL
        self._distillations: list[Distillation] = []  # version n is at n - 1
        self._scores: dict[str, PageScore] = {}
        self._notes: dict[str, str] = {}
        self._n = 0  # of the last page

    # -- URLs

    def _in_state(self, state: UrlState) -> list[Url]:
        return [url for url in self._urls.values() if url.state is state]

    def _waiting_examples(self) -> Iterable[Url]:
        return (url for url in self._in_state(UrlState.WAITING) if url.example)

    def _fetched(self, *endings: Ending) -> list[tuple[Url, Page]]:
        """Return what had one of these endings, in fetch order."""
        pages = [(url, url.page) for url in self._urls.values() if url.page and url.page.ending in endings]
        return sorted(pages, key=lambda pair: pair[1].n)

    def _links_of(self, url: Url) -> Links:
        return self._links.get(url.id, Links())

    def _citations(self, url: Url) -> list[tuple[Url, Link]]:
        """Return the links that lead to a URL, each with the URL of the page on which it stands."""
        return [
            (source, link) for source in self._urls.values() for target, link in self._links_of(source) if target is url
        ]

    def _citing(self, url: Url, *, nofollow: bool = False, redirects: bool = False) -> list[Url]:
        sources = [
            source
            for source, link in self._citations(url)
            if not (nofollow and link.nofollow) and not (redirects and link.kind is not LinkKind.REDIRECT)
        ]
        return list(dict.fromkeys(sources))

    # -- hosts

    def _tally(self) -> Tally:
        tally = Tally(Counter(), Counter(), Counter(), Counter(), Counter(), set())
        for url in self._urls.values():
            tally.waiting[url.host.name] += url.state is UrlState.WAITING
            tally.pages[url.host.name] += url.state is UrlState.PAGE and not url.example
            if url.lease:
                tally.occupy(url)
        return tally

    def _host_state(self, host: Host, tally: Tally, now: float) -> HostState:
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
            state=self._host_state(host, tally, now),
            waiting=tally.waiting[host.name],
            pages=tally.pages[host.name],
            failures=host.failures,
            due=host.due,
            delay=host.delay,
            reason=host.reason,
            ip=host.ip,
        )

    def _due_next(self, now: float, *, again: bool = False) -> float | None:
        tally = self._tally()
        urgent = {url.host for url in self._in_state(UrlState.WAITING) if url.rank < 0} if again else set()
        dues = [
            max(now, host.due)
            for host in self._hosts.values()
            if (host in urgent or not again) and self._host_state(host, tally, max(now, host.due)) is HostState.READY
        ]
        return min(dues, default=None)

    # -- changes that several roles make

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

    def _move(self, priorities: Mapping[str, float]) -> int:
        moved = 0
        for address, priority in priorities.items():
            url = self._urls.get(address)
            if url is not None and url.state is UrlState.WAITING and url.hope != Hope(priority):
                url.hope = Hope(priority)
                moved += 1
        return moved

    def _visit_again(self, url: Url) -> None:
        url.state, url.tries, url.fetched_before = UrlState.WAITING, 0, True

    def _learn(self, url: Url, lesson: Lesson) -> None:
        if url.url not in self._numbers:
            n = self._numbers[url.url] = len(self._lessons) + 1
            self._lessons.append(replace(lesson, n=n, url=url.url))
