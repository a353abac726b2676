"""The order of the frontier in the database: read waiting URLs by age, and give them other priorities.

A priority that a guide sets replaces what the citing pages promise. `rescore` works it out from the citing pages again,
by the index links_dst, for every URL that waits or was refused as off topic.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scenthound.parse.urls import host_of
from scenthound.store.rules import GRAIN, Hope, UrlState
from scenthound.store.sqlite import bearings
from scenthound.store.sqlite.cache.host_rows import Host
from scenthound.store.sqlite.cache.memo import Known
from scenthound.store.sqlite.cache.url_rows import Place, Stored
from scenthound.store.sqlite.links import hope_columns, known_places, url_key
from scenthound.store.sqlite.state import State
from scenthound.store.sqlite.transaction import NUMBER, Work
from scenthound.types import Bearings, Reason, Rescored, Waiting

_MOVE = "UPDATE standings SET priority = ?, promise = NULL, cited = 0, citing = 0 WHERE host_id = ? AND key = ?"
# A scan of finds from an id on, with one row of standings for each, and one of pages for those that wait.
_ALL = """
SELECT f.id, f.url, s.depth, s.priority, v.promise
FROM finds f CROSS JOIN standings s ON s.host_id = f.host_id AND s.key = f.key LEFT JOIN pages v ON v.url_id = s.via_id
WHERE f.id > ? AND s.state = 0 AND NOT s.example ORDER BY f.id LIMIT ?"""
# Every URL that judgements can move, with the page that now promises most of it.
_MOVABLE = """
SELECT u.id, u.host_id, u.key, u.state, u.priority, s.promise, s.cited, s.citing, u.via_id, b.url_id, b.promise,
    (SELECT total(CAST(coalesce(q.relevance, q.promise) / :grain + 0.5 AS INTEGER) * :grain) FROM pages q
        WHERE q.promise IS NOT NULL AND q.url_id IN (
        SELECT src FROM links WHERE dst = u.id AND NOT (nofollow AND :nofollow))),
    (SELECT count(*) FROM pages q WHERE q.promise IS NOT NULL AND q.url_id IN (
        SELECT src FROM links WHERE dst = u.id AND NOT (nofollow AND :nofollow)))
FROM urls u CROSS JOIN standings s ON s.host_id = u.host_id AND s.key = u.key LEFT JOIN pages b ON b.n = (
    SELECT q.n FROM links l JOIN pages q ON q.url_id = l.src
    WHERE l.dst = u.id AND q.promise IS NOT NULL AND NOT (l.nofollow AND :nofollow)
    ORDER BY q.promise DESC, q.n LIMIT 1)
