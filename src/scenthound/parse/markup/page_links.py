"""From the marks of a parsed page to its links in canonical form, its language, and its instructions to robots.

Follows the HTML standard for `base`, `rel` and `meta refresh`, RFC 6596 for canonical links, and the robots meta tag as
search engines read it, addressed to everybody or to the crawler's own product token.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from scenthound.parse.markup.html import HEADINGS, Mark, Tree
from scenthound.parse.shapes import shape_of
from scenthound.parse.urls import Joiner, canonical
from scenthound.parse.words.language import guess, primary
from scenthound.types import Link, LinkKind

_MOST_LINKS: Final = 5_000  # the fullest page of the schools and messy webs has 1,437
_MOST_HEADINGS, _MOST_LEAVES = 300, 10  # of a page, and of a heading
_LONGEST_HREF: Final = 4_000
_LONGEST_TEXT: Final = 300
_REFRESH: Final = re.compile(r"\s*[0-9.]*\s*[;,\s]\s*(?:url\s*=\s*)?(.+)", re.IGNORECASE | re.DOTALL)
_LANGUAGE_SAMPLE: Final = 8_000
_SOURCES: Final = {
    "a": ("href", LinkKind.ANCHOR),
    "area": ("href", LinkKind.AREA),
    "frame": ("src", LinkKind.FRAME),
    "iframe": ("src", LinkKind.FRAME),
}
_WORDED: Final = (LinkKind.ANCHOR, LinkKind.AREA)
_CANONICAL: Final = LinkKind.CANONICAL  # needed for every link, and looking up a member of the class takes 0.1 µs


@dataclass(frozen=True, slots=True, kw_only=True)
class Sayings:
    """What the markup of a page says besides its text."""

    links: tuple[Link, ...]
    canonical: str
    title: str
    headings: str
    language: str
    nofollow: bool
    noindex: bool
    detail: str


def sayings(tree: Tree, url: str, product: str) -> Sayings:
    """Read the marks of a page at `url` for the crawler with that product token."""
    others = [mark for mark in tree.marks if mark[0] != "a"]  # a tenth of all, and searched several times
    collector = _Collector(tree, url, _base(others, url))
    for mark in tree.marks:
        collector.take(mark)
    robots = _robots(others, product)
    return Sayings(
        links=tuple(collector.links),
        canonical=collector.canonical,
        title=tree.title or _other_title(others, tree.leaves),
        headings=_headings(others, tree.leaves),
        language=_language(others) or guess(_sample(tree.leaves)),
        nofollow=bool(robots & {"nofollow", "none"}),
        noindex=bool(robots & {"noindex", "none"}),
        detail="; ".join(filter(None, [tree.detail, collector.detail()])),
    )


class _Collector:
    """Collects the links of one page, and counts those left out."""

    def __init__(self, tree: Tree, url: str, base: str) -> None:
        self.links: list[Link] = []
        self.canonical = ""
        self._leaves = tree.leaves
        self._url = url
        self._join = Joiner(base)
        self._same_page = base == url
        self._too_long = 0
        self._too_many = 0

    def take(self, mark: Mark) -> None:
        tag = mark[0]
        if source := _SOURCES.get(tag):
            href = mark[1].get(source[0])
            if href is not None:
                self._add(mark, href, source[1])
        elif tag == "link":
            self._take_link(mark)
        elif tag == "meta" and mark.get("http-equiv").strip().lower() == "refresh":
            target = _REFRESH.match(mark.get("content"))
            if target:
                self._add(mark, target[1].strip().strip("\"'"), LinkKind.REFRESH)

    def _take_link(self, mark: Mark) -> None:
        relations = mark.get("rel").lower().split()
        if "canonical" in relations:
            self._add(mark, mark.get("href"), LinkKind.CANONICAL)
        elif "alternate" in relations and mark.get("hreflang"):
            self._add(mark, mark.get("href"), LinkKind.HREFLANG)

    def _add(self, mark: Mark, href: str, kind: LinkKind) -> None:
        if href[:1] == "#" and self._same_page:
            return
        if len(href) > _LONGEST_HREF:
            self._too_long += 1
            return
        url = self._join(href)
        if url is None or (url == self._url and ("#" in href or kind is LinkKind.REFRESH)):
            return
        if len(self.links) >= _MOST_LINKS:
            self._too_many += 1
            return
        _, attributes, first, last, _ = mark
        self.links.append(
            Link(
                url=url,
                kind=kind,
                text=self._text(mark) if kind in _WORDED else "",
                first_leaf=first,
                last_leaf=last,
                nofollow="rel" in attributes and "nofollow" in mark.get("rel").lower().split(),
                shape=shape_of(url),
            )
        )
        if kind is _CANONICAL:
            self.canonical = self.canonical or url

    def _text(self, mark: Mark) -> str:
        _, _, first, last, alt = mark
        text = self._leaves[first] if first == last else " ".join(filter(None, self._leaves[first : last + 1]))
        return (text or alt or " ".join(mark.get("alt").split()))[:_LONGEST_TEXT]

    def detail(self) -> str:
        said = []
        if self._too_long:
            said.append(f"{self._too_long} links longer than {_LONGEST_HREF} characters left out")
        if self._too_many:
            said.append(f"{self._too_many} links beyond the first {_MOST_LINKS} left out")
        return "; ".join(said)


def _base(marks: Iterable[Mark], url: str) -> str:
    """Return the base of relative links: the first <base href> if it is a web address, else the page."""
    for mark in marks:
        if mark.tag == "base" and mark.get("href"):
            return canonical(mark.get("href"), url) or url
    return url


def _robots(marks: Iterable[Mark], product: str) -> set[str]:
    wishes: set[str] = set()
    for mark in marks:
        if mark.tag == "meta" and mark.get("name").strip().lower() in ("robots", product.lower()):
            wishes.update(re.split(r"[,\s]+", mark.get("content").lower()))
    return wishes


def _other_title(marks: Sequence[Mark], leaves: Sequence[str]) -> str:
    """Return og:title, or else the first heading."""
    for mark in marks:
        if mark.tag == "meta" and mark.get("property") == "og:title" and mark.get("content").strip():
            return " ".join(mark.get("content").split())
    for mark in marks:
        if mark.tag == "h1":
            return " ".join(filter(None, leaves[mark.first_leaf : mark.last_leaf + 1]))
    return ""


def _headings(marks: Sequence[Mark], leaves: Sequence[str]) -> str:
    """Return the text of headings, a line for each. One with a whole article inside was never closed, and is none."""
    places = [(mark.first_leaf, mark.last_leaf + 1) for mark in marks if mark.tag in HEADINGS]
    short = [slice(first, last) for first, last in places if last - first <= _MOST_LEAVES]
    return "\n".join(" ".join(filter(None, leaves[place])) for place in short[:_MOST_HEADINGS])


def _language(marks: Sequence[Mark]) -> str:
    for mark in marks:
        if mark.tag == "html" and (found := primary(mark.get("lang") or mark.get("xml:lang"))):
            return found
    for mark in marks:
        says_language = mark.tag == "meta" and mark.get("http-equiv").lower() == "content-language"
        if says_language and (found := primary(mark.get("content"))):
            return found
    return ""


def _sample(leaves: Sequence[str]) -> str:
    """Return the longest leaves: running text, not menus, which are full of names and buttons."""
    return " ".join(sorted(leaves, key=len, reverse=True)[:30])[:_LANGUAGE_SAMPLE]


def parted(leaves: Sequence[str], links: Iterable[Link]) -> tuple[str, str]:
    """Return the text outside links, which distinguishes a page from its neighbours on a site, and the text inside.

    >>> parted(["See", "the hound", "", "run"], [Link(url="http://a.example/", first_leaf=1, last_leaf=2)])
    ('See run', 'the hound')
    """
    outside, inside = list(leaves), list[str]()
    anchor = LinkKind.ANCHOR
    for link in links:
        if link.kind is anchor:
            first, after = link.first_leaf, link.last_leaf + 1
            inside += outside[first:after]
            outside[first:after] = [""] * (after - first)
    return " ".join(filter(None, outside)), " ".join(filter(None, inside))
