"""The type of a body, from its header and its first bytes (WHATWG MIME Sniffing, in spirit).

Headers lie mostly in one direction: images, PDFs and downloads sent as text/html. Bytes overrule the header there,
where it says nothing, and where it names a type with a signature; other headers are trusted. The names of members
distinguish containers (zip, OLE).
"""

import re
from typing import Final

from scenthound.media_types import (
    ALIASES,
    ATOM,
    BZIP2,
    DOC,
    DOCX,
    GZIP,
    HTML,
    ODP,
    ODS,
    ODT,
    PDF,
    PPT,
    PPTX,
    RDF,
    READABLE,
    RSS,
    RTF,
    TAR,
    TEXT,
    TEXT_XML,
    XHTML,
    XLS,
    XLSX,
    XML,
    XZ,
    ZIP,
)

_FEEDS: Final = frozenset({RSS, ATOM, RDF})
_MARKUP: Final = frozenset({HTML, XHTML, TEXT_XML, XML})
# Types that their bytes show. For feeds and Markdown the header may know better.
_TOLD_BY_BYTES: Final = frozenset(one.name for one in READABLE) - _MARKUP - {TEXT}
_UNKNOWN: Final = frozenset(
    {"", "unknown/unknown", "application/unknown", "*/*", "application/octet-stream", "binary/octet-stream"}
)

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_STORAGE: Final = "application/x-ole-storage"
_MAGIC: Final = (
    (b"%PDF-", PDF),
    (b"%!PS-Adobe-", "application/postscript"),
    (b"{\\rtf", RTF),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"BM", "image/bmp"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\0\0\1\0", "image/x-icon"),
    (b"PK\3\4", ZIP),
    (b"PK\5\6", ZIP),
    (b"\x1f\x8b", GZIP),
    (b"BZh", BZIP2),
    (b"\xfd7zXZ\0", XZ),
    (b"(\xb5/\xfd", "application/zstd"),
    (b"7z\xbc\xaf'\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\7", "application/vnd.rar"),
    (_OLE, _OLE_STORAGE),
    (b"ID3", "audio/mpeg"),
    (b"fLaC", "audio/flac"),
    (b"MThd", "audio/midi"),
    (b"OggS\0", "application/ogg"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"\0\0\1\xba", "video/mpeg"),
    (b"\x7fELF", "application/x-elf"),
    (b"MZ", "application/x-msdownload"),
    (b"\xca\xfe\xba\xbe", "application/java-vm"),
    (b"\0asm", "application/wasm"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"SQLite format 3\0", "application/vnd.sqlite3"),
)
# "BM", "MZ", "BZh" and "ID3" may begin a text too; they count only before bytes that no text has.
_WORDLIKE: Final = (b"BM", b"MZ", b"BZh", b"ID3")
_RIFF: Final = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}

_HTML: Final = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|title|script|meta|link|style|table|div|font|img|frameset|iframe|center"
    rb"|h[1-6]|p|a|b|br|ul|form|span|hr)(?=[\s>/])|<!--",
    re.IGNORECASE,
)
_FEED: Final = re.compile(
    rb"<(?:(rss)|((?:\w+:)?feed)|(rdf:rdf)|(urlset|sitemapindex|opml)|(html))[\s>]", re.IGNORECASE
)
# Names of streams and storages in an OLE file, each with its type. A new file with a password is an OLE file too, and
# its content is unknown.
_OLE_NAMES: Final = (
    ("EncryptedPackage", DOCX), ("WordDocument", DOC), ("PowerPoint Document", PPT), ("Workbook", XLS)
)  # fmt: skip
_PARTS: Final = re.compile(rb"PK\x01\x02.{42}(word|ppt|xl)/", re.DOTALL)  # in the directory of a zip file
_BY_PART: Final = {b"word": DOCX, b"ppt": PPTX, b"xl": XLSX}
_OPENDOCUMENT: Final = re.compile(rb"application/vnd\.oasis\.opendocument\.[a-z]+")
_PDF_WITHIN: Final = 1024  # PDF readers look for its beginning in so many bytes
_ANY_TAG: Final = re.compile(rb"<[!?/a-zA-Z]")
_PROLOGUE: Final = re.compile(
    rb"(?:\s+|<\?[^>]*\?>|<!--.*?-->|<!(?!--)(?!doctype\s+html)[^>]*>)*+", re.IGNORECASE | re.DOTALL
)
_BINARY: Final = bytes([*range(9), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])
_BOMS: Final = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")
_HEAD: Final = 1445  # as many bytes as the standard looks at
_MOST_BINARY_IN_MARKUP: Final = 0.1


def effective_type(mime: str, body: bytes) -> str:
    """Return the real MIME type of a body, given its announced type.

    >>> effective_type("text/html", b"%PDF-1.7"), effective_type("", b"<!doctype html>")
    ('application/pdf', 'text/html')
    >>> effective_type("text/plain", b"a")
    'text/plain'
    """
    mime = mime.partition(";")[0].strip().lower()
    head = body[:_HEAD]
    if mime in _MARKUP:
        return _type_of_container(_magic(head), body) or _feed(mime, head) or _markup(mime, head)
    if mime == "text/plain":
        return _type_of_container(_magic(head), body) or _words(body, head)
    mime = ALIASES.get(mime, mime)
    if mime in _TOLD_BY_BYTES:
        return _told_by_bytes(mime, body, head)
    return _guess(body, head) if mime in _UNKNOWN or "/" not in mime else mime


