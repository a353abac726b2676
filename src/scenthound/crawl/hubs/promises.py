"""The gain of unvisited pages that a top hub cites, where priorities are promises (RELATIONAL §3.2, FOCUS §4.7).

A hub promises of each of its links what its other links have led to so far; a greater promise stays. A raised URL keeps
its priority until the next hubs are found, whichever pages cite it: a mean over all of them would let it sink.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from scenthound.types import LinkYield, Unvisited

DOUBT: Final = 2  # pages without relevance that each hub is taken to have led to besides


def promises_of(cited: Sequence[Unvisited], yields: Mapping[str, LinkYield], *, lift: float) -> dict[str, float]:
    """Return what hubs promise of unvisited URLs, where that is not less than their priority.

    >>> one = Unvisited(url="http://new.test/", priority=0.3, cited_by=("http://a.test/", "http://b.test/"))
    >>> promises_of([one], {"http://a.test/": LinkYield(pages=6, relevance=6.0)}, lift=1.0)
    {'http://new.test/': 0.75}
    """
    hopes = {url: lift * one.relevance / (one.pages + DOUBT) for url, one in yields.items()}
    found = ((one, max(hopes.get(page, 0.0) for page in one.cited_by)) for one in cited)
    return {one.url: promise for one, promise in found if promise >= one.priority}
