"""The best hubs, authorities and sites of a crawl, with what makes them so, after a distillation.

Hubs come with the authorities they link to (FOCUS §4.6), authorities with the hubs that cite them, and sites in the
order of the density of relevant pages on them (FOCUS §1, "Locating specialty sites").
"""

import math
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from scenthound.distill.score_tables import ENDORSING, topic_at_or_below
from scenthound.distill.scores import About
from scenthound.distill.site import Site
from scenthound.store.sqlite.queries.ranking_rows import (
    BEST,
    ELSEWHERE,
    HOSTS_OF_SITE,
    JUDGED,
    NEIGHBOURS,
    OWN,
    PAGES_OF_SITE,
    SITES,
    UNVISITED,
)

SURE = 1.96  # standard deviations: of a hundred densities that we may be sure of, all but a few are really greater
_JUDGED_OF_SITE = 200  # pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A page at the other end of a link, with its own score: an authority that a hub links to, or a hub that cites."""

    url: str
    title: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A hub with the best authorities it links to, or an authority with the best hubs that cite it.

    `count` is how many there are of these in all; `unvisited` how many URLs a hub links to that nobody has asked for.
    """

    url: str
    title: str
    score: float
    relevance: float | None
    topic: str
    neighbours: tuple[Neighbour, ...]
    count: int
    unvisited: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePage:
    """A page as an example of its site."""

    url: str
    title: str
    relevance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedSite:
    """A site: how many of its pages were judged, how many are relevant, and its best ones.

    `score` is the density that we may be sure of: the lower end of Wilson's interval, which a site with one page in one
    does not get far with.
    """

    site: str
    score: float
    pages: int
    relevant: int
    density: float
    best: tuple[SitePage, ...]
    share: float = 0.0  # of all pages that were judged
    hosts: int = 1  # with pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How many to return, how many neighbours or pages of each, what a site is, and the topic if there is one."""

    most: int = 20
    neighbours: int = 3
    site: Site = Site.DOMAIN
    about: About | None = None


def best_hubs(con: sqlite3.Connection, asked: Asked) -> list[Ranked]:
    """Return the best hubs, with the best authorities that each links to."""
    query = _along(NEIGHBOURS, asked, near="src", far="dst", table="AUTH")
    unvisited = _along(UNVISITED, asked)
    return [
        replace(hub, unvisited=con.execute(unvisited, {"oid": oid}).fetchone()[0])
        for oid, hub in _ranked(con, "HUBS", query, asked)
    ]


def best_authorities(con: sqlite3.Connection, asked: Asked) -> list[Ranked]:
    """Return the best authorities, with the best hubs that cite each."""
    query = _along(NEIGHBOURS, asked, near="dst", far="src", table="HUBS")
    return [authority for _, authority in _ranked(con, "AUTH", query, asked)]


def _along(query: str, asked: Asked, **names: str) -> str:
    return query.format(own=OWN, endorsing=ENDORSING, elsewhere=ELSEWHERE[asked.site], **names)


def _ranked(con: sqlite3.Connection, table: str, query: str, asked: Asked) -> Iterator[tuple[int, Ranked]]:
    rows = con.execute(BEST.format(table=table), (asked.most,)).fetchall()
    judged = asked.about.judge([row[0] for row in rows]) if asked.about else [row[4] for row in rows]
    for (oid, url, title, score, _, topic), relevance in zip(rows, judged, strict=True):
        found = con.execute(query, {"oid": oid, "most": asked.neighbours}).fetchall()
        yield (
            oid,
            Ranked(
                url=url,
                title=title,
                score=score,
                relevance=relevance,
                topic=topic,
                neighbours=tuple(Neighbour(url=there, title=name, score=worth) for there, name, worth, _ in found),
                count=found[0][3] if found else 0,
            ),
        )


def best_sites(con: sqlite3.Connection, asked: Asked, *, accept: float = 0.5) -> list[RankedSite]:
    """Return sites by the density and number of their relevant pages.

    A page is relevant from `accept` on; for one topic, if the critic put it there or into a topic below.
    """
    relevant = "p.relevance >= :accept" if asked.about is None else topic_at_or_below("p.topic", ":topic")
    values = {"accept": accept, "topic": asked.about.topic if asked.about else None}
    rows = con.execute(SITES.format(relevant=relevant), values).fetchall()
    judged = max(1, con.execute(JUDGED).fetchone()[0])
    rows.sort(key=lambda row: (-surely(row[2], row[1]), row[0]))
    return [
        RankedSite(
            site=site,
            score=surely(number, pages),
            pages=pages,
            relevant=number,
            density=number / pages,
            best=_best_pages(con, relevant, {**values, "site": site}, asked),
            share=pages / judged,
            hosts=con.execute(HOSTS_OF_SITE, (site,)).fetchone()[0],
        )
        for site, pages, number in rows[: asked.most]
    ]


def _best_pages(
    con: sqlite3.Connection, relevant: str, values: Mapping[str, float | str | None], asked: Asked
) -> tuple[SitePage, ...]:
    """Return the most relevant pages of a site; for one topic, of the first few hundred, which are judged again."""
    order, limit = ("p.relevance DESC, p.n", asked.neighbours) if asked.about is None else ("p.n", _JUDGED_OF_SITE)
    rows = con.execute(PAGES_OF_SITE.format(relevant=relevant, order=order, limit=limit), values).fetchall()
    judged = asked.about.judge([row[0] for row in rows]) if asked.about else [row[3] for row in rows]
    pages = [SitePage(url=row[1], title=row[2], relevance=chance) for row, chance in zip(rows, judged, strict=True)]
    return tuple(sorted(pages, key=lambda page: -page.relevance)[: asked.neighbours])


def surely(relevant: int, pages: int) -> float:
    """Return the density of relevant pages that a site surely has, judging by a sample (Wilson, JASA 1927).

    >>> [round(surely(*counted), 2) for counted in ((1, 1), (10, 10), (50, 60), (3, 60))]
    [0.21, 0.72, 0.72, 0.02]
    """
    share, doubt = relevant / pages, SURE**2 / pages
    spread = SURE * math.sqrt(share * (1 - share) / pages + doubt / (4 * pages))
    return max(0.0, (share + doubt / 2 - spread) / (1 + doubt))
