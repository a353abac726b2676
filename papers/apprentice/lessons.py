"""The lessons of a crawl: links between fetched pages, with the critic's opinion of the target (APPRENTICE §3.5).

Examples are pages on which links stand, and no targets: the critic was taught with them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from papers.apprentice.chart import Chart
from papers.apprentice.page_links import PageLinks, Pages
from scenthound.apprentice.bayes.offsets import (
    HIGH_FROM,
    Features,
    cited_features,
    stacked,
    text_features,
    topic_features,
)
from scenthound.lab.experiment.values import Trace

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

FARTHEST: Final = 10  # leaves on each side whose words are looked at
LATER: Final = 1 << 40  # the place in the order of what was not fetched


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LinkLessons:
    """Links as arrays: their features by kind, whether the target is HIGH, and the numbers of both pages."""

    words: Features
    topics: Features
    prefixes: Features
    cited: Features
    high: Flags
    sources: Ints
    targets: Ints


class Known:
    """What a crawl knows after its first fetches: the relevance of pages and the order in which they came."""

    def __init__(self, trace: Trace, *, pages: int, fetches: int) -> None:
        numbers, relevance = trace.numbers[:fetches], trace.relevance[:fetches]
        judged = np.flatnonzero((numbers >= 0) & ~np.isnan(relevance))
        self.order = np.full(pages, LATER, dtype=np.int64)
        self.relevance: Floats = np.full(pages, np.nan)
        # The first fetch of a page counts, so it is written last.
        self.order[numbers[judged][::-1]] = judged[::-1]
        self.relevance[numbers[judged][::-1]] = relevance[judged][::-1]

    @property
    def pages(self) -> Ints:
        """The numbers of the pages known, in the order in which they came."""
        there = np.flatnonzero(self.order < LATER)
        return there[np.argsort(self.order[there])]


def lessons_of(pages: Pages, known: Known, start: Iterable[int], chart: Chart) -> LinkLessons:
    """Return the links that stand on start pages and known ones and lead to known ones."""
    sources = list(dict.fromkeys([*start, *known.pages.tolist()]))
    rows = [(source, pages[source]) for source in sources]
    kept = [(source, page, np.flatnonzero(known.order[page.targets] < LATER)) for source, page in rows]
    return _gathered([one for one in kept if len(one[2])], known, chart)


def _gathered(kept: Sequence[tuple[int, PageLinks, Ints]], known: Known, chart: Chart) -> LinkLessons:
    targets = np.concatenate([np.zeros(0, dtype=np.int64), *(page.targets[own] for _, page, own in kept)])
    return LinkLessons(
        words=stacked(
            text_features(page.stream, page.first[own], page.last[own], d_max=FARTHEST) for _, page, own in kept
        ),
        topics=stacked(topic_features(chart[source], links=len(own), prefixes=False) for source, _, own in kept),
        prefixes=stacked(topic_features(chart[source], links=len(own)) for source, _, own in kept),
        cited=stacked(_cited(page, own, known) for _, page, own in kept),
        high=known.relevance[targets] >= HIGH_FROM,
        sources=np.repeat([source for source, _, _ in kept], [len(own) for _, _, own in kept]).astype(np.int64),
        targets=targets,
    )


def _cited(page: PageLinks, own: Ints, known: Known) -> Features:
    targets = page.targets[own]
    return cited_features(
        page.first[own], page.last[own], known.relevance[targets], known.order[targets], d_max=FARTHEST
    )
