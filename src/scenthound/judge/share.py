"""How common relevant pages are in a crawl, and so what a critic's score means there.

The examples are ten against a thousand pages of the background; in a crawl between a twentieth and nearly all pages may be
relevant, and those that are not lie close by. What is asked is the estimate of a mixture (Elkan and Noto, KDD 2008, have
the question): of crawled pages, whose scores are known and whose labels are not, and of examples, each scored by a critic
that had not seen it. Two bell curves of one width are fitted by expectation maximisation, with priors that hold them while
there are few pages. They decide where a relevance of .5 lies; the order of pages stays the critic's.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

Floats = NDArray[np.float64]

# Scores are log-odds, moved and stretched so that the background lies at -1 and the examples held back at 0. There, on three
# labelled webs (schools, WebKB, modern sites; 8 examples and 250 simulated fetches for each topic, by a script that was not kept),
# relevant pages lay at .1 to .3 with a deviation of about .3, and the others of the crawl at -.1 to -.6. The numbers below were
# chosen with these same webs. With _OFF at -.25 the curves collapse on some topics; the others may be halved or doubled
# without much effect.
_OFF: Final = -0.4  # where pages off topic are expected
_ON: Final = 0.2  # and relevant ones: a little above the examples, which were held back
_WIDTH: Final = 0.3
_OFF_PAGES: Final = 40.0  # how many pages each of these expectations is worth
_ON_PAGES: Final = 3.0  # for each example
_WIDTH_PAGES: Final = 40.0
_RELEVANT, _OTHER = 2.0, 4.0  # pages that speak for the share to begin with: one in three
_APART: Final = 0.3  # the curves never come closer than this
_LOWEST_BORDER, _HIGHEST_BORDER = -0.1, 0.0
_ROUNDS: Final = 200
_STILL: Final = 1e-9
_LEAST_RANGE: Final = 1.0  # log-odds between background and examples; below, the critic tells nothing apart
_SUREST: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """Relevance as it is to be read: its log-odds times `slope` plus `offset`; `share` of the crawl is relevant."""

    slope: float = 1.0
    offset: float = 0.0
    share: float | None = None

    def __call__(self, relevance: Floats) -> Floats:
        moved: Floats = expit(self.slope * log_odds(relevance) + self.offset)
        return moved

    def applied(self, rows: Floats, good: NDArray[np.bool_]) -> Floats:
        """Return probabilities in which the good classes together have the relevance as it is to be read.

        >>> Shift(offset=float(np.log(3))).applied(np.array([[0.2, 0.3, 0.5]]), np.array([True, True, False])).round(3).tolist()
        [[0.3, 0.45, 0.25]]
        """
        if good.all() or not good.any():
            return rows
        relevance = np.clip(rows[:, good].sum(axis=1), _SUREST, 1 - _SUREST)
        moved = self(relevance)
        factors = np.where(good[None, :], (moved / relevance)[:, None], ((1 - moved) / (1 - relevance))[:, None])
        shifted: Floats = rows * factors
        return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))


AS_IT_IS: Final = Shift()


def log_odds(relevance: Floats) -> Floats:
    found: Floats = logit(np.clip(relevance, _SUREST, 1 - _SUREST))
    return found


def fit_shift(examples: Floats, background: Floats, off_topic: Floats, crawled: Floats) -> Shift:
    """Find how to read relevance from that of good examples, the background and other topics' examples, all held back, and
    of pages crawled.

    >>> chance = np.random.default_rng(1)
    >>> shares = [fit_shift(expit(chance.normal(0, 1, 8)), expit(chance.normal(-9, 1, 300)), np.zeros(0),
    ...     expit(np.concatenate((chance.normal(2, 1, on), chance.normal(-5, 1, 200 - on))))).share for on in (40, 160)]
    >>> [round(share, 1) for share in shares]
    [0.2, 0.8]
    """
    if not len(examples) or not len(background):
        return AS_IT_IS
    top, bottom = float(log_odds(examples).mean()), float(log_odds(background).mean())
    span = max(top - bottom, _LEAST_RANGE)
    near = (log_odds(off_topic) - top) / span
    off_pages = _OFF_PAGES + len(near)
    off = (_OFF_PAGES * _OFF + float(near.sum())) / off_pages
    own, scores = ((log_odds(part) - top) / span for part in (examples, crawled))
    slope, offset, share = _mixture(scores, own, off=min(off, _ON - _APART), off_pages=off_pages)
    return Shift(slope=slope / span, offset=offset - slope * top / span, share=share if len(crawled) else None)


def _mixture(scores: Floats, examples: Floats, *, off: float, off_pages: float) -> tuple[float, float, float]:
    """Return slope and offset of the log-odds that a page is relevant, and the share of such pages."""
    on_pages, count = _ON_PAGES * len(examples), len(scores)
    known = _WIDTH_PAGES * _WIDTH**2 + _ON_PAGES * float(examples @ examples)
    low, high, share = off, _ON, _RELEVANT / (_RELEVANT + _OTHER)
    width = float(np.sqrt(known / (_WIDTH_PAGES + on_pages)))
    slope = offset = 0.0
    for _ in range(_ROUNDS):
        before = slope, offset
        slope = (high - low) / width**2
        offset = -slope * (high + low) / 2 + float(np.log(share / (1 - share)))
        likely = expit(slope * scores + offset)
        relevant = float(likely.sum())
        high = (float(likely @ scores) + on_pages * _ON) / (relevant + on_pages)
        low = (float((1 - likely) @ scores) + off_pages * off) / (count - relevant + off_pages)
        low = min(low, high - _APART)
        spread = float(likely @ (scores - high) ** 2 + (1 - likely) @ (scores - low) ** 2)
        width = float(np.sqrt((spread + known) / (count + _WIDTH_PAGES + on_pages)))
        share = (relevant + _RELEVANT) / (count + _RELEVANT + _OTHER)
        if max(abs(slope - before[0]), abs(offset - before[1])) < _STILL:
            break
    # A focused crawl asks for what looks relevant: pages that are merely near gather where relevant ones lie, and the curves
    # would take them in. So the border stays by the examples, most of which must be found and which are no border cases.
    offset = -slope * min(max(-offset / slope, _LOWEST_BORDER), _HIGHEST_BORDER)
    likely = expit(slope * scores + offset)
    return slope, offset, (float(likely.sum()) + _RELEVANT) / (count + _RELEVANT + _OTHER)
