"""The one function that changes the priorities of URLs that wait in the store.

Three things change them: numbers for single URLs, new judgements, and hubs. A part of the crawl that computes a change
returns one of the three values below. docs/explanation/priorities.md lists these parts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scenthound.store.base import Store
from scenthound.store.walk import rescore
from scenthound.types import Distillation, PageScore


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """New priorities of single URLs."""

    priorities: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Promises:
    """The promises of all citing pages, as they are judged now. The store works the priorities out.

    URLs that are off topic now leave the frontier, others come back. Without `by_promise`, that is all: numbers stay.
    """

    by_promise: bool
    blend: bool
    nofollow: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HubScores:
    """Hubs that the distiller found, with the priorities that follow from them; both are written in one transaction."""

    found: Distillation
    scores: Sequence[PageScore]
    priorities: Mapping[str, float]


Change = Numbers | Promises | HubScores


def move_waiting(store: Store, change: Change, *, now: float) -> int:
    """Change the priorities of waiting URLs, and return how many changed; for hubs, how many were given."""
    match change:
        case Numbers():
            return store.move(change.priorities, now=now)
        case Promises():
            return rescore(store, by_promise=change.by_promise, blend=change.blend, nofollow=change.nofollow, now=now)
        case HubScores():
            store.distilled(change.found, change.scores, moves=change.priorities, now=now)
            return len(change.priorities)


def move_in_pieces(store: Store, pieces: Iterable[Mapping[str, float]], *, now: float) -> int:
    """Move piece by piece: each is in the store before the next is asked for. Return how many priorities changed."""
    return sum(move_waiting(store, Numbers(priorities=piece), now=now) for piece in pieces)
