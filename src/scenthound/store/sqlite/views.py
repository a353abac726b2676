"""A crawl as people see it: totals, one URL's story, the export. Nothing here writes, so a reader may call it all."""

import sqlite3
from collections.abc import Iterator

from scenthound.parse.urls import host_of, origin_of
from scenthound.store.rules import CITATIONS_SHOWN
from scenthound.store.sqlite import visits
from scenthound.store.sqlite.cache.host_rows import SELECT_HOST, Host
from scenthound.store.sqlite.claim import next_due
from scenthound.store.sqlite.hosts import host_view, read_robots
from scenthound.store.sqlite.links import url_key
from scenthound.store.sqlite.rows import page_row
from scenthound.store.sqlite.state import State
from scenthound.types import Attempt, Census, Citation, Ending, Errand, LinkKind, PageRow, Reason, RecentPage, Story

_STORY = """
SELECT u.id, u.state, u.host_id, u.priority, u.demoted, u.depth, u.hops, u.tries, u.found_at, u.found_by, u.reason,
       u.detail
FROM hosts h JOIN standings s ON s.host_id = h.id JOIN urls u ON u.id = s.id
WHERE h.name = ? AND s.key = ? AND u.url = ?"""
_CITATIONS = """
SELECT s.url, l.kind, l.text, l.nofollow FROM links l JOIN finds s ON s.id = l.src
WHERE l.dst = ? ORDER BY l.src, l.position LIMIT ?"""
_ATTEMPTS = "SELECT at, ending, reason, detail, status, seconds, ip, errand FROM fetches WHERE url_id = ? ORDER BY id"
# From the end of pages until there are enough; examples, redirects and failures are skipped.
_RECENT = """
SELECT p.n, f.url, h.name, p.fetched_at, p.relevance, CASE WHEN p.relevance IS NULL THEN '' ELSE p.topic END,
       p.duplicate_of IS NOT NULL OR p.near_duplicate_of IS NOT NULL
FROM pages p JOIN finds f ON f.id = p.url_id JOIN hosts h ON h.id = f.host_id
WHERE p.ending = 'page' AND p.counts ORDER BY p.n DESC LIMIT ?"""
_CHUNK = 500  # rows of an export read at once: no read stays open while the caller does something else


class SqliteViews(State):
    """Verbs that only read."""

    def census(self, *, now: float) -> Census:
        with self._session.snapshot() as con:
            return census(con, now)

    def story(self, url: str, *, now: float) -> Story | None:
        with self._session.snapshot() as con:
            return story(con, url, now)

    def pages(
        self, *, after: int = 0, everything: bool = False, min_relevance: float | None = None
    ) -> Iterator[PageRow]:
        with self._session.errors():
            yield from pages(self._session.con, after=after, everything=everything, min_relevance=min_relevance)

    def recent(self, *, limit: int) -> list[RecentPage]:
        with self._session.errors():
            return recent(self._session.con, limit)


def census(con: sqlite3.Connection, now: float) -> Census:
    """Read the totals. A host counts as parked once a claim has skipped it."""
    totals: dict[str, float] = dict(con.execute("SELECT name, value FROM counters").fetchall())
    woken = con.execute("SELECT count(*) FROM hosts WHERE state = 'resting' AND due <= ?", (now,)).fetchone()[0]

    def total(name: str) -> int:
        return int(totals.get(name, 0))

    def part(prefix: str) -> dict[str, int]:
        return {name.removeprefix(prefix): int(n) for name, n in totals.items() if name.startswith(prefix) and n}

    return Census(
        pages=total("pages"),
        waiting=total("url:waiting"),
        claimed=total("url:claimed"),
        redirects=total("url:redirect"),
        failed=total("url:failed"),
        known=sum(part("url:").values()),
        duplicates=total("duplicates"),
        near_duplicates=total("near_duplicates"),
        relevance_sum=totals.get("relevance_sum", 0.0),
        judged=total("judged"),
        hosts=sum(part("host:").values()),
        hosts_ready=total("host:ready") + woken,
        hosts_resting=total("host:resting") - woken,
        hosts_busy=total("host:busy"),
        hosts_parked=total("host:parked"),
        hosts_bad=total("host:bad"),
        hosts_capped=total("host:capped"),
        waiting_on_bad=total("waiting_on_bad"),
        next_due=next_due(con, now),
        reasons=part("reason:"),
    )


def story(con: sqlite3.Connection, url: str, now: float) -> Story | None:
    """Return everything known about a URL."""
    if url.count("/") < 3:
        return None  # not canonical, so never stored
    row = con.execute(_STORY, (host_of(url), url_key(url), url)).fetchone()
    if row is None:
        return None
    id, state, host_id, priority, demoted, depth, hops, tries, found_at, found_by, reason, detail = row
    host = Host(*con.execute(f"{SELECT_HOST} WHERE id = ?", (host_id,)).fetchone())
    page = con.execute("SELECT n FROM pages WHERE url_id = ?", (id,)).fetchone()
    return Story(
        url=url,
        state=state,
        host=host_view(con, host, now),
        priority=priority,
        demoted=demoted,
        depth=depth,
        hops=hops,
        tries=tries,
        found_at=found_at,
        found_by=LinkKind(found_by),
        reason=Reason(reason) if reason else None,
        detail=detail or "",
        citations=tuple(
            Citation(url=source, kind=LinkKind(kind), text=text, nofollow=bool(nofollow))
            for source, kind, text, nofollow in con.execute(_CITATIONS, (id, CITATIONS_SHOWN))
        ),
        citing_count=con.execute("SELECT count(DISTINCT src) FROM links WHERE dst = ?", (id,)).fetchone()[0],
        attempts=_attempts(con, id),
        robots=read_robots(con, origin_of(url)),
        page=page_row(con, page[0]) if page else None,
        visits=visits.visits(con, id),
        lost=visits.lost(con, id),
        cites=visits.cites(con, id),
    )


def _attempts(con: sqlite3.Connection, id: int) -> tuple[Attempt, ...]:
    return tuple(
        Attempt(
            at=at,
            ending=Ending(ending),
            reason=Reason(reason) if reason else None,
            detail=detail,
            status=status,
            seconds=seconds,
            ip=ip,
            errand=Errand(errand),
        )
        for at, ending, reason, detail, status, seconds, ip, errand in con.execute(_ATTEMPTS, (id,))
    )


def recent(con: sqlite3.Connection, limit: int) -> list[RecentPage]:
    """Return the pages fetched last, in fetch order."""
    found = con.execute(_RECENT, (limit,)).fetchall()
    return [
        RecentPage(n=n, url=url, host=host, fetched_at=at, relevance=relevance, topic=topic, repeats=bool(repeats))
        for n, url, host, at, relevance, topic, repeats in reversed(found)
    ]


def pages(con: sqlite3.Connection, *, after: int, everything: bool, min_relevance: float | None) -> Iterator[PageRow]:
    """Yield fetched URLs in fetch order."""
    chosen = "n > ?1"
    if not everything:
        chosen += " AND (counts OR promise IS NOT NULL) AND (ending = 'page' OR (ending = 'failed' AND status > 0))"
    if min_relevance is not None:
        chosen += " AND relevance >= ?2"
    query = f"SELECT n FROM pages WHERE {chosen} ORDER BY n LIMIT {_CHUNK}"
    while numbers := con.execute(query, (after, min_relevance)[: 1 + (min_relevance is not None)]).fetchall():
        for (n,) in numbers:
            row = page_row(con, n)
            if row:  # not visited again since
                yield row
        after = numbers[-1][0]
