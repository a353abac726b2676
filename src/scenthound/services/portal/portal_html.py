"""Writes the pages and feeds of a portal from templates that escape whatever they are given (jinja2, autoescape)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Final
from urllib.parse import urljoin
from uuid import NAMESPACE_URL, uuid5

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from scenthound.counted import count
from scenthound.services.portal.portal_types import PortalPage, Shelf, topic_name
from scenthound.taxonomy import ancestors

_PER_LIST: Final = 100
_LIST_BYTES: Final = 60_000  # of addresses and titles in a list
_TOLD: Final = 300  # topics in the table of all
_ICON: Final = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="9" fill="{colour}"/>
<g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round">
<circle cx="14.5" cy="14.5" r="6.2"/><path d="m19.3 19.3 5.2 5.2"/></g></svg>
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteFacts:
    """What all pages of a portal say."""

    title: str
    introduction: Markup
    footer: Markup
    base_url: str
    pages: int
    sites: int
    at: float
    opt_out: str
    contact: str


class Printer:
    """Gives the files of a portal, by their names, one at a time."""

    def __init__(self, site: SiteFacts, shelves: Mapping[str, Shelf], snippet: Callable[[PortalPage], str]) -> None:
        self._site = site
        self._shelves = shelves
        self._slugs = {path: shelf.slug for path, shelf in shelves.items() if path}
        self._base = site.base_url.rstrip("/") + "/" if site.base_url else ""
        self._jinja = Environment(
            loader=PackageLoader("scenthound.services.portal"), autoescape=True, undefined=StrictUndefined,
            trim_blocks=True, lstrip_blocks=True,
        )  # fmt: skip
        self._jinja.filters |= {
            "snippet": snippet, "title": _title, "link": link, "lines": self._lines, "time": _time, "day": _day,
            "date": _date, "moment": _moment, "topic": topic_name, "counted": count, "is_web": is_web,
        }  # fmt: skip
        self._line: dict[int, Markup] = {}
        self._jinja.globals |= {"site": site, "shelves": shelves, "slugs": self._slugs, "base": self._base}

    def files(self) -> Iterator[tuple[str, str]]:
        """Yield names and texts."""
        whole = self._shelves[""]
        yield "index.html", self._page("home.html", "", shelf=whole)
        yield "search.html", self._page("search.html", "")
        yield "about.html", self._page("about.html", "", told=_TOLD)
        yield "feed.xml", self._feed(whole, "feed.xml", "index.html")
        yield "feeds.opml", self._page("feeds.opml", "")
        for shelf in self._shelves.values():
            if shelf.path:
                yield from self._topic(shelf)
        if self._base:
            yield "sitemap.xml", self._sitemap()

    def _topic(self, shelf: Shelf) -> Iterator[tuple[str, str]]:
        above = ancestors(shelf.path)
        yield f"topic/{shelf.slug}.html", self._page("topic.html", "../", shelf=shelf, above=above)
        yield f"topic/{shelf.slug}.xml", self._feed(shelf, f"topic/{shelf.slug}.xml", f"topic/{shelf.slug}.html")
        parts = list(_parts(shelf.pages))
        names = [list_name(shelf, number) for number in range(1, len(parts) + 1)]
        first = 1
        for number, pages in enumerate(parts, 1):
            told = {"number": number, "last": len(parts), "first": first, "names": names}
            yield (
                f"topic/{names[number - 1]}",
                self._page("list.html", "../", shelf=shelf, above=above, pages=pages, **told),
            )
            first += len(pages)

    def _lines(self, pages: Iterable[PortalPage]) -> Markup:
        """Return the pages of a list. Each is in the lists of all topics above it, and its line is made once."""
        known = self._line
        for page in pages:
            if page.id not in known:
                known[page.id] = Markup(
                    f'<li>{link(page)}<p class="where"><span>{escape(page.host)}</span> {_time(page.updated)}</p></li>'
                )
        return Markup("").join(known[page.id] for page in pages)

    def _page(self, template: str, root: str, **values: object) -> str:
        return self._jinja.get_template(template).render(root=root, **values)

    def _feed(self, shelf: Shelf, own: str, page: str) -> str:
        site = self._site
        title = f"{site.title}: {shelf.path.replace('_', ' ')}" if shelf.path else site.title
        id = (
            urljoin(self._base, own) if self._base else f"urn:uuid:{uuid5(NAMESPACE_URL, f'{site.title}/{shelf.path}')}"
        )
        at = max((page.updated for page in shelf.new), default=site.at)
        return self._page("feed.xml", "", title=title, id=id, at=at, own=own, page=page, pages=shelf.new)

    def _sitemap(self) -> str:
        """Name the pages for people, without the parts of lists: those lead on to other sites only."""
        topics = (f"topic/{shelf.slug}.html" for shelf in self._shelves.values() if shelf.path)
        return self._page("sitemap.xml", "", names=["index.html", "about.html", *topics])


def icon(colour: str) -> str:
    """Return the sign of the site in its colour."""
    return _ICON.format(colour=colour)


def list_name(shelf: Shelf, number: int) -> str:
    """Return the file of a part of the list of all pages."""
    return f"{shelf.slug}-all.html" if number == 1 else f"{shelf.slug}-all-{number}.html"


def _parts(pages: Sequence[PortalPage]) -> Iterator[list[PortalPage]]:
    """Yield pages by lists that are not too long, also where addresses are."""
    part: list[PortalPage] = []
    size = 0
    for page in pages:
        more = len(page.url.encode()) + len(page.title.encode())
        if part and (len(part) == _PER_LIST or size + more > _LIST_BYTES):
            yield part
            part, size = [], 0
        part.append(page)
        size += more
    if part:
        yield part


def is_web(url: str) -> bool:
    """Tell whether an address may stand in a link.

    >>> is_web("https://a.example/"), is_web("javascript:alert(1)")
    (True, False)
    """
    return url.startswith(("http://", "https://"))


def link(page: PortalPage) -> Markup:
    """Return a page as a link with its title; all that others have written is escaped.

    Not a macro of a template: lists of 100,000 pages are made of these, and macros are slow.
    """
    title = escape(page.title or page.url)
    if not is_web(page.url):
        return Markup(f'<span class="title">{title}</span>')
    language = f' lang="{escape(page.language)}"' if page.language else ""
    address = escape(page.url)
    return Markup(f'<a class="title" href="{address}" rel="nofollow noopener" dir="auto"{language}>{title}</a>')


def _time(at: float) -> Markup:
    return _time_of_day(int(at // 86_400))


@cache
def _time_of_day(day: int) -> Markup:
    at = day * 86_400.0
    return Markup(f'<time datetime="{_day(at)}">{_date(at)}</time>')


def _title(page: PortalPage) -> str:
    return page.title or page.url


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")


def _date(at: float) -> str:
    moment = datetime.fromtimestamp(at, UTC)
    return f"{moment.day} {moment:%b %Y}"


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
