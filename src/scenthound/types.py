"""The values that flow through a crawl, in the order in which they appear.

    Claim ─► Fetch ─► Reading ─► (judged, links scored) Outcome ─► store

All are frozen and import nothing of ours. A thing that went wrong on the web is a `Reason`, not an exception.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from msgspec import Struct


class LinkKind(StrEnum):
    """How one URL led to another."""

    SEED = "seed"
    ANCHOR = "anchor"
    AREA = "area"
    FRAME = "frame"
    REFRESH = "refresh"
    CANONICAL = "canonical"
    HREFLANG = "hreflang"
    REDIRECT = "redirect"
    TRUNCATION = "truncation"  # no link: the directories above the address of a relevant page
    BACKWARD = "backward"  # no link that was seen: a source says that the URL cites a good page


class Reason(StrEnum):
    """Why a URL has no page, in one word that stays the same in code, database and docs."""

    # decided before anything is sent
    BAD_URL = "bad-url"
    URL_TOO_LONG = "url-too-long"
    LOCKED = "locked"
    OUTSIDE = "outside"
    NOFOLLOW = "nofollow"
    TRAP = "trap"
    TOO_DEEP = "too-deep"
    OFF_TOPIC = "off-topic"
    ROBOTS = "robots"
    ROBOTS_UNREACHABLE = "robots-unreachable"
    # the way to the server
    PRIVATE_ADDRESS = "private-address"
    DNS = "dns"
    CONNECT = "connect"
    CONNECT_TIMEOUT = "connect-timeout"
    TLS = "tls"
    PROXY = "proxy"
    TUNNEL = "tunnel"
    FIRST_BYTE_TIMEOUT = "first-byte-timeout"
    TOTAL_TIMEOUT = "total-timeout"
    RESET = "reset"
    STALE = "stale-connection"
    PROTOCOL = "protocol"
    # what the server said
    HTTP_ERROR = "http-error"
    OVERLOADED = "overloaded"
    SERVER_ERROR = "server-error"
    REDIRECT_LOOP = "redirect-loop"
    TOO_MANY_REDIRECTS = "too-many-redirects"
    BAD_REDIRECT = "bad-redirect"
    CUT_SHORT = "cut-short"
    TOO_LARGE = "too-large"
    UNSUPPORTED_TYPE = "unsupported-type"
    # reading it
    BAD_CODING = "bad-coding"
    BOMB = "bomb"
    DAMAGED = "damaged"
    PROTECTED = "protected"
    READ_TIMEOUT = "read-timeout"
    READ_MEMORY = "read-memory"
    READER_DIED = "reader-died"

    @property
    def blames_host(self) -> bool:
        """Whether it counts towards the three tries after which a host is bad (BINGO §4.2)."""
        return self in _HOST_TROUBLE

    @property
    def may_pass(self) -> bool:
        """Whether the same request may succeed later, so that the URL is tried again."""
        return self in _HOST_TROUBLE or self in _PASSING


_HOST_TROUBLE = frozenset(
    {
        Reason.DNS,
        Reason.CONNECT,
        Reason.CONNECT_TIMEOUT,
        Reason.TLS,
        Reason.TUNNEL,
        Reason.FIRST_BYTE_TIMEOUT,
        Reason.TOTAL_TIMEOUT,
        Reason.RESET,
        Reason.ROBOTS_UNREACHABLE,
    }
)
_PASSING = frozenset({Reason.STALE, Reason.OVERLOADED, Reason.SERVER_ERROR, Reason.CUT_SHORT, Reason.PROXY})


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a page hands on to those that it links to.

    `promise` is the relevance to be hoped for there, None when its links are not followed. `tunnel` counts the pages in a
    row that were off topic, up to this one (BINGO §3.3); 0 for a page on topic. `topic` is the page's own.
    """

    promise: float | None = None
    tunnel: int = 0
    topic: str = ""


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
    priority: float
    depth: int
    hops: int = 0
    tries: int = 0
    host_failures: int = 0
    host_delay: float = 0.0
    etag: str | None = None
    last_modified: str | None = None
    before: "Original | None" = None
    example: bool = False
    via: Standing | None = None  # of the page that promised most of it; None for seeds

    @property
    def fetched_before(self) -> bool:
        return self.before is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """A page in the archive, as later revisit records refer to it: its date there, and the digest of its body as sent."""

    url: str
    captured_at: float
    payload: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """What one HTTP exchange gave. `reason` is None for a response that may be read or a redirect to follow.

    `head` is the status line and headers as received (transfer coding removed, body length corrected by the
    archive), `body` the payload with its content coding still on it.
    """

    url: str
    started: float
    finished: float
    reason: Reason | None = None
    detail: str = ""
    status: int = 0
    head: bytes = b""
    request_head: bytes = b""
    body: bytes = b""
    mime: str = ""
    charset: str = ""
    coding: str = ""
    location: str = ""
    etag: str | None = None
    last_modified: str | None = None
    retry_after: float | None = None
    ip: str = ""
    first_byte: float = 0.0

    @property
    def seconds(self) -> float:
        return self.finished - self.started


