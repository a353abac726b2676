"""WARC 1.1 records as bytes (ISO 28500:2017): one exchange becomes a response and a request record, and back.

Everything here is a pure function of its arguments, so that a worker process can build the records of the
page that it has just read. Each record is a gzip member of its own, as Annex D of the standard asks.
"""

import hashlib
import io
import re
import struct
import sys
import uuid
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from isal import igzip_lib, isal_zlib

from scenthound.errors import StoreError
from scenthound.parse.digest import digest_of, written
from scenthound.types import Fetch, Reason

_PROFILE = "http://netpreserve.org/warc/1.1/revisit/"
_TRUNCATED = {Reason.TOO_LARGE: "length", Reason.TOTAL_TIMEOUT: "time", Reason.CUT_SHORT: "disconnect"}


def exchange_record(fetch: Fetch, payload: str = "") -> bytes:
    """Return the response and the request record of a fetch, in this order; nothing if no response came.

    `payload` is the body's digest, if somebody has computed it already.

    The response comes first, so that the place of the pair is the place of what readers look for.
    """
    if not fetch.head:
        return b""
    digest = payload or payload_digest(fetch.body)
    fields = {"WARC-Payload-Digest": digest, "WARC-Truncated": _TRUNCATED.get(fetch.reason, "") if fetch.reason else ""}
    return _pair(fetch, "response", _true_length(fetch) + b"\r\n\r\n", fetch.body, digest, fields)


def revisit_record(fetch: Fetch, original_url: str, original_date: float, payload_digest: str) -> bytes:
    """Return the records of a fetch that brought nothing new: its head and a pointer to the first capture.

    A 304 gets the profile server-not-modified, anything else identical-payload-digest. `payload_digest` is
    that of the first capture, as `payload_digest` made it; after a 304 it may be left empty.
    """
    unmodified = fetch.status == 304
    fields = {
        "WARC-Profile": _PROFILE + ("server-not-modified" if unmodified else "identical-payload-digest"),
        "WARC-Refers-To-Target-URI": _LINE_BREAKS.sub(" ", original_url),
        "WARC-Refers-To-Date": warc_date(original_date),
        "WARC-Payload-Digest": payload_digest,
        "WARC-Refers-To": record_id("response", original_url, original_date, payload_digest) if payload_digest else "",
    }
    return _pair(fetch, "revisit", _without_end(fetch.head) + b"\r\n\r\n", b"", payload_digest, fields)


def warcinfo_record(*, filename: str, software: str, at: float) -> bytes:
    """Return the record that a WARC file begins with: by what and when it was written."""
    block = f"software: {software}\r\nformat: WARC File Format 1.1\r\n".encode()
    fields = {
        "WARC-Date": warc_date(at),
        "WARC-Record-ID": record_id("warcinfo", filename, at, ""),
        "WARC-Filename": filename,
        "Content-Type": "application/warc-fields",
        "WARC-Block-Digest": payload_digest(block),
    }
    return gzip_member(_header("warcinfo", fields, len(block)) + block + b"\r\n\r\n")


def payload_digest(body: bytes) -> str:
    """Return the digest of a body as sent, content coding on it."""
    return digest_of(body)


def record_id(kind: str, url: str, at: float, digest: str) -> str:
    """Return an id that depends on nothing but the record, so that two runs over one web can be compared."""
    return _record_id(kind, url, warc_date(at), digest)


def _record_id(kind: str, url: str, date: str, digest: str) -> str:
    """Write a name-based UUID (RFC 9562 §5.5) by hand: uuid5 takes three times as long."""
    name = f"{kind} {url} {date} {digest}".encode()
    bits = int.from_bytes(hashlib.sha1(_NAMESPACE + name, usedforsecurity=False).digest()[:16])
    digits = f"{bits & _UUID_KEPT | _UUID_VERSION:032x}"
    return f"<urn:uuid:{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}>"


_NAMESPACE = uuid.NAMESPACE_URL.bytes
_UUID_KEPT = ~(0xF000 << 64 | 0xC000 << 48)
_UUID_VERSION = 5 << 76 | 0x8000 << 48


