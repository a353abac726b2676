"""A store that several engines share. Only a store on a server is one; a file has one writer."""

from collections.abc import Mapping
from typing import Protocol

from scenthound.types import EngineStanding, EngineView, HostView, SharedFile


class EngineLease(Protocol):
    """The lease of this engine, which a thread renews. `pages` and `speed` are told to the others."""

    number: int
    pages: int
    speed: float

    def may_ask(self, number: int) -> bool:
        """Tell whether a host may be asked for what was claimed under this number: the lease is the same, and fresh."""
        ...

    def has_lost(self, number: int) -> bool:
        """Tell whether others have taken over what was claimed under this number."""
        ...


class Engines(Protocol):
    """What an engine knows of the others, and the files that they share."""

    @property
    def lease(self) -> EngineLease: ...

    def clock_ahead(self) -> float:
        """Return how many seconds the clock of the server is ahead of the one of this machine."""
        ...

    def engines(self) -> list[EngineView]:
        """Return the engines at work, the one that teaches first."""
        ...

    def standing(self) -> EngineStanding:
        """Return how this engine stands. The oldest one teaches."""
        ...

    def shards(self) -> frozenset[int]:
        """Return the shards of this engine."""
        ...

    def reserve(self, host: str, *, now: float, seconds: float) -> HostView | None:
        """Keep the owner of a host from asking it for some seconds, because this engine is about to.

        Return the host, or None if it is unknown. It is reserved only if its `due` has passed and it is not busy.
        """
        ...

    def account(self, change: float, *, most: float) -> float:
        """Add to the account of what the crawl has waited away, up to `most`; return what it has then. The first
        engine of a crawl begins with 0."""
        ...

    def share_file(self, name: str, content: bytes, *, after: int) -> int | None:
        """Put a new version of a file there; return its number, or None if another engine has put one after `after`."""
        ...

    def shared_file(self, name: str) -> SharedFile | None:
        """Return the last version of a file."""
        ...

    def shared_versions(self, *, under: str = "") -> Mapping[str, int]:
        """Return the files whose names begin like this, with the numbers of their last versions."""
        ...
