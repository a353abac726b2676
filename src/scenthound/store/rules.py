"""The few rules that every store shares: how URLs rank, when a host may be asked, what counts as an answer.

They are pure functions of values, so that the in-memory specification and the databases cannot drift apart.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from scenthound.types import Change, Discovery, Ending, Judgement, Limits, Link, LinkKind, Outcome, Reason, Visit

T = TypeVar("T")

CITATIONS_SHOWN = 20  # a story names the first of them and counts the rest: a home page may have a million
HORIZON = 30.0  # seconds that a host may have to rest and still be waited for, when a crawl is choosy
DOUBT = 3  # pages without relevance that are thought to cite every URL
# Relevances are summed as multiples of this: up to two million of them exactly, so that the priority of a URL does not
# depend on the order in which the pages that cite it are looked at.
GRAIN = 2.0**-32
NEAR = 3  # bits in which two 64-bit fingerprints of one text differ at most (Manku et al., WWW 2007, §3)
CHAIN = 64  # redirects followed when a chain is shown; the fetcher stops far earlier, this only ends loops

WHOLE_HOST = ""  # stands for all shapes of a host together, where yields are counted

FINAL = frozenset({Ending.PAGE, Ending.REDIRECT, Ending.FAILED, Ending.UNCHANGED})
VISITED = (Ending.PAGE, Ending.UNCHANGED)  # what counts as a visit
TEACHING = frozenset({Ending.PAGE, Ending.REDIRECT, Ending.FAILED})  # what may give a lesson


# Ranks of pages to be visited again: before all that is new, behind examples (-100), with room for tries on both sides.
AGAIN_FIRST, AGAIN_LAST = -80, -17
HOPE_BACKWARDS = (
    0.5  # of a good page's relevance, for what is said to cite it: as best-first hopes of a link of one such page
)
GIVEN = frozenset({LinkKind.SEED, LinkKind.BACKWARD})  # what was named from outside, and not found on a page
NO_SUCH_PAGE = frozenset({404, 410})
ABSENT = frozenset({Change.VANISHED, Change.GONE})


AHEAD = 60.0  # seconds by which a record lies ahead of now when the clock was wrong, and not only a little off
LONGEST_REST = 86400.0  # that is left of a rest after such a clock
CLOCK_RAN = 3600.0  # seconds before the last record, in which a claim that was never recorded may have paced its host


class UrlState(StrEnum):
    """Where a URL stands."""

    WAITING = "waiting"
    CLAIMED = "claimed"
    PAGE = "page"
    REDIRECT = "redirect"
    FAILED = "failed"
    REFUSED = "refused"


class HostState(StrEnum):
    """Why a host gives a claim now, or none."""

    IDLE = "idle"  # nothing is waiting
    READY = "ready"
    RESTING = "resting"  # not due yet
    BUSY = "busy"  # all its places are taken, or its robots.txt is being fetched
    PARKED = "parked"  # its domain or its address has no free place
    CAPPED = "capped"  # has given all the pages that it may
    BAD = "bad"  # failed too often in a row


STATE_AFTER = {
    Ending.PAGE: UrlState.PAGE,
    Ending.UNCHANGED: UrlState.PAGE,
    Ending.REDIRECT: UrlState.REDIRECT,
    Ending.FAILED: UrlState.FAILED,
    Ending.RETRY: UrlState.WAITING,
    Ending.RETURN: UrlState.WAITING,
}


def state_after(ending: Ending, *, fetched_before: bool) -> UrlState:
    """Return where a URL stands after an outcome; a page that cannot be fetched again stays the page that it was."""
    return UrlState.PAGE if fetched_before and ending is Ending.FAILED else STATE_AFTER[ending]


def due_after_clock(due: float, *, last: float | None, latest: float, delay: float, now: float) -> float:
    """Return when a host is due that a clock may have put off which was ahead until `latest`; `last` was its last
    exchange then.

    >>> due_after_clock(1030.0, last=1000.0, latest=1200.0, delay=1.0, now=10.0)
    40.0
    >>> due_after_clock(1201.0, last=None, latest=1200.0, delay=1.0, now=10.0)
    11.0
    >>> due_after_clock(500.0, last=None, latest=90000.0, delay=1.0, now=10.0)
    500.0
    """
    if due <= now or (last is not None and due < last):  # not put off, or no longer
        return due
    if last is not None:
        return now + min(LONGEST_REST, due - last)
    return min(due, now + delay) if due > latest - CLOCK_RAN else due


def own_state(
    *, bad: bool, waiting: int, busy: int, errand: bool, pages: int, due: float, now: float, limits: Limits
) -> HostState:
    """Return a host's state as far as the host alone decides it; READY may still turn out to be PARKED.

    >>> own_state(bad=False, waiting=3, busy=0, errand=False, pages=9, due=5.0, now=4.0, limits=Limits()).value
    'resting'
    """
    if bad:
        return HostState.BAD
    if not waiting:
        return HostState.BUSY if busy else HostState.IDLE
    if errand or busy >= limits.per_host:
        return HostState.BUSY
    if limits.pages_per_host and pages + busy >= limits.pages_per_host:
        return HostState.CAPPED
    return HostState.RESTING if due > now else HostState.READY


def full(busy: int, limit: int) -> bool:
    """Tell whether a domain or an address has no free place; a limit of zero is none."""
    return 0 < limit <= busy


def answered(outcome: Outcome) -> bool:
    """Tell whether the host sent a response, which ends its run of failures."""
    return bool((outcome.fetch and outcome.fetch.status) or (outcome.robots and outcome.robots.status))


def attempted(outcome: Outcome) -> bool:
    """Tell whether an outcome is worth a line in the URL's history: not when it was only handed back."""
    return outcome.asked or outcome.ending is not Ending.RETURN


