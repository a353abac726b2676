"""XML that cannot harm its reader: events without entity expansion, external references or bottomless nesting.

Uses expat (XML 1.0). An entity that refers to another is refused as a bomb, a plain one is expanded here, external ones
are never read. Names get our own prefix for each known namespace, whatever prefix the file uses.
"""

import re
from html.entities import name2codepoint
from typing import Final, Protocol
from xml.parsers import expat

from scenthound.parse.charset import charset_of, decode, named
from scenthound.parse.documents.limits import RefusalError
from scenthound.types import Reason

_DEEPEST: Final = 256
_LONGEST_ENTITY: Final = 1_000
_MOST_PREFIXES: Final = 1_000
_DECLARED: Final = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)""")
_STRAY: Final = re.compile(
    r"&(?!(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);)(?:([A-Za-z][A-Za-z0-9]{1,31});)?"
)
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")

_OFFICE: Final = "http://schemas.openxmlformats.org"
_STRICT: Final = "http://purl.oclc.org/ooxml"
_OASIS: Final = "urn:oasis:names:tc:opendocument:xmlns"
PREFIXES: Final = {
    f"{_OFFICE}/wordprocessingml/2006/main": "w:",
    f"{_STRICT}/wordprocessingml/main": "w:",
    f"{_OFFICE}/drawingml/2006/main": "a:",
    f"{_STRICT}/drawingml/main": "a:",
    f"{_OFFICE}/presentationml/2006/main": "p:",
    f"{_STRICT}/presentationml/main": "p:",
    f"{_OFFICE}/officeDocument/2006/relationships": "r:",
    f"{_STRICT}/officeDocument/relationships": "r:",
    f"{_OFFICE}/markup-compatibility/2006": "mc:",
    f"{_OFFICE}/package/2006/relationships": "",
    f"{_OASIS}:office:1.0": "office:",
    f"{_OASIS}:text:1.0": "text:",
    f"{_OASIS}:table:1.0": "table:",
    f"{_OASIS}:drawing:1.0": "draw:",
    f"{_OASIS}:manifest:1.0": "manifest:",
    f"{_OASIS}:presentation:1.0": "presentation:",
    "http://www.w3.org/1999/xlink": "xlink:",
    "http://purl.org/dc/elements/1.1/": "dc:",
    "http://purl.org/rss/1.0/modules/content/": "content:",
    # The names of feeds, sitemaps and pages have no prefix: the root element decides which is which.
    "http://www.w3.org/2005/Atom": "",
    "http://purl.org/atom/ns#": "",
    "http://purl.org/rss/1.0/": "",
    "http://my.netscape.com/rdf/simple/0.9/": "",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf:",
    "http://www.sitemaps.org/schemas/sitemap/0.9": "",
    "http://www.google.com/schemas/sitemap/0.84": "",
    "http://www.w3.org/1999/xhtml": "",
}


class Listener(Protocol):
    """Gets the elements of a file in document order."""

    def start(self, name: str, attributes: dict[str, str]) -> None: ...

    def end(self, name: str) -> None: ...

    def text(self, data: str) -> None: ...


def listen(body: bytes, listener: Listener) -> None:
    """Pass the content of a well-formed file to a listener; refuse any other file as damaged."""
    listen_to_text(as_text(body)[0], listener)


def mended(text: str) -> str:
    """Repair stray ampersands, HTML character names and forbidden characters in XML.

    Programs that know HTML better than XML write many feeds.

    >>> mended("<p>Q&A, caf&eacute; &lt;&nbsp;</p>")
    '<p>Q&amp;A, café &lt;\\xa0</p>'
    """
    return _STRAY.sub(_mended_reference, _FORBIDDEN.sub("", text))


def as_text(body: bytes, header: str = "") -> tuple[str, str]:
    """Decode XML and return it with the name of its encoding: byte order mark, header, declaration, else UTF-8."""
    charset = charset_of(body, header if named(header) else _declared_encoding(body))
    return decode(body, charset).lstrip("\ufeff \t\r\n"), charset


def _declared_encoding(body: bytes) -> str:
    """Return the declared encoding if the declaration is readable as ASCII, which excludes UTF-16."""
    found = _DECLARED.match(body[:400].lstrip(b"\xef\xbb\xbf \t\r\n"))
    name = found[1].decode() if found else ""
    return "utf-8" if named(name).startswith("utf-16") else name


def listen_to_text(text: str, listener: Listener) -> None:
    """Do the same as `listen` for decoded XML."""
    parser = _parser(listener)
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise RefusalError(Reason.DAMAGED, f"XML: {error}"[:200]) from None


def _parser(listener: Listener) -> expat.XMLParserType:
    parser = expat.ParserCreate("utf-8")
    names = _Names(listener)
    parser.buffer_text = True
    parser.StartElementHandler = names.start
    parser.EndElementHandler = names.end
    parser.CharacterDataHandler = listener.text
    parser.EntityDeclHandler = names.declare
    # With this handler, expat passes entities in text on unchanged.
    parser.DefaultHandler = names.other
    return parser


class _Names:
    """Connects expat with a listener: prefixes names, counts levels, expands plain entities."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._depth = 0
        self._prefixes: dict[str, str] = {"xml": "xml:"}
        self._outer: list[tuple[int, dict[str, str]]] = []
        self._entities: dict[str, str] = {}

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise RefusalError(Reason.BOMB, f"XML nested more than {_DEEPEST} deep")
        if any(key.startswith("xmlns") for key in attributes):
            self._bind(attributes)
        named = {self._known(key) if ":" in key else key: value for key, value in attributes.items()}
        self._listener.start(self._element(name), named)

    def end(self, name: str) -> None:
        self._listener.end(self._element(name))
        if self._outer and self._outer[-1][0] == self._depth:
            self._prefixes = self._outer.pop()[1]
        self._depth -= 1

    def other(self, data: str) -> None:
        if data.startswith("&") and data.endswith(";"):
            name = data[1:-1]
            self._listener.text(self._entities.get(name, ""))

    def declare(
        self,
        name: str,
        _is_parameter: bool,
        value: str | None,
        _base: str | None,
        _system: str | None,
        _public: str | None,
        _notation: str | None,
    ) -> None:
        if value is None:
            return
        if len(value) > _LONGEST_ENTITY or "&" in value or "%" in value:
            raise RefusalError(Reason.BOMB, f"XML entity {name[:40]} is long or refers to others")
        self._entities[name] = value

    def _bind(self, attributes: dict[str, str]) -> None:
        self._outer.append((self._depth, self._prefixes))
        self._prefixes = dict(self._prefixes)
        for key, uri in attributes.items():
            if key == "xmlns" or key.startswith("xmlns:"):
                own = key[6:]
                self._prefixes[own] = PREFIXES.get(uri, f"{own}:" if own else "")
        if len(self._prefixes) > _MOST_PREFIXES:
            raise RefusalError(Reason.BOMB, f"XML with more than {_MOST_PREFIXES} namespaces")

    def _element(self, name: str) -> str:
        if ":" in name:
            return self._known(name)
        return self._prefixes[""] + name if "" in self._prefixes else name

    def _known(self, name: str) -> str:
        prefix, _, local = name.partition(":")
        return self._prefixes.get(prefix, f"{prefix}:") + local


def _mended_reference(found: re.Match[str]) -> str:
    name = found[1]
    if name is None:
        return "&amp;"
    return chr(name2codepoint[name]) if name in name2codepoint else f"&amp;{name};"
