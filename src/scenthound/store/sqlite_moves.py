"""Giving waiting URLs new priorities: what a guide says of a link counts then, and not who cites it."""

import sqlite3
from collections.abc import Mapping

from scenthound.parse.urls import host_of
from scenthound.store.rules import Hope, UrlState
from scenthound.store.sqlite_links import Place, Stored, look_up, url_key
from scenthound.store.sqlite_memo import Known
from scenthound.store.sqlite_work import NUMBER, Host, Work
from scenthound.types import Waiting

_MOVE = "UPDATE standings SET priority = ?, promise = NULL, cited = 0, citing = 0 WHERE host_id = ? AND key = ?"
# A scan of finds from an id on, with one row of standings for each, and one of pages for those that wait.
_ALL = """
SELECT f.id, f.url, s.depth, s.priority, v.promise
FROM finds f CROSS JOIN standings s ON s.host_id = f.host_id AND s.key = f.key LEFT JOIN pages v ON v.url_id = s.via_id
WHERE f.id > ? AND s.state = 0 AND NOT s.example ORDER BY f.id LIMIT ?"""
_WAITING = NUMBER[UrlState.WAITING]


def move(work: Work, priorities: Mapping[str, float]) -> int:
    """Write new priorities; return how many URLs had others."""
    wanted = {place: (url, priority) for url, priority in priorities.items() if (place := _place(work, url))}
    rows: list[tuple[float, int, int]] = []
    fallen: set[int] = set()
    for place, old in look_up(work.con, sorted(wanted)).items():  # the rows of a host lie together
        url, priority = wanted[place]
        if old.state == _WAITING and old.hope != Hope(priority):
            rows.append((priority, *place))
            if url in work.memo.urls:
                work.memo.urls[url] = Known(old.id, priority, old.demoted, old.depth, old.hops)
            if not _compete(work.host(place[0]), old, priority):
                fallen.add(place[0])
    work.con.executemany(_MOVE, rows)
    for host_id in fallen:
        work.seek_best(work.host(host_id))
    return len(rows)


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
    """Return what waits and is no example, by age."""
    return [
        Waiting(id=id, url=url, depth=depth, priority=priority, promise=promise)
        for id, url, depth, priority, promise in con.execute(_ALL, (after, limit))
    ]
