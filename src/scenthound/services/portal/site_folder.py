"""The folder of a published site: only what changed is written, and only what the portal wrote is removed.

A manifest lists all files with their digests. A file is written aside and renamed, so that readers and killed processes
see it whole. The name of a new file goes into a journal before the file is made: what a killed process left is known by
it.
"""

import fcntl
import os
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import IO, Final, Self

import msgspec
from msgspec import Struct

from scenthound.errors import DirectoryError, ScenthoundError

MANIFEST: Final = ".scenthound-portal.json"
JOURNAL: Final = ".scenthound-portal.journal"
_PART: Final = ".part"


class FileMark(Struct, frozen=True, array_like=True):
    """By what a file is recognised."""

    digest: str
    size: int


class Counts(Struct, frozen=True, kw_only=True):
    """What is in a site: pages, topics, and how many pages opt out."""

    pages: int = 0
    topics: int = 0
    opted_out: int = 0


class Manifest(Struct, frozen=True, kw_only=True):
    """What the portal wrote, and a mark of what it was made from; no mark for a site that was not finished."""

    made_from: str = ""
    counts: Counts = Counts()
    files: dict[str, FileMark] = {}


class SiteFolder:
    """A folder that a portal is written to, in a `with`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._before = Manifest()
        self._own: set[str] = set()  # names of files that this portal wrote, now or before
        self._now: dict[str, FileMark] = {}
        self._folders: set[Path] = set()
        self._journal: IO[str] | None = None
        self._was_finished = False
        self.written = 0
        self.removed = 0

    def __enter__(self) -> Self:
        self._refuse_others()
        try:
            self._path.mkdir(parents=True, exist_ok=True)
            self._journal = (self._path / JOURNAL).open("a+", encoding="utf-8")
            fcntl.flock(self._journal.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DirectoryError(f"{self._path} is just being written by another process; wait for it") from None
        except OSError as error:
            raise DirectoryError(f"{self._path} cannot be written: {error.strerror}; choose another folder") from None
        self._before = self._read_manifest()
        self._journal.seek(0)
        self._was_finished = bool(self._before.made_from)
        announced = filter(_is_inside, self._journal.read().split("\n"))
        self._own = {*self._before.files, *(f"{name}{_PART}" for name in self._before.files), *announced}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._journal is not None
        self._journal.close()  # which unlocks it
        if error is not None and not self._own:  # nothing was begun
            (self._path / JOURNAL).unlink(missing_ok=True)
            with suppress(OSError):
                self._path.rmdir()

    def counts_of(self, made_from: str) -> Counts | None:
        """Keep the site as it is, if it was finished from just this and all of it is there; return what is in it."""
        if self._before.made_from != made_from or not all(map(self._is_there, self._before.files)):
            return None
        self._now = dict(self._before.files)
        return self._before.counts

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file, unless it is there with the same content."""
        data = content.encode("utf-8", "replace") if isinstance(content, str) else content
        mark = FileMark(_digest(data), len(data))
        same = self._before.files.get(name) == mark and self._is_there(name) and self._is_old(name, mark)
        self._now[name] = mark
        if not same:
            try:
                self._put(name, data)
            except OSError as error:
                raise ScenthoundError(
                    f"{self._path / name} cannot be written: {error.strerror}; see to the disk and start again"
                ) from None
            self.written += 1

    def finish(self, made_from: str, counts: Counts) -> None:
        """Note what the site consists of, and remove what is no longer needed."""
        assert self._journal is not None
        gone = self._own - set(self._now)
        self._note(Manifest(made_from=made_from, counts=counts, files=self._now))
        for name in sorted(gone):
            with suppress(OSError):
                (self._path / name).unlink()
                self.removed += 1
        for folder in sorted({above for name in gone for above in PurePosixPath(name).parents}, reverse=True):
            with suppress(OSError):  # it holds something else
                if folder.name:
                    (self._path / folder).rmdir()
        self._journal.truncate(0)

    @property
    def files(self) -> dict[str, FileMark]:
        return self._now

    def _refuse_others(self) -> None:
        if self._path.exists() and not self._path.is_dir():
            raise DirectoryError(f"{self._path} is a file; a portal needs a folder of its own")
        if self._path.is_dir() and not (self._path / MANIFEST).exists() and not (self._path / JOURNAL).exists():
            found = next((one.name for one in sorted(self._path.iterdir())), None)
            if found is not None:
                raise DirectoryError(
                    f"{self._path} holds other things ({found}); name a new or empty folder for the portal"
                )

    def _read_manifest(self) -> Manifest:
        try:
            found = msgspec.json.decode((self._path / MANIFEST).read_bytes(), type=Manifest)
        except FileNotFoundError:
            return Manifest()
        except (OSError, msgspec.DecodeError):
            raise DirectoryError(
                f"{self._path / MANIFEST} cannot be read; name a new folder, or remove this one"
            ) from None
        inside = {name: found.files[name] for name in filter(_is_inside, found.files)}
        return Manifest(made_from=found.made_from, counts=found.counts, files=inside)

    def _is_there(self, name: str) -> bool:
        try:
            return (self._path / name).stat().st_size == self._before.files[name].size
        except OSError:
            return False

    def _is_old(self, name: str, mark: FileMark) -> bool:
        """Tell whether a file is as the manifest says; one that a killed process wrote may not be."""
        return self._was_finished or _digest((self._path / name).read_bytes()) == mark.digest

    def _put(self, name: str, data: bytes) -> None:
        path = self._path / name
        if name not in self._own:
            if path.exists():
                raise DirectoryError(f"{path} was not written by the portal; move it away, or name another folder")
            self._announce(name)
        if path.parent not in self._folders:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._folders.add(path.parent)
        if self._before.made_from:  # from here on it is no longer what it was
            self._before = Manifest(files=self._before.files)
            self._note(self._before)
        aside = path.with_name(f"{path.name}{_PART}")
        aside.write_bytes(data)
        aside.replace(path)

    def _announce(self, name: str) -> None:
        assert self._journal is not None
        self._journal.write(f"{name}\n{name}{_PART}\n")
        self._journal.flush()
        self._own |= {name, f"{name}{_PART}"}

    def _note(self, manifest: Manifest) -> None:
        path = self._path / MANIFEST
        aside = path.with_name(f"{path.name}{_PART}")
        try:
            with aside.open("wb") as file:
                file.write(msgspec.json.encode(manifest))
                file.flush()
                os.fsync(file.fileno())
            aside.replace(path)
        except OSError as error:
            raise DirectoryError.unwritable(self._path, error) from None


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=12).hexdigest()


def _is_inside(name: str) -> bool:
    """Tell whether a name lies in the folder: a manifest may be anybody's, and files are removed by it."""
    path = PurePosixPath(name)
    return bool(name) and not path.is_absolute() and ".." not in path.parts
