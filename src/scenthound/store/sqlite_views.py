"""Looking at a crawl: totals, hosts, one URL's story, the export. Nothing here writes; a reader may do it all.

`hosts.state` is what the last transaction left. Time passes and places fill without writing to every host row,
so that what is shown is worked out from the row, the moment and the places.
"""

import sqlite3
from collections.abc import Iterator, Sequence

from scenthound.parse.urls import host_of, origin_of
from scenthound.store import sqlite_visits
from scenthound.store.rules import CITATIONS_SHOWN, HostState, full
from scenthound.store.sqlite_links import url_key
from scenthound.store.sqlite_rows import page_row
from scenthound.store.sqlite_work import ROOM, SELECT_HOST, Host
from scenthound.types import (
    Attempt,
    Census,
    Citation,
    Ending,
    Errand,
    HostView,
    Limits,
    LinkKind,
    Original,
    PageRow,
    Reason,
    RecentPage,
    RobotsAnswer,
    ShapeYield,
    Story,
)

_MAY_CLAIM = (HostState.READY, HostState.RESTING, HostState.PARKED)  # which of these, only the moment tells
_ROOM = f"{ROOM} AND (h.best_demoted < 0 OR NOT :again)"
# The earliest moment at which a host with room is due, by the state that its row has; on one partial index each.
_READY_DUE = f"SELECT h.due FROM hosts h WHERE h.state = 'ready' AND h.due <= :now AND {_ROOM} LIMIT 1"
_PARKED_DUE = f"""
SELECT h.due FROM places p JOIN hosts h ON h.state = 'parked' AND h.parked_on = p.name
WHERE p.head_id IS NOT NULL AND p.busy < CASE WHEN p.name < 'i' THEN :per_domain ELSE :per_ip END AND {_ROOM} LIMIT 1"""
_RESTING_DUE = f"SELECT h.due FROM hosts h WHERE h.state = 'resting' AND {_ROOM} ORDER BY h.due LIMIT 1"
_STORY = """
SELECT u.id, u.state, u.host_id, u.priority, u.demoted, u.depth, u.hops, u.tries, u.found_at, u.found_by, u.reason, u.detail
FROM hosts h JOIN standings s ON s.host_id = h.id JOIN urls u ON u.id = s.id WHERE h.name = ? AND s.key = ? AND u.url = ?"""
_EXAMPLE_HOSTS = f"""
{SELECT_HOST} WHERE id IN (SELECT host_id FROM standings WHERE example AND state = 0)"""
_CITATIONS = """
SELECT s.url, l.kind, l.text, l.nofollow FROM links l JOIN finds s ON s.id = l.src
WHERE l.dst = ? ORDER BY l.src, l.position LIMIT ?"""
_ATTEMPTS = "SELECT at, ending, reason, detail, status, seconds, ip, errand FROM fetches WHERE url_id = ? ORDER BY id"
# From the end of pages on, until there are enough; examples, redirects and failures are passed over.
_RECENT = """
SELECT p.n, f.url, h.name, p.fetched_at, p.relevance, CASE WHEN p.relevance IS NULL THEN '' ELSE p.topic END,
       p.duplicate_of IS NOT NULL OR p.near_duplicate_of IS NOT NULL
FROM pages p JOIN finds f ON f.id = p.url_id JOIN hosts h ON h.id = f.host_id
WHERE p.ending = 'page' AND p.counts ORDER BY p.n DESC LIMIT ?"""
_CHUNK = 500  # rows of an export read at a time, so that no read is open while the caller does something else


def limits(con: sqlite3.Connection) -> Limits:
    """Return the limits of the last claim."""
    row = con.execute("SELECT delay, per_host, per_domain, per_ip, pages_per_host, robots FROM limits").fetchone()
    if row is None:
        return Limits()
    delay, per_host, per_domain, per_ip, pages_per_host, robots = row
    return Limits(
        delay=delay,
        per_host=per_host,
        per_domain=per_domain,
        per_ip=per_ip,
        pages_per_host=pages_per_host,
        robots=bool(robots),
    )


def next_due(con: sqlite3.Connection, now: float, *, again: bool = False) -> float | None:
    """Return the moment at which a claim could succeed next; with `again`, one of what ranks before all that is new."""
    last = limits(con)
    values = {"per_domain": last.per_domain, "per_ip": last.per_ip, "now": now, "again": again}
    if con.execute(_READY_DUE, values).fetchone() or con.execute(_PARKED_DUE, values).fetchone():
        return now
    resting = con.execute(_RESTING_DUE, values).fetchone()
    return max(now, resting[0]) if resting else None


def examples_due(con: sqlite3.Connection, now: float) -> float | None:
    """Return when an example may be asked for next, by the index urls_examples."""
    if con.execute("SELECT 1 FROM claims c CROSS JOIN urls u ON u.id = c.url_id WHERE u.example LIMIT 1").fetchone():
        return now
    dues = []
    for row in con.execute(_EXAMPLE_HOSTS).fetchall():
        host = Host(*row)
        state = _state_now(con, host, now)
        if state not in (HostState.BAD, HostState.CAPPED):
            dues.append(host.due if state is HostState.RESTING else now)
    return min(dues, default=None)


