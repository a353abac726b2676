"""The order of the frontier: read waiting URLs piece by piece, and give them other priorities."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from scenthound.types import Bearings, Rescored, Waiting


class Priorities(Protocol):
    """A reader goes on from the last id that it saw, so that one engine walks over its own shards only."""

    def move(self, priorities: Mapping[str, float], *, now: float) -> int:
        """Give waiting URLs new priorities, whatever cites them; return how many changed and ignore the rest."""
        ...

    def waiting(self, *, after: int = 0, limit: int) -> list[Waiting]:
        """Return waiting URLs with id > `after`, oldest first, examples left out.

        With `move`, this reorders a frontier piece by piece.
        """
        ...

    def bearings(self, *, nofollow: bool, after: int = 0, limit: int, host: str = "") -> list[Bearings]:
        """Return the columns of waiting URLs with id > `after`, oldest first, examples left out.

        `host` limits the answer to one host. With `nofollow`, links marked nofollow do not count.
        """
        ...

    def bearings_of(self, urls: Sequence[str], *, nofollow: bool) -> list[Bearings]:
        """Return the columns of these URLs in any state, each once; leave out examples and unknown URLs."""
        ...

    def rescore(
        self, *, by_promise: bool, blend: bool, nofollow: bool, now: float, after: int = 0, limit: int
    ) -> Rescored:
        """Apply new judgements to the first `limit` URLs with id > `after` that judgements can move.

        A waiting URL is refused as off topic if only pages without promise link to it. A URL refused as off topic waits
        again if a page with promise links to it. With `by_promise`, the greatest promise becomes its priority; with
        `blend`, the relevance of all citing pages is blended in (`rules.Hope`). With `nofollow`, links marked nofollow
        do not count. Seeds, examples, URLs found by backlinks and pages to visit again stay as they are.

        Each piece is one transaction. A caller that is killed between two pieces starts again from the beginning; a URL
        that already moved does not move twice.
        """
        ...
