"""The in-memory store's hosts: in which state each is, and from when on one may be asked.

Counts are taken by looking at every URL, so that they cannot be wrong.
"""

from collections import Counter
from collections.abc import Iterable

from scenthound.store.memory_judging import MemoryJudging
from scenthound.store.memory_values import Host, Tally, Url
from scenthound.store.rules import HostState, UrlState, full, own_state
from scenthound.types import HostView, Limits


class MemoryHosts(MemoryJudging):
    """Verbs about hosts, over the URLs of a store."""

    def __init__(self) -> None:
        super().__init__()
        self._limits = Limits()
        self._hosts: dict[str, Host] = {}

    def next_due(self, *, now: float, again: bool = False) -> float | None:
        tally = self._tally()
        urgent = {url.host for url in self._in_state(UrlState.WAITING) if url.rank < 0} if again else set()
        dues = [
            max(now, host.due)
            for host in self._hosts.values()
            if (host in urgent or not again) and self._state(host, tally, max(now, host.due)) is HostState.READY
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

    def forgive(self, *, now: float) -> int:
        bad = [host for host in self._hosts.values() if host.bad]
        for host in bad:
            host.bad, host.failures, host.reason = False, 0, ""
        return len(bad)

    def crowded_domains(self, *, least: int) -> dict[str, int]:
        found = Counter(host.domain for host in self._hosts.values())
        return {domain: hosts for domain, hosts in found.items() if hosts >= least}

    def pages_of_domains(self) -> dict[str, int]:
        tally, found = self._tally(), Counter[str]()
        for host in self._hosts.values():
            found[host.domain] += tally.pages[host.name]
        return {domain: pages for domain, pages in found.items() if pages}

    def host(self, name: str, *, now: float) -> HostView | None:
        return self._view(self._hosts[name], self._tally(), now) if name in self._hosts else None

    def hosts(self, *, now: float, state: str | None = None, limit: int = 20) -> list[HostView]:
        tally = self._tally()
        views = [self._view(host, tally, now) for host in self._hosts.values()]
        chosen = [view for view in views if state in (None, view.state)]
        return sorted(chosen, key=lambda view: (-view.waiting, view.host))[:limit]

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
            ip=host.ip,
        )

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
