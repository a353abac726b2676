"""Hubs and authorities in the database: results of distillations, and links of hubs that nobody has followed."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from math import fsum

from scenthound.store.sqlite.links import url_id
from scenthound.store.sqlite.priorities import move
from scenthound.store.sqlite.state import State
from scenthound.types import Distillation, LinkYield, PageScore, Unvisited

_LOG = "INSERT INTO distillations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_LOGGED = """
SELECT version, at, critic, lesson, pages, links, relevance, site, hubs FROM distillations
WHERE version > ? ORDER BY version"""
_NEXT = "SELECT coalesce(max(version), 0) + 1 FROM distillations"
_SCORES = "SELECT f.url, p.hub, p.authority FROM prestige p CROSS JOIN finds f ON f.id = p.url_id"
_BEST = f"{_SCORES} WHERE p.{{kind}} > 0 ORDER BY p.{{kind}} DESC, p.url_id LIMIT ?"
# The links of one page that were written to be followed, to URLs that wait (state 0) and were never fetched.
_UNVISITED = """
SELECT f.id, f.url, s.priority
FROM links l CROSS JOIN finds f ON f.id = l.dst CROSS JOIN standings s ON s.host_id = f.host_id AND s.key = f.key
WHERE l.src = ? AND l.kind IN ('anchor', 'area') AND NOT l.nofollow
AND s.state = 0 AND NOT f.fetched_before AND NOT s.example"""

# The judged pages that the links of one page lead to; a redirect has no relevance.
_YIELD = """
SELECT p.relevance FROM pages p WHERE p.ending = 'page' AND p.relevance IS NOT NULL AND p.url_id IN (
    SELECT l.dst FROM links l WHERE l.src = ? AND l.kind IN ('anchor', 'area') AND NOT l.nofollow)"""


class SqliteHubs(State):
    """Verbs about hubs and authorities."""

    def distilled(
        self, found: Distillation, scores: Sequence[PageScore], *, moves: Mapping[str, float], now: float
    ) -> int:
        with self._work(now, durable=True) as work:
            version = distilled(work.con, found, scores)
            move(work, moves)
            work.finish()
        self._session.turn_log()
        return version

    def distillations(self, *, after: int = 0) -> list[Distillation]:
        with self._session.snapshot() as con:
            return distillations(con, after)

    def last_distillation(self) -> Distillation | None:
        with self._session.snapshot() as con:
            found = distillations(con, con.execute(_NEXT).fetchone()[0] - 2)
        return found[-1] if found else None

    def page_scores(self, urls: Sequence[str]) -> dict[str, PageScore]:
        with self._session.snapshot() as con:
            return page_scores(con, urls)

    def hubs(self, *, limit: int) -> list[PageScore]:
        with self._session.errors():
            return best(self._session.con, "hub", limit)

    def authorities(self, *, limit: int) -> list[PageScore]:
        with self._session.errors():
            return best(self._session.con, "authority", limit)

    def unvisited(self, urls: Sequence[str]) -> list[Unvisited]:
        with self._session.snapshot() as con:
            return unvisited(con, urls)

    def link_yields(self, urls: Sequence[str]) -> dict[str, LinkYield]:
        with self._session.snapshot() as con:
            return link_yields(con, urls)

    def link_count(self) -> int:
        with self._session.errors():
            return int(self._session.con.execute("SELECT count(*) FROM links").fetchone()[0])


def distilled(con: sqlite3.Connection, found: Distillation, scores: Sequence[PageScore]) -> int:
    """Write a distillation and return its version."""
    hubs = json.dumps([(id, hub.hub) for id, hub in _known(con, found.hubs)])
    version = int(con.execute(_NEXT).fetchone()[0])
    con.execute(
        _LOG,
        (version, found.at, found.critic, found.lesson, found.pages, found.links, found.relevance, found.site, hubs),
    )
    con.execute("DELETE FROM prestige")
    rows = {id: (id, score.hub, score.authority) for id, score in _known(con, scores)}
    con.executemany("INSERT INTO prestige VALUES (?, ?, ?)", [rows[id] for id in sorted(rows)])
    return version


def _known(con: sqlite3.Connection, scores: Sequence[PageScore]) -> Iterator[tuple[int, PageScore]]:
    for score in scores:
        id = url_id(con, score.url)
        if id is not None:
            yield id, score


def distillations(con: sqlite3.Connection, after: int) -> list[Distillation]:
    """Return the log from a version on."""
    return [
        Distillation(
            version=version,
            at=at,
            critic=critic,
            lesson=lesson,
            pages=pages,
            links=links,
            relevance=relevance,
            site=site,
            hubs=tuple(_named(con, hubs)),
        )
        for version, at, critic, lesson, pages, links, relevance, site, hubs in con.execute(_LOGGED, (after,))
    ]


def _named(con: sqlite3.Connection, hubs: str) -> Iterator[PageScore]:
    for id, score in json.loads(hubs):
        [url] = con.execute("SELECT url FROM finds WHERE id = ?", (id,)).fetchone()
        yield PageScore(url=url, hub=score)


def page_scores(con: sqlite3.Connection, urls: Sequence[str]) -> dict[str, PageScore]:
    """Return the scores of pages."""
    ids = ((url, url_id(con, url)) for url in urls)
    rows = ((url, con.execute(f"{_SCORES} WHERE p.url_id = ?", (id,)).fetchone()) for url, id in ids if id is not None)
    return {url: PageScore(url=row[0], hub=row[1], authority=row[2]) for url, row in rows if row}


def best(con: sqlite3.Connection, kind: str, limit: int) -> list[PageScore]:
    """Return the best hubs or authorities."""
    rows = con.execute(_BEST.format(kind=kind), (limit,))
    return [PageScore(url=url, hub=hub, authority=authority) for url, hub, authority in rows]


def unvisited(con: sqlite3.Connection, urls: Sequence[str]) -> list[Unvisited]:
    """Return what pages link to and nobody has fetched."""
    found: dict[int, tuple[str, float]] = {}
    cited_by: dict[int, dict[str, None]] = {}
    for page in dict.fromkeys(urls):
        for id, url, priority in con.execute(_UNVISITED, (url_id(con, page),)):
            found[id] = (url, priority)
            cited_by.setdefault(id, {})[page] = None
    return [Unvisited(url=found[id][0], priority=found[id][1], cited_by=tuple(cited_by[id])) for id in sorted(found)]


def link_yields(con: sqlite3.Connection, urls: Sequence[str]) -> dict[str, LinkYield]:
    """Return what the links of pages have led to."""
    found = {}
    for page in urls:
        came = [relevance for (relevance,) in con.execute(_YIELD, (url_id(con, page),))]
        if came:
            found[page] = LinkYield(pages=len(came), relevance=fsum(came))
    return found
