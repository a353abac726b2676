"""Taking URLs from the frontier and giving them back, without looking at more than a few rows for each.

Order and conditions are those of `memory.MemoryStore.claim`. The best host is the better of the best ready one
and the best one parked on a place with room; so nothing has to be woken when a place is freed, and no
wake-up can be lost.
"""

import sqlite3
from collections.abc import Collection, Mapping

from scenthound.parse.urls import host_of, origin_of
from scenthound.store.rules import (
    AHEAD,
    HORIZON,
    HostState,
    UrlState,
    again_rank,
    due_after_clock,
    rank_after,
    urgent_enough,
    waits_again,
)
from scenthound.store.sqlite_links import url_key
from scenthound.store.sqlite_work import NUMBER, ROOM, SELECT_HOST, Host, Work
from scenthound.types import Awaited, Claim, Errand, HeldBack, Limits, Original, PutOff, Reason, Standing

_WAKE = "UPDATE hosts SET state = 'ready' WHERE state = 'resting' AND due <= ?"
_READY = f"""
{SELECT_HOST} WHERE state = 'ready' ORDER BY best_demoted, best_priority DESC, pages, best_id LIMIT 1"""
# Few places are full at a time (requests in flight divided by the limit), so that few rows are passed over.
_ROOMY = """
SELECT head_host, head_demoted, head_priority, head_pages, head_id FROM places
WHERE head_id IS NOT NULL AND busy < CASE WHEN name < 'i' THEN :per_domain ELSE :per_ip END
ORDER BY head_demoted, head_priority DESC, head_pages, head_id LIMIT 1"""
_INSERT = "INSERT INTO claims VALUES (?, ?, ?, ?, ?, ?, ?)"
# The best URL of rank 0 on any host that may be asked before long. Where examples wait, it is not the host's best one, and
# is looked for: there are few such hosts.
_HOPE = """
SELECT max(hope) FROM (
    SELECT * FROM (
        SELECT best_priority AS hope FROM hosts
        WHERE best_demoted = 0 AND NOT bad AND due <= :soon AND state <> 'capped' ORDER BY best_priority DESC LIMIT 1)
    UNION ALL
    SELECT (SELECT s.priority FROM standings s WHERE s.host_id = h.id AND s.state = 0 AND s.demoted + s.tries = 0
            ORDER BY s.priority DESC LIMIT 1)
    FROM hosts h WHERE h.best_demoted < 0 AND NOT h.bad AND h.due <= :soon AND h.state <> 'capped')"""
# The same host by name. Where many have the same best priority, all of these are sorted: it is for people who ask.
_AWAITED = """
SELECT name, due, delay, hope FROM (
    SELECT * FROM (
        SELECT name, due, delay, best_priority AS hope FROM hosts
        WHERE best_demoted = 0 AND NOT bad AND due <= :soon AND state <> 'capped' ORDER BY best_priority DESC, name LIMIT 1)
    UNION ALL
    SELECT h.name, h.due, h.delay, (
        SELECT s.priority FROM standings s WHERE s.host_id = h.id AND s.state = 0 AND s.demoted + s.tries = 0
        ORDER BY s.priority DESC LIMIT 1)
    FROM hosts h WHERE h.best_demoted < 0 AND NOT h.bad AND h.due <= :soon AND h.state <> 'capped')
WHERE hope IS NOT NULL ORDER BY hope DESC, name LIMIT 1"""
# Hosts that may be asked and have nothing good enough, by the indexes hosts_ready, hosts_resting and hosts_parked.
_POOR = f"h.due <= :now AND (h.best_demoted > 0 OR (h.best_demoted = 0 AND h.best_priority < :floor)) AND {ROOM}"
_BEST_POOR = "ORDER BY h.best_demoted, h.best_priority DESC LIMIT :most"
_HELD = f"""
SELECT count(*), coalesce(sum(priority), 0.0) FROM (
    SELECT demoted, priority FROM (
        SELECT * FROM (SELECT h.best_demoted AS demoted, h.best_priority AS priority FROM hosts h
            WHERE h.state = 'ready' AND {_POOR} {_BEST_POOR})
        UNION ALL
        SELECT * FROM (SELECT h.best_demoted, h.best_priority FROM hosts h WHERE h.state = 'resting' AND {_POOR} {_BEST_POOR})
        UNION ALL
        SELECT * FROM (SELECT h.best_demoted, h.best_priority FROM hosts h WHERE h.state = 'parked' AND {_POOR} {_BEST_POOR}))
    ORDER BY demoted, priority DESC LIMIT :most)"""
