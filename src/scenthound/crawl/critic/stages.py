"""The stages of a crawl: how many of its own pages the critic learns from, and when it should learn from more."""

from typing import Final

from scenthound.crawl.critic.example_set import COMPETING, Gathered, competition, crawled_pages, stage_of
from scenthound.judge.critic_kinds import adapts
from scenthound.settings.schema import CriticSettings
from scenthound.store.base import Notes, Store
from scenthound.taxonomy import Topics

STAGE: Final = "critic stage"  # a note


class Stages:
    """Count the pages of a crawl. A new stage begins each time the crawl has grown by a factor (`example_set.STEP`).

    The stage is noted, and only new pages end it. A page that becomes an example is no page of the crawl any more, and
    one that is an example no longer is one again. So a correction at 150 pages took a crawl back to the stage of 50,
    and an undo at 149 took it on to 150: both changed judgements that had nothing to do with the edit.
    """

    def __init__(self, settings: CriticSettings, store: Store) -> None:
        self._adapts = adapts(settings)
        self._store = store
        self._competes = False  # whether enough examples of other topics show what is not wanted
        self._by_words = False  # whether crawled pages must show what the words of a topic mean
        self._grown = False  # whether pages have come since the critic learnt
        self.crawled = 0  # pages, or a few more: those that repeat others are counted too
        self.reached = 0  # pages of the crawl that the critic has learnt from

    def recount(self, topics: Topics) -> None:
        """Count the pages that are there, without those that repeat others."""
        self.crawled = crawled_pages(self._store, topics)

    def add_pages(self, pages: int) -> None:
        """Count new pages that are no examples."""
        self.crawled += pages
        self._grown = self._grown or pages > 0

    def enter(self, topics: Topics, gathered: Gathered) -> None:
        """Enter the stage that the crawl has reached, because the critic learns now."""
        self.recount(topics)
        self._competes = competition(topics, gathered.examples) >= COMPETING
        self._by_words = gathered.by_words
        noted = noted_stage(self._store)
        if noted is None or self._grown or self._competes:
            noted = max(noted or 0, stage_of(self.crawled, by_words=self._by_words))
            self._store.note(STAGE, str(noted))
        self._grown = False
        self.reached = noted if self._learns else 0

    def has_next(self, topics: Topics) -> bool:
        """Tell whether the crawl has grown so much that the critic should learn from its pages again."""
        if not self._grown or self._due <= self.reached:
            return False
        self.recount(topics)
        return self._due > self.reached

    @property
    def _learns(self) -> bool:
        """Whether the critic learns from pages of the crawl: some kinds do not, nor do those with enough examples."""
        return self._adapts and not self._competes

    @property
    def _due(self) -> int:
        """The pages of the crawl to learn from by its size."""
        return stage_of(self.crawled, by_words=self._by_words) if self._learns else 0


def noted_stage(store: Notes) -> int | None:
    """Return the stage that a crawl has reached, if one was noted."""
    noted = store.note(STAGE)
    return int(noted) if noted else None
