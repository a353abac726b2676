"""A part of an archive as WARC files of its own: records are copied as they are, and an index says where they lie.

A page's response comes with its request. Nothing is unpacked and packed again, so digests and record ids stay.
"""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Final, Self

from scenthound.archive.files import CdxRow, read_record
from scenthound.archive.place import ArchiveFolder, place_of
from scenthound.archive.warc import WarcRecord, member_length, parse_record, split_http, unpack_member, warcinfo_record
from scenthound.errors import StoreError
from scenthound.types import ArchiveSpot

FILE_SIZE: Final = 1_000_000_000
_REQUEST: Final = 65_536  # bytes after a response in which its request lies


class SubsetWriter:
    """Copies records into numbered files in a folder. Use as `with`.

    With `only`, all go into one file of that name, which is called `part` as long as it is written.
    """

    def __init__(
        self,
        source: ArchiveFolder,
        folder: Path,
        *,
        software: str,
        at: float,
        only: str = "",
        part: str = "",
        file_size: int = FILE_SIZE,
    ) -> None:
        self._source = place_of(source)
        self._folder = folder
        self._software = software
        self._at = at
        self._only = only
        self._part = part
        self._file_size = file_size
        self._number = 0
        self._out: IO[bytes] | None = None
        self._copied: dict[str, set[int]] = {}  # offsets, by the file that they are copied from

    def __enter__(self) -> Self:
        self._begin()
        return self

    def __exit__(self, *_: object) -> None:
        if self._out is not None:
            self._out.close()

    def copy(self, spot: ArchiveSpot, *, mime: str = "") -> Iterator[CdxRow]:
        """Copy a response with its request, once, and yield its line of the index; skip what is not there."""
        copied = self._copied.setdefault(spot.file, set())
        if spot.offset in copied:
            return
        copied.add(spot.offset)
        try:
            record = read_record(self._source, spot)
            members = self._members(spot, record)
        except (OSError, StoreError):
            return
        out = self._room(len(members))
        offset = out.tell()
        out.write(members)
        yield index_row(record, mime, ArchiveSpot(file=self._name, offset=offset, length=spot.length))

    @property
    def _name(self) -> str:
        return self._only or f"pages-{self._number:05d}.warc.gz"

    def _begin(self) -> None:
        self._number += 1
        self._out = (self._folder / (self._part or self._name)).open("xb")
        self._out.write(warcinfo_record(filename=self._name, software=self._software, at=self._at))

    def _room(self, size: int) -> IO[bytes]:
        assert self._out is not None
        if not self._only and self._out.tell() + size > self._file_size:
            self._out.close()
            self._begin()
        return self._out

    def _members(self, spot: ArchiveSpot, record: WarcRecord) -> bytes:
        """Return the gzip members of a response and of its request, which follows it in our archives."""
        data = self._source.read(spot.file, spot.offset, spot.length + _REQUEST)
        return data[: spot.length] + _request_member(data[spot.length :], record.fields.get("warc-record-id", ""))


def _request_member(behind: bytes, response_id: str) -> bytes:
    try:
        length = member_length(behind)
        member = behind[:length]
        found = parse_record(unpack_member(member, ""), offset=0, length=length, name="")
    except (ValueError, StoreError):
        return b""
    is_its = found.type == "request" and found.fields.get("warc-concurrent-to") == response_id
    return member if is_its else b""


def index_row(record: WarcRecord, mime: str, spot: ArchiveSpot) -> CdxRow:
    """Return a line of an index. Date and payload digest are those of the record: other tools compare them with it.

    The database has other ones for its own purposes: when the page was complete, and the digest after unpacking.
    """
    head, _ = split_http(record.block)
    return CdxRow(
        url=record.url,
        at=datetime.fromisoformat(record.fields["warc-date"]).timestamp(),
        mime="warc/revisit" if record.type == "revisit" else mime,
        status=int(head.split(b" ", 2)[1]),
        digest=record.fields.get("warc-payload-digest", ""),
        spot=spot,
    )
