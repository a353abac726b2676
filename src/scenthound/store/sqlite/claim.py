"""Take URLs from the frontier and give them back, a few rows read for each.

The order and the conditions are those of `roles.frontier.Frontier.claim`. The best host is the better of the best ready
host and the best host parked on a place with room. So a freed place wakes nobody, and no wake-up can be lost.
"""

import sqlite3
from collections.abc import Collection, Sequence
from math import inf
from typing import Any

from scenthound.parse.urls import origin_of
from scenthound.store.rules import HORIZON, HostState, UrlState, urgent_enough
from scenthound.store.sqlite.cache.host_rows import SELECT_HOST, Host, PlaceRow
from scenthound.store.sqlite.hosts import state_now
from scenthound.store.sqlite.transaction import NUMBER, OWN, OWN_H, ROOM, Work, in_blocks, read_limits
from scenthound.types import Awaited, Claim, Errand, HeldBack, Limits, Original, Reason, Standing

_WAKE = "UPDATE hosts SET state = 'ready' WHERE state = 'resting' AND due <= ?"
_READY = f"""
{SELECT_HOST} WHERE state = 'ready' {OWN} ORDER BY best_demoted, best_priority DESC, pages, best_id LIMIT ?"""
_INSERT = "INSERT INTO claims VALUES (?, ?, ?, ?, ?, ?, ?)"
# The best URL of rank 0 on any host that is due soon. Where examples wait, it is not the best URL of the host and is
# searched for: there are few such hosts.
_HOPE = """
SELECT max(hope) FROM (
    SELECT * FROM (
        SELECT best_priority AS hope FROM hosts
        WHERE best_demoted = 0 AND NOT bad AND due <= :soon AND state <> 'capped'
        ORDER BY best_priority DESC LIMIT 1) best
    UNION ALL
    SELECT (SELECT s.priority FROM standings s WHERE s.host_id = h.id AND s.state = 0 AND s.demoted + s.tries = 0
            ORDER BY s.priority DESC LIMIT 1)
    FROM hosts h WHERE h.best_demoted < 0 AND NOT h.bad AND h.due <= :soon AND h.state <> 'capped') hopes"""
# The host that takes the last place that engines have free between them, if all take the best of the whole frontier.
_LAST_PLACE = """
SELECT best_demoted, best_priority FROM hosts WHERE state = 'ready'
ORDER BY best_demoted, best_priority DESC, pages, best_id
LIMIT 1 OFFSET (SELECT CASE WHEN count(*) < ?1 THEN ?1 - 1 - count(*) ELSE 0 END FROM claims)"""
# The same host by name. All hosts with the same best priority are sorted: this is for people who ask.
_AWAITED = """
SELECT name, due, delay, hope FROM (
    SELECT * FROM (
        SELECT name, due, delay, best_priority AS hope FROM hosts
        WHERE best_demoted = 0 AND NOT bad AND due <= :soon AND state <> 'capped'
        ORDER BY best_priority DESC, name LIMIT 1) best
    UNION ALL
    SELECT h.name, h.due, h.delay, (
        SELECT s.priority FROM standings s WHERE s.host_id = h.id AND s.state = 0 AND s.demoted + s.tries = 0
        ORDER BY s.priority DESC LIMIT 1)
    FROM hosts h WHERE h.best_demoted < 0 AND NOT h.bad AND h.due <= :soon AND h.state <> 'capped') hopes
WHERE hope IS NOT NULL ORDER BY hope DESC, name LIMIT 1"""
# Hosts that are due and have nothing good enough, by the indexes hosts_ready, hosts_resting and hosts_parked.
_POOR = f"""
h.due <= :now AND (h.best_demoted > 0 OR (h.best_demoted = 0 AND h.best_priority < :floor)) AND {ROOM} {OWN_H}"""
_BEST_POOR = "ORDER BY h.best_demoted, h.best_priority DESC LIMIT :most"
_HELD = f"""
SELECT count(*), coalesce(sum(priority), 0.0) FROM (
    SELECT demoted, priority FROM (
        SELECT * FROM (SELECT h.best_demoted AS demoted, h.best_priority AS priority FROM hosts h
            WHERE h.state = 'ready' AND {_POOR} {_BEST_POOR}) ready
        UNION ALL
        SELECT * FROM (SELECT h.best_demoted, h.best_priority FROM hosts h
            WHERE h.state = 'resting' AND {_POOR} {_BEST_POOR}) resting
        UNION ALL
        SELECT * FROM (SELECT h.best_demoted, h.best_priority FROM hosts h
            WHERE h.state = 'parked' AND {_POOR} {_BEST_POOR}) parked) due
    ORDER BY demoted, priority DESC LIMIT :most) best"""
