"""The log of lessons, from which the apprentice learns."""

from collections.abc import Sequence
from typing import Protocol

from scenthound.types import ArchiveSpot, Lesson


class Lessons(Protocol):
    """The log only grows, and every engine sees the same numbers: a new teacher replays it to the same weights."""

    def lessons(self, *, after: int = 0, limit: int) -> list[Lesson]:
        """Return the first lessons with n > `after`, in order."""
        ...

    def last_lesson(self) -> int:
        """Return the greatest n in the log, 0 if it is empty."""
        ...

    def lesson(self, url: str) -> Lesson | None:
        """Return the lesson of a URL, if it has one."""
        ...

    def untaught(self, *, limit: int, nofollow: bool = True) -> list[tuple[Lesson, ArchiveSpot | None]]:
        """Return the first missing lessons in fetch order, each with its place in the archive.

        The store knows no words of a page: the caller fills in `stream`. A link to a URL that was refused for another
        reason than its topic does not count; with `nofollow`, neither does a link marked nofollow.
        """
        ...

    def teach(self, lessons: Sequence[Lesson]) -> None:
        """Append lessons of outcomes recorded earlier; skip URLs that give no lesson or have one."""
        ...
