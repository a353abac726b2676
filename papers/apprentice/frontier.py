"""Two estimates of a frontier in mid-crawl: by citing pages, and by an apprentice (APPRENTICE §3.7)."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from papers.apprentice.lessons import LATER, Known, LinkLessons
from papers.apprentice.page_links import Pages
from scenthound.apprentice.bayes.buckets import D_MAX, Bayes
from scenthound.apprentice.bayes.offsets import stacked, text_features

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TENTHS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Frontier:
    """The waiting pages: their share in each tenth of either estimate, both means, and the share truly wanted."""

    size: int
    by_citing: tuple[float, ...]
    by_apprentice: tuple[float, ...]
    citing_hopes: float
    apprentice_hopes: float
    wanted: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Waiting:
    """Links to pages that wait, one for each: that on the page fetched first.

    `hopes` is by the best page that cites each.
    """

    links: tuple[tuple[int, Ints], ...]  # by page, the places of its links
    targets: Ints
    hopes: Floats


def estimated(
    pages: Pages,
    known: Known,
    start: Iterable[int],
    lessons: LinkLessons,
    *,
    wanted: AbstractSet[int],
    shut: AbstractSet[int],
) -> Frontier | None:
    """Let an apprentice learn the lessons, and estimate what waits.

    None where nothing does. `shut` is never fetched.
    """
    waiting = _waiting(pages, known, start, shut)
    if not len(waiting.targets):
        return None
    apprentice = Bayes()
    apprentice.learn(lessons.words.within(D_MAX), lessons.high)
    near = (
        text_features(pages[source].stream, pages[source].first[own], pages[source].last[own], d_max=D_MAX)
        for source, own in waiting.links
    )
    chances = apprentice.chances(stacked(near))
    return Frontier(
        size=len(waiting.targets),
        by_citing=_tenths(waiting.hopes),
        by_apprentice=_tenths(chances),
        citing_hopes=float(waiting.hopes.mean()),
        apprentice_hopes=float(chances.mean()),
        wanted=float(np.isin(waiting.targets, sorted(wanted)).mean()),
    )


def _waiting(pages: Pages, known: Known, start: Iterable[int], shut: AbstractSet[int]) -> _Waiting:
    examples = dict.fromkeys(start)
    hopes: dict[int, float] = {}
    links: list[tuple[int, Ints]] = []
    for source in dict.fromkeys([*examples, *known.pages.tolist()]):
        page = pages[source]
        # Examples are taken to be relevant: what the critic says of them is not in the trace of a crawl.
        hope = 1.0 if source in examples else float(known.relevance[source])
        fresh = []
        for place in np.flatnonzero(known.order[page.targets] == LATER).tolist():
            target = int(page.targets[place])
            if target in shut or target in examples:
                continue
            if target not in hopes:
                fresh.append(place)
            hopes[target] = max(hope, hopes.get(target, 0.0))
        links.append((source, np.array(fresh, dtype=np.int64)))
    targets = [target for source, own in links for target in pages[source].targets[own].tolist()]
    return _Waiting(
        links=tuple(links),
        targets=np.array(targets, dtype=np.int64),
        hopes=np.array([hopes[target] for target in targets]),
    )


def _tenths(values: Floats) -> tuple[float, ...]:
    places = np.minimum((values * TENTHS).astype(np.int64), TENTHS - 1)
    return tuple((np.bincount(places, minlength=TENTHS) / len(values)).tolist())
