"""Office Open XML (ECMA-376): DOCX and PPTX. Parts of a zip, connected by relationships that also hold the links.

Relationships lead to the main parts, not their usual names: Office itself sometimes writes word/document2.xml.
"""

from posixpath import dirname, join, normpath
from typing import Final, NamedTuple

from scenthound.parse.documents.draft import Draft, Fields, Flow, hyperlink
from scenthound.parse.documents.limits import Document, RefusalError, Room
from scenthound.parse.documents.package import Package, opened
from scenthound.parse.documents.xml import listen
from scenthound.types import Reason

_NOTES: Final = ("/footnotes", "/endnotes")
_BREAKS: Final = frozenset({"w:tab", "w:br", "w:cr", "a:br", "a:tab"})


class Relation(NamedTuple):
    """A pointer of one part of a package; `kind` is the last word of its type."""

    kind: str
    target: str
    external: bool


def read_docx(body: bytes, *, url: str, mime: str, room: Room) -> Document:
    """Read a text document: its text, then footnotes and endnotes."""
    draft = Draft(url)
    with opened(body, room) as package:
        main = _main_part(package)
        relations = _relations(package, main)
        _take_word(package, main, draft)
        for relation in relations.values():
            if f"/{relation.kind}" in _NOTES and relation.target in package:
                _take_word(package, relation.target, draft)
        _take_properties(package, draft)
    return draft.document(mime)


def read_pptx(body: bytes, *, url: str, mime: str, room: Room) -> Document:
    """Read a presentation slide by slide in order, each followed by the speaker's notes."""
    draft = Draft(url)
    with opened(body, room) as package:
        main = _main_part(package)
        relations = _relations(package, main)
        order = _Order()
        listen(package.read(main), order)
        slides = [relations[id_].target for id_ in order.ids if id_ in relations]
        if len(slides) > room.limits.pages:
            draft.notes.append(f"slides beyond the first {room.limits.pages} left out")
        for slide in slides[: room.limits.pages]:
            _take_slide(package, slide, draft)
        _take_properties(package, draft)
    return draft.document(mime)


def _take_word(package: Package, part: str, draft: Draft) -> None:
    word = _Word(draft, _relations(package, part))
    listen(package.read(part), word)
    word.close()


def _take_slide(package: Package, part: str, draft: Draft) -> None:
    relations = _relations(package, part)
    listen(package.read(part), _Slide(draft, relations))
    for relation in relations.values():
        if relation.kind == "notesSlide" and relation.target in package:
            listen(package.read(relation.target), _Slide(draft, _relations(package, relation.target)))


def _take_properties(package: Package, draft: Draft) -> None:
    """Read the title from the properties; damaged or missing properties do not affect the text."""
    for relation in _relations(package, "").values():
        if relation.kind == "core-properties" and relation.target in package:
            properties = Properties()
            try:
                listen(package.read(relation.target), properties)
            except RefusalError as refusal:
                if refusal.reason is Reason.BOMB:
                    raise
            draft.title, draft.language = properties.title, properties.language


def _main_part(package: Package) -> str:
    for relation in _relations(package, "").values():
        if relation.kind == "officeDocument" and not relation.external:
            return relation.target
    raise RefusalError(Reason.DAMAGED, "the package does not say which part is the document")


def _relations(package: Package, part: str) -> dict[str, Relation]:
    """Return the relationships of a part by their id; "" is the package itself."""
    folder, _, name = part.rpartition("/")
    path = f"{folder}/_rels/{name}.rels" if folder else f"_rels/{name}.rels"
    if path not in package:
        return {}
    relations = _Relations(dirname(part))
    listen(package.read(path), relations)
    return relations.found


class _Relations:
    def __init__(self, folder: str) -> None:
        self.found: dict[str, Relation] = {}
        self._folder = folder

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name != "Relationship":
            return
        target, external = attributes.get("Target", ""), attributes.get("TargetMode") == "External"
        if not external:
            target = target[1:] if target.startswith("/") else normpath(join(self._folder, target))
        kind = attributes.get("Type", "").rpartition("/")[2]
        self.found[attributes.get("Id", "")] = Relation(kind, target, external)

    def end(self, name: str) -> None: ...

    def text(self, data: str) -> None: ...


