"""Visits to pages in the database: what each found, which links were lost, which pages to visit again, who cites a
page.

The first visit to a page is written together with the second; until then, `pages.fetched_at` says when it was.
"""

import sqlite3
from collections.abc import Collection, Mapping, Sequence

from scenthound.parse.urls import host_of
from scenthound.store.rules import (
    CITATIONS_SHOWN,
    UrlState,
    again_rank,
    change_of,
    nearly_same,
    rank_after,
    waits_again,
)
from scenthound.store.sqlite.links import Absorbed, absorb, known_places, url_id, url_key
from scenthound.store.sqlite.state import State
from scenthound.store.sqlite.transaction import NUMBER, Work
from scenthound.types import Change, Discovery, Ending, GoodPage, LostLink, Outcome, Visit, Visited

_VISITS = "SELECT at, change, gained, lost FROM visits WHERE url_id = ? ORDER BY number"
_ONLY_VISIT = "SELECT fetched_at FROM pages WHERE url_id = ? AND ending = 'page'"
_INSERT = "INSERT INTO visits VALUES (?, ?, ?, ?, ?, ?)"
_TEXT = "SELECT digest, fingerprint FROM pages WHERE url_id = ?"
_LOSE = "INSERT INTO lost_links VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_LOST = """
SELECT f.url, l.at FROM lost_links l CROSS JOIN finds f ON f.id = l.src
WHERE l.dst = ? ORDER BY l.at DESC, l.src DESC LIMIT ?"""
_CITES = """
SELECT f.url FROM backlinks b CROSS JOIN finds f ON f.id = b.cited WHERE b.citing = ? ORDER BY b.number LIMIT ?"""
# A scan of finds, or of visits, from an id on, with one row of standings each, and one of pages and hosts for each
# page.
_ALL = "finds f"
_AGAIN = "(SELECT DISTINCT url_id FROM visits WHERE url_id > ?1) v CROSS JOIN finds f ON f.id = v.url_id"
_VISITED = """
SELECT f.id, f.url, h.name, p.relevance, p.fetched_at
FROM {which} CROSS JOIN standings s ON s.host_id = f.host_id AND s.key = f.key CROSS JOIN hosts h ON h.id = f.host_id
CROSS JOIN pages p ON p.url_id = f.id
WHERE f.id > ?1 AND s.state = 2 AND p.ending = 'page' AND NOT h.bad ORDER BY f.id LIMIT ?2"""
_VISITS_BETWEEN = (
    "SELECT url_id, at, change, gained, lost FROM visits WHERE url_id BETWEEN ? AND ? ORDER BY url_id, number"
)
_GOOD = """
SELECT p.n, f.url, p.relevance, s.depth
FROM pages p CROSS JOIN finds f ON f.id = p.url_id CROSS JOIN standings s ON s.host_id = f.host_id AND s.key = f.key
WHERE p.n > ? AND p.ending = 'page' AND p.relevance >= ? AND p.promise IS NOT NULL
AND p.duplicate_of IS NULL AND p.near_duplicate_of IS NULL
AND NOT EXISTS (SELECT 1 FROM asked_backwards a WHERE a.url_id = p.url_id) ORDER BY p.n LIMIT ?"""
_CITE = """
INSERT INTO backlinks SELECT CAST(?1 AS BIGINT), (SELECT count(*) FROM backlinks WHERE citing = ?1), CAST(?2 AS BIGINT)
WHERE NOT EXISTS (SELECT 1 FROM backlinks WHERE citing = ?1 AND cited = ?2)"""
_ASKED = "INSERT INTO asked_backwards VALUES (?1, ?2, ?3) ON CONFLICT (url_id) DO UPDATE SET at = ?2, found = ?3"
_PAGE = """
SELECT u.id, u.host_id, u.key, u.demoted, u.priority, u.example FROM urls u JOIN pages p ON p.url_id = u.id
WHERE u.id = ? AND u.state = 'page'"""
_SET_PRIORITY = "UPDATE standings SET priority = ?, promise = NULL, cited = 0, citing = 0 WHERE host_id = ? AND key = ?"
_PAGE_AT = """
SELECT s.id, s.host_id, s.key, s.demoted, s.priority, s.example FROM standings s
WHERE s.host_id = ? AND s.key = ? AND s.state = 2 AND EXISTS (SELECT 1 FROM pages p WHERE p.url_id = s.id)"""
# Few hosts have anything that ranks before the rest, by the indexes hosts_urgent and standings_waiting.
_URGENT = """
SELECT s.id, s.host_id, s.key, s.demoted, s.example, f.fetched_before FROM hosts h
JOIN standings s ON s.host_id = h.id AND s.state = 0 AND s.demoted + s.tries < 0 JOIN finds f ON f.id = s.id
WHERE h.best_demoted < 0"""
_LEAVE_ALONE = "UPDATE standings SET state = 2, demoted = ? WHERE host_id = ? AND key = ?"
_SET_RANK = "UPDATE standings SET demoted = ? WHERE host_id = ? AND key = ?"
_VISIT_AGAIN = "UPDATE finds SET fetched_before = true WHERE id = ?"
_WAIT_AGAIN = "UPDATE standings SET state = 0, tries = 0 WHERE host_id = ? AND key = ?"


class SqliteVisits(State):
    """Verbs about visits to pages."""

    def visited(self, *, after: int = 0, limit: int, again: bool = False) -> list[Visited]:
        with self._session.snapshot() as con:
            return visited(con, after, limit, again=again)

    def revisit(self, turns: Mapping[str, int], *, now: float) -> int:
        with self._work(now, durable=True) as work:
            put_back = revisit(work, turns)
        self._memo.forget()  # it may say of pages that no link can raise them
        self._session.turn_log()
        return put_back

    def revisit_pages(self, urls: Sequence[str], *, priority: float, now: float) -> int:
        with self._work(now, durable=True) as work:
            ids = dict.fromkeys(url_id(work.con, url) for url in urls)
            put_back = revisit_pages(work, [id for id in ids if id is not None], priority)
        self._memo.forget()  # it may say of pages that no link can raise them
        return put_back

    def leave_alone(self, *, now: float) -> int:
        with self._work(now, durable=True) as work:
            left = leave_alone(work)
        self._memo.forget()  # it may say of pages that a link can raise them
        return left

    def good_pages(self, *, after: int = 0, least: float, limit: int) -> list[GoodPage]:
        with self._session.errors():
            return good_pages(self._session.con, after, least, limit)

    def found_backwards(
        self, cited: str, discoveries: Sequence[Discovery], *, now: float, citing: Sequence[str] | None = None
    ) -> int:
        with self._work(now, durable=True) as work:
            new = found_backwards(work, cited, discoveries, citing)
            work.finish()
        return new


def note(con: sqlite3.Connection, outcome: Outcome, absorbed: Absorbed, *, again: bool) -> Change | None:
    """Write what a visit found, before the row of the page changes; return what it was."""
    id = outcome.claim.id
    before = visits(con, id) if again else ()
    if not before:
        return Change.APPEARED if outcome.ending is Ending.PAGE else None
    same = not absorbed.waiting and _same_text(con, outcome)
    change = change_of(outcome.ending, outcome.fetch.status if outcome.fetch else 0, before, same=same)
    if change is None:
        return None
    gained, lost = _compare_links(con, outcome, absorbed)
    con.executemany(_LOSE, [(target, id, outcome.finished) for target in lost])
    number = con.execute("SELECT count(*) FROM visits WHERE url_id = ?", (id,)).fetchone()[0]
    rows = [] if number else list(enumerate(before))
    rows.append((len(before), Visit(at=outcome.finished, change=change, gained=gained, lost=len(lost))))
    con.executemany(_INSERT, [(id, at, one.at, one.change.value, one.gained, one.lost) for at, one in rows])
    return change


def _same_text(con: sqlite3.Connection, outcome: Outcome) -> bool:
    row = con.execute(_TEXT, (outcome.claim.id,)).fetchone()
    read = outcome.reading
    return bool(row and read and nearly_same(read.digest, read.fingerprint, *row))


def _compare_links(con: sqlite3.Connection, outcome: Outcome, absorbed: Absorbed) -> tuple[int, set[int]]:
    """Return how many links a page gained, and the ids of those that it lost."""
    if outcome.ending is not Ending.PAGE:
        return 0, set()
    then = {dst for (dst,) in con.execute("SELECT dst FROM links WHERE src = ?", (outcome.claim.id,))}
    now = set(absorbed.ids.values())
    return len(now - then), then - now


def visits(con: sqlite3.Connection, id: int) -> tuple[Visit, ...]:
    """Return all visits to a page, the first one first."""
    found = [_visit(*row) for row in con.execute(_VISITS, (id,))]
    if not found and (row := con.execute(_ONLY_VISIT, (id,)).fetchone()):
        found = [Visit(at=row[0], change=Change.APPEARED)]
    return tuple(found)


def _visit(at: float, change: str, gained: int, lost: int) -> Visit:
    return Visit(at=at, change=Change(change), gained=gained, lost=lost)


def lost(con: sqlite3.Connection, id: int) -> tuple[LostLink, ...]:
    """Return the links to a URL that were lost, the latest last."""
    rows = con.execute(_LOST, (id, CITATIONS_SHOWN)).fetchall()
    return tuple(LostLink(url=url, at=at) for url, at in reversed(rows))


def cites(con: sqlite3.Connection, id: int) -> tuple[str, ...]:
    """Return the good pages by whose backlinks a URL was found."""
    return tuple(url for (url,) in con.execute(_CITES, (id, CITATIONS_SHOWN)))


def visited(con: sqlite3.Connection, after: int, limit: int, *, again: bool) -> list[Visited]:
    """Return pages with their visits, by age."""
    rows = con.execute(_VISITED.format(which=_AGAIN if again else _ALL), (after, limit)).fetchall()
    if not rows:
        return []
    seen: dict[int, list[Visit]] = {}
    for id, *visit in con.execute(_VISITS_BETWEEN, (rows[0][0], rows[-1][0])):
        seen.setdefault(id, []).append(_visit(*visit))
    return [
        Visited(
            id=id,
            url=url,
            host=host,
            relevance=relevance,
            visits=tuple(seen.get(id) or (Visit(at=fetched_at, change=Change.APPEARED),)),
        )
        for id, url, host, relevance, fetched_at in rows
    ]


def good_pages(con: sqlite3.Connection, after: int, least: float, limit: int) -> list[GoodPage]:
    """Return good pages whose backlinks are not known, in fetch order."""
    return [
        GoodPage(n=n, url=url, relevance=relevance, depth=depth)
        for n, url, relevance, depth in con.execute(_GOOD, (after, least, limit))
    ]


def found_backwards(
    work: Work, cited: str, discoveries: Sequence[Discovery], citing: Sequence[str] | None = None
) -> int:
    """Add URLs that cite a page, or that were found by way of such pages; return how many were new."""
    good = _id_of(work, cited)
    if good is None:
        return 0
    absorbed = absorb(work, [find for find in discoveries if not find.refusal], None)
    waiting = [id for url, id in absorbed.ids.items() if _waits(work, url)]
    known = [id for url in citing or () if (id := _id_of(work, url)) is not None]
    work.con.executemany(_CITE, [(id, good) for id in (waiting if citing is None else known)])
    if citing is None:
        work.con.execute(_ASKED, (good, work.now, absorbed.new))
    return absorbed.new


def _id_of(work: Work, url: str) -> int | None:
    host_id = work.known_host_id(host_of(url))
    place = (host_id or 0, url_key(url))
    stored = known_places(work, [place]) if host_id is not None else {}
    return stored[place].id if place in stored else None


def _waits(work: Work, url: str) -> bool:
    place = (work.known_host_id(host_of(url)) or 0, url_key(url))
    return known_places(work, [place])[place].state == NUMBER[UrlState.WAITING]


def revisit(work: Work, turns: Mapping[str, int]) -> int:
    """Put pages back into the frontier, each with its turn."""
    rows = []
    for url, turn in turns.items():
        host_id = work.known_host_id(host_of(url))
        row = None if host_id is None else work.con.execute(_PAGE_AT, (host_id, url_key(url))).fetchone()
        if row is not None:
            rank = row[3] if row[5] else again_rank(turn)
            rows.append((*row[:3], rank, *row[4:]))
    work.con.executemany(_SET_RANK, [(rank, host_id, key) for _, host_id, key, rank, *_ in rows])
    return visit_again(work, rows)


def revisit_pages(work: Work, ids: Collection[int], priority: float) -> int:
    """Put some pages back into the frontier, with another priority."""
    rows = [row for id in ids if (row := work.con.execute(_PAGE, (id,)).fetchone())]
    work.con.executemany(_SET_PRIORITY, [(priority, host_id, key) for _, host_id, key, *_ in rows])
    return visit_again(work, [(*row[:4], priority, row[5]) for row in rows])


def visit_again(work: Work, old: Sequence[tuple[int, int, int, int, float, int]]) -> int:
    """Let pages wait: rows of id, host, key, demoted, priority, example."""
    work.con.executemany(_VISIT_AGAIN, [(id,) for id, *_ in old])
    work.con.executemany(_WAIT_AGAIN, [(host_id, key) for _, host_id, key, *_ in old])
    for id, host_id, _, demoted, priority, example in old:
        host = work.host(host_id)
        host.pages -= not example
        host.waiting += 1
        host.offer(demoted, priority, id)
    work.count_move(UrlState.PAGE, UrlState.WAITING, len(old))
    work.finish()
    return len(old)


def leave_alone(work: Work) -> int:
    """Undo `revisit` for pages that still wait for their turn."""
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
    work.count_move(UrlState.WAITING, UrlState.PAGE, len(left))
    work.finish()
    return len(left)
