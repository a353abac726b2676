"""Crawls that know the truth: references, not rivals.

The one-step oracle is the limit of reading links well. A strategy that beats it has chosen better detours; the greedy
oracle does that. Both recognise dead links, and follow them last.
"""

import heapq
from collections.abc import Mapping
from typing import Final

from scenthound.errors import LabError
from scenthound.lab.strategies.strategy import Briefing, Omniscience, Seen

# The value of a page that is not relevant: more than a dead link, and too little to change a figure of the links.
ALIVE: Final = 1e-6


class Oracle:
    """Relevant pages first, as if every URL of the frontier had been looked at before it is fetched.

    It is the result of perfect reading of links, and nothing else. It is no bound of what a crawl can find: without a
    relevant page in the frontier it takes the URL found first, and a strategy that guesses well where to go from there
    may overtake it.
    """

    wants_text = False
    knows_truth = True

    def __init__(self, briefing: Briefing) -> None:
        self._truth = _truth(briefing)

    def see(self, page: Seen) -> Mapping[str, float]:
        return {link.url: self._worth(link.url) for link in page.links}

    def _worth(self, url: str) -> float:
        return 1.0 if self._truth.relevant(url) else ALIVE if self._truth.alive(url) else 0.0


class GreedyOracle:
    """Relevant pages first, and among equals those behind which most relevant pages are still to be found.

    A URL is worth (r + γ · y₁ / (y₁ + 1) + γ² · y₂ / (y₂ + 1)) / (1 + γ + γ²), where r is 1 if it is relevant, y₁
    counts the relevant pages that it links to and that are neither fetched nor in the frontier, and y₂ those one link
    further on. Up to γ = .6 no yield outweighs a relevant page.

    It shows the effect of foresight of two links, and is no bound either: it takes one page at a time, while the best
    crawl may fetch pages that pay only later. Finding that one is NP-hard (Gouriten, Maniu and Senellart, 2014). Nor is
    it always ahead of the one-step oracle.

    Yields only shrink as more is found. So an earlier value is an upper bound, and only the head of the frontier is
    computed again (Minoux, Accelerated greedy algorithms, 1978).
    """

    wants_text = False
    knows_truth = True

    def __init__(self, briefing: Briefing, *, gamma: float = 0.5) -> None:
        self._truth = _truth(briefing)
        self._gamma = gamma
        self._found: set[str] = set()  # fetched or in the frontier
        self._fetched: set[str] = set()
        self._ahead: dict[str, list[str]] = {}  # relevant pages that a page links to, not yet found when last looked at
        self._places: dict[str, int] = {}
        self._heap: list[tuple[float, int, str]] = []

    def see(self, page: Seen) -> Mapping[str, float]:
        self._fetched.add(page.url)
        new = [link.url for link in page.links if link.url not in self._found]
        self._found.update([page.url, *new])
        said = {url: self._worth(url) for url in new if url != page.url}
        for url, worth in said.items():
            self._places[url] = len(self._places)  # of equals, the frontier takes the one found first
            heapq.heappush(self._heap, (-worth, self._places[url], url))
        return said | self._head()

    def _head(self) -> dict[str, float]:
        """Recompute the best of the frontier until the best is one whose worth has not changed."""
        moved: dict[str, float] = {}
        while self._heap:
            worth, place, url = self._heap[0]
            if url in self._fetched:
                heapq.heappop(self._heap)
                continue
            now = self._worth(url)
            if now == -worth:
                break
            heapq.heapreplace(self._heap, (-now, place, url))
            moved[url] = now
        return moved

    def _worth(self, url: str) -> float:
        near = set(self._yield(url))
        far = {target for link in self._truth.links(url) for target in self._yield(link)} - near - {url}
        gamma = self._gamma
        worth = float(self._truth.relevant(url)) + gamma * _share(len(near)) + gamma**2 * _share(len(far))
        return max(worth / (1.0 + gamma + gamma**2), ALIVE if self._truth.alive(url) else 0.0)

    def _yield(self, url: str) -> list[str]:
        """Return the relevant pages that a page links to and that are not found yet."""
        ahead = self._ahead.get(url)
        if ahead is None:
            ahead = [target for target in self._truth.links(url) if self._truth.relevant(target)]
        self._ahead[url] = ahead = [target for target in ahead if target not in self._found]
        return ahead


def _share(count: int) -> float:
    return count / (count + 1)


def _truth(briefing: Briefing) -> Omniscience:
    if briefing.truth is None:
        raise LabError("an oracle needs to be told the truth; its kind must declare knows_truth")
    return briefing.truth