_WANTED = """
SELECT u.id, u.url, u.key, u.priority, u.depth, u.hops, u.tries, u.example, p.etag, p.last_modified, p.captured_at,
       p.payload, v.promise, v.tunnel, v.topic, u.demoted
FROM urls u LEFT JOIN pages p ON u.fetched_before AND p.url_id = u.id LEFT JOIN pages v ON v.url_id = u.via_id
WHERE u.id IN (MARKS)"""
_WANTED_ONE = _WANTED.replace("IN (MARKS)", "= ?")
_RULES = "SELECT origin, expires FROM robots WHERE origin IN (MARKS)"
BACK = """
SELECT c.url_id, c.host_id, c.key, s.demoted + s.tries, s.priority
FROM claims c JOIN standings s ON s.host_id = c.host_id AND s.key = c.key"""
_SET_STATE = "UPDATE standings SET state = ? WHERE host_id = ? AND key = ?"
_WAIT_AGAIN = "UPDATE standings SET state = 0, tries = 0 WHERE host_id = ? AND key = ?"
_ROOM_FOR = f"{ROOM} AND (h.best_demoted < 0 OR NOT :again) {OWN_H}"
# The earliest time at which a host with room is due, by the state in its row, each on a partial index.
_READY_DUE = f"SELECT h.due FROM hosts h WHERE h.state = 'ready' AND h.due <= :now AND {_ROOM_FOR} LIMIT 1"
_PARKED_DUE = f"""
SELECT h.due FROM places p JOIN hosts h ON h.state = 'parked' AND h.parked_on = p.name
WHERE p.head_id IS NOT NULL
AND p.busy < CASE WHEN p.name < 'i' THEN CAST(:per_domain AS INTEGER) ELSE CAST(:per_ip AS INTEGER) END AND {_ROOM_FOR}
LIMIT 1"""
_RESTING_DUE = f"SELECT h.due FROM hosts h WHERE h.state = 'resting' AND {_ROOM_FOR} ORDER BY h.due LIMIT 1"
_EXAMPLE_HOSTS = f"""
{SELECT_HOST} WHERE id IN (SELECT host_id FROM standings WHERE example AND state = 0)"""
_GIVEN_UP = """
SELECT id, host_id, key, demoted, priority, state FROM urls WHERE state IN ('refused', 'failed') AND reason = ?"""
_SET_LIMITS = """
INSERT INTO limits VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT ("only") DO UPDATE SET
delay = ?1, per_host = ?2, per_domain = ?3, per_ip = ?4, pages_per_host = ?5, robots = ?6"""
_LEFT = """
SELECT ? - coalesce((SELECT value FROM counters WHERE name = 'pages'), 0) - (SELECT count(*) FROM claims)"""
_PARDON = "UPDATE finds SET reason = NULL, detail = NULL WHERE id = ?"


