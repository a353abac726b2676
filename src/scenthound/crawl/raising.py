"""What unvisited pages gain by being cited by a top hub, where priorities are promises (RELATIONAL §3.2, FOCUS §4.7).

A hub promises of each of its links what the others have led to so far; a promise that is greater already stays. What a hub has
raised keeps its priority whoever else cites it, until hubs are found anew: a mean over all that cite it would let it sink.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from msgspec import structs

from scenthound.types import Discovery, LinkYield, Outcome, Unvisited

DOUBT: Final = 2  # pages without relevance that each hub is taken to have led to besides


def promised(cited: Sequence[Unvisited], yields: Mapping[str, LinkYield], *, lift: float) -> dict[str, float]:
    """Return what hubs promise of unvisited URLs, where that is not less than their priority.

    >>> one = Unvisited(url="http://new.test/", priority=0.3, cited_by=("http://a.test/", "http://b.test/"))
    >>> promised([one], {"http://a.test/": LinkYield(pages=6, relevance=6.0)}, lift=1.0)
    {'http://new.test/': 0.75}
    """
    hopes = {url: lift * one.relevance / (one.pages + DOUBT) for url, one in yields.items()}
    found = ((one, max(hopes.get(page, 0.0) for page in one.cited_by)) for one in cited)
    return {one.url: promise for one, promise in found if promise >= one.priority}


def kept_up(outcome: Outcome, raised: Mapping[str, float]) -> Outcome:
    """Return an outcome whose links leave alone what hubs have raised."""
    if not any(found.link.url in raised for found in outcome.discoveries):
        return outcome
    return replace(outcome, discoveries=tuple(_as_raised(found, raised) for found in outcome.discoveries))


def _as_raised(found: Discovery, raised: Mapping[str, float]) -> Discovery:
    priority = raised.get(found.link.url)
    return found if priority is None else structs.replace(found, priority=priority, cited=None)
