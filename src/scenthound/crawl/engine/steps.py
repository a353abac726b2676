"""The meaning of each exchange for the crawl: pure steps from a finished claim to its outcome.

    Finished (claim, fetch, reading), Verdict ─► conclude ─► Outcome (ending, reason, rest, discoveries)

Nothing here does I/O or keeps state; the caller passes in what depends on the crawl so far (order, traps, locks).
"""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from scenthound.fetch.fetcher import ROBOTS_LIMIT
from scenthound.frontier.bounds import Address, Bounds
from scenthound.frontier.crowds import Crowds
from scenthound.frontier.focus import EVERYTHING
from scenthound.frontier.orders import Order
from scenthound.frontier.politeness import host_is_to_blame, rest_after
from scenthound.frontier.traps import Traps
from scenthound.parse.content_encoding import unpack
from scenthound.parse.robots import Rules
from scenthound.parse.shapes import shape_of
from scenthound.parse.urls import canonical, origin_of
from scenthound.settings.schema import Settings
from scenthound.types import (
    Call,
    Claim,
    Discovery,
    Ending,
    Errand,
    Fetch,
    Judgement,
    Link,
    LinkKind,
    Outcome,
    Reading,
    Reason,
    RobotsAnswer,
    Standing,
)

# Kinds that name the same page or a part of it: following them is no step away from it.
SAME_PLACE = frozenset({LinkKind.REDIRECT, LinkKind.CANONICAL, LinkKind.FRAME, LinkKind.REFRESH})
EXAMPLE_RANK = -100  # examples come before everything else, also after some tries in vain


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A claim with what fetching and reading it gave."""

    claim: Claim
    fetch: Fetch
    reading: Reading
    calls: tuple[Call, ...] = ()
    lost: bool = False  # the lease ran out before it was asked for: another engine has it

    @property
    def is_page(self) -> bool:
        """Whether there is a page to be judged."""
        fetch = self.fetch
        read = fetch.reason is None and not fetch.location and fetch.status != 304 and self.reading.reason is None
        return read and self.claim.errand is Errand.PAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The critic's judgement of a page, and its consequence for the links."""

    judgement: Judgement | None = None
    standing: Standing = EVERYTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """Everything that decides about an exchange besides the exchange itself."""

    settings: Settings
    order: Order
    bounds: Bounds
    traps: Traps
    crowds: Crowds | None = None


UNJUDGED = Verdict()


def conclude(finished: Finished, book: Rulebook, verdict: Verdict = UNJUDGED) -> Outcome:
    """Decide what becomes of a claim."""
    claim, fetch = finished.claim, finished.fetch
    if claim.errand is Errand.ROBOTS:
        return _conclude_robots(finished, book)
    if fetch.reason is not None:
        return _failure(finished, book, fetch.reason, fetch.detail)
    if fetch.status == 304:
        return _ending(finished, book, Ending.UNCHANGED)
    if fetch.location:
        return _conclude_redirect(finished, book, verdict.standing)
    if finished.reading.reason is not None:
        return _failure(finished, book, finished.reading.reason, finished.reading.detail)
    discoveries = tuple(discover(claim, finished.reading, book, verdict))
    return _ending(finished, book, Ending.PAGE, discoveries=discoveries, verdict=verdict)


def discover(claim: Claim, reading: Reading, book: Rulebook, verdict: Verdict = UNJUDGED) -> Iterator[Discovery]:
    """Yield each link on a page with its priority, or the reason why it is not followed; skip links to made-up
    hosts."""
    links = (*reading.links, *truncations(claim.url, reading, book, verdict))
    places = [(link, book.bounds.address(link.url)) for link in links]
    if book.crowds is not None:
        places = [(link, place) for link, place in places if book.crowds.admits(place.host, place.domain)]
    book.traps.prepare([(place.host, link.shape) for link, place in places])
    promise, cited = verdict.standing.promise, _cited(claim, book, verdict)
    for link, place in places:
        depth = claim.depth if link.kind in SAME_PLACE else claim.depth + 1
        yield _weigh(link, place, depth, book, promise=promise, cited=cited, page_nofollow=reading.nofollow)


def _cited(claim: Claim, book: Rulebook, verdict: Verdict) -> float | None:
    """Return the relevance with which a page counts among those that cite its links; a page counts once."""
    if not book.order.blends or claim.fetched_before:
        return None
    return verdict.judgement.relevance if verdict.judgement else verdict.standing.promise


