"""Groups of pages that are alike: k-means on unit vectors, with a number of groups that the pages themselves suggest.

The vectors are those of search (`meaning`), turned to the 24 directions in which the pages at hand differ most. A
number of groups is good if two halves of the pages lead to the same groups (Ben-Hur, Elisseeff & Guyon 2002), by the
adjusted Rand index, minus what a cloud of the same extent without any groups gives. The silhouette was rejected,
because it grows with the number of groups.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.search.types import Floats

FEWEST: Final = 12  # pages; fewer are one group
MOST_GROUPS: Final = 50  # that a user can ask for
_NUMBERS: Final = (2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 21, 24, 28)  # that are tried
_PAGES_A_GROUP: Final = 6  # at least, on average
# With all 128, halves of the schools web agree on 11 groups half as well, and the groups fit its topics no better. With
# 8, the fit is worse.
_DIRECTIONS: Final = 24
_TRIED_ON: Final = 1_400  # pages, of which halves are compared
_DRAWS: Final = 4
_NULL_DRAWS: Final = 2
_LEARNT_FROM: Final = 20_000  # pages; of more, the others go to the nearest centre
_STARTS: Final = 5
_ENOUGH: Final = 0.85  # of the best excess: fewer groups are easier to survey than a few more that are as stable
# On a demo crawl, four groups with one of half of the pages have .77, five have .25, and 28 have .65.
_FALL, _AGAIN = 0.6, 0.75  # of the excess of a peak: less behind it, and more again later
CLEAR: Final = 0.3  # excess from which groups are called clear; made clouds without groups have up to .1
_ROUNDS: Final = 60
_SEED: Final = 0

Labels = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A number of groups that was tried: how well halves agree, and a cloud without groups."""

    groups: int
    agreement: float
    by_chance: float

    @property
    def excess(self) -> float:
        return self.agreement - self.by_chance


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """The group of each page, largest group first, and its cosine to the middle of the group."""

    of: Labels
    closeness: Floats
    trials: tuple[Trial, ...] = ()

    @property
    def groups(self) -> int:
        return int(self.of.max(initial=-1)) + 1

    @property
    def clearness(self) -> float:
        """How much better halves of the pages agree on these groups than by chance; 0 if none were tried."""
        return max((trial.excess for trial in self.trials if trial.groups == self.groups), default=0.0)


def group_vectors(
    vectors: Floats, number: int = 0, heard: Callable[[int, int], object] = lambda done, of: None
) -> Grouping:
    """Group pages by their vectors; without a number, into as many groups as they fall into by themselves.

    `heard` is called with how many numbers have been tried, and of how many.
    """
    import sklearn.cluster  # noqa: F401  here, because the limit below holds for libraries that are loaded
    from threadpoolctl import threadpool_limits

    spread = turned(vectors)
    distinct = len(np.unique(spread[:_LEARNT_FROM], axis=0)) if len(spread) else 0
    if len(spread) < FEWEST or distinct < 2:
        return Grouping(of=np.zeros(len(spread), dtype=np.intp), closeness=np.ones(len(spread), dtype=np.float32))
    with threadpool_limits(limits=1):  # threads add up in another order each time, and groups would change
        trials = () if number else _trials(spread, distinct, heard)
        chosen = min(number, distinct) if number else best_number(trials)
        sample = spread[_some(len(spread), _LEARNT_FROM)]
        return _by_size(spread, _centres(sample, chosen, _STARTS, _SEED), trials)


def turned(vectors: Floats) -> Floats:
    """Return vectors in the directions in which they differ most, around their mean, with length 1."""
    if not len(vectors):
        return vectors
    centred = vectors.astype(np.float32) - vectors.mean(axis=0, dtype=np.float32)
    _, directions = np.linalg.eigh(centred.T @ centred)
    return _unit(centred @ directions[:, ::-1][:, :_DIRECTIONS])


