"""The certainty of a mean over topics: percentile intervals of the bootstrap (Efron 1979) over topics.

Resamples follow from the names of the topics. So strategies on the same topics are resampled alike, and additions to an
experiment change no other interval. We tried BCa intervals: of 2,000 samples of 16 harvests from Beta(1, 3) they hold
the true mean in 93.1 %, percentile intervals in 92.3 %; of 6 harvests in 87 % and 85 %. That is not worth a second
correction, which fails if all topics are equal.
"""

from collections.abc import Mapping
from hashlib import blake2b
from math import fsum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.lab.experiment.values import Interval
from scenthound.lab.metrics.digits import tidy

RESAMPLES: Final = 10_000
TAILS: Final = (2.5, 97.5)  # per cent


class Bootstrap:
    """Computes intervals, with a cache of the resamples."""

    def __init__(self, *, seed: int) -> None:
        self._seed = seed
        self._drawn: dict[tuple[str, ...], NDArray[np.float64]] = {}

    def interval(self, values: Mapping[str, float]) -> Interval:
        """Return the mean of at least one topic's value with its interval; a single topic is its own bounds."""
        topics = tuple(sorted(values))
        mean = fsum(values.values()) / len(topics)
        low, high = self._bounds(topics, [values[topic] for topic in topics]) if len(topics) > 1 else (mean, mean)
        # The mean lies between the bounds, up to the last bit of a sum.
        return Interval(mean=tidy(mean), low=tidy(min(low, mean)), high=tidy(max(high, mean)), topics=len(topics))

    def _bounds(self, topics: tuple[str, ...], values: list[float]) -> tuple[float, float]:
        if topics not in self._drawn:
            self._drawn[topics] = resample(topics, seed=self._seed)
        # Not a matrix product: BLAS adds in its own order, which differs from machine to machine.
        sums = np.zeros(RESAMPLES)
        for times, value in zip(self._drawn[topics], values, strict=True):
            sums += times * value
        low, high = np.percentile(sums / len(values), TAILS)
        return float(low), float(high)


def resample(topics: tuple[str, ...], *, seed: int) -> NDArray[np.float64]:
    """Return how often each topic (row) is drawn in each resample (column) of as many topics, with replacement.

    Made from raw numbers of PCG64, which numpy promises to keep; its drawing methods may change with its version. The
    remainder favours small numbers by less than one in 2^57 for up to a hundred topics.
    """
    name = "\n".join([str(seed), *topics]).encode("utf-8", "surrogatepass")
    source = np.random.PCG64(int.from_bytes(blake2b(name, digest_size=16).digest(), "big"))
    drawn = source.random_raw(len(topics) * RESAMPLES).reshape(len(topics), RESAMPLES) % np.uint64(len(topics))
    return np.stack([(drawn == place).sum(axis=0, dtype=np.float64) for place in range(len(topics))])
