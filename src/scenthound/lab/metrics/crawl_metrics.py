"""The value of a crawl: the metrics of one trace at a budget, and their course. `metric_table` has their names.

Harvest and loss are those of FOCUS §4.2 and APPRENTICE §3.5, by truth and by the critic; the curves use fetches as
time.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.lab.experiment.values import Curve, Task, Trace
from scenthound.lab.metrics.digits import tidy, tidy_or_none
from scenthound.lab.metrics.link_scores import link_scores
from scenthound.lab.metrics.metric_table import OF_CRAWLS, OF_LINKS
from scenthound.lab.metrics.world_facts import UNREACHED, Ground

FAR: Final = 3  # hops
MILESTONES: Final = (25, 50, 75)  # per cent of recall

Scores = dict[str, float | None]


def score(trace: Trace, task: Task, ground: Ground, *, budget: int) -> Scores:
    """Return every metric of a crawl at a budget; later fetches do not count.

    None means undefined, such as the mean distance of no pages.
    """
    if budget < 1:
        raise ValueError(f"a budget is at least one fetch, not {budget}")
    walk = _Walk.of(trace, task, ground, fetches=budget)
    found: Scores = {
        **_harvest(walk, budget),
        **_recall(walk, len(task.wanted), ground.reachable),
        **_against_bound(walk, budget, ground.reachable),
        **_reach(walk, ground),
        **link_scores(walk.priority, walk.truly, walk.relevance),
    }
    return {metric.name: tidy_or_none(found[metric.name]) for metric in OF_CRAWLS + OF_LINKS}


def curve(trace: Trace, task: Task, ground: Ground, *, fetches: int | None = None, points: int = 100) -> Curve:
    """Return the course of a crawl, at up to so many points evenly spread.

    It ends with the crawl, or after `fetches`; fetches that a dry crawl did not make brought nothing.
    """
    end = len(trace) if fetches is None else fetches
    walk = _Walk.of(trace, task, ground, fetches=end)
    at = steps(end, points)
    made = np.minimum(at, len(walk.found))
    return Curve(
        at=tuple(at.tolist()),
        harvest=_tidied(_so_far(walk.found)[made] / at),
        judged=_tidied(_so_far(walk.relevance)[made] / at),
        recall=_tidied(_so_far(walk.found & walk.reachable)[made] / max(1, ground.reachable)),
    )


def steps(end: int, points: int) -> NDArray[np.int64]:
    """Return up to `points` numbers of fetches, evenly spread, the last of them `end`.

    >>> steps(10, 4).tolist(), steps(2, 4).tolist()
    ([3, 5, 8, 10], [1, 2])
    """
    return np.unique(-(-np.arange(1, points + 1, dtype=np.int64) * end // points)) if end else np.empty(0, np.int64)


def bound(reachable: int, fetches: int) -> float:
    """Return the harvest that no crawl of so many fetches can exceed.

    >>> bound(30, 20), bound(30, 40)
    (1.0, 0.75)
    """
    return min(fetches, reachable) / fetches


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Walk:
    """The fetches that count, as parallel arrays.

    `truly` marks those that gave a wanted page, `found` the first that gave each of them, `fresh` those of these that
    repeat no other page, `reachable` those that gave a reachable page. `relevance` is 0 if nothing was judged.
    """

    numbers: NDArray[np.int32]
    truly: NDArray[np.bool_]
    found: NDArray[np.bool_]
    fresh: NDArray[np.bool_]
    reachable: NDArray[np.bool_]
    relevance: NDArray[np.float64]
    priority: NDArray[np.float64]

    @classmethod
    def of(cls, trace: Trace, task: Task, ground: Ground, *, fetches: int) -> "_Walk":
        numbers = trace.numbers[:fetches]
        truly = _mark_wanted(task.wanted, len(ground.hops))[numbers]
        found = truly & _first_times(numbers)
        return cls(
            numbers=numbers,
            truly=truly,
            found=found,
            fresh=found & ~trace.repeats[:fetches],
            reachable=np.append(ground.hops != UNREACHED, False)[numbers],
            relevance=np.nan_to_num(trace.relevance[:fetches], nan=0.0),
            priority=trace.priority[:fetches],
        )


def _harvest(walk: _Walk, budget: int) -> Scores:
    found = _so_far(walk.found)[np.minimum(np.arange(1, budget + 1), len(walk.found))]
    harvest = int(walk.found.sum()) / budget
    return {
        "harvest": harvest,
        "judged": float(_so_far(walk.relevance)[-1]) / budget,
        "loss": 1 - harvest,
        "unique": int(walk.fresh.sum()) / budget,
        "auc": float(np.cumsum(found / np.arange(1, budget + 1))[-1]) / budget,
        "wasted": _share(int((walk.numbers < 0).sum()), len(walk.numbers)),
    }


def _recall(walk: _Walk, wanted: int, reachable: int) -> Scores:
    times = np.flatnonzero(walk.found & walk.reachable) + 1
    milestones = {f"fetches_to_{part}": -(-reachable * part // 100) for part in MILESTONES}
    return {
        "recall": _share(len(times), reachable),
        "recall_all": _share(int(walk.found.sum()), wanted),
        **{name: float(times[need - 1]) if 0 < need <= len(times) else None for name, need in milestones.items()},
    }


def _against_bound(walk: _Walk, budget: int, reachable: int) -> Scores:
    return {
        "bound": bound(reachable, budget),
        "of_bound": _share(int(walk.found.sum()), min(budget, reachable)),
    }


def _reach(walk: _Walk, ground: Ground) -> Scores:
    hops = ground.hops[walk.numbers[walk.found & walk.reachable]]
    return {
        "relevant_hosts": float(len(np.unique(ground.host[walk.numbers[walk.found]]))),
        "hosts": float(len(np.unique(ground.host[walk.numbers[walk.numbers >= 0]]))),
        "hops": _share(int(hops.sum()), len(hops)),
        "far": _share(int((hops >= FAR).sum()), len(hops)),
    }


def _mark_wanted(wanted: frozenset[int], pages: int) -> NDArray[np.bool_]:
    """Return by page number whether it is wanted, with one more place at the end for -1, which is no page."""
    marks = np.zeros(pages + 1, dtype=np.bool_)
    marks[list(wanted)] = True
    return marks


def _first_times(numbers: NDArray[np.int32]) -> NDArray[np.bool_]:
    first = np.zeros(len(numbers), dtype=np.bool_)
    first[np.unique(numbers, return_index=True)[1]] = True
    return first


def _so_far(values: NDArray[np.bool_] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sums of the first 0, 1, 2, … values, added in order: the same on every machine."""
    return np.concatenate([[0.0], np.cumsum(values, dtype=np.float64)])


def _tidied(values: NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(map(tidy, values.tolist()))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
