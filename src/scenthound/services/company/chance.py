"""How many links between topics chance would bring, and how sure that is.

Topics mostly cite themselves, so that plain independence would call every other link rare. Links that leave a topic are
therefore compared among themselves: each topic gives and gets as many as it does, and they are spread evenly
(quasi-independence; Goodman 1968, fitted by iterative proportional scaling). Sites are drawn again and again with
replacement for the interval, because the links of one site are not independent of each other.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Table = NDArray[np.float64]  # citing topic, cited topic; in front of them any number of other axes

FEWEST_TOPICS: Final = 4  # below, links between topics have no freedom left once the sums are fixed
_ROUNDS: Final = 60  # of scaling; on made tables with 40 topics the sums are met to 1e-6 after 30
_DRAWS: Final = 400
_SEED: Final = 0
_WITHIN: Final = (2.5, 97.5)  # percentiles


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """How many times as many links as by chance each pair of topics has, and the 95 % interval; NaN where none is."""

    expected: Table
    ratio: Table
    low: Table
    high: Table


def expected(links: Table) -> Table:
    """Return how many links chance would bring, for tables of counts.

    >>> expected(np.array([[2.0, 2.0], [2.0, 2.0]])).tolist()
    [[2.0, 2.0], [2.0, 2.0]]
    """
    topics = links.shape[-1]
    total = np.maximum(links.sum(axis=(-2, -1), keepdims=True), 1.0)
    plain: Table = links.sum(axis=-1, keepdims=True) * links.sum(axis=-2, keepdims=True) / total
    own = np.eye(topics, dtype=bool)
    if topics < FEWEST_TOPICS:
        return plain
    leaving = np.where(own, 0.0, links)
    rows, columns = leaving.sum(axis=-1, keepdims=True), leaving.sum(axis=-2, keepdims=True)
    fitted = np.broadcast_to(np.where(own, 0.0, 1.0), links.shape).copy()
    for _ in range(_ROUNDS):
        fitted *= _divided(rows, fitted.sum(axis=-1, keepdims=True))
        fitted *= _divided(columns, fitted.sum(axis=-2, keepdims=True))
    return np.where(own, plain, fitted)


def odds(by_site: csr_array, topics: int) -> Odds:
    """Compare with chance. `by_site` has a row for each citing site, and a column for each pair of topics."""
    whole = np.asarray(by_site.sum(axis=0), dtype=np.float64).reshape(topics, topics)
    sites = by_site.shape[0]
    draw = np.random.default_rng(_SEED)
    taken = draw.multinomial(sites, np.full(sites, 1 / sites), size=_DRAWS)
    drawn = np.asarray(csr_array(taken.astype(np.float64)) @ by_site.astype(np.float64).toarray())
    drawn = drawn.reshape(-1, topics, topics)
    chance = expected(whole)
    ratios = _ratio(drawn, expected(drawn))
    low, high = np.nanpercentile(np.nan_to_num(ratios), _WITHIN, axis=0)
    return Odds(expected=chance, ratio=_ratio(whole, chance), low=low, high=high)


def ratio_of(links: Table) -> Table:
    """Return how many times as many links as by chance there are."""
    return _ratio(links, expected(links))


def _ratio(links: Table, chance: Table) -> Table:
    found: Table = np.divide(links, chance, out=np.full(links.shape, np.nan), where=chance > 1e-9)
    return found


def _divided(wanted: Table, found: Table) -> Table:
    share: Table = np.divide(wanted, found, out=np.zeros(found.shape), where=found > 0)
    return share
