"""Small facts about a crawl, by key."""

from typing import Protocol


class Notes(Protocol):
    """One engine writes a note; all engines read it."""

    def note(self, key: str, value: str | None = None) -> str | None:
        """Store a fact if a value is given; return the stored value."""
        ...
