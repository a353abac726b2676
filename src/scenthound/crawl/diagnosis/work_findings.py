"""Findings about the work of a crawl: its speed, the rest of the frontier, a domain that takes everything.

`speed.explain` says why a crawl is as fast as it is. The rules here notice that it became slower, and choose the cause.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from statistics import fmean

from scenthound.counted import count
from scenthound.crawl.diagnosis.cures import finding, forgive_command, lock_command, setting_command
from scenthound.crawl.diagnosis.speed import REFUSALS, claimable, explain, failures
from scenthound.events import Finding, FindingKind
from scenthound.parse.urls import domain_of
from scenthound.types import Awaited, Census, HostView, RecentPage

LATELY = 60.0  # seconds over which a speed is taken, and least seconds before, to be compared with
BEFORE = 300.0  # most seconds before
SLOWED = 0.5  # of the speed before: less than this is a fall
EXPECTED = 20  # pages that the speed before would have given, at least
CHANCE = 0.001
WINDOW = 100  # pages
LIONS_SHARE = 0.7  # of the window, from one domain
LESS = 0.5  # of the relevance of other domains' pages
REPEATS = 0.5  # of a domain's pages the same as others: a trap, or mirrors
ELSEWHERE = 3  # other domains with something to give, so that there is a choice
LEEWAY = 0.05  # of the pages, above a domain's share: the apprentice keeps to it roughly
DOMAINS_ELSEWHERE, URLS_ELSEWHERE = 5, 50  # that wait, where a domain has more than its share
MOSTLY_GIVEN = 0.5  # of the user's own examples from a domain: then that domain is what is wanted

_CURES = {"off-topic": "crawl.focus=soft", "outside": "fetch.only=[]", "too-deep": "crawl.depth=0"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The part of a `Sight` that is about a crawl's work.

    `share` is how much of the fetches one registered domain may have, None if there is no limit; `examples` are the
    domains of the user's own examples of good topics.
    """

    path: str
    pages: Sequence[RecentPage]
    census: Census
    hosts: Sequence[HostView]
    ticks: Sequence[tuple[float, int]]
    earlier: Mapping[str, int]
    left: int | None
    offline: bool
    now: float
    share: float | None = None
    examples: Sequence[str] = ()
    locked: Sequence[str] = ()
    awaited: Awaited | None = None


def falling_speed(work: Work) -> Finding | None:
    """Say that pages come at less than half the speed of before, and what holds them up."""
    speeds = _speeds(work)
    if speeds is None:
        return None
    before, after = speeds
    cause, command = _cause(work)
    evidence = (f"{after:.2g} pages a second over the last minute, {before:.2g} before", *_why(work))
    return finding(FindingKind.FALLING_SPEED, f"the crawl has become slow: {cause}", evidence, command)


def nearly_dry(work: Work) -> Finding | None:
    """Say that the frontier will not last, where that is not what a crawl of everything comes to anyway."""
    census, rest = work.census, claimable(work.census) + work.census.claimed
    if census.pages < WINDOW or rest >= WINDOW or not rest:
        return None
    reason, refused = max(
        ((reason, census.reasons.get(reason, 0)) for reason in _CURES), key=lambda pair: pair[1], default=("", 0)
    )
    shut_out = refused > census.pages
    if not shut_out and (work.left is None or work.left <= rest):
        return None
    evidence = [f"{count(rest, 'URL')} left after {count(census.pages, 'page')}"]
    evidence += [f"the budget has room for {work.left:,} more"] if work.left is not None else []
    if not shut_out:
        return finding(
            FindingKind.NEARLY_DRY, "soon nothing is left to fetch; more examples or seeds would give more", evidence
        )
    evidence.append(f"{refused:,} URLs were refused as {reason}")
    cure = setting_command(work.path, _CURES[reason])
    return finding(
        FindingKind.NEARLY_DRY, "soon nothing is left to fetch, while most links are refused", evidence, cure
    )


def one_domain(work: Work) -> Finding | None:
    """Say that one registered domain takes most of the crawl and gives little, or takes more of it than its share."""
    return _gives_little(work) or _beyond_its_share(work)


def _gives_little(work: Work) -> Finding | None:
    window = _latest(work.pages[-WINDOW:])
    if window.seen < WINDOW or len(window.own) < LIONS_SHARE * window.seen:
        return None
    if len(_waiting_elsewhere(work, window.domain)) < ELSEWHERE:
        return None
    repeats = sum(page.repeats for page in window.own)
    worse = _worse(window.own, [page for page in work.pages if domain_of(page.host) != window.domain])
    if repeats < REPEATS * len(window.own) and not worse:
        return None
    evidence = [f"{len(window.own)} of the last {window.seen} pages are from {window.domain}"]
    if repeats >= REPEATS * len(window.own):
        evidence.append(f"{repeats} of them are the same as others, or nearly")
    evidence += [worse] if worse else []
    return _locking(
        work, window.domain, f"{window.domain} takes most of the crawl and gives little; lock it?", evidence
    )


