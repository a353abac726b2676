"""Makes a portal: asks the crawl for its pages, reads those that are new, and writes the files that changed.

The steps in order: pages on topic, hubs and authorities, extracts of new pages, shelves, the browser's index, HTML and
feeds.
"""

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from time import monotonic
from typing import Final

import msgspec

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import DirectoryError
from scenthound.parse.opt_out import OptOut
from scenthound.services.portal.extract_crew import extract_all
from scenthound.services.portal.extract_file import ExtractFile
from scenthound.services.portal.page_extract import Order, shortened
from scenthound.services.portal.portal_colours import legible, style_variables
from scenthound.services.portal.portal_html import Printer, SiteFacts, icon
from scenthound.services.portal.portal_markdown import as_html
from scenthound.services.portal.portal_types import PortalPage, PortalWish, Shelf
from scenthound.services.portal.site_folder import Counts, SiteFolder
from scenthound.services.portal.topic_shelves import Prestige, Stock, distilled, fill_shelves
from scenthound.services.portal.word_shards import PER_FILE, WordIndex, script
from scenthound.services.sql.read_connection import asking
from scenthound.settings.schema import PortalSettings, Settings
from scenthound.store.sqlite.queries.portal_rows import (
    ShownPage,
    citing_sites,
    crawl_mark,
    pages_of_sites,
    shown_pages,
    some_pages,
)
from scenthound.store.sqlite.queries.search_rows import copies_of, rows_of, standing
from scenthound.taxonomy import Topics
from scenthound.types import ArchiveSpot

