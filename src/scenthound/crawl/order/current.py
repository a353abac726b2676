"""The order of a live crawl, which follows its settings between runs and during a run.

A note in the store says which order the frontier has. The note is cleared before anything is moved, and written when
everything is, so a crawl killed in between starts the change again. An apprentice first catches up on the pages that it
has not seen (APPRENTICE §3.7); until then the crawl goes on in the old order.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from scenthound.apprentice.crawl_guide import APPLIED, ApprenticeGuide
from scenthound.archive.place import ArchiveFolder
from scenthound.clock import Clock
from scenthound.counted import count
from scenthound.crawl.critic.at_work import CriticAtWork
from scenthound.crawl.directory.settings_watch import SettingsWatch
from scenthound.crawl.engine.fellows import ALONE, Fellows
from scenthound.crawl.engine.hooks import Batch
from scenthound.crawl.engine.steps import Rulebook
from scenthound.crawl.order.change import NAMED, priority_of, reorder
from scenthound.crawl.order.consulted import AskedApprentice
from scenthound.crawl.order.guides import asks_apprentice, brand_of, guide_of, sample_of
from scenthound.crawl.order.late_lessons import CatchingUp
from scenthound.crawl.order.note import ORDERED, RANDOM, UNFINISHED, former, order_in
from scenthound.crawl.order.priority_moves import Numbers, move_in_pieces, move_waiting
from scenthound.crawl.order.upkeep import Upkeep
from scenthound.events import Listener, Notice
from scenthound.frontier.guide import UNGUIDED, NoGuide
from scenthound.frontier.orders import APPRENTICE, Combined, order_by_name
from scenthound.settings.order_columns import is_combination, parsed
from scenthound.settings.schema import Settings
from scenthound.store.base import Store
from scenthound.trust import function, is_trusted, require
from scenthound.types import Ending, Outcome

_UNTAUGHT: Final = (
    'crawl.order is "{}", but critic.kind is "none": with nobody to learn from, '
    "an apprentice takes links as they are found"
)
LiveGuide = ApprenticeGuide | AskedApprentice | NoGuide
NEWS: Final = 1000  # URLs that an apprentice has changed its mind about, renumbered in one turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where a crawl keeps what an apprentice needs: checkpoints, and the pages that it reads again."""

    models: Path
    archive: ArchiveFolder

    @property
    def crawl(self) -> Path:
        return self.models.parent


