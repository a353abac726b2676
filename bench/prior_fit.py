"""Weights from samples: one logistic regression for all topics, with a constant for each topic.

What is the same for all are the weights of scents, so that they rank the URLs of a topic. Were there but one constant,
scents that tell easy topics from hard ones would be taken for scents of wanted URLs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.sampling import Samples, joined
from scenthound.apprentice.bounded_fit import fit
from scenthound.apprentice.reason_numbers import NAMES
from scenthound.judge.quality.hits import average_precision
from scenthound.lab.metrics.link_scores import auc

Floats = NDArray[np.float64]

START: Final = "start"  # what is said without any scent
RIDGE: Final = 30.0  # samples that speak for a weight of 0
ANCHOR: Final = 0.02  # samples that speak for a group's own commonness
HELD: Final = 1e9  # samples that speak for a weight that is given by hand
FEWEST: Final = 5  # wanted samples of a group, without which it says nothing about ranking


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Group:
    """The samples of a topic in one situation: with so many examples of what is not wanted.

    All of it has `worth` samples.
    """

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
    """Return the weights that explain samples best; those `by_hand` are as given. The start is the mean over groups."""
    scents = [place for place, name in enumerate(NAMES) if name != START]
    held = np.array([NAMES[place] in by_hand for place in scents])
    every = joined([group.samples for group in groups])
    of, worth = _of_groups(groups)
    begin = np.concatenate((np.where(held, given[scents], 0.0), [_commonness(group) for group in groups]))
    faith = np.concatenate((np.where(held, HELD, RIDGE), np.full(len(groups), ANCHOR)))
    rows = np.concatenate((every.rows[:, scents], np.eye(len(groups))[of]), axis=1)
    weights = fit(rows, every.wanted.astype(np.float64), start=begin, faith=faith, worth=worth)
    found = given.copy()
    found[scents] = np.where(held, given[scents], weights[: len(scents)])
    found[NAMES.index(START)] = weights[len(scents) :].mean()
    return found


def _commonness(group: Group) -> float:
    """Return the log-odds of being wanted in a group."""
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