class Link(Struct, frozen=True, kw_only=True):
    """A link as it stands on a page.

    `first_leaf` and `last_leaf` number the leaves of the page's tree below the link's element, counted from
    left to right over all leaves, also empty ones (APPRENTICE §2.2.1). `shape` is the URL with its variable
    parts blanked, the unit by which traps are recognised. A struct, not a dataclass, because seventy are made a page:
    0.3 µs each instead of 1.2.
    """

    url: str
    kind: LinkKind = LinkKind.ANCHOR
    text: str = ""
    first_leaf: int = -1
    last_leaf: int = -1
    nofollow: bool = False
    shape: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was understood of a fetched body. With a `reason`, only digest, mime and detail mean something.

    `leaves` holds the text of each leaf of the tree, empty ones too, so that a link's surroundings can be
    found by leaf number; the page's text is their join. `digest` is that of the content, `payload` that of the body as
    it was sent, with its coding. `fingerprint` is a 64-bit similarity hash, kept
    signed for the database. `record` is the finished archive record (one gzip member), made by the worker.
    """

    reason: Reason | None = None
    detail: str = ""
    mime: str = ""
    charset: str = ""
    title: str = ""
    language: str = ""
    leaves: tuple[str, ...] = ()
    words: int = 0
    links: tuple[Link, ...] = ()
    canonical: str = ""
    nofollow: bool = False
    noindex: bool = False
    digest: str = ""
    payload: str = ""
    fingerprint: int | None = None
    terms: bytes = b""  # what a critic reads, packed by `parse.terms`
    stream: bytes = b""  # what an apprentice reads, packed by `parse.word_stream`
    record: bytes = b""
    seconds: float = 0.0


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
class Judgement:
    """A critic's view of a page: how relevant, its most likely topic, and which critic says so.

    `topics` are that one and the next likeliest, up to three, of those that are likelier than if all were alike.
    """

    relevance: float
    topic: str = ""
    topics: tuple[str, ...] = ()
    critic: int = 0


class LessonLink(Struct, frozen=True, array_like=True):
    """A link of a lesson: where it leads, and the leaves of the page's tree below it, as `Link` numbers them."""

    url: str
    first_leaf: int = -1
    last_leaf: int = -1


class Lesson(Struct, frozen=True, kw_only=True):
    """What an apprentice sees of one fetched page, or of a redirect, which has one link and nothing else.

    Lessons are kept in a log, in the order in which they were recorded: `n` is the place in it, given by the store. All
    that an apprentice knows follows from the log. `relevance` and `topics`, likeliest first, are what the critic at work says
    of the page; they change when pages are judged anew, and None is a page that was not judged. `links` are those
    that may be followed, each URL once; with `followed` false, those of an example of what is not wanted, which are
    evidence only. `stream` is packed by `parse.word_stream`. `score` is what the apprentice expected of the page before it
    was fetched, `reasons` what that was made of, in numbers that only the apprentice understands.
    """

    n: int = 0
    url: str
    relevance: float | None = None
    topics: tuple[str, ...] = ()
    redirect: bool = False
    followed: bool = True
    links: tuple[LessonLink, ...] = ()
    stream: bytes = b""
    score: float | None = None
    reasons: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveSpot:
    """Where a record lies in the archive."""

    file: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsAnswer:
    """A robots.txt as remembered: the text that rules an origin, and until when (RFC 9309 §2.4)."""

    origin: str
    status: int
    text: str
    fetched: float
    expires: float


