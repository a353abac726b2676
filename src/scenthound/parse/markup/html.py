"""HTML as browsers parse it, turned into leaves, links with their place among the leaves, and a title.

Lexbor parses (HTML standard §13), through selectolax. Leaves are numbered as in Chakrabarti, Punera and Subramanyam,
"Accelerated focused crawling through online relevance feedback" (WWW 2002), §2.2.1: all text nodes and all elements
without children, from left to right, including empty ones. Comments are neither.

Why selectolax: for parse, leaves and link ranges together it took 0.68 ms a page on the schools web and 1.27 ms on the
messy one, turbohtml's events 0.69 and 1.61 ms. turbohtml handles deep nesting better, but 20,000 <body> tags cost it
4.7 GB. With the checks of `markup_guard` in front, Lexbor has neither weakness.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Final, NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode, SelectolaxError

from scenthound.parse.markup.markup_guard import tame

_TEXT, _COMMENT = "-text", "-comment"
# Their content is hidden or unparsed markup: they count as one empty leaf.
_SILENT: Final = frozenset({"script", "style", "template", "noscript", "noframes", "noembed", "iframe"})
HEADINGS: Final = ("h1", "h2", "h3", "h4")
_TELLING: Final = ("a", "area", "frame", "iframe", "meta", "link", "base", "title", "html", *HEADINGS)
_LONGEST_TITLE: Final = 500


class Mark(NamedTuple):
    """An element of interest: its tag, attributes and the leaves below it.

    A named tuple, not a dataclass, because a page makes eighty of them: 0.3 µs each instead of 1.5.
    """

    tag: str
    attributes: dict[str, str | None]
    first_leaf: int
    last_leaf: int
    alt: str = ""

    def get(self, name: str) -> str:
        return self.attributes.get(name) or ""


@dataclass(slots=True, kw_only=True)
class Tree:
    """A parsed page: the text of its leaves, the elements of interest, and the changes to the markup."""

    leaves: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    title: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tags:
    """Lexbor's numbers for tags in this build: reading a number from a node takes half the time of a name."""

    text: int
    comment: int
    anchor: int
    image: int
    special: dict[int, str]
    silent: frozenset[int]


def parse(markup: bytes) -> Tree:
    """Parse HTML in UTF-8.

    >>> tree = parse(b"<title>T</title><p>one <a href=x>two <b>three</b></a><br>")
    >>> tree.leaves, [(mark.tag, mark.first_leaf, mark.last_leaf) for mark in tree.marks if mark.tag == "a"]
    (['T', 'one', 'two', 'three', ''], [('a', 2, 3)])
    """
    tamed = tame(markup)
    # Without events, because the one that fills <selectedcontent> is quadratic in the options of a <select>.
    try:
        parser = LexborHTMLParser(tamed.markup, options=LexborDocumentOptions.WO_EVENTS)
    except SelectolaxError as error:  # no markup is beyond HTML5: an error means that Lexbor ran out of memory
        raise MemoryError("while parsing") from error
    tree = Tree(detail=tamed.detail)
    if parser.root is not None:
        _walk(parser.root, tree)
    return tree


def _walk(root: LexborNode, tree: Tree) -> None:
    """Visit every node once, in document order. This loop takes a third of the time of reading a page."""
    tags = _tags()
    text_id, comment_id, anchor_id, special = tags.text, tags.comment, tags.anchor, tags.special
    raw: list[str] = []
    add, mark, new_tuple = raw.append, tree.marks.append, tuple.__new__
    nodes = root.traverse(include_text=True)
    for node in nodes:
        text = node.text_content  # first, because half of all nodes are texts and need nothing else
        if text is not None:
            add(text)
            continue
        tag_id = node.tag_id
        if tag_id == comment_id:
            continue
        if tag_id not in special:
            child = node.first_child
            if child is None or (child.tag_id == comment_id and _is_leaf(child, comment_id)):
                add("")
        elif tag_id == anchor_id and (child := node.first_child) and child.tag_id == text_id and child.next is None:
            # Four of five links contain just a text. The normal constructor of a mark takes three times as long.
            mark(new_tuple(Mark, ("a", node.attributes, len(raw), len(raw), "")))
        else:
            _look_at(node, special[tag_id], tags, nodes, tree, raw)
    tree.leaves = _collapse_space(raw)


