"""How well the paper's apprentice foretells links of pages that it has not learnt from, and how far it should look.

Cross-validation as in APPRENTICE §3.4, by pages: all links of a page are learnt from, or foretold. Otherwise a menu that
stands on the page twice would be known already.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.apprentice.bayes import prior, weigh
from scenthound.apprentice.offsets import Features, Ints

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

FOLDS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Instances:
    """Links whose targets are known: what they have, whether the target is relevant, and the page that each stands on."""

    features: Features
    high: Flags
    pages: Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """The share of links that were foretold rightly: of HIGH ones, of LOW ones, and of all; NaN of none."""

    high: float
    low: float
    average: float


def choose_d_max(instances: Instances, candidates: Sequence[int], *, folds: int = FOLDS) -> int:
    """Return how far from a link to look: the least distance that is as good as the best, up to its standard error.

    Good is what foretells most links rightly.
    """
    ranked = sorted(candidates)
    rights = [_by_fold(instances, odds, folds) for odds in _along(instances, ranked, folds)]
    best = max(range(len(ranked)), key=lambda place: (rights[place].mean(), -place))
    enough = rights[best].mean() - rights[best].std() / sqrt(max(1, len(rights[best]) - 1))
    return next(d_max for d_max, right in zip(ranked, rights, strict=True) if right.mean() >= enough)


def accuracies(instances: Instances, candidates: Sequence[int], *, folds: int = FOLDS) -> tuple[Accuracy, ...]:
    """Return how well links are foretold when looking so far, for each distance (fig. 6)."""
    return tuple(accuracy(odds, instances.high) for odds in _along(instances, candidates, folds))


def accuracy(odds: Floats, high: Flags) -> Accuracy:
    """Return how often log-odds say what is true.

    >>> accuracy(np.array([2.0, -1.0, -3.0, -3.0]), np.array([True, True, False, False]))
    Accuracy(high=0.5, low=1.0, average=0.75)
    """
    right = (odds > 0) == high
    return Accuracy(high=_share(right[high]), low=_share(right[~high]), average=_share(right))


def held_out(instances: Instances, *, folds: int = FOLDS) -> Floats:
    """Return for each link the log-odds that an apprentice gives it who has learnt from the pages of the other folds."""
    (odds,) = _along(instances, [None], folds)
    return odds


def _along(instances: Instances, candidates: Sequence[int | None], folds: int) -> Iterator[Floats]:
    features = instances.features
    # Numbered without gaps, counts fit into the processor's cache: a whole table for each fold would take ten times as long.
    kinds, dense = np.unique(features.numbers, return_inverse=True)
    distance, fold = np.abs(features.offsets), _folds(instances.pages, folds)
    for d_max in candidates:
        near = slice(None) if d_max is None else np.flatnonzero(distance <= d_max)
        yield _foretold(features.rows[near], dense[near], len(kinds), instances.high, fold)


def _foretold(rows: Ints, dense: Ints, kinds: int, high: Flags, fold: Ints) -> Floats:
    """Let each fold be foretold from the others; the same as to let `Bayes` learn these, without learning them each time."""
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


def _folds(pages: Ints, folds: int) -> Ints:
    """Share pages out in their order, as many to each fold."""
    _, place = np.unique(pages, return_inverse=True)
    return place % folds


def _by_fold(instances: Instances, odds: Floats, folds: int) -> Floats:
    """Return the share of links foretold rightly in each fold that has any."""
    fold, right = _folds(instances.pages, folds), (odds > 0) == instances.high
    sizes = np.bincount(fold)
    return np.bincount(fold, weights=right)[sizes > 0] / sizes[sizes > 0]


def _share(right: Flags) -> float:
    return float(right.mean()) if len(right) else float("nan")
