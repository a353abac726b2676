"""The calendar of visits: which pages are due, and putting them at the head of the frontier, the most useful first.

A killed run loses nothing: the pages that it has put at the head wait there, and a visited page is no longer due. A
note remembers when a revisit of all pages began, until it is done; otherwise a resumed one would begin from the start.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final

import numpy as np

from scenthound.frontier.rates import (
    DAY,
    Floats,
    Observed,
    Rates,
    chances,
    freshness_gains,
    mean_span,
    observed,
    prior_of,
    span_of_chance,
)
from scenthound.settings.schema import RevisitSettings
from scenthound.store.base import Hubs, Notes, Store, Visits
from scenthound.store.rules import ABSENT
from scenthound.types import Visited

PIECE: Final = 10_000  # pages looked at, or put back, at a time
TURNS: Final = 64  # that the store tells apart
ROUND: Final = "revisit of all pages begun"  # a note: when, until it is done
HUBS: Final = 1_000  # that are treated as hubs
UNJUDGED: Final = 0.5  # the worth of a page that no critic has judged
LOST: Final = 0.1  # of its worth is left to a page that was not there the last time
GIVEN_UP: Final = 3  # times in a row that a page was not there, after which only a revisit of all asks for it


class Revisit(StrEnum):
    """The pages to ask for again."""

    DUE = "due"  # pages that are likely enough to have changed
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A page to be asked for again: the probability that it has changed, and what it is worth to know that."""

    url: str
    chance: float
    benefit: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """How often one page changes, in seconds from one change to the next, and when it is due; None if never."""

    span: float
    chance: float
    due: float | None


class Calendar:
    """The rates of change of all pages, as known at one moment."""

    def __init__(self, store: Store, settings: RevisitSettings, *, now: float) -> None:
        self._store = store
        self._settings = settings
        self._now = now
        self._rates: Rates | None = None

    def due(self) -> Iterator[Due]:
        """Yield the pages that are likely enough to have changed, in the order in which they were found."""
        least = self._now - 3600 * self._settings.hours
        for page, seen, chance, benefit in self._judged():
            rested = page.visits[-1].at <= least
            if rested and chance >= self._settings.chance and seen.missed < GIVEN_UP:
                yield Due(url=page.url, chance=chance, benefit=benefit)

    def all_before(self, moment: float) -> Iterator[Due]:
        """Yield the pages that were last visited, or tried, before a moment."""
        for page, _, chance, benefit in self._judged():
            if page.visits[-1].at < moment:
                yield Due(url=page.url, chance=chance, benefit=benefit)

    def outlook(self, page: Visited) -> Outlook:
        """Tell how often a page changes and when it is due."""
        seen = observed(page.visits)
        known = self._known().of([page])
        span = span_of_chance(known[0], self._settings.chance)
        rest = page.visits[-1].at + 3600 * self._settings.hours
        never = span == float("inf") or seen.missed >= GIVEN_UP
        return Outlook(
            span=float(mean_span(known)[0]),
            chance=float(chances(known, np.array([max(0.0, self._now - seen.seen)]))[0]),
            due=None if never else max(seen.seen + span, rest),
        )

    def _judged(self) -> Iterator[tuple[Visited, Observed, float, float]]:
        """Yield all pages, each with what was observed, the chance that it has changed, and the benefit of a visit."""
        rates, hubs = self._known(), hub_shares(self._store)
        for pages in _pieces(self._store):
            seen = [observed(page.visits) for page in pages]
            known = rates.of(pages, seen)
            spans = np.array([max(0.0, self._now - one.seen) for one in seen])
            changed = chances(known, spans)
            worth = [worth_of(page, hub=hubs.get(page.url, 0.0)) for page in pages]
            gains = self._gains(known, spans, changed) * worth
            yield from zip(pages, seen, changed.tolist(), gains.tolist(), strict=True)

    def _gains(self, known: Floats, spans: Floats, changed: Floats) -> Floats:
        return freshness_gains(known, spans) if self._settings.aim == "fresh" else changed

    def _known(self) -> Rates:
        if self._rates is None:
            self._rates = Rates(prior=prior_of(self._settings.typical_days * DAY))
            for pages in _pieces(self._store, again=True):
                self._rates.learn(pages)
        return self._rates


def hub_shares(store: Hubs) -> dict[str, float]:
    """Return the best hubs of the last distillation, if there was one: the best has 1."""
    hubs = store.hubs(limit=HUBS)
    return {score.url: score.hub / hubs[0].hub for score in hubs}


def worth_of(page: Visited, *, hub: float = 0.0) -> float:
    """Return what a page is worth: its relevance, and as much again for the best hub (FOCUS §3.3 visits hubs again)."""
    relevance = UNJUDGED if page.relevance is None else page.relevance
    lost = page.visits[-1].change in ABSENT
    return (relevance + hub) * (LOST if lost else 1.0)


def put_back(store: Store, calendar: Calendar, wish: Revisit, *, now: float, ranked: bool = True) -> int:
    """Put what is to be asked for again at the head of the frontier; return how many pages that are.

    They have their turns by benefit, unless they are not `ranked`: then the order of the frontier decides among them.
    """
    if wish is Revisit.DUE:
        due = list(calendar.due())
    else:
        begun = float(store.note(ROUND) or 0.0) or now
        store.note(ROUND, repr(begun))
        due = list(calendar.all_before(begun))
    return _put(store, in_turns(due) if ranked else {page.url: 0 for page in due}, now)


def end_revisit(store: Notes) -> None:
    """Let the next revisit of all pages begin from the start."""
    if store.note(ROUND):
        store.note(ROUND, "")


def in_turns(due: Sequence[Due]) -> dict[str, int]:
    """Deal pages into turns, by their benefit: as many in each, the best in the first.

    >>> in_turns([Due(url=name, chance=0.5, benefit=benefit) for name, benefit in (("a", 0.1), ("b", 0.7), ("c", 0.4))])
    {'b': 0, 'c': 21, 'a': 42}
    """
    best_first = sorted(due, key=lambda page: (-page.benefit, page.url))
    return {page.url: place * TURNS // len(best_first) for place, page in enumerate(best_first)}


def _put(store: Visits, turns: Mapping[str, int], now: float) -> int:
    rest, again = iter(turns.items()), 0
    while some := dict(islice(rest, PIECE)):
        again += store.revisit(some, now=now)
    return again


def _pieces(store: Visits, *, again: bool = False) -> Iterator[list[Visited]]:
    after = 0
    while pages := store.visited(after=after, limit=PIECE, again=again):
        yield pages
        after = pages[-1].id
