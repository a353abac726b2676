"""XML files: feeds (RSS 2.0, RSS 1.0 and RDF, Atom RFC 4287), sitemaps, lists of feeds (OPML), and other XML as text.

Each entry of a feed gives a link with the entry's title as its words, followed by its description. A sitemap gives
links without words. The root element decides the kind, not the announced type.
"""

from dataclasses import dataclass, field
from html import escape
from typing import Final

from scenthound.parse.documents.draft import Draft, Flow
from scenthound.parse.documents.hypertext import take_fragment
from scenthound.parse.documents.limits import Document, RefusalError
from scenthound.parse.documents.xml import Listener, as_text, listen_to_text, mended
from scenthound.parse.urls import canonical
from scenthound.types import Reason

_ENTRIES: Final = frozenset({"item", "entry"})
_HEADS: Final = frozenset({"channel", "feed"})
# Of several texts about one entry, the longest forms come first.
_ACCOUNTS: Final = ("content:encoded", "content", "description", "summary")
_WORDED: Final = frozenset({"title", "link", "guid", "language", "dc:language", "dc:title", *_ACCOUNTS})
_FOLLOWED: Final = frozenset({"", "alternate", "related", "via", "next", "prev-archive", "enclosure"})
_NOT_FOR_READING: Final = ("audio/", "video/", "image/")
_MAPS: Final = frozenset({"urlset", "sitemapindex"})
_FEEDS: Final = frozenset({"rss", "feed", "rdf:RDF", "channel"})


def read_xml(body: bytes, *, url: str, mime: str, charset: str = "") -> Document:
    """Read an XML file of any kind."""
    text, charset = as_text(body, charset)
    try:
        draft = _told(text, url)
    except RefusalError as refusal:
        if refusal.reason is not Reason.DAMAGED:
            raise
        draft = _told(mended(text), url)
    return draft.document(mime, charset)


def _told(text: str, url: str) -> Draft:
    draft = Draft(url)
    listen_to_text(text, _Root(draft, url))
    return draft


class _Root:
    """Looks at the root element, and passes the rest to the listener for such files."""

    def __init__(self, draft: Draft, url: str) -> None:
        self._draft = draft
        self._url = url
        self._inner: Listener | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self._inner is None:
            self._inner = self._chosen(name)
            self._draft.language = attributes.get("xml:lang", "")
        self._inner.start(name, attributes)

    def end(self, name: str) -> None:
        if self._inner:
            self._inner.end(name)

    def text(self, data: str) -> None:
        if self._inner:
            self._inner.text(data)

    def _chosen(self, name: str) -> Listener:
        if name in _FEEDS:
            return _Feed(self._draft, self._url)
        if name in _MAPS:
            return _Map(self._draft)
        return _Opml(self._draft) if name == "opml" else _Plain(self._draft)


@dataclass(slots=True, kw_only=True)
class _Entry:
    """An entry of a feed, or the feed itself, as read so far."""

    texts: dict[str, str] = field(default_factory=dict)
    hrefs: list[str] = field(default_factory=list)

    @property
    def title(self) -> str:
        return self.texts.get("title") or self.texts.get("dc:title", "")


