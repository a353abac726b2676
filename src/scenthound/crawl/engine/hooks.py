"""The work after each turn of the lane: one tuple of hooks, run in order once a batch is recorded.

`crawl_parts` puts the tuple together. The order matters: each hook sees what the hooks before it have changed.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from scenthound.types import Ending, Outcome

if TYPE_CHECKING:  # `status` reads findings without the rest of a crawl
    from scenthound.crawl.engine.steps import Rulebook


class RulesInForce(Protocol):
    """The rules as they are at the moment. An earlier hook may have changed them."""

    @property
    def book(self) -> "Rulebook": ...

    @property
    def has_learnt(self) -> bool:
        """Whether there is a critic that can judge pages."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """A batch that was just recorded, and the claims that are still in flight, by id."""

    rules: RulesInForce
    outcomes: Sequence[Outcome] = ()
    flying: Collection[int] = ()
    offline: bool = False

    @property
    def pages(self) -> int:
        """The number of pages in it that were fetched for the first time and count against the budget."""
        return sum(_is_new_page(outcome) for outcome in self.outcomes)

    @property
    def pages_again(self) -> int:
        """The number of pages in it that were visited before, whether they have changed or not."""
        return sum(_is_visited_again(outcome) for outcome in self.outcomes)


class Hook(Protocol):
    """Work after each turn, in the lane's thread. Inherit from it to get the default for `busy`."""

    @property
    def busy(self) -> bool:
        """Whether new URLs may come from here although no page is fetched."""
        return False

    def after_turn(self, batch: Batch) -> None:
        """Do the work. Most turns give a hook nothing to do: it should notice that in no time."""
        ...


def _is_new_page(outcome: Outcome) -> bool:
    return outcome.ending is Ending.PAGE and outcome.counts and not outcome.claim.fetched_before


def _is_visited_again(outcome: Outcome) -> bool:
    return outcome.claim.fetched_before and outcome.ending in (Ending.PAGE, Ending.UNCHANGED)
