"""Where the exchanges of a crawl are read: in its archive folder, or in the place elsewhere that has finished files.

What is read elsewhere stays in `cache/` of the archive folder, in blocks, so that pages next to each other, and a page
that is read twice, cost one request. Files elsewhere never change, and neither do blocks.
"""

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, Final

from scenthound.archive.elsewhere import Elsewhere, elsewhere_at
from scenthound.errors import StoreError
from scenthound.whole_file import replacing

BLOCK: Final = 1 << 20  # bytes: about 100 pages of a usual crawl, and a tenth of a second on a line of 100 Mbit/s
CACHE: Final = "cache"
_OWN: Final = re.compile(r"scenthound-[0-9-]+\.warc\.gz")
_SPARE: Final = 0.9  # part of the cache's size to which it is cut when it is full: to look at all of it takes time


@dataclass(frozen=True, slots=True)
class ArchivePlace:
    """The archive folder of a crawl, and the address of the place that has the files of other machines, if any."""

    folder: Path
    url: str = ""
    cache_size: int = 1_000_000_000

    def read(self, name: str, offset: int, length: int) -> bytes:
        """Return bytes of a file, wherever it is."""
        file = self.opened(name)
        if file is None:
            return self.read_elsewhere(name, offset, length)
        with file:
            file.seek(max(offset, 0))
            return file.read(max(length, 0))

    def opened(self, name: str) -> BinaryIO | None:
        """Open a file of the folder; return None if the place elsewhere may have it. The database may be anybody's: no
        file out of the folder is opened.
        """
        path = self.folder / name
        if not path.resolve().is_relative_to(self.folder.resolve()):
            raise StoreError(f"{name} leads out of {self.folder}, and is not opened; restore the crawl from a copy")
        try:
            return path.open("rb")
        except FileNotFoundError:
            if not self.url or not _OWN.fullmatch(name):
                raise
        return None

    def has(self, name: str) -> bool:
        """Tell whether a file can be read now."""
        if (self.folder / name).exists():
            return True
        return bool(self.url and _OWN.fullmatch(name)) and _elsewhere(self.url).size(name) is not None

    def read_elsewhere(self, name: str, offset: int, length: int) -> bytes:
        """Return bytes of a file that is not in the folder."""
        start = max(offset, 0)
        if length <= 0:
            return b""
        first, last = start // BLOCK, (start + length - 1) // BLOCK
        blocks: list[bytes] = []
        for number in range(first, last + 1):
            if blocks and len(blocks[-1]) < BLOCK:  # the file ends there
                break
            blocks.append(self._block(name, number))
        skip = start - first * BLOCK
        return b"".join(blocks)[skip : skip + length]

    def _block(self, name: str, number: int) -> bytes:
        kept = self.folder / CACHE / f"{name}@{number}"
        with suppress(OSError):
            block = kept.read_bytes()
            os.utime(kept)  # the oldest go first
            return block
        block = _elsewhere(self.url).read(name, number * BLOCK, (number + 1) * BLOCK)
        if self.cache_size:
            with suppress(OSError):  # a disk that is full, or a folder that is not ours: then nothing is kept
                self._keep(kept, block)
        return block

    def _keep(self, path: Path, block: bytes) -> None:
        path.parent.mkdir(exist_ok=True)
        with replacing(path) as part:
            part.write_bytes(block)
        if len(list(path.parent.iterdir())) * BLOCK > self.cache_size:
            _shrink(path.parent, int(_SPARE * self.cache_size))


ArchiveFolder = ArchivePlace | Path  # a folder alone has all of its files


def place_of(folder: ArchiveFolder) -> ArchivePlace:
    return folder if isinstance(folder, ArchivePlace) else ArchivePlace(folder)


def _shrink(folder: Path, size: int) -> None:
    """Delete the blocks that were not used for longest, until the rest has a size."""
    held = []
    for path in folder.iterdir():
        with suppress(OSError):  # another process has deleted it
            seen = path.stat()
            held.append((seen.st_mtime, seen.st_size, path))
    left = sum(size for _, size, _ in held)
    for _, length, path in sorted(held):
        if left <= size:
            return
        path.unlink(missing_ok=True)
        left -= length


@lru_cache(maxsize=4)
def _elsewhere(url: str) -> Elsewhere:
    """Return the place elsewhere, with its open connections."""
    return elsewhere_at(url)
