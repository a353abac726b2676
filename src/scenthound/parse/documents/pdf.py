"""PDF (ISO 32000) through PDFium: text by lines, link annotations with the words under them, and URLs in the text.

Chromium shows PDFs with PDFium, so damaged files are repaired as there. It is C++: a crash costs the reading worker
process and that page alone.
"""

import ctypes
import re
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final, NamedTuple

import pypdfium2  # type: ignore[import-untyped]
from pypdfium2 import raw

from scenthound.parse.documents.draft import Draft, telling
from scenthound.parse.documents.limits import Document, RefusalError, Room
from scenthound.types import Reason

_MOST_LINKS_A_PAGE: Final = 2_000
_LONGEST_ADDRESS: Final = 4_000
_TITLE_LINES: Final = 40
_NEAR: Final = 4.0  # points around the middle of a link in which to look for its first character
_HYPHEN: Final = re.compile("[\ufffe\x02\xad]\r?\n")  # PDFium's mark for a word split at the end of a line
_END: Final = re.compile(r"\r?\n")


class _Line(NamedTuple):
    """A line of a page, and its position in the page's text."""

    start: int
    text: str


class _Annotation(NamedTuple):
    address: str
    left: float
    bottom: float
    right: float
    top: float


def read_pdf(body: bytes, *, url: str, mime: str, room: Room) -> Document:
    """Read the pages of a PDF, up to the limit; leave out and count damaged ones."""
    draft = Draft(url)
    with closing(_open_pdf(body)) as pdf:
        count = len(pdf)
        bad = 0
        for number in range(min(count, room.limits.pages)):
            bad += not _take_page(pdf, number, draft, room)
        if bad == min(count, room.limits.pages):
            raise RefusalError(Reason.DAMAGED, f"PDF with {count} pages, none of which can be read")
        if bad:
            draft.notes.append(f"{bad} damaged pages left out")
        if count > room.limits.pages:
            draft.notes.append(f"pages beyond the first {room.limits.pages} of {count} left out")
        draft.title = telling(_meta(pdf, "Title")) or draft.title
        draft.language = _language(pdf)
    if not draft.leaves:
        draft.notes.append("no text in it: its pages are pictures")
    return draft.document(mime)


def _open_pdf(body: bytes) -> pypdfium2.PdfDocument:
    try:
        return pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        # The code may be that of the last failed file, so trust it only for a file that can be locked.
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY) and b"/Encrypt" in body:
            raise RefusalError(Reason.PROTECTED, "PDF with a password") from None
        raise RefusalError(Reason.DAMAGED, "PDF that cannot be opened") from None


def _take_page(pdf: pypdfium2.PdfDocument, number: int, draft: Draft, room: Room) -> bool:
    """Add one page to the draft, and tell whether that worked."""
    try:
        with closing(pdf[number]) as page, closing(page.get_textpage()) as text:
            _take_text(page, text, draft, room)
    except (pypdfium2.PdfiumError, AssertionError, ValueError):  # the latter two if PDFium contradicts itself
        return False
    return True


def _take_text(page: Any, text: Any, draft: Draft, room: Room) -> None:
    whole = text.get_text_range()
    room.take(len(whole))
    lines = list(_lines(whole))
    if not draft.leaves:
        draft.title = _headline(text, lines)
    places = _Places(text, lines, len(draft.leaves))
    draft.leaves += [line.text for line in lines]
    annotated = set[str]()
    for link in _annotations(page):
        words = text.get_text_bounded(left=link.left, bottom=link.bottom, right=link.right, top=link.top)
        leaf = places.at(link)
        annotated.add(link.address.rstrip("/"))
        draft.link(link.address, _HYPHEN.sub("", words), first=leaf, last=leaf)
    for address, index in _addresses(text):
        if address.rstrip("/") not in annotated:
            leaf = places.of_character(index)
            draft.link(address, address, first=leaf, last=leaf)


class _Places:
    """Finds the leaf of a character of a page."""

    def __init__(self, text: Any, lines: list[_Line], offset: int) -> None:
        self._text = text
        self._starts = [line.start for line in lines]
        self._offset = offset

    def at(self, link: _Annotation) -> int:
        """Return the leaf at the beginning of a link's area, or -1 without a character there."""
        middle = (link.bottom + link.top) / 2
        index = raw.FPDFText_GetCharIndexAtPos(self._text, link.left + 1, middle, _NEAR, _NEAR)
        return self.of_character(index) if index >= 0 else -1

    def of_character(self, index: int) -> int:
        """Return the leaf of a character; PDFium numbers characters that its text leaves out."""
        place = raw.FPDFText_GetTextIndexFromCharIndex(self._text, index)
        found = bisect_right(self._starts, max(0, place)) - 1
        return self._offset + max(0, found) if self._starts else -1


