"""ACHE's link classifier: predict from the words of a link how many clicks it is away from a relevant page.

After Barbosa and Freire (An adaptive crawler for locating hidden-Web entry points, WWW 2007) and their program: linear
support vector machines over the words of anchor, surroundings and URL, one for each of three levels against all others,
trained in batches.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from scenthound.lab.strategies.link_matrix import LinkWords
from scenthound.lab.strategies.strategy import Briefing, Seen
from scenthound.lab.strategies.trails import Trails

if TYPE_CHECKING:
    from scenthound.lab.strategies.link_levels import Levels

Numbers = NDArray[np.int64]

FARTHER: Final = 3  # the level of links without a relevant page within the three levels
LEAST: Final = 5  # minimum links of a level for training


class Ache:
    """Links with words like those of links to relevant pages come first, then those one and two clicks before such.

    The level of a followed link is the distance of its page to a relevant one among the fetched pages. A link goes to
    its likeliest level, and is ordered there by that probability; of several links to a URL, the best counts. ACHE
    itself learns from links of the three levels only; here links that led farther away are another level, and such
    links come last. At regular intervals the machines are trained again and all waiting links get new scores; before
    the first training the relevance of the citing page counts.
    """

    wants_text = True
    knows_truth = False

    def __init__(
        self,
        briefing: Briefing,
        *,
        every: int = 100,
        sample: int = 1_000,
        reach: int = 5,
        most: int = 10,
        accept: float = 0.5,
    ) -> None:
        self._seed = briefing.seed
        self._every = every
        self._sample = sample
        self._accept = accept
        self._trails = Trails()
        self._words = LinkWords(reach=reach, most=most)
        self._pages: dict[str, None] = {}
        self._said: dict[str, float] = {}
        self._learnt: Levels | None = None

    def see(self, page: Seen) -> Mapping[str, float]:
        first = len(self._words.targets)
        self._pages[page.url] = None
        self._trails.add(page.url, (link.url for link in page.links), relevant=page.relevance >= self._accept)
        self._words.add(page.links, page.reading)
        if len(self._pages) % self._every == 0 and self._learn():
            self._said = {}
            first = 0
        return self._raised(first, self._worths(first, page.relevance))

    def _raised(self, first: int, worths: list[float]) -> dict[str, float]:
        """Raise the priorities of the targets of links, from that number on, to the value of the links."""
        said: dict[str, float] = {}
        for url, worth in zip(self._words.targets[first:], worths, strict=True):
            said[url] = self._said[url] = max(worth, self._said.get(url, 0.0))
        return said

    def _worths(self, first: int, relevance: float) -> list[float]:
        if self._learnt is None:
            return [relevance] * (len(self._words.targets) - first)
        likely = self._learnt.likely(self._words.rows(first))
        levels = self._learnt.levels[likely.argmax(axis=1)]
        nearer = likely[:, self._learnt.levels < FARTHER].max(axis=1)
        sure = np.where(levels == FARTHER, nearer, likely.max(axis=1))
        worths: list[float] = ((FARTHER - levels + sure) / (FARTHER + 1)).tolist()
        return worths

    def _learn(self) -> bool:
        """Train on the followed links; return whether there were enough."""
        # Here, because scikit-learn takes a second to import, and a list of strategies should not wait.
        from scenthound.lab.strategies.link_levels import fit_levels

        labels = self._labels()
        levels = np.flatnonzero(np.bincount(labels[labels >= 0], minlength=FARTHER + 1) >= LEAST)
        if len(levels) < 2:
            return False
        chosen = self._drawn(labels)
        self._learnt = fit_levels(self._words.rows()[chosen], labels[chosen], levels)
        return True

    def _labels(self) -> Numbers:
        """Return the level of each link; -1 if it was not followed."""
        steps = self._trails.steps(FARTHER - 1)
        found = [steps.get(url, FARTHER) if url in self._pages else -1 for url in self._words.targets]
        return np.array(found, dtype=np.int64)

    def _drawn(self, labels: Numbers) -> Numbers:
        """Draw at most so many links of each level, so that training takes the same time however long the crawl."""
        chance = np.random.default_rng([self._seed % 2**64, len(self._pages)])  # seeds of numpy are not negative
        drawn = [chance.permutation(np.flatnonzero(labels == label))[: self._sample] for label in range(FARTHER + 1)]
        return np.sort(np.concatenate(drawn))
