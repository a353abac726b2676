"""Which order rules a crawl, and that the whole frontier has it: also when the setting changes, between runs or during one.

A note in the store says which order the frontier has. It is taken back before anything is moved, and written when everything
is, so that a crawl killed in between begins the change again. An apprentice first catches up on the pages that it has not seen
(APPRENTICE §3.7); until then the crawl goes on in the old order.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from scenthound.apprentice.guide import APPLIED, ApprenticeGuide
from scenthound.clock import Clock
from scenthound.combination import is_combination, parsed
from scenthound.config import Settings
from scenthound.crawl.asked import AskedApprentice
from scenthound.crawl.catching_up import CatchingUp
from scenthound.crawl.guiding import asks_apprentice, brand_of, guide_of, sample_of
from scenthound.crawl.judging import Judging
from scenthound.crawl.noted_order import ORDERED, RANDOM, UNFINISHED, former, order_in
from scenthound.crawl.reordering import NAMED, priority_of, reorder
from scenthound.crawl.stats import count
from scenthound.crawl.steps import Rulebook
from scenthound.crawl.upkeep import Upkeep
from scenthound.crawl.watching import SettingsWatch
from scenthound.events import Listener, Notice
from scenthound.frontier.orders import APPRENTICE, Combined, order_by_name
from scenthound.store.base import Store
from scenthound.trust import function, is_trusted, require
from scenthound.types import Ending, Outcome

_UNTAUGHT: Final = 'crawl.order is "{}", but critic.kind is "none": with nobody to learn from, an apprentice takes links as they are found'
NEWS: Final = 1000  # URLs of which an apprentice thinks otherwise, weighed anew in one turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where a crawl keeps what an apprentice needs: checkpoints, and the pages that it reads again."""

    models: Path
    archive: Path

    @property
    def crawl(self) -> Path:
        return self.models.parent