def distance(one: int, other: int) -> int:
    """Count the bits in which two fingerprints differ, signed or not.

    >>> distance(-1, 0)
    64
    """
    return ((one ^ other) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


def bands(fingerprint: int) -> list[int]:
    """Cut a fingerprint into four numbered bands of 16 bits.

    >>> [band % 65536 for band in bands(0x0001_0002_0003_0004)]
    [4, 3, 2, 1]
    """
    return [number << 16 | (fingerprint >> 16 * number) & 0xFFFF for number in range(4)]


def endorses(link: Link) -> bool:
    """Tell whether somebody wrote a link to be followed, and did not disown it."""
    return link.kind in (LinkKind.ANCHOR, LinkKind.AREA) and not link.nofollow


def again_rank(turn: int) -> int:
    """Return the rank of a page whose turn to be visited again that is.

    >>> again_rank(0), again_rank(1), again_rank(1000)
    (-80, -79, -17)
    """
    return min(AGAIN_FIRST + turn, AGAIN_LAST)


def rank_after(demoted: int, state: UrlState) -> int:
    """Return where a URL stands that had its turn; until it had, it keeps it.

    >>> rank_after(-80, UrlState.PAGE), rank_after(-80, UrlState.WAITING), rank_after(-100, UrlState.PAGE)
    (0, -80, -100)
    """
    return 0 if state is not UrlState.WAITING and AGAIN_FIRST <= demoted <= AGAIN_LAST else demoted


def waits_again(rank: int, *, fetched_before: bool, example: bool) -> bool:
    """Tell whether a waiting URL is a page that is to have its turn again.

    >>> [waits_again(rank, fetched_before=True, example=False) for rank in (AGAIN_FIRST, 0)]
    [True, False]
    """
    return fetched_before and (example or AGAIN_FIRST <= rank <= AGAIN_LAST)


def urgent_enough(rank: int, limits: Limits) -> bool:
    """Tell whether a URL is taken whatever its priority; with `limits` that leave others out, only such are taken.

    >>> [urgent_enough(rank, Limits(examples=True)) for rank in (-100, AGAIN_FIRST, 0)]
    [True, False, False]
    >>> [urgent_enough(rank, Limits(again=True)) for rank in (-100, AGAIN_FIRST, 0)]
    [True, True, False]
    """
    return rank < (AGAIN_FIRST if limits.examples else 0)


def nearly_same(digest: str, fingerprint: int | None, other_digest: str, other_fingerprint: int | None) -> bool:
    """Tell whether two visits found the same text, but for a few words: a date, a counter, another advertisement."""
    if digest and digest == other_digest:
        return True
    if fingerprint is None or other_fingerprint is None:
        return False
    return distance(fingerprint, other_fingerprint) <= NEAR


def change_of(ending: Ending, status: int, before: Sequence[Visit], *, same: bool) -> Change | None:
    """Return what a visit found, after those before; None where there has never been a page.

    >>> seen, gone = Visit(at=0.0, change=Change.APPEARED), Visit(at=1.0, change=Change.VANISHED)
    >>> [str(change_of(Ending.PAGE, 200, before, same=False)) for before in ([seen], [seen, gone])]
    ['changed', 'appeared']
    >>> [str(change_of(Ending.FAILED, 404, before, same=False)) for before in ([seen], [seen, gone])]
    ['vanished', 'gone']
    """
    last = next((visit.change for visit in reversed(before) if visit.change is not Change.UNSEEN), None)
    if last is None:
        return Change.APPEARED if ending is Ending.PAGE else None
    if ending is Ending.FAILED:
        if status not in NO_SUCH_PAGE:
            return Change.UNSEEN
        return Change.GONE if last in ABSENT else Change.VANISHED
    if ending is Ending.REDIRECT:
        return Change.MOVED
    if last in ABSENT:
        return Change.APPEARED
    return Change.UNCHANGED if same or ending is Ending.UNCHANGED else Change.CHANGED


def gives_lesson(ending: Ending, reason: Reason | None, *, counts: bool) -> bool:
    """Tell whether there is something to be learnt from what a URL led to.

    What failed teaches that links like those to it lead to nothing, if the server has said so and not only kept silent.
    A failed example teaches nothing: nobody followed a link to it.

    >>> [gives_lesson(Ending.FAILED, reason, counts=True) for reason in (Reason.UNSUPPORTED_TYPE, Reason.DNS)]
    [True, False]
    """
    if ending is Ending.FAILED:
        return counts and reason is not None and reason.is_an_answer
    return ending in TEACHING


def topics_of(judgement: Judgement) -> tuple[str, ...]:
    """Return the topics that a critic gives a page, as a lesson has them.

    >>> topics_of(Judgement(relevance=0.5, topic="birds", topics=("birds", "fish")))
    ('birds', 'fish')
    >>> topics_of(Judgement(relevance=0.5, topic="birds")), topics_of(Judgement(relevance=0.0))
    (('birds',), ())
    """
    return judgement.topics or ((judgement.topic,) if judgement.topic else ())


def further_topics(judgement: Judgement) -> tuple[str, ...]:
    """Return the topics of a page beside the likeliest, without OTHERS.

    >>> further_topics(Judgement(relevance=0.5, topic="birds", topics=("birds", "", "fish")))
    ('fish',)
    """
    return tuple(filter(None, judgement.topics[1:]))


def grained(relevance: float) -> float:
    """Round a relevance to a multiple of GRAIN.

    >>> grained(0.5), sum(map(grained, [0.1, 0.2, 0.3])) == sum(map(grained, [0.3, 0.2, 0.1]))
    (0.5, True)
    """
    return int(relevance / GRAIN + 0.5) * GRAIN


class Hope(Struct, frozen=True, gc=False):
    """What the pages that cite a URL promise of it together: the greatest promise, and how relevant they are on
    average.

    The mean is taken as if DOUBT pages without relevance cited it too, so that one page alone proves little. The blend
    was chosen among a dozen by a simulation that was not kept, with naive Bayes: on the schools web (50 topics) and
    WebKB (27), as many pages as are on topic held .28 and .19 of them; by the greatest promise alone .19 and .21, by
    the mean alone .29 and .15, breadth-first .17 and .17. `python -m bench focus` uses the same schools topics.

    >>> Hope(0.8).priority, Hope(0.8, 0.8, 1).priority, Hope(0.8, 2.4, 3).priority
    (0.8, 0.5, 0.6)
    """

    best: float
    cited: float = 0.0
    citing: int = 0

    @property
    def priority(self) -> float:
        if not self.citing:
            return self.best
        return (self.best + self.cited / (self.citing + DOUBT)) / 2

    def joined(self, found: Discovery) -> "Hope":
        """Return the hope when one more page cites the URL."""
        best = max(self.best, found.priority)
        if found.cited is None:
            return Hope(best, self.cited, self.citing)
        return Hope(best, self.cited + grained(found.cited), self.citing + 1)


def hope_of(found: Discovery) -> Hope:
    """Return the hope that the first page to cite a URL gives."""
    return Hope(found.priority) if found.cited is None else Hope(found.priority, grained(found.cited), 1)


def improves(found: Discovery, priority: float, demoted: int, depth: int, hops: int) -> bool:
    """Tell whether a waiting URL with those values gains anything from being found so."""
    return found.refusal is None and (
        found.priority > priority or found.demoted < demoted or found.depth < depth or found.hops < hops
    )


def evenly(items: Sequence[T], limit: int) -> list[T]:
    """Choose up to `limit` items, spread evenly.

    >>> evenly("abcdefgh", 4), evenly("ab", 4)
    (['a', 'c', 'e', 'g'], ['a', 'b'])
    """
    if len(items) <= limit:
        return list(items)
    return [items[number * len(items) // limit] for number in range(limit)]


def merged(discoveries: Sequence[Discovery]) -> dict[str, Discovery]:
    """Merge discoveries by URL, in order of first appearance: the best rank, the nearest way.

    One that may be followed outdoes all refusals.
    """
    finds: dict[str, Discovery] = {}
    for new in discoveries:
        url = new.link.url
        old = finds.get(url)
        if old is None or (old.refusal is not None and new.refusal is None):
            finds[url] = new
        elif improves(new, old.priority, old.demoted, old.depth, old.hops):
            finds[url] = replace(
                old,
                priority=max(old.priority, new.priority),
                demoted=min(old.demoted, new.demoted),
                depth=min(old.depth, new.depth),
                hops=min(old.hops, new.hops),
                example=old.example or new.example,
            )
    return finds
