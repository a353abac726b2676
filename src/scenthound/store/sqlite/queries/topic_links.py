"""Links between judged pages and the topics of these pages: what the company of topics is counted from.

Two plain scans, joined by the caller: a join of links with both of their pages in SQL takes twice as long.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

# Pages that the critic has judged, copies left out: their links are those of the page that they repeat. The month is
# that of the server's Last-Modified (RFC 9110 §8.8.2), empty without one.
_PAGES = """
SELECT p.url_id, p.n, p.topic, h.domain,
       CASE WHEN p.last_modified LIKE '___, __ ___ ____ %' THEN
           substr(p.last_modified, 13, 4) || '-'
           || printf('%02d', (instr('JanFebMarAprMayJunJulAugSepOctNovDec', substr(p.last_modified, 9, 3)) + 2) / 3)
       ELSE '' END
FROM pages p CROSS JOIN finds f ON f.id = p.url_id CROSS JOIN hosts h ON h.id = f.host_id
WHERE p.ending = 'page' AND p.relevance IS NOT NULL AND p.duplicate_of IS NULL AND p.near_duplicate_of IS NULL
ORDER BY p.n"""
_LINKS = "SELECT src, dst FROM links WHERE kind IN ('anchor', 'area') AND NOT nofollow"
_BATCH = 50_000


@dataclass(frozen=True, slots=True)
class TopicPage:
    """A judged page: the number of its URL, its place in the crawl, its topic, its site, and when it was changed."""

    id: int
    n: int
    topic: str
    site: str
    month: str


def topic_pages(con: sqlite3.Connection) -> list[TopicPage]:
    """Return all judged pages in fetch order."""
    return [TopicPage(*row) for row in con.execute(_PAGES)]


def page_links(con: sqlite3.Connection) -> Iterator[list[tuple[int, int]]]:
    """Yield all links that somebody wrote to be followed, as source and target, many at a time."""
    asked = con.execute(_LINKS)
    while rows := asked.fetchmany(_BATCH):
        yield rows
