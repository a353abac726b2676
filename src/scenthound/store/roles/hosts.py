"""Hosts and registered domains: state, robots.txt, and the number of pages fetched from each."""

from typing import Protocol

from scenthound.types import DomainCount, HostCount, HostView, PutOff, RobotsAnswer


class Hosts(Protocol):
    """A registered domain belongs to one engine, with all its hosts: delays and limits need no other engine."""

    def host(self, name: str, *, now: float) -> HostView | None:
        """Return a host, or None if it is unknown."""
        ...

    def hosts(self, *, now: float, state: str | None = None, limit: int = 20) -> list[HostView]:
        """Return hosts, most waiting URLs first. A store with shards merges the first hosts of each shard."""
        ...

    def host_counts(self, *, after: int = 0, limit: int) -> list[HostCount]:
        """Return hosts with id > `after`, oldest first, with their domain and their pages; examples do not count.

        `walk.count_domains` adds them up by domain.
        """
        ...

    def domain(self, name: str) -> DomainCount:
        """Count the hosts and the pages of one registered domain; examples do not count."""
        ...

    def robots(self, origin: str) -> RobotsAnswer | None:
        """Return the robots.txt of an origin, expired or not."""
        ...

    def forgive(self, *, now: float) -> int:
        """Make bad hosts good again, without failures; return how many. A store with shards goes shard by shard."""
        ...

    def wind_back(self, *, now: float) -> PutOff:
        """Repair due times after a clock that ran ahead, if a fetch lies a minute or more in the future.

        A host asked since then rests as long as it had to after its last exchange, a day at most. Another host whose
        rest ends in that time is due after the usual delay. A robots.txt fetched then is fetched again. Visits in the
        future count as made now. Call it while nothing is claimed. A store with shards does this when an engine takes a
        shard over, for the hosts of that shard.
        """
        ...
