"""The type of a body, from what the header says and what the first bytes show (WHATWG MIME Sniffing, in spirit).

Headers lie mostly in one direction: images, PDFs and downloads announced as text/html. Bytes overrule the header there,
where it says nothing, and where it names a kind of document that is known by its bytes; any other header is believed.
Containers (zip, OLE) are told apart by the names of what is in them.
"""

import re
from typing import Final

PDF: Final = "application/pdf"
RTF: Final = "application/rtf"
DOC: Final = "application/msword"
PPT: Final = "application/vnd.ms-powerpoint"
XLS: Final = "application/vnd.ms-excel"
DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX: Final = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ODT: Final = "application/vnd.oasis.opendocument.text"
ODP: Final = "application/vnd.oasis.opendocument.presentation"
ODS: Final = "application/vnd.oasis.opendocument.spreadsheet"
RSS: Final = "application/rss+xml"
ATOM: Final = "application/atom+xml"
RDF: Final = "application/rdf+xml"
ZIP: Final = "application/zip"
GZIP: Final = "application/gzip"
TAR: Final = "application/x-tar"
BZIP2: Final = "application/x-bzip2"
XZ: Final = "application/x-xz"

# Other names under which servers send them.
_ALIASES: Final = {
    "application/x-pdf": PDF,
    "text/rtf": RTF,
    "application/x-rtf": RTF,
    "application/x-zip-compressed": ZIP,
    "application/x-zip": ZIP,
    "application/x-gzip": GZIP,
    "application/x-gtar": TAR,
    "application/x-compressed-tar": GZIP,
    "application/x-bzip": BZIP2,
    "application/bzip2": BZIP2,
    "text/x-markdown": "text/markdown",
}
_FEEDS: Final = frozenset({RSS, ATOM, RDF})
# Kinds that are known by their bytes; of feeds and Markdown the header may know better than we do.
_TOLD_BY_BYTES: Final = frozenset(
    {PDF, RTF, DOC, PPT, DOCX, PPTX, ODT, ODP, ODS, ZIP, GZIP, TAR, BZIP2, XZ, "text/markdown"} | _FEEDS
)
_UNKNOWN: Final = frozenset(
    {"", "unknown/unknown", "application/unknown", "*/*", "application/octet-stream", "binary/octet-stream"}
)
_MARKUP: Final = frozenset({"text/html", "application/xhtml+xml", "text/xml", "application/xml"})

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
# "BM", "MZ", "BZh" and "ID3" may begin a text too; they count only where bytes follow that no text has.
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
# What the streams and storages of an OLE file are called, each followed by its kind. A new file behind a password is one
# too, and nobody can tell what is in it.
_OLE_NAMES: Final = (
    ("EncryptedPackage", DOCX), ("WordDocument", DOC), ("PowerPoint Document", PPT), ("Workbook", XLS)
)  # fmt: skip
_PARTS: Final = re.compile(rb"PK\x01\x02.{42}(word|ppt|xl)/", re.DOTALL)  # in the directory of a zip file
_BY_PART: Final = {b"word": DOCX, b"ppt": PPTX, b"xl": XLSX}
_OPENDOCUMENT: Final = re.compile(rb"application/vnd\.oasis\.opendocument\.[a-z]+")
_PDF_WITHIN: Final = 1024  # readers of PDF look for its beginning in as many bytes
_ANY_TAG: Final = re.compile(rb"<[!?/a-zA-Z]")
_PROLOGUE: Final = re.compile(
    rb"(?:\s+|<\?[^>]*\?>|<!--.*?-->|<!(?!--)(?!doctype\s+html)[^>]*>)*+", re.IGNORECASE | re.DOTALL
)
_BINARY: Final = bytes([*range(9), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])
_BOMS: Final = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")
_HEAD: Final = 1445  # as many bytes as the standard looks at
_MOST_BINARY_IN_MARKUP: Final = 0.1


def effective_type(mime: str, body: bytes) -> str:
    """Return the MIME type that a body really has, given its announced type.

    >>> effective_type("text/html", b"%PDF-1.7"), effective_type("", b"<!doctype html>"), effective_type("text/plain", b"a")
    ('application/pdf', 'text/html', 'text/plain')
    """
    mime = mime.partition(";")[0].strip().lower()
    head = body[:_HEAD]
    if mime in _MARKUP:
        return _contained(_magic(head), body) or _feed(mime, head) or _markup(mime, head)
    if mime == "text/plain":
        return _contained(_magic(head), body) or _words(body, head)
    mime = _ALIASES.get(mime, mime)
    if mime in _TOLD_BY_BYTES:
        return _told_by_bytes(mime, body, head)
    return _guess(body, head) if mime in _UNKNOWN or "/" not in mime else mime


def is_ole(body: bytes) -> bool:
    """Tell whether a body is an OLE file, as Office wrote them until 2003, and as it still wraps what it encrypts."""
    return body.startswith(_OLE)


def _told_by_bytes(mime: str, body: bytes, head: bytes) -> str:
    """Believe the bytes, and where they say little, the header: damaged files are to be refused as what they should be."""
    found = _guess(body, head)
    if found == "application/octet-stream" or (found == "text/xml" and mime in _FEEDS):
        return mime
    return mime if found == "text/plain" and mime == "text/markdown" else found


def _guess(body: bytes, head: bytes) -> str:
    if found := _contained(_magic(head), body) or _late_pdf(body):
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
    """Tell what calls itself plain text: whole pages and XML files say what they are in their first words."""
    if found := _late_pdf(body):
        return found
    if _is_binary(head):
        return "application/octet-stream"
    content = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if content[:14].lower() == b"<!doctype html":
        return "text/html"
    return _feed("", head) or "text/xml" if content.startswith(b"<?xml") else "text/plain"


def _contained(found: str, body: bytes) -> str:
    """Tell containers apart by what is in them."""
    if found == ZIP:
        return _zipped(body)
    if found == _OLE_STORAGE:
        return next((kind for name, kind in _OLE_NAMES if name.encode("utf-16-le") in body), _OLE_STORAGE)
    return found or (TAR if body[257:262] == b"ustar" else "")


def _zipped(body: bytes) -> str:
    if body[30:38] == b"mimetype" and (said := _OPENDOCUMENT.match(body, 38)):
        kind = said[0].decode().removesuffix("-template")
        return kind if kind in (ODT, ODP, ODS) else ZIP
    directory = _directory(body)
    if b"[Content_Types].xml" in directory and (part := _PARTS.search(directory)):
        return _BY_PART[part[1]]
    return ZIP


def _directory(body: bytes) -> bytes:
    """Return the directory at the end of a zip file; elsewhere in it, members that are zip files have theirs."""
    end = body.rfind(b"PK\5\6")
    size = int.from_bytes(body[end + 12 : end + 16], "little")
    return body[max(0, end - size) : end] if end >= 0 else b""


def _late_pdf(body: bytes) -> str:
    """Recognise a PDF with something in front of it, which all readers of PDF put up with."""
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
    """Recognise feeds and sitemaps, and pages written as XML; other XML that is announced as XML stays XML."""
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
    """Tell whether bytes announced as markup are none: a stray control character in a real page does not make it so."""
    if not _is_binary(head):
        return False
    share = 1 - len(head.translate(None, _BINARY)) / len(head)
    return share > _MOST_BINARY_IN_MARKUP or _ANY_TAG.search(head) is None


def _is_wide(head: bytes) -> bool:
    """Recognise UTF-16 without a byte order mark by its first tag."""
    return head.startswith((b"<\0", b"\0<"))
