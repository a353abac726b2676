"""Reading what is left of an archive and of a database that were damaged from outside.

Nothing here writes, and nothing here gives up: what cannot be read is passed over and counted.
"""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from scenthound.archive.warc import WarcRecord, member_length, parse_record, unpack_member
from scenthound.errors import StoreError

# How every member begins that `warc.gzip_member` makes, but for two bytes that say how long the extra field is.
_BEGIN = b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x0c\0sl"
_HEAD = 24
_CHUNK = 1 << 20
_LONGEST = 1 << 30  # bytes of a member that are believed


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownUrl:
    """A URL that a damaged database still knows to be waiting."""

    url: str
    depth: int
    priority: float


def records_left(path: Path) -> Iterator[WarcRecord | int]:
    """Yield the records of a file that are whole, and the number of bytes wherever some had to be passed over."""
    size, offset = path.stat().st_size, 0
    with path.open("rb") as file:
        while offset < size:
            record = _record_at(file, offset, path)
            if record is not None:
                yield record
                offset += record.length
                continue
            found = _next_begin(file, offset + 1, size)
            yield found - offset
            offset = found


def _record_at(file: BinaryIO, offset: int, path: Path) -> WarcRecord | None:
    file.seek(offset)
    head = file.read(_HEAD)
    try:
        length = member_length(head)
        if not _HEAD <= length <= _LONGEST:
            return None
        data = unpack_member(head + file.read(length - _HEAD), str(path))
        return parse_record(data, offset=offset, length=length, name=str(path))
    except (ValueError, StoreError, zlib.error):
        return None


def _next_begin(file: BinaryIO, offset: int, size: int) -> int:
    while offset < size:
        file.seek(offset)
        chunk = file.read(_CHUNK + len(_BEGIN))
        if (at := chunk.find(_BEGIN)) >= 0:
            return offset + at
        offset += _CHUNK
    return size


def waiting_left(path: Path) -> Iterator[KnownUrl]:
    """Yield the URLs that wait by a damaged database, as far as it can be read: by rows one after another, and around
    the gaps.
    """
    if not path.exists():
        return
    try:
        con = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error:
        return
    with closing(con):
        try:
            last = int(con.execute("SELECT max(id) FROM finds").fetchone()[0] or 0)
        except sqlite3.Error:
            return
        yield from _between(con, 0, last)


_STEP = 1000  # rows read at a time
_WAITING = """
SELECT f.url, coalesce(s.depth, 1), coalesce(s.priority, 0.0) FROM finds f
JOIN standings s ON s.host_id = f.host_id AND s.key = f.key
WHERE f.id > ? AND f.id <= ? AND s.state IN (0, 1) AND NOT f.fetched_before ORDER BY f.id"""


def _between(con: sqlite3.Connection, after: int, last: int) -> Iterator[KnownUrl]:
    for begin in range(after, last, _STEP):
        yield from _rows(con, begin, min(begin + _STEP, last))


def _rows(con: sqlite3.Connection, after: int, until: int) -> Iterator[KnownUrl]:
    """Yield rows; where they cannot be read, halve the piece until the bad row is alone."""
    try:
        rows = con.execute(_WAITING, (after, until)).fetchall()
    except sqlite3.Error:
        if until - after > 1:
            middle = (after + until) // 2
            yield from _rows(con, after, middle)
            yield from _rows(con, middle, until)
        return
    for url, depth, priority in rows:
        if isinstance(url, str):
            yield KnownUrl(url=url, depth=int(depth), priority=float(priority))
