"""The crawl as somebody sees it who asks: in numbers, by host, by page, by URL."""

from dataclasses import dataclass, field

from msgspec import Struct

from scenthound.types.exchange import ArchiveSpot, RobotsAnswer
from scenthound.types.frontier import Errand
from scenthound.types.links import Citation, LinkKind, LostLink
from scenthound.types.outcomes import Ending
from scenthound.types.reasons import Reason
from scenthound.types.visits import Visit


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """The crawl in numbers, for `status` and the live view."""

    pages: int = 0
    waiting: int = 0
    claimed: int = 0
    redirects: int = 0
    failed: int = 0
    known: int = 0
    duplicates: int = 0
    near_duplicates: int = 0
    relevance_sum: float = 0.0
    judged: int = 0
    hosts: int = 0
    hosts_ready: int = 0
    hosts_resting: int = 0
    hosts_busy: int = 0
    hosts_parked: int = 0
    hosts_bad: int = 0
    hosts_capped: int = 0
    waiting_on_bad: int = 0
    next_due: float | None = None
    reasons: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostView:
    """One host as `status` shows it."""

    host: str
    state: str
    waiting: int
    pages: int
    failures: int
    due: float
    delay: float
    reason: str = ""
    ip: str = ""


class HostCount(Struct, frozen=True, kw_only=True):
    """A host with its registered domain and its pages. A struct, because a crawl has millions."""

    id: int
    domain: str
    pages: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainCount:
    """How many hosts and how many pages a registered domain has."""

    hosts: int = 0
    pages: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Awaited:
    """The host that a choosy crawl waits for, what its best link promises, and how many other hosts it skips."""

    host: str
    due: float
    delay: float
    priority: float
    held: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try at a URL, for `why`."""

    at: float
    ending: Ending
    reason: Reason | None
    detail: str
    status: int
    seconds: float
    ip: str = ""
    errand: Errand = Errand.PAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRow:
    """A fetched URL as it is exported, in fetch order."""

    n: int
    url: str
    final_url: str
    host: str
    status: int
    mime: str
    title: str
    language: str
    relevance: float | None
    topic: str
    depth: int
    priority: float
    referrer: str
    fetched_at: float
    digest: str
    ending: Ending = Ending.PAGE
    reason: Reason | None = None
    duplicate_of: str = ""
    near_duplicate_of: str = ""
    spot: ArchiveSpot | None = None
    topics: tuple[str, ...] = ()  # all that it belongs to, the likeliest first


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """All that is known about one URL. `citations` are the first links to it, `citing_count` is of all pages with such
    links.
    """

    url: str
    state: str
    host: HostView
    priority: float
    demoted: int
    depth: int
    hops: int
    tries: int
    found_at: float
    found_by: LinkKind
    reason: Reason | None
    detail: str
    citations: tuple[Citation, ...]
    citing_count: int
    attempts: tuple[Attempt, ...]
    robots: RobotsAnswer | None
    page: PageRow | None
    visits: tuple[Visit, ...] = ()
    lost: tuple[LostLink, ...] = ()  # links to it that were there once
    cites: tuple[str, ...] = ()  # good pages that it cites, by which it was found backwards