def _collapse_space(texts: list[str]) -> list[str]:
    """Collapse white space. Printable text has only blanks, mostly single ones, and needs no splitting."""
    return [
        text if not text or ("  " not in text and text.isprintable()) else " ".join(text.split())
        for text in map(str.strip, texts)
    ]


def _is_leaf(child: LexborNode | None, comment_id: int) -> bool:
    """Tell from an element's first child whether it has none but comments."""
    while child is not None and child.tag_id == comment_id:
        child = child.next
    return child is None


def _look_at(node: LexborNode, tag: str, tags: _Tags, nodes: Iterator[LexborNode], tree: Tree, raw: list[str]) -> None:
    first = len(raw)
    if tag in _SILENT:
        raw.append("")
        _skip(nodes, sum(1 for _ in node.traverse(include_text=True)) - 1)
        if tag == "iframe":
            tree.marks.append(Mark(tag, node.attributes, first, first))
        return
    child = node.first_child
    if child is None or _is_leaf(child, tags.comment):
        raw.append("")
        child = None
    if tag == "title":
        tree.title = tree.title or _title(node)
    elif tag == "html" or child is None or (child.next is None and child.tag_id == tags.text):
        tree.marks.append(Mark(tag, node.attributes, first, first))
    elif child.next is None and child.tag_id == tags.image and tag == "a":
        tree.marks.append(Mark(tag, node.attributes, first, first, _alt_of(child)))
    else:
        alt = _alt(node, tags) if tag == "a" else ""
        tree.marks.append(Mark(tag, node.attributes, first, first + _leaf_count(node, tags) - 1, alt))


def _skip(nodes: Iterator[LexborNode], count: int) -> None:
    deque(islice(nodes, count), maxlen=0)


def _leaf_count(node: LexborNode, tags: _Tags) -> int:
    """Count the leaves below an element that has children."""
    count = 0
    nodes = node.traverse(include_text=True)
    for inner in islice(nodes, 1, None):
        tag_id = inner.tag_id
        if tag_id in tags.silent:
            count += 1
            _skip(nodes, sum(1 for _ in inner.traverse(include_text=True)) - 1)
        elif tag_id == tags.text or (tag_id != tags.comment and _is_leaf(inner.first_child, tags.comment)):
            count += 1
    return count


def _alt(node: LexborNode, tags: _Tags) -> str:
    """Return the alternative text of the first image below a link that has one."""
    for inner in node.traverse():
        if inner.tag_id == tags.image and inner.attrs.get("alt"):
            return _alt_of(inner)
    return ""


def _alt_of(image: LexborNode) -> str:
    return " ".join((image.attrs.get("alt") or "").split())


def _title(node: LexborNode) -> str:
    """Return the text of a title, unless it is the tooltip of a drawing."""
    parent = node.parent
    while parent is not None:
        if parent.tag == "svg":
            return ""
        parent = parent.parent
    return " ".join(node.text().split())[:_LONGEST_TITLE]


@cache
def _tags() -> _Tags:
    names = {*_SILENT, *_TELLING, "img"}
    numbers: dict[str, int] = {}
    for name in names:
        for markup in (f"x<!--c--><{name}>", f"<frameset><{name}>"):
            root = LexborHTMLParser(markup.encode()).root
            for node in root.traverse(include_text=True) if root else ():
                numbers[node.tag or ""] = node.tag_id
    return _Tags(
        text=numbers[_TEXT],
        comment=numbers[_COMMENT],
        anchor=numbers["a"],
        image=numbers["img"],
        special={numbers[name]: name for name in {*_SILENT, *_TELLING}},
        silent=frozenset(numbers[name] for name in _SILENT),
    )