def is_ole(body: bytes) -> bool:
    """Tell whether a body is an OLE file, as Office wrote until 2003, and still writes for encrypted files."""
    return body.startswith(_OLE)


def _told_by_bytes(mime: str, body: bytes, head: bytes) -> str:
    """Trust the bytes, or the header if they say little: a damaged file is refused as the type that it should be."""
    found = _guess(body, head)
    if found == "application/octet-stream" or (found == "text/xml" and mime in _FEEDS):
        return mime
    return mime if found == "text/plain" and mime == "text/markdown" else found


def _guess(body: bytes, head: bytes) -> str:
    if found := _type_of_container(_magic(head), body) or _late_pdf(body):
        return found
    content = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if found := _feed("", head):
        return found
    if content.startswith(b"<?xml"):
        return "text/xml"
    if _HTML.match(content):
        return "text/html"
    return "application/octet-stream" if _is_binary(head) else "text/plain"


def _markup(mime: str, head: bytes) -> str:
    return "application/octet-stream" if _hides_binary(head) else mime


def _words(body: bytes, head: bytes) -> str:
    """Find the type of announced plain text: whole pages and XML files show it in their first words."""
    if found := _late_pdf(body):
        return found
    if _is_binary(head):
        return "application/octet-stream"
    content = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if content[:14].lower() == b"<!doctype html":
        return "text/html"
    return _feed("", head) or "text/xml" if content.startswith(b"<?xml") else "text/plain"


def _type_of_container(found: str, body: bytes) -> str:
    """Find the type of a container from its members."""
    if found == ZIP:
        return _type_of_zip(body)
    if found == _OLE_STORAGE:
        return next((kind for name, kind in _OLE_NAMES if name.encode("utf-16-le") in body), _OLE_STORAGE)
    return found or (TAR if body[257:262] == b"ustar" else "")


def _type_of_zip(body: bytes) -> str:
    if body[30:38] == b"mimetype" and (said := _OPENDOCUMENT.match(body, 38)):
        kind = said[0].decode().removesuffix("-template")
        return kind if kind in (ODT, ODP, ODS) else ZIP
    directory = _directory(body)
    if b"[Content_Types].xml" in directory and (part := _PARTS.search(directory)):
        return _BY_PART[part[1]]
    return ZIP


def _directory(body: bytes) -> bytes:
    """Return the directory at the end of a zip file; members that are zip files have directories elsewhere."""
    end = body.rfind(b"PK\5\6")
    size = int.from_bytes(body[end + 12 : end + 16], "little")
    return body[max(0, end - size) : end] if end >= 0 else b""


def _late_pdf(body: bytes) -> str:
    """Recognise a PDF with bytes in front of it, which all PDF readers accept."""
    if body.find(b"%PDF-", 0, _PDF_WITHIN) < 0:
        return ""
    return PDF if b"%%EOF" in body[-_PDF_WITHIN:] or _is_binary(body[: 4 * _PDF_WITHIN]) else ""


def _magic(head: bytes) -> str:
    for start, kind in _MAGIC:
        if head.startswith(start) and (start not in _WORDLIKE or _is_binary(head)):
            return kind
    if head.startswith(b"RIFF"):
        return _RIFF.get(head[8:12], "")
    return "video/mp4" if head[4:8] == b"ftyp" else ""


def _feed(mime: str, head: bytes) -> str:
    """Recognise feeds and sitemaps, and pages written as XML; other XML sent as XML stays XML."""
    content = head.removeprefix(b"\xef\xbb\xbf")
    start = _PROLOGUE.match(content)
    found = _FEED.match(content, start.end() if start else 0)
    if not found:
        return ""
    if found[5]:
        is_xml = mime in ("text/xml", "application/xml") or (not mime and content.lstrip().startswith(b"<?xml"))
        return "application/xhtml+xml" if is_xml else ""
    if mime in ("text/xml", "application/xml"):
        return ""
    return ATOM if found[2] else "text/xml" if found[4] else RSS


def _is_binary(head: bytes) -> bool:
    if head.startswith(_BOMS) or _is_wide(head):
        return False
    return len(head.translate(None, _BINARY)) != len(head)


def _hides_binary(head: bytes) -> bool:
    """Tell whether announced markup is binary; a stray control character in a real page does not make it so."""
    if not _is_binary(head):
        return False
    share = 1 - len(head.translate(None, _BINARY)) / len(head)
    return share > _MOST_BINARY_IN_MARKUP or _ANY_TAG.search(head) is None


def _is_wide(head: bytes) -> bool:
    """Recognise UTF-16 without a byte order mark by its first tag."""
    return head.startswith((b"<\0", b"\0<"))