def truncations(url: str, reading: Reading, book: Rulebook, verdict: Verdict) -> Iterator[Link]:
    """Yield the directories above a relevant page, nearest first, unless it links to them itself (RELATIONAL §3.2)."""
    judgement, crawl = verdict.judgement, book.settings.crawl
    if not crawl.truncate or judgement is None or judgement.relevance < crawl.accept:
        return
    linked = {link.url for link in reading.links}
    for above in directories_above(url):
        if above not in linked:
            yield Link(url=above, kind=LinkKind.TRUNCATION, shape=shape_of(above))


def directories_above(url: str) -> Iterator[str]:
    """Cut the path of an address shorter, step by step.

    >>> list(directories_above("http://a.test/bikes/hubs/gear.html?page=2"))
    ['http://a.test/bikes/hubs/', 'http://a.test/bikes/', 'http://a.test/']
    """
    origin = origin_of(url)
    path = url.removeprefix(origin).partition("?")[0]
    parts = path.rstrip("/").split("/")
    for end in range(len(parts) - 1, 0, -1):
        yield origin + "/".join(parts[:end]) + "/"


def seed_discovery(url: str, book: Rulebook) -> Discovery:
    """Make a frontier entry of a URL that the user gave."""
    link = Link(url=url, kind=LinkKind.SEED, shape=shape_of(url))
    return _weigh(link, book.bounds.address(url), 0, book, promise=1.0)


def backward_discovery(url: str, book: Rulebook, *, depth: int, promise: float) -> Discovery:
    """Make a frontier entry of a URL that is said to cite a good page."""
    link = Link(url=url, kind=LinkKind.BACKWARD, shape=shape_of(url))
    place = book.bounds.address(url)
    book.traps.prepare([(place.host, link.shape)])
    return _weigh(link, place, depth, book, promise=promise)


def example_discovery(url: str, book: Rulebook) -> Discovery:
    """Make a frontier entry of an example: a seed that comes before all else and does not count."""
    return replace(seed_discovery(url, book), demoted=EXAMPLE_RANK, example=True)


def _weigh(
    link: Link,
    place: Address,
    depth: int,
    book: Rulebook,
    *,
    promise: float | None,
    cited: float | None = None,
    hops: int = 0,
    page_nofollow: bool = False,
) -> Discovery:
    refusal = refuse(link, place, depth, book, page_nofollow=page_nofollow)
    if refusal is None and promise is None:
        refusal = Reason.OFF_TOPIC
    host, domain = place.host, place.domain
    priority = book.order.priority(link, depth, promise or 0.0)
    if refusal is not None:  # it keeps its priority, in case a change of settings brings it back
        return Discovery(
            link=link, host=host, domain=domain, depth=depth, hops=hops, priority=priority, cited=cited, refusal=refusal
        )
    verdict = book.traps.verdict(host, link.shape, link.url) if book.settings.crawl.traps else None
    if verdict is None or not verdict.detail:
        return Discovery(link=link, host=host, domain=domain, depth=depth, hops=hops, priority=priority, cited=cited)
    return Discovery(
        link=link,
        host=host,
        domain=domain,
        depth=depth,
        hops=hops,
        priority=priority,
        cited=cited,
        demoted=verdict.demoted,
        refusal=Reason.TRAP if verdict.closed else None,
        detail=verdict.detail,
    )


def refuse(link: Link, place: Address, depth: int, book: Rulebook, *, page_nofollow: bool = False) -> Reason | None:
    """Return the reason for which the settings forbid to follow a link, if there is one."""
    crawl = book.settings.crawl
    if place.refusal is not None:
        return place.refusal
    if crawl.nofollow == "obey" and (link.nofollow or page_nofollow):
        return Reason.NOFOLLOW
    if crawl.depth and depth > crawl.depth:
        return Reason.TOO_DEEP
    return None