class Ending(StrEnum):
    """What becomes of a claim."""

    PAGE = "page"  # a page was fetched and read
    REDIRECT = "redirect"  # it points elsewhere; the target is among the discoveries
    UNCHANGED = "unchanged"  # 304 to a conditional request
    FAILED = "failed"  # there will be no page, for `reason`
    RETRY = "retry"  # back to the frontier, not before the host's rest is over
    RETURN = "return"  # back to the frontier as it was (robots errand done, or interrupted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Everything one claim led to, written in one transaction.

    `rest` is how long the host must be left alone after `finished`; `host_delay` its own least gap from now
    on (Crawl-delay, or grown with its response time); `host_failed` counts towards three tries, and any
    response resets that count. `robots` is set by a robots errand. `asked` is false where nothing was sent. `moves` are new
    priorities of waiting URLs, found now or earlier: what a guide says of them counts, and not who cites them.
    """

    claim: Claim
    ending: Ending
    finished: float
    asked: bool = True
    fetch: Fetch | None = None
    reading: Reading | None = None
    reason: Reason | None = None
    detail: str = ""
    judgement: Judgement | None = None
    standing: Standing | None = None
    discoveries: tuple[Discovery, ...] = ()
    moves: Mapping[str, float] = field(default_factory=dict)
    lesson: Lesson | None = None  # for the log of the apprentice
    shape: str = ""
    spot: ArchiveSpot | None = None
    robots: RobotsAnswer | None = None
    rest: float = 0.0
    host_delay: float | None = None
    host_failed: bool = False
    counts: bool = True  # against the page budget; examples do not


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
    """One visit to a page. `gained` and `lost` count the addresses that it links to now and did not before, and the reverse."""

    at: float
    change: Change
    gained: int = 0
    lost: int = 0


class Visited(Struct, frozen=True, kw_only=True):
    """A page that is there, or was, with all visits to it, the first one first. A struct, because a crawl has millions."""

    id: int
    url: str
    host: str
    relevance: float | None = None
    visits: tuple[Visit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LostLink:
    """A link that stood on a page, and no longer did when the page was visited again."""

    url: str  # of the page
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GoodPage:
    """A page about which it may be asked who cites it. `n` is its place in fetch order."""

    n: int
    url: str
    relevance: float
    depth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticRecord:
    """A critic as the store remembers it: a trained model together with the topics that were good."""

    version: int
    kind: str
    model: str  # folder with the trained model
    lessons: str  # digest of what it was trained on
    good: tuple[str, ...]
    trained_at: float
    said: str = ""  # what it was trained on, in words


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldPage:
    """A fetched page as far as a critic needs it. `n` is its place in fetch order, `terms` packed.

    A redirect is held too, without terms: it hands the standing of the page before it on to the one behind it.
    """

    n: int
    url: str
    title: str
    language: str
    digest: str
    terms: bytes
    redirect: bool = False
    example: bool = False
    relevance: float | None = None
    topic: str = ""
    spot: ArchiveSpot | None = None


class Waiting(Struct, frozen=True, kw_only=True):
    """A URL of the frontier, as somebody sees it who wants to order all of it anew.

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


class RecentPage(Struct, frozen=True, kw_only=True):
    """A page fetched lately, as somebody sees it who wants to know how the crawl is doing.

    `relevance` and `topic` are what the critic at work says, None and empty where it has not judged. `repeats` says that the
    page is the same as an earlier one, or nearly.
    """

    n: int
    url: str
    host: str
    fetched_at: float
    relevance: float | None = None
    topic: str = ""
    repeats: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicCount:
    """How many pages a topic got, and the sum of their relevance."""

    pages: int = 0
    relevance: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What the store found out while recording one outcome."""

    n: int | None = None
    duplicate_of: str | None = None
    near_duplicate_of: str | None = None
    new_urls: int = 0
    host_went_bad: bool = False
    change: Change | None = None  # of a page, since the visit before


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeYield:
    """How often URLs of one shape were fetched on a host, and how many of those brought a new page."""

    fetched: int = 0
    novel: int = 0


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
class Citation:
    """A link that led to a URL: from where, of which kind, with which words."""

    url: str
    kind: LinkKind
    text: str
    nofollow: bool = False


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """All that is known about one URL."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class PageScore:
    """How good a page is as a hub and as an authority: its shares of the prestige of all hubs and of all authorities."""

    url: str
    hub: float = 0.0
    authority: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Distillation:
    """What a distillation beside the crawl found, and when it came to count.

    `at` is the moment of its snapshot, which held `links` links and pages with `relevance` in all, judged by `critic`; `pages`
    of them were looked at. `lesson` is the last one of the log before it counted. `hubs` are those that count, best first.
    """

    version: int = 0
    at: float
    critic: int = 0
    lesson: int = 0
    pages: int = 0
    links: int = 0
    relevance: float = 0.0
    site: str = ""
    hubs: tuple[PageScore, ...] = ()

    def strengths(self) -> dict[str, float]:
        """Return the scores of the hubs by URL, each as a part of that of the best.

        >>> hubs = (PageScore(url="http://a.test/", hub=0.2), PageScore(url="http://b.test/", hub=0.05))
        >>> Distillation(at=0.0, hubs=hubs).strengths()
        {'http://a.test/': 1.0, 'http://b.test/': 0.25}
        """
        best = max((hub.hub for hub in self.hubs), default=0.0)
        return {hub.url: hub.hub / best for hub in self.hubs if hub.hub > 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkYield:
    """What the links of a page have led to: how many judged pages, and their relevance added up."""

    pages: int = 0
    relevance: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Unvisited:
    """A URL that waits and was never fetched, and those of some pages that link to it."""

    url: str
    priority: float
    cited_by: tuple[str, ...]
