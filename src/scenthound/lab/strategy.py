"""What a strategy is: it sees each fetched page and says how urgent links are, those on the page and any seen before.

A strategy is a small class with one method. The crawl around it is the one that ships: the same loop, lane and rules; what a
strategy says of a URL becomes its priority in the frontier, and the greatest is claimed first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scenthound.types import Link, Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A fetched page as a strategy sees it.

    `n` counts the pages seen before it, `depth` the steps from the seeds, `relevance` is the critic's. `links` are those that
    may be followed, each URL once, those fetched already among them; their leaf numbers point into `reading.leaves`,
    which are there only for strategies with `wants_text`. `reading.terms` are always there (`parse.terms.unpack`). `cited` are
    the same links, and on examples of what is not wanted, whose links are not followed, those: what such pages link to as
    well is less likely to be wanted.
    """

    n: int
    url: str
    host: str
    depth: int
    relevance: float
    topic: str
    example: bool
    priority: float
    links: tuple[Link, ...]
    reading: Reading
    cited: tuple[Link, ...] = ()


class Strategy(Protocol):
    def see(self, page: Seen) -> Mapping[str, float]:
        """Learn from a page, and return priorities: of its links, and of other URLs about which it has changed its mind.

        A link of which nothing is said has priority 0. What is said of URLs that were fetched already is ignored.
        """
        ...


class ReadsWords(Protocol):
    """The critic, asked about a few words."""

    def relevance(self, texts: Sequence[str], language: str = "") -> NDArray[np.float64]:
        """Return how relevant a page with nothing but these words would be, text by text; the language is for their stems.

        A text that was read before costs no more than looking it up.
        """
        ...


class Omniscience(Protocol):
    """What an oracle knows: the truth about every page, and what it links to."""

    def relevant(self, url: str) -> bool: ...

    def alive(self, url: str) -> bool:
        """Tell whether a URL leads to a page at all."""
        ...

    def links(self, url: str) -> Sequence[str]:
        """Return the pages of the world that a page links to."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """What a strategy gets before its crawl. `truth` is None for all that do not declare `knows_truth`."""

    seed: int
    words: ReadsWords
    truth: Omniscience | None = None
