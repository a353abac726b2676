"""A context graph learnt during the crawl: how far is a page from a relevant one, judged by its text?

Diligenti, Coetzee, Lawrence, Giles and Gori (Focused crawling using context graphs, VLDB 2000) ask a search engine for
the pages around examples and train before they crawl. There is no such engine here: the layers come from the fetched
pages.
"""

from collections.abc import Mapping

import numpy as np
from scipy.special import expit

from scenthound.lab.strategies.layers import Bags, Layers, fit_layers
from scenthound.lab.strategies.strategy import Briefing, Seen
from scenthound.lab.strategies.trails import Trails
from scenthound.parse.words.terms import unpack


class ContextGraph:
    """Links on the pages that seem nearest to relevant ones come first, by naive Bayes over layers of distance.

    Layer 0 are relevant pages, layer 1 those that link to one, and so on. A page without a layer likelier than
    `confidence` belongs to none of them, and its links come last. At regular intervals the layers are learnt again, and
    all waiting links follow. Until there are two layers with `least` pages, the relevance of the citing page counts.
    """

    wants_text = False
    knows_truth = False

    def __init__(
        self,
        briefing: Briefing,
        *,
        layers: int = 3,
        confidence: float = 0.5,
        terms: int = 40,
        every: int = 50,
        least: int = 5,
        accept: float = 0.5,
    ) -> None:
        self._most = layers
        self._confidence = confidence
        self._every = every
        self._least = least
        self._accept = accept
        self._trails = Trails()
        self._bags = Bags(most=terms)
        self._pages: list[str] = []
        self._relevance: list[float] = []
        self._links: list[list[str]] = []
        self._said: dict[str, float] = {}
        self._learnt: Layers | None = None

    def see(self, page: Seen) -> Mapping[str, float]:
        cited = [link.url for link in page.links]
        self._trails.add(page.url, cited, relevant=page.relevance >= self._accept)
        self._bags.add(unpack(page.reading.terms))
        self._pages.append(page.url)
        self._relevance.append(page.relevance)
        self._links.append(cited)
        if len(self._pages) % self._every == 0 and self._learn():
            self._said = {}
            return self._spread(0)
        return self._spread(len(self._pages) - 1)

    def _learn(self) -> bool:
        """Learn the layers from the pages seen so far; return whether there was enough to learn from."""
        steps = self._trails.steps(self._most)
        labels = np.array([steps.get(url, -1) for url in self._pages])
        layers = [layer for layer in range(self._most + 1) if (labels == layer).sum() >= self._least]
        if len(layers) < 2:
            return False
        self._learnt = fit_layers(self._bags.matrix(), labels, layers)
        return True

    def _spread(self, first: int) -> dict[str, float]:
        """Pass the worth of pages, from that number on, to their links; the best page that cites a URL counts."""
        said: dict[str, float] = {}
        for cited, worth in zip(self._links[first:], self._worths(first), strict=True):
            for url in cited:
                said[url] = self._said[url] = max(worth, self._said.get(url, 0.0))
        return said

    def _worths(self, first: int) -> list[float]:
        relevance = self._relevance[first:]
        if self._learnt is None:
            return relevance
        odds = self._learnt.log_odds(self._bags.matrix(first))
        nearness = self._most + 1 - np.array(self._learnt.layers)[odds.argmax(axis=1)]
        sure = odds.max(axis=1)
        known = expit(sure) > self._confidence
        within = np.maximum(sure, 0.0) / (1.0 + np.maximum(sure, 0.0))  # the order of `sure`, below 1
        worths: list[float] = (np.where(known, nearness + within, relevance) / (self._most + 2)).tolist()
        return worths
