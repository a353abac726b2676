"""What a document is once it is read, what it may cost, and the reason of one that is not read.

Readers of single formats raise `RefusalError` from wherever they notice that they must stop; the door of this package turns
it into a `Refused`, so that outside of it a bad document is a value like any other.
"""

from dataclasses import dataclass

from scenthound.types import Link, Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document that was read: its text in leaves (paragraphs, cells, lines of a page), and links by leaf number.

    `mime` is what it turned out to be; `language` is empty unless the file names one; `detail` says what was left out.
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
    """A document that was not read."""

    mime: str
    reason: Reason
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one document may cost. Time and memory are limited from outside, for the process that reads.

    `unpacked` counts all bytes that are taken out of it, over all members and levels.
    """

    unpacked: int = 20_000_000
    pages: int = 500
    members: int = 1_000
    depth: int = 3


class RefusalError(Exception):
    """The document cannot or must not be read on."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


class Room:
    """What is left of the limits while one document is read, shared by everything that is packed into it.

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
        """Account for bytes that were unpacked."""
        self.bytes -= size
        if self.bytes < 0:
            raise RefusalError(Reason.BOMB, f"unpacks to more than {self.limits.unpacked:,} bytes")
