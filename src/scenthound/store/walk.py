"""Walks over a whole store, piece by piece: each piece is one call and one transaction."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from scenthound.store.base import Hosts, Priorities

PIECE: Final = 20_000  # URLs in one transaction: a million at once took 450 MB in SQLite
_HOSTS: Final = 10_000  # hosts in one read


def rescore(
    store: Priorities,
    *,
    by_promise: bool,
    blend: bool,
    nofollow: bool,
    now: float,
    piece: int = PIECE,
) -> int:
    """Apply new judgements to the whole frontier; return how many URLs moved."""
    moved = 0
    after: int | None = 0
    while after is not None:
        found = store.rescore(by_promise=by_promise, blend=blend, nofollow=nofollow, now=now, after=after, limit=piece)
        moved, after = moved + found.moved, found.after
    return moved


@dataclass(frozen=True, slots=True, kw_only=True)
class Domains:
    """How many hosts and how many pages each registered domain has; examples do not count."""

    hosts: Counter[str] = field(default_factory=Counter)
    pages: Counter[str] = field(default_factory=Counter)

    def crowded(self, least: int) -> dict[str, int]:
        """Return the domains that have at least so many hosts."""
        return {domain: hosts for domain, hosts in self.hosts.items() if hosts >= least}


def count_domains(store: Hosts) -> Domains:
    """Count the hosts and the pages of every registered domain."""
    domains, after = Domains(), 0
    while found := store.host_counts(after=after, limit=_HOSTS):
        after = found[-1].id
        for host in found:
            domains.hosts[host.domain] += 1
            if host.pages:
                domains.pages[host.domain] += host.pages
    return domains
