"""Archive files that were uploaded to a place elsewhere, and those that were lost before they were."""

from typing import Protocol


class Uploads(Protocol):
    """One engine uploads a file and notes it; all engines read what was noted."""

    def uploaded(self) -> frozenset[str]:
        """Return the archive files that are elsewhere, whole and checked."""
        ...

    def note_upload(self, file: str, *, digest: str, at: float) -> None:
        """Remember that a file is there, with its SHA-256; a second time changes nothing."""
        ...

    def lose_file(self, file: str, *, now: float) -> int:
        """Strike off an archive file that is gone for good; return how many pages wait to be fetched again.

        What was read of them is kept until then. Their validators are not, so that each is fetched whole.
        """
        ...
