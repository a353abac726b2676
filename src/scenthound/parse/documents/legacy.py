"""Word and PowerPoint files of 1997 to 2003 ([MS-DOC], [MS-PPT]): text, title, and the links in fields and hyperlink
lists.

Their streams lie in a file system of its own kind ([MS-CFB]), which olefile reads; it comes with the extra `office`.
kreuzberg 4.10 reads them too, but its wheel has 39 MB, and it lost the links of the files in our tests.
"""

import struct
from codecs import lookup
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from typing import Any, Final

from scenthound.parse.documents.draft import Draft, Fields, Flow
from scenthound.parse.documents.limits import Document, RefusalError, Room
from scenthound.types import Reason

_U16: Final = struct.Struct("<H")
_U32: Final = struct.Struct("<I")
_PIECE: Final = struct.Struct("<HIH")
_PAIR: Final = struct.Struct("<II")
_RECORD: Final = struct.Struct("<HHI")

_PROPERTIES: Final = "\x05SummaryInformation"
_CODEPAGE, _TITLE, _BYTES = 1, 2, 0x1E  # two properties, and the type of one that is text in a code page
_MOST_PROPERTIES: Final = 100
_LONGEST_TITLE: Final = 1_000

_FLAGS, _CLX_AT, _CLX_SIZE = 0x0A, 0x01A2, 0x01A6  # positions in the header of a Word file, the FIB (§2.5.1)
_ENCRYPTED, _SECOND_TABLE = 0x0100, 0x0200
_COMPRESSED: Final = 0x40000000  # a piece with a byte for each character
_PARAGRAPH_ENDS: Final = "\r\x07\x0c"
_FIELD_BEGIN, _FIELD_RESULT, _FIELD_END = "\x13", "\x14", "\x15"
_MARKS: Final = _PARAGRAPH_ENDS + _FIELD_BEGIN + _FIELD_RESULT + _FIELD_END

_TEXT_CHARS, _TEXT_BYTES, _STRING = 0x0FA0, 0x0FA8, 0x0FBA  # records of PowerPoint (§2.13.24)
_SLIDE_LIST, _HYPERLINK, _MASTER = 0x0FF0, 0x0FD7, 0x03F8
_MASTERS: Final = 1  # the instance of a slide list that holds the masters' own texts
_CONTAINER: Final = 0x0F
_ENCRYPTED_USER: Final = 0xF3D1C4DF
_DEEPEST: Final = 64


def read_legacy(body: bytes, *, url: str, mime: str, room: Room) -> Document:
    """Read an old Word or PowerPoint file, if olefile is installed."""
    try:
        import olefile  # type: ignore[import-untyped]  # an extra, so that it may be missing
    except ImportError:
        detail = f"{mime} needs an extra: pip install 'scenthound[office]'"
        raise RefusalError(Reason.UNSUPPORTED_TYPE, detail) from None
    try:
        with closing(olefile.OleFileIO(BytesIO(body))) as file:
            return _read(file, url, mime, room)
    except (OSError, struct.error, ValueError, IndexError, KeyError, OverflowError, AttributeError, TypeError) as error:
        # olefile raises all of these on files with contradictory sectors.
        raise RefusalError(Reason.DAMAGED, f"Office file: {error}"[:200]) from None


def _read(file: Any, url: str, mime: str, room: Room) -> Document:
    draft = Draft(url)
    if file.exists("EncryptedPackage"):
        raise RefusalError(Reason.PROTECTED, "Office file with a password")
    if file.exists("WordDocument"):
        _take_word(file, draft, room)
    elif file.exists("PowerPoint Document"):
        _take_slides(file, draft, room)
    else:
        raise RefusalError(Reason.UNSUPPORTED_TYPE, "neither Word nor PowerPoint")
    draft.title = _title(file, room)
    return draft.document(mime)


def _stream(file: Any, name: str, room: Room) -> bytes:
    data: bytes = file.openstream(name).read()
    room.take(len(data))
    return data


def _title(file: Any, room: Room) -> str:
    """Read the title from the file's properties ([MS-OLEPS]).

    olefile reads all properties and trusts their counts: one flipped bit kept it busy for minutes.
    """
    if not file.exists(_PROPERTIES):
        return ""
    data = _stream(file, _PROPERTIES, room)
    try:
        return _titled(data)
    except struct.error:
        return ""


def _titled(data: bytes) -> str:
    (section,) = _U32.unpack_from(data, 44)
    (count,) = _U32.unpack_from(data, section + 4)
    places = dict(_PAIR.unpack_from(data, section + 8 + 8 * number) for number in range(min(count, _MOST_PROPERTIES)))
    codec = "cp1252"
    if _CODEPAGE in places:
        codec = _codec(_U16.unpack_from(data, section + places[_CODEPAGE] + 4)[0])
    at = section + places.get(_TITLE, len(data))
    kind, length = _PAIR.unpack_from(data, at)
    text = data[at + 8 : at + 8 + min(length, _LONGEST_TITLE)] if kind == _BYTES else b""
    return text.decode(codec, "replace").partition("\0")[0]


