"""Where relevance begins: the critic's score at which half of the pages of this crawl are on topic.

A critic learns from a few examples and a background of everything else. A crawl meets pages in between: near the topic
and without labels. Three things place the border: the examples, each scored by a critic that had not seen it; the
crawled pages, which are sparsest at the edge of the topic; and refused pages. The order of pages does not change.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

Floats = NDArray[np.float64]

# Scores are log-odds, shifted and scaled so that the background is at -1 and the held-out examples are at 0. On this
# scale, in 20 live crawls of three labelled webs (8 examples, 250 pages), the best border lay between -.27 and .21 in
# all but two. These crawls set the numbers below, by a script that was not kept: precision .65 and recall .77 on the
# schools web (.59 and .82 by two bell curves fitted to the scores), .82 and .83 on the modern one. `python -m bench
# one_topic` measures their effect.
_BORDER: Final = -0.1
_UNSURE: Final = 0.12  # how far a gap may move the border from the place that the examples give
_SLOPE: Final = 6.0
_BLUR: Final = 0.12  # width of the bell for each crawled page
_NOTHING: Final = 0.02  # density that counts as a gap
_GRID: Final = np.linspace(-0.6, 1.2, 181)
_LEAST_RANGE: Final = 1.0  # log-odds between background and examples; below, the critic separates nothing
_SUREST: Final = 1e-9
ON_TOPIC: Final = 0.5
_RANK_SHARE, _RANK_SLOPE = 0.25, 2.0  # of crawled pages that count as on topic, and log-odds for a spread of scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Border:
    """The correction of relevance: its log-odds times `slope` plus `offset`."""

    slope: float = 1.0
    offset: float = 0.0

    def __call__(self, relevance: Floats) -> Floats:
        moved: Floats = expit(self.slope * log_odds(relevance) + self.offset)
        return moved


AS_IT_IS: Final = Border()


def log_odds(relevance: Floats) -> Floats:
    found: Floats = logit(np.clip(relevance, _SUREST, 1 - _SUREST))
    return found


def with_relevance(rows: Floats, good: NDArray[np.bool_], relevance: Floats) -> Floats:
    """Scale probabilities so that the good classes together have a given relevance; the rest keeps its odds.

    >>> with_relevance(np.array([[0.2, 0.3, 0.5]]), np.array([True, True, False]), np.array([0.75])).round(3).tolist()
    [[0.3, 0.45, 0.25]]
    """
    if good.all() or not good.any():
        return rows
    now = np.clip(rows[:, good].sum(axis=1), _SUREST, 1 - _SUREST)
    factors = np.where(good[None, :], (relevance / now)[:, None], ((1 - relevance) / (1 - now))[:, None])
    moved: Floats = rows * factors
    return np.asarray(moved / moved.sum(axis=1, keepdims=True))


def find_border(examples: Floats, background: Floats, refused: Floats, crawled: Floats) -> Border:
    """Find the border from the relevance of good examples, background and refused pages, all held out, and of crawled
    pages.

    >>> chance = np.random.default_rng(1)
    >>> draw = lambda middle, count: expit(chance.normal(middle, 1, count))
    >>> crawled = np.concatenate((draw(1, 40), draw(-6, 160)))
    >>> read = find_border(draw(0, 8), draw(-9, 300), np.zeros(0), crawled)(crawled)
    >>> int((read[:40] >= 0.5).sum()), int((read[40:] >= 0.5).sum())
    (39, 0)
    """
    if not len(examples) or not len(background):
        return AS_IT_IS
    top, bottom = float(log_odds(examples).mean()), float(log_odds(background).mean())
    span = max(top - bottom, _LEAST_RANGE)
    known, against, met = ((log_odds(part) - top) / span for part in (examples, refused, crawled))
    slope = _SLOPE / span
    return Border(slope=slope, offset=-slope * (top + _place(known, against, met) * span))


def border_at_share(border: Border, crawled: Floats, share: float) -> Border:
    """Move a border so that about a given share of the crawled pages is on topic; it lies between two scores.

    >>> crawled = expit(np.array([-3.0, -1.0, 1.0, 3.0]))
    >>> border_at_share(Border(slope=2.0), crawled, 0.5)(crawled).round(3).tolist()
    [0.002, 0.119, 0.881, 0.998]
    """
    scores = np.unique(log_odds(crawled))
    places = np.concatenate((scores[:1] - 1, (scores[1:] + scores[:-1]) / 2, scores[-1:] + 1))
    shares = 1 - np.searchsorted(np.sort(log_odds(crawled)), places) / len(crawled)
    return Border(slope=border.slope, offset=-border.slope * float(places[np.abs(shares - share).argmin()]))


def border_by_rank(crawled: Floats) -> Border:
    """Place the border where the best quarter of crawled pages begins: for words, which have no level to compare with.

    One spread of the crawled pages is a step of two in log-odds, so that nearly all of them keep their order.

    >>> border_by_rank(expit(np.arange(-4.0, 5.0)))(expit(np.array([-4.0, 2.0, 4.0]))).round(2).tolist()
    [0.01, 0.5, 0.82]
    """
    scores = log_odds(crawled)
    slope = _RANK_SLOPE / max(float(scores.std()), 1.0 / _SLOPE)
    return Border(slope=slope, offset=-slope * float(np.quantile(scores, 1 - _RANK_SHARE)))


def _place(examples: Floats, refused: Floats, crawled: Floats) -> float:
    """Return the cheapest border.

    It costs to be far from the examples' place, amid crawled pages, or on the wrong side of labels.
    """
    cost = ((_GRID - _BORDER) / _UNSURE) ** 2 / 2
    if len(crawled):
        bells = np.exp(-(((_GRID[:, None] - crawled) / _BLUR) ** 2) / 2)
        cost += np.log(bells.mean(axis=1) + _NOTHING)
    if len(refused):
        # Without refused pages, the examples have already counted; with them, both sides weigh the same.
        balance = min(1.0, len(refused) / len(examples))
        cost += _loss(refused - _GRID[:, None]) + balance * _loss(_GRID[:, None] - examples)
    return float(_GRID[np.argmin(cost)])


def _loss(wrong: Floats) -> Floats:
    """Return the logistic loss of pages that are this far on the wrong side."""
    total: Floats = np.logaddexp(0.0, _SLOPE * wrong).sum(axis=1)
    return total