def warc_date(at: float) -> str:
    """Return a moment as WARC 1.1 writes it.

    >>> warc_date(1000000000.25)
    '2001-09-09T01:46:40.250000Z'
    """
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def gzip_member(head: bytes, packed: bytes = b"") -> bytes:
    """Return one gzip member (RFC 1952) that tells its own length in an extra field.

    `packed` is the rest of the data, already compressed by the server: it is stored as it is. The
    field "sl" (compressed and whole length) was recommended by WARC 0.9 and is skipped by every reader
    that does not know it; it lets a pair of records be told apart without unpacking.
    """
    deflated = _squeezed(head, last=not packed) + (_stored(packed) if packed else b"")
    whole = len(head) + len(packed)
    extra = struct.pack("<H2sHII", 12, b"sl", 8, _EXTRA_END + len(deflated) + 8, whole & 0xFFFFFFFF)
    end = struct.pack("<II", isal_zlib.crc32(packed, isal_zlib.crc32(head)), whole & 0xFFFFFFFF)
    return b"\x1f\x8b\x08\x04\0\0\0\0\0\xff" + extra + deflated + end


_EXTRA_END = 10 + 2 + 12


def _squeezed(data: bytes, *, last: bool) -> bytes:
    # Measured on 400 schools pages, per 35 KB: zlib level 1 0.38 ms to 35 %, 3 0.48 to 33 %, 6 0.92 to 31 %;
    # isal 1 0.10 ms to 34 %; zlib-ng 1 0.16 to 43 %, 2 0.29 to 33 %. Of a request's 650 bytes it makes as much as zlib.
    if last:
        return igzip_lib.compress(data, 1, flag=igzip_lib.COMP_DEFLATE)  # in one go: a sixth less than by an object
    if len(data) > 4096:
        fast = isal_zlib.compressobj(1, isal_zlib.DEFLATED, -15)
        return fast.compress(data) + fast.flush(isal_zlib.Z_FULL_FLUSH)
    # Short data by an object, in a small window of zlib: 6 instead of 38 microseconds, most of them spent on clearing
    # memory.
    short = zlib.compressobj(1, zlib.DEFLATED, -12, 5)
    return short.compress(data) + short.flush(zlib.Z_FULL_FLUSH)


def _stored(data: bytes) -> bytes:
    """Return data as stored blocks (RFC 1951 §3.2.4); deflating again what came compressed gains nothing."""
    blocks = [data[at : at + 0xFFFF] for at in range(0, len(data), 0xFFFF)]
    last = len(blocks) - 1
    return b"".join(
        struct.pack("<BHH", n == last, len(block), len(block) ^ 0xFFFF) + block for n, block in enumerate(blocks)
    )


def member_length(member: bytes) -> int:
    """Return the length of the first member made by `gzip_member` in these bytes, without unpacking it."""
    if member[:4] != b"\x1f\x8b\x08\x04" or member[12:14] != b"sl":
        raise ValueError("not a record built by scenthound.archive.warc")
    return int.from_bytes(member[16:20], "little")


# ── reading ──


@dataclass(frozen=True, slots=True, kw_only=True)
class WarcRecord:
    """One record as found in a file: its header fields (names in lower case), its block, and its place."""

    fields: dict[str, str]
    block: bytes
    offset: int
    length: int

    @property
    def type(self) -> str:
        return self.fields.get("warc-type", "")

    @property
    def url(self) -> str:
        # wget and a few others put the address between angle brackets, as the WARC 1.0 grammar had it
        return self.fields.get("warc-target-uri", "").strip("<>")


def read_warc(path: Path) -> Iterator[WarcRecord]:
    """Yield the records of a .warc.gz file that has one gzip member a record, as nearly all have."""
    offset = 0
    with path.open("rb") as file:
        rest = file.read(_CHUNK)
        while rest:
            data, length, rest = _next_member(file, rest, f"{path}: byte {offset}")
            yield parse_record(data, offset=offset, length=length, name=str(path))
            offset += length
            rest = rest or file.read(_CHUNK)


def parse_record(data: bytes, *, offset: int, length: int, name: str) -> WarcRecord:
    """Take an unpacked record apart."""
    head, _, rest = data.partition(b"\r\n\r\n")
    lines = head.decode("utf-8", "replace").split("\r\n")
    fields = {key.strip().lower(): value.strip() for key, _, value in (line.partition(":") for line in lines[1:])}
    size = fields.get("content-length", "")
    if not lines[0].startswith("WARC/") or not size.isdigit() or len(rest) < int(size):
        raise StoreError(f"{name}: no whole WARC record at byte {offset}; the file is damaged or not a WARC file")
    return WarcRecord(fields=fields, block=rest[: int(size)], offset=offset, length=length)


def split_http(block: bytes) -> tuple[bytes, bytes]:
    """Return the head of an HTTP message, its empty line included, and its body."""
    found = _HEAD_END.search(block)
    return (block[: found.end()], block[found.end() :]) if found else (block, b"")


