"""Sorts the pages of a portal into shelves, one for each topic and one for all, and chooses what stands in front."""

import math
import re
import sqlite3
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from heapq import nlargest
from typing import Final

from scenthound.distill.distiller import distil, only_site
from scenthound.distill.ranking import surely
from scenthound.distill.scores import Rules
from scenthound.distill.site import Site
from scenthound.services.portal.portal_types import Groups, Leading, PageGroup, PortalPage, Shelf, ShownGroup, SiteLine
from scenthound.store.sqlite.queries.portal_rows import authority_scores, hub_shares
from scenthound.taxonomy import Topics, ancestors, parent

LISTED: Final = 10  # hubs, authorities, sites and new pages of a topic
FED: Final = 50  # new pages in a feed
_OF_A_SITE: Final = 3  # of the best pages: a reader wants to see several sites
_OF_A_GROUP: Final = 6
_HUBS: Final = 2_000  # of the whole crawl, among which those of each topic are


@dataclass(frozen=True, slots=True, kw_only=True)
class Prestige:
    """What a distillation of the crawl says: the score of each authority, the greatest of them, and the best hubs of
    each topic, each with the number of authorities there to which it leads.
    """

    authority: Mapping[int, float]
    greatest: float
    hubs: Mapping[str, Sequence[tuple[int, int]]]

    def worth(self, id: int, relevance: float) -> float:
        """Return relevance and authority together; authority as the root of its share of the best, as search has it."""
        return relevance + math.sqrt(self.authority.get(id, 0.0) / self.greatest)


def distilled(con: sqlite3.Connection, topics: Topics) -> Prestige:
    """Distil a crawl as it is now, for all good topics at once."""
    distil(con, Rules(site=Site.PAGE if only_site(con) else Site.DOMAIN))
    scores: dict[str, defaultdict[int, float]] = defaultdict(lambda: defaultdict(float))
    pages: dict[str, Counter[int]] = defaultdict(Counter)
    for share in hub_shares(con, _HUBS):
        if topics.is_good(share.topic):
            for path in ("", *ancestors(share.topic), share.topic):
                scores[path][share.hub] += share.score
                pages[path][share.hub] += share.pages
    best = {
        path: nlargest(2 * LISTED, counted.items(), key=lambda one: (one[1], -one[0]))
        for path, counted in scores.items()
    }
    hubs = {path: [(hub, pages[path][hub]) for hub, _ in some] for path, some in best.items()}
    authority = authority_scores(con)
    return Prestige(authority=authority, greatest=max(authority.values(), default=1.0), hubs=hubs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """All from which shelves are filled: the pages on topic, all that may be shown by id, and what is known of them."""

    topics: Topics
    pages: Sequence[PortalPage]
    by_id: Mapping[int, PortalPage]
    prestige: Prestige
    citing: Callable[[PortalPage], int]
    seen: Mapping[str, int]
    groups: Groups
    best: int


def fill_shelves(stock: Stock) -> dict[str, Shelf]:
    """Return the shelf of each topic that has pages or is wanted, parents before children; "" has all pages."""
    by_path: dict[str, list[PortalPage]] = {"": []}
    order = [path for path in stock.topics.nodes if stock.topics.is_good(path) or stock.topics.is_path(path)]
    by_path.update({path: [] for path in order})
    for page in sorted(stock.pages, key=lambda page: (-page.worth, page.id)):
        for path in ("", *ancestors(page.topic), page.topic):
            by_path.setdefault(path, []).append(page)
    slugs = make_slugs(by_path)
    below: dict[str, list[str]] = defaultdict(list)
    for path in by_path:
        if path:
            below[parent(path)].append(path)
    return {path: _shelf(stock, path, slugs[path], pages, below[path]) for path, pages in by_path.items()}


def _shelf(stock: Stock, path: str, slug: str, pages: Sequence[PortalPage], children: Sequence[str]) -> Shelf:
    ids = {page.id for page in pages}
    authorities = nlargest(
        LISTED, ids & stock.prestige.authority.keys(), key=lambda id: (stock.prestige.authority[id], -id)
    )
    hubs = [(stock.by_id.get(id), count) for id, count in stock.prestige.hubs.get(path, ())]
    return Shelf(
        path=path,
        slug=slug,
        pages=pages,
        best=tuple(varied(pages, stock.best)),
        hubs=tuple(Leading(page=page, count=count) for page, count in hubs if page is not None)[:LISTED],
        authorities=tuple(
            Leading(page=page, count=stock.citing(page)) for page in map(stock.by_id.__getitem__, authorities)
        ),
        sites=_sites(pages, stock.seen),
        new=tuple(nlargest(FED, pages, key=lambda page: (page.updated, page.id))),
        groups=tuple(_groups(stock.groups(path, [page.id for page in pages]), stock.by_id)),
        children=tuple(children),
    )


def varied(pages: Iterable[PortalPage], most: int) -> list[PortalPage]:
    """Return the best pages, at most three of a site unless there are too few."""
    of_site: Counter[str] = Counter()
    found: list[PortalPage] = []
    spare: list[PortalPage] = []
    for page in pages:
        of_site[page.site] += 1
        if of_site[page.site] <= _OF_A_SITE:
            found.append(page)
        elif len(spare) < most:
            spare.append(page)
        if len(found) == most:
            return found
    return (found + spare)[:most]


def _sites(pages: Sequence[PortalPage], seen: Mapping[str, int]) -> tuple[SiteLine, ...]:
    """Return the sites with most pages of the topic for what they have in all (`distill.ranking.best_sites`)."""
    counted = Counter(page.site for page in pages)
    best: dict[str, PortalPage] = {}
    for page in pages:
        best.setdefault(page.site, page)
    totals = {site: max(many, seen.get(site, 0)) for site, many in counted.items()}
    chosen = nlargest(LISTED, counted, key=lambda site: (surely(counted[site], totals[site]), site))
    return tuple(SiteLine(site=site, pages=counted[site], seen=totals[site], best=best[site]) for site in chosen)


def _groups(groups: Iterable[PageGroup], by_id: Mapping[int, PortalPage]) -> Iterable[ShownGroup]:
    for group in groups:
        pages = [by_id[id] for id in group.pages if id in by_id]
        if pages:
            yield ShownGroup(label=group.label, count=len(pages), pages=tuple(pages[:_OF_A_GROUP]))


def make_slugs(paths: Iterable[str]) -> dict[str, str]:
    """Return a name for files of each topic, in letters that every server takes.

    >>> make_slugs(["", "Sport/Cycling", "Sport-Cycling"])
    {'': 'all', 'Sport/Cycling': 'sport-cycling', 'Sport-Cycling': 'sport-cycling-eae1ff6b'}
    """
    slugs: dict[str, str] = {}
    used: set[str] = set()
    for path in paths:
        plain = unicodedata.normalize("NFKD", path).encode("ascii", "ignore").decode().lower()
        slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60] or ("" if path else "all")
        if not slug or slug in used or (path and slug == "all"):
            digest = blake2b(path.encode("utf-8", "replace"), digest_size=4).hexdigest()
            slug = f"{slug}-{digest}" if slug else digest
        slugs[path] = slug
        used.add(slug)
    return slugs
