"""Best-N-first: choose the N best URLs, fetch them all, and only then look at the frontier again.

A larger N follows the scores less greedily: Pant, Srinivasan and Menczer (Exploration versus exploitation in topic
driven crawlers, WWW 2002 workshop on web dynamics) found 256 better than 1. A URL's score is the relevance of the best
page that cites it.
"""

import heapq
from collections.abc import Mapping

from scenthound.lab.strategies.strategy import Briefing, Seen


class BestNFirst:
    """The N URLs cited by the most relevant pages are fetched, all of them, before the next N are chosen.

    Those chosen get priorities above 1, which no score exceeds. A page claimed with a lower priority than some of them
    shows that these gave no page: nobody waits for them.
    """

    wants_text = False
    knows_truth = False

    def __init__(self, briefing: Briefing, *, n: int = 256) -> None:
        self._n = n
        self._scores: dict[str, float] = {}
        self._places: dict[str, int] = {}  # in which order URLs were found: among equals, the first comes first
        self._heap: list[tuple[float, int, str]] = []
        self._done: set[str] = set()  # fetched, or chosen once
        self._batch: dict[str, float] = {}

    def see(self, page: Seen) -> Mapping[str, float]:
        self._done.add(page.url)
        said = self._noted(page)
        if page.example:
            said |= self._given_back()
        else:
            self._batch = {url: rank for url, rank in self._batch.items() if rank < page.priority}
        if not self._batch:
            self._batch = self._chosen()
            said |= self._batch
        return said

    def _noted(self, page: Seen) -> dict[str, float]:
        """Raise the scores of a page's links to its relevance; return them, but for those that are chosen already."""
        for link in page.links:
            if self._scores.get(link.url, -1.0) < page.relevance:
                self._scores[link.url] = page.relevance
                self._places.setdefault(link.url, len(self._places))
                self._put(link.url)
        return {link.url: self._scores[link.url] for link in page.links if link.url not in self._batch}

    def _given_back(self) -> dict[str, float]:
        """Undo a choice: the crawl fetches all examples first, so no earlier choice has had its turn."""
        self._done.difference_update(self._batch)
        for url in self._batch:
            self._put(url)
        given, self._batch = self._batch, {}
        return {url: self._scores[url] for url in given}

    def _put(self, url: str) -> None:
        heapq.heappush(self._heap, (-self._scores[url], self._places[url], url))

    def _chosen(self) -> dict[str, float]:
        """Take the N best; the best of them gets the greatest priority, and the last one 2."""
        chosen: list[str] = []
        while self._heap and len(chosen) < self._n:
            _, _, url = heapq.heappop(self._heap)
            if url not in self._done:
                self._done.add(url)
                chosen.append(url)
        return {url: 1.0 + len(chosen) - rank for rank, url in enumerate(chosen)}
