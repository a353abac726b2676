"""Hubs asked again within a crawl, for links that were not there before (FOCUS §3.3).

The rate at which a hub gains links is estimated like changes of pages (`frontier/rates.py`): from its own visits, those
of its host, and those of all hubs. The chance of new links and the hub's score decide which comes first; a share of all
fetches decides how many. A hub that is put back waits in the frontier, so a kill loses nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from scenthound.clock import Clock
from scenthound.crawl.revisit.calendar import GIVEN_UP
from scenthound.events import Listener, Notice
from scenthound.frontier.rates import DAY, Rates, chances, observed, prior_of
from scenthound.settings.schema import RevisitSettings
from scenthound.store.base import Store
from scenthound.store.rules import HostState, UrlState
from scenthound.types import Change, Distillation, Ending, Errand, Outcome, PageScore, Visit, Visited

# The chance of new links. `revisit.chance` is for pages whose present state matters. A hub is asked for new places to
# go, and a request in vain mostly costs a 304. With this chance an unknown hub is asked after ten hours, then less
# often each time in vain.
CHANCE: Final = 0.05
LOOK: Final = 300.0  # seconds between two looks at all hubs; one reads about a hundred stories


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """A hub that is there, with its visits as far as they are about links."""

    score: float
    page: Visited


class HubVisits:
    """Use it from the lane: `note_recorded` after each batch, `follow` between turns."""

    def __init__(
        self, store: Store, settings: RevisitSettings, *, share: float, clock: Clock, listener: Listener
    ) -> None:
        self._store = store
        self._settings = settings
        self._share = share
        self._clock = clock
        self._listener = listener
        self._fetches = self._again = 0  # of this run
        self._waiting: set[str] = set()  # put back, and not asked yet
        self._asked: dict[str, float] = {}  # when each was put back: what is refused has no visit to tell that
        self._due: list[str] = []  # the best last
        self._version = 0
        self._next_look = 0.0

    def note_recorded(self, outcomes: Sequence[Outcome]) -> bool:
        """Count what was fetched; return whether a page visited again may have new links."""
        news = False
        for outcome in outcomes:
            again = outcome.claim.fetched_before and outcome.claim.errand is Errand.PAGE
            if outcome.fetch is not None and outcome.claim.errand is Errand.PAGE:
                self._fetches += 1
                self._again += again
            if outcome.ending not in (Ending.RETRY, Ending.RETURN):
                self._waiting.discard(outcome.claim.url)
            news = news or (again and outcome.ending is Ending.PAGE)
        return news

    def follow(self, found: Distillation) -> None:
        """Put hubs back into the frontier, as many as the share allows and are due."""
        room = int(self._share * self._fetches) - self._again - len(self._waiting)
        if room < 1 or not found.hubs:
            return
        now = self._clock.now()
        if found.version != self._version or now >= self._next_look:
            self._version, self._next_look = found.version, now + LOOK
            self._due = list(reversed(self._due_of(found.hubs, now)))
        some = [self._due.pop() for _ in range(min(room, len(self._due)))]
        if some:
            self._put_back(some, now)

    def _put_back(self, urls: Sequence[str], now: float) -> None:
        if not self._asked:
            text = (
                f"the best hubs are asked again for new links, with up to {self._share:.0%} of all fetches "
                "(distill.revisit)"
            )
            self._listener(Notice(text=text))
        self._store.revisit(dict.fromkeys(urls, 0), now=now)
        self._waiting.update(urls)
        self._asked.update(dict.fromkeys(urls, now))

    def _due_of(self, hubs: Sequence[PageScore], now: float) -> list[str]:
        """Return the hubs that are due, best first."""
        known = list(self._known(hubs, now))
        if not known:
            return []
        pages = [one.page for one in known]
        rates = Rates(prior=prior_of(self._settings.typical_days * DAY))
        rates.learn(pages)
        seen = [observed(page.visits) for page in pages]
        spans = np.array([max(0.0, now - one.seen) for one in seen])
        new = chances(rates.of(pages, seen), spans).tolist()
        due = [
            (-chance * one.score, one.page.url)
            for one, look, chance in zip(known, seen, new, strict=True)
            if chance >= CHANCE and look.missed < GIVEN_UP and self._has_rested(one.page, now)
        ]
        return [url for _, url in sorted(due)]

    def _known(self, hubs: Sequence[PageScore], now: float) -> Iterator[_Known]:
        """Yield those hubs that may be asked."""
        for hub in hubs:
            story = self._store.story(hub.url, now=now)
            if story is not None and story.state == UrlState.PAGE and story.host.state != HostState.BAD:
                visits = tuple(by_links(visit) for visit in story.visits)
                if visits:
                    yield _Known(score=hub.hub, page=Visited(id=0, url=hub.url, host=story.host.host, visits=visits))

    def _has_rested(self, page: Visited, now: float) -> bool:
        last = max(page.visits[-1].at, self._asked.get(page.url, 0.0))
        return last <= now - 3600 * self._settings.hours


def by_links(visit: Visit) -> Visit:
    """Return what a visit says about links: a page that has only other words is unchanged.

    >>> [by_links(Visit(at=9.0, change=Change.CHANGED, gained=gained)).change.value for gained in (0, 2)]
    ['unchanged', 'changed']
    """
    return replace(visit, change=Change.UNCHANGED) if visit.change is Change.CHANGED and not visit.gained else visit
