"""The lines of `scenthound hubs`, `authorities` and `sites`.

The ranking runs on request, on the crawl as it is now, and the answer says how much it covers. With `--stored` the
last ranking that was made during the crawl is shown at once, with its age.
"""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from scenthound.counted import count
from scenthound.crawl.diagnosis.speed import in_seconds
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.distill.ranking import Ranked, RankedSite
from scenthound.distill.scores import Distilled
from scenthound.distill.site import Site
from scenthound.services.results.best_pages import RankedPages, Wanted, authorities_of, hubs_of, sites_of
from scenthound.services.results.best_stored import StoredPages, stored_authorities, stored_hubs
from scenthound.services.why.reason_words import iso
from scenthound.terminal import say, say_json


def show_hubs(path: Path, wanted: Wanted, *, stored: bool, as_json: bool) -> int:
    """Print the best hubs."""
    directory = CrawlDirectory.open(path)
    if stored:
        return _show_stored(path, stored_hubs(directory, wanted), "hubs", "links to", as_json=as_json)
    return _show_ranked(hubs_of(directory, wanted), "hubs", "links to", as_json=as_json)


def show_authorities(path: Path, wanted: Wanted, *, stored: bool, as_json: bool) -> int:
    """Print the best authorities."""
    directory = CrawlDirectory.open(path)
    if stored:
        return _show_stored(path, stored_authorities(directory, wanted), "authorities", "cited by", as_json=as_json)
    return _show_ranked(authorities_of(directory, wanted), "authorities", "cited by", as_json=as_json)


def show_sites(path: Path, wanted: Wanted, *, as_json: bool) -> int:
    """Print the sites with the highest share of relevant pages."""
    found = sites_of(CrawlDirectory.open(path), wanted)
    if as_json:
        say_json({"topics": found.topics, "sites": found.sites})
    else:
        say("\n".join(site_lines(found.sites, found.topics)))
    return 0


def _show_ranked(found: RankedPages, name: str, relation: str, *, as_json: bool) -> int:
    if as_json:
        say_json({"topics": found.topics, "site": found.site, "distilled": found.distilled, name: found.pages})
    else:
        say("\n".join(ranked_lines(found, name=name, relation=relation)))
    return 0


def _show_stored(path: Path, asked: StoredPages, name: str, relation: str, *, as_json: bool) -> int:
    now = time.time()
    if as_json:
        say_json({"topics": asked.topics, "distilled": None, "stored": _stored(asked, now), name: asked.pages})
    else:
        say("\n".join(stored_lines(asked, now, path=path, name=name, relation=relation)))
    return 0


def _stored(asked: StoredPages, now: float) -> dict[str, object] | None:
    found = asked.found
    if found is None:
        return None
    told = {name: getattr(found, name) for name in ("version", "pages", "links", "critic", "site")}
    return {**told, "at": iso(found.at), "age": round(now - found.at, 3)}


def stored_lines(asked: StoredPages, now: float, *, path: Path, name: str, relation: str) -> Iterator[str]:
    """Yield the last stored hubs or authorities, with their age."""
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
    """Say why nothing was found."""
    if not told.pages:
        return f"No {name}: no page has been judged. You need examples, a critic (critic.kind) and fetched pages."
    if site is Site.PAGE:
        return f"No {name}: no relevant page links to another one."
    return (
        f"No {name}: no relevant page links to one on another site. For a single site use --site host or --site page."
    )


MUCH = 0.15  # of all pages: have a look at such a site before you trust its density
MANY = 10  # hosts: with few pages on each, the domain may invent host names


def site_lines(sites: Sequence[RankedSite], topics: Sequence[str]) -> Iterator[str]:
    """Yield sites with their best pages, best first."""
    yield f"Sites for {', '.join(topics)}, by the density of relevant pages that each surely has:"
    if not sites:
        yield "No sites: no page was judged relevant."
    for place, one in enumerate(sites, 1):
        yield ""
        density = f"{one.relevant:,} of {count(one.pages, 'page')} ({100 * one.density:.0f} %)"
        yield f"{place:>3}  {one.score:.3f}  {one.site}: {density}"
        if one.share >= MUCH or (one.hosts >= MANY and one.pages < 2 * one.hosts):
            yield (
                f"              {100 * one.share:.0f} of 100 pages that were judged are from here, from "
                f"{count(one.hosts, 'host')}: see "
                "whether they are what you look for, and lock the site if they are not (fetch.locked)"
            )
        for page in one.best:
            yield f"              {page.relevance:.2f}  {page.title or page.url}  {page.url}"