class Properties:
    """Title and language in Dublin Core, for Office and OpenDocument files alike."""

    def __init__(self) -> None:
        self.title = ""
        self.language = ""
        self._name = ""

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        self._name = name

    def end(self, _name: str) -> None:
        self._name = ""

    def text(self, data: str) -> None:
        if self._name == "dc:title":
            self.title += data
        elif self._name == "dc:language":
            self.language += data


class _Order:
    """The slides of a presentation in order."""

    def __init__(self) -> None:
        self.ids: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "p:sldId":
            self.ids.append(attributes.get("r:id", ""))

    def end(self, name: str) -> None: ...

    def text(self, data: str) -> None: ...


class _Muted:
    """Leaves out the fallback beside newer markup, which would repeat the text."""

    def __init__(self) -> None:
        self._fallbacks = 0

    def hears(self, name: str, *, start: bool) -> bool:
        if name == "mc:Fallback":
            self._fallbacks += 1 if start else -1
        return not self._fallbacks


class _Word:
    """The text of a part of a text document (§17.3, fields §17.16)."""

    def __init__(self, draft: Draft, relations: dict[str, Relation]) -> None:
        self._flow = Flow(draft)
        self._fields = Fields(self._flow)
        self._relations = relations
        self._muted = _Muted()
        self._collects = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._muted.hears(name, start=True):
            return
        if name in ("w:t", "w:instrText"):
            self._collects = name
        elif name in _BREAKS:
            self._flow.say(" ")
        elif name == "w:hyperlink":
            self._flow.begin_link(_external(self._relations, attributes))
        elif name == "w:fldChar":
            self._field(attributes.get("w:fldCharType", ""))
        elif name == "w:fldSimple" and (href := hyperlink(attributes.get("w:instr", ""))):
            self._flow.begin_link(href)

    def end(self, name: str) -> None:
        if not self._muted.hears(name, start=False):
            return
        if name in ("w:t", "w:instrText"):
            self._collects = ""
        elif name == "w:p":
            self._flow.end()
        elif name in ("w:hyperlink", "w:fldSimple"):
            self._flow.end_link()

    def text(self, data: str) -> None:
        if self._collects == "w:instrText":
            self._fields.instruct(data)
        elif self._collects and not self._fields.instructing:
            self._flow.say(data)

    def close(self) -> None:
        self._flow.end_link()
        self._flow.end()

    def _field(self, mark: str) -> None:
        if mark == "begin":
            self._fields.begin()
        elif mark == "separate":
            self._fields.result()
        elif mark == "end":
            self._fields.end()


class _Slide:
    """The text of a slide (§21.1.2). A link is a property of a run, or of a whole shape."""

    def __init__(self, draft: Draft, relations: dict[str, Relation]) -> None:
        self._draft = draft
        self._flow = Flow(draft)
        self._relations = relations
        self._muted = _Muted()
        self._in_run = False
        self._collects = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._muted.hears(name, start=True):
            return
        if name == "a:t":
            self._collects = True
        elif name in _BREAKS:
            self._flow.say(" ")
        elif name in ("a:r", "a:fld"):
            self._in_run = True
        elif name == "a:hlinkClick":
            self._take_link(_external(self._relations, attributes), attributes.get("tooltip", ""))

    def end(self, name: str) -> None:
        if not self._muted.hears(name, start=False):
            return
        if name == "a:t":
            self._collects = False
        elif name in ("a:r", "a:fld"):
            self._flow.end_link()
            self._in_run = False
        elif name == "a:p":
            self._flow.end()

    def text(self, data: str) -> None:
        if self._collects:
            self._flow.say(data)

    def _take_link(self, href: str, tooltip: str) -> None:
        if self._in_run:
            self._flow.begin_link(href)
        else:
            place = len(self._draft.leaves)
            self._draft.link(href, tooltip, first=place, last=place)


def _external(relations: dict[str, Relation], attributes: dict[str, str]) -> str:
    relation = relations.get(attributes.get("r:id", ""))
    return relation.target if relation and relation.external else ""
