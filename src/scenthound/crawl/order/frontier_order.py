"""The order of a frontier: the one object that sets the priorities of a crawl's URLs.

The lane asks it once a turn, before a batch is recorded, and hands it the batch again afterwards. Its parts only return
numbers: the order in force (`current`, or `fixed` in the lab) with its guide and its columns, the hubs, and the shares
of domains. docs/explanation/priorities.md shows who sets a priority, and when.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from msgspec import structs

from scenthound.clock import Clock
from scenthound.crawl.critic.at_work import CriticAtWork
from scenthound.crawl.engine.hooks import Batch, Hook
from scenthound.crawl.engine.steps import Rulebook
from scenthound.crawl.hubs.distillation import NO_HUBS, Hubs
from scenthound.crawl.order.change import reorder
from scenthound.crawl.order.priority_moves import move_waiting
from scenthound.frontier.guide import NO_GUIDANCE, UNGUIDED, Guide
from scenthound.frontier.shares import DomainShares
from scenthound.store.base import Store
from scenthound.types import Claim, Ending, Errand, Guidance, Outcome, Recorded


class OrderInForce(Protocol):
    """The rules and the guide of a crawl, which may change while it runs."""

    @property
    def book(self) -> Rulebook: ...

    @property
    def guide(self) -> Guide: ...

    def priorities_on_return(self, outcome: Outcome) -> Mapping[str, float]:
        """Return a new priority for a claim that goes back to the frontier, if the order has changed meanwhile."""
        ...

    def follow(self, batch: Batch, *, judged_again: bool) -> None:
        """Bring the frontier up to date after a batch; `judged_again` says that all pages have new judgements."""
        ...

    def reconsider(self) -> None:
        """Put the frontier in order at the next turn: URLs came back that have old priorities."""
        ...


class FrontierOrder(Hook):
    """Set priorities. Use it from the lane's thread; run it as a hook after the critic."""

    def __init__(
        self,
        in_force: OrderInForce,
        *,
        store: Store,
        clock: Clock,
        critic: CriticAtWork,
        hubs: Hubs = NO_HUBS,
        shares: DomainShares | None = None,
    ) -> None:
        self._in_force = in_force
        self._store = store
        self._clock = clock
        self._critic = critic
        self._hubs = hubs
        self._shares = shares or DomainShares(1.0, given=(), taken={})
        self._version = critic.version  # whose judgements the frontier follows

    @property
    def book(self) -> Rulebook:
        """The rules in force. While the crawl learns, links near the examples come first."""
        book, phase = self._in_force.book, self._critic.phase
        return replace(book, order=phase.order(book.order)) if phase.is_learning else book

    @property
    def has_learnt(self) -> bool:
        """Whether there is a critic that can judge pages."""
        return self._critic.ready

    @property
    def is_guided(self) -> bool:
        """Whether an apprentice, or a strategy of the lab, sets priorities."""
        return self._in_force.guide is not UNGUIDED

    def set_priorities(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Return a batch with the priorities of its links, and of waiting URLs that it changes."""
        guidance = self._in_force.guide.advise(outcomes)
        if self._critic.phase.is_learning:
            guidance = [Guidance(lesson=said.lesson) for said in guidance]  # its numbers count when all are given again
        return [
            with_priorities(
                outcome, said, returns=self._in_force.priorities_on_return(outcome), raised=self._hubs.raised
            )
            for outcome, said in zip(outcomes, guidance, strict=True)
        ]

    def note_recorded(self, outcomes: Sequence[Outcome], recorded: Sequence[Recorded]) -> None:
        """Count recorded outcomes: later priorities depend on the yield of URL shapes, domains and hubs."""
        book = self.book
        for outcome, found in zip(outcomes, recorded, strict=True):
            if outcome.ending is Ending.PAGE:
                novel = found.duplicate_of is None and found.near_duplicate_of is None
                book.traps.learn(outcome.claim.host, outcome.shape, novel=novel)
                if book.crowds is not None:
                    book.crowds.learn(book.bounds.address(outcome.claim.url).domain)
        self._hubs.note_recorded(outcomes)

    def after_turn(self, batch: Batch) -> None:
        """Let the frontier follow new judgements, edited settings, what the batch has touched, and hubs."""
        if self._critic.phase.is_learning:
            self._keep_near()
            return
        judged_again, self._version = self._critic.version != self._version, self._critic.version
        before = self.book.order
        self._in_force.follow(batch, judged_again=judged_again)
        if not self.has_learnt:
            return
        reordered = judged_again or self.book.order is not before
        for change in self._hubs.follow(self._in_force.guide, self.book.order, reordered=reordered):
            move_waiting(self._store, change, now=self._clock.now())

    def _keep_near(self) -> None:
        """While the crawl learns, only new judgements move URLs. Hubs are found, and move none yet."""
        if not self.has_learnt:
            return
        book, now = self.book, self._clock.now()
        if self._critic.version != self._version:
            self._version = self._critic.version
            reorder(self._store, book.order, seeds=(), nofollow=book.settings.crawl.nofollow == "obey", now=now)
        for change in self._hubs.follow(UNGUIDED, book.order, reordered=False):
            move_waiting(self._store, change, now=now)

    def reconsider(self) -> None:
        """Put the frontier in order at the next turn: URLs came back that have old priorities."""
        self._in_force.reconsider()

    def hold_back(self, claim: Claim) -> Outcome | None:
        """Put a claimed URL behind all others, once, if its domain has had its share. A guide does so by itself.

        A URL that is claimed although it stands behind is nearly all that is left.
        """
        if self._in_force.guide is not UNGUIDED or claim.example or claim.fetched_before:
            return None
        domain = self.book.bounds.address(claim.url).domain
        if claim.demoted == 0 and self._shares.is_beyond(domain):
            now = self._clock.now()
            return Outcome(claim=claim, ending=Ending.RETURN, finished=now, asked=False, behind=1)
        if claim.errand is Errand.PAGE:
            self._shares.take(domain)
        return None


def with_priorities(
    outcome: Outcome,
    said: Guidance = NO_GUIDANCE,
    *,
    returns: Mapping[str, float],
    raised: Mapping[str, float],
) -> Outcome:
    """Write numbers into an outcome: of the guide, of a claim that returns, and of links that a hub has `raised`.

    Without `cited`, the store takes no mean over the citing pages, and a raised link keeps its priority.
    """
    hopes, discoveries = said.links, outcome.discoveries
    if (hopes or raised) and any(one.link.url in raised or one.link.url in hopes for one in discoveries):
        discoveries = tuple(
            structs.replace(one, priority=raised[one.link.url], cited=None)
            if one.link.url in raised
            else structs.replace(one, priority=hopes[one.link.url])
            if one.link.url in hopes and one.refusal is None
            else one
            for one in discoveries
        )
    elif not returns and said is NO_GUIDANCE:
        return outcome
    return replace(outcome, discoveries=discoveries, moves={**said.moves, **returns}, lesson=said.lesson)
