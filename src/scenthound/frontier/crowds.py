"""Domains that make up host names: with wildcard DNS every name resolves, and a farm of such names would fill the
database.

Each new host costs a row, a robots.txt and a look at DNS. A registered domain may have a hundred hosts, and beyond that
twice as many as it gave pages, so a domain with many real hosts gets them all in time. Links to other hosts are skipped
and not even recorded as refused: such rows are what a farm would fill the database with. They may be found again later.
`why` works the reason out by the same rule (`Reason.CROWDED_DOMAIN`).
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

FREE: Final = 100  # hosts of a domain that need no pages
PER_PAGE: Final = 2  # more for each page that came from the domain
REMEMBERED: Final = (
    50_000  # hosts and domains kept in mind; then all are forgotten, which costs a look at the store each
)


def is_crowded(*, hosts: int, pages: int) -> bool:
    """Tell whether a domain with so many hosts and pages may have no more hosts for now."""
    return hosts >= max(FREE, PER_PAGE * pages)


def crowd_words(domain: str, *, hosts: int, pages: int) -> str:
    """Say so of a domain."""
    return (
        f"{domain} has {hosts:,} hosts and gave {pages:,} pages so far: "
        "it may make up names, and links to more of its hosts are "
        "passed over until more pages have come from there"
    )


class Crowds:
    """Counts the hosts of domains as they are found. `known` tells whether a host has been found before, by anybody.

    >>> crowds = Crowds(known=lambda host: host == "old.farm.test", hosts={"farm.test": 150}, pages={"farm.test": 60})
    >>> crowds.admits("new.farm.test", "farm.test"), crowds.admits("old.farm.test", "farm.test")
    (False, True)
    >>> for _ in range(20):
    ...     crowds.learn("farm.test")
    >>> crowds.admits("new.farm.test", "farm.test"), crowds.admits("www.other.test", "other.test")
    (True, True)
    """

    def __init__(
        self,
        *,
        known: Callable[[str], bool],
        hosts: Mapping[str, int],
        pages: Mapping[str, int],
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._known = known
        self._tell = tell  # called once for each domain that has skipped hosts
        self._told: set[str] = set()
        self._hosts = Counter(hosts)
        self._pages = Counter(pages)
        self._seen: set[str] = set()

    def admits(self, host: str, domain: str) -> bool:
        """Tell whether links to a host are followed; one that is admitted counts from now on."""
        if host in self._seen:
            return True
        if not self._known(host):
            hosts = self._hosts[domain]
            if is_crowded(hosts=hosts, pages=self._pages[domain]):
                self._say(domain)
                return False
            self._hosts[domain] = hosts + 1
        self._remember(host)
        return True

    def learn(self, domain: str) -> None:
        """Count a page that came from a domain."""
        self._pages[domain] += 1

    def _say(self, domain: str) -> None:
        if domain not in self._told and len(self._told) < REMEMBERED:
            self._told.add(domain)
            hosts, pages = self._hosts[domain], self._pages[domain]
            self._tell(crowd_words(domain, hosts=hosts, pages=pages))

    def _remember(self, host: str) -> None:
        if len(self._seen) >= REMEMBERED:
            self._seen.clear()
            self._hosts = Counter({domain: hosts for domain, hosts in self._hosts.items() if hosts >= FREE // 2})
        self._seen.add(host)
