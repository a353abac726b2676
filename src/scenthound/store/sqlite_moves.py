"""Giving waiting URLs new priorities: what a guide says of a link counts then, and not who cites it."""

from collections.abc import Mapping

from scenthound.parse.urls import host_of
from scenthound.store.rules import Hope, UrlState
from scenthound.store.sqlite_links import Place, Stored, look_up, url_key
from scenthound.store.sqlite_memo import Known
from scenthound.store.sqlite_work import NUMBER, Work

_MOVE = "UPDATE standings SET priority = ?, promise = NULL, cited = 0, citing = 0 WHERE host_id = ? AND key = ?"
_WAITING = NUMBER[UrlState.WAITING]


def move(work: Work, priorities: Mapping[str, float]) -> int:
    """Write new priorities; return how many URLs had others."""
    wanted = {place: (url, priority) for url, priority in priorities.items() if (place := _place(work, url))}
    rows: list[tuple[float, int, int]] = []
    fallen: set[int] = set()
    for place, old in look_up(work.con, list(wanted)).items():
        url, priority = wanted[place]
        if old.state == _WAITING and old.hope != Hope(priority):
            rows.append((priority, *place))
            work.memo.urls[url] = Known(old.id, priority, old.demoted, old.depth, old.hops)
            fallen |= _compete(work, place, old, priority)
    work.con.executemany(_MOVE, rows)
    for host_id in fallen:
        work.seek_best(work.host(host_id))
    return len(rows)


def _compete(work: Work, place: Place, old: Stored, priority: float) -> set[int]:
    """Let a URL compete for its host's next claim; return the host if that must look for its best URL again."""
    host = work.host(place[0])
    if host.best_id == old.id and priority < old.priority:
        return {place[0]}
    host.offer(old.demoted + old.tries, priority, old.id)
    return set()


def _place(work: Work, url: str) -> Place | None:
    host_id = work.known_host_id(host_of(url))
    return None if host_id is None else (host_id, url_key(url))