def _lines(whole: str) -> Iterator[_Line]:
    """Yield the lines with text; join a line that ends within a word with the next."""
    start = 0
    parts: list[str] = []
    at = 0
    for end in [*_END.finditer(whole), None]:
        stop = end.start() if end else len(whole)
        piece = whole[at:stop]
        if not parts:
            start = at
        at = end.end() if end else stop
        parted = end is not None and piece.endswith(("\ufffe", "\x02", "\xad"))
        parts.append(piece[:-1] if parted else piece)
        if not parted:
            if text := " ".join("".join(parts).split()):
                yield _Line(start, text)
            parts.clear()


def _headline(text: Any, lines: list[_Line]) -> str:
    """Return the first line in the largest type at the top of a page, if any stands out."""
    sizes = [_size(text, line.start) for line in lines[:_TITLE_LINES]]
    if not sizes or max(sizes) == min(sizes):
        return ""
    return lines[sizes.index(max(sizes))].text


def _size(text: Any, place: int) -> float:
    index = raw.FPDFText_GetCharIndexFromTextIndex(text, place)
    return round(float(raw.FPDFText_GetFontSize(text, index)), 1) if index >= 0 else 0.0


def _annotations(page: Any) -> Iterator[_Annotation]:
    """Yield the links of a page that lead to a URL."""
    position, link, rectangle = ctypes.c_int(0), raw.FPDF_LINK(), raw.FS_RECTF()
    for _ in range(_MOST_LINKS_A_PAGE):
        if not raw.FPDFLink_Enumerate(page, position, link):
            return
        action = raw.FPDFLink_GetAction(link)
        if not action or raw.FPDFAction_GetType(action) != raw.PDFACTION_URI:
            continue
        address = _uri(page.pdf, action)
        if address and raw.FPDFLink_GetAnnotRect(link, rectangle):
            left, right = sorted((rectangle.left, rectangle.right))
            bottom, top = sorted((rectangle.bottom, rectangle.top))
            yield _Annotation(address, left, bottom, right, top)


def _uri(pdf: Any, action: Any) -> str:
    size = raw.FPDFAction_GetURIPath(pdf, action, None, 0)
    if not 0 < size <= _LONGEST_ADDRESS:
        return ""
    buffer = ctypes.create_string_buffer(size)
    raw.FPDFAction_GetURIPath(pdf, action, buffer, size)
    return buffer.value.decode("utf-8", "replace")


def _addresses(text: Any) -> Iterator[tuple[str, int]]:
    """Yield the URLs in the text of a page, with the character at which each begins."""
    found = raw.FPDFLink_LoadWebLinks(text)
    if not found:
        return
    try:
        for number in range(min(raw.FPDFLink_CountWebLinks(found), _MOST_LINKS_A_PAGE)):
            start, count = ctypes.c_int(0), ctypes.c_int(0)
            address = _web_address(found, number)
            if address and raw.FPDFLink_GetTextRange(found, number, start, count):
                yield address, start.value
    finally:
        raw.FPDFLink_CloseWebLinks(found)


def _web_address(found: Any, number: int) -> str:
    size = raw.FPDFLink_GetURL(found, number, None, 0)
    if not 0 < size <= _LONGEST_ADDRESS:
        return ""
    buffer = (ctypes.c_ushort * size)()
    raw.FPDFLink_GetURL(found, number, buffer, size)
    address = bytes(buffer).decode("utf-16-le", "replace").rstrip("\0")
    return address if address.startswith(("http://", "https://")) else ""


def _meta(pdf: Any, key: str) -> str:
    try:
        return str(pdf.get_metadata_value(key) or "")
    except UnicodeDecodeError:
        return ""


def _language(pdf: Any) -> str:
    size = raw.FPDFCatalog_GetLanguage(pdf, None, 0)
    if not 2 < size <= 200:
        return ""
    buffer = (ctypes.c_ushort * size)()
    raw.FPDFCatalog_GetLanguage(pdf, buffer, size)
    return bytes(buffer).decode("utf-16-le", "replace").rstrip("\0")