def take(work: Work, *, owner: str, limit: int, lease: float) -> list[Claim]:
    """Take up to `limit` claims, best first."""
    give_back(work, work.con.execute(f"{BACK} WHERE c.until <= ?", (work.now,)).fetchall())
    woken = work.con.execute(_WAKE, (work.now,)).rowcount
    work.counts["host:resting"] -= woken
    work.counts["host:ready"] += woken
    floor, only_urgent = _floor(work), work.limits.examples or work.limits.again
    claims: list[Claim] = []
    taken: dict[int, list[tuple[int, int, int]]] = {}  # by host, written at the end or before the host is asked again
    queue = _Queue(work, limit + 8)
    ahead = _Ahead(work, [host for host in queue.first(limit) if _good_enough(host, floor)])
    while len(claims) < limit and (host := queue.best()):
        if not urgent_enough(host.best_demoted or 0, work.limits) and (only_urgent or not _good_enough(host, floor)):
            break
        if host.due > work.now:  # the clock was set back between two runs
            work.settle(host)
            work.save(host)
        elif place := work.crowded(host):
            work.park(host, place)
        else:
            work.con.executemany(_SET_STATE, taken.pop(host.id, []))
            claims.append(_take(work, host, ahead, taken, owner=owner, until=work.now + lease))
        queue.update(host)
    work.con.executemany(_SET_STATE, [row for rows in taken.values() for row in rows])
    work.finish_counts()
    return claims


def within_budget(con: sqlite3.Connection, budget: int) -> int:
    """Return how many more claims the crawl may make before it has so many pages, if each claim becomes one."""
    [left] = con.execute(_LEFT, (budget,)).fetchone()
    return max(0, int(left))


def _floor(work: Work) -> float | None:
    """Return the least priority that a choosy crawl takes.

    It uses the indexes hosts_hopes, hosts_urgent and standings_waiting.
    """
    if work.limits.examples or work.limits.again or not work.limits.choosy:
        return None
    return _least(work.con, work.now, choosy=work.limits.choosy, places=work.limits.places)


def _least(con: sqlite3.Connection, now: float, *, choosy: float, places: int) -> float | None:
    hope = con.execute(_HOPE, {"soon": now + HORIZON}).fetchone()[0]
    if hope is None:
        return None
    last = con.execute(_LAST_PLACE, (places,)).fetchone() if places else None
    common = float(last[1]) if last is not None and last[0] == 0 else 0.0
    return max(choosy * float(hope), common)


def held_back(
    con: sqlite3.Connection, last: Limits, *, now: float, choosy: float, most: int, places: int = 0
) -> HeldBack:
    """Return the hosts that wait because others promise more."""
    values = {
        "now": now,
        "floor": _least(con, now, choosy=choosy, places=places),
        "most": most,
        "per_domain": last.per_domain,
        "per_ip": last.per_ip,
    }
    hosts, promise = con.execute(_HELD, values).fetchone()
    return HeldBack(hosts=hosts, promise=promise)


def awaited(con: sqlite3.Connection, now: float) -> Awaited | None:
    """Return the host that promises most."""
    row = con.execute(_AWAITED, {"soon": now + HORIZON}).fetchone()
    return None if row is None else Awaited(host=row[0], due=row[1], delay=row[2], priority=row[3])


def _good_enough(host: Host, floor: float | None) -> bool:
    return floor is None or (host.best_demoted == 0 and (host.best_priority or 0.0) >= floor)


Rank = tuple[int, float, int, int]


class _Queue:
    """The hosts that may be claimed from, best first: ready ones, read many at a time, and the heads of places."""

    def __init__(self, work: Work, size: int) -> None:
        self._work = work
        self._size = size
        self._ready: dict[int, Host] = {}
        self._end: Rank | None = None  # of the last host that was read, where there may be more
        self._read()

    def _read(self) -> None:
        rows = self._work.con.execute(_READY, (self._size,)).fetchall()
        hosts = [self._work.adopt(Host(*row)) for row in rows]
        self._ready = {host.id: host for host in hosts}
        self._end = _rank(hosts[-1]) if len(hosts) == self._size else None

    def first(self, many: int) -> list[Host]:
        """Return hosts that are ready and likely to be claimed from, best first."""
        return list(self._ready.values())[:many]

    def best(self) -> Host | None:
        """Return the best host: of those that are ready, or parked on a place with room."""
        ready = self._best_ready()
        roomy = [place for name, place in self._work.places.items() if self._has_room(name, place)]
        head = min(roomy, key=_head_rank, default=None)
        if head is not None and (ready is None or _head_rank(head) < _rank(ready)):
            return self._work.host(head.host or 0)
        return ready

    def update(self, host: Host) -> None:
        """Take in what became of a host."""
        if host.state == HostState.READY:
            self._ready[host.id] = host
        else:
            self._ready.pop(host.id, None)

    def _best_ready(self) -> Host | None:
        best = min(self._ready.values(), key=_rank, default=None)
        if self._end is not None and (best is None or _rank(best) > self._end):
            self._read()
            best = min(self._ready.values(), key=_rank, default=None)
        return best

    def _has_room(self, name: str, place: PlaceRow) -> bool:
        limit = self._work.limits.per_domain if name.startswith("d:") else self._work.limits.per_ip
        return place.id is not None and place.busy < limit