def _conclude_redirect(finished: Finished, book: Rulebook, standing: Standing) -> Outcome:
    claim, fetch = finished.claim, finished.fetch
    target = canonical(fetch.location, claim.url)
    if target is None:
        return _failure(finished, book, Reason.BAD_REDIRECT, f"to {fetch.location[:200]}")
    if target == claim.url:
        return _failure(finished, book, Reason.REDIRECT_LOOP, "to itself")
    if claim.hops >= book.settings.fetch.max_redirects:
        return _failure(finished, book, Reason.TOO_MANY_REDIRECTS, f"after {claim.hops}, the next to {target[:200]}")
    link = Link(url=target, kind=LinkKind.REDIRECT, shape=shape_of(target))
    place = book.bounds.address(target)
    book.traps.prepare([(place.host, link.shape)])
    promise = 1.0 if claim.example else standing.promise  # an example is wanted even after a redirect
    cited = _cited(claim, book, Verdict(standing=standing))
    onward = _weigh(link, place, claim.depth, book, promise=promise, cited=cited, hops=claim.hops + 1)
    if claim.example:
        onward = replace(onward, demoted=EXAMPLE_RANK, example=True)
    return _ending(finished, book, Ending.REDIRECT, discoveries=(onward,), verdict=Verdict(standing=standing))


def _conclude_robots(finished: Finished, book: Rulebook) -> Outcome:
    """Apply RFC 9309 §2.3.1: 2xx is parsed, 4xx means no rules, everything else means the host is not to be asked."""
    claim, fetch = finished.claim, finished.fetch
    if finished.calls and fetch.ip:  # that of another host, which has it from its call
        fetch = dataclasses.replace(fetch, ip="")
        finished = dataclasses.replace(finished, fetch=fetch)
    # §2.3.1.2 and .3: too many redirects count as unavailable too
    unavailable = fetch.reason is Reason.HTTP_ERROR or bool(fetch.location)
    # After a redirect, a forbidden address says nothing about the page: its host was asked, and there are no rules.
    redirected = fetch.url != origin_of(claim.url) + "/robots.txt"
    forbidden = fetch.reason in (Reason.PRIVATE_ADDRESS, Reason.BLOCKED_PORT, Reason.BAD_URL) and not redirected
    if fetch.reason is not None and (forbidden or fetch.reason in (Reason.STALE, Reason.PROXY)):
        return _failure(finished, book, fetch.reason, fetch.detail)
    text = "" if unavailable else _robots_text(fetch) if fetch.reason is None else None
    if text is None:
        what = fetch.detail or (f"status {fetch.status}" if fetch.status else str(fetch.reason))
        return _failure(finished, book, Reason.ROBOTS_UNREACHABLE, f"robots.txt: {what}")
    answer = RobotsAnswer(
        origin=origin_of(claim.url),
        status=fetch.status,
        text=text,
        fetched=fetch.finished,
        expires=fetch.finished + 3600 * book.settings.fetch.robots_hours,
    )
    delay = Rules.parse(text, book.settings.fetch.user_agent).crawl_delay or 0.0
    return _ending(finished, book, Ending.RETURN, robots=answer, host_delay=delay)


def _robots_text(fetch: Fetch) -> str | None:
    body = unpack(fetch.body, fetch.coding, 8 * ROBOTS_LIMIT)
    return None if isinstance(body, Reason) else body[:ROBOTS_LIMIT].decode("utf-8", errors="replace")


def _failure(finished: Finished, book: Rulebook, reason: Reason, detail: str) -> Outcome:
    claim = finished.claim
    again = reason.may_pass and claim.tries + 1 < book.settings.fetch.tries
    return _ending(finished, book, Ending.RETRY if again else Ending.FAILED, reason=reason, detail=detail)


def _ending(
    finished: Finished,
    book: Rulebook,
    ending: Ending,
    *,
    reason: Reason | None = None,
    detail: str = "",
    discoveries: tuple[Discovery, ...] = (),
    robots: RobotsAnswer | None = None,
    host_delay: float | None = None,
    verdict: Verdict | None = None,
) -> Outcome:
    claim, fetch = finished.claim, finished.fetch
    asked = reason not in (Reason.PRIVATE_ADDRESS, Reason.BLOCKED_PORT)
    own_delay = claim.host_delay if host_delay is None else host_delay
    rest = rest_after(fetch, settings=book.settings.fetch, failures=claim.host_failures, host_delay=own_delay)
    return Outcome(
        claim=claim,
        ending=ending,
        finished=fetch.finished,
        asked=asked,
        fetch=fetch,
        reading=finished.reading if ending is Ending.PAGE else None,
        reason=reason,
        detail=detail,
        judgement=verdict.judgement if verdict else None,
        standing=verdict.standing if verdict else None,
        discoveries=discoveries,
        shape=shape_of(claim.url) if ending is Ending.PAGE else "",
        robots=robots,
        calls=finished.calls,
        rest=rest if asked else 0.0,
        host_delay=host_delay,
        host_failed=host_is_to_blame(reason),
        counts=not claim.example,
    )
