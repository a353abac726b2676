"""The order of a crawl whose settings stay as they are: in the lab, in measurements and in tests."""

from collections.abc import Mapping

from scenthound.clock import Clock
from scenthound.crawl.critic.at_work import CriticAtWork
from scenthound.crawl.engine.hooks import Batch
from scenthound.crawl.engine.steps import Rulebook
from scenthound.crawl.order.change import reorder
from scenthound.crawl.order.priority_moves import Numbers, move_in_pieces, move_waiting
from scenthound.crawl.order.upkeep import Upkeep
from scenthound.frontier.guide import UNGUIDED, Guide
from scenthound.frontier.orders import Combined
from scenthound.store.base import Store
from scenthound.types import Outcome


class FixedOrder:
    """Keep to the order of a rulebook, with a guide or without one."""

    def __init__(
        self, book: Rulebook, *, store: Store, clock: Clock, critic: CriticAtWork, guide: Guide = UNGUIDED
    ) -> None:
        self.book = book
        self.guide = guide
        self._store = store
        self._clock = clock
        self._critic = critic
        self._nofollow = book.settings.crawl.nofollow == "obey"
        # after the learning phase, no URL has a number of this order
        self._renumbers = not book.order.by_promise and book.settings.crawl.phases == "auto"
        self._columns = Upkeep(store, book.order, nofollow=self._nofollow) if isinstance(book.order, Combined) else None

    def priorities_on_return(self, outcome: Outcome) -> Mapping[str, float]:
        """Return nothing: a claim goes back under the order under which it was taken."""
        return {}

    def reconsider(self) -> None:
        """Do nothing: no URL comes back from an earlier order."""

    def follow(self, batch: Batch, *, judged_again: bool) -> None:
        """Let the guide think everything over after new judgements, and keep up an order of columns."""
        now = self._clock.now()
        if judged_again:
            move_in_pieces(self._store, self.guide.revise(self._store), now=now)
        if not self._critic.ready or (self._columns is None and not self._renumbers):
            return
        if judged_again:
            reorder(self._store, self.book.order, seeds=(), nofollow=self._nofollow, now=now)
        elif batch.outcomes and self._columns is not None:
            numbers = self._columns.numbers_after(batch.outcomes)
            move_waiting(self._store, Numbers(priorities=numbers), now=now)