def _rank(host: Host) -> Rank:
    return host.best_demoted or 0, -(host.best_priority or 0.0), host.pages, host.best_id or 0


def _head_rank(place: PlaceRow) -> Rank:
    return place.demoted or 0, -(place.priority or 0.0), place.pages or 0, place.id or 0


class _Ahead:
    """What claims will want to know of hosts, read for many at a time: what waits first, and what comes after that."""

    def __init__(self, work: Work, hosts: Sequence[Host]) -> None:
        self._work = work
        ids = {host.id: host.best_id or 0 for host in hosts} if len(hosts) > 1 else {}
        self._first = {row[0]: row[1:] for row in in_blocks(work.con, _WANTED, list(ids.values()))}
        self._next = work.next_bests(ids)
        self._unread = set(ids)
        self._expires: dict[str, float] = {}
        if work.limits.robots:
            origins = list(dict.fromkeys(origin_of(row[0]) for row in self._first.values()))
            self._expires = dict.fromkeys(origins, -inf) | dict(in_blocks(work.con, _RULES, origins))

    def first(self, id: int) -> tuple[Any, ...]:
        """Return what a claim says of its URL."""
        return self._first.get(id) or self._work.con.execute(_WANTED_ONE, (id,)).fetchone()[1:]

    def seek_next(self, host: Host) -> None:
        """Give a host the URL that comes after its best one."""
        if host.id in self._unread:
            self._unread.remove(host.id)  # a second claim from it finds another one
            host.best_demoted, host.best_priority, host.best_id = self._next.get(host.id, (None, None, None))
        else:
            self._work.seek_best(host, but=host.best_id or 0)

    def rules_unknown(self, url: str) -> bool:
        """Tell whether robots.txt must be fetched before a URL."""
        origin = origin_of(url)
        if origin not in self._expires:
            row = self._work.con.execute("SELECT expires FROM robots WHERE origin = ?", (origin,)).fetchone()
            self._expires[origin] = row[0] if row else -inf
        return self._expires[origin] <= self._work.now


def _take(
    work: Work, host: Host, ahead: _Ahead, taken: dict[int, list[tuple[int, int, int]]], *, owner: str, until: float
) -> Claim:
    con, id = work.con, host.best_id or 0
    row = ahead.first(id)
    url, key, priority, depth, hops, tries, example, etag, last_modified, captured_at, payload = row[:11]
    promise, tunnel, topic, demoted = row[11:]
    errand = Errand.ROBOTS if work.limits.robots and ahead.rules_unknown(url) else Errand.PAGE
    host.due = work.now + max(work.limits.delay, host.delay)
    host.errand = id if errand is Errand.ROBOTS else host.errand
    con.execute(_INSERT, (id, host.id, key, owner, until, host.due, errand.value))
    taken.setdefault(host.id, []).append((NUMBER[UrlState.CLAIMED], host.id, key))
    work.count_move(UrlState.WAITING, UrlState.CLAIMED, 1)
    work.occupy(host, +1)
    host.waiting -= 1
    ahead.seek_next(host)
    host.state = HostState.READY.value  # otherwise `settle` would keep a parked host parked
    work.settle(host)
    work.save(host)
    return Claim(
        id=id,
        url=url,
        host=host.name,
        errand=errand,
        demoted=demoted,
        priority=priority,
        depth=depth,
        hops=hops,
        tries=tries,
        host_failures=host.failures,
        host_delay=host.delay,
        etag=etag,
        last_modified=last_modified,
        before=None if captured_at is None else Original(url=url, captured_at=captured_at, payload=payload),
        example=bool(example),
        via=None if tunnel is None else Standing(promise=promise, tunnel=tunnel, topic=topic),
    )


