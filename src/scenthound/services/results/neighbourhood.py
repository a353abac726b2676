"""The graph around pages or a topic: the pages that they link to and that link to them, best first, and the links
between these.

What is read is bounded: of the links of all pages in the middle so many, and of a page that is cited by thousands the
first ones.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import UrlError
from scenthound.parse.urls import canonical, typed_address
from scenthound.services.sql.read_connection import asking
from scenthound.store.sqlite.queries.linked_pages import (
    best_among_latest,
    cited_ids,
    id_of_url,
    last_page,
    linked_ids,
    map_row,
    most_relevant,
)
from scenthound.taxonomy import Topics, is_at_or_below
from scenthound.topics.topic_names import find_topic

MOST: Final = 200  # pages in one picture
_BESIDE: Final = 4  # one page of so many is chosen for its links and not its relevance
MIDDLE: Final = 12  # best pages of a topic, around which the others are
LATEST: Final = (
    200_000  # pages among which those of a topic are looked for: to read them takes 0.15 s of processor time
)
_LINKS: Final = 4000  # to pages in the middle, and from them, that are looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class MapPage:
    """A page on the map. Fetched pages have `topic` and `relevance`; `middle` marks the centre."""

    id: int
    url: str
    host: str
    state: str
    title: str
    topic: str
    relevance: float | None
    middle: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MapLink:
    source: int
    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood:
    """Pages, those in the middle first and then the best, the links between them, and how many more are near."""

    pages: tuple[MapPage, ...]
    links: tuple[MapLink, ...]
    more: int
    latest: int = 0  # pages among which those of the topic were looked for, the latest ones; 0 where it was all


def neighbourhood_of(directory: CrawlDirectory, topic: str, urls: Sequence[str], *, most: int = 60) -> Neighbourhood:
    """Return the graph around the best pages of a topic ("" for none) and of those below it, and around some more
    pages.
    """
    with asking(directory) as con:
        best = best_of(con, directory.topics(), topic) if topic else Best()
        found = _around(con, [*best.ids, *(_id_of(con, url) for url in urls)], most)
    return replace(found, latest=best.latest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    ids: tuple[int, ...] = ()
    latest: int = 0


def best_of(con: sqlite3.Connection, topics: Topics, topic: str, *, seen: int = LATEST) -> Best:
    """Find the best pages of a topic: of a good one among the most relevant, of another (or a rare one) among the
    latest.
    """
    path = find_topic(topics, topic)
    if topics.is_good(path):
        relevant = most_relevant(con, seen // 10)
        found = tuple(islice((id for id, of in relevant if is_at_or_below(of, path)), MIDDLE))
        if len(found) == MIDDLE:
            return Best(ids=found)
    latest = best_among_latest(con, path, seen=seen, most=MIDDLE)
    return Best(ids=latest, latest=seen if last_page(con) > seen else 0)


def _id_of(con: sqlite3.Connection, url: str) -> int:
    address = canonical(typed_address(url) or "")
    if address is None:
        raise UrlError(f"{url} is not the address of a web page; write it as https://www.example.org/page")
    found = id_of_url(con, address)
    if found is None:
        raise UrlError(f"{address} was never seen: no page fetched so far links to it, and it is not a seed")
    return found


def _around(con: sqlite3.Connection, middle: Iterable[int], most: int) -> Neighbourhood:
    centres = list(dict.fromkeys(middle))[:MOST]
    each = max(20, _LINKS // max(1, len(centres)))
    near = Counter(other for id in centres for other in linked_ids(con, id, each) if other != id)
    others = [(_page(con, id, middle=False), times) for id, times in near.items() if id not in set(centres)]
    others.sort(key=lambda pair: (-_rank(pair[0]), -pair[1], pair[0].id))
    room = max(0, min(most, MOST) - len(centres))
    pages = (*(_page(con, id, middle=True) for id in centres), *_chosen(others, room))
    return Neighbourhood(pages=pages, links=_between(con, pages), more=max(0, len(others) - room))


def _chosen(others: Sequence[tuple[MapPage, int]], room: int) -> list[MapPage]:
    """Choose the best, and for the last quarter of the room those with most links to the middle, whatever they are
    about.

    With the best alone, the map around a good topic would show nothing but that topic, and not what lies beside it.
    """
    best = others[: room - room // _BESIDE]
    linked = sorted(others[len(best) :], key=lambda pair: (-pair[1], -_rank(pair[0]), pair[0].id))
    return [page for page, _ in (*best, *linked[: room - len(best)])]


def _rank(page: MapPage) -> float:
    """Return by what the best are chosen: relevance; what was not fetched or judged comes behind."""
    return -1.0 if page.relevance is None else page.relevance


def _page(con: sqlite3.Connection, id: int, *, middle: bool) -> MapPage:
    row = map_row(con, id)
    return MapPage(
        id=id,
        url=row.url,
        host=row.host,
        state=row.state,
        title=row.title,
        topic=row.topic,
        relevance=row.relevance,
        middle=middle,
    )


def _between(con: sqlite3.Connection, pages: Sequence[MapPage]) -> tuple[MapLink, ...]:
    there = {page.id for page in pages}
    return tuple(
        MapLink(source=page.id, target=target)
        for page in pages
        for target in cited_ids(con, page.id)
        if target in there and target != page.id
    )
