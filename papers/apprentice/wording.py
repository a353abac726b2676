"""What the studies of links share: how their links were had, means over topics, and differences in words."""

from collections.abc import Callable, Mapping
from typing import Final

from papers.apprentice.by_offset import OFFSETS
from papers.apprentice.findings import FEWEST, Held, LinkFindings
from papers.crawls import WorldCrawls
from papers.means import Means
from scenthound.lab.experiment.values import Interval
from scenthound.lab.report.numbers import MINUS, signed

LINKS: Final = (
    "The links are those of the soft crawls of focus-harvest, the first draw of each topic, from pages that were "
    "fetched to pages "
    f"that were fetched; topics count that have {FEWEST} of them in either bucket, HIGH (R of .5 or more) and LOW."
)
HELD: Final = (
    "Five folds, held back in two ways: all links *on* the same page together, or all links *to* the same page "
    "together. The "
    "paper does not say which it did. In a crawl only links to pages not yet known are foretold, so the second one "
    "decides "
    "whether we find the same. The paper's buckets were nearly of a size, ours are not: accuracy is the mean of "
    "that on HIGH and that on LOW links."
)


class Topics:
    """Means over the topics of a world."""

    def __init__(self, crawls: WorldCrawls) -> None:
        self.found = crawls.links()
        self.means = Means(seed=crawls.seed)

    def mean(self, value: Callable[[LinkFindings], float]) -> Interval:
        return self.means.interval((one.topic, value(one)) for one in self.found)

    def by_way(self, value: Callable[[LinkFindings, Held], float]) -> Mapping[Held, Interval]:
        """Return the mean for either way of holding back."""
        return {held: self.means.interval((one.topic, value(one, held)) for one in self.found) for held in Held}


def change(interval: Interval) -> str:
    """Write a difference of shares, in per cent.

    >>> change(Interval(mean=-0.031, low=-0.05, high=0.002, topics=12))
    '−3.1 % (−5.0 to +.2)'
    """
    mean, low, high = (signed(100 * value, 1) for value in (interval.mean, interval.low, interval.high))
    return f"{mean} %" if interval.topics < 2 else f"{mean} % ({low} to {high})"


def grows(interval: Interval) -> bool:
    """Tell whether a difference is surely above nothing."""
    return interval.low > 0


def offset_places() -> tuple[str, ...]:
    """Name the offsets below a row of bars, every other one.

    >>> offset_places()[8:13]
    ('−2', '', '0', '', '2')
    """
    return tuple("" if offset % 2 else str(offset).replace("-", MINUS) for offset in OFFSETS)
