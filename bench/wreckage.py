"""The content of a crawl directory, checked from outside: by SQLite's own check, zlib and warcio.

Only the store's invariants are the store's own to tell. Databases are looked at in a copy, so that the next run of the
crawl finds what the kill left, and not what looking at it has tidied up.
"""

import shutil
import sqlite3
import tempfile
import zlib
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import time
from typing import BinaryIO

from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-untyped]

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.store.sqlite.store import SqliteStore

CHUNK = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class Wreck:
    """What one kill left behind; `trouble` should be empty. `asked` is how many requests this run had made."""

    asked: int = 0
    pages: int = 0
    in_flight: int = 0
    members: int = 0
    unrecorded_bytes: int = 0
    trouble: tuple[str, ...] = ()

    @property
    def may_repeat(self) -> int:
        """How many requests the kill may cost: a run that was killed before it asked for anything costs none."""
        return min(self.in_flight, self.asked)


@dataclass(slots=True, kw_only=True)
class ArchiveCount:
    """What warcio found in an archive."""

    captures: Counter[str] = field(default_factory=Counter)
    records: int = 0
    bad_digests: int = 0

    @property
    def twice(self) -> int:
        return sum(times - 1 for times in self.captures.values())


def look_at(path: Path) -> Wreck:
    """Check that the database is whole, and that the archive holds what it vouches for."""
    directory = CrawlDirectory.open(path)
    if not directory.database.exists():
        return Wreck()
    with tempfile.TemporaryDirectory() as folder:
        copy = _copied(directory.database, Path(folder))
        trouble = _integrity(copy)
        with SqliteStore(copy) as store:
            census, lengths = store.census(now=time()), store.archived()
            trouble += store.check()
    members, beyond = 0, 0
    for name, length in lengths.items():
        file = directory.archive / name
        beyond += file.stat().st_size - length
        whole, torn = count_members(file, length)
        members += whole
        trouble += [f"{name} is torn before byte {length}"] if torn else []
    return Wreck(
        pages=census.pages,
        in_flight=census.claimed,
        members=members,
        unrecorded_bytes=beyond,
        trouble=tuple(trouble),
    )


def count_members(path: Path, length: int) -> tuple[int, bool]:
    """Count the gzip members in the first `length` bytes of a file, and tell whether the last of them is torn."""
    with path.open("rb") as file:
        members, rest, left = 0, b"", length
        while rest or left:
            unpack = zlib.decompressobj(wbits=31)
            while not unpack.eof:
                chunk = rest or file.read(min(CHUNK, left))
                if not chunk:
                    return members, True
                left -= 0 if rest else len(chunk)
                try:
                    unpack.decompress(chunk)
                except zlib.error:
                    return members, True
                rest = unpack.unused_data
            members += 1
    return members, False


def count_archive(folder: Path) -> ArchiveCount:
    """Read a whole archive with warcio, checking every digest."""
    count = ArchiveCount()
    for path in sorted(folder.glob("*.warc.gz")):
        with path.open("rb") as file:
            _count_file(file, count)
    return count


def _count_file(file: BinaryIO, count: ArchiveCount) -> None:
    for record in ArchiveIterator(file, check_digests=True):
        while record.content_stream().read(CHUNK):
            pass
        count.records += 1
        count.bad_digests += record.digest_checker.passed is False
        if record.rec_type in ("response", "revisit"):
            count.captures[record.rec_headers.get_header("WARC-Target-URI")] += 1


def _copied(database: Path, folder: Path) -> Path:
    """Copy a database with its write-ahead log; its shared-memory file is only an index that SQLite makes again."""
    for name in (database.name, f"{database.name}-wal"):
        if (source := database.with_name(name)).exists():
            shutil.copyfile(source, folder / name)
    return folder / database.name


def _integrity(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        said = [str(row[0]) for row in connection.execute("PRAGMA integrity_check")]
    return [line for line in said if line != "ok"]