def release(work: Work, owner: str | None) -> int:
    """Give back the claims of an owner, or of all."""
    left = f"{BACK} WHERE CAST(?1 AS TEXT) IS NULL OR c.owner = ?1"
    given = give_back(work, work.con.execute(left, (owner,)).fetchall())
    work.finish_counts()
    return given


def give_back(work: Work, claims: list[tuple[int, int, int, int, float]]) -> int:
    """Put claimed URLs back into the frontier as they were."""
    for url_id, host_id, key, demoted, priority in claims:
        host = work.host(host_id)
        work.con.execute("DELETE FROM claims WHERE url_id = ?", (url_id,))
        work.con.execute(_SET_STATE, (NUMBER[UrlState.WAITING], host_id, key))
        work.occupy(host, -1)
        host.errand = None if host.errand == url_id else host.errand
        host.due = max(host.due, work.now + max(work.limits.delay, host.delay))
        host.waiting += 1
        host.offer(demoted, priority, url_id)
        work.settle(host)
        work.save(host)
    work.count_move(UrlState.CLAIMED, UrlState.WAITING, len(claims))
    return len(claims)


def adopt_limits(work: Work, old: Limits) -> None:
    """Give all hosts the state that follows from new limits. This reads every host, once after a change."""
    new = work.limits
    work.con.execute(
        _SET_LIMITS,
        (new.delay, new.per_host, new.per_domain, new.per_ip, new.pages_per_host, new.robots),
    )
    same = (old.per_host, old.per_domain, old.per_ip, old.pages_per_host) == (
        new.per_host,
        new.per_domain,
        new.per_ip,
        new.pages_per_host,
    )
    if same:
        return
    for row in work.con.execute(f"{SELECT_HOST} WHERE state NOT IN ('idle', 'bad')").fetchall():
        host = work.adopt(Host(*row))
        if host.state == HostState.PARKED:
            host.state, host.parked_on = HostState.READY.value, None
        work.settle(host)
        work.save(host)


def reconsider(work: Work, reasons: Collection[Reason]) -> int:
    """Put URLs given up for these reasons back into the frontier, and return how many. This reads every URL."""
    return sum(_reconsider(work, reason) for reason in reasons)


def _reconsider(work: Work, reason: Reason) -> int:
    urls = work.con.execute(_GIVEN_UP, (reason,)).fetchall()
    work.con.executemany(_PARDON, [(id,) for id, *_ in urls])
    work.con.executemany(_WAIT_AGAIN, [(host_id, key) for _, host_id, key, *_ in urls])
    for id, host_id, _, demoted, priority, state in urls:
        work.count_move(UrlState(state), UrlState.WAITING, 1)
        host = work.host(host_id)
        host.waiting += 1
        host.offer(demoted, priority, id)
    work.counts[f"reason:{reason}"] -= len(urls)
    work.finish()
    return len(urls)


def next_due(con: sqlite3.Connection, now: float, *, again: bool = False) -> float | None:
    """Return when a claim can succeed next; with `again`, a claim of a URL that ranks before all new ones."""
    last = read_limits(con)
    values = {"per_domain": last.per_domain, "per_ip": last.per_ip, "now": now, "again": again}
    if con.execute(_READY_DUE, values).fetchone() or con.execute(_PARKED_DUE, values).fetchone():
        return now
    resting = con.execute(_RESTING_DUE, values).fetchone()
    return max(now, resting[0]) if resting else None


def examples_due(con: sqlite3.Connection, now: float) -> float | None:
    """Return when an example can be fetched next, by the index standings_examples."""
    if con.execute("SELECT 1 FROM claims c CROSS JOIN urls u ON u.id = c.url_id WHERE u.example LIMIT 1").fetchone():
        return now
    dues = []
    for row in con.execute(_EXAMPLE_HOSTS).fetchall():
        host = Host(*row)
        state = state_now(con, host, now)
        if state not in (HostState.BAD, HostState.CAPPED):
            dues.append(host.due if state is HostState.RESTING else now)
    return min(dues, default=None)
