"""Texts on their way from the readers to the index, in the folder `search/texts`.

A reader has the text of a page in its hands once. It appends it here, packed, and the indexer need not unpack and parse
the page a second time, which takes longer than to index it (`python -m bench.search --part texts`). The spool is a
shortcut and no record: what it lacks comes from the archive, so nothing here waits for the disk, and a torn or lost
file costs time only.

    file    name of the process and a number, then records
    record  SHA-1 of the content (20 bytes), length and CRC-32 of what follows, text as zstd
"""

import os
import struct
import time
import zlib
from base64 import b32decode
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import zstandard

LONGEST: Final = 1_000_000  # characters of a page that are indexed
_LEVEL: Final = 3  # of zstd
_RECORD: Final = struct.Struct("<20sII")
_PATTERN: Final = "*.texts"
_FILE_BYTES: Final = 16_000_000
_FILE_SECONDS: Final = 30.0  # after which a reader begins another file, so that this one can go
_SETTLED: Final = 120.0  # seconds without a change after which no reader adds to a file, and its pages are recorded
MOST_BYTES: Final = 1_000_000_000  # of all files: a crawl that nobody indexes does not fill the disk


def text_of(leaves: tuple[str, ...]) -> str:
    """Return the text of a page as search has it: one line a leaf."""
    return "\n".join(filter(None, leaves))


def pack_text(text: str) -> bytes:
    """Return a text as compressed bytes: 43 % of a schools page, where tantivy's own compression leaves 63 %."""
    return zstandard.ZstdCompressor(level=_LEVEL).compress(text.encode("utf-8", "replace"))


def unpack_text(packed: bytes) -> str:
    return zstandard.ZstdDecompressor().decompress(packed).decode()


class TextSpool:
    """Where one reader puts texts. A disk that takes no more ends it, and nothing else."""

    def __init__(self, folder: Path, *, now: Callable[[], float] = time.monotonic) -> None:
        self._folder = folder
        self._now = now
        self._file: int | None = None
        self._written = 0
        self._begun = 0.0
        self._works = True
        self._packer = zstandard.ZstdCompressor(level=_LEVEL)

    def add(self, digest: str, text: str) -> None:
        """Add the text of a page whose content has a digest."""
        if not self._works or not text or not digest:
            return
        packed = self._packer.compress(text[:LONGEST].encode("utf-8", "replace"))
        record = _RECORD.pack(_key(digest), len(packed), zlib.crc32(packed)) + packed
        try:
            self._works = self._is_open() and os.write(self._open(), record) == len(record)
        except OSError:
            self._works = False
        self._written += len(record)

    def _is_open(self) -> bool:
        """Begin another file if it is time to; False if the folder is full."""
        if self._file is not None and self._written < _FILE_BYTES and self._now() < self._begun + _FILE_SECONDS:
            return True
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._folder.mkdir(parents=True, exist_ok=True)
        return sum(path.stat().st_size for path in self._folder.glob(_PATTERN)) < MOST_BYTES

    def _open(self) -> int:
        if self._file is None:
            path = self._folder / f"{os.getpid()}-{time.time_ns()}.texts"
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            self._written, self._begun = 0, self._now()
        return self._file


@dataclass(frozen=True, slots=True)
class _Place:
    path: Path
    offset: int
    length: int
    checksum: int


class SpooledTexts:
    """The texts that readers have left. `look` sees what has come, `clear` removes files that nobody needs any more."""

    def __init__(self, folder: Path, *, now: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._now = now
        self._seen: dict[Path, int] = {}
        self._places: dict[bytes, _Place] = {}

    def look(self) -> None:
        """See which texts have come since the last time."""
        for path in self._folder.glob(_PATTERN):
            with suppress(OSError):  # another process has just cleared it away
                self._scan(path)

    def packed(self, digest: str) -> bytes:
        """Return the packed text of a page by the digest of its content; nothing if it is not there whole."""
        place = self._places.get(_key(digest)) if digest else None
        if place is None:
            return b""
        try:
            with place.path.open("rb") as file:
                file.seek(place.offset)
                found = file.read(place.length)
        except OSError:
            return b""
        return found if zlib.crc32(found) == place.checksum else b""

    def clear(self) -> None:
        """Remove files that have not changed for long: call it when all pages that are recorded have been indexed."""
        gone: set[Path] = set()
        for path in self._folder.glob(_PATTERN):
            with suppress(OSError):
                if path.stat().st_mtime < self._now() - _SETTLED:
                    path.unlink()
                    gone.add(path)
        if gone:
            self._places = {key: place for key, place in self._places.items() if place.path not in gone}
            self._seen = {path: seen for path, seen in self._seen.items() if path not in gone}

    def _scan(self, path: Path) -> None:
        at = self._seen.get(path, 0)
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            while at + _RECORD.size <= size:
                file.seek(at)
                key, length, checksum = _RECORD.unpack(file.read(_RECORD.size))
                end = at + _RECORD.size + length
                if end > size:  # its reader is just writing it, or was killed
                    break
                self._places[key] = _Place(path, at + _RECORD.size, length, checksum)
                at = end
        self._seen[path] = at


def _key(digest: str) -> bytes:
    """Return the bytes of a digest.

    >>> _key("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ").hex()
    'da39a3ee5e6b4b0d3255bfef95601890afd80709'
    """
    return b32decode(digest.removeprefix("sha1:"))
