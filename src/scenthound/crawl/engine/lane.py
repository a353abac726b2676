"""The ordered lane of a crawl: judge, set priorities, archive and record finished claims, then claim new ones.

One turn is one call from the store's own thread. It takes the outcomes in the order in which they finished, and ends
once both archive and database are on disk.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import thread_time

from scenthound.clock import Clock
from scenthound.crawl.critic.at_work import CriticAtWork
from scenthound.crawl.engine.exchange_archive import Exchanges
from scenthound.crawl.engine.fellows import ALONE, Fellows
from scenthound.crawl.engine.hooks import Batch, Hook
from scenthound.crawl.engine.permissions import Permissions
from scenthound.crawl.engine.steps import Finished, Rulebook, conclude, refuse
from scenthound.crawl.order.frontier_order import FrontierOrder
from scenthound.frontier.outage import Outage
from scenthound.frontier.patience import Patience
from scenthound.parse.shapes import shape_of
from scenthound.store.base import Store
from scenthound.types import Change, Claim, Ending, Errand, HeldBack, Limits, Link, Outcome, Reason, Recorded

SOON = 0.05  # seconds after which a choosy crawl looks again
IN_FLIGHT = 0.25  # seconds after which to look again while examples are in flight
LEASE = 600.0  # seconds; longer than any fetch and read may take, so that only a dead owner's claims come back


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The result of a turn: pages that count, new claims, and (if fewer than wanted) when to ask again."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Agenda:
    """The URLs that a run takes: all, or `examples_only`.

    With `again`, pages to be visited again come first; with `only_again`, nothing comes after them.
    """

    examples_only: bool = False
    again: bool = False
    only_again: bool = False


class Lane:
    """Use it from one thread. `hooks` run after each recorded batch, in their order; include critic and order."""

    def __init__(
        self,
        *,
        store: Store,
        exchanges: Exchanges,
        clock: Clock,
        owner: str,
        critic: CriticAtWork,
        order: FrontierOrder,
        hooks: tuple[Hook, ...],
        agenda: Agenda = Agenda(),  # frozen
        fellows: Fellows = ALONE,
    ) -> None:
        self._fellows = fellows
        self._store = store
        self._exchanges = exchanges
        self._clock = clock
        self._owner = owner
        self._critic = critic
        self._order = order
        self._hooks = hooks
        self._agenda = agenda
        self._again = agenda.again
        self._flying: set[int] = set()
        settings = order.book.settings
        self._permissions = Permissions(store, product=settings.fetch.user_agent)
        self._limits = limits_of(order.book)
        self._patience = Patience(settings.fetch, most=settings.crawl.waiting, account=fellows.account())
        self.changes = Counter[Change]()  # of pages that were visited before
        self.outage = Outage()
        self.stages = StageClock()

    def turn(self, finished: Sequence[Finished], want: int) -> Turn:
        """Record a batch, then take up to `want` new claims that may really be fetched."""
        if self._fellows.look():
            self._forget_hosts()
        self._flying.difference_update(one.claim.id for one in finished if one.lost)
        finished = [one for one in finished if not one.lost]
        outcomes = self._outcomes(finished)
        self._record(outcomes)
        self._note_reading(finished)
        self._flying.difference_update(one.claim.id for one in finished)
        offline = self.outage.since is not None
        batch = Batch(rules=self._order, outcomes=outcomes, flying=self._flying, offline=offline)
        for hook in self._hooks:
            at = thread_time()
            hook.after_turn(batch)
            self.stages.add("learn" if hook is self._critic else "look", at)
        claims = self._claim(want)
        if self._again and want and not claims and self._all_visited_again():
            self._again = False
            claims = self._claim(want)
        short = len(claims) < want
        self._store.settle()
        return Turn(
            pages=batch.pages,
            pages_again=batch.pages_again,
            claims=tuple(claims),
            next_due=self._next_due() if short else None,
        )

    def _forget_hosts(self) -> None:
        """Read robots.txt and yields of hosts again: some were another engine's until now."""
        self._permissions.forget_all()
        self._order.book.traps.forget()

    def _outcomes(self, finished: Sequence[Finished]) -> list[Outcome]:
        """Judge, conclude, set priorities and archive."""
        began = thread_time()
        verdicts = self._critic.judge(finished)
        at = self.stages.add("judge", began) if self._critic.ready else began
        book = self._order.book
        outcomes = [
            self.outage.excuse(self._unless_circle(conclude(one, book, verdict)))
            for one, verdict in zip(finished, verdicts, strict=True)
        ]
        at = self.stages.add("conclude", at)
        outcomes = self._order.set_priorities(outcomes)
        at = self.stages.add("score", at) if self._order.is_guided else at
        archived = self._exchanges.append(outcomes, finished)
        self.stages.add("archive", at)
        return archived

    @property
    def has_learnt(self) -> bool:
        """Whether there is a critic that can judge pages."""
        return self._critic.ready

    @property
    def has_visited_again(self) -> bool:
        """Whether no page is left that waits to be visited again."""
        return not self._again

    def _all_visited_again(self) -> bool:
        nothing_flies = not self._flying and not self._only_examples
        return nothing_flies and self._store.next_due(now=self._clock.now(), again=True) is None

    def _next_due(self) -> float | None:
        now = self._clock.now()
        if not self._only_examples:
            due = self._store.next_due(now=now, again=self._again)
            due = self._fellows.soonest(due, now + IN_FLIGHT)
            if not self._flying and any(hook.busy for hook in self._hooks):
                return now + IN_FLIGHT if due is None else min(now + IN_FLIGHT, due)
            # A URL that is due may not be good enough for a choosy crawl, and only a claim tells which.
            return due if due is None or not self._order.book.settings.crawl.choosy else max(due, now + SOON)
        due = self._store.examples_due(now=now)
        if due is None:  # none is left: after the next turn the critic has learnt, here or on another engine
            again = now if self._fellows.teaches else now + IN_FLIGHT
            return again if self._critic.learns else None
        return max(due, now + IN_FLIGHT)

    @property
    def _only_examples(self) -> bool:
        return self._agenda.examples_only or (self._critic.learns and not self._critic.ready)

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
            self._patience.note_exchange(one.fetch)
        seconds = sum(one.reading.seconds for one in finished)
        self.stages.seconds["read"] = self.stages.seconds.get("read", 0.0) + seconds

    def _record(self, outcomes: Sequence[Outcome]) -> None:
        if not outcomes:
            return
        began = thread_time()
        recorded = self._exchanges.record(outcomes, now=self._clock.now())
        self._note_changes(outcomes, recorded)
        self._order.note_recorded(outcomes, recorded)
        self.stages.add("record", began)

    def _note_changes(self, outcomes: Sequence[Outcome], recorded: Sequence[Recorded]) -> None:
        for outcome, found in zip(outcomes, recorded, strict=True):
            if found.change is not None and outcome.claim.fetched_before:
                self.changes[found.change] += 1
            if outcome.robots is not None:
                self._permissions.forget(outcome.robots.origin)

    def _claim(self, want: int) -> list[Claim]:
        began = thread_time()
        book, agenda = self._order.book, self._agenda
        weighs = book.order.by_promise or self._critic.phase.is_learning
        choosy = book.settings.crawl.choosy if weighs and self.has_learnt else 0.0
        places = self._fellows.places(book.settings.fetch.concurrency)
        limits = replace(self._limits, examples=self._only_examples, again=self._again, choosy=choosy, places=places)
        if not agenda.again and not limits.examples:
            limits = replace(limits, budget=self._fellows.budget(book.settings.crawl.pages))
        enough = (agenda.examples_only and self.has_learnt) or (agenda.only_again and not self._again)
        want = 0 if enough else want
        claims = self._permitted(want, limits)
        if choosy and want and not self._again:
            owed = self._permitted(self._owed(want, claims), replace(limits, choosy=0.0))
            self._patience.note_made(sum(claim.priority for claim in owed))
            claims += owed
        self._flying.update(claim.id for claim in claims)
        self.stages.add("claim", began)
        return claims

    def _owed(self, want: int, claims: Sequence[Claim]) -> int:
        """Return how many fetches a choosy crawl is behind the least that it makes."""
        free, now, crawl = want - len(claims), self._clock.now(), self._order.book.settings.crawl
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
            refused = {claim.id: outcome for claim in claims if (outcome := self._forbidden(claim))}
            wanted += [claim for claim in claims if claim.id not in refused]
            self._record(list(refused.values()))
        return wanted

    def _forbidden(self, claim: Claim) -> Outcome | None:
        """Check what may have changed since the URL was found: settings, robots.txt, the yield of its shape."""
        book = self._order.book
        link = Link(url=claim.url, shape=shape_of(claim.url))
        if reason := refuse(link, book.bounds.address(claim.url), claim.depth, book):
            return self._refused(claim, reason, "")
        if book.settings.crawl.traps:
            book.traps.prepare([(claim.host, link.shape)])
            verdict = book.traps.verdict(claim.host, link.shape, claim.url)
            if verdict.closed:
                return self._refused(claim, Reason.TRAP, verdict.detail)
        if claim.errand is Errand.PAGE and self._limits.robots and not self._permissions.allows(claim.url):
            return self._refused(claim, Reason.ROBOTS, "")
        return self._order.hold_back(claim)

    def _refused(self, claim: Claim, reason: Reason, detail: str) -> Outcome:
        now = self._clock.now()
        return Outcome(claim=claim, ending=Ending.FAILED, finished=now, asked=False, reason=reason, detail=detail)


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
