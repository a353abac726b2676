"""What the distiller is asked for and what it answers (FOCUS §3.2, RELATIONAL §2.2, BINGO §2.5).

Hubs and authorities are computed either in memory with sparse matrices or in the database as SQL; both read these rules
and give the same scores.
"""

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import msgspec

from scenthound.distill.site import Site
from scenthound.types import PageScore


class Method(StrEnum):
    """Where the computation is done."""

    MEMORY = "memory"
    SQL = "SQL"


Judge = Callable[[Sequence[int]], Sequence[float]]
"""From pages, by their ids in the database, to the probability that each is about the topic asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How to distil.

    `share` of the judged pages, the most relevant ones, may be authorities: FOCUS §3.2 takes 10 to 20 % and finds no
    difference between the two. `rounds` is the number of times that scores go forth and back: FOCUS makes 50, but the
    20 best hubs of the demo are the final ones from round 10 on, and after 20 rounds all scores together are within
    1e-6 of where they end. `citing` bounds the pages that are added to a base set because they link to one page of it.
    `memory` is in megabytes: where more would be needed, the database computes. `kept` is how many hubs, and
    authorities, are told of a crawl that goes on.
    """

    site: Site = Site.DOMAIN
    share: float = 0.15
    rounds: int = 20
    citing: int = 50
    memory: int = 1000
    kept: int = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """A topic to distil for, instead of all good ones: its path, and who says how much a page is about it."""

    topic: str
    judge: Judge


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a distillation beside a crawl found: the best hubs and authorities among `pages`, hubs first, best first.

    `site` is what it took for a site.
    """

    pages: int
    scores: tuple[PageScore, ...]
    site: Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Distilled:
    """What a distillation looked at. The scores lie in the tables HUBS and AUTH of its connection.

    `pages` were judged and looked at, duplicates counted once; `links` lead from one site to an authority of another;
    `threshold` is the relevance from which on a page could be an authority.
    """

    method: Method
    pages: int
    links: int
    hubs: int
    authorities: int
    threshold: float
    rounds: int


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What a process that distils is to do: one line of JSON."""

    database: str
    rules: Rules


LENGTH: Final = struct.Struct("<Q")  # its answer begins with its length, which is written last
