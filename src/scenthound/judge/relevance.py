"""From a critic's probabilities to relevance and the most likely topics.

The soft and hard focus rules of FOCUS §3.1 and formula (3) of RELATIONAL §2.1.2: R(d) is the sum of Pr(c | d) over the
good topics c, because a good topic never has another one above it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.judge.critic import Probabilities
from scenthound.taxonomy import Topics, ancestors
from scenthound.types import Judgement

TOPICS_TOLD: Final = 3


def judgements(
    probabilities: Probabilities, classes: Sequence[str], topics: Topics, *, lead_weight: float = 0.0
) -> list[Judgement]:
    """Return the judgement of each page: R and its most likely classes.

    With a `lead_weight` and topics that are leads, also R plus that part of what speaks for the leads.

    >>> from scenthound.taxonomy import Topic
    >>> topics = Topics(topics=(Topic(path="Sport/Cycling", good=True), Topic(path="Arts")))
    >>> rows = np.array([[0.3125, 0.4375, 0.125, 0.125]])
    >>> [judgement] = judgements(rows, ("Sport/Cycling", "Sport/Cycling/Touring", "Arts", ""), topics)
    >>> judgement.relevance, judgement.topic, judgement.topics
    (0.75, 'Sport/Cycling/Touring', ('Sport/Cycling/Touring', 'Sport/Cycling'))
    """
    good = np.flatnonzero([topics.is_good(path) for path in classes])
    relevance = np.clip(probabilities[:, good].sum(axis=1), 0.0, 1.0)
    worth: list[float] | list[None] = [None] * len(relevance)
    if lead_weight and topics.leads:
        leads = np.flatnonzero([topics.is_lead(path) for path in classes])
        worth = np.clip(relevance + lead_weight * probabilities[:, leads].sum(axis=1), 0.0, 1.0).tolist()
    return [
        Judgement(relevance=r, topic=best[0], topics=best, with_leads=way)
        for r, best, way in zip(relevance.tolist(), _likeliest(probabilities, classes), worth, strict=True)
    ]


def _likeliest(probabilities: Probabilities, classes: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield up to three classes of each page, the likeliest first: those above an even share, and always the first.

    With two classes this yields one: a pair of names that all pages have would say nothing.
    """
    order = np.argsort(-probabilities, axis=1, kind="stable")[:, :TOPICS_TOLD]
    shares = np.take_along_axis(probabilities, order, axis=1)
    told = np.maximum(np.count_nonzero(shares > 1 / len(classes), axis=1), 1)
    for row, count in zip(order.tolist(), told.tolist(), strict=True):
        yield tuple([classes[number] for number in row[:count]])


def path_probabilities(row: NDArray[np.float64], classes: Sequence[str]) -> Mapping[str, float]:
    """Return Pr of every node, parents before children: that of an inner topic is the sum over it and all below.

    The entry "" is OTHERS: the pages without a topic, not the whole tree.

    >>> shown = path_probabilities(np.array([0.5, 0.25, 0.25]), ("Sport/Cycling", "Sport", ""))
    >>> dict(shown)
    {'Sport': 0.75, 'Sport/Cycling': 0.5, '': 0.25}
    """
    sums: dict[str, float] = {}
    for path, probability in zip(classes, row.tolist(), strict=True):
        for node in (*ancestors(path), path):
            sums[node] = sums.get(node, 0.0) + probability
    return sums
