"""A document under construction: leaves and links from left to right.

A paragraph is split into leaves where a link begins or ends. So the words of a link are separate leaves as in HTML, and
the distance to other words can be counted (APPRENTICE §2.2.1).
"""

import re
from typing import Final

from msgspec import structs

from scenthound.parse.documents.limits import Document
from scenthound.parse.shapes import shape_of
from scenthound.parse.urls import Joiner
from scenthound.parse.words.language import primary
from scenthound.types import Link, LinkKind

_MOST_LINKS: Final = 5_000  # as for HTML (parse/markup/page_links.py)
_LONGEST_HREF: Final = 4_000
_LONGEST_TEXT: Final = 300
_LONGEST_TITLE: Final = 200
# Default titles of programs say nothing about the document.
_IDLE_TITLE: Final = re.compile(
    r"(?:untitled|document|presentation|powerpoint presentation|slide|title|no title|microsoft (?:word|powerpoint))?"
    r"[\s\d.-]*",
    re.IGNORECASE,
)
_PROGRAM: Final = re.compile(r"microsoft (?:word|powerpoint|excel) - ", re.IGNORECASE)
_HYPERLINK: Final = re.compile(r'\s*HYPERLINK\s+(?!\\)(?:"([^"]*)"|(\S+))', re.IGNORECASE)


class Draft:
    """Collects the content of one document."""

    def __init__(self, url: str) -> None:
        self.title = ""
        self.language = ""
        self.leaves: list[str] = []
        self.links: list[Link] = []
        self.notes: list[str] = []
        self._url = url
        self._join = Joiner(url)
        self._left_out = 0

    def leaf(self, text: str) -> None:
        """Add a leaf with collapsed white space; ignore blank text."""
        if text := " ".join(text.split()):
            self.leaves.append(text)

    def link(self, href: str, text: str = "", *, first: int = -1, last: int = -1) -> None:
        """Add a link if `href` leads to the web and not to this very document."""
        if not href or len(href) > _LONGEST_HREF:
            return
        url = self._join(href.strip())
        if url is None or url == self._url:
            return
        if len(self.links) >= _MOST_LINKS:
            self._left_out += 1
            return
        words = " ".join(text.split())[:_LONGEST_TEXT]
        self.links.append(Link(url=url, text=words, first_leaf=first, last_leaf=last, shape=shape_of(url)))

    def take(self, leaves: tuple[str, ...], links: tuple[Link, ...], *, without: str = "") -> None:
        """Add the content of a part of this document, except links that begin with `without`."""
        offset = len(self.leaves)
        self.leaves += leaves
        for link in links:
            if without and link.url.startswith(without):
                continue
            if len(self.links) >= _MOST_LINKS:
                self._left_out += 1
                continue
            self.links.append(_move_link(link, offset))

    def document(self, mime: str, charset: str = "") -> Document:
        """Return the collected content; a document without a title gets its first words as title."""
        if self._left_out:
            self.notes.append(f"{self._left_out} links beyond the first {_MOST_LINKS} left out")
        return Document(
            mime=mime,
            charset=charset,
            title=telling(self.title) or next(iter(self.leaves), "")[:_LONGEST_TITLE],
            language=primary(self.language),
            leaves=tuple(self.leaves),
            links=tuple(_within(link, len(self.leaves) - 1) for link in self.links),
            detail="; ".join(self.notes),
        )


class Flow:
    """Running text with links, written into a draft leaf by leaf."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._pieces: list[str] = []
        self._href = ""
        self._first = 0

    def say(self, text: str) -> None:
        self._pieces.append(text)

    def end(self) -> None:
        """End a leaf, at the end of a paragraph or cell, or at the border of a link."""
        if self._pieces:
            self._draft.leaf("".join(self._pieces))
            self._pieces.clear()

    def begin_link(self, href: str) -> None:
        self.end_link()
        self.end()
        self._href, self._first = href, len(self._draft.leaves)

    def end_link(self) -> None:
        """End the open link, if there is one. A link without words points at the next leaf."""
        if not self._href:
            return
        self.end()
        leaves, first = self._draft.leaves, self._first
        last = max(first, len(leaves) - 1)
        self._draft.link(self._href, " ".join(leaves[first:]), first=first, last=last)
        self._href = ""


class Fields:
    """The fields of a word processor: an instruction, and the text of its result. Some are links.

    Word, RTF and old DOC all have them, with marks for the beginning, the result and the end of a field.
    """

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._open: list[list[str]] = []  # the instruction of each open field, outermost first
        self._in_result: list[bool] = []
        self._linking = 0

    @property
    def instructing(self) -> bool:
        """Whether the current text belongs to an instruction, which is not shown."""
        return bool(self._in_result) and not self._in_result[-1]

    def begin(self) -> None:
        self._open.append([])
        self._in_result.append(False)

    def instruct(self, text: str) -> None:
        if self._open:
            self._open[-1].append(text)

    def result(self) -> None:
        if not self._open or self._in_result[-1]:
            return
        self._in_result[-1] = True
        if (href := hyperlink("".join(self._open[-1]))) and not self._linking:
            self._linking = len(self._open)
            self._flow.begin_link(href)

    def end(self) -> None:
        if not self._open:
            return
        if self._linking == len(self._open):
            self._flow.end_link()
            self._linking = 0
        self._open.pop()
        self._in_result.pop()


def hyperlink(instruction: str) -> str:
    """Return the target of a field's instruction, or "".

    >>> hyperlink(' HYPERLINK "http://a.example/" \\\\o "Tip"')
    'http://a.example/'
    >>> hyperlink('HYPERLINK \\\\l "mark"'), hyperlink(" PAGE ")
    ('', '')
    """
    found = _HYPERLINK.match(instruction)
    return (found[1] or found[2] or "") if found else ""


def telling(title: str) -> str:
    """Return a title that a person gave, without the name of the program; "" for a default title.

    >>> telling("Microsoft Word - Minutes.doc"), telling("PowerPoint Presentation"), telling("  The  Hound ")
    ('Minutes.doc', '', 'The Hound')
    """
    title = _PROGRAM.sub("", " ".join(title.split()))
    return "" if _IDLE_TITLE.fullmatch(title) else title[:_LONGEST_TITLE]


def _within(link: Link, last: int) -> Link:
    """Move a link that waits for a next leaf to the last leaf, if no more leaves came."""
    if link.last_leaf <= last:
        return link
    return structs.replace(link, first_leaf=min(link.first_leaf, last), last_leaf=last)


def _move_link(link: Link, offset: int) -> Link:
    placed = link.first_leaf >= 0
    return Link(
        url=link.url,
        kind=link.kind if link.kind in (LinkKind.ANCHOR, LinkKind.AREA, LinkKind.FRAME) else LinkKind.ANCHOR,
        text=link.text,
        first_leaf=link.first_leaf + offset if placed else -1,
        last_leaf=link.last_leaf + offset if placed else -1,
        nofollow=link.nofollow,
        shape=link.shape,
    )
