"""`scenthound hubs`, `authorities` and `sites`: where a topic is best seen from, what is cited most, who specialises in it.

The distiller runs when asked, on the crawl as it is now, and the answer says how much it looked at.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from scenthound.cli.asking import asking
from scenthound.cli.reading import reading
from scenthound.crawl.directory import CrawlDirectory
from scenthound.crawl.stats import count
from scenthound.distill.best import Asked, Ranked, RankedSite, best_authorities, best_hubs, best_sites
from scenthound.distill.distiller import distil
from scenthound.distill.values import About, Distilled, Judge, Rules, Site
from scenthound.judge.base import Critic, Page
from scenthound.judge.kinds import load_critic
from scenthound.parse.terms import unpack
from scenthound.taxonomy import is_at_or_below
from scenthound.topics.names import find_topic

_JUDGED_AT_ONCE = 500  # pages whose words are in memory together
_PAGE = """
SELECT p.title, p.language, p.topic, t.packed FROM pages p LEFT JOIN terms t ON t.url_id = p.url_id WHERE p.url_id = ?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What was typed."""

    path: Path
    topic: str | None = None
    most: int = 20
    site: Site = Site.DOMAIN
    as_json: bool = False


def show_hubs(wish: Wish) -> int:
    """Print the best hubs."""
    return _show_ranked(wish, best_hubs, "hubs", "links to")


def show_authorities(wish: Wish) -> int:
    """Print the best authorities."""
    return _show_ranked(wish, best_authorities, "authorities", "cited by")


def show_sites(wish: Wish) -> int:
    """Print the sites with most that is relevant, for what they have in all."""
    directory = CrawlDirectory.open(wish.path)
    topic = _topic(directory, wish)
    with asking(directory) as con:
        asked = Asked(most=wish.most, about=_about(directory, con, topic))
        sites = best_sites(con, asked, accept=directory.settings().crawl.accept)
    topics = _topics(directory, topic)
    if wish.as_json:
        print(msgspec.json.encode({"topics": topics, "sites": sites}).decode())
    else:
        print("\n".join(site_lines(sites, topics)))
    return 0


def _show_ranked(
    wish: Wish, best: Callable[[sqlite3.Connection, Asked], list[Ranked]], name: str, relation: str
) -> int:
    directory = CrawlDirectory.open(wish.path)
    topic = _topic(directory, wish)
    with asking(directory) as con:
        about = _about(directory, con, topic)
        told = distil(con, Rules(site=wish.site), about)
        ranked = best(con, Asked(most=wish.most, site=wish.site, about=about))
    topics = _topics(directory, topic)
    if wish.as_json:
        print(msgspec.json.encode({"topics": topics, "distilled": told, name: ranked}).decode())
    else:
        print("\n".join(ranked_lines(ranked, told, topics, name=name, relation=relation)))
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


def _topic(directory: CrawlDirectory, wish: Wish) -> str | None:
    return find_topic(directory.topics(), wish.topic) if wish.topic is not None else None


def _topics(directory: CrawlDirectory, topic: str | None) -> list[str]:
    """Return what was distilled for: the topic asked for, or the good ones."""
    return [topic] if topic is not None else [good.path for good in directory.topics().good]


def _about(directory: CrawlDirectory, con: sqlite3.Connection, topic: str | None) -> About | None:
    return About(topic=topic, judge=_judge(directory, con, topic)) if topic is not None else None


def _judge(directory: CrawlDirectory, con: sqlite3.Connection, topic: str) -> Judge:
    """Return who says how much a page is about a topic: the crawl's critic, from the words that are stored."""
    with reading(directory) as store:
        record = store.critic()
    critic = load_critic(directory.path / record.model) if record is not None else None
    if critic is None or critic.wants_text:
        return lambda ids: [float(is_at_or_below(_row(con, id)[2], topic)) for id in ids]
    return lambda ids: [chance for some in _portions(ids) for chance in _chances(con, critic, topic, some)]


def _portions(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(ids), _JUDGED_AT_ONCE):
        yield ids[start : start + _JUDGED_AT_ONCE]


def _chances(con: sqlite3.Connection, critic: Critic, topic: str, ids: Sequence[int]) -> list[float]:
    rows = [_row(con, id) for id in ids]
    pages = [Page(title=title, language=language, terms=unpack(packed or b"")) for title, language, _, packed in rows]
    wanted = [place for place, path in enumerate(critic.classes) if is_at_or_below(path, topic)]
    return [float(chance) for chance in critic.judge(pages)[:, wanted].sum(axis=1)]


def _row(con: sqlite3.Connection, id: int) -> tuple[str, str, str, bytes | None]:
    title, language, topic, packed = con.execute(_PAGE, (id,)).fetchone()
    return title, language, topic, packed
