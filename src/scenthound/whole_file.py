"""Files and folders that are there whole or not at all: written aside, synced to disk, then renamed into place.

A reader, or a crash at any moment, sees the old file or the new one. A failed write leaves nothing beside it; the next
write removes what a killed process left.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a path beside `path` to write to; at the end of the block, it takes the place of `path`."""
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    _remove_leftovers(path)
    try:
        yield aside
        _sync(aside)
        aside.replace(path)
        _sync(path.parent)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


@contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """Yield a new folder beside `path` to fill; at the end of the block, it takes the place of `path`.

    A folder that was there is moved aside first: a crash between the two steps leaves it under its hidden name.
    """
    aside, old = (path.with_name(f".{path.name}.{os.getpid()}{end}.part") for end in ("", "0"))
    _remove_leftovers(path)
    try:
        aside.mkdir()
        yield aside
        _sync_all(aside)
        if path.exists():
            path.replace(old)
        aside.replace(path)
        _sync(path.parent)
    except BaseException:
        if old.exists() and not path.exists():
            old.replace(path)
        shutil.rmtree(aside, ignore_errors=True)
        raise
    shutil.rmtree(old, ignore_errors=True)


def write_whole(path: Path, content: bytes | str) -> None:
    """Write a file in one step; text is written as UTF-8 with its line ends as they are."""
    with replacing(path) as aside:
        aside.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)


def _remove_leftovers(path: Path) -> None:
    """Remove the unfinished files of processes that are gone."""
    begin, end = f".{path.name}.", ".part"
    for file in path.parent.iterdir() if path.parent.is_dir() else ():
        number = file.name.removeprefix(begin).removesuffix(end)
        if file.name == f"{begin}{number}{end}" and number.isdecimal() and not _is_alive(int(number)):
            shutil.rmtree(file) if file.is_dir() and not file.is_symlink() else file.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return process != os.getpid()  # this process writes one file at a time: an older one had its number


def _sync_all(folder: Path) -> None:
    """Sync a folder: file by file, unless they are so many that the whole system is done sooner."""
    paths = [folder, *folder.rglob("*")]
    if len(paths) > _MANY:
        os.sync()
        return
    for path in paths:
        _sync(path)


_MANY = 1_000


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
