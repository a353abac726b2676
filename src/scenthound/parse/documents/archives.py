"""Archives: zip, tar, gzip, bzip2 and xz; the texts and links of all documents inside become one document.

Nothing is written to disk, so names that climb out of their folder lead nowhere. The limits count bytes, members and
levels over the whole archive. An unreadable member is counted by its reason and does not affect the others.
"""

import bz2
import lzma
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Final

from scenthound.parse.content_encoding import unpack
from scenthound.parse.documents.draft import Draft
from scenthound.parse.documents.limits import Document, RefusalError, Refused, Room
from scenthound.parse.documents.package import opened
from scenthound.types import Reason

Read = Callable[[bytes], Document | Refused]
Member = bytes | RefusalError

# A member's relative links name other members, which have no URL: they are joined to this address and dropped.
NOWHERE: Final = "http://member.invalid/"
_XZ_MEMORY: Final = 128 << 20
_CHUNK: Final = 1 << 18
# The reason for an archive without any readable member: the most telling one.
_TELLING: Final = (Reason.PROTECTED, Reason.BOMB, Reason.DAMAGED, Reason.UNSUPPORTED_TYPE)


def read_zip(body: bytes, *, mime: str, room: Room, read: Read) -> Document:
    """Read all members of a zip file; `read` reads one."""
    with deeper(room), opened(body, room) as package:
        members = ((name, _attempt(package.read, name)) for name in package.names())
        return _gather_members(members, mime, room, read)


def read_tar(body: bytes, *, mime: str, room: Room, read: Read) -> Document:
    """Read all files of an uncompressed tar archive."""
    with deeper(room):
        return _gather_members(_tar_members(body, room), mime, room, read)


def unpacked(body: bytes, mime: str, room: Room) -> bytes:
    """Decompress gzip, bzip2 or xz."""
    if mime == "application/gzip":
        data = unpack(body, "gzip", max(1, room.bytes))
        if isinstance(data, Reason):
            reason = Reason.DAMAGED if data is Reason.BAD_CODING else data
            raise RefusalError(reason, f"gzip: more than {room.limits.unpacked:,} bytes" if reason is data else "gzip")
        room.take(len(data))
        return data
    start: Callable[[], bz2.BZ2Decompressor | lzma.LZMADecompressor] = (
        bz2.BZ2Decompressor if mime == "application/x-bzip2" else lambda: lzma.LZMADecompressor(memlimit=_XZ_MEMORY)
    )
    return _decompress_streams(body, start, room)


class deeper:
    """Go one level down; an archive nested more deeply than the limit is refused."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def __enter__(self) -> None:
        self._room.depth += 1
        if self._room.depth > self._room.limits.depth:
            self._room.depth -= 1
            raise RefusalError(Reason.BOMB, f"archives nested more than {self._room.limits.depth} deep")

    def __exit__(self, *_: object) -> None:
        self._room.depth -= 1


def _decompress_streams(
    body: bytes, start: Callable[[], bz2.BZ2Decompressor | lzma.LZMADecompressor], room: Room
) -> bytes:
    """Decompress one stream after another; ignore trailing bytes that are no stream, as the tools themselves do."""
    pieces: list[bytes] = []
    try:
        while body:
            stream = start()
            while not stream.eof:
                piece = stream.decompress(body, _CHUNK)
                body = b""
                if not piece and stream.needs_input:
                    raise RefusalError(Reason.DAMAGED, "compressed data that ends too early")
                room.take(len(piece))
                pieces.append(piece)
            body = stream.unused_data if _begins_alike(stream.unused_data) else b""
    except (OSError, lzma.LZMAError, EOFError, ValueError) as error:
        raise RefusalError(Reason.DAMAGED, f"compressed data: {error}"[:200]) from None
    return b"".join(pieces)


def _begins_alike(rest: bytes) -> bool:
    return rest.startswith((b"BZh", b"\xfd7zXZ\0"))


def _tar_members(body: bytes, room: Room) -> Iterator[tuple[str, Member]]:
    """Yield the files of a tar archive; damage in the middle ends it, because the next member cannot be found."""
    try:
        with tarfile.open(fileobj=BytesIO(body), mode="r:") as archive:
            for info in archive:
                if info.isreg():
                    yield info.name, _tar_member(archive, info, room)
    except (tarfile.TarError, OSError, EOFError, ValueError, OverflowError) as error:
        yield "", RefusalError(Reason.DAMAGED, f"tar: {error}"[:200])


def _tar_member(archive: tarfile.TarFile, info: tarfile.TarInfo, room: Room) -> Member:
    file = archive.extractfile(info)
    pieces: list[bytes] = []
    while file and (piece := file.read(_CHUNK)):
        room.take(len(piece))
        pieces.append(piece)
    return b"".join(pieces)


def _attempt(read: Callable[[str], bytes], name: str) -> Member:
    try:
        return read(name)
    except RefusalError as refusal:
        return refusal


def _gather_members(members: Iterator[tuple[str, Member]], mime: str, room: Room, read: Read) -> Document:
    draft, unread = Draft(NOWHERE), Counter[Reason]()
    details: dict[Reason, str] = {}
    done = 0
    for name, data in members:
        room.members -= 1
        if room.members < 0:
            draft.notes.append(f"files beyond the first {room.limits.members:,} left out")
            break
        found = data if isinstance(data, RefusalError) else read(data)
        if room.bytes < 0:
            raise RefusalError(Reason.BOMB, f"unpacks to more than {room.limits.unpacked:,} bytes")
        if isinstance(found, Document):
            done += 1
            _take(draft, found)
        else:
            unread[found.reason] += 1
            details.setdefault(found.reason, f"{name[:100]}: {found.detail}")
    if unread and not done:
        worst = next((reason for reason in _TELLING if unread[reason]), next(iter(unread)))
        raise RefusalError(worst, details[worst])
    if unread:
        counts = ", ".join(f"{count} {reason}" for reason, count in unread.most_common())
        draft.notes.append(f"{sum(unread.values())} of {sum(unread.values()) + done} files in it not read: {counts}")
    return draft.document(mime)


def _take(draft: Draft, document: Document) -> None:
    draft.title = draft.title or document.title
    draft.language = draft.language or document.language
    draft.take(document.leaves, document.links, without=NOWHERE)