_OWN: Final = Path(__file__).parent
_LONGEST_TITLE: Final = 160
_LONGEST_URL: Final = 2_000  # as for sitemaps
# Nothing of this is seen, and it may break lines, turn text round or be no XML.
_UNSEEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff"
    "\U000e0000-\U000e007f\ud800-\udfff]+"
)
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What was made: pages shown, and files in all, written, removed; with the bytes of all and the seconds it took.

    `opted_out` pages are listed by title only or not at all, because they ask for that.
    """

    pages: int
    topics: int
    opted_out: int
    files: int
    written: int
    removed: int
    bytes: int
    seconds: float
    largest: int
    sitemap: bool

    def as_table(self) -> dict[str, object]:
        return asdict(self)


def publish(directory: CrawlDirectory, wish: PortalWish) -> Published:
    """Make a portal, or make it again."""
    begun = monotonic()
    settings, topics = directory.settings(), directory.topics()
    with ExitStack() as stack:
        con = stack.enter_context(asking(directory))
        site = stack.enter_context(SiteFolder(wish.out))
        mark = _made_from(con, directory, settings, wish.groups_mark)
        counts = site.counts_of(mark)
        if counts is None:
            rows = _rows(con, directory, settings.portal, topics)
            extracts = stack.enter_context(ExtractFile(directory.extracts))
            counts = _Work(directory, settings, topics, con, site, extracts, wish).run(rows)
            site.finish(mark, counts)
        return _published(site, counts, monotonic() - begun)


def _published(site: SiteFolder, counts: Counts, seconds: float) -> Published:
    html = [mark.size for name, mark in site.files.items() if name.endswith(".html")]
    return Published(
        pages=counts.pages,
        topics=counts.topics,
        opted_out=counts.opted_out,
        files=len(site.files),
        written=site.written,
        removed=site.removed,
        bytes=sum(mark.size for mark in site.files.values()),
        seconds=seconds,
        largest=max(html, default=0),
        sitemap="sitemap.xml" in site.files,
    )


def _made_from(con: sqlite3.Connection, directory: CrawlDirectory, settings: Settings, groups: str) -> str:
    """Return a mark of all that a site is made from: the crawl, topics, settings, and our own templates."""
    parts = [
        repr((standing(con), crawl_mark(con), groups)).encode(),
        directory.topics_file.read_bytes(),
        msgspec.json.encode(
            (settings.portal, settings.fetch.contact, settings.fetch.user_agent, directory.path.resolve().name)
        ),
        *(path.read_bytes() for kind in ("templates", "static") for path in sorted(_OWN.joinpath(kind).iterdir())),
    ]
    return blake2b(b"\0".join(parts), digest_size=16).hexdigest()


def _rows(
    con: sqlite3.Connection, directory: CrawlDirectory, settings: PortalSettings, topics: Topics
) -> dict[int, ShownPage]:
    """Return the pages on topic by their ids."""
    good: dict[str, bool] = {}
    found: dict[int, ShownPage] = {}
    for page in shown_pages(con, settings.min_relevance):
        if page.topic not in good:
            good[page.topic] = topics.is_good(page.topic)
        if good[page.topic] and len(page.url) <= _LONGEST_URL:
            found[page.id] = page
    if not found:
        raise DirectoryError(
            f"{directory.path} has no page with a relevance of {settings.min_relevance:g} or more; "
            f"crawl on (scenthound crawl {directory.path}), or set portal.min_relevance lower"
        )
    return found


class _Work:
    def __init__(
        self,
        directory: CrawlDirectory,
        settings: Settings,
        topics: Topics,
        con: sqlite3.Connection,
        site: SiteFolder,
        extracts: ExtractFile,
        wish: PortalWish,
    ) -> None:
        self._directory = directory
        self._settings = settings
        self._topics = topics
        self._con = con
        self._site = site
        self._extracts = extracts
        self._wish = wish

    def run(self, rows: Mapping[int, ShownPage]) -> Counts:
        """Write all files, and count what is in them."""
        prestige = distilled(self._con, self._topics)
        self._wish.heard("hubs and authorities", 1, 1)
        hubs = {hub for some in prestige.hubs.values() for hub, _ in some} - rows.keys()
        others = {page.id: page for page in some_pages(self._con, hubs) if len(page.url) <= _LONGEST_URL}
        self._read([*rows.values(), *others.values()])
        shown = self._shown([*rows.values(), *others.values()], prestige)
        pages = [shown[id] for id in rows if id in shown]
        shelves = fill_shelves(self._stock(pages, shown, prestige))
        self._write_index(pages, shelves)
        self._write_pages(pages, shelves)
        opted_out = sum(self._wish_of(id) is not OptOut.NOTHING for id in rows)
        return Counts(pages=len(pages), topics=len(shelves) - 1, opted_out=opted_out)

    def _read(self, rows: Sequence[ShownPage]) -> None:
        """Read what the portal does not know yet, or what was visited since."""
        missing = [row for row in rows if (place := self._extracts.place(row.id)) is None or place.n != row.n]
        orders = [self._order(row) for row in missing]
        product = self._settings.fetch.user_agent
        extract_all(
            self._extracts, self._directory.archive_place, orders, product,
            lambda done: self._wish.heard("reading pages", done, len(orders)),
        )  # fmt: skip

    def _order(self, row: ShownPage) -> Order:
        spots: tuple[ArchiveSpot, ...] = (row.spot,) if row.spot is not None else ()
        if row.spot is None and row.digest:
            spots = tuple(spot for found in rows_of(self._con, [row.id]) for spot in copies_of(self._con, found))
        number = self._extracts.number(row.id)
        return Order(
            number=number, id=row.id, n=row.n, url=row.url, host=row.host, title=row.title, language=row.language,
            spots=spots,
        )  # fmt: skip

    def _wish_of(self, id: int) -> OptOut:
        place = self._extracts.place(id)
        return place.wish if place is not None else OptOut.NOTHING

    def _shown(self, rows: Iterable[ShownPage], prestige: Prestige) -> dict[int, PortalPage]:
        """Return the pages that may be shown, by their ids."""
        setting = self._settings.portal.opt_out
        found = {}
        for row in rows:
            wish = self._wish_of(row.id)
            left_out = setting == "omit" and wish is not OptOut.NOTHING
            if left_out or (setting == "respect" and wish is OptOut.LISTING):
                continue
            place = self._extracts.place(row.id)
            assert place is not None
            found[row.id] = _page(row, place.number, prestige.worth(row.id, row.relevance), wish is not OptOut.NOTHING)
        return found

    def _stock(self, pages: Sequence[PortalPage], shown: Mapping[int, PortalPage], prestige: Prestige) -> Stock:
        return Stock(
            topics=self._topics,
            pages=pages,
            by_id=shown,
            prestige=prestige,
            citing=lambda page: citing_sites(self._con, page.id, page.site),
            seen=pages_of_sites(self._con),
            groups=self._wish.groups,
            best=self._settings.portal.best,
        )

    def _snippet(self, page: PortalPage) -> str:
        return "" if page.bare else tidy(self._extracts.snippet(page.id))

    def _write_pages(self, pages: Sequence[PortalPage], shelves: Mapping[str, Shelf]) -> None:
        portal = self._settings.portal
        static = _OWN / "static"
        css = style_variables(portal.accent, portal.ground) + (static / "portal.css").read_text(encoding="utf-8")
        self._site.write("assets/portal.css", css)
        self._site.write("assets/portal.js", (static / "portal.js").read_text(encoding="utf-8"))
        self._site.write("assets/icon.svg", icon(legible(portal.accent, "#ffffff")))
        facts = SiteFacts(
            title=tidy(portal.title) or _name(self._directory),
            introduction=as_html(portal.introduction),
            footer=as_html(portal.footer),
            base_url=portal.base_url,
            pages=len(pages),
            sites=len({page.site for page in pages}),
            at=crawl_mark(self._con)[0],
            opt_out=portal.opt_out,
            contact=tidy(self._settings.fetch.contact),
        )
        for done, (name, text) in enumerate(Printer(facts, shelves, self._snippet).files(), 1):
            self._site.write(name, text)
            self._wish.heard("writing HTML", done, done)

    def _write_index(self, pages: Sequence[PortalPage], shelves: Mapping[str, Shelf]) -> None:
        """Write what the browser searches; before the pages, which lead to it."""
        index = WordIndex(self._extracts.words)
        worth = ["0"] * (1 + max((page.number for page in pages), default=0))
        most = max((page.worth for page in pages), default=1.0) or 1.0
        block: list[object] = []
        keys: list[str] = []
        at = 0
        slugs = {path: shelf.slug for path, shelf in shelves.items()}
        ordered = sorted(pages, key=lambda page: page.number)
        for done, page in enumerate(ordered, 1):
            while page.number >= at + PER_FILE:
                at = self._write_block(at, block)
            block += [None] * (page.number - at - len(block))
            index.add(self._extracts.places(page.id))
            block.append((page.title, page.url, self._snippet(page), page.host, slugs[page.topic]))
            worth[page.number] = str(round(9 * page.worth / most))
            if done % 1000 == 0:
                self._wish.heard("indexing for the browser", done, len(pages))
        self._write_block(at, block)
        for file in index.files():
            self._site.write(f"search/words/{file.name}.js", file.content)
            keys.append(file.key)
        names = {shelf.slug: shelf.name for shelf in shelves.values() if shelf.path}
        self._site.write("search/worth.js", script("worth", "".join(worth)))
        self._site.write(
            "search/index.js", script("index", {"pages": len(pages), "per": PER_FILE, "files": keys, "topics": names})
        )

    def _write_block(self, at: int, block: list[object]) -> int:
        """Write titles and snippets of some pages, and begin the next file."""
        if block:
            self._site.write(f"search/pages/{at // PER_FILE}.js", script("pages", at // PER_FILE, block))
        block.clear()
        return at + PER_FILE


def _name(directory: CrawlDirectory) -> str:
    """Return the name of a crawl as a title: "Demo crawl" for demo-crawl."""
    name = tidy(re.sub("[-_]+", " ", directory.path.resolve().name))
    return name[:1].upper() + name[1:] or "Portal"


def _page(row: ShownPage, number: int, worth: float, bare: bool) -> PortalPage:
    return PortalPage(
        id=row.id,
        number=number,
        url=tidy(row.url),
        host=tidy(row.host),
        site=tidy(row.site),
        title=shortened(tidy(row.title), _LONGEST_TITLE),
        language=row.language if _LANGUAGE.fullmatch(row.language) else "",
        topic=row.topic,
        worth=worth,
        first=row.first,
        changed=row.changed,
        bare=bare,
    )


def tidy(text: str) -> str:
    r"""Return a text on one line, without characters that nobody sees.

    >>> tidy("Tour\u202e \x00 de\n France")
    'Tour de France'
    """
    return " ".join(_UNSEEN.sub(" ", text).split())
