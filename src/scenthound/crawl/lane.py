"""The ordered lane of a crawl: judge, score, archive and record finished claims batch by batch, then claim new ones.

One turn is one call, made from the store's own thread: it sees the outcomes in the order in which they finished, and
what it writes to the archive is on disk before the database says so. At its end the database is on disk too. After a crash
the archive is therefore never behind the database, and what it has beyond it is cut off at the next start.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import thread_time

from scenthound.clock import Clock
from scenthound.crawl.advising import Advising
from scenthound.crawl.backwards import Backwards
from scenthound.crawl.distilling import Distilling
from scenthound.crawl.forgiving import Forgiving
from scenthound.crawl.judging import Judging
from scenthound.crawl.ordering import Ordering
from scenthound.crawl.permission import Permissions
from scenthound.crawl.steps import UNJUDGED, Finished, Rulebook, Verdict, conclude, refuse
from scenthound.crawl.upkeep import Upkeep
from scenthound.events import Finding
from scenthound.frontier.guide import Guide
from scenthound.frontier.outage import Outage
from scenthound.frontier.patience import Patience
from scenthound.frontier.shares import DomainShares
from scenthound.parse.shapes import shape_of
from scenthound.store.archive import Archive
from scenthound.store.base import Store
from scenthound.store.warc import exchange_record, revisit_record
from scenthound.types import (
    Change,
    Claim,
    Ending,
    Errand,
    HeldBack,
    Limits,
    Link,
    Original,
    Outcome,
    Reading,
    Reason,
    Recorded,
)

SOON = 0.05  # seconds after which a choosy crawl looks again
IN_FLIGHT = 0.25  # seconds after which to look again while examples are in flight
LEASE = 600.0  # seconds; longer than any fetch and read may take, so that only a dead owner's claims come back


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a turn of the lane gave: pages that count, new claims, and (if fewer than wanted) when to ask again."""

    pages: int = 0
    pages_again: int = 0  # visited before, changed or not
    claims: tuple[Claim, ...] = ()
    next_due: float | None = None


@dataclass(slots=True)
class StageClock:
    """Seconds of processor time spent in each stage, for the table of where a page's milliseconds go."""

    seconds: dict[str, float] = field(default_factory=dict)

    def add(self, stage: str, since: float) -> float:
        now = thread_time()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - since
        return now