class Ordering:
    """Keep the frontier in order. `begin` comes first; `book` and `guide` are those in force.

    `number_words` switches on that readers number words, which an apprentice needs.
    """

    def __init__(
        self,
        *,
        settings: Settings,
        book: Rulebook,
        store: Store,
        clock: Clock,
        listener: Listener,
        places: Places,
        watch: SettingsWatch,
        critic: CriticAtWork,
        stopping: Callable[[], bool],
        number_words: Callable[[bool], None],
        fellows: Fellows = ALONE,
    ) -> None:
        self._fellows = fellows
        self.book = book
        self.guide: LiveGuide = UNGUIDED
        self._settings = settings
        self._order = book.order  # that is wanted
        self._store = store
        self._clock = clock
        self._listener = listener
        self._places = places
        self._watch = watch
        self._critic = critic
        self._stopping = stopping
        self._number_words = number_words
        self._has: str | None = None  # what the frontier has
        self._catching_up: CatchingUp | None = None
        self._upkeep: Upkeep | None = None
        self._late: frozenset[int] = frozenset()  # claims that were in flight when the order changed

    def begin(self) -> None:
        """See which order the frontier has; until an apprentice has caught up, that one stays in force."""
        self._watch.begin()
        self._has = self._store.note(ORDERED)
        self._prepare()
        if not self._wants_guide:
            return
        if self._store.untaught(limit=1, nofollow=self._nofollow):
            self.book = replace(self.book, order=former(self._has or UNFINISHED, may_run=self._may_run))
            self._has = self._has and UNFINISHED
        else:
            self.guide = self._new_guide()

    def follow(self, batch: Batch, *, judged_again: bool) -> None:
        """Notice edited settings and bring the frontier into the order that they ask for."""
        news = self._watch.news()
        if news is not None:
            self._adopt(news)
        if self._critic.learns and not self._critic.ready:
            return  # nothing but examples is fetched, whatever the order
        if self._has != self._wanted:
            if self._fellows.teaches:
                self._change(batch.flying, len(batch.outcomes))
            else:
                self._join_order()
        elif judged_again:
            self._revise(self.guide)
        if self._late and self._late.isdisjoint(batch.flying):
            self._settle()
        self._keep_up(batch.outcomes)

    def reconsider(self) -> None:
        """Note that URLs came back with old priorities: the next `follow` puts the frontier in order again."""
        self._has = self._store.note(ORDERED)

    def priorities_on_return(self, outcome: Outcome) -> Mapping[str, float]:
        """Return a priority of the new order for a claim that was in flight when it changed, and goes back."""
        claim = outcome.claim
        if claim.id not in self._late or outcome.ending not in (Ending.RETRY, Ending.RETURN):
            return {}
        promise = NAMED if claim.via is None else claim.via.promise or 0.0
        priority = priority_of(
            self._store,
            self.book.order,
            claim.url,
            depth=claim.depth,
            promise=promise,
            nofollow=self._nofollow,
            expected=self.guide.expected,
        )
        return {claim.url: priority}

    # -- changing

    def _adopt(self, settings: Settings) -> None:
        """Take changed settings over, unless they name an order that cannot be had."""
        try:
            if ":" in settings.crawl.order and settings.crawl.order != self._settings.crawl.order:
                require(self._places.crawl, [function(settings.crawl.order)])
            order = order_by_name(settings.crawl.order, seed=settings.crawl.seed)
        except Exception as error:  # a module of the user's may raise anything when it is loaded
            self._listener(Notice(text=f"{error}; the crawl goes on in the order as it was"))
            return
        self._settings, self._order, self._catching_up = settings, order, None
        self._prepare()

    def _change(self, flying: Collection[int], recorded: int) -> None:
        if self._stopping() or (self._wants_guide and not self._caught_up(recorded)):
            return
        wanted, had = self._wanted, self._has
        self._store.note(ORDERED, UNFINISHED)
        self._store.note(APPLIED, UNFINISHED)  # what an apprentice has told the store is no longer there
        self._has = UNFINISHED
        guide = self._new_guide() if self._wants_guide else UNGUIDED
        if isinstance(guide, AskedApprentice):  # its expectations are a column: they come before anything is moved
            self._revise(guide)
        moved = self._reorder(guide)
        if moved is None:
            return
        self.book = replace(self.book, settings=self._settings, order=self._order)
        self.guide, self._upkeep = guide, None
        if isinstance(guide, ApprenticeGuide):
            self._revise(guide)
        self._has, self._late = wanted, frozenset(flying)
        self._tell(had, moved)
        if not self._late:
            self._settle()

    def _join_order(self) -> None:
        """Go on in the order that another engine has put the frontier in, if it is the one that is wanted here."""
        if self._store.note(ORDERED) != self._wanted:
            return
        guide = self._new_guide() if self._wants_guide else UNGUIDED
        self._revise(guide)
        self.book = replace(self.book, settings=self._settings, order=self._order)
        self.guide, self._upkeep, self._has = guide, None, self._wanted

    def _keep_up(self, outcomes: Sequence[Outcome]) -> None:
        """Renumber URLs whose columns have changed. Other orders need no upkeep: finding and judging set their
        numbers."""
        order = self.book.order
        if not isinstance(order, Combined) or not outcomes:
            return
        if self._upkeep is None:
            self._upkeep = Upkeep(self._store, order, nofollow=self._nofollow, expected=self._expected)
        news = self.guide.take_news(NEWS) if isinstance(self.guide, AskedApprentice) else ()
        numbers = self._upkeep.numbers_after(outcomes, news)
        move_waiting(self._store, Numbers(priorities=numbers), now=self._clock.now())

    def _revise(self, guide: LiveGuide) -> None:
        move_in_pieces(self._store, guide.revise(self._store), now=self._clock.now())

    def _may_run(self, name: str) -> bool:
        return is_trusted(self._places.crawl, function(name))

    def _expected(self, url: str) -> float:
        return self.guide.expected(url)

    def _reorder(self, guide: LiveGuide) -> int | None:
        return reorder(
            self._store,
            self._order,
            seeds=self._critic.seeds,
            nofollow=self._nofollow,
            now=self._clock.now(),
            stopping=self._stopping,
            expected=guide.expected,
        )

    def _settle(self) -> None:
        """Note that everything has the order. Before that, claims in flight had no priority that could be changed."""
        self._late = frozenset()
        self._store.note(ORDERED, self._has)

    def _caught_up(self, recorded: int) -> bool:
        if self._catching_up is None:
            self._catching_up = CatchingUp(
                store=self._store, archive=self._places.archive, nofollow=self._nofollow, listener=self._listener
            )
        if self.guide is not UNGUIDED:  # it has taken a lesson from every page
            return True
        return self._catching_up.go_on(recorded=recorded)

    def _new_guide(self) -> LiveGuide:
        guide = guide_of(self._settings, store=self._store, advisor=self._critic, folder=self._places.models)
        if guide is None:
            return UNGUIDED
        return AskedApprentice(guide) if isinstance(self._order, Combined) else guide

    # -- what is wanted

    @property
    def _wanted(self) -> str:
        """The order that the frontier should have, as the note says it, with all that its priorities depend on.

        After a new critic an order of numbers must look at all URLs again: some are back that were off topic when they
        were found. An order by promise does so anyway.
        """
        name = name_of(self._settings)
        return name if self._order.by_promise else f"{name}; critic {self._critic.version}"

    @property
    def _wants_guide(self) -> bool:
        """Whether an apprentice should guide the crawl. Without a critic it has no teacher."""
        return asks_apprentice(self._settings) and self._critic.learns

    @property
    def _nofollow(self) -> bool:
        return self._settings.crawl.nofollow == "obey"

    def _tell(self, had: str | None, moved: int) -> None:
        """Say that the order has changed, unless it has not, or is the first one."""
        name = name_of(self._settings)
        if had is None or order_in(had) == name:
            return
        if self._settings.crawl.order == APPRENTICE and self._wants_guide:
            whose = f" ({self._settings.apprentice.kind}), which has thought all waiting URLs over"
        else:
            whose = f"; {count(moved, 'waiting URL')} moved"
        self._listener(Notice(text=f"the order from now on is {self._settings.crawl.order}{whose}"))

    def _prepare(self) -> None:
        """Have readers number words while an apprentice is wanted; warn if it will have no teacher."""
        self._number_words(self._wants_guide)
        if asks_apprentice(self._settings) and not self._critic.learns and self._watch.chosen("crawl.order"):
            self._listener(Notice(text=_UNTAUGHT.format(self._settings.crawl.order)))


def name_of(settings: Settings) -> str:
    """Return an order by name, with all settings that its priorities depend on.

    >>> from scenthound.settings.schema import CrawlSettings
    >>> orders = ("best-first", "random", "apprentice", "depth, found")
    >>> [name_of(Settings(crawl=CrawlSettings(order=order))) for order in orders]
    ['best-first', 'random 0', 'apprentice scent links=500000 sample=0.01 seed=0', 'depth,found']
    """
    order, seed = settings.crawl.order, settings.crawl.seed
    if order == RANDOM:
        return f"{order} {seed}"
    written = str(parsed(order)) if is_combination(order) else order
    if asks_apprentice(settings):
        return f"{written} {brand_of(settings.apprentice)} sample={sample_of(settings):g} seed={seed}"
    return written
