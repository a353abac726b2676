"""What the in-memory store is made of: hosts, URLs, pages, and the rows that are shown of them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from msgspec import Struct

from scenthound.store.rules import CHAIN, NEAR, Hope, UrlState, distance, further_topics, hope_of
from scenthound.types import (
    ArchiveSpot,
    Attempt,
    Discovery,
    Ending,
    Errand,
    HeldPage,
    Link,
    LinkKind,
    Original,
    Outcome,
    PageRow,
    Reason,
    RecentPage,
    Standing,
    Visit,
    Waiting,
)

NO_HOPE = Hope(0.0)
WAITING, REFUSED = UrlState.WAITING, UrlState.REFUSED  # where every link of a page is looked at: 0.1 µs less each time


@dataclass(slots=True, eq=False)
class Host:
    name: str
    domain: str
    due: float = 0.0
    delay: float = 0.0
    failures: int = 0
    bad: bool = False
    ip: str = ""
    reason: str = ""


@dataclass(slots=True, eq=False)
class Lease:
    owner: str
    until: float
    paced: float  # what the claim made the host's due
    errand: Errand


class Url(Struct, eq=False, kw_only=True):
    """A URL that is known. A struct, not a dataclass, because a dozen are made a page: 0.1 µs each instead of 0.8."""

    id: int
    url: str
    host: Host
    state: UrlState = UrlState.WAITING
    hope: Hope = NO_HOPE
    demoted: int = 0
    depth: int = 0
    hops: int = 0
    found_at: float = 0.0
    found_by: LinkKind = LinkKind.SEED
    referrer: "Url | None" = None
    reason: Reason | None = None
    detail: str = ""
    tries: int = 0
    lease: Lease | None = None
    fetched_before: bool = False
    counted: bool = False
    page: "Page | None" = None
    attempts: tuple[Attempt, ...] = ()
    example: bool = False
    via: "Url | None" = None  # the page that gave it its priority
    visits: tuple[Visit, ...] = ()
    lost: tuple[tuple["Url", float], ...] = ()  # pages that linked to it once, and when they were seen not to
    cites: tuple["Url", ...] = ()  # good pages by which it was found backwards

    @property
    def priority(self) -> float:
        return self.hope.priority

    @property
    def rank(self) -> int:
        """What comes before its priority: it is behind all URLs with a smaller one."""
        return self.demoted + self.tries

    def found(self, find: Discovery, referrer: "Url | None", now: float) -> None:
        """Take over how and by what it was found, for the first time or the first that may be followed."""
        self.state = REFUSED if find.refusal else WAITING
        self.hope, self.demoted, self.depth, self.hops = hope_of(find), find.demoted, find.depth, find.hops
        self.found_at, self.found_by, self.referrer, self.via = now, find.link.kind, referrer, referrer
        self.example = self.example or find.example
        self.reason, self.detail = find.refusal, find.detail if find.refusal else ""

    def found_again(self, find: Discovery, referrer: "Url | None") -> None:
        """Take over what is better; the way to an example is what the user said, not who links to it."""
        becomes_example = find.example and not self.example
        if becomes_example or (find.priority > self.hope.best and not self.example):
            self.via = referrer
        self.hope, self.demoted = self.hope.joined(find), min(self.demoted, find.demoted)
        self.depth, self.hops = min(self.depth, find.depth), min(self.hops, find.hops)
        self.example = self.example or find.example


@dataclass(slots=True, eq=False)
class Page:
    n: int
    url: Url
    ending: Ending
    fetched_at: float
    counts: bool = True
    status: int = 0
    mime: str = ""
    title: str = ""
    language: str = ""
    captured_at: float = 0.0
    digest: str = ""
    payload: str = ""
    fingerprint: int | None = None
    relevance: float | None = None
    topic: str = ""
    critic: int = 0
    standing: Standing | None = None
    terms: bytes = b""
    etag: str | None = None
    last_modified: str | None = None
    spot: ArchiveSpot | None = None
    canonical: Url | None = None
    target: Url | None = None
    duplicate_of: Url | None = None
    near_duplicate_of: Url | None = None
    further_topics: tuple[str, ...] = ()

    def hands_on(self) -> Standing | None:
        """Return its standing, under the topic that it has now."""
        if self.standing is None or self.standing.topic == self.topic:
            return self.standing
        return replace(self.standing, topic=self.topic)

    def original(self, url: str) -> Original:
        return Original(url=url, captured_at=self.captured_at, payload=self.payload)


@dataclass(frozen=True, slots=True)
class Links:
    """The links of a page and their targets in two tuples: a pair for each link would keep the collector busy."""

    targets: tuple[Url, ...] = ()
    links: tuple[Link, ...] = ()

    def __iter__(self) -> Iterator[tuple[Url, Link]]:
        return zip(self.targets, self.links, strict=True)


@dataclass(slots=True)
class Tally:
    """How many URLs wait, are claimed and are pages, by host, domain and address."""

    waiting: Counter[str]
    pages: Counter[str]
    busy: Counter[str]
    domains: Counter[str]
    ips: Counter[str]
    errands: set[str]

    def occupy(self, url: Url) -> None:
        """Count the places that a claimed URL takes."""
        self.busy[url.host.name] += 1
        self.domains[url.host.domain] += 1
        self.ips[url.host.ip] += 1
        if url.lease and url.lease.errand is Errand.ROBOTS:
            self.errands.add(url.host.name)


def attempt_of(outcome: Outcome, errand: Errand) -> Attempt:
    fetch = outcome.fetch
    return Attempt(
        at=fetch.started if fetch else outcome.finished,
        ending=outcome.ending,
        reason=outcome.reason,
        detail=outcome.detail,
        status=fetch.status if fetch else 0,
        seconds=fetch.seconds if fetch else 0.0,
        ip=fetch.ip if fetch else "",
        errand=errand,
    )


def page_of(url: Url, outcome: Outcome, n: int) -> Page:
    page = Page(
        n=n, url=url, ending=outcome.ending, fetched_at=outcome.finished, counts=outcome.counts, spot=outcome.spot
    )
    if outcome.fetch:
        page.status, page.mime, page.captured_at = outcome.fetch.status, outcome.fetch.mime, outcome.fetch.started
        page.etag, page.last_modified = outcome.fetch.etag, outcome.fetch.last_modified
    if outcome.reading:
        page.mime = outcome.reading.mime or page.mime
        page.title, page.language = outcome.reading.title, outcome.reading.language
        page.digest, page.fingerprint = outcome.reading.digest, outcome.reading.fingerprint
        page.payload = outcome.reading.payload
        page.terms = outcome.reading.terms
    if outcome.judgement:
        page.relevance, page.topic = outcome.judgement.relevance, outcome.judgement.topic
        page.critic, page.further_topics = outcome.judgement.critic, further_topics(outcome.judgement)
    elif outcome.standing:
        page.topic = outcome.standing.topic
    page.standing = outcome.standing
    return page


def waiting_of(url: Url) -> Waiting:
    standing = url.via.page.standing if url.via and url.via.page else None
    promise = standing.promise if standing else None
    return Waiting(id=url.id, url=url.url, depth=url.depth, priority=url.priority, promise=promise)


def recent_of(url: Url, page: Page) -> RecentPage:
    return RecentPage(
        n=page.n,
        url=url.url,
        host=url.host.name,
        fetched_at=page.fetched_at,
        relevance=page.relevance,
        topic=page.topic if page.relevance is not None else "",
        repeats=page.duplicate_of is not None or page.near_duplicate_of is not None,
    )


def same_content(page: Page, old: Page) -> bool:
    return page.digest != "" and page.digest == old.digest


def same_canonical(page: Page, old: Page) -> bool:
    return page.canonical is not None and page.canonical in (old.url, old.canonical)


def near(page: Page, old: Page) -> bool:
    """Compare with novel pages only, so that a long row of small changes is not taken for one page."""
    if page.fingerprint is None or old.fingerprint is None or old.duplicate_of or old.near_duplicate_of:
        return False
    return distance(page.fingerprint, old.fingerprint) <= NEAR


def row_of(url: Url, page: Page) -> PageRow:
    first, final = _chain_start(url), chain_end(url)
    return PageRow(
        n=page.n,
        url=url.url if page.ending is Ending.REDIRECT else first.url,
        final_url=final.url,
        host=url.host.name,
        status=page.status,
        mime=page.mime,
        title=page.title,
        language=page.language,
        relevance=page.relevance,
        topic=page.topic,
        depth=url.depth,
        priority=url.priority,
        referrer=first.referrer.url if first.referrer else "",
        fetched_at=page.fetched_at,
        digest=page.digest,
        ending=page.ending,
        reason=url.reason,
        duplicate_of=page.duplicate_of.url if page.duplicate_of else "",
        near_duplicate_of=page.near_duplicate_of.url if page.near_duplicate_of else "",
        spot=page.spot,
        topics=tuple(filter(None, (page.topic, *page.further_topics))) if page.relevance is not None else (),
    )


def _chain_start(url: Url) -> Url:
    """Follow the redirects that first led to a URL back to where they began."""
    for _ in range(CHAIN):
        if url.found_by is not LinkKind.REDIRECT or url.referrer is None:
            break
        url = url.referrer
    return url


def chain_end(url: Url) -> Url:
    """Follow redirects forward to where they end, as far as they were followed."""
    for _ in range(CHAIN):
        if url.page is None or url.page.target is None:
            break
        url = url.page.target
    return url


def promising(citing: Iterable[Url]) -> list[Page]:
    """Return the pages that promise something, the best first, and among equals the one fetched first."""
    ranks = [
        (-url.page.standing.promise, url.page.n, url.page)
        for url in citing
        if url.page and url.page.standing and url.page.standing.promise is not None
    ]
    return [page for _, _, page in sorted(ranks, key=lambda rank: rank[:2])]


def held_of(url: Url, page: Page) -> HeldPage:
    """Return a page as critics see it."""
    return HeldPage(
        n=page.n,
        url=url.url,
        title=page.title,
        language=page.language,
        digest=page.digest,
        terms=page.terms,
        redirect=page.ending is Ending.REDIRECT,
        example=url.example,
        relevance=page.relevance,
        topic=page.topic,
        spot=page.spot,
    )
