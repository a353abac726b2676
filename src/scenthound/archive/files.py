"""The raw exchanges of a crawl as a folder of WARC files, written so that a crash never costs a recorded page.

The rule: bytes reach the disk (`flush`) before the database records the length of their file; what lies beyond
a recorded length after a crash belongs to no page, and `repair` sets it aside. The record format is in `warc`.
"""

import errno
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Protocol, Self

from scenthound.archive.place import ArchiveFolder, place_of
from scenthound.archive.warc import WarcRecord, member_length, parse_record, split_http, unpack_member, warcinfo_record
from scenthound.errors import DiskFullError, OpenFilesError, StoreError, repair_command
from scenthound.parse.urls import surt
from scenthound.types import ArchiveSpot

# scenthound-00001.warc.gz; with the number of an engine, where several share a crawl, scenthound-00007-00001.warc.gz
_NAME = re.compile(r"scenthound-(?:\d{5,}-)?\d{5,}\.warc\.gz")
LARGEST = 256_000_000  # bytes of one record that is read, unpacked: far more than a crawl fetches (fetch.max_body)
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Archive:
    """Appends records to numbered files of about `file_size` bytes, each beginning with a warcinfo record.

    Records are kept in memory until `flush`; `lengths` never counts what is not yet safe on the disk. `begin_flush` and
    `finish_flush` are its two halves, for a caller who has something else to do while the disk works.

    A file ends when it is `close_after` seconds old, too. `closed` names files that must not grow any more, even if
    they are not in the folder.
    """

    def __init__(
        self,
        folder: Path,
        *,
        file_size: int,
        software: str,
        now: Callable[[], float] = time.time,
        engine: int = 0,
        close_after: float = inf,
        closed: Collection[str] = (),
    ) -> None:
        self._prefix = _prefix(engine)
        self._folder = folder
        self._file_size = file_size
        self._close_after = close_after
        self._closed = closed
        self._begun = inf
        self._untold: dict[str, int] = {}
        self._software = software
        self._now = now
        self._number = 0
        self._length = 0  # of the current file, what waits in memory included
        self._waiting: list[bytes] = []
        self._fresh = True  # the current file holds no record but its warcinfo
        self._safe: dict[str, int] = {}
        self._descriptor: int | None = None
        self._syncing: Future[None] | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="archive")

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        names = {*self._closed, *(path.name for path in files_of(self._folder))}
        last = max((name for name in names if prefix_of(name) == self._prefix), key=self._number_of, default="")
        if last and last not in self._closed:
            self._go_on(self._folder / last)
        else:
            self._number = self._number_of(last) if last else 0
            self._begin_file()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:  # else what waits was never recorded, and writing it could hide the error
                self.flush()
        finally:
            self._thread.shutdown()
            self._close()

    @property
    def _file(self) -> str:
        return f"{self._prefix}{self._number:05d}.warc.gz"

    @property
    def current(self) -> str:
        """The file that is being written; all others are finished."""
        return self._file

    def finished_since(self, name: str) -> tuple[list[str], str]:
        """Return the files finished since this one was the current one, and the current one."""
        if name == self._file:
            return [], name
        written = [file for file in self._safe if file != self._file]
        done = written[written.index(name) :] if name in written else []
        for file in done:
            del self._safe[file]
        return done, self._file

    def act_for(self, engine: int) -> None:
        """Go on in a file with the number of this engine."""
        if self._prefix == _prefix(engine):
            return
        self.flush()
        self._close()
        self._prefix, self._number = _prefix(engine), 0
        self._begin_file()

    def finish_old(self) -> None:
        """Finish the current file if it is old enough."""
        if not self._fresh and self._now() - self._begun >= self._close_after:
            self._rotate()

    def append(self, record: bytes) -> ArchiveSpot:
        """Add the records of one exchange and return where the first of them, the response, will lie."""
        if self._length + len(record) > self._file_size and not self._fresh:
            self._rotate()
        if self._fresh:
            self._begun = self._now()
        spot = ArchiveSpot(file=self._file, offset=self._length, length=member_length(record))
        self._waiting.append(record)
        self._length += len(record)
        self._fresh = False
        return spot

    def flush(self) -> None:
        """Bring everything appended safely to the disk; if there is no room, leave the files as they were."""
        self.begin_flush()
        self.finish_flush()

    def begin_flush(self) -> dict[str, int]:
        """Write everything appended and have the disk begin to take it; return the lengths of files once it has.

        Files whose lengths were returned before, and that are finished, are left out: there may be thousands.
        """
        self.finish_flush()
        untold, self._untold = self._untold, {}
        if self._fresh or not self._waiting:
            return untold
        with self._errors():
            self._syncing = self._thread.submit(os.fsync, self._write(b"".join(self._waiting)))
        return untold | {self._file: self._length}

    def finish_flush(self) -> None:
        """Wait until what `begin_flush` wrote is safe. Nothing may be appended between the two."""
        syncing, self._syncing = self._syncing, None
        if syncing is None:
            return
        with self._errors():
            syncing.result()
        self._waiting.clear()
        self._safe[self._file] = self._untold[self._file] = self._length

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Leave the files as they were when they cannot be written, and say what to do."""
        try:
            yield
        except OSError as error:
            self._undo()
            if OpenFilesError.explains(error):
                raise OpenFilesError from error
            said = f"{self._folder / self._file}: {error.strerror}"
            if error.errno in _NO_ROOM:
                raise DiskFullError(f"{said}; make room and start again, all recorded is safe") from error
            raise StoreError(f"{said}; see to the disk and start again") from error

    def lengths(self) -> dict[str, int]:
        """Return the length of each file written since the archive was opened, as far as it is safe on disk."""
        return dict(self._safe)

    def _write(self, data: bytes) -> int:
        """Write to the current file and return its descriptor."""
        if self._descriptor is None:
            is_new = self._file not in self._safe
            self._descriptor = os.open(self._folder / self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            if is_new:
                _sync_folder(self._folder)
        view = memoryview(data)
        while view:
            view = view[os.write(self._descriptor, view) :]
        return self._descriptor

    def _undo(self) -> None:
        """Cut off what a failed write left, so that a later flush begins where the last good one ended."""
        if self._descriptor is not None:
            with suppress(OSError):  # a disk this broken is left to `repair`
                os.ftruncate(self._descriptor, self._safe.get(self._file, 0))

    def _rotate(self) -> None:
        self.flush()
        self._close()
        self._begin_file()

    def _begin_file(self) -> None:
        self._number += 1
        info = warcinfo_record(filename=self._file, software=self._software, at=self._now())
        self._waiting = [info]
        self._length = len(info)
        self._fresh = True

    def _number_of(self, name: str) -> int:
        return int(name.removeprefix(self._prefix).removesuffix(".warc.gz"))

    def _go_on(self, last: Path) -> None:
        self._number = self._number_of(last.name)
        self._begun = self._now()
        self._length = self._safe[self._file] = last.stat().st_size
        self._fresh = False

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _prefix(engine: int) -> str:
    return f"scenthound-{engine:05d}-" if engine else "scenthound-"


def prefix_of(name: str) -> str:
    """Return what the names of files of one engine have in common.

    >>> prefix_of("scenthound-00007-00001.warc.gz"), engine_of("scenthound-00007-00001.warc.gz")
    ('scenthound-00007-', 7)
    """
    return name.rpartition("-")[0] + "-"


def engine_of(name: str) -> int:
    """Return the number of the engine that wrote a file, 0 for a crawl in its folder."""
    return int(prefix_of(name).removeprefix("scenthound-").removesuffix("-") or 0)


def read_exchange(place: ArchiveFolder, spot: ArchiveSpot, *, most: int = LARGEST) -> tuple[bytes, bytes]:
    """Return the head and the body of the response that lies at a spot; a revisit has an empty body."""
    return split_http(read_record(place, spot, most=most).block)


def read_record(place: ArchiveFolder, spot: ArchiveSpot, *, most: int = LARGEST) -> WarcRecord:
    """Return the record at a spot, of at most so many bytes."""
    with ArchiveReader(place) as archive:
        return archive.record(spot, most=most)


class ArchiveReader:
    """Reads many records, in a `with`: the file of the last one stays open."""

    def __init__(self, place: ArchiveFolder) -> None:
        self._place = place_of(place)
        self._name = ""
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def record(self, spot: ArchiveSpot, *, most: int = LARGEST) -> WarcRecord:
        """Return the record at a spot, as `read_record` does."""
        packed = self._read(spot.file, spot.offset, min(spot.length, most))
        path = f"{self._place.folder}/{spot.file}"
        data = unpack_member(packed, f"{path}: byte {spot.offset}", most=most)
        return parse_record(data, offset=spot.offset, length=spot.length, name=path)

    def exchange(self, spot: ArchiveSpot) -> tuple[bytes, bytes]:
        """Return the head and the body of a response, as `read_exchange` does."""
        return split_http(self.record(spot).block)

    def _read(self, name: str, offset: int, length: int) -> bytes:
        if name != self._name:
            self._close()
            self._file = self._place.opened(name)
            self._name = name
        if self._file is None:
            return self._place.read_elsewhere(name, offset, length)
        self._file.seek(max(offset, 0))
        return self._file.read(max(length, 0))

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._name, self._file = "", None


def files_of(folder: Path) -> list[Path]:
    """Return the files of an archive in their order."""
    return sorted(path for path in folder.glob("scenthound-*.warc.gz") if _NAME.fullmatch(path.name))


def repair(folder: Path, recorded: dict[str, int], *, elsewhere: bool = False) -> list[str]:
    """Bring a folder back to what the database knows of it, and return sentences that say what was done.

    What lies beyond a recorded length, and files never recorded, move to `torn/`, named by file and offset;
    nothing is thrown away. A file that is shorter than recorded cannot be repaired: that is a StoreError. With
    `elsewhere`, files that are missing lie on the machines of other engines.
    """
    sizes = {path.name: path.stat().st_size for path in files_of(folder)}
    if elsewhere:
        recorded = {name: length for name, length in recorded.items() if name in sizes}
    for name, length in sorted(recorded.items()):
        if sizes.get(name, 0) < length:
            has = f"has {sizes[name]} bytes" if name in sizes else "is missing"
            raise StoreError(
                f"{folder / name} {has}, but {length} bytes of it are recorded; restore it from a copy, "
                f"or go on without: {repair_command(folder.parent)}"
            )
    excess = {name: size for name, size in sizes.items() if size > recorded.get(name, 0) or name not in recorded}
    return [_set_aside(folder, name, recorded.get(name, 0), size) for name, size in excess.items()]


def _set_aside(folder: Path, name: str, keep: int, size: int) -> str:
    """Copy the tail of a file to torn/, then cut it off: in this order, so that no crash loses it."""
    path = folder / name
    if size > keep:
        aside = _unused(folder / "torn", f"{name}@{keep}")
        _copy_tail(path, keep, aside)
    if keep:
        with path.open("r+b") as file:
            file.truncate(keep)
            os.fsync(file.fileno())
    else:
        path.unlink()
        _sync_folder(folder)
    if size == 0:
        return f"{name} was empty and never recorded: removed."
    return f"{name}: {size - keep} bytes from byte {keep} on were never recorded: moved to torn/{aside.name}."


def _unused(folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    path, n = folder / name, 1
    while path.exists():
        n += 1
        path = folder / f"{name}.{n}"
    return path


def _copy_tail(path: Path, offset: int, to: Path) -> None:
    with path.open("rb") as source, to.open("xb") as target:
        source.seek(offset)
        shutil.copyfileobj(source, target)
        target.flush()
        os.fsync(target.fileno())
    _sync_folder(to.parent)


def _sync_folder(folder: Path) -> None:
    """Sync a folder, so that a file created or removed in it survives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@dataclass(frozen=True, slots=True, kw_only=True)
class CdxRow:
    """One capture as an index names it. `digest` is the payload digest, with or without "sha1:"."""

    url: str
    at: float
    mime: str
    status: int
    digest: str
    spot: ArchiveSpot


class _Written(Protocol):
    def write(self, text: str, /) -> object: ...


def write_cdxj(rows: Iterable[CdxRow], out: _Written) -> int:
    """Write a CDXJ index, sorted bytewise as pywb searches it, and return the number of lines."""
    lines = sorted(_cdxj_line(row).encode() for row in rows)
    for line in lines:
        out.write(line.decode())
    return len(lines)


def _cdxj_line(row: CdxRow) -> str:
    told = {
        "url": row.url,
        "mime": row.mime or "unk",
        "status": str(row.status),
        "digest": row.digest.removeprefix("sha1:"),
        "length": str(row.spot.length),
        "offset": str(row.spot.offset),
        "filename": row.spot.file,
    }
    timestamp = datetime.fromtimestamp(row.at, UTC).strftime("%Y%m%d%H%M%S")
    return f"{surt(row.url)} {timestamp} {json.dumps(told)}\n"
