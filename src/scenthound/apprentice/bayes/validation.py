"""Validation of the paper's apprentice: how well it predicts links that it has not learnt from, and how far it should
look.

Cross-validation as in APPRENTICE §3.4, by groups that stay together: all of a group is learnt from, or all of it is
predicted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.apprentice.bayes.buckets import prior, weigh
from scenthound.apprentice.bayes.offsets import Features, Ints

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

FOLDS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Instances:
    """Links whose targets are known: what they have, whether the target is relevant (HIGH), and the group of each.

    Grouped by their targets, links are foretold as a crawl must: nothing was learnt of where they lead. Grouped by the
    pages that they stand on, those that lead to a page which others link to as well, with the same anchor, are known
    already. On an encyclopedia these are nearly all, and no more than the anchor seems to be needed.
    """

    features: Features
    high: Flags
    groups: Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """The share of links that were foretold rightly: of HIGH ones, of LOW ones, and of all; NaN of none."""

    high: float
    low: float
    average: float

    @property
    def balanced(self) -> float:
        """The mean over buckets, or that of the one that is there.

        The paper's buckets have nearly the same size. If they do not, the plain average is best for a model that
        rejects everything.
        """
        known = [share for share in (self.high, self.low) if share == share]
        return sum(known) / len(known) if known else float("nan")


def choose_d_max(instances: Instances, candidates: Sequence[int], *, folds: int = FOLDS) -> int:
    """Return how far from a link to look: the least distance that is as good as the best, up to its standard error.

    Good is what foretells the links of both buckets rightly.
    """
    ranked = sorted(candidates)
    rights = [_by_fold(instances, odds, folds) for odds in foretold(instances, ranked, folds=folds)]
    best = max(rights, key=lambda right: right.mean())
    enough = best.mean() - best.std() / sqrt(max(1, len(best) - 1))
    return next(d_max for d_max, right in zip(ranked, rights, strict=True) if right.mean() >= enough)


def accuracy(odds: Floats, high: Flags) -> Accuracy:
    """Return how often log-odds say what is true.

    >>> accuracy(np.array([2.0, -1.0, -3.0, -3.0]), np.array([True, True, False, False]))
    Accuracy(high=0.5, low=1.0, average=0.75)
    """
    right = (odds > 0) == high
    return Accuracy(high=_share(right[high]), low=_share(right[~high]), average=_share(right))


def foretold(instances: Instances, candidates: Sequence[int], *, folds: int = FOLDS) -> Iterator[Floats]:
    """Yield, for each distance, the log-odds of each link from a model that has learnt from the other folds."""
    features = instances.features
    # Numbered without gaps, counts fit into the processor's cache: a whole table for each fold would take ten times as
    # long.
    kinds, dense = np.unique(features.numbers, return_inverse=True)
    distance, fold = np.abs(features.offsets), _folds(instances.groups, folds)
    for d_max in candidates:
        near = np.flatnonzero(distance <= d_max)
        yield _held_out(features.rows[near], dense[near], len(kinds), instances.high, fold)


def _held_out(rows: Ints, dense: Ints, kinds: int, high: Flags, fold: Ints) -> Floats:
    """Predict each fold from the others. `Bayes` would say the same, but would learn everything again for each fold."""
    odds = np.zeros(len(high))
    of_fold, of_high = fold[rows], high[rows]
    whole = [np.bincount(dense[of_high == bucket], minlength=kinds) for bucket in (False, True)]
    for one in range(int(fold.max(initial=-1)) + 1):
        own, learnt = of_fold == one, high[fold != one]
        low, up = (
            every - np.bincount(dense[own & (of_high == bucket)], minlength=kinds)
            for bucket, every in zip((False, True), whole, strict=True)
        )
        vocabulary = int(np.count_nonzero(low | up))
        weights = weigh(low, up, sizes=[vocabulary + int(low.sum()), vocabulary + int(up.sum())])
        spoken = np.bincount(rows[own], weights=weights[dense[own]], minlength=len(high))
        before = prior(int(np.count_nonzero(~learnt)), int(np.count_nonzero(learnt)))
        odds[fold == one] = spoken[fold == one] + before
    return odds


def _folds(groups: Ints, folds: int) -> Ints:
    """Share groups out in their order, as many to each fold."""
    _, place = np.unique(groups, return_inverse=True)
    return place % folds


def _by_fold(instances: Instances, odds: Floats, folds: int) -> Floats:
    """Return how well the links of each fold that has any are foretold."""
    fold = _folds(instances.groups, folds)
    return np.array(
        [accuracy(odds[own], instances.high[own]).balanced for own in (fold == one for one in np.unique(fold))]
    )


def _share(right: Flags) -> float:
    return float(right.mean()) if len(right) else float("nan")
