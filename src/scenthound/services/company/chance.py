"""How many links between topics chance would bring, and how sure that is.

Topics mostly cite themselves, so that plain independence would call every other link rare. Links that leave a topic are
therefore compared among themselves: each topic gives and gets as many as it does, and they are spread evenly
(quasi-independence; Goodman 1968, fitted by iterative proportional scaling). Sites are drawn again and again with
replacement for the interval, because the links of one site are not independent of each other. With many pairs some
look far from chance by chance; the false discovery rate corrects for that.
"""

from collections.abc import Sequence
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
_FEW_LINKS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """How many times as many links as by chance each pair of topics has, and the 95 % interval; NaN where none is.

    `p` is the probability of so great a difference if only chance were at work.
    """

    expected: Table
    ratio: Table
    low: Table
    high: Table
    p: Table


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
    chance, drawn_chance = expected(whole), expected(drawn)
    low, high = np.nanpercentile(np.nan_to_num(_ratio(drawn, drawn_chance)), _WITHIN, axis=0)
    citing = np.asarray(by_site.reshape(sites * topics, topics).sum(axis=1) > 0).reshape(sites, topics).sum(axis=0)
    spread = _distance(drawn, drawn_chance).std(axis=0)
    # Draws from sites that have no such link, or hardly one, say nothing of how far chance reaches; single links do.
    spread = np.where(whole < _FEW_LINKS, np.maximum(spread, 1 / np.sqrt(chance + 0.5)), spread)
    p = _probability(_distance(whole, chance), spread, citing)
    return Odds(expected=chance, ratio=_ratio(whole, chance), low=low, high=high, p=p)


def _distance(links: Table, chance: Table) -> Table:
    """Return how far links are from chance, as a logarithm; half a link more lets none be infinitely far."""
    found: Table = np.log((links + 0.5) / (chance + 0.5))
    return found


def _probability(distance: Table, spread: Table, sites: NDArray[np.int64]) -> Table:
    """Return how probable distances are by chance: Student's t, with the sites that have links of the citing topic.

    Percentiles of the draws cannot tell one in a thousand from one in a million, which many pairs ask for. With the
    normal distribution in place of t, half of the webs without any real pair had one marked (`python -m bench.company`
    has the made webs).
    """
    from scipy.special import stdtr  # a tenth of a second, and only here

    steps = np.divide(np.abs(distance), spread, out=np.zeros(spread.shape), where=spread > 0)
    found: Table = 2 * stdtr(np.maximum(sites - 1.0, 1.0)[:, None], -steps)
    return found


def false_discovery_rate(p: Sequence[float]) -> list[float]:
    """Return, for each of many comparisons, the share of false ones among those with its probability or a lower one.

    One in twenty is below .05 by chance alone, so that of 400 pairs of topics 20 would be marked for nothing (Benjamini
    and Hochberg 1995).

    >>> [round(rate, 3) for rate in false_discovery_rate([0.04, 0.001, 0.3])]
    [0.06, 0.003, 0.3]
    """
    order = np.argsort(p)
    rates = np.asarray(p)[order] * len(p) / np.arange(1, len(p) + 1)
    found = np.empty(len(p))
    found[order] = np.minimum(np.minimum.accumulate(rates[::-1])[::-1], 1.0)
    return [float(rate) for rate in found]


def ratio_of(links: Table) -> Table:
    """Return how many times as many links as by chance there are."""
    return _ratio(links, expected(links))


def _ratio(links: Table, chance: Table) -> Table:
    found: Table = np.divide(links, chance, out=np.full(links.shape, np.nan), where=chance > 1e-9)
    return found


def _divided(wanted: Table, found: Table) -> Table:
    share: Table = np.divide(wanted, found, out=np.zeros(found.shape), where=found > 0)
    return share
