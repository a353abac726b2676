"""The bounds of a crawl, as far as an address alone decides: locked, outside, too long, or on a port that is not the
web's.

The same navigation stands on every page of a site, so the verdict on an address is remembered for a while.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from scenthound.parse.ports import is_blocked
from scenthound.parse.urls import Locks, domain_of, host_of, too_long
from scenthound.types import Reason

KNOWN = 100_000  # addresses remembered, some 20 MB; then all are forgotten, which costs less than to know the oldest


class Fence(Protocol):
    """Patterns of the settings, or the limits of an archived web: says of an address whether it matches."""

    def locked(self, url: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class Address:
    """The facts in an address itself: its host, its registered domain, and the reason why it is not followed, if
    any."""

    host: str
    domain: str
    refusal: Reason | None


class Bounds:
    """The limits that settings set; with `only`, nothing else is followed.

    >>> bounds = Bounds(locked=["ads.example"], max_url=1000, max_host=255)
    >>> bounds.address("http://x.ads.example/").refusal, bounds.address("http://a.example/").refusal
    (<Reason.LOCKED: 'locked'>, None)
    """

    def __init__(self, *, locked: Sequence[str], max_url: int, max_host: int, only: Fence | None = None) -> None:
        self._locks = Locks(locked)
        self._only = only
        self._max_url = max_url
        self._max_host = max_host
        self._known: dict[str, Address] = {}

    def address(self, url: str) -> Address:
        """Return what is to be said of a canonical address."""
        known = self._known.get(url)
        if known is None:
            if len(self._known) >= KNOWN:
                self._known.clear()
            host = host_of(url)
            known = self._known[url] = Address(host, domain_of(host), self._refusal(url, host))
        return known

    def _refusal(self, url: str, host: str) -> Reason | None:
        if reason := too_long(url, self._max_url, self._max_host):
            return reason
        if is_blocked(host):
            return Reason.BLOCKED_PORT
        if self._locks.locked(url):
            return Reason.LOCKED
        if self._only is not None and not self._only.locked(url):
            return Reason.OUTSIDE
        return None
