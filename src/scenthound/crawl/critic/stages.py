"""The stages of a crawl: how many of its own pages the critic learns from, and when it should learn from more."""

from scenthound.crawl.critic.example_set import COMPETING, Gathered, competition, crawled_pages, stage_of
from scenthound.judge.critic_kinds import adapts
from scenthound.settings.schema import CriticSettings
from scenthound.store.base import Store
from scenthound.taxonomy import Topics


class Stages:
    """Count the pages of a crawl. A new stage begins each time the crawl has grown by a factor (`example_set.STEP`)."""

    def __init__(self, settings: CriticSettings, store: Store) -> None:
        self._adapts = adapts(settings)
        self._store = store
        self._competes = False  # whether enough examples of other topics show what is not wanted
        self._by_words = False  # whether crawled pages must show what the words of a topic mean
        self.crawled = 0  # pages, or a few more: those that repeat others are counted too
        self.reached = 0  # pages of the crawl that the critic has learnt from

    def recount(self, topics: Topics) -> None:
        """Count the pages that are there, without those that repeat others."""
        self.crawled = crawled_pages(self._store, topics)

    def add_pages(self, pages: int) -> None:
        """Count new pages."""
        self.crawled += pages

    def enter(self, topics: Topics, gathered: Gathered) -> None:
        """Enter the stage that the crawl has reached, because the critic learns now."""
        self.recount(topics)
        self._competes = competition(topics, gathered.examples) >= COMPETING
        self._by_words = gathered.by_words
        self.reached = self._due

    def has_next(self, topics: Topics) -> bool:
        """Tell whether the crawl has grown so much that the critic should learn from its pages again."""
        if self._due <= self.reached:
            return False
        self.recount(topics)
        return self._due > self.reached

    @property
    def _due(self) -> int:
        """The pages of the crawl to learn from; none if the kind of critic does not adapt to the crawl."""
        adapts = self._adapts and not self._competes
        return stage_of(self.crawled, by_words=self._by_words) if adapts else 0
