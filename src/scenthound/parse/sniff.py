"""The type of a body, from what the header says and what the first bytes show (WHATWG MIME Sniffing, in spirit).

Headers lie mostly in one direction: images, PDFs and downloads announced as text/html. Bytes overrule the header
there and where it says nothing; a header that names something specific is believed.
"""

import re
from typing import Final

_UNKNOWN: Final = frozenset(
    {"", "unknown/unknown", "application/unknown", "*/*", "application/octet-stream", "binary/octet-stream"}
)
_MARKUP: Final = frozenset({"text/html", "application/xhtml+xml", "text/xml", "application/xml"})

_MAGIC: Final = (
    (b"%PDF-", "application/pdf"),
    (b"%!PS-Adobe-", "application/postscript"),
    (b"{\\rtf", "application/rtf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"BM", "image/bmp"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\0\0\1\0", "image/x-icon"),
    (b"PK\3\4", "application/zip"),
    (b"PK\5\6", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\0", "application/x-xz"),
    (b"(\xb5/\xfd", "application/zstd"),
    (b"7z\xbc\xaf'\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\7", "application/vnd.rar"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
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
# "BM", "MZ", "BZh" and "ID3" may begin a text too; they count only where bytes follow that no text has.
_WORDLIKE: Final = (b"BM", b"MZ", b"BZh", b"ID3")
_RIFF: Final = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}

_HTML: Final = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|title|script|meta|link|style|table|div|font|img|frameset|iframe|center"
    rb"|h[1-6]|p|a|b|br|ul|form|span|hr)(?=[\s>/])|<!--",
    re.IGNORECASE,
)
_FEED: Final = re.compile(rb"<(?:(rss)|(feed)|(rdf:rdf))[\s>]", re.IGNORECASE)
_ANY_TAG: Final = re.compile(rb"<[!?/a-zA-Z]")
_PROLOGUE: Final = re.compile(
    rb"(?:\s+|<\?[^>]*\?>|<!--.*?-->|<!(?!--)(?!doctype\s+html)[^>]*>)*+", re.IGNORECASE | re.DOTALL
)
_BINARY: Final = bytes([*range(9), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])
_BOMS: Final = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")
_HEAD: Final = 1445  # as many bytes as the standard looks at
_MOST_BINARY_IN_MARKUP: Final = 0.1


def effective_type(mime: str, head: bytes) -> str:
    """Return the MIME type that a body really has, given its announced type and its first bytes.

    >>> effective_type("text/html", b"%PDF-1.7"), effective_type("", b"<!doctype html>"), effective_type("text/plain", b"a")
    ('application/pdf', 'text/html', 'text/plain')
    """
    mime = mime.partition(";")[0].strip().lower()
    head = head[:_HEAD]
    if mime in _MARKUP:
        return _magic(head) or _feed(mime, head) or ("application/octet-stream" if _hides_binary(head) else mime)
    if mime == "text/plain":
        return _magic(head) or ("application/octet-stream" if _is_binary(head) else mime)
    return _guess(head) if mime in _UNKNOWN or "/" not in mime else mime


def _guess(head: bytes) -> str:
    if found := _magic(head):
        return found
    content = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if content.startswith(b"<?xml"):
        return _feed("", head) or ("application/xhtml+xml" if b"<html" in content else "text/xml")
    if _HTML.match(content):
        return "text/html"
    return "application/octet-stream" if _is_binary(head) else "text/plain"


def _magic(head: bytes) -> str:
    for start, kind in _MAGIC:
        if head.startswith(start) and (start not in _WORDLIKE or _is_binary(head)):
            return kind
    if head.startswith(b"RIFF"):
        return _RIFF.get(head[8:12], "")
    return "video/mp4" if head[4:8] == b"ftyp" else ""


def _feed(mime: str, head: bytes) -> str:
    """Recognise RSS and Atom, whose text is markup inside markup; XML that is announced as XML stays XML."""
    content = head.removeprefix(b"\xef\xbb\xbf")
    start = _PROLOGUE.match(content)
    found = _FEED.match(content, start.end() if start else 0)
    if not found or mime in ("text/xml", "application/xml"):
        return ""
    return "application/atom+xml" if found[2] else "application/rss+xml"


def _is_binary(head: bytes) -> bool:
    if head.startswith(_BOMS) or _is_wide(head):
        return False
    return len(head.translate(None, _BINARY)) != len(head)


def _hides_binary(head: bytes) -> bool:
    """Tell whether bytes announced as markup are none: a stray control character in a real page does not make it so."""
    if not _is_binary(head):
        return False
    share = 1 - len(head.translate(None, _BINARY)) / len(head)
    return share > _MOST_BINARY_IN_MARKUP or _ANY_TAG.search(head) is None


def _is_wide(head: bytes) -> bool:
    """Recognise UTF-16 without a byte order mark by its first tag."""
    return head.startswith((b"<\0", b"\0<"))