def _codec(page: int) -> str:
    try:
        return lookup("utf-8" if page == 65001 else f"cp{page}").name
    except LookupError:
        return "cp1252"


def _take_word(file: Any, draft: Draft, room: Room) -> None:
    main = _stream(file, "WordDocument", room)
    (flags,) = _U16.unpack_from(main, _FLAGS)
    if flags & _ENCRYPTED:
        raise RefusalError(Reason.PROTECTED, "Word file with a password")
    table = _stream(file, "1Table" if flags & _SECOND_TABLE else "0Table", room)
    flow = Flow(draft)
    fields = Fields(flow)
    for text in _pieces(main, table, room):
        _say(text, flow, fields)
    flow.end_link()
    flow.end()


def _pieces(main: bytes, table: bytes, room: Room) -> Iterator[str]:
    """Yield the text through the piece table (§2.4.1), which maps bytes to characters."""
    at, size = _U32.unpack_from(main, _CLX_AT)[0], _U32.unpack_from(main, _CLX_SIZE)[0]
    end = min(at + size, len(table))
    while at < end and table[at] == 1:
        at += 3 + _U16.unpack_from(table, at + 1)[0]
    if at >= end or table[at] != 2:
        raise RefusalError(Reason.DAMAGED, "Word file without a piece table")
    (length,) = _U32.unpack_from(table, at + 1)
    at += 5
    count = max(0, (min(length, len(table) - at) - 4) // 12)
    bounds = struct.unpack_from(f"<{count + 1}I", table, at)
    for number in range(count):
        _, place, _ = _PIECE.unpack_from(table, at + 4 * (count + 1) + 8 * number)
        characters = max(0, bounds[number + 1] - bounds[number])
        room.take(min(characters, len(main)))
        if place & _COMPRESSED:
            start = (place & ~_COMPRESSED) // 2
            yield main[start : start + characters].decode("cp1252", "replace")
        else:
            yield main[place : place + 2 * characters].decode("utf-16-le", "replace")


def _say(text: str, flow: Flow, fields: Fields) -> None:
    start = 0
    for at, mark in ((at, char) for at, char in enumerate(text) if char in _MARKS):
        _say_run(text[start:at], flow, fields)
        start = at + 1
        if mark in _PARAGRAPH_ENDS:
            flow.end()
        elif mark == _FIELD_BEGIN:
            fields.begin()
        elif mark == _FIELD_RESULT:
            fields.result()
        else:
            fields.end()
    _say_run(text[start:], flow, fields)


def _say_run(text: str, flow: Flow, fields: Fields) -> None:
    if fields.instructing:
        fields.instruct(text)
    else:
        flow.say("".join(char if char >= " " else " " for char in text))


def _take_slides(file: Any, draft: Draft, room: Room) -> None:
    if file.exists("Current User"):
        user = _stream(file, "Current User", room)
        if len(user) >= 16 and _U32.unpack_from(user, 12)[0] == _ENCRYPTED_USER:
            raise RefusalError(Reason.PROTECTED, "PowerPoint file with a password")
    data = _stream(file, "PowerPoint Document", room)
    _take_records(memoryview(data), draft, 0)


def _take_records(data: memoryview, draft: Draft, depth: int) -> None:
    """Take the texts and links of a run of records, including containers; skip masters, which hold only prompts."""
    at = 0
    while at + _RECORD.size <= len(data):
        version, kind, length = _RECORD.unpack_from(data, at)
        content = data[at + _RECORD.size : at + _RECORD.size + length]
        at += _RECORD.size + length
        if kind == _TEXT_CHARS:
            _take_paragraphs(bytes(content).decode("utf-16-le", "replace"), draft)
        elif kind == _TEXT_BYTES:
            _take_paragraphs(bytes(content).decode("latin-1"), draft)
        elif kind == _HYPERLINK:
            _take_hyperlink(content, draft)
        elif version & 0x0F == _CONTAINER and depth < _DEEPEST and not _is_master(kind, version >> 4):
            _take_records(content, draft, depth + 1)


def _is_master(kind: int, instance: int) -> bool:
    return kind == _MASTER or (kind == _SLIDE_LIST and instance == _MASTERS)


def _take_paragraphs(text: str, draft: Draft) -> None:
    for paragraph in text.replace("\x0b", " ").split("\r"):
        if paragraph != "*":  # a placeholder for a date or a page number
            draft.leaf(paragraph)


def _take_hyperlink(data: memoryview, draft: Draft) -> None:
    """Take a link: string 0 is its words, string 1 its target; it has no place in the text (§2.10.16)."""
    strings: dict[int, str] = {}
    at = 0
    while at + _RECORD.size <= len(data):
        version, kind, length = _RECORD.unpack_from(data, at)
        at += _RECORD.size
        if kind == _STRING:
            strings[version >> 4] = bytes(data[at : at + length]).decode("utf-16-le", "replace")
        at += length
    words = strings.get(0, "")
    draft.link(strings.get(1, ""), "" if words == strings.get(1) else words)
