"""The protocol of a strategy: it sees each fetched page and sets priorities, for its links and for any seen before.

A strategy is a small class with one method. The crawl around it is the real one, with the same loop, lane and rules.
The strategy's number for a URL becomes its priority in the frontier, and the greatest is claimed first.
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

    `n` counts the pages seen before it, `depth` the steps from the seeds, `relevance` is the critic's. `links` are
    those that may be followed, each URL once, including fetched ones; their leaf numbers point into `reading.leaves`,
    which only strategies with `wants_text` get. `reading.terms` are always there (`parse.words.terms.unpack`). `cited`
    are the same links and, for negative examples, whose links are not followed, those too: a URL that such pages also
    link to is less likely to be wanted.
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
        """Learn from a page, and return priorities: for its links, and for other URLs whose priority changes.

        A link without a number has priority 0. Numbers for fetched URLs are ignored.
        """
        ...


class ReadsWords(Protocol):
    """The critic, for a few words."""

    def relevance(self, texts: Sequence[str], language: str = "") -> NDArray[np.float64]:
        """Return the relevance of a page with only these words, text by text; the language is for their stems.

        A known text costs only a lookup.
        """
        ...


class Omniscience(Protocol):
    """The knowledge of an oracle: the truth about every page, and its links."""

    def relevant(self, url: str) -> bool: ...

    def alive(self, url: str) -> bool:
        """Tell whether a URL leads to a page at all."""
        ...

    def links(self, url: str) -> Sequence[str]:
        """Return the pages of the world that a page links to."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """The information for a strategy before its crawl. `truth` is None unless the strategy declares `knows_truth`."""

    seed: int
    words: ReadsWords
    truth: Omniscience | None = None