class _Feed:
    """Feeds of all families: they differ in names, not in structure."""

    def __init__(self, draft: Draft, url: str) -> None:
        self._draft = draft
        self._url = url
        self._head = _Entry()
        self._entry: _Entry | None = None
        self._field = ""  # the element whose text is collected, and how many are open inside it
        self._inside = 0
        self._pieces: list[str] = []
        self._permanent = True

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self._field:
            self._inside += 1
            self._pieces.append(_tag(name, attributes))
        elif name in _ENTRIES:
            self._entry = _Entry()
            if about := attributes.get("rdf:about"):
                self._entry.texts["guid"] = about
        elif name == "enclosure" or (name == "link" and "href" in attributes):
            self._take_link(attributes)
        elif name in _WORDED:
            self._field = name
            self._permanent = attributes.get("isPermaLink", "true") != "false"

    def end(self, name: str) -> None:
        if self._inside:
            self._inside -= 1
            self._pieces.append(f"</{name}>")
        elif self._field:
            self._keep(self._field, "".join(self._pieces).strip())
            self._field = ""
            self._pieces.clear()
        elif name in _ENTRIES and self._entry is not None:
            self._tell(self._entry)
            self._entry = None
        elif name in _HEADS:
            self._tell_head()

    def text(self, data: str) -> None:
        if self._field:
            self._pieces.append(escape(data, quote=False) if self._inside else data)

    @property
    def _current(self) -> _Entry:
        return self._head if self._entry is None else self._entry

    def _take_link(self, attributes: dict[str, str]) -> None:
        is_for_reading = not attributes.get("type", "").startswith(_NOT_FOR_READING)
        if is_for_reading and attributes.get("rel", "") in _FOLLOWED:
            self._current.hrefs.append(attributes.get("href") or attributes.get("url", ""))

    def _keep(self, name: str, text: str) -> None:
        entry = self._current
        if name == "link":
            entry.hrefs.insert(0, text)
        elif name == "guid" and not self._permanent:
            return
        else:
            entry.texts.setdefault(name, text)

    def _tell(self, entry: _Entry) -> None:
        """Write down an entry: its title, which is the words of its links, and its longest description."""
        draft, before = self._draft, len(self._draft.leaves)
        take_fragment(draft, entry.title, self._url)
        first, last = before, max(before, len(draft.leaves) - 1)
        hrefs = [href for href in entry.hrefs if href] or [entry.texts.get("guid", "")]
        for href in dict.fromkeys(hrefs):
            draft.link(href, " ".join(draft.leaves[before:]), first=first, last=last)
        account = next((entry.texts[name] for name in _ACCOUNTS if entry.texts.get(name)), "")
        take_fragment(draft, account, canonical(hrefs[0], self._url) or self._url)

    def _tell_head(self) -> None:
        """Name the document after the feed; its head may end before the entries (RSS 1.0) or after them."""
        head, draft = self._head, self._draft
        if not (head.texts or head.hrefs):
            return
        self._tell(head)
        draft.title = draft.title or head.title
        draft.language = head.texts.get("language") or head.texts.get("dc:language") or draft.language
        self._head = _Entry()


class _Map:
    """A sitemap, or a list of sitemaps (sitemaps.org): URLs and no text."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._pieces: list[str] | None = None

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        if name == "loc":
            self._pieces = []

    def end(self, name: str) -> None:
        if name == "loc" and self._pieces is not None:
            self._draft.link("".join(self._pieces).strip())
            self._pieces = None

    def text(self, data: str) -> None:
        if self._pieces is not None:
            self._pieces.append(data)


class _Opml:
    """A list of feeds, as feed readers export it."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._flow = Flow(draft)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name != "outline":
            return
        words = attributes.get("text") or attributes.get("title", "")
        first = len(self._draft.leaves)
        self._draft.leaf(words)
        for key in ("htmlUrl", "xmlUrl", "url"):
            self._draft.link(attributes.get(key, ""), words, first=first, last=first)

    def end(self, name: str) -> None:
        if name == "title":
            self._flow.end()
            self._draft.title = next(iter(self._draft.leaves), "")

    def text(self, data: str) -> None:
        self._flow.say(data)


class _Plain:
    """Any other XML: text in document order, and links from attributes that hold a URL."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._flow = Flow(draft)
        self._titled = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._flow.end()
        self._titled = name.rpartition(":")[2] == "title"
        href = attributes.get("href") or attributes.get("xlink:href", "")
        if href.startswith(("http://", "https://")):
            self._flow.begin_link(href)

    def end(self, name: str) -> None:
        before = len(self._draft.leaves)
        self._flow.end()
        self._flow.end_link()
        if self._titled and not self._draft.title:
            self._draft.title = " ".join(self._draft.leaves[before:])
        self._titled = False

    def text(self, data: str) -> None:
        self._flow.say(data)


def _tag(name: str, attributes: dict[str, str]) -> str:
    """Write an XHTML element inside an entry as HTML."""
    href = attributes.get("href")
    return f'<{name} href="{escape(href)}">' if href else f"<{name}>"