_WANTED = """
SELECT u.url, u.key, u.priority, u.depth, u.hops, u.tries, u.example, p.etag, p.last_modified, p.captured_at, p.payload,
       v.promise, v.tunnel, v.topic, u.demoted
FROM urls u LEFT JOIN pages p ON u.fetched_before AND p.url_id = u.id LEFT JOIN pages v ON v.url_id = u.via_id
WHERE u.id = ?"""
_BACK = """
SELECT c.url_id, c.host_id, c.key, s.demoted + s.tries, s.priority
FROM claims c JOIN standings s ON s.host_id = c.host_id AND s.key = c.key"""
_SET_STATE = "UPDATE standings SET state = ? WHERE host_id = ? AND key = ?"
_WAIT_ANEW = "UPDATE standings SET state = 0, tries = 0 WHERE host_id = ? AND key = ?"

_GIVEN_UP = """
SELECT id, host_id, key, demoted, priority, state FROM urls WHERE state IN ('refused', 'failed') AND reason = ?"""
_PARDON = "UPDATE finds SET reason = NULL, detail = NULL WHERE id = ?"
_PAGE = """
SELECT u.id, u.host_id, u.key, u.demoted, u.priority, u.example FROM urls u JOIN pages p ON p.url_id = u.id
WHERE u.id = ? AND u.state = 'page'"""
_SET_PRIORITY = "UPDATE standings SET priority = ?, promise = NULL, cited = 0, citing = 0 WHERE host_id = ? AND key = ?"
_PAGE_AT = """
SELECT s.id, s.host_id, s.key, s.demoted, s.priority, s.example FROM standings s
WHERE s.host_id = ? AND s.key = ? AND s.state = 2 AND EXISTS (SELECT 1 FROM pages p WHERE p.url_id = s.id)"""
_LATE = "SELECT 1 FROM (SELECT at FROM fetches ORDER BY id DESC LIMIT 10000) WHERE at > :late LIMIT 1"
_LATE_HOSTS = """
SELECT u.host_id, max(f.at) FROM fetches f JOIN finds u ON u.id = f.url_id WHERE f.at > :late GROUP BY u.host_id"""
# Few hosts have anything that ranks before the rest, by the indexes hosts_urgent and standings_waiting.
_URGENT = """
SELECT s.id, s.host_id, s.key, s.demoted, s.example, f.fetched_before FROM hosts h
JOIN standings s ON s.host_id = h.id AND s.state = 0 AND s.demoted + s.tries < 0 JOIN finds f ON f.id = s.id
WHERE h.best_demoted < 0"""
_LEAVE_ALONE = "UPDATE standings SET state = 2, demoted = ? WHERE host_id = ? AND key = ?"
_SET_RANK = "UPDATE standings SET demoted = ? WHERE host_id = ? AND key = ?"
_VISIT_AGAIN = "UPDATE finds SET fetched_before = 1 WHERE id = ?"


def take(work: Work, *, owner: str, limit: int, lease: float) -> list[Claim]:
    """Take up to `limit` claims, best first."""
    give_back(work, work.con.execute(f"{_BACK} WHERE c.until <= ?", (work.now,)).fetchall())
    woken = work.con.execute(_WAKE, (work.now,)).rowcount
    work.counts["host:resting"] -= woken
    work.counts["host:ready"] += woken
    floor, only_urgent = _floor(work), work.limits.examples or work.limits.again
    claims: list[Claim] = []
    while len(claims) < limit and (host := _best(work)):
        if not urgent_enough(host.best_demoted or 0, work.limits) and (only_urgent or not _good_enough(host, floor)):
            break
        if host.due > work.now:  # the clock was set back between two runs
            work.settle(host)
            work.save(host)
        elif place := work.crowded(host):
            work.park(host, place)
        else:
            claims.append(_take(work, host, owner=owner, until=work.now + lease))
    work.finish_counts()
    return claims


def _floor(work: Work) -> float | None:
    """Return the least priority that a choosy crawl takes, by the indexes hosts_hopes, hosts_urgent and standings_waiting."""
    if work.limits.examples or work.limits.again or not work.limits.choosy:
        return None
    hope = work.con.execute(_HOPE, {"soon": work.now + HORIZON}).fetchone()[0]
    return None if hope is None else work.limits.choosy * hope


