"""The best hubs, authorities and sites of a crawl, distilled when asked for, on the crawl as it is now."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.trust_check import saved_critic
from scenthound.distill.distiller import distil, only_site
from scenthound.distill.ranking import Asked, Ranked, RankedSite, best_authorities, best_hubs, best_sites
from scenthound.distill.scores import About, Distilled, Judge, Rules
from scenthound.distill.site import Site
from scenthound.judge.critic import Critic, Page
from scenthound.parse.words.terms import unpack
from scenthound.services.crawls.reader_store import reading
from scenthound.services.sql.read_connection import asking
from scenthound.store.sqlite.queries.linked_pages import page_words
from scenthound.taxonomy import is_at_or_below
from scenthound.topics.topic_names import find_topic

_JUDGED_AT_ONCE = 500  # pages whose words are in memory together


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is asked for: the topic, instead of all good ones, how many, and what counts as one site.

    Without `site` that is the registered domain, and each page where the whole crawl is of one domain.
    """

    topic: str | None = None
    most: int = 20
    site: Site | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPages:
    """Hubs or authorities, best first, the topics that they are of, and what was looked at.

    `only` is the one site that all pages are of, where each page was taken for a site because of that.
    """

    topics: tuple[str, ...]
    distilled: Distilled
    pages: tuple[Ranked, ...]
    site: Site = Site.DOMAIN
    only: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedSites:
    """Sites, best first, and the topics in which they specialise."""

    topics: tuple[str, ...]
    sites: tuple[RankedSite, ...]


def hubs_of(directory: CrawlDirectory, wanted: Wanted) -> RankedPages:
    """Return the pages that lead to many good ones."""
    return _ranked(directory, wanted, best_hubs)


def authorities_of(directory: CrawlDirectory, wanted: Wanted) -> RankedPages:
    """Return the pages that good hubs link to."""
    return _ranked(directory, wanted, best_authorities)


def sites_of(directory: CrawlDirectory, wanted: Wanted) -> RankedSites:
    """Return the sites with most that is relevant, for what they have in all."""
    topic = _topic(directory, wanted)
    with asking(directory) as con:
        asked = Asked(most=wanted.most, about=_about(directory, con, topic))
        sites = best_sites(con, asked, accept=directory.settings().crawl.accept)
    return RankedSites(topics=_topics(directory, topic), sites=tuple(sites))


def _ranked(
    directory: CrawlDirectory, wanted: Wanted, best: Callable[[sqlite3.Connection, Asked], list[Ranked]]
) -> RankedPages:
    topic = _topic(directory, wanted)
    with asking(directory) as con:
        about = _about(directory, con, topic)
        only = only_site(con) if wanted.site is None else ""
        site = wanted.site or (Site.PAGE if only else Site.DOMAIN)
        told = distil(con, Rules(site=site), about)
        ranked = best(con, Asked(most=wanted.most, site=site, about=about))
    return RankedPages(topics=_topics(directory, topic), distilled=told, pages=tuple(ranked), site=site, only=only)


def _topic(directory: CrawlDirectory, wanted: Wanted) -> str | None:
    return find_topic(directory.topics(), wanted.topic) if wanted.topic is not None else None


def _topics(directory: CrawlDirectory, topic: str | None) -> tuple[str, ...]:
    """Return what was distilled for: the topic asked for, or the good ones."""
    return (topic,) if topic is not None else tuple(good.path for good in directory.topics().good)


def _about(directory: CrawlDirectory, con: sqlite3.Connection, topic: str | None) -> About | None:
    return About(topic=topic, judge=_judge(directory, con, topic)) if topic is not None else None


def _judge(directory: CrawlDirectory, con: sqlite3.Connection, topic: str) -> Judge:
    """Return who says how much a page is about a topic: the crawl's critic, from the words that are stored."""
    with reading(directory) as store:
        record = store.critic()
    critic = saved_critic(directory.path, record.model) if record is not None else None
    if critic is None or critic.wants_text:
        return lambda ids: [float(is_at_or_below(page_words(con, id).topic, topic)) for id in ids]
    return lambda ids: [chance for some in _portions(ids) for chance in _chances(con, critic, topic, some)]


def _portions(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(ids), _JUDGED_AT_ONCE):
        yield ids[start : start + _JUDGED_AT_ONCE]


def _chances(con: sqlite3.Connection, critic: Critic, topic: str, ids: Sequence[int]) -> list[float]:
    rows = [page_words(con, id) for id in ids]
    pages = [Page(title=row.title, language=row.language, terms=unpack(row.terms)) for row in rows]
    wanted = [place for place, path in enumerate(critic.classes) if is_at_or_below(path, topic)]
    return [float(chance) for chance in critic.judge(pages)[:, wanted].sum(axis=1)]
