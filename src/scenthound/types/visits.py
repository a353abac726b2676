"""Visits to a page, and what changed between them."""

from dataclasses import dataclass
from enum import StrEnum

from msgspec import Struct


class Change(StrEnum):
    """What a visit to a page found, compared with the visit before."""

    APPEARED = "appeared"  # it is there: the first visit, or the first after it had vanished
    UNCHANGED = "unchanged"  # its text is the same, or nearly, and it leads nowhere new
    CHANGED = "changed"
    MOVED = "moved"  # it redirects elsewhere now
    VANISHED = "vanished"  # 404 or 410, where there was a page
    GONE = "gone"  # still not there
    UNSEEN = "unseen"  # it could not be looked at: no answer, a failure of the server, forbidden by now


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One visit to a page. `gained` and `lost` count the addresses that it links to now and did not before, and the
    reverse.
    """

    at: float
    change: Change
    gained: int = 0
    lost: int = 0


class Visited(Struct, frozen=True, kw_only=True):
    """A page that exists or existed, with all visits to it, oldest first. A struct, because a crawl has millions."""

    id: int
    url: str
    host: str
    relevance: float | None = None
    visits: tuple[Visit, ...]
