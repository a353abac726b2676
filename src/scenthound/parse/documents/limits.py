"""A document after reading, the limits of its cost, and the reason for a refusal.

Readers raise `RefusalError` wherever they must stop. The entry of this package turns it into a `Refused`, so that a bad
document is a plain value outside of it.
"""

from dataclasses import dataclass

from scenthound.types import Link, Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A readable document: its text in leaves (paragraphs, cells, lines of a page), and links by leaf number.

    `mime` is the real type; `language` is empty unless the file names one; `detail` says what was left out.
    """

    mime: str
    charset: str = ""
    title: str = ""
    language: str = ""
    leaves: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A document that could not be read."""

    mime: str
    reason: Reason
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one document. The reading process has separate limits of time and memory.

    `unpacked` counts all decompressed bytes, over all members and levels.
    """

    unpacked: int = 20_000_000
    pages: int = 500
    members: int = 1_000
    depth: int = 3


class RefusalError(Exception):
    """The document cannot or must not be read further."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


class Room:
    """The rest of the limits while one document is read, shared by everything packed into it.

    >>> room = Room(Limits(unpacked=10))
    >>> room.take(8)
    >>> room.bytes
    2
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.bytes = limits.unpacked
        self.members = limits.members
        self.depth = 0

    def take(self, size: int) -> None:
        """Count decompressed bytes."""
        self.bytes -= size
        if self.bytes < 0:
            raise RefusalError(Reason.BOMB, f"unpacks to more than {self.limits.unpacked:,} bytes")
