"""Weights from samples: one logistic regression for all topics, in which each has its own say of how common wanted URLs are.

What is the same for all are the weights of scents, so that they rank the URLs of a topic. Were there but one constant, scents
that tell easy topics from hard ones would be taken for scents of wanted URLs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from bench.sampling import Samples, joined
from scenthound.apprentice.scents import NAMES
from scenthound.judge.hits import average_precision
from scenthound.lab.link_scores import auc

Floats = NDArray[np.float64]

START: Final = "start"  # what is said without any scent
RIDGE: Final = 30.0  # samples that speak for a weight of 0
COMMON: Final = -2.5  # the log-odds of a group with nothing wanted in it, or nothing else
ANCHOR: Final = 0.02  # samples that speak for that
STEPS: Final = 12  # of Newton's method
FEWEST: Final = 5  # wanted samples of a group, without which it says nothing about ranking


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Group:
    """The samples of a topic in one situation: with so many examples of what is not wanted. All of it has `worth` samples."""

    topic: str
    others: int
    worth: float
    samples: Samples


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """How well weights that were found on all other topics tell the wanted URLs of a group from the rest."""

    group: Group
    auc: float
    precision: float


def fitted(groups: Sequence[Group], given: Floats, *, by_hand: Sequence[str] = ()) -> Floats:
    """Return the weights that explain samples best; those `by_hand` are as given. The start is the mean over groups.

    Newton's method, for weights and starts together; as no two starts have to do with each other, they are eliminated first.
    """
    free = [place for place, name in enumerate(NAMES) if name not in (START, *by_hand)]
    fixed = [place for place, name in enumerate(NAMES) if name in by_hand]
    every = joined([group.samples for group in groups])
    of, worth = _of_groups(groups)
    rows, before = every.rows[:, free], every.rows[:, fixed] @ given[fixed]
    weights, starts = np.zeros(len(free)), np.array([_commonness(group) for group in groups])
    for _ in range(STEPS):
        chances = expit(rows @ weights + before + starts[of])
        error, doubt = worth * (chances - every.wanted), worth * chances * (1.0 - chances)
        start_slope = np.bincount(of, error, len(groups)) + ANCHOR * (starts - COMMON)
        start_bend = np.bincount(of, doubt, len(groups)) + ANCHOR
        cross = np.stack([np.bincount(of, doubt * column, len(groups)) for column in rows.T], axis=1)
        slope, bend = rows.T @ error + RIDGE * weights, (rows.T * doubt) @ rows + RIDGE * np.eye(len(free))
        step = np.linalg.solve(
            bend - cross.T @ (cross / start_bend[:, None]), slope - cross.T @ (start_slope / start_bend)
        )
        weights -= step
        starts -= (start_slope - cross @ step) / start_bend
    found = given.copy()
    found[free], found[NAMES.index(START)] = weights, starts.mean()
    return found


def _commonness(group: Group) -> float:
    """Return the log-odds of being wanted in a group: from anywhere else, Newton's first step may go much too far."""
    wanted = float(group.samples.wanted.sum())
    return float(np.log((wanted + 0.5) / (len(group.samples) - wanted + 0.5)))


def _of_groups(groups: Sequence[Group]) -> tuple[NDArray[np.int64], Floats]:
    """Return for each sample its group, and what it is worth."""
    sizes = [len(group.samples) for group in groups]
    shares = [group.worth / max(1, size) for group, size in zip(groups, sizes, strict=True)]
    return np.repeat(np.arange(len(groups)), sizes), np.repeat(shares, sizes)


def trials(groups: Sequence[Group], given: Floats, *, by_hand: Sequence[str] = ()) -> list[Trial]:
    """Leave each topic out in turn; groups with too little to be found in them are passed over."""
    found = []
    for topic in dict.fromkeys(group.topic for group in groups):
        others, own = ([group for group in groups if (group.topic == topic) is same] for same in (False, True))
        weights = fitted(others, given, by_hand=by_hand) if others else given
        found += [_trial(group, weights) for group in own if FEWEST <= group.samples.wanted.sum() < len(group.samples)]
    return found


def _trial(group: Group, weights: Floats) -> Trial:
    scores, wanted = group.samples.rows @ weights, group.samples.wanted
    ranked = auc(scores, wanted)
    assert ranked is not None, "some are wanted and some are not"
    return Trial(group=group, auc=ranked, precision=average_precision(wanted, scores))
