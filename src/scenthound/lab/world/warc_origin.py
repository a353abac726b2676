"""WARC files as the origin of a world (ISO 28500:2017), from any tool, including our own crawls.

The files are scanned once for the position of each address; answers are then read from there. The first capture of an
address counts, except that a passing failure (a 503, a truncated body) gives way to a better later one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from scenthound.archive.warc import WarcRecord, parse_record, read_warc, split_http, unchunked, unpack_member
from scenthound.errors import LabError
from scenthound.fetch.answer import status_reason
from scenthound.fetch.held import Response, fetched
from scenthound.lab.world.labels import Label
from scenthound.parse.urls import canonical
from scenthound.settings.schema import FetchSettings
from scenthound.types import Fetch, Reason

_GZIP = b"\x1f\x8b"
_NOT_MODIFIED = 304
_STATUS_LINE = re.compile(rb"HTTP/[\d.]+ +(\d{3})")
_CUT = {"length": Reason.TOO_LARGE, "time": Reason.TOTAL_TIMEOUT, "disconnect": Reason.CUT_SHORT}


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveFile:
    """A WARC file, and its end for us: a running crawl may still write to it."""

    path: Path
    end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    path: Path
    offset: int
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Capture:
    """The position of a capture. A revisit has no body: `payload` and `original` name the one that it repeats."""

    place: _Place
    passing: bool = False
    revisit: bool = False
    payload: str = ""
    original: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Index:
    captures: dict[str, _Capture]  # by canonical address
    bodies: dict[str, _Place]  # by payload digest


class Archived:
    """The web in some WARC files."""

    def __init__(self, files: Sequence[ArchiveFile], settings: FetchSettings) -> None:
        self._files = files
        self._settings = settings

    def addresses(self) -> Sequence[str]:
        return tuple(self._index.captures)

    def beyond(self, linked: Iterable[str]) -> Sequence[str]:
        return ()

    def fetch(self, url: str) -> Fetch:
        capture = self._index.captures[url]
        response = _response(_record_at(capture.place))
        if capture.revisit:
            response = self._with_body(response, capture)
        return fetched(url, response, self._settings)

    def labels(self) -> Sequence[Label]:
        return ()

    @cached_property
    def _index(self) -> _Index:
        index = _Index(captures={}, bodies={})
        for file in self._files:
            for record in _records(file):
                _take(index, record, file.path)
        # The body that a revisit repeats may be in a missing file.
        whole = {url: one for url, one in index.captures.items() if not one.revisit or _body_of(one, index)}
        return _Index(captures=whole, bodies=index.bodies)

    def _with_body(self, response: Response, capture: _Capture) -> Response:
        place = _body_of(capture, self._index)
        assert place is not None  # others are not in the index
        original = _response(_record_at(place))
        headers = response.headers or original.headers
        return Response(status=response.status or original.status, headers=headers, body=original.body)


def _take(index: _Index, record: WarcRecord, path: Path) -> None:
    """Note the position of an address or a body, if this record counts for it."""
    place = _Place(path=path, offset=record.offset, length=record.length)
    payload = record.fields.get("warc-payload-digest", "")
    if record.type == "response" and record.block.startswith(b"HTTP/") and payload:
        index.bodies.setdefault(payload, place)
    url, capture = canonical(record.url), _capture(record, place, payload)
    if url is None or capture is None:
        return
    before = index.captures.get(url)
    if before is None or (before.passing and not capture.passing):
        index.captures[url] = capture


def _capture(record: WarcRecord, place: _Place, payload: str) -> _Capture | None:
    """Return the capture in a record; None for requests and notes, and for "not modified", which holds nothing."""
    status = _status(record.block)
    if record.type == "response" and status and status != _NOT_MODIFIED:
        reason = status_reason(status)
        cut = "warc-truncated" in record.fields
        return _Capture(place=place, passing=cut or (reason is not None and reason.may_pass))
    if record.type == "revisit" and status != _NOT_MODIFIED:
        original = canonical(record.fields.get("warc-refers-to-target-uri", "").strip("<>")) or record.url
        return _Capture(place=place, revisit=True, payload=payload, original=original)
    return None


def _body_of(capture: _Capture, index: _Index) -> _Place | None:
    """Find the body that a revisit repeats: by its digest, else by its address."""
    if capture.payload in index.bodies:
        return index.bodies[capture.payload]
    original = index.captures.get(capture.original)
    return original.place if original is not None and not original.revisit else None


# ── records ──


def _records(file: ArchiveFile) -> Iterator[WarcRecord]:
    packed = _begins(file.path) == _GZIP
    for record in read_warc(file.path) if packed else _plain_records(file.path):
        if file.end is not None and record.offset >= file.end:
            return
        if packed and record.offset == 0 and record.length == file.path.stat().st_size:
            _refuse_packed_whole(record, file.path)
        yield record
        if record.offset + record.length == file.end:
            return  # the rest may be half a record


def _begins(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(len(_GZIP))
    except OSError as error:
        raise LabError(f"{path} cannot be read: {error.strerror}") from None


def _refuse_packed_whole(first: WarcRecord, path: Path) -> None:
    data = unpack_member(path.read_bytes(), str(path))
    if data.partition(b"\r\n\r\n")[2][len(first.block) :].strip():
        raise LabError(f"{path} is compressed as a whole, not record by record; `warcio recompress` makes it readable")


def _plain_records(path: Path) -> Iterator[WarcRecord]:
    """Yield the records of an uncompressed file."""
    with path.open("rb") as file:
        offset = _at_record(file)
        while offset < path.stat().st_size:
            data = _plain_record(file)
            yield parse_record(data, offset=offset, length=len(data), name=str(path))
            offset = _at_record(file)


def _plain_record(file: BinaryIO) -> bytes:
    lines = [line := file.readline()]
    while line.strip():
        lines.append(line := file.readline())
    sizes = [value for name, _, value in (line.partition(b":") for line in lines) if name.strip().lower() == _LENGTH]
    size = int(sizes[0]) if sizes and sizes[0].strip().isdigit() else 0
    return b"".join(lines) + file.read(size)


_LENGTH = b"content-length"


def _at_record(file: BinaryIO) -> int:
    """Skip the empty lines between records, and return the position of the next."""
    while (line := file.readline()) in (b"\r\n", b"\n"):
        pass
    return file.seek(-len(line), 1)


def _record_at(place: _Place) -> WarcRecord:
    with place.path.open("rb") as file:
        file.seek(place.offset)
        data = file.read(place.length)
    if data.startswith(_GZIP):
        data = unpack_member(data, f"{place.path}: byte {place.offset}")
    return parse_record(data, offset=place.offset, length=place.length, name=str(place.path))


def _response(record: WarcRecord) -> Response:
    head, body = split_http(record.block)
    lines = (line.partition(":") for line in head.decode("latin-1").splitlines()[1:])
    headers = tuple((name.strip(), value.strip()) for name, colon, value in lines if colon)
    coded = any(name.lower() == "transfer-encoding" and "chunked" in value.lower() for name, value in headers)
    return Response(
        status=_status(head),
        headers=headers,
        body=unchunked(body) if coded else body,
        cut=_CUT.get(record.fields.get("warc-truncated", "").lower()),
    )


def _status(block: bytes) -> int:
    found = _STATUS_LINE.match(block)
    return int(found[1]) if found else 0
