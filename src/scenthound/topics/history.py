"""Changing a topics file in place: as a whole or not at all, one writer at a time, every earlier version kept.

The version before each change goes to history/topics-000001.toml and so on; `undo` brings the last one back. Whoever
reads the file while it is changed sees either the old one or the new one.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scenthound.errors import DirectoryError, TopicsError
from scenthound.taxonomy import Topics
from scenthound.topics.edits import Edit
from scenthound.topics.file import load_topics
from scenthound.topics.text import rewritten

MOST_KEPT = 100
UNDONE = "undone.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The versions of one topics file."""

    file: Path

    @property
    def folder(self) -> Path:
        return self.file.parent / "history"

    def versions(self) -> list[Path]:
        """Return the earlier versions that are kept, oldest first."""
        return sorted(self.folder.glob("topics-*.toml"))

    @contextmanager
    def changing(self) -> Iterator[Topics]:
        """Read the topics, and let no other program of ours change them before the block ends."""
        with self._locked():
            yield load_topics(self.file)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            self.folder.mkdir(exist_ok=True)
            lock = (self.folder / "lock").open("a")
        except OSError as error:
            raise DirectoryError.unwritable(self.folder, error) from None
        with lock:
            fcntl.flock(lock.fileno(), fcntl.LOCK_EX)
            yield

    def write(self, edit: Edit) -> Path:
        """Write edited topics and return where the version before is kept. Only within `changing`."""
        text = self.file.read_text(encoding="utf-8-sig")
        last = self.versions()[-1:]
        number = int(last[0].stem.rpartition("-")[2]) + 1 if last else 1
        kept = self.folder / f"topics-{number:06}.toml"
        _write_whole(kept, text)
        _write_whole(self.file, rewritten(text, edit.topics, dict(edit.renamed)))
        for old in self.versions()[:-MOST_KEPT]:
            old.unlink()
        return kept

    def undo(self) -> Path:
        """Bring the last version back, and return where the version that it replaces is kept."""
        if not self.versions():
            raise TopicsError("there is nothing to undo: the topics have not been changed by a command")
        with self._locked():
            undone = self.folder / UNDONE
            undone.write_bytes(self.file.read_bytes())  # as it is: undoing must help where it cannot be read as text
            self.versions()[-1].replace(self.file)
        return undone


def _write_whole(path: Path, text: str) -> None:
    """Write a file beside its place and put it there in one step."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise DirectoryError(f"{path} cannot be written: {error.strerror}") from None