def _beyond_its_share(work: Work) -> Finding | None:
    """Report a domain that the critic likes, too: nothing else finds a farm of pages that look good."""
    window = _latest(work.pages)
    if work.share is None or window.seen < WINDOW:
        return None
    given = sum(domain == window.domain for domain in work.examples) / max(1, len(work.examples))
    if given >= MOSTLY_GIVEN or len(window.own) <= (max(work.share, given) + LEEWAY) * window.seen:
        return None
    others = _waiting_elsewhere(work, window.domain)
    if len(others) < DOMAINS_ELSEWHERE or others.total() < URLS_ELSEWHERE:
        return None
    evidence = (
        f"{len(window.own)} of the last {window.seen} pages are from "
        f"{count(len({page.host for page in window.own}), 'host')} of {window.domain}",
        *_relevances(window.own, [page for page in work.pages if domain_of(page.host) != window.domain]),
        f"{len(others)} other domains have {others.total():,} waiting URLs",
    )
    part = round(100 * len(window.own) / window.seen)
    sentence = f"{part} of 100 fetches go to {window.domain}; look at its pages, and lock it if you do not want them"
    return _locking(work, window.domain, sentence, evidence)


def _locking(work: Work, domain: str, sentence: str, evidence: Sequence[str]) -> Finding:
    return finding(
        FindingKind.ONE_DOMAIN,
        sentence,
        evidence,
        lock_command(work.path, [*work.locked, domain]),
        lock_command(work.path, work.locked),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Window:
    """So many pages were seen; `own` are those of the registered domain with most of them."""

    seen: int
    domain: str
    own: Sequence[RecentPage]


def _latest(pages: Sequence[RecentPage]) -> _Window:
    domains = [domain_of(page.host) for page in pages]
    most = Counter(domains).most_common(1)[0][0] if domains else ""
    own = [page for page, domain in zip(pages, domains, strict=True) if domain == most]
    return _Window(seen=len(pages), domain=most, own=own)


def _waiting_elsewhere(work: Work, domain: str) -> Counter[str]:
    """Return how many URLs wait on other domains that may still give pages."""
    waiting = Counter[str]()
    for view in work.hosts:
        if view.waiting > 0 and view.state not in ("bad", "capped") and domain_of(view.host) != domain:
            waiting[domain_of(view.host)] += view.waiting
    return waiting


def _worse(own: Sequence[RecentPage], others: Sequence[RecentPage]) -> str:
    """Say how much less relevant a domain's pages are than those of others, if they are much less."""
    ours, theirs = _told(own), _told(others)
    if len(theirs) < EXPECTED or not ours or fmean(ours) >= LESS * fmean(theirs):
        return ""
    return _relevances(own, others)[0]


def _relevances(own: Sequence[RecentPage], others: Sequence[RecentPage]) -> list[str]:
    ours, theirs = _told(own), _told(others)
    if not ours:
        return []
    rest = f", that of other domains' pages {fmean(theirs):.3f}" if theirs else ""
    return [f"their mean relevance is {fmean(ours):.3f}{rest}"]


def _told(pages: Sequence[RecentPage]) -> list[float]:
    return [page.relevance for page in pages if page.relevance is not None]


def _speeds(work: Work) -> tuple[float, float] | None:
    """Return pages a second before and lately, if that is a fall that chance does not explain."""
    split = work.now - LATELY
    early = [tick for tick in work.ticks if split - BEFORE <= tick[0] <= split]
    if len(early) < 2 or early[-1][0] - early[0][0] < LATELY:
        return None
    (begin, first), (end, last) = early[0], early[-1]
    before = (last - first) / (end - begin)
    fetched, expected = work.ticks[-1][1] - last, before * (work.now - end)
    slower = fetched < SLOWED * expected and expected >= EXPECTED
    return (before, fetched / (work.now - end)) if slower and at_most(fetched, expected) < CHANCE else None


def at_most(number: int, expected: float) -> float:
    """Return how likely so few are where so many are expected (Poisson).

    >>> round(at_most(0, 3.0), 3), at_most(10, 30.0) < 0.001
    (0.05, True)
    """
    term = total = exp(-expected)
    for step in range(1, number + 1):
        term *= expected / step
        total += term
    return total


def _cause(work: Work) -> tuple[str, str]:
    """Choose what holds the crawl up most, and the command that helps."""
    census = work.census
    reason, failed = _lately_failed(work)
    if work.offline:
        return "no server can be reached (is the network up?)", ""
    if failed >= WINDOW // 2:
        forgive = forgive_command(work.path) if census.hosts_bad else ""
        return f"most requests fail ({reason})", forgive
    if work.awaited is not None:
        waits = f"it is choosy and waits for {work.awaited.host}, whose links promise most"
        return waits, setting_command(work.path, "crawl.choosy=0")
    if census.hosts_ready:
        return "this machine is the limit, not the hosts; raise fetch.concurrency or read.workers", ""
    top = max(
        (view for view in work.hosts if view.state not in ("bad", "capped")),
        key=lambda view: view.waiting,
        default=None,
    )
    if top is not None and top.waiting * 2 > claimable(census):
        cap = setting_command(work.path, f"crawl.pages_per_host={top.pages}")
        return f"most of what waits is on {top.host}, which must rest between requests", cap
    if census.hosts_resting:
        return (
            f"{count(census.hosts_resting, 'host')} must rest, and few others are left; seeds on other hosts help",
            "",
        )
    return "the answers are slow to come", ""


def _lately_failed(work: Work) -> tuple[str, int]:
    """Return why requests fail most lately, and how many have failed in all."""
    now = {reason: number for reason, number in failures(work.census) if reason not in REFUSALS}
    news = Counter({reason: number - work.earlier.get(reason, 0) for reason, number in now.items()})
    return (news.most_common(1)[0][0] if news else ""), news.total()


def _why(work: Work) -> list[str]:
    return [one.removesuffix(".") for one in explain(work.census, list(work.hosts), work.now, True, work.awaited)[:3]]
