"""Shark-search: a link is worth what the page that it stands on hands down, and what its own words say.

After Hersovici, Jacovi, Maarek, Pelleg, Shtalhim and Ur (The shark-search algorithm, WWW7, 1998), who measure both by
similarity to a query. Here the critic reads page, anchor and surroundings; since a probability is never 0, a threshold
tells what counts as relevant.

    potential     = γ · inherited + (1 - γ) · neighbourhood
    inherited     = δ · relevance of the citing page if that is relevant, else δ · what the citing page inherited itself
    neighbourhood = β · anchor + (1 - β) · context
    context       = 1 if the anchor is relevant, else the score of the words around it
"""

from collections.abc import Mapping

from scenthound.lab.strategies.strategy import Briefing, Seen
from scenthound.lab.strategies.surroundings import Surroundings
from scenthound.types import Link


class Shark:
    """What the citing page hands down, and what the critic reads in the link's words and in those around it.

    Of several pages that cite a URL, the one that gives it the greatest potential counts.
    """

    wants_text = True
    knows_truth = False

    def __init__(
        self,
        briefing: Briefing,
        *,
        gamma: float = 0.5,
        delta: float = 0.5,
        beta: float = 0.8,
        threshold: float = 0.5,
        reach: int = 5,
        most: int = 10,
    ) -> None:
        self._critic = briefing.words
        self._gamma = gamma
        self._delta = delta
        self._beta = beta
        self._threshold = threshold
        self._reach = reach
        self._most = most
        self._inherited: dict[str, float] = {}
        self._potential: dict[str, float] = {}

    def see(self, page: Seen) -> Mapping[str, float]:
        inherited = self._handed_down(page)
        for link, neighbourhood in zip(page.links, self._neighbourhoods(page), strict=True):
            potential = self._gamma * inherited + (1.0 - self._gamma) * neighbourhood
            self._inherited[link.url] = max(inherited, self._inherited.get(link.url, 0.0))
            self._potential[link.url] = max(potential, self._potential.get(link.url, 0.0))
        return {link.url: self._potential[link.url] for link in page.links}

    def _handed_down(self, page: Seen) -> float:
        relevant = page.relevance > self._threshold
        return self._delta * (page.relevance if relevant else self._inherited.get(page.url, 0.0))

    def _neighbourhoods(self, page: Seen) -> list[float]:
        """Return what the words in and around each link are worth; the critic is asked once a page."""
        around = Surroundings(page.reading.leaves, reach=self._reach, most=self._most)
        texts = [link.text for link in page.links] + [_context(around, link) for link in page.links]
        scores = self._critic.relevance(texts, page.reading.language).tolist() if texts else []
        half = len(page.links)
        return [self._worth(anchor, context) for anchor, context in zip(scores[:half], scores[half:], strict=True)]

    def _worth(self, anchor: float, context: float) -> float:
        return self._beta * anchor + (1.0 - self._beta) * (1.0 if anchor > self._threshold else context)


def _context(around: Surroundings, link: Link) -> str:
    return b" ".join([*around.before(link), *around.after(link)]).decode("utf-8", "replace")
