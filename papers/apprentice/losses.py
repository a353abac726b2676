"""Loss along a crawl: the mean of 1 - R over what was fetched so far (APPRENTICE §3.5).

Fetches that were not made are lost.
"""

import numpy as np

from papers.crawls import TaskCrawls
from papers.means import ends_of, part
from scenthound.lab.experiment.values import Trace
from scenthound.lab.metrics.digits import tidy


def loss_along(trace: Trace, *, fetches: int) -> list[float]:
    """Return the loss rate after each share of a run."""
    made = np.nan_to_num(trace.relevance[:fetches], nan=0.0)
    sums = np.concatenate([[0.0], np.cumsum(made), np.full(fetches - len(made), made.sum())])
    ends = ends_of(fetches)
    return [tidy(value) for value in (1 - sums[ends] / ends).tolist()]


def loss(trace: Trace, *, fetches: int, begin: float = 0.0, end: float = 1.0) -> float:
    """Return the loss rate between two shares of a run."""
    return 1 - part(trace.relevance, fetches=fetches, begin=begin, end=end)


def true_loss(crawls: TaskCrawls, trace: Trace, *, begin: float = 0.0, end: float = 1.0) -> float:
    """Return the share of fetches between two shares of a run that brought no page that is truly wanted."""
    found = np.isin(trace.numbers, sorted(crawls.task.wanted)).astype(np.float64)
    return 1 - part(found, fetches=crawls.fetches, begin=begin, end=end)
