"""The cache of worlds: a folder with one file for each source that was read, so that it is read once.

A file's name identifies its source and version: the files of the source (size and date), the code that reads pages, and
the libraries under it. When any of these changes, the world is read again and the old file removed. The cache is in
$SCENTHOUND_LAB_CACHE, or in the XDG cache directory.
"""

import fcntl
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO

from scenthound.errors import LabError
from scenthound.lab.world.world_file import DamagedError, WorldFile, open_world_file
from scenthound.lab.world.world_sources import WorldSource, archive_files
from scenthound.whole_file import replacing

_PACKAGE = Path(__file__).parents[2]
# What a reading depends on: all of parse, and what leads from a response to it and from it to the file.
_CODE = (
    "parse/**/*.py",
    "crawl/readers/reader.py",
    "fetch/answer.py",
    "archive/warc.py",
    "types/*.py",
    "settings/schema.py",
    "lab/world/*.py",
)
_CODE_OF_DEMO = ("demo/**/*",)
_LIBRARIES = ("ada-url", "msgspec", "numpy", "pypdfium2", "pystemmer", "selectolax")
_SUFFIX = ".world"


def cache_folder() -> Path:
    """Return where worlds are kept unless somebody says otherwise."""
    if chosen := os.environ.get("SCENTHOUND_LAB_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "scenthound" / "lab"


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedWorld:
    """A world that lies in a cache."""

    path: Path
    title: str
    pages: int
    size: int


def cached_worlds(folder: Path) -> tuple[CachedWorld, ...]:
    """Return what lies in a cache, sorted by name; what is damaged is left out."""
    found = []
    for path in sorted(folder.glob(f"*{_SUFFIX}")):
        with suppress(DamagedError, OSError):
            file = open_world_file(path)
            found.append(
                CachedWorld(path=path, title=file.index.title, pages=len(file.pages), size=path.stat().st_size)
            )
            file.close()
    return tuple(found)


def cached(source: WorldSource, folder: Path, read: Callable[[BinaryIO], None]) -> WorldFile:
    """Return the file of a source, read into the cache first if it is not there.

    Of several processes that want the same source at once, one reads it and the others wait for that.
    """
    stem = _stem(source)
    path = folder / f"{stem}-{_version(source)}{_SUFFIX}"
    try:
        if (found := _found(path)) is not None:
            return found
        with _alone(folder, stem):
            return _found(path) or _made(path, read)
    except OSError as error:
        raise LabError(
            f"{folder} cannot hold worlds: {error.strerror}; make room there, or name another folder in "
            "SCENTHOUND_LAB_CACHE"
        ) from None


def _found(path: Path) -> WorldFile | None:
    try:
        return open_world_file(path)
    except (DamagedError, FileNotFoundError):
        return None


def _made(path: Path, read: Callable[[BinaryIO], None]) -> WorldFile:
    """Have a world read into a file aside, which takes its place when it is whole."""
    with replacing(path) as aside, aside.open("wb") as file:
        read(file)
    _remove_others(path)
    return open_world_file(path)


def _remove_others(path: Path) -> None:
    """Remove other versions of the same source; a process that has one open keeps what it has."""
    stem = path.name.rpartition("-")[0]
    for other in path.parent.glob(f"{stem}-*{_SUFFIX}"):
        if other != path:
            other.unlink(missing_ok=True)


@contextmanager
def _alone(folder: Path, stem: str) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{stem}.lock").open("ab") as lock:
        fcntl.flock(lock.fileno(), fcntl.LOCK_EX)  # ends with the file, or with the process however that ends
        yield


def _stem(source: WorldSource) -> str:
    """Return what stays the same as long as a source is the same: a name for people, and a digest of what it is."""
    paths = source.warc or ((source.crawl,) if source.crawl else ())
    named = re.sub(r"[^A-Za-z0-9]+", "-", paths[0].name.partition(".")[0] if paths else "demo").strip("-") or "world"
    known = "\n".join([*(str(path.resolve()) for path in paths), f"demo {source.demo}"])
    return f"{named[:40]}-{blake2b(known.encode(), digest_size=6).hexdigest()}"


def _version(source: WorldSource) -> str:
    known = blake2b(digest_size=8)
    patterns = _CODE if source.demo is None else (*_CODE, *_CODE_OF_DEMO)
    for path in sorted({path for pattern in patterns for path in _PACKAGE.glob(pattern) if path.is_file()}):
        if "__pycache__" not in path.parts:
            known.update(f"\n{path.relative_to(_PACKAGE)}\n".encode() + path.read_bytes())
    known.update(" ".join(f"{name} {version(name)}" for name in _LIBRARIES).encode())
    for file in archive_files(source):
        seen = file.path.stat()
        known.update(f"\n{seen.st_size if file.end is None else file.end} {seen.st_mtime_ns}".encode())
    return known.hexdigest()
