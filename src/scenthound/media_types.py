"""The types of documents that can be read, each declared once: its MIME type, its other names, its largest size.

`fetch.types` and `fetch.max_body` take their defaults from here, `parse.sniff` tells the types apart, and
`parse.documents.door` chooses the reader. A new type needs a line in READABLE, a reader, and a case in the door.
"""

from dataclasses import dataclass
from typing import Final

HTML: Final = "text/html"
XHTML: Final = "application/xhtml+xml"
TEXT: Final = "text/plain"
MARKDOWN: Final = "text/markdown"
TEXT_XML: Final = "text/xml"
XML: Final = "application/xml"
RSS: Final = "application/rss+xml"
ATOM: Final = "application/atom+xml"
RDF: Final = "application/rdf+xml"
PDF: Final = "application/pdf"
RTF: Final = "application/rtf"
DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX: Final = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
ODT: Final = "application/vnd.oasis.opendocument.text"
ODP: Final = "application/vnd.oasis.opendocument.presentation"
ODS: Final = "application/vnd.oasis.opendocument.spreadsheet"
DOC: Final = "application/msword"
PPT: Final = "application/vnd.ms-powerpoint"
ZIP: Final = "application/zip"
GZIP: Final = "application/gzip"
TAR: Final = "application/x-tar"
BZIP2: Final = "application/x-bzip2"
XZ: Final = "application/x-xz"
# These are recognised, but not read.
XLS: Final = "application/vnd.ms-excel"
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaType:
    """A type that can be read. Servers often send it under the names in `common`, and now and then under `rare` ones.

    `max_body` is the largest body in bytes, where the limit for its family does not fit.
    """

    name: str
    common: tuple[str, ...] = ()
    rare: tuple[str, ...] = ()
    max_body: int | None = None


# Text beyond a few megabytes is data. Slides and scans are large because of pictures, which cost no time to read.
_TEXT_LIMIT: Final = 5_000_000
_PICTURES_LIMIT: Final = 20_000_000
_OTHER_LIMIT: Final = 10_000_000

READABLE: Final = (
    MediaType(name=HTML),
    MediaType(name=XHTML, max_body=_TEXT_LIMIT),
    MediaType(name=TEXT),
    MediaType(name=MARKDOWN, rare=("text/x-markdown",)),
    MediaType(name=TEXT_XML),
    MediaType(name=XML),
    MediaType(name=RSS),
    MediaType(name=ATOM),
    MediaType(name=RDF),
    MediaType(name=PDF, rare=("application/x-pdf",), max_body=_PICTURES_LIMIT),
    MediaType(name=RTF, common=("text/rtf",), rare=("application/x-rtf",)),
    MediaType(name=DOCX),
    MediaType(name=PPTX, max_body=_PICTURES_LIMIT),
    MediaType(name=ODT),
    MediaType(name=ODP, max_body=_PICTURES_LIMIT),
    MediaType(name=ODS),
    MediaType(name=DOC),
    MediaType(name=PPT, max_body=_PICTURES_LIMIT),
    MediaType(
        name=ZIP, common=("application/x-zip-compressed",), rare=("application/x-zip",), max_body=_PICTURES_LIMIT
    ),
    MediaType(name=GZIP, common=("application/x-gzip",), rare=("application/x-compressed-tar",)),
    MediaType(name=TAR, rare=("application/x-gtar",)),
    MediaType(name=BZIP2, rare=("application/x-bzip", "application/bzip2")),
    MediaType(name=XZ),
)
ALIASES: Final = {alias: one.name for one in READABLE for alias in (*one.common, *one.rare)}


def fetched_types() -> list[str]:
    """Return the types that are fetched by default."""
    return [name for one in READABLE for name in (one.name, *one.common)]


def largest_bodies() -> dict[str, int]:
    """Return the largest body of each type by default, with patterns for the rest."""
    own = {one.name: one.max_body for one in READABLE if one.max_body is not None}
    return {"text/*": _TEXT_LIMIT, **own, "*": _OTHER_LIMIT}