def held_back(con: sqlite3.Connection, last: Limits, *, now: float, choosy: float, most: int) -> HeldBack:
    """Return the hosts that are passed over because others promise more."""
    hope = con.execute(_HOPE, {"soon": now + HORIZON}).fetchone()[0]
    values = {
        "now": now,
        "floor": None if hope is None else choosy * hope,
        "most": most,
        "per_domain": last.per_domain,
        "per_ip": last.per_ip,
    }
    hosts, promise = con.execute(_HELD, values).fetchone()
    return HeldBack(hosts=hosts, promise=promise)


def awaited(con: sqlite3.Connection, now: float) -> Awaited | None:
    """Return the host from which most is hoped."""
    row = con.execute(_AWAITED, {"soon": now + HORIZON}).fetchone()
    return None if row is None else Awaited(host=row[0], due=row[1], delay=row[2], priority=row[3])


def _good_enough(host: Host, floor: float | None) -> bool:
    return floor is None or (host.best_demoted == 0 and (host.best_priority or 0.0) >= floor)


def _best(work: Work) -> Host | None:
    row = work.con.execute(_READY).fetchone()
    ready = Host(*row) if row else None
    limits = {"per_domain": work.limits.per_domain, "per_ip": work.limits.per_ip}
    roomy = work.con.execute(_ROOMY, limits).fetchone()
    if roomy and (ready is None or ready.outdone_by(*roomy[1:])):
        return work.host(roomy[0])
    return work.adopt(ready) if ready else None


