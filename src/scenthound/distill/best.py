"""The best hubs, authorities and sites of a crawl, with what makes them so, after a distillation.

Hubs come with the authorities they link to (FOCUS §4.6), authorities with the hubs that cite them, and sites in the order of
the density of relevant pages on them (FOCUS §1, "Locating specialty sites").
"""

import math
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from scenthound.distill.site import Site
from scenthound.distill.tables import ENDORSING, topic_at_or_below
from scenthound.distill.values import About

SURE = 1.96  # standard deviations: of a hundred densities that we may be sure of, all but a few are really greater
_JUDGED_OF_SITE = 200  # pages

_BEST = """
SELECT s.oid, f.url, p.title, s.score, p.relevance, p.topic
FROM {table} s JOIN finds f ON f.id = s.oid JOIN pages p ON p.url_id = s.oid
WHERE s.score > 0 ORDER BY s.score DESC, s.oid LIMIT ?"""
# A page and all that was merged into it.
_OWN = "WITH own (id) AS (SELECT :oid UNION ALL SELECT url_id FROM MERGED WHERE oid = :oid)"
# From a page along its links one way, to pages of other sites that have a score; every page once, best first.
_NEIGHBOURS = """
{own}
SELECT f.url, p.title, s.score, count(*) OVER ()
FROM own CROSS JOIN links l ON l.{near} = own.id LEFT JOIN MERGED m ON m.url_id = l.{far}
JOIN {table} s ON s.oid = coalesce(m.oid, l.{far}) JOIN finds f ON f.id = s.oid JOIN pages p ON p.url_id = s.oid
WHERE {endorsing} AND s.score > 0 AND {elsewhere}
GROUP BY s.oid ORDER BY s.score DESC, s.oid LIMIT :most"""
_ELSEWHERE = {
    Site.DOMAIN: """
(SELECT h.domain FROM hosts h WHERE h.id = f.host_id)
    <> (SELECT h.domain FROM finds o JOIN hosts h ON h.id = o.host_id WHERE o.id = :oid)""",
    Site.HOST: "f.host_id <> (SELECT host_id FROM finds WHERE id = :oid)",
    Site.PAGE: "f.id <> :oid",
}
# What a page links to on other sites and nobody has asked for yet (FOCUS §4.7).
_UNVISITED = """
{own}
SELECT count(DISTINCT u.id)
FROM own CROSS JOIN links l ON l.src = own.id CROSS JOIN urls u ON u.id = l.dst JOIN finds f ON f.id = u.id
WHERE {endorsing} AND u.state = 'waiting' AND NOT u.fetched_before AND {elsewhere}"""
# By registered domain; pages that repeat another do not count. `relevant` is a condition on p.
_SITES = """
SELECT h.domain, count(*), sum({relevant})
FROM pages p JOIN finds f ON f.id = p.url_id JOIN hosts h ON h.id = f.host_id
WHERE p.ending = 'page' AND p.relevance IS NOT NULL AND p.duplicate_of IS NULL AND p.near_duplicate_of IS NULL
GROUP BY h.domain HAVING sum({relevant}) > 0"""
_JUDGED = """
SELECT count(*) FROM pages p
WHERE p.ending = 'page' AND p.relevance IS NOT NULL AND p.duplicate_of IS NULL AND p.near_duplicate_of IS NULL"""
_HOSTS_OF_SITE = "SELECT count(*) FROM hosts WHERE domain = ? AND pages > 0"
_OF_SITE = """
SELECT s.id, f.url, p.title, p.relevance
FROM hosts h JOIN standings s ON s.host_id = h.id JOIN pages p ON p.url_id = s.id JOIN finds f ON f.id = s.id
WHERE h.domain = :site AND p.ending = 'page' AND {relevant} AND p.duplicate_of IS NULL AND p.near_duplicate_of IS NULL
ORDER BY {order} LIMIT {limit}"""


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
    """How many are wanted, how many neighbours or pages of each, what a site is, and the topic if it is a single one."""

    most: int = 20
    neighbours: int = 3
    site: Site = Site.DOMAIN
    about: About | None = None


def best_hubs(con: sqlite3.Connection, asked: Asked) -> list[Ranked]:
    """Return the best hubs, with the best authorities that each links to."""
    query = _along(_NEIGHBOURS, asked, near="src", far="dst", table="AUTH")
    unvisited = _along(_UNVISITED, asked)
    return [
        replace(hub, unvisited=con.execute(unvisited, {"oid": oid}).fetchone()[0])
        for oid, hub in _ranked(con, "HUBS", query, asked)
    ]


def best_authorities(con: sqlite3.Connection, asked: Asked) -> list[Ranked]:
    """Return the best authorities, with the best hubs that cite each."""
    query = _along(_NEIGHBOURS, asked, near="dst", far="src", table="HUBS")
    return [authority for _, authority in _ranked(con, "AUTH", query, asked)]


def _along(query: str, asked: Asked, **names: str) -> str:
    return query.format(own=_OWN, endorsing=ENDORSING, elsewhere=_ELSEWHERE[asked.site], **names)


def _ranked(con: sqlite3.Connection, table: str, query: str, asked: Asked) -> Iterator[tuple[int, Ranked]]:
    rows = con.execute(_BEST.format(table=table), (asked.most,)).fetchall()
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
    rows = con.execute(_SITES.format(relevant=relevant), values).fetchall()
    judged = max(1, con.execute(_JUDGED).fetchone()[0])
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
            hosts=con.execute(_HOSTS_OF_SITE, (site,)).fetchone()[0],
        )
        for site, pages, number in rows[: asked.most]
    ]


def _best_pages(
    con: sqlite3.Connection, relevant: str, values: Mapping[str, float | str | None], asked: Asked
) -> tuple[SitePage, ...]:
    """Return the most relevant pages of a site; for one topic, of the first few hundred, for they are judged anew."""
    order, limit = ("p.relevance DESC, p.n", asked.neighbours) if asked.about is None else ("p.n", _JUDGED_OF_SITE)
    rows = con.execute(_OF_SITE.format(relevant=relevant, order=order, limit=limit), values).fetchall()
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
