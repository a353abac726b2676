"""Several engines that share one crawl, as they see each other: who they are, and the files that all of them need."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineView:
    """One of the engines that share a crawl: when it joined, and for how many seconds it has given no sign of life."""

    number: int
    name: str
    joined: float
    silent: float
    pages: int
    speed: float
    shards: int
    teaches: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineStanding:
    """How one engine stands among the others: `shards` changes when it gets others, `pages` are those of the crawl."""

    teaches: bool
    others: int
    shards: str
    pages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFile:
    """A file of the crawl that all engines need, by its path in the crawl directory. Its versions count from 1."""

    name: str
    version: int
    content: bytes
