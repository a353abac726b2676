"""`scenthound hubs`, `authorities` and `sites`: where a topic is best seen from, what is cited most, who specialises in it.

The distiller runs when asked, on the crawl as it is now, and the answer says how much it looked at.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from scenthound.crawl.directory import CrawlDirectory
from scenthound.crawl.stats import count
from scenthound.desk.best import RankedPages, Wanted, authorities_of, hubs_of, sites_of
from scenthound.distill.best import Ranked, RankedSite
from scenthound.distill.site import Site
from scenthound.distill.values import Distilled


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What was typed."""

    path: Path
    topic: str | None = None
    most: int = 20
    site: Site = Site.DOMAIN
    as_json: bool = False

    @property
    def wanted(self) -> Wanted:
        return Wanted(topic=self.topic, most=self.most, site=self.site)


def show_hubs(wish: Wish) -> int:
    """Print the best hubs."""
    return _show_ranked(wish, hubs_of(CrawlDirectory.open(wish.path), wish.wanted), "hubs", "links to")


def show_authorities(wish: Wish) -> int:
    """Print the best authorities."""
    return _show_ranked(wish, authorities_of(CrawlDirectory.open(wish.path), wish.wanted), "authorities", "cited by")


def show_sites(wish: Wish) -> int:
    """Print the sites with most that is relevant, for what they have in all."""
    found = sites_of(CrawlDirectory.open(wish.path), wish.wanted)
    if wish.as_json:
        print(msgspec.json.encode({"topics": found.topics, "sites": found.sites}).decode())
    else:
        print("\n".join(site_lines(found.sites, found.topics)))
    return 0


def _show_ranked(wish: Wish, found: RankedPages, name: str, relation: str) -> int:
    if wish.as_json:
        told = {"topics": found.topics, "distilled": found.distilled, name: found.pages}
        print(msgspec.json.encode(told).decode())
    else:
        print("\n".join(ranked_lines(found.pages, found.distilled, found.topics, name=name, relation=relation)))
    return 0


def ranked_lines(
    ranked: Sequence[Ranked], told: Distilled, topics: Sequence[str], *, name: str, relation: str
) -> Iterator[str]:
    """Yield hubs or authorities with their neighbours, best first."""
    yield (
        f"{name.capitalize()} for {', '.join(topics)}: {count(told.pages, 'page')}, {count(told.links, 'link')} between sites "
        f"to {told.authorities:,} of the most relevant, {told.rounds} rounds in {told.method}."
    )
    if not ranked:
        yield why_none(told, name)
    for place, one in enumerate(ranked, 1):
        yield ""
        yield f"{place:>3}  {one.score:.4f}  {one.title or one.url}"
        yield f"             {one.url}"
        more = f", and {count(one.unvisited, 'URL')} not asked for yet" if one.unvisited else ""
        yield f"             {relation} {one.count:,}{more}:"
        for there in one.neighbours:
            yield f"               {there.score:.4f}  {there.title or there.url}  {there.url}"


def why_none(told: Distilled, name: str) -> str:
    """Say what is missing where nothing was found."""
    if not told.pages:
        return f"No {name}: no page was judged; that takes examples and a critic (critic.kind), and pages that were fetched."
    return f"No {name}: no relevant page links to one on another site. Within one site, --site host or --site page finds some."


def site_lines(sites: Sequence[RankedSite], topics: Sequence[str]) -> Iterator[str]:
    """Yield sites with their best pages, best first."""
    yield f"Sites for {', '.join(topics)}, by the density of relevant pages that each surely has:"
    if not sites:
        yield "No sites: no page was judged relevant."
    for place, one in enumerate(sites, 1):
        yield ""
        yield f"{place:>3}  {one.score:.3f}  {one.site}: {one.relevant:,} of {count(one.pages, 'page')} ({100 * one.density:.0f} %)"
        for page in one.best:
            yield f"              {page.relevance:.2f}  {page.title or page.url}  {page.url}"
