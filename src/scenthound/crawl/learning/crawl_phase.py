"""The phase of a crawl: it learns close to its examples first, then it harvests everywhere (BINGO §2.6, §3.3).

While it learns, links within the domains of the examples come first, and only links of pages of their own topic are
followed, or of few pages in between. Feature spaces that vote on a page must all agree (BINGO §3.5). Nothing else of
the crawl changes.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import structs
from msgspec.structs import replace

from scenthound.crawl.learning.learnt_note import Learnt
from scenthound.frontier.orders import Near, Order
from scenthound.parse.urls import domain_of, host_of
from scenthound.settings.schema import CrawlSettings, CriticSettings
from scenthound.types import Outcome

# Examples of a topic with which a crawl harvests at once and adds none itself. From five examples, a learning phase
# lowered the mean harvest of three topics from .42 to .33 (docs/explanation/self-taught.md).
FEW: Final = 5
ENOUGH: Final = 10  # examples and archetypes of each good topic with which a crawl harvests
MOST_PAGES: Final = 200  # that a crawl fetches to learn
SHARE: Final = 0.2  # and the part of its budget
DEPTH: Final = 4  # steps from the examples (BINGO §5.2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a crawl is: its pages, and the examples and archetypes of the good topic that has fewest."""

    pages: int
    fewest: int


class CrawlPhase:
    """The phase of one crawl. `learnt` reads what is noted, `note` writes it."""

    def __init__(
        self, settings: CrawlSettings, *, learnt: Callable[[], Learnt], note: Callable[[Learnt], None]
    ) -> None:
        self._settings = settings
        self._learnt = learnt
        self._note = note
        self._enough = min(ENOUGH, settings.archetypes or ENOUGH)
        self._home: frozenset[str] = frozenset()

    @property
    def is_learning(self) -> bool:
        return self._settings.phases == "auto" and self._learnt().phase == "learning"

    @property
    def settings(self) -> CrawlSettings:
        """The settings of the focus: sharp while the crawl learns."""
        if not self.is_learning or self._settings.focus == "none":
            return self._settings
        return structs.replace(self._settings, focus="hard", sharp=True)

    def critic(self, settings: CriticSettings) -> CriticSettings:
        """Return the settings of the critic in this phase: how feature spaces decide, unless the user has said it."""
        if settings.decision != "phase":
            return settings
        return structs.replace(settings, decision="unanimous" if self.is_learning else "weighted")

    def settle_near(self, seeds: Collection[str]) -> None:
        """Say where the crawl is at home: in the domains of its seeds."""
        self._home = frozenset(domain_of(host_of(url)) for url in seeds)

    def order(self, order: Order) -> Order:
        """Return the order that links are found under."""
        return Near(self._home, depth=DEPTH) if self.is_learning else order

    def begin(self, progress: Progress) -> None:
        """Begin to learn, where a crawl is new and has few examples."""
        learnt = self._learnt()
        if self._settings.phases != "auto" or learnt.phase:
            return
        if progress.pages:
            why = "it was under way when phases were switched on"
        elif progress.fewest >= FEW:
            why = f"each good topic has {FEW} examples or more"
        else:
            self._note(replace(learnt, phase="learning", why="the examples are few"))
            return
        self._note(replace(learnt, phase="harvesting", why=why))

    def end_reason(
        self, outcomes: Sequence[Outcome], progress: Progress, *, asked: bool, waits: Callable[[], bool]
    ) -> str:
        """Say why learning ends now; "" if it goes on. `waits` tells whether a link near the examples waits."""
        if asked:
            return "you asked for it"
        if progress.fewest >= self._enough:
            return f"each good topic has {self._enough} examples and archetypes"
        if progress.pages >= self.budget:
            return f"it has fetched {self.budget} pages to learn"
        if any(not self.is_near(one.claim.url, one.claim.depth) for one in outcomes) and not waits():
            return "no link near the examples is left"
        return ""

    def end(self, why: str, *, pages: int) -> None:
        """Harvest from now on."""
        self._note(replace(self._learnt(), phase="harvesting", why=why, pages=pages))

    def is_near(self, url: str, depth: int) -> bool:
        """Tell whether a URL lies near the examples."""
        return depth <= DEPTH and domain_of(host_of(url)) in self._home

    @property
    def budget(self) -> int:
        """The pages that learning may take."""
        share = int(SHARE * self._settings.pages)
        return min(MOST_PAGES, share) if share else MOST_PAGES


HARVESTING: Final = CrawlPhase(CrawlSettings(phases="off"), learnt=Learnt, note=lambda _learnt: None)