class Ordering:
    """Keep the frontier in order. `begin` comes first; `book` and `guide` are those in force.

    `seeds` is asked when there is no critic, who knows them. `number_words` is told whether readers shall number words.
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
        judging: Judging | None,
        seeds: Collection[str],
        stopping: Callable[[], bool],
        number_words: Callable[[bool], None],
    ) -> None:
        self.book = book
        self.guide: ApprenticeGuide | AskedApprentice | None = None
        self._settings = settings
        self._order = book.order  # that is wanted
        self._store = store
        self._clock = clock
        self._listener = listener
        self._places = places
        self._watch = watch
        self._judging = judging
        self._seeds = seeds
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

    def follow(self, *, anew: bool, flying: Collection[int], recorded: int, outcomes: Sequence[Outcome] = ()) -> None:
        """Notice edited settings and bring the frontier into the order that they ask for.

        `anew` says that all pages were judged anew, `flying` names the claims in flight, `recorded` counts what was just recorded,
        and `outcomes` is that.
        """
        news = self._watch.news()
        if news is not None:
            self._adopt(news)
        if self._judging is not None and not self._judging.ready:
            return  # nothing but examples is fetched, whatever the order
        if self._has != self._wanted:
            self._change(flying, recorded)
        elif anew and self.guide is not None:
            self.guide.revise(self._store, now=self._clock.now())
        if self._late and self._late.isdisjoint(flying):
            self._settle()
        self._keep_up(outcomes)

    def reconsider(self) -> None:
        """See that URLs are back with priorities from back then: the next `follow` puts the frontier in order again."""
        self._has = self._store.note(ORDERED)

    def weigh_again(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Give what was in flight when the order changed, and goes back to the frontier, a priority of the new order."""
        return [self._weighed(one) if one.claim.id in self._late else one for one in outcomes]

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
        guide = self._new_guide() if self._wants_guide else None
        if isinstance(guide, AskedApprentice):  # its word is one column: it is heard before anything is moved
            guide.revise(self._store, now=self._clock.now())
        moved = self._reorder(guide)
        if moved is None:
            return
        self.book = replace(self.book, settings=self._settings, order=self._order)
        self.guide, self._upkeep = guide, None
        if isinstance(guide, ApprenticeGuide):
            guide.revise(self._store, now=self._clock.now())
        self._has, self._late = wanted, frozenset(flying)
        self._tell(had, moved)
        if not self._late:
            self._settle()

    def _keep_up(self, outcomes: Sequence[Outcome]) -> None:
        """Weigh anew what has changed its place in an order of columns; the other orders are told by whoever finds or judges."""
        order = self.book.order
        if not isinstance(order, Combined) or not outcomes:
            return
        if self._upkeep is None:
            self._upkeep = Upkeep(self._store, order, nofollow=self._nofollow, expected=self._expected)
        news = self.guide.news(NEWS) if isinstance(self.guide, AskedApprentice) else ()
        self._upkeep.after(outcomes, news, now=self._clock.now())

    def _may_run(self, name: str) -> bool:
        return is_trusted(self._places.crawl, function(name))

    def _expected(self, url: str) -> float:
        return self.guide.expected(url) if self.guide is not None else 0.0

    def _reorder(self, guide: ApprenticeGuide | AskedApprentice | None) -> int | None:
        return reorder(
            self._store,
            self._order,
            seeds=self._judging.seeds if self._judging is not None else self._seeds,
            nofollow=self._nofollow,
            now=self._clock.now(),
            stopping=self._stopping,
            expected=guide.expected if guide is not None else lambda _url: 0.0,
        )

    def _settle(self) -> None:
        """Say that everything has the order. Claims that were in flight had no priority to be changed before they came back."""
        self._late = frozenset()
        self._store.note(ORDERED, self._has)

    def _caught_up(self, recorded: int) -> bool:
        if self._catching_up is None:
            self._catching_up = CatchingUp(
                store=self._store, archive=self._places.archive, nofollow=self._nofollow, listener=self._listener
            )
        if self.guide is not None:  # it has taken a lesson from every page
            return True
        return self._catching_up.go_on(recorded=recorded)

    def _new_guide(self) -> ApprenticeGuide | AskedApprentice | None:
        assert self._judging is not None
        guide = guide_of(self._settings, store=self._store, advisor=self._judging, folder=self._places.models)
        return AskedApprentice(guide) if guide is not None and isinstance(self._order, Combined) else guide

    def _weighed(self, outcome: Outcome) -> Outcome:
        if outcome.ending not in (Ending.RETRY, Ending.RETURN):
            return outcome
        claim = outcome.claim
        promise = NAMED if claim.via is None else claim.via.promise or 0.0
        priority = priority_of(
            self._store,
            self.book.order,
            claim.url,
            depth=claim.depth,
            promise=promise,
            nofollow=self._nofollow,
            expected=self._expected,
        )
        return replace(outcome, moves={**outcome.moves, claim.url: priority})

    # -- what is wanted

    @property
    def _wanted(self) -> str:
        """What the frontier shall have, as the note says it: the order, and on what else its priorities depend.

        An order of numbers must look again after a new critic, who may have brought URLs back that were off topic when they
        were found; an order by promise does so anyway.
        """
        critic = self._judging.version if self._judging is not None else 0
        name = name_of(self._settings)
        return name if self._order.by_promise else f"{name}; critic {critic}"

    @property
    def _wants_guide(self) -> bool:
        """Whether an apprentice shall guide the crawl; without a critic there is nobody to learn from."""
        return asks_apprentice(self._settings) and self._judging is not None

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
        """Have readers number words while an apprentice is wanted; say so if it will have nobody to learn from."""
        self._number_words(self._wants_guide)
        if asks_apprentice(self._settings) and self._judging is None and self._watch.chosen("crawl.order"):
            self._listener(Notice(text=_UNTAUGHT.format(self._settings.crawl.order)))


def name_of(settings: Settings) -> str:
    """Return an order by name, with all settings on which its priorities depend.

    >>> from scenthound.config import CrawlSettings
    >>> [name_of(Settings(crawl=CrawlSettings(order=order))) for order in ("best-first", "random", "apprentice", "depth, found")]
    ['best-first', 'random 0', 'apprentice scent links=500000 sample=0.01 seed=0', 'depth,found']
    """
    order, seed = settings.crawl.order, settings.crawl.seed
    if order == RANDOM:
        return f"{order} {seed}"
    written = str(parsed(order)) if is_combination(order) else order
    if asks_apprentice(settings):
        return f"{written} {brand_of(settings.apprentice)} sample={sample_of(settings):g} seed={seed}"
    return written
