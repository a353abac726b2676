"""What a crawl teaches itself, as its critic uses it: archetypes and the learning phase, in one place.

The critic asks after each turn whether the learning phase ends, and whether a round of archetypes is due.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from scenthound.counted import count
from scenthound.crawl.critic.example_set import Gathered
from scenthound.crawl.critic.stages import Stages
from scenthound.crawl.learning.archetype_choice import Choice
from scenthound.crawl.learning.archetype_rounds import ArchetypeRounds
from scenthound.crawl.learning.crawl_phase import CrawlPhase, Progress
from scenthound.crawl.learning.learnt_note import Archetype
from scenthound.events import Listener, Notice
from scenthound.judge.critic import Critic
from scenthound.settings.schema import CrawlSettings
from scenthound.store.base import Store
from scenthound.taxonomy import Topics, is_at_or_below
from scenthound.types import Outcome

_BATCH: Final = 500  # waiting URLs looked at together


class Wish(Protocol):
    """Where the user asks a crawl to learn no longer."""

    @property
    def asks_to_harvest(self) -> bool:
        """Whether the user wants the crawl to learn no longer."""
        ...

    def ask_to_harvest(self, wanted: bool = True) -> None:
        """Ask for that, or take it back."""
        ...


class SelfTaught:
    """The archetypes and the phase of one crawl. Use it from the lane's thread."""

    def __init__(
        self, settings: CrawlSettings, *, store: Store, stages: Stages, listener: Listener, choice: Choice
    ) -> None:
        self._store = store
        self._stages = stages
        self._listener = listener
        self._rounds = ArchetypeRounds(settings, store, choice=choice)
        self.phase = CrawlPhase(settings, learnt=lambda: self._rounds.learnt, note=self._rounds.note)

    def begin(self, topics: Topics) -> None:
        """Choose the phase of a crawl that has none yet."""
        self.phase.begin(self._progress(topics))

    def archetypes(self, topics: Topics) -> tuple[Archetype, ...]:
        """Return the archetypes that a critic learns from."""
        return self._rounds.in_force(topics)

    def ends_phase(self, outcomes: Sequence[Outcome], topics: Topics, wish: Wish) -> bool:
        """Begin to harvest if enough is learnt; tell whether that happened."""
        if not self.phase.is_learning:
            return False
        asked, progress = wish.asks_to_harvest, self._progress(topics)
        why = self.phase.end_reason(outcomes, progress, asked=asked, waits=self._waits_near)
        if not why:
            return False
        self._listener(Notice(text=f"the crawl has learnt and harvests from now on: {why}"))
        self.phase.end(why, pages=progress.pages)
        if asked:
            wish.ask_to_harvest(False)
        return True

    def is_due(self, topics: Topics) -> bool:
        """Tell whether it is time to look for archetypes."""
        if not self._rounds.is_due(self._stages.crawled):
            return False
        self._stages.recount(topics)
        return self._rounds.is_due(self._stages.crawled)

    def propose(self, critic: Critic, topics: Topics, gathered: Gathered) -> bool:
        """Look for archetypes; tell whether they differ from those there are, so that a critic must learn from them."""
        if not self._rounds.propose(critic, topics, gathered, pages=self._stages.crawled):
            return False
        proposed = self._rounds.in_force(topics)
        before = {example.name for example in gathered.archetypes}
        new = sum(one.url not in before for one in proposed)
        gone = len(before) - (len(proposed) - new)
        said = f"{count(new, 'archetype')} found, {count(gone, 'archetype')} left, {len(proposed)} in all"
        self._listener(Notice(text=said))
        return True

    def settle(self, worse: str) -> None:
        """Note what has become of a proposal: it was taken, or `worse` says why not."""
        self._rounds.settle(worse)

    def _progress(self, topics: Topics) -> Progress:
        learnt = self._rounds.in_force(topics)
        known = [
            sum(len(below.examples) + bool(below.query) for below in topics.below(good.path))
            + sum(is_at_or_below(one.topic, good.path) for one in learnt)
            for good in topics.good
        ]
        return Progress(pages=self._stages.crawled, fewest=min(known, default=0))

    def _waits_near(self) -> bool:
        after = 0
        while waiting := self._store.waiting(after=after, limit=_BATCH):
            if any(self.phase.is_near(one.url, one.depth) for one in waiting):
                return True
            after = waiting[-1].id
        return False
