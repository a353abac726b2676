"""Hosts in memory, and repairs after a wrong clock."""

from dataclasses import replace
from itertools import islice

from scenthound.store.memory.rows import Host
from scenthound.store.memory.state import State
from scenthound.store.rules import AHEAD, due_after_clock
from scenthound.types import DomainCount, HostCount, HostView, PutOff, RobotsAnswer


class MemoryHosts(State):
    """Verbs about hosts and registered domains."""

    def host(self, name: str, *, now: float) -> HostView | None:
        return self._view(self._hosts[name], self._tally(), now) if name in self._hosts else None

    def hosts(self, *, now: float, state: str | None = None, limit: int = 20) -> list[HostView]:
        tally = self._tally()
        views = [self._view(host, tally, now) for host in self._hosts.values()]
        chosen = [view for view in views if state in (None, view.state)]
        return sorted(chosen, key=lambda view: (-view.waiting, view.host))[:limit]

    def host_counts(self, *, after: int = 0, limit: int) -> list[HostCount]:
        pages = self._tally().pages
        numbered = enumerate(self._hosts.values(), start=1)
        return [
            HostCount(id=id, domain=host.domain, pages=pages[host.name])
            for id, host in islice(numbered, after, after + limit)
        ]

    def domain(self, name: str) -> DomainCount:
        hosts = [host.name for host in self._hosts.values() if host.domain == name]
        pages = self._tally().pages
        return DomainCount(hosts=len(hosts), pages=sum(pages[host] for host in hosts))

    def robots(self, origin: str) -> RobotsAnswer | None:
        return self._robots.get(origin)

    def forgive(self, *, now: float) -> int:
        bad = [host for host in self._hosts.values() if host.bad]
        for host in bad:
            host.bad, host.failures, host.reason = False, 0, ""
        return len(bad)

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