WHERE (u.state = 'waiting' OR (u.state = 'refused' AND u.reason = 'off-topic'))
AND NOT u.example AND NOT u.fetched_before
AND u.found_by NOT IN ('seed', 'backward') AND u.id > :after ORDER BY u.id LIMIT :most"""
_RESCORE = """
UPDATE standings SET state = ?, via_id = ?, priority = ?, promise = ?, cited = ?, citing = ?
WHERE host_id = ? AND key = ?"""
_SAY_WHY = (
    "UPDATE finds SET reason = ?1, detail = CASE WHEN CAST(?1 AS TEXT) IS NULL THEN NULL ELSE '' END WHERE id = ?2"
)
_COUNT = "SELECT count(*) FROM standings WHERE host_id = ? AND state = 0"
_WAITING = NUMBER[UrlState.WAITING]


class SqlitePriorities(State):
    """Verbs about the order of the frontier."""

    def move(self, priorities: Mapping[str, float], *, now: float) -> int:
        with self._work(now, durable=True, routine=True) as work:
            moved = move(work, priorities)
            work.finish()
        self._session.turn_log()
        return moved

    def waiting(self, *, after: int = 0, limit: int) -> list[Waiting]:
        with self._session.errors():
            return waiting(self._session.con, after, limit)

    def bearings(self, *, nofollow: bool, after: int = 0, limit: int, host: str = "") -> list[Bearings]:
        with self._session.snapshot() as con:
            return bearings.waiting(con, after, limit, host, nofollow=nofollow)

    def bearings_of(self, urls: Sequence[str], *, nofollow: bool) -> list[Bearings]:
        with self._session.snapshot() as con:
            return bearings.of(con, urls, nofollow=nofollow)

    def rescore(
        self, *, by_promise: bool, blend: bool, nofollow: bool, now: float, after: int = 0, limit: int
    ) -> Rescored:
        with self._work(now, durable=True) as work:
            piece = {"nofollow": nofollow, "grain": GRAIN, "after": after, "most": limit}
            rows = work.con.execute(_MOVABLE, piece).fetchall()
            moves = [one for one in _moves(rows, by_promise, blend) if one.differs]
            _write(work, moves)
        self._memo.forget()  # it may say that no link can raise them
        self._session.turn_log()
        return Rescored(moved=len(moves), after=rows[-1][0] if len(rows) == limit else None)


def move(work: Work, priorities: Mapping[str, float]) -> int:
    """Write new priorities; return how many URLs changed."""
    work.meet(map(host_of, priorities))
    wanted = {place: (url, priority) for url, priority in priorities.items() if (place := _place(work, url))}
    stored = known_places(work, sorted(wanted))  # the rows of a host lie together
    moved = [(place, old) for place, old in stored.items() if _moves_to(old, wanted[place][1])]
    work.load(place[0] for place, _ in moved)
    rows: list[tuple[float, int, int]] = []
    fallen: set[int] = set()
    for place, old in moved:
        url, priority = wanted[place]
        rows.append((priority, *place))
        work.foreseen.forget(place)
        if url in work.memo.urls:
            work.memo.urls[url] = Known(old.id, priority, old.demoted, old.depth, old.hops)
        if not _compete(work.host(place[0]), old, priority):
            fallen.add(place[0])
    work.con.executemany(_MOVE, rows)
    work.seek_bests(fallen)
    return len(rows)


def _moves_to(old: Stored, priority: float) -> bool:
    return old.state == _WAITING and old.hope != Hope(priority)


def _compete(host: Host, old: Stored, priority: float) -> bool:
    """Let a URL compete for its host's next claim; return False if the host must look for its best URL again."""
    if host.best_id == old.id and priority < old.priority:
        return False
    host.offer(old.demoted + old.tries, priority, old.id)
    return True


def _place(work: Work, url: str) -> Place | None:
    host_id = work.known_host_id(host_of(url))
    return None if host_id is None else (host_id, url_key(url))


def waiting(con: sqlite3.Connection, after: int, limit: int) -> list[Waiting]:
    """Return waiting URLs by age, examples left out."""
    return [
        Waiting(id=id, url=url, depth=depth, priority=priority, promise=promise)
        for id, url, depth, priority, promise in con.execute(_ALL, (after, limit))
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Move:
    """What becomes of a URL, and whether that is anything new."""

    id: int
    place: tuple[int, int]
    was: UrlState
    state: UrlState
    hope: Hope
    via: int | None
    differs: bool


def _write(work: Work, moves: Sequence[_Move]) -> None:
    """Write what becomes of URLs, and bring their hosts up to date."""
    work.con.executemany(_RESCORE, [(NUMBER[one.state], one.via, *hope_columns(one.hope), *one.place) for one in moves])
    turned = [one for one in moves if one.state != one.was]
    work.con.executemany(_SAY_WHY, [(_reason(one.state), one.id) for one in turned])
    for one in turned:
        work.counts[f"url:{one.was}"] -= 1
        work.counts[f"url:{one.state}"] += 1
        work.counts[f"reason:{Reason.OFF_TOPIC}"] += 1 if one.state is UrlState.REFUSED else -1
    hosts = {one.place[0] for one in moves}
    work.load(hosts)
    for host_id in hosts:
        work.host(host_id).waiting = int(work.con.execute(_COUNT, (host_id,)).fetchone()[0])
    work.seek_bests(hosts)
    work.finish()


def _moves(rows: Sequence[tuple[Any, ...]], by_promise: bool, blend: bool) -> Iterator[_Move]:
    for id, host_id, key, state, priority, promise, cited, citing, via, best, most, total, count in rows:
        old = Hope(priority if promise is None else promise, cited, citing)
        new, hope = (UrlState.REFUSED, via), old
        if best is not None:
            new = (UrlState.WAITING, best)
            hope = (Hope(most, total, count) if blend else Hope(most)) if by_promise else old
        yield _Move(
            id=id,
            place=(host_id, key),
            was=UrlState(state),
            state=new[0],
            hope=hope,
            via=new[1],
            differs=(*new, hope) != (state, via, old),
        )


def _reason(state: UrlState) -> str | None:
    return Reason.OFF_TOPIC.value if state is UrlState.REFUSED else None
