"""Visits to pages in the database: what each found, which links were lost since, and what was found backwards.

The first visit to a page is not written until there is a second: pages.fetched_at says when it was.
"""

import sqlite3
from collections.abc import Sequence

from scenthound.parse.urls import host_of
from scenthound.store.rules import CITATIONS_SHOWN, UrlState, change_of, nearly_same
from scenthound.store.sqlite_links import Absorbed, absorb, look_up, url_key
from scenthound.store.sqlite_work import NUMBER, Work
from scenthound.types import Change, Discovery, Ending, GoodPage, LostLink, Outcome, Visit, Visited

_VISITS = "SELECT at, change, gained, lost FROM visits WHERE url_id = ? ORDER BY number"
_ONLY_VISIT = "SELECT fetched_at FROM pages WHERE url_id = ? AND ending = 'page'"
_INSERT = "INSERT INTO visits VALUES (?, ?, ?, ?, ?, ?)"
_TEXT = "SELECT digest, fingerprint FROM pages WHERE url_id = ?"
_LOSE = "INSERT OR IGNORE INTO lost_links VALUES (?, ?, ?)"
_LOST = """
SELECT f.url, l.at FROM lost_links l CROSS JOIN finds f ON f.id = l.src
WHERE l.dst = ? ORDER BY l.at DESC, l.src DESC LIMIT ?"""
_CITES = """
SELECT f.url FROM backlinks b CROSS JOIN finds f ON f.id = b.cited WHERE b.citing = ? ORDER BY b.number LIMIT ?"""
# A scan of finds, or of visits, from an id on, with one row of standings for each, and one of pages and of hosts for those
# with a page.
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
INSERT INTO backlinks SELECT ?1, (SELECT count(*) FROM backlinks WHERE citing = ?1), ?2
WHERE NOT EXISTS (SELECT 1 FROM backlinks WHERE citing = ?1 AND cited = ?2)"""


def note(con: sqlite3.Connection, outcome: Outcome, absorbed: Absorbed, *, again: bool) -> Change | None:
    """Write down what a visit found, while the page's row is still the old one; return what it was."""
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
    """Return how many addresses a page links to that it did not before, and those that it does no longer."""
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
    """Return the good pages by which a URL was found backwards."""
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
    """Return good pages about which nobody asked who cites them, in fetch order."""
    return [
        GoodPage(n=n, url=url, relevance=relevance, depth=depth)
        for n, url, relevance, depth in con.execute(_GOOD, (after, least, limit))
    ]


def found_backwards(
    work: Work, cited: str, discoveries: Sequence[Discovery], citing: Sequence[str] | None = None
) -> int:
    """Let URLs that cite a page join the frontier, or what was found by way of such; return how many were not known."""
    good = _id_of(work, cited)
    if good is None:
        return 0
    absorbed = absorb(work, [find for find in discoveries if not find.refusal], None)
    waiting = [id for url, id in absorbed.ids.items() if _waits(work, url)]
    known = [id for url in citing or () if (id := _id_of(work, url)) is not None]
    work.con.executemany(_CITE, [(id, good) for id in (waiting if citing is None else known)])
    if citing is None:
        work.con.execute("INSERT OR REPLACE INTO asked_backwards VALUES (?, ?, ?)", (good, work.now, absorbed.new))
    return absorbed.new


def _id_of(work: Work, url: str) -> int | None:
    host_id = work.known_host_id(host_of(url))
    place = (host_id or 0, url_key(url))
    stored = look_up(work.con, [place]) if host_id is not None else {}
    return stored[place].id if place in stored else None


def _waits(work: Work, url: str) -> bool:
    place = (work.known_host_id(host_of(url)) or 0, url_key(url))
    return look_up(work.con, [place])[place].state == NUMBER[UrlState.WAITING]
