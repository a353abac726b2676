"""URLs that wait: how they enter the frontier, how they are claimed, and how it is reordered."""

from dataclasses import dataclass, field
from enum import StrEnum

from msgspec import Struct

from scenthound.types.exchange import Original
from scenthound.types.links import Link
from scenthound.types.reasons import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What `claim` must respect besides priority. Zero means no limit for all but the first two."""

    delay: float = 1.0
    per_host: int = 1
    per_domain: int = 5
    per_ip: int = 5
    pages_per_host: int = 0
    robots: bool = True
    examples: bool = False  # nothing but examples: the critic has yet to learn
    again: bool = False  # nothing but pages to be visited again, and examples
    choosy: float = 0.0  # nothing with a lower priority than this part of the best one that waits
    budget: int = 0  # pages that the crawl may have; claims in flight count as pages
    places: int = 0  # requests that all engines may have in flight: each leaves what is not among the best so many


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack:
    """Hosts that a choosy crawl passes over, and what the best links of these promise together."""

    hosts: int = 0
    promise: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a page hands on to those that it links to.

    `promise` is the relevance to be hoped for there, None when its links are not followed. `tunnel` counts the pages in
    a row that were off topic, up to this one (BINGO §3.3); 0 for a page on topic. `topic` is the page's own.
    """

    promise: float | None = None
    tunnel: int = 0
    topic: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PutOff:
    """What a clock that was ahead by so many seconds has put off: hosts' rests, and robots.txt files believed for too
    long.
    """

    ahead: float = 0.0
    hosts: int = 0
    robots: int = 0


class Errand(StrEnum):
    """What a claim is for: most fetch a page; the first visit to an origin fetches its robots.txt."""

    PAGE = "page"
    ROBOTS = "robots"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One URL taken from the frontier to be fetched now; it comes back if the process dies.

    With `errand` ROBOTS, `url` is still the page that is wanted, and what must be fetched first is the
    robots.txt of its origin: that request is subject to the same host limits and delays as any other.
    """

    id: int
    url: str
    host: str
    errand: Errand = Errand.PAGE
    demoted: int = 0  # places behind what ranks as usual, tries not counted
    priority: float
    depth: int
    hops: int = 0
    tries: int = 0
    host_failures: int = 0
    host_delay: float = 0.0
    etag: str | None = None
    last_modified: str | None = None
    before: Original | None = None
    example: bool = False
    via: Standing | None = None  # of the page that promised most of it; None for seeds
    engine: int = field(default=0, compare=False)  # the number under which one of several engines holds it

    @property
    def fetched_before(self) -> bool:
        return self.before is not None


class Discovery(Struct, frozen=True, kw_only=True):
    """A link with what the crawl decided about it: its priority, or the reason for which it is not followed.

    `demoted` puts a link behind all links of its host with a smaller number, whatever their priority. With `cited`, the
    relevance of the page that the link stands on, all pages that cite a URL have their say about its priority; without
    it, the greatest one counts.
    """

    link: Link
    host: str
    domain: str
    depth: int
    hops: int = 0
    priority: float = 0.0
    cited: float | None = None
    demoted: int = 0
    refusal: Reason | None = None
    detail: str = ""
    example: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeYield:
    """How often URLs of one shape were fetched on a host, and how many of those brought a new page."""

    fetched: int = 0
    novel: int = 0


class Waiting(Struct, frozen=True, kw_only=True):
    """A URL of the frontier, as a caller sees it who reorders the frontier.

    `id` counts URLs in the order in which they were found. `promise` is that of the page that promised most of it, None
    where no page did. A struct, because a frontier has millions.
    """

    id: int
    url: str
    depth: int
    priority: float
    promise: float | None = None


class Bearings(Struct, frozen=True, kw_only=True):
    """Where a URL lies among others: all that an order of columns may compare (`combination.COLUMNS` explains each).

    `relevance` is None where nobody but the user speaks for it. A struct, because a frontier has millions.
    """

    id: int
    url: str
    host: str
    tries: int = 0
    depth: int = 0
    relevance: float | None = None
    server_load: int = 0
    last_visited: float = 0.0
    visits: int = 0
    hub: float = 0.0
    authority: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescored:
    """One piece of a rescored frontier: how many URLs moved, and the id to go on after; None at the end."""

    moved: int = 0
    after: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unvisited:
    """A URL that waits and was never fetched, and those of some pages that link to it."""

    url: str
    priority: float
    cited_by: tuple[str, ...]