def robots(con: sqlite3.Connection, origin: str) -> RobotsAnswer | None:
    """Return the robots.txt that rules an origin."""
    row = con.execute("SELECT status, text, fetched, expires FROM robots WHERE origin = ?", (origin,)).fetchone()
    if row is None:
        return None
    status, text, fetched, expires = row
    return RobotsAnswer(origin=origin, status=status, text=text, fetched=fetched, expires=expires)


def originals(con: sqlite3.Connection, digests: Sequence[str]) -> dict[str, Original]:
    """Return the earliest page with each content digest, by the index pages_digest."""
    found = {}
    for digest in filter(None, digests):
        row = con.execute(
            """SELECT u.url, p.captured_at, p.payload FROM pages p JOIN finds u ON u.id = p.url_id
            WHERE p.ending = 'page' AND p.digest <> '' AND p.digest = ? ORDER BY p.n LIMIT 1""",
            (digest,),
        ).fetchone()
        if row:
            found[digest] = Original(url=row[0], captured_at=row[1], payload=row[2])
    return found


def shape_yields(con: sqlite3.Connection, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], ShapeYield]:
    """Return what fetching URLs of each (host, shape) has brought."""
    yields = {}
    for key in keys:
        row = con.execute(
            "SELECT fetched, novel FROM shapes WHERE host_id = (SELECT id FROM hosts WHERE name = ?) AND shape = ?", key
        ).fetchone()
        yields[key] = ShapeYield(fetched=row[0], novel=row[1]) if row else ShapeYield()
    return yields


def census(con: sqlite3.Connection, now: float) -> Census:
    """Read the totals. A host counts as parked from when a claim has passed over it."""
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


def hosts(con: sqlite3.Connection, now: float, state: HostState | None, limit: int) -> list[HostView]:
    """Return hosts with most waiting URLs first. It sorts all hosts, so it is for people who ask, not for a loop."""
    stored = list(HostState) if state is None else _MAY_CLAIM if state in _MAY_CLAIM else (state,)
    wanted = ", ".join(f"'{name}'" for name in stored)
    views: list[HostView] = []
    for row in con.execute(f"{SELECT_HOST} WHERE state IN ({wanted}) ORDER BY waiting DESC, name"):
        if len(views) >= limit:
            break
        view = _host_view(con, Host(*row), now)
        if state in (None, view.state):
            views.append(view)
    return views


def host(con: sqlite3.Connection, name: str, now: float) -> HostView | None:
    """Return one host by its name."""
    row = con.execute(f"{SELECT_HOST} WHERE name = ?", (name,)).fetchone()
    return _host_view(con, Host(*row), now) if row else None


def _host_view(con: sqlite3.Connection, host: Host, now: float) -> HostView:
    return HostView(
        host=host.name,
        state=_state_now(con, host, now),
        waiting=host.waiting,
        pages=host.pages,
        failures=host.failures,
        due=host.due,
        delay=host.delay,
        reason=host.reason,
        ip=host.ip,
    )


def _state_now(con: sqlite3.Connection, host: Host, now: float) -> HostState:
    last = limits(con)
    state = host.own_state(now=now, limits=last)
    if state is not HostState.READY:
        return state
    for name in host.places():
        row = con.execute("SELECT busy FROM places WHERE name = ?", (name,)).fetchone()
        if row and full(row[0], last.per_domain if name.startswith("d:") else last.per_ip):
            return HostState.PARKED
    return state


def url_id(con: sqlite3.Connection, url: str) -> int | None:
    """Return the id of a URL that is known."""
    if url.count("/") < 3:
        return None  # no canonical URL, so never seen
    row = con.execute(_STORY, (host_of(url), url_key(url), url)).fetchone()
    return int(row[0]) if row else None


def story(con: sqlite3.Connection, url: str, now: float) -> Story | None:
    """Return all that is known about a URL."""
    if url.count("/") < 3:
        return None  # no canonical URL, so never seen
    row = con.execute(_STORY, (host_of(url), url_key(url), url)).fetchone()
    if row is None:
        return None
    id, state, host_id, priority, demoted, depth, hops, tries, found_at, found_by, reason, detail = row
    host = Host(*con.execute(f"{SELECT_HOST} WHERE id = ?", (host_id,)).fetchone())
    page = con.execute("SELECT n FROM pages WHERE url_id = ?", (id,)).fetchone()
    return Story(
        url=url,
        state=state,
        host=_host_view(con, host, now),
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
        robots=robots(con, origin_of(url)),
        page=page_row(con, page[0]) if page else None,
        visits=sqlite_visits.visits(con, id),
        lost=sqlite_visits.lost(con, id),
        cites=sqlite_visits.cites(con, id),
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
