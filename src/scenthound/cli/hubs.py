"""`scenthound hubs`, `authorities` and `sites`: where a topic is best seen from, what is cited most, who specialises in it.

The distiller runs when asked, on the crawl as it is now, and the answer says how much it looked at; or what it found last beside the
crawl is shown at once, with its age.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scenthound.crawl.directory import CrawlDirectory
from scenthound.crawl.stats import count, in_seconds
from scenthound.desk.best import RankedPages, Wanted, authorities_of, hubs_of, sites_of
from scenthound.desk.best_stored import StoredPages, stored_authorities, stored_hubs
from scenthound.desk.words import iso
from scenthound.distill.best import Ranked, RankedSite
from scenthound.distill.site import Site
from scenthound.distill.values import Distilled
from scenthound.harmless import say, say_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What was typed."""

    path: Path
    topic: str | None = None
    most: int = 20
    site: Site | None = None
    stored: bool = False
    as_json: bool = False

    @property
    def wanted(self) -> Wanted:
        return Wanted(topic=self.topic, most=self.most, site=self.site)


def show_hubs(wish: Wish) -> int:
    """Print the best hubs."""
    directory = CrawlDirectory.open(wish.path)
    if wish.stored:
        return _show_stored(wish, stored_hubs(directory, wish.wanted), "hubs", "links to")
    return _show_ranked(wish, hubs_of(directory, wish.wanted), "hubs", "links to")


def show_authorities(wish: Wish) -> int:
    """Print the best authorities."""
    directory = CrawlDirectory.open(wish.path)
    if wish.stored:
        return _show_stored(wish, stored_authorities(directory, wish.wanted), "authorities", "cited by")
    return _show_ranked(wish, authorities_of(directory, wish.wanted), "authorities", "cited by")


def show_sites(wish: Wish) -> int:
    """Print the sites with most that is relevant, for what they have in all."""
    found = sites_of(CrawlDirectory.open(wish.path), wish.wanted)
    if wish.as_json:
        say_json({"topics": found.topics, "sites": found.sites})
    else:
        say("\n".join(site_lines(found.sites, found.topics)))
    return 0


def _show_ranked(wish: Wish, found: RankedPages, name: str, relation: str) -> int:
    if wish.as_json:
        told = {"topics": found.topics, "site": found.site, "distilled": found.distilled, name: found.pages}
        say_json(told)
    else:
        say("\n".join(ranked_lines(found, name=name, relation=relation)))
    return 0


def _show_stored(wish: Wish, asked: StoredPages, name: str, relation: str) -> int:
    now = time.time()
    if wish.as_json:
        told = {"topics": asked.topics, "distilled": None, "stored": _stored(asked, now), name: asked.pages}
        say_json(told)
    else:
        say("\n".join(stored_lines(asked, now, path=wish.path, name=name, relation=relation)))
    return 0


def _stored(asked: StoredPages, now: float) -> dict[str, object] | None:
    found = asked.found
    if found is None:
        return None
    told = {name: getattr(found, name) for name in ("version", "pages", "links", "critic", "site")}
    return {**told, "at": iso(found.at), "age": round(now - found.at, 3)}


def stored_lines(asked: StoredPages, now: float, *, path: Path, name: str, relation: str) -> Iterator[str]:
    """Yield hubs or authorities as they were found last, and how long ago that was."""
    found = asked.found
    if found is None:
        yield (
            f"No {name} are stored yet: they are found beside the crawl when it has links enough (distill.least); "
            f"to work them out now: scenthound {name} {path}"
        )
        return
    yield (
        f"{name.capitalize()} for {', '.join(asked.topics)}, as found beside the crawl: "
        f"{count(found.pages, 'page')}, {count(found.links, 'link')} in all."
    )
    if asked.alone:
        yield "All pages were of one site: each page is taken for a site."
    if not asked.pages:
        where = "another one" if asked.alone else "one on another site"
        yield f"No {name}: no relevant page linked to {where}."
    yield from page_lines(asked.pages, relation)
    yield ""
    yield f"Found {in_seconds(now - found.at)} ago; without --stored they are worked out now."


def ranked_lines(found: RankedPages, *, name: str, relation: str) -> Iterator[str]:
    """Yield hubs or authorities with their neighbours, best first."""
    told, between = found.distilled, "pages" if found.site is Site.PAGE else "sites"
    yield (
        f"{name.capitalize()} for {', '.join(found.topics)}: {count(told.pages, 'different page')}, examples "
        f"included, {count(told.links, 'link')} between {between} "
        f"to {told.authorities:,} of the most relevant, {told.rounds} rounds in {told.method}."
    )
    if found.only:
        yield f"All pages are of {found.only}: each page is taken for a site (--site page)."
    if not found.pages:
        yield why_none(told, name, found.site)
    yield from page_lines(found.pages, relation)
    yield ""
    yield "Worked out now, on the crawl as it is; --stored shows what was found last beside it."


def page_lines(ranked: Sequence[Ranked], relation: str) -> Iterator[str]:
    """Yield pages with their neighbours."""
    for place, one in enumerate(ranked, 1):
        yield ""
        yield f"{place:>3}  {one.score:.4f}  {one.title or one.url}"
        yield f"             {one.url}"
        more = f", and {count(one.unvisited, 'URL')} not asked for yet" if one.unvisited else ""
        yield f"             {relation} {one.count:,}{more}:"
        for there in one.neighbours:
            yield f"               {there.score:.4f}  {there.title or there.url}  {there.url}"


def why_none(told: Distilled, name: str, site: Site) -> str:
    """Say what is missing where nothing was found."""
    if not told.pages:
        return f"No {name}: no page was judged; that takes examples and a critic (critic.kind), and pages that were fetched."
    if site is Site.PAGE:
        return f"No {name}: no relevant page links to another one."
    return f"No {name}: no relevant page links to one on another site. Within one site, --site host or --site page finds some."


MUCH = 0.15  # of all pages: a site with so many is worth a look before its density is believed
MANY = 10  # hosts: with hardly a page on each, the domain may make up their names


def site_lines(sites: Sequence[RankedSite], topics: Sequence[str]) -> Iterator[str]:
    """Yield sites with their best pages, best first."""
    yield f"Sites for {', '.join(topics)}, by the density of relevant pages that each surely has:"
    if not sites:
        yield "No sites: no page was judged relevant."
    for place, one in enumerate(sites, 1):
        yield ""
        yield f"{place:>3}  {one.score:.3f}  {one.site}: {one.relevant:,} of {count(one.pages, 'page')} ({100 * one.density:.0f} %)"
        if one.share >= MUCH or (one.hosts >= MANY and one.pages < 2 * one.hosts):
            yield (
                f"              {100 * one.share:.0f} of 100 pages that were judged are from here, from {count(one.hosts, 'host')}: see "
                "whether they are what you look for, and lock the site if they are not (fetch.locked)"
            )
        for page in one.best:
            yield f"              {page.relevance:.2f}  {page.title or page.url}  {page.url}"