def _take(work: Work, host: Host, *, owner: str, until: float) -> Claim:
    con, id = work.con, host.best_id
    row = con.execute(_WANTED, (id,)).fetchone()
    url, key, priority, depth, hops, tries, example, etag, last_modified, captured_at, payload = row[:11]
    promise, tunnel, topic, demoted = row[11:]
    errand = Errand.ROBOTS if work.limits.robots and _rules_unknown(con, url, work.now) else Errand.PAGE
    host.due = work.now + max(work.limits.delay, host.delay)
    host.errand = id if errand is Errand.ROBOTS else host.errand
    con.execute(_INSERT, (id, host.id, key, owner, until, host.due, errand.value))
    con.execute(_SET_STATE, (NUMBER[UrlState.CLAIMED], host.id, key))
    _count_move(work, UrlState.WAITING, UrlState.CLAIMED, 1)
    work.occupy(host, +1)
    host.waiting -= 1
    work.seek_best(host)
    host.state = HostState.READY.value  # it was, or had become so; `settle` would keep it parked otherwise
    work.settle(host)
    work.save(host)
    return Claim(
        id=id or 0,
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


def _rules_unknown(con: sqlite3.Connection, url: str, now: float) -> bool:
    row = con.execute("SELECT expires FROM robots WHERE origin = ?", (origin_of(url),)).fetchone()
    return row is None or bool(row[0] <= now)


def _count_move(work: Work, old: UrlState, new: UrlState, urls: int) -> None:
    work.counts[f"url:{old}"] -= urls
    work.counts[f"url:{new}"] += urls


def release(work: Work, owner: str | None) -> int:
    """Give back the claims of an owner, or of all."""
    given = give_back(work, work.con.execute(f"{_BACK} WHERE ?1 IS NULL OR c.owner = ?1", (owner,)).fetchall())
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
    _count_move(work, UrlState.CLAIMED, UrlState.WAITING, len(claims))
    return len(claims)


def adopt_limits(work: Work, old: Limits) -> None:
    """Bring all hosts into the state that new limits give them. It reads every host, once after a change."""
    new = work.limits
    work.con.execute(
        "INSERT OR REPLACE INTO limits VALUES (1, ?, ?, ?, ?, ?, ?)",
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


def revisit(work: Work, turns: Mapping[str, int]) -> int:
    """Put pages back into the frontier, each to have its turn."""
    rows = []
    for url, turn in turns.items():
        host_id = work.known_host_id(host_of(url))
        row = None if host_id is None else work.con.execute(_PAGE_AT, (host_id, url_key(url))).fetchone()
        if row is not None:
            rank = row[3] if row[5] else again_rank(turn)
            rows.append((*row[:3], rank, *row[4:]))
    work.con.executemany(_SET_RANK, [(rank, host_id, key) for _, host_id, key, rank, *_ in rows])
    return _visit_again(work, rows)


def revisit_pages(work: Work, ids: Collection[int], priority: float) -> int:
    """Put some pages back into the frontier, with another priority."""
    rows = [row for id in ids if (row := work.con.execute(_PAGE, (id,)).fetchone())]
    work.con.executemany(_SET_PRIORITY, [(priority, host_id, key) for _, host_id, key, *_ in rows])
    return _visit_again(work, [(*row[:4], priority, row[5]) for row in rows])


def _visit_again(work: Work, old: list[tuple[int, int, int, int, float, int]]) -> int:
    work.con.executemany(_VISIT_AGAIN, [(id,) for id, *_ in old])
    work.con.executemany(_WAIT_ANEW, [(host_id, key) for _, host_id, key, *_ in old])
    for id, host_id, _, demoted, priority, example in old:
        host = work.host(host_id)
        host.pages -= not example
        host.waiting += 1
        host.offer(demoted, priority, id)
    _count_move(work, UrlState.PAGE, UrlState.WAITING, len(old))
    work.finish()
    return len(old)


def wind_back(work: Work) -> PutOff:
    """Undo what a clock that was ahead has put off. It reads much, if the last exchanges say that there was one."""
    con, late = work.con, {"late": work.now + AHEAD, "now": work.now}
    if con.execute(_LATE, late).fetchone() is None:
        return PutOff()
    last: dict[int, float] = dict(con.execute(_LATE_HOSTS, late).fetchall())
    latest, hosts = max(last.values()), 0
    for row in con.execute(f"{SELECT_HOST} WHERE due > :now", late).fetchall():
        host = work.adopt(Host(*row))
        delay = max(host.delay, work.limits.delay)
        due = due_after_clock(host.due, last=last.get(host.id), latest=latest, delay=delay, now=work.now)
        hosts += due != host.due
        host.due = due
    robots = con.execute("UPDATE robots SET expires = :now, fetched = :now WHERE fetched > :late", late).rowcount
    con.execute("UPDATE visits SET at = :now WHERE at > :now", late)
    con.execute("UPDATE pages SET fetched_at = :now WHERE fetched_at > :now", late)
    work.finish()
    return PutOff(ahead=latest - work.now, hosts=hosts, robots=robots)


def leave_alone(work: Work) -> int:
    """Let pages that wait for their turn again be the pages that they were."""
    left = [
        row
        for row in work.con.execute(_URGENT).fetchall()
        if waits_again(row[3], fetched_before=bool(row[5]), example=bool(row[4]))
    ]
    work.con.executemany(
        _LEAVE_ALONE, [(rank_after(demoted, UrlState.PAGE), host_id, key) for _, host_id, key, demoted, *_ in left]
    )
    for _, host_id, _, _, example, _ in left:
        host = work.host(host_id)
        host.pages += not example
        host.waiting -= 1
    for host_id in {row[1] for row in left}:
        work.seek_best(work.host(host_id))
    _count_move(work, UrlState.WAITING, UrlState.PAGE, len(left))
    work.finish()
    return len(left)


def forgive(work: Work) -> int:
    """Let bad hosts be asked again."""
    bad = [work.adopt(Host(*row)) for row in work.con.execute(f"{SELECT_HOST} WHERE bad").fetchall()]
    for host in bad:
        host.bad, host.failures, host.reason = 0, 0, ""
    work.finish()
    return len(bad)


def reconsider(work: Work, reasons: Collection[Reason]) -> int:
    """Put URLs that were given up for these reasons back into the frontier. It reads every URL, after a change of settings."""
    return sum(_reconsider(work, reason) for reason in reasons)


def _reconsider(work: Work, reason: Reason) -> int:
    urls = work.con.execute(_GIVEN_UP, (reason,)).fetchall()
    work.con.executemany(_PARDON, [(id,) for id, *_ in urls])
    work.con.executemany(_WAIT_ANEW, [(host_id, key) for _, host_id, key, *_ in urls])
    for id, host_id, _, demoted, priority, state in urls:
        _count_move(work, UrlState(state), UrlState.WAITING, 1)
        host = work.host(host_id)
        host.waiting += 1
        host.offer(demoted, priority, id)
    work.counts[f"reason:{reason}"] -= len(urls)
    work.finish()
    return len(urls)