_HEAD_END = re.compile(rb"\r?\n\r?\n")


def unchunked(body: bytes) -> bytes:
    """Undo the chunked coding that many archives keep (RFC 9112 §7.1); what is not chunked stays as it is."""
    parts, at = [], 0
    while at < len(body):
        found = _CHUNK_SIZE.match(body, at)
        if found is None:
            return body
        size, at = int(found[1], 16), found.end()
        if size == 0:
            break
        parts.append(body[at : at + size])
        at += size + 2
    return b"".join(parts)


_CHUNK_SIZE = re.compile(rb"([0-9a-fA-F]{1,8})[ \t]*(?:;[^\r\n]*)?\r\n")


_NO_END = sys.maxsize - 1


def unpack_member(data: bytes, place: str, *, most: int = _NO_END) -> bytes:
    """Return what the first gzip member in these bytes holds; `place` is for the message if it holds nothing, or too
    much.
    """
    return _next_member(io.BytesIO(), data, place, most)[0]


# 64 KB: what is fed beyond a member's end comes back as a copy, so that large chunks would be quadratic
_CHUNK = 1 << 16


def _next_member(file: BinaryIO, rest: bytes, place: str, most: int = _NO_END) -> tuple[bytes, int, bytes]:
    """Unpack one member that begins with `rest` and goes on in `file`: its data, its length, what follows it."""
    inflate, parts, length, left = zlib.decompressobj(31), list[bytes](), 0, most
    try:
        while not inflate.eof and rest:
            parts.append(inflate.decompress(rest, left + 1))
            left -= len(parts[-1])
            if left < 0:
                raise StoreError(f"{place}: the record holds more than {most:,} bytes, and is not read")
            length += len(rest) - len(inflate.unused_data)
            rest = inflate.unused_data if inflate.eof else file.read(_CHUNK)
    except zlib.error as error:
        raise StoreError(f"{place}: not a gzip member ({error}); restore the file from a copy") from None
    if not inflate.eof:
        raise StoreError(f"{place}: the record breaks off here; restore the file from a copy")
    return b"".join(parts), length, rest


# ── building blocks ──


def _pair(fetch: Fetch, kind: str, head: bytes, body: bytes, digest: str, more: dict[str, str]) -> bytes:
    date = warc_date(fetch.started)
    common = {
        "WARC-Date": date,
        "WARC-Target-URI": _LINE_BREAKS.sub(" ", fetch.url),
        "WARC-IP-Address": fetch.ip,
    }
    own_id = _record_id(kind, fetch.url, date, digest)
    fields = common | more | {"WARC-Record-ID": own_id, "Content-Type": "application/http; msgtype=response"}
    response = _member(kind, fields, head, body, packed=bool(fetch.coding))
    if not fetch.request_head:
        return response
    fields = common | {
        "WARC-Record-ID": _record_id("request", fetch.url, date, digest),
        "WARC-Concurrent-To": own_id,
        "Content-Type": "application/http; msgtype=request",
    }
    return response + _member("request", fields, _without_end(fetch.request_head) + b"\r\n\r\n", b"", packed=False)


_LINE_BREAKS = re.compile(r"[\r\n]+")


def _member(kind: str, fields: dict[str, str], head: bytes, body: bytes, *, packed: bool) -> bytes:
    hashed = hashlib.sha1(head, usedforsecurity=False)
    hashed.update(body)
    header = _header(kind, fields | {"WARC-Block-Digest": written(hashed.digest())}, len(head) + len(body))
    if packed:
        return gzip_member(header + head, body + b"\r\n\r\n")
    return gzip_member(b"".join((header, head, body, b"\r\n\r\n")))


def _header(kind: str, fields: dict[str, str], size: int) -> bytes:
    lines = [f"WARC/1.1\r\nWARC-Type: {kind}\r\n"]
    lines += [f"{name}: {value}\r\n" for name, value in fields.items() if value]
    return "".join([*lines, f"Content-Length: {size}\r\n\r\n"]).encode("utf-8", "surrogateescape")


def _true_length(fetch: Fetch) -> bytes:
    """Return the head without transfer coding (the body has none any more) and with the body's length."""
    head = _without_end(fetch.head)
    if not fetch.body and fetch.status in (204, 304):
        return head
    return _FRAMING.sub(b"", head) + b"\r\nContent-Length: %d" % len(fetch.body)


_FRAMING = re.compile(rb"\r?\n(?i:transfer-encoding|content-length)[ \t]*:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*")


def _without_end(head: bytes) -> bytes:
    return head.rstrip(b"\r\n")
