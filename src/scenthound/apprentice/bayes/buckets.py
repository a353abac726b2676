"""The apprentice of the paper: naive Bayes over two buckets, HIGH and LOW relevance, on features of links (APPRENTICE
§2.3).

An instance is a link from a fetched page to a fetched page. It is HIGH if the critic found its target relevant. All
that is learnt are counts, so lessons may come in batches of any size with the same result.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from scenthound.apprentice.bayes.offsets import SPACE, Features

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LOW, HIGH = 0, 1
D_MAX: Final = 5  # what the paper settled for (§3.4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A feature of a link and how much it raised the odds (or lowered them); `times` is how often it is there."""

    token: int
    offset: int
    times: int
    weight: float


class Bayes:
    """Learns from batches of links; all that it knows is 32 MB, however long the crawl.

    >>> from scenthound.apprentice.bayes.offsets import Features
    >>> def links(*words: int) -> Features:
    ...     count = len(words)
    ...     return Features(links=count, rows=np.arange(count), tokens=np.array(words, dtype=np.uint32),
    ...                     offsets=np.zeros(count, dtype=np.int16))
    >>> apprentice = Bayes()
    >>> apprentice.learn(links(1, 1, 2, 3), np.array([True, True, False, False]))
    >>> apprentice.chances(links(1, 2, 9)).round(3).tolist()  # 3/5 against 1/5; 1/5 against 2/5; never seen
    [0.75, 0.333, 0.5]
    """

    def __init__(self) -> None:
        self._counts = np.zeros((2, SPACE), dtype=np.uint32)  # how often each feature was in each bucket
        self._totals = [0, 0]
        self._instances = [0, 0]
        self._vocabulary = 0

    @property
    def instances(self) -> tuple[int, int]:
        """How many links it has learnt from, LOW ones and HIGH ones."""
        return self._instances[LOW], self._instances[HIGH]

    def learn(self, features: Features, high: Flags) -> None:
        """Take a batch of links and, for each, whether what it led to is relevant."""
        numbers, of_high = features.numbers, high[features.rows]
        self._vocabulary += len(np.unique(numbers[self._unseen(numbers)]))
        for bucket in (LOW, HIGH):
            own = numbers[of_high == bool(bucket)]
            np.add.at(self._counts[bucket], own, np.uint32(1))
            self._totals[bucket] += len(own)
            self._instances[bucket] += int(np.count_nonzero(high == bool(bucket)))

    def log_odds(self, features: Features) -> Floats:
        """Return log Pr(HIGH) / Pr(LOW) of each link. Rank links by this: probabilities are soon exactly 0 or 1."""
        spoken = np.bincount(features.rows, weights=self._weights(features.numbers), minlength=features.links)
        return np.asarray(spoken + prior(*self.instances), dtype=np.float64)

    def chances(self, features: Features) -> Floats:
        """Return Pr(HIGH), which the paper takes for the relevance to be expected."""
        chances: Floats = expit(self.log_odds(features))
        return chances

    def evidence(self, features: Features, link: int, *, most: int = 10) -> tuple[Evidence, ...]:
        """Return what spoke for and against a link, the weightiest first."""
        own = np.flatnonzero(features.rows == link)
        weights = self._weights(features.numbers[own])
        pairs = np.stack((features.tokens[own].astype(np.int64), features.offsets[own].astype(np.int64)))
        kinds, first, times = np.unique(pairs, axis=1, return_index=True, return_counts=True)
        found = [
            Evidence(token=token, offset=offset, times=count, weight=count * weight)
            for token, offset, count, weight in zip(
                *kinds.tolist(), times.tolist(), weights[first].tolist(), strict=True
            )
        ]
        return tuple(sorted(found, key=lambda one: (-abs(one.weight), one.token, one.offset))[:most])

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that it knows, as arrays: `restored` makes the same apprentice of them."""
        slots = np.flatnonzero(self._counts.any(axis=0))
        return {
            "slots": slots.astype(np.uint32),
            "counts": self._counts[:, slots],
            "instances": np.array(self._instances, dtype=np.int64),
        }

    @classmethod
    def restored(cls, state: Mapping[str, NDArray[Any]]) -> "Bayes":
        made = cls()
        made._counts[:, state["slots"]] = state["counts"]
        made._totals = state["counts"].sum(axis=1, dtype=np.int64).tolist()
        made._instances = state["instances"].tolist()
        made._vocabulary = len(state["slots"])
        return made

    def _unseen(self, numbers: NDArray[np.uint32]) -> Flags:
        unseen: Flags = (self._counts[LOW][numbers] | self._counts[HIGH][numbers]) == 0
        return unseen

    def _weights(self, numbers: NDArray[np.uint32]) -> Floats:
        low, high = (self._counts[bucket][numbers] for bucket in (LOW, HIGH))
        sizes = [self._vocabulary + total for total in self._totals]
        return weigh(low, high, sizes=sizes)


def weigh(low: NDArray[Any], high: NDArray[Any], *, sizes: Sequence[int]) -> Floats:
    """Return log θ(HIGH, τ) - log θ(LOW, τ), by formula (1), from the counts of features in each bucket.

    `sizes` are the formula's denominators. The formula is about features in the vocabulary. One that was never seen has
    no effect: because the denominators differ, it would speak for the rarer bucket.
    """
    shift = log(max(1, sizes[LOW]) / max(1, sizes[HIGH]))
    weights = np.log1p(high, dtype=np.float64) - np.log1p(low, dtype=np.float64) + shift
    return np.where((low | high) > 0, weights, 0.0)


def prior(low: int, high: int) -> float:
    """Return the log-odds of a link without known features, after so many instances of each bucket.

    One of each is assumed, so that a model that has met one bucket only is not sure for ever.
    """
    return log((1 + high) / (1 + low))
