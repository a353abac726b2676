"""OpenDocument (ISO 26300): ODT, ODP and ODS. All text of a document, slides or cells, is in one content.xml."""

from typing import Final

from scenthound.parse.documents.draft import Draft, Flow
from scenthound.parse.documents.limits import Document, RefusalError, Room
from scenthound.parse.documents.office import Properties
from scenthound.parse.documents.package import Package, opened
from scenthound.parse.documents.xml import listen
from scenthound.types import Reason

_BREAKS: Final = frozenset({"text:s", "text:tab", "text:line-break"})
_PARAGRAPHS: Final = frozenset({"text:p", "text:h"})
_LINKS: Final = frozenset({"text:a", "draw:a"})
# Deleted text that the file still holds, and comments of reviewers.
_SILENT: Final = frozenset({"text:tracked-changes", "office:annotation"})
_MANIFEST: Final = "META-INF/manifest.xml"


def read_opendocument(body: bytes, *, url: str, mime: str, room: Room) -> Document:
    """Read text, presentation or spreadsheet."""
    draft = Draft(url)
    with opened(body, room) as package:
        _refuse_locked(package)
        content = _Content(draft)
        listen(package.read("content.xml"), content)
        if "meta.xml" in package:
            properties = Properties()
            listen(package.read("meta.xml"), properties)
            draft.title, draft.language = properties.title, properties.language
    return draft.document(mime)


def _refuse_locked(package: Package) -> None:
    if _MANIFEST in package:
        manifest = _Manifest()
        listen(package.read(_MANIFEST), manifest)
        if manifest.encrypted:
            raise RefusalError(Reason.PROTECTED, "OpenDocument with a password")


class _Manifest:
    def __init__(self) -> None:
        self.encrypted = False

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        self.encrypted |= name == "manifest:encryption-data"

    def end(self, name: str) -> None: ...

    def text(self, data: str) -> None: ...


class _Content:
    """Text inside paragraphs and headings, without the white space between elements."""

    def __init__(self, draft: Draft) -> None:
        self._flow = Flow(draft)
        self._paragraphs = 0
        self._silent = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name in _SILENT:
            self._silent += 1
        elif self._silent:
            return
        elif name in _PARAGRAPHS:
            self._flow.end()
            self._paragraphs += 1
        elif name in _LINKS:
            self._flow.begin_link(_outside(attributes.get("xlink:href", "")))
        elif name in _BREAKS:
            self._flow.say(" ")

    def end(self, name: str) -> None:
        if name in _SILENT:
            self._silent -= 1
        elif self._silent:
            return
        elif name in _PARAGRAPHS:
            self._flow.end()
            self._paragraphs -= 1
        elif name in _LINKS:
            self._flow.end_link()

    def text(self, data: str) -> None:
        if self._paragraphs and not self._silent:
            self._flow.say(data)


def _outside(href: str) -> str:
    """Return an address as seen from outside the package, in which a document is a folder (part 3, §3.7).

    >>> _outside("../minutes.odt"), _outside("http://a.example/"), _outside("#Slide 2")
    ('minutes.odt', 'http://a.example/', '')
    """
    return "" if href.startswith("#") else href.removeprefix("../")