def best_number(trials: tuple[Trial, ...]) -> int:
    """Return the smallest number of groups that is nearly as stable as the best; lonely peaks are left out.

    >>> def tried(**found): return tuple(Trial(groups=int(n[1:]), agreement=a, by_chance=0.1) for n, a in found.items())
    >>> best_number(tried(n2=0.4, n3=0.9, n4=0.95, n5=0.5)), best_number(tried(n3=0.2, n4=0.9, n5=0.4, n6=0.8))
    (3, 6)
    """
    left = [trial for place, trial in enumerate(trials) if not _is_peak(trial, trials[place + 1 :])]
    best = max(trial.excess for trial in left)
    return next(trial.groups for trial in left if trial.excess >= min(best, _ENOUGH * best))


def _is_peak(trial: Trial, after: tuple[Trial, ...]) -> bool:
    """Tell whether a number is stable, the next one is not, and a larger one is nearly as stable again.

    That is so for a few tight groups and a large one with all the rest, which agree well and say little.
    """
    excesses = [one.excess for one in after]
    return bool(after) and excesses[0] < _FALL * trial.excess and max(excesses) >= _AGAIN * trial.excess > 0


def _trials(spread: Floats, distinct: int, heard: Callable[[int, int], object]) -> tuple[Trial, ...]:
    pages = spread[_some(len(spread), _TRIED_ON)]
    draw = np.random.default_rng(_SEED)
    cloud = _unit(draw.normal(size=pages.shape).astype(np.float32) * pages.std(axis=0))
    most = max(2, min(distinct // 2, len(pages) // _PAGES_A_GROUP))
    numbers = [number for number in _NUMBERS if number <= most]
    found = []
    for place, number in enumerate(numbers):
        heard(place, len(numbers))
        found.append(
            Trial(
                groups=number,
                agreement=_agreement(pages, number, _DRAWS),
                by_chance=_agreement(cloud, number, _NULL_DRAWS),
            )
        )
    heard(len(numbers), len(numbers))
    return tuple(found)


def _agreement(pages: Floats, number: int, draws: int) -> float:
    """Return how well the groups of one half of the pages agree with those of the other, on all of them."""
    from sklearn.metrics import adjusted_rand_score

    found = []
    for seed in range(draws):
        order = np.random.default_rng(seed).permutation(len(pages))
        halves = order[: len(pages) // 2], order[len(pages) // 2 :]
        one, other = (_nearest(pages, _centres(pages[half], number, 2, seed))[0] for half in halves)
        found.append(float(adjusted_rand_score(one, other)))
    return float(np.mean(found))


def _centres(pages: Floats, number: int, starts: int, seed: int) -> Floats:
    """Return the middles of groups."""
    import warnings

    from sklearn.cluster import KMeans

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a half of the pages has fewer distinct ones than groups
        learnt = KMeans(min(number, len(pages)), n_init=starts, max_iter=_ROUNDS, random_state=seed).fit(pages)
    centres: Floats = learnt.cluster_centers_
    return centres


def _nearest(pages: Floats, centres: Floats) -> tuple[Labels, Floats]:
    """Return the nearest centre of each page, and the cosine to it."""
    unit = _unit(centres)
    closeness = pages @ unit.T
    # By distance, as k-means does it; the length of a page is 1 and leaves the order as it is.
    of = np.argmax(pages @ centres.T - 0.5 * np.einsum("ij,ij->i", centres, centres), axis=1)
    return of, closeness[np.arange(len(pages)), of]


def _by_size(spread: Floats, centres: Floats, trials: tuple[Trial, ...]) -> Grouping:
    """Return the groups, largest first; those without a page are left out."""
    of, closeness = _nearest(spread, centres)
    sizes = np.bincount(of, minlength=len(centres))
    places = np.argsort(np.argsort(-sizes, kind="stable"), kind="stable")
    return Grouping(of=places[of], closeness=closeness, trials=trials)


def _some(count: int, most: int) -> Labels:
    """Return places spread over all pages, not more than `most`."""
    return np.linspace(0, count - 1, min(count, most)).astype(np.intp)


def _unit(vectors: Floats) -> Floats:
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    unit: Floats = (vectors / np.where(lengths > 1e-9, lengths, 1.0)[:, None]).astype(np.float32)
    return unit
