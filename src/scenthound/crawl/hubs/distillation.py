"""The distiller beside a crawl: it starts when the graph has grown, and a turn of the lane takes its hubs in.

    recorded ─► has the graph grown? ─► a worker distils a snapshot ... ─► hubs ─► apprentice ─► order ─► store

(FOCUS §3.2: "intermittently and/or concurrently".) The worker may be slow or fail; the crawl goes on without it. Hubs
are recorded together with the priorities that follow from them, so a kill leaves both or neither.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol

from scenthound.clock import Clock
from scenthound.counted import count
from scenthound.crawl.engine.fellows import ALONE, Fellows
from scenthound.crawl.hubs.hub_visits import HubVisits
from scenthound.crawl.hubs.promises import promises_of
from scenthound.crawl.order.priority_moves import Change, HubScores, Numbers
from scenthound.distill.scores import Found
from scenthound.errors import ScenthoundError
from scenthound.events import Listener, Notice
from scenthound.frontier.guide import UNGUIDED, Guide
from scenthound.frontier.orders import Order
from scenthound.settings.schema import DistillSettings
from scenthound.store.base import Store
from scenthound.types import Distillation, Ending, Outcome

LOOK: Final = 10.0  # seconds between two looks at what another engine has distilled
LEAST_RELEVANCE: Final = 10.0  # by which the relevance of all pages must have grown too, where its growth is the reason


class Worker(Protocol):
    """Who distils: a process beside the crawl, or the lab at once."""

    @property
    def at_work(self) -> bool: ...

    def begin(self) -> None:
        """Begin to distil the crawl as it is now."""
        ...

    def result(self) -> Found | None:
        """Return what was found, once, when it is there; raise a ScenthoundError if it never will be."""
        ...


class Hubs(Protocol):
    """The hubs of a crawl, as far as its order depends on them."""

    @property
    def raised(self) -> Mapping[str, float]:
        """The priorities of URLs that hubs cite. They stay if other pages cite these URLs too."""
        ...

    def note_recorded(self, outcomes: Sequence[Outcome]) -> None:
        """Count recorded outcomes."""
        ...

    def follow(self, guide: Guide, order: Order, *, reordered: bool) -> Iterable[Change]:
        """Yield changes of priorities; `reordered` says that the frontier was just put in order again.

        The caller makes each change before it asks for the next, and takes all of them.
        """
        ...


class NoHubs:
    """The hubs of a crawl that looks for none."""

    raised: Final[Mapping[str, float]] = {}

    def note_recorded(self, outcomes: Sequence[Outcome]) -> None:
        pass

    def follow(self, guide: Guide, order: Order, *, reordered: bool) -> Iterable[Change]:
        return ()


NO_HUBS: Final = NoHubs()


class Distilling:
    """The hubs that a distiller finds. `begin` comes first. Without `visits`, no hub is asked again."""

    def __init__(
        self,
        settings: DistillSettings,
        *,
        store: Store,
        worker: Worker,
        clock: Clock,
        listener: Listener,
        critic: Callable[[], int],
        visits: HubVisits | None = None,
        fellows: Fellows = ALONE,
    ) -> None:
        self._fellows = fellows
        self._distils = fellows.teaches
        self._looked = 0.0
        self._settings = settings
        self._store = store
        self._worker = worker
        self._clock = clock
        self._listener = listener
        self._critic = critic
        self._visits = visits
        self._links = 0
        self._relevance = 0.0
        self._last = Distillation(at=0.0)
        self._next = self._last  # what the worker is at, without its findings
        self.raised: Mapping[str, float] = {}
        self._failed = self._followed = False

    def begin(self) -> None:
        """See how large the graph is, and what was found in it before."""
        self._links = self._store.link_count()
        self._relevance = self._store.census(now=self._clock.now()).relevance_sum
        self._last = self._store.last_distillation() or self._last

    def note_recorded(self, outcomes: Sequence[Outcome]) -> None:
        """Count the links and the relevance of recorded pages: by their growth it is time to distil again."""
        for outcome in outcomes:
            if outcome.ending is Ending.PAGE and not outcome.claim.fetched_before:
                self._links += len(outcome.discoveries)
                self._relevance += outcome.judgement.relevance if outcome.judgement is not None else 0.0
        if self._visits is not None and self._visits.note_recorded(outcomes):
            self._followed = False  # the hub's new links may be raised too

    def follow(self, guide: Guide, order: Order, *, reordered: bool) -> Iterator[Change]:
        """Take in the hubs that were found, begin again when it is time, and have hubs asked again.

        Of several engines one distils. The others read what it has found, and move nothing.
        """
        if not self._fellows.teaches:
            self._distils = False
            self._follow_other(guide, order, reordered=reordered)
            return
        if not self._distils:
            self._distils = True
            self.begin()
        if reordered or not self._followed:
            self._followed = True
            self.raised = self._promises(self._last) if guide is UNGUIDED and order.by_promise else {}
            yield Numbers(priorities=self.raised)
        yield from self._find(guide, order)
        if self._visits is not None:
            self._visits.follow(self._last)

    def _follow_other(self, guide: Guide, order: Order, *, reordered: bool) -> None:
        if not reordered and self._clock.now() - self._looked < LOOK:
            return
        self._looked = self._clock.now()
        last = self._store.last_distillation()
        if last is not None and (reordered or last.version != self._last.version):
            self._last = last
            self.raised = self._promises(last) if guide is UNGUIDED and order.by_promise else {}

    def _find(self, guide: Guide, order: Order) -> Iterator[Change]:
        try:
            found = self._worker.result()
        except ScenthoundError as error:
            self._give_up(error)
            return
        if found is not None:
            yield from self._take_in(found, guide, order)
        elif not self._worker.at_work and self._is_time():
            self._next = Distillation(
                version=self._last.version + 1,
                at=self._clock.now(),
                critic=self._critic(),
                links=self._links,
                relevance=self._relevance,
                site=self._settings.site,
            )
            self._begin()

    def _begin(self) -> None:
        try:
            self._worker.begin()
        except ScenthoundError as error:  # no memory or no place for another process
            self._give_up(error)

    def _is_time(self) -> bool:
        last, growth = self._last, self._settings.growth
        if self._links < self._settings.least:
            return False
        if last.critic != self._critic():
            return True
        richer = self._relevance >= max(growth * last.relevance, last.relevance + LEAST_RELEVANCE)
        return richer or self._links >= growth * last.links

    def _take_in(self, found: Found, guide: Guide, order: Order) -> Iterator[Change]:
        # If each page counted as a site, the hubs are the menus of one site: good to look at, but no reason to go
        # anywhere.
        counting = found.scores[: self._settings.hubs] if found.site == self._settings.site else ()
        hubs = tuple(score for score in counting if score.hub > 0)
        new = replace(self._next, pages=found.pages, hubs=hubs, lesson=self._store.last_lesson(), site=found.site)
        heard = guide.hear(new)
        if heard is None:
            heard = self.raised = self._promises(new) if order.by_promise else {}
        yield HubScores(found=new, scores=found.scores, priorities=heard)
        self._last = new
        self._tell(len(heard), found)

    def _promises(self, found: Distillation) -> dict[str, float]:
        """Return the promises of the hubs for pages that were never visited."""
        if not self._settings.lift:
            return {}
        hubs = [hub.url for hub in found.hubs]
        return promises_of(self._store.unvisited(hubs), self._store.link_yields(hubs), lift=self._settings.lift)

    def _tell(self, moved: int, found: Found) -> None:
        found_hubs = sum(score.hub > 0 for score in found.scores[: self._settings.hubs])
        pages, hubs = count(self._last.pages, "page"), count(found_hubs, "hub")
        rest = f"; {count(moved, 'URL')} cited by them moved" if moved else ""
        if found.site != self._settings.site:
            rest = ", with each page taken for a site, because all are of one; the order does not change by them"
        self._listener(Notice(text=f"distilled {pages} with {count(self._last.links, 'link')}: {hubs} found{rest}"))

    def _give_up(self, error: ScenthoundError) -> None:
        """Try no more before the graph has grown again, and say so once."""
        self._last = replace(self._next, version=self._last.version, hubs=self._last.hubs)
        if not self._failed:
            self._listener(
                Notice(text=f"hubs were not found: {error}; the crawl goes on without, and tries again later")
            )
        self._failed = True
