"""The entry for documents: bytes in, a `Document` or a `Refused` out, whatever the bytes are.

The content decides the type (`parse.sniff`). Each type has its own reader beside this file. Nothing here touches disk
or network. Nothing raises an exception except MemoryError, which the process around it handles.
"""

from dataclasses import replace

from scenthound import media_types
from scenthound.parse import sniff
from scenthound.parse.documents.archives import NOWHERE, deeper, read_tar, read_zip, unpacked
from scenthound.parse.documents.feeds import read_xml
from scenthound.parse.documents.hypertext import read_html
from scenthound.parse.documents.legacy import read_legacy
from scenthound.parse.documents.limits import Document, Limits, RefusalError, Refused, Room
from scenthound.parse.documents.office import read_docx, read_pptx
from scenthound.parse.documents.opendocument import read_opendocument
from scenthound.parse.documents.plain import is_markdown, read_markdown, read_text
from scenthound.parse.documents.rtf import read_rtf
from scenthound.types import Reason


def read_document(
    body: bytes, *, url: str, mime: str, charset: str = "", limits: Limits | None = None
) -> Document | Refused:
    """Read a document from `url` with the announced `mime` and `charset` (either may be empty).

    >>> read_document(b"See [the hound](/hound).", url="http://a.example/x", mime="text/plain").links[0].url
    'http://a.example/hound'
    """
    return _read(body, url, mime, charset, Room(limits or Limits()))


def _read(body: bytes, url: str, mime: str, charset: str, room: Room) -> Document | Refused:
    found = sniff.effective_type(mime, body)
    try:
        return _chosen(body, found, url, charset, room)
    except RefusalError as refusal:
        return Refused(mime=found, reason=refusal.reason, detail=refusal.detail)


def _chosen(body: bytes, mime: str, url: str, charset: str, room: Room) -> Document:
    match mime:
        case media_types.HTML | media_types.XHTML:
            return read_html(body, url=url, mime=mime, charset=charset)
        case media_types.TEXT | media_types.MARKDOWN:
            return _read_words(body, mime, url, charset)
        case media_types.TEXT_XML | media_types.XML | media_types.RSS | media_types.ATOM | media_types.RDF:
            return read_xml(body, url=url, mime=mime, charset=charset)
        case media_types.PDF:
            return _read_pdf(body, mime, url, room)
        case media_types.RTF:
            return read_rtf(body, url=url, mime=mime)
        case media_types.ZIP | media_types.TAR | media_types.GZIP | media_types.BZIP2 | media_types.XZ:
            return _read_packed(body, mime, url, charset, room)
    return _read_office(body, mime, url, room)


def _read_office(body: bytes, mime: str, url: str, room: Room) -> Document:
    if sniff.is_ole(body):
        if mime == media_types.DOCX:  # a new file in the wrapping of an old one
            raise RefusalError(Reason.PROTECTED, "Office file with a password")
        return read_legacy(body, url=url, mime=mime, room=room)
    match mime:
        case media_types.DOCX:
            return read_docx(body, url=url, mime=mime, room=room)
        case media_types.PPTX:
            return read_pptx(body, url=url, mime=mime, room=room)
        case media_types.ODT | media_types.ODP | media_types.ODS:
            return read_opendocument(body, url=url, mime=mime, room=room)
        case media_types.DOC | media_types.PPT:
            raise RefusalError(Reason.DAMAGED, "it does not begin as such a file does")
    raise RefusalError(Reason.UNSUPPORTED_TYPE, mime)


def _read_words(body: bytes, mime: str, url: str, charset: str) -> Document:
    if mime == media_types.MARKDOWN or is_markdown(body):
        return read_markdown(body, url=url, charset=charset)
    return read_text(body, mime=mime, charset=charset)


def _read_pdf(body: bytes, mime: str, url: str, room: Room) -> Document:
    # PDFium takes 70 ms and 9 MB to load, and many crawls never meet a PDF.
    from scenthound.parse.documents.pdf import read_pdf

    return read_pdf(body, url=url, mime=mime, room=room)


def _read_packed(body: bytes, mime: str, url: str, charset: str, room: Room) -> Document:
    def read_member(member: bytes) -> Document | Refused:
        return _read(member, NOWHERE, "", "", room)

    if mime == media_types.ZIP:
        return read_zip(body, mime=mime, room=room, read=read_member)
    if mime == media_types.TAR:
        return read_tar(body, mime=mime, room=room, read=read_member)
    with deeper(room):
        inner = _read(unpacked(body, mime, room), url, "", charset, room)
    if isinstance(inner, Refused):
        raise RefusalError(inner.reason, inner.detail)
    return replace(inner, mime=mime, detail="; ".join(filter(None, [f"packed {inner.mime}", inner.detail])))
