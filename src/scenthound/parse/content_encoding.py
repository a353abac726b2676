"""Decode the content codings of a body (RFC 9110 §8.4): gzip, deflate, br, zstd, and up to three of them stacked.

Decoding stops at a limit, so a bomb costs little more memory than the limit (joining in zlib: twice that). A damaged or
truncated body is not used at all: half a page would be judged, fingerprinted and stored as the whole.
"""

import zlib
from collections.abc import Callable
from typing import Final

import brotli  # type: ignore[import-untyped]
import zstandard

from scenthound.types import Reason

_MOST_STACKED: Final = 3
_CHUNK: Final = 65_536
# Each member or frame costs a copy of the rest, so 5 MB of empty ones would take minutes.
_MOST_MEMBERS: Final = 100
# RFC 9659: a client need not accept a zstd window of more than 8 MB.
_ZSTD_WINDOW: Final = 8 * 1024 * 1024
# A zstd block may write 128 KiB from 4 bytes of input.
_ZSTD_GREATEST_RATIO: Final = 32_768


class _TooMuch(Exception):
    """The output exceeds the limit."""


class _Damaged(Exception):
    """The coding is invalid or truncated."""


def unpack(body: bytes, coding: str, limit: int) -> bytes | Reason:
    """Return the decoded body, BOMB beyond `limit` bytes, or BAD_CODING.

    >>> unpack(zlib.compress(b"scent"), "deflate", 100), unpack(b"not gzip", "gzip", 100)
    (b'scent', <Reason.BAD_CODING: 'bad-coding'>)
    """
    names = [name.strip().lower() for name in coding.split(",") if name.strip()]
    if len(names) > _MOST_STACKED or not set(names) <= _UNPACKERS.keys():
        return Reason.BAD_CODING
    try:
        for name in reversed(names):
            body = _UNPACKERS[name](body, limit) if body else body
    except _TooMuch:
        return Reason.BOMB
    except (_Damaged, zlib.error, brotli.error, zstandard.ZstdError):
        return Reason.BAD_CODING
    return Reason.BOMB if len(body) > limit else body


def _identity(body: bytes, _limit: int) -> bytes:
    return body


def _gunzip(body: bytes, limit: int) -> bytes:
    """Decompress all members; like browsers, ignore trailing bytes that are no member."""
    pieces: list[bytes] = []
    room = limit
    for _ in range(_MOST_MEMBERS):
        member, rest = _inflate(body, zlib.MAX_WBITS | 16, room)
        pieces.append(member)
        room -= len(member)
        body = rest.lstrip(b"\0")
        if not body.startswith(b"\x1f\x8b"):
            return b"".join(pieces)
    raise _Damaged


def _deflate(body: bytes, limit: int) -> bytes:
    """Decompress the zlib format of RFC 9110, or the raw one that some servers send."""
    has_header = len(body) > 1 and body[0] & 0x0F == 8 and int.from_bytes(body[:2]) % 31 == 0
    return _inflate(body, zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS, limit)[0]


def _inflate(body: bytes, wbits: int, room: int) -> tuple[bytes, bytes]:
    inflater = zlib.decompressobj(wbits)
    unpacked = inflater.decompress(body, room + 1)
    if len(unpacked) > room:
        raise _TooMuch
    if not inflater.eof:
        # The output may equal the limit exactly: then only the check sum is left.
        if inflater.decompress(inflater.unconsumed_tail, 1):
            raise _TooMuch
        if not inflater.eof:
            raise _Damaged
    return unpacked, inflater.unused_data


def _unbrotli(body: bytes, limit: int) -> bytes:
    decompressor = brotli.Decompressor()
    pieces: list[bytes] = []
    room = limit
    fed = body
    while not decompressor.is_finished():
        piece = decompressor.process(fed, output_buffer_limit=min(room + 1, _CHUNK))
        fed = b""
        room -= len(piece)
        if room < 0:
            raise _TooMuch
        if not piece and not decompressor.is_finished():
            raise _Damaged
        pieces.append(piece)
    return b"".join(pieces)


def _unzstd(body: bytes, limit: int) -> bytes:
    """Decompress all frames, in slices so small that none can exceed the room."""
    decompressor = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    pieces: list[bytes] = []
    room = limit
    for _ in range(_MOST_MEMBERS):
        frame = decompressor.decompressobj()
        at = 0
        while at < len(body) and not frame.eof:
            end = at + max(64, room // _ZSTD_GREATEST_RATIO)
            pieces.append(frame.decompress(body[at:end]))
            at = end
            room -= len(pieces[-1])
            if room < 0:
                raise _TooMuch
        if not frame.eof:
            raise _Damaged
        body = frame.unused_data + body[at:]
        if not body:
            return b"".join(pieces)
    raise _Damaged


_UNPACKERS: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "identity": _identity,
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _deflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