class Lane:
    """Use it from one thread. Without `judging` no page is judged; without `guide` the order of the settings rules.

    With `ordering`, that may change while the crawl runs, and book and guide are those that it says. With `again`, pages to
    be visited again come first, and nothing else is asked for until they are done; with `only_again`, nor after that. Without
    `ordering`, as in the lab, `upkeep` is for an order of columns. With `shares`, no domain gets more than its share of the claims.
    """

    def __init__(
        self,
        *,
        store: Store,
        archive: Archive | None,
        book: Rulebook,
        clock: Clock,
        owner: str,
        judging: Judging | None = None,
        guide: Guide | None = None,
        ordering: Ordering | None = None,
        upkeep: Upkeep | None = None,
        advising: Advising | None = None,
        distilling: Distilling | None = None,
        forgiving: Forgiving | None = None,
        examples_only: bool = False,
        again: bool = False,
        only_again: bool = False,
        backwards: Backwards | None = None,
        shares: DomainShares | None = None,
    ) -> None:
        self._store = store
        self._judging = judging
        self._ordering = ordering
        self._distilling = distilling
        self._guide = ordering.guide if ordering is not None else guide
        self._upkeep = upkeep
        self._advising = advising
        self._forgiving = forgiving
        self._examples_only = examples_only
        self._again = again
        self._only_again = only_again
        self._backwards = backwards
        self._shares = shares
        self.changes = Counter[Change]()  # what visits to pages found that had been visited before
        self._archive = archive
        self._book = ordering.book if ordering is not None else book
        self._flying: set[int] = set()
        self._clock = clock
        self._owner = owner
        self._permissions = Permissions(store, product=book.settings.fetch.user_agent)
        self._limits = limits_of(book)
        self._patience = Patience(book.settings.fetch, most=book.settings.crawl.waiting)
        self.outage = Outage()
        self.stages = StageClock()

    def turn(self, finished: Sequence[Finished], want: int) -> Turn:
        """Record a batch, then take up to `want` new claims that may really be fetched."""
        began = thread_time()
        verdicts = self._judge(finished)
        at = self.stages.add("judge", began) if self._judging else began
        outcomes = [
            self.outage.excuse(self._unless_circle(conclude(one, self._book, verdict)))
            for one, verdict in zip(finished, verdicts, strict=True)
        ]
        at = self.stages.add("conclude", at)
        if self._guide is not None:
            outcomes = self._guide.score(outcomes)
            at = self.stages.add("score", at)
        if self._ordering is not None:
            outcomes = self._ordering.weigh_again(outcomes)
        if self._distilling is not None:
            outcomes = self._distilling.weigh(outcomes)
        originals = self._store.originals([one.reading.digest for one in finished]) if self._archive else {}
        archived = [
            self._archived(outcome, one.reading, originals.get(one.reading.digest))
            for outcome, one in zip(outcomes, finished, strict=True)
        ]
        self.stages.add("archive", at)
        self._record(archived)
        self._note_reading(finished)
        self._flying.difference_update(one.claim.id for one in finished)
        self._follow(archived)
        pages = sum(_counts(outcome) for outcome in outcomes)
        if self._advising is not None:
            again = sum(_counts_again(outcome) for outcome in outcomes)
            self._advising.look(pages + again, offline=self.outage.since is not None)
        if self._backwards is not None and self.has_learnt:
            self._backwards.follow(self._book)
        claims = self._claim(want)
        if self._again and want and not claims and self._all_visited_again():
            self._again = False
            claims = self._claim(want)
        short = len(claims) < want
        self._store.settle()
        return Turn(
            pages=pages,
            pages_again=sum(_counts_again(outcome) for outcome in outcomes),
            claims=tuple(claims),
            next_due=self._next_due() if short else None,
        )

    def _follow(self, outcomes: Sequence[Outcome]) -> None:
        """Notice edited topics and settings, and hosts that are to be forgiven, and let the frontier follow."""
        if self._forgiving is not None and self._forgiving.follow() and self._ordering is not None:
            self._ordering.reconsider()
        anew = self._judging is not None and self._judging.follow(self._book)
        order = self._book.order
        if self._ordering is not None:
            self._ordering.follow(anew=anew, flying=self._flying, recorded=len(outcomes), outcomes=outcomes)
            self._book, self._guide = self._ordering.book, self._ordering.guide
        elif anew and self._guide is not None:
            self._guide.revise(self._store, now=self._clock.now())
        if self._upkeep is not None and self.has_learnt:
            self._upkeep.follow(outcomes, anew=anew, now=self._clock.now())
        if self._distilling is not None and self.has_learnt:
            self._distilling.follow(self._guide, self._book.order, anew=anew or order is not self._book.order)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the crawl has noticed about itself and still holds."""
        return self._advising.findings if self._advising is not None else ()

    @property
    def has_learnt(self) -> bool:
        """Whether pages can be judged."""
        return self._judging is not None and self._judging.ready

    @property
    def has_visited_again(self) -> bool:
        """Whether no page is left that waits to be visited again."""
        return not self._again

    def _all_visited_again(self) -> bool:
        nothing_flies = not self._flying and not self._only_examples
        return nothing_flies and self._store.next_due(now=self._clock.now(), again=True) is None

    def _judge(self, finished: Sequence[Finished]) -> list[Verdict]:
        return self._judging.judge(finished) if self._judging else [UNJUDGED] * len(finished)

    def _next_due(self) -> float | None:
        now = self._clock.now()
        if not self._only_examples:
            due = self._store.next_due(now=now, again=self._again)
            if self._backwards is not None and self._backwards.busy and not self._flying:
                return min(now + IN_FLIGHT, now + IN_FLIGHT if due is None else due)  # somebody may yet name a URL
            # What may be asked now may not be good enough, and what is good enough is not told apart from it.
            return due if due is None or not self._book.settings.crawl.choosy else max(due, now + SOON)
        due = self._store.examples_due(now=now)
        if due is None and self._judging is not None:
            return now  # none is left: the next turn will have learnt
        return None if due is None else max(due, now + IN_FLIGHT)

    @property
    def _only_examples(self) -> bool:
        return self._examples_only or (self._judging is not None and not self._judging.ready)

    def _unless_circle(self, outcome: Outcome) -> Outcome:
        """Make a failure of a redirect that leads back into its own chain, which only the store remembers.

        First hops are not looked up: a popular target has thousands of citations, and a circle shows at the second.
        """
        if outcome.ending is not Ending.REDIRECT or not outcome.claim.hops:
            return outcome
        target = outcome.discoveries[0].link.url
        story = self._store.story(target, now=self._clock.now())
        if story is None or story.page is None or story.page.final_url != outcome.claim.url:
            return outcome
        return replace(outcome, ending=Ending.FAILED, reason=Reason.REDIRECT_LOOP, detail=f"back to {target[:200]}")

    def _note_reading(self, finished: Sequence[Finished]) -> None:
        for one in finished:
            self._patience.met(one.fetch)
        seconds = sum(one.reading.seconds for one in finished)
        self.stages.seconds["read"] = self.stages.seconds.get("read", 0.0) + seconds

    def _record(self, outcomes: Sequence[Outcome]) -> list[Recorded]:
        if not outcomes:
            return []
        began = thread_time()
        recorded = self._recorded(outcomes)
        self._learn(outcomes, recorded)
        if self._distilling is not None:
            self._distilling.recorded(outcomes)
        self.stages.add("record", began)
        return recorded

    def _recorded(self, outcomes: Sequence[Outcome]) -> list[Recorded]:
        """Write outcomes while the disk takes in what the archive has of them, and go on while it takes in the outcomes.

        To wait for it took an eighth of the lane's time, each time.
        """
        now, archive = self._clock.now(), self._archive
        if archive is None:
            return list(self._store.record(outcomes, now=now, archived={}, soon=True))
        lengths = archive.begin_flush()
        return list(self._store.record(outcomes, now=now, archived=lengths, synced=archive.finish_flush, soon=True))

    def _claim(self, want: int) -> list[Claim]:
        began = thread_time()
        choosy = self._book.settings.crawl.choosy if self._book.order.by_promise and self.has_learnt else 0.0
        limits = replace(self._limits, examples=self._only_examples, again=self._again, choosy=choosy)
        enough = (self._examples_only and self.has_learnt) or (self._only_again and not self._again)
        want = 0 if enough else want
        claims = self._permitted(want, limits)
        if choosy and want and not self._again:
            owed = self._permitted(self._owed(want, claims), replace(limits, choosy=0.0))
            self._patience.made(sum(claim.priority for claim in owed))
            claims += owed
        self._flying.update(claim.id for claim in claims)
        self.stages.add("claim", began)
        return claims

    def _owed(self, want: int, claims: Sequence[Claim]) -> int:
        """Return how many fetches a choosy crawl is behind the least that it makes."""
        free, now, crawl = want - len(claims), self._clock.now(), self._book.settings.crawl
        most = self._patience.most_hosts(free)
        held = (
            self._store.held_back(now=now, choosy=crawl.choosy, most=most) if free and crawl.waiting < 1 else HeldBack()
        )
        promised = sum(claim.priority for claim in claims)
        return self._patience.owed(now=now, claimed=promised, held=held, free=free)

    def _permitted(self, want: int, limits: Limits) -> list[Claim]:
        wanted: list[Claim] = []
        while len(wanted) < want:
            claims = self._store.claim(
                owner=self._owner,
                now=self._clock.now(),
                limit=want - len(wanted),
                limits=limits,
                lease=LEASE,
            )
            if not claims:
                break
            verdicts = [(claim, self._forbidden(claim)) for claim in claims]
            wanted += [claim for claim, verdict in verdicts if verdict is None]
            self._record([verdict for _, verdict in verdicts if verdict is not None])
        return wanted

    def _forbidden(self, claim: Claim) -> Outcome | None:
        """Check what may have changed since the URL was found: settings, robots.txt, the yield of its shape."""
        link = Link(url=claim.url, shape=shape_of(claim.url))
        if reason := refuse(link, self._book.bounds.address(claim.url), claim.depth, self._book):
            return self._refused(claim, reason, "")
        if self._book.settings.crawl.traps:
            self._book.traps.prepare([(claim.host, link.shape)])
            verdict = self._book.traps.verdict(claim.host, link.shape, claim.url)
            if verdict.closed:
                return self._refused(claim, Reason.TRAP, verdict.detail)
        if claim.errand is Errand.PAGE and self._limits.robots and not self._permissions.allows(claim.url):
            return self._refused(claim, Reason.ROBOTS, "")
        return self._beyond_its_share(claim)

    def _beyond_its_share(self, claim: Claim) -> Outcome | None:
        """Put a URL behind all others whose domain has had its share, once; an apprentice sees to it by itself.

        What is claimed though it stands behind is all that is left, or nearly.
        """
        if self._shares is None or self._guide is not None or claim.example or claim.fetched_before:
            return None
        domain = self._book.bounds.address(claim.url).domain
        if claim.demoted == 0 and self._shares.is_beyond(domain):
            now = self._clock.now()
            return Outcome(claim=claim, ending=Ending.RETURN, finished=now, asked=False, behind=1)
        if claim.errand is Errand.PAGE:
            self._shares.take(domain)
        return None

    def _refused(self, claim: Claim, reason: Reason, detail: str) -> Outcome:
        now = self._clock.now()
        return Outcome(claim=claim, ending=Ending.FAILED, finished=now, asked=False, reason=reason, detail=detail)

    def _archived(self, outcome: Outcome, reading: Reading, original: Original | None) -> Outcome:
        """Append an exchange to the archive: whole, or what the archive has already as a revisit of that."""
        fetch = outcome.fetch
        if self._archive is None or fetch is None or not fetch.head:
            return outcome
        if outcome.ending is Ending.UNCHANGED:
            original = outcome.claim.before
        elif original is not None and original.payload != reading.payload:
            original = None  # the same page in another coding: other bytes
        if original is not None:
            record = revisit_record(fetch, original.url, original.captured_at, original.payload)
        else:
            record = reading.record or exchange_record(fetch)  # a reader that died has left none
        return replace(outcome, spot=self._archive.append(record))

    def _learn(self, outcomes: Sequence[Outcome], recorded: Sequence[Recorded]) -> None:
        for outcome, found in zip(outcomes, recorded, strict=True):
            if found.change is not None and outcome.claim.fetched_before:
                self.changes[found.change] += 1
            if outcome.robots is not None:
                self._permissions.forget(outcome.robots.origin)
            if outcome.ending is Ending.PAGE:
                novel = found.duplicate_of is None and found.near_duplicate_of is None
                self._book.traps.learn(outcome.claim.host, outcome.shape, novel=novel)
                if self._book.crowds is not None:
                    self._book.crowds.learn(self._book.bounds.address(outcome.claim.url).domain)


def _counts(outcome: Outcome) -> bool:
    return outcome.ending is Ending.PAGE and outcome.counts and not outcome.claim.fetched_before


def _counts_again(outcome: Outcome) -> bool:
    return outcome.claim.fetched_before and outcome.ending in (Ending.PAGE, Ending.UNCHANGED)


def limits_of(book: Rulebook) -> Limits:
    """Read from the settings what `claim` must respect."""
    crawl, fetch = book.settings.crawl, book.settings.fetch
    return Limits(
        delay=fetch.delay,
        per_host=fetch.per_host,
        per_domain=fetch.per_domain,
        per_ip=fetch.per_ip,
        pages_per_host=crawl.pages_per_host,
        robots=fetch.robots,
    )
