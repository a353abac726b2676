"""PageRank of the known pages and URLs as the order of a crawl (Cho, Garcia-Molina and Page, WWW7, 1998).

    R(u) = (1 - d) + d · Σ R(v) / c(v)     over the pages v that link to u, with c(v) links each

URLs that are not fetched have no known links. Letting them link to every page alike, as the paper does with pages
without links, multiplies all ranks by the same number; the order is that of the formula above.
"""

from array import array
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.lab.strategies.strategy import Briefing, Seen

_CLOSE: Final = 1e-6  # the greatest change of a rank at which the iteration stops
_ROUNDS: Final = 200  # enough for a damping of .9 from anywhere: .9 ** 200 < 1e-9


class PageRank:
    """The URL with the greatest PageRank in the known graph comes first.

    Ranks are computed again at regular intervals. In between a page passes its rank on to its links, and only these
    move.
    """

    wants_text = False
    knows_truth = False

    def __init__(self, briefing: Briefing, *, damping: float = 0.9, every: int = 25) -> None:
        self._damping = damping
        self._every = every
        self._numbers: dict[str, int] = {}
        self._ranks: list[float] = []
        self._pages = array("i")
        self._degrees = array("i")
        self._sources = array("i")
        self._targets = array("i")

    def see(self, page: Seen) -> Mapping[str, float]:
        me = self._number(page.url)
        cited = [number for number in (self._number(link.url) for link in page.links) if number != me]
        self._pages.append(me)
        self._degrees.append(len(cited))
        self._sources.extend([me] * len(cited))
        self._targets.extend(cited)
        if len(self._pages) % self._every == 0:
            self._ranks = self._computed().tolist()
            return dict(zip(self._numbers, self._ranks, strict=True))
        for number in cited:
            self._ranks[number] += self._damping * self._ranks[me] / len(cited)
        return {link.url: self._ranks[self._numbers[link.url]] for link in page.links}

    def _number(self, url: str) -> int:
        number = self._numbers.setdefault(url, len(self._numbers))
        if number == len(self._ranks):
            self._ranks.append(1.0 - self._damping)
        return number

    def _computed(self) -> NDArray[np.float64]:
        return ranks(
            np.frombuffer(self._sources, dtype=np.int32),
            np.frombuffer(self._targets, dtype=np.int32),
            start=np.array(self._ranks),
            damping=self._damping,
        )


def ranks(
    sources: NDArray[np.int32], targets: NDArray[np.int32], *, start: NDArray[np.float64], damping: float
) -> NDArray[np.float64]:
    """Return the ranks of a graph of links, from a guess to start with.

    Page 0 links to 1 and 2, page 1 to 2:

    >>> ranks(np.array([0, 0, 1]), np.array([1, 2, 2]), start=np.ones(3), damping=0.5).tolist()
    [0.5, 0.625, 0.9375]
    """
    degrees = np.bincount(sources, minlength=len(start))
    # Only links to pages that have links themselves need repeating: the others get their rank once, at the end.
    inner = degrees[targets] > 0
    among, onto = sources[inner], targets[inner]
    found = start
    for _ in range(_ROUNDS):
        before, found = found, _passed_on(among, onto, found, degrees, damping)
        if np.abs(found - before)[degrees > 0].max(initial=0.0) < _CLOSE:
            break
    return _passed_on(sources, targets, found, degrees, damping)


def _passed_on(
    sources: NDArray[np.int32],
    targets: NDArray[np.int32],
    found: NDArray[np.float64],
    degrees: NDArray[np.int64],
    damping: float,
) -> NDArray[np.float64]:
    shares = found[sources] / degrees[sources]
    received = np.bincount(targets, weights=shares, minlength=len(found)).astype(np.float64)
    passed_on: NDArray[np.float64] = (1.0 - damping) + damping * received
    return passed_on
