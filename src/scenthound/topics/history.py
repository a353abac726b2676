"""Changes a topics file atomically, with one writer at a time, and keeps earlier versions.

The version before each change goes to history/topics-000001.toml and so on. `undo` restores the last one. A reader sees
either the old file or the new one.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scenthound.errors import DirectoryError, TopicsError
from scenthound.taxonomy import Topics
from scenthound.topics.edits import Edit
from scenthound.topics.topics_file import load_topics
from scenthound.topics.topics_text import rewritten
from scenthound.whole_file import write_whole

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
        """Return the earlier versions, oldest first."""
        return sorted(self.folder.glob("topics-*.toml"))

    @contextmanager
    def changing(self) -> Iterator[Topics]:
        """Read the topics, and lock them for other scenthound processes until the block ends."""
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
        """Write edited topics and return the file with the version before. Call it within `changing`."""
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
        """Restore the last version, and return the file with the version that it replaces."""
        if not self.versions():
            raise TopicsError("there is nothing to undo: no command has changed the topics")
        with self._locked():
            undone = self.folder / UNDONE
            undone.write_bytes(self.file.read_bytes())  # as bytes: undo must also work if the file is not valid text
            self.versions()[-1].replace(self.file)
        return undone


def _write_whole(path: Path, text: str) -> None:
    """Write a file atomically."""
    try:
        write_whole(path, text)
    except OSError as error:
        raise DirectoryError(f"{path} cannot be written: {error.strerror}") from None
