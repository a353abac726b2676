"""The hosts of the demo web and their oddities: a table of a crawler's troubles."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from scenthound.demo.grammar import Vocabulary

EVERYDAY = "Other/Everyday"
SITE_PAGES = "Other/Site_Pages"


class Layout(StrEnum):
    """How a site's pages are built."""

    MAGAZINE = "magazine"
    BLOG = "blog"
    CLUB = "club"
    TABLES = "tables"  # of the nineties: upper case, unclosed tags, a frameset at the entrance
    FORUM = "forum"
    DIRECTORY = "directory"


class Oddity(StrEnum):
    """A trouble that a site makes for a crawler, besides its pages."""

    CALENDAR = "calendar"  # endless
    SESSIONS = "sessions"  # every page view puts a new session id into its links, with a well-known parameter
    VISITS = "visits"  # the same with an unknown parameter
    SOFT_404 = "soft-404"  # answers 200 to everything
    SLOW = "slow"
    ERRORS = "errors"  # 500 and 503 now and then
    CUTS = "cuts"  # connections end too soon
    SILENT = "silent"  # accepts, and never answers
    NO_ROBOTS = "no-robots"  # robots.txt is a 503: the crawl must leave the site alone
    MOVED = "moved"  # the whole site has moved
    MIRROR = "mirror"  # the pages of another site under this name
    PRINT_VIEWS = "print-views"  # every page a second time, with a canonical link to the first
    CRAWL_DELAY = "crawl-delay"
    GZIP = "gzip"
    HUGE = "huge"  # one page is huge


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoHost:
    """A site. `twin` is the new home of a moved site, or the original of a mirror."""

    name: str
    topic: str
    layout: Layout
    pages: int
    title: str
    language: str = "en"
    charset: str = "utf-8"
    declared: bool = True  # whether the Content-Type header names the charset
    oddities: frozenset[Oddity] = frozenset()
    twin: str = ""


def plan_hosts(vocabulary: Vocabulary) -> Iterator[DemoHost]:
    layouts = (Layout.MAGAZINE, Layout.BLOG, Layout.CLUB)
    for topic, names in vocabulary.sites.items():
        for name, layout in zip(names, layouts, strict=True):
            yield _host(name, topic, layout, pages=84, oddities=_ODD_TOPICAL.get(name, ""))
    for first in ("anna", "ben", "clara", "david", "edith", "frank"):
        yield _host(f"{first}.openpages.test", EVERYDAY, Layout.BLOG, pages=55, oddities="print-views")
    for name, topic, style, pages, oddities in _OTHERS:
        yield _host(name, topic, Layout(style), pages=pages, oddities=oddities)
    yield from _foreign_hosts(vocabulary)


# Oddities of sites that otherwise are like any other.
_ODD_TOPICAL = {
    "trailcrew.test": "calendar",
    "evensong.test": "calendar",
    "www.parishchest.test": "crawl-delay",
    "slowshutter.test": "slow",
    "www.fieldhammer.test": "gzip",
    "crumb.test": "gzip",
    "www.queencell.test": "print-views",
    "eightbit.test": "sessions",
    "rosewalk.test": "errors",
    "kitchenplot.test": "visits",
}
_OTHERS = (
    ("www.dailyvoice.test", EVERYDAY, "magazine", 230, "huge"),
    ("forum.chatterbox.test", EVERYDAY, "forum", 150, "sessions"),
    ("www.webindex.test", EVERYDAY, "directory", 45, ""),
    ("bestof.test", EVERYDAY, "directory", 40, ""),
    ("www.friendly.test", EVERYDAY, "forum", 90, "visits"),
    ("www.freelicence.test", SITE_PAGES, "club", 8, ""),
    ("partnernet.test", EVERYDAY, "magazine", 30, "soft-404"),
    ("www.oldweb.test", "Society/Local_History", "tables", 60, ""),
    ("users.oldweb.test", "Recreation/Cycling/Touring", "tables", 50, ""),
    ("mirror.archivehall.test", "Science/Geology", "blog", 0, "mirror"),
    ("www.cyclediary.test", "Recreation/Cycling/Touring", "blog", 0, "moved"),
    ("cutoff.test", "Recreation/Cycling/Mountain_Biking", "blog", 20, "cuts"),
    ("silent.test", "Science/Astronomy/Observing", "blog", 10, "silent"),
    ("sulking.test", "Home/Baking", "club", 20, "no-robots"),
)
_TWINS = {"mirror.archivehall.test": "strata.test", "www.cyclediary.test": "www.panniertales.test"}
# Old sites predate charset declarations: their bytes are windows-1252 and nothing says so.
_CHARSETS = {"www.oldweb.test": ("windows-1252", False), "users.oldweb.test": ("windows-1252", False)}


def _host(name: str, topic: str, layout: Layout, *, pages: int, oddities: str = "", language: str = "en") -> DemoHost:
    charset, declared = _CHARSETS.get(name, ("utf-8", True))
    return DemoHost(
        name=name,
        topic=topic,
        layout=layout,
        pages=pages,
        title=name.removeprefix("www.").removesuffix(".test").replace(".", " ").replace("-", " ").title(),
        language=language,
        charset=charset,
        declared=declared,
        oddities=frozenset(Oddity(word) for word in oddities.split()),
        twin=_TWINS.get(name, ""),
    )


def _foreign_hosts(vocabulary: Vocabulary) -> Iterator[DemoHost]:
    """Return two sites per language, one of each with a charset of its time."""
    rows = (
        ("www.radreise.test", "de", Layout.MAGAZINE, "iso-8859-1", True),
        ("fernradler.test", "de", Layout.BLOG, "windows-1252", False),
        ("www.lafournee.test", "fr", Layout.BLOG, "utf-8", True),
        ("painmaison.test", "fr", Layout.CLUB, "iso-8859-15", False),
    )
    for name, language, layout, charset, declared in rows:
        yield DemoHost(
            name=name,
            topic=vocabulary.foreign[language].topic,
            layout=layout,
            pages=45,
            title=name.removeprefix("www.").removesuffix(".test").title(),
            language=language,
            charset=charset,
            declared=declared,
        )
