"""What a portal asks the crawl's database: the pages that it shows, and what hubs and authorities are to each topic."""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec
from msgspec import Struct

from scenthound.types import ArchiveSpot

# A page visited again has appeared at its first visit, and was new again at the last one that found a change.
_COLUMNS: Final = """
SELECT p.url_id, p.n, f.url, h.name, h.domain, p.title, p.language, p.topic, coalesce(p.relevance, 0),
       coalesce((SELECT v.at FROM visits v WHERE v.url_id = p.url_id ORDER BY v.number LIMIT 1), p.fetched_at),
       (SELECT max(v.at) FROM visits v WHERE v.url_id = p.url_id AND v.change = 'changed'),
       p.digest, p.archive_file, p.archive_offset, p.archive_length
FROM pages p CROSS JOIN finds f ON f.id = p.url_id CROSS JOIN hosts h ON h.id = f.host_id"""
_SHOWN: Final = (
    _COLUMNS
    + """
WHERE p.ending = 'page' AND p.relevance >= ? AND p.duplicate_of IS NULL AND p.near_duplicate_of IS NULL ORDER BY p.n"""
)
_SOME: Final = _COLUMNS + " WHERE p.ending = 'page' AND p.url_id IN (SELECT value FROM json_each(?)) ORDER BY p.n"
# After a distillation: what the best hubs give to each topic. A link counts once, by the authority of where it leads.
_HUBS: Final = """
SELECT src, topic, sum(score), count(*) FROM (
    SELECT DISTINCT l.src, p.topic, a.oid, a.score
    FROM (SELECT oid FROM HUBS WHERE score > 0 ORDER BY score DESC, oid LIMIT ?) h CROSS JOIN links l ON l.src = h.oid
    CROSS JOIN AUTH a ON a.oid = l.dst CROSS JOIN pages p ON p.url_id = a.oid
    WHERE a.score > 0 AND l.dst <> l.src) given
GROUP BY src, topic"""
_AUTHORITIES: Final = "SELECT oid, score FROM AUTH WHERE score > 0"
_CITING: Final = """
SELECT count(DISTINCT h.domain) FROM links l CROSS JOIN finds f ON f.id = l.src CROSS JOIN hosts h ON h.id = f.host_id
WHERE l.dst = ? AND h.domain <> ?"""
_SITES: Final = """
SELECT h.domain, count(*) FROM pages p JOIN finds f ON f.id = p.url_id JOIN hosts h ON h.id = f.host_id
WHERE p.ending = 'page' AND p.relevance IS NOT NULL AND p.duplicate_of IS NULL AND p.near_duplicate_of IS NULL
GROUP BY h.domain"""
_LATEST: Final = """
SELECT (SELECT coalesce(max(fetched_at), 0) FROM pages), (SELECT coalesce(max(version), 0) FROM distillations),
       (SELECT count(*) FROM links), (SELECT count(*) FROM visits)"""


class ShownPage(Struct, frozen=True, kw_only=True):
    """A page of a portal. A struct, because there are a hundred thousand."""

    id: int
    n: int
    url: str
    host: str
    site: str
    title: str
    language: str
    topic: str
    relevance: float
    first: float
    changed: float | None
    digest: str
    spot: ArchiveSpot | None


class HubShare(Struct, frozen=True, kw_only=True):
    """What a hub gives to a topic: the authority of the pages there that it links to, and their number."""

    hub: int
    topic: str
    score: float
    pages: int


def shown_pages(con: sqlite3.Connection, relevance: float) -> Iterator[ShownPage]:
    """Yield pages with at least this relevance that repeat no other, in fetch order."""
    return map(_page, con.execute(_SHOWN, (relevance,)))


def some_pages(con: sqlite3.Connection, ids: Iterable[int]) -> list[ShownPage]:
    """Return pages by their ids."""
    return [_page(row) for row in con.execute(_SOME, (msgspec.json.encode(list(ids)).decode(),))]


def hub_shares(con: sqlite3.Connection, most: int) -> list[HubShare]:
    """Return what the best hubs give to each topic, after a distillation."""
    rows = con.execute(_HUBS, (most,))
    return [HubShare(hub=hub, topic=topic, score=score, pages=pages) for hub, topic, score, pages in rows]


def authority_scores(con: sqlite3.Connection) -> dict[int, float]:
    """Return the score of each authority, after a distillation."""
    return dict(con.execute(_AUTHORITIES).fetchall())


def citing_sites(con: sqlite3.Connection, id: int, site: str) -> int:
    """Count the sites other than its own with a link to a page."""
    return int(con.execute(_CITING, (id, site)).fetchone()[0])


def pages_of_sites(con: sqlite3.Connection) -> dict[str, int]:
    """Count the judged pages of each registered domain."""
    return dict(con.execute(_SITES).fetchall())


def crawl_mark(con: sqlite3.Connection) -> tuple[float, int, int, int]:
    """Return what changes when pages, links, visits or hubs do."""
    latest, version, links, visits = con.execute(_LATEST).fetchone()
    return latest, version, links, visits


def _page(row: tuple[Any, ...]) -> ShownPage:
    id, n, url, host, site, title, language, topic, relevance, first, changed, digest, file, offset, length = row
    spot = None if file is None else ArchiveSpot(file=file, offset=offset, length=length)
    return ShownPage(
        id=id, n=n, url=url, host=host, site=site, title=title, language=language, topic=topic, relevance=relevance,
        first=first, changed=changed, digest=digest, spot=spot,
    )  # fmt: skip
