"""Taking over what was discovered: new URLs join the frontier, known ones may rise in it, links are remembered.

A page brings dozens of links and few new URLs, so the common case, a link seen lately that changes nothing,
costs one dictionary look-up and no statement.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from scenthound.store.rules import UrlState, improves, merged
from scenthound.store.sqlite_memo import Known, nothing_to_gain
from scenthound.store.sqlite_work import Work
from scenthound.types import Discovery, LinkKind

# Pairs of host and key are looked up in blocks of 16, the last filled up with NULLs: one statement for each pair took
# 2.2 times as long (32 known URLs of a store of 50,000). CROSS JOIN keeps the planner from turning the loops round; it relies on urls_key.
_BLOCK = 16
_LOOK_UP = f"""
WITH wanted (host_id, key) AS (VALUES {", ".join(["(?, ?)"] * _BLOCK)})
SELECT u.host_id, u.key, u.id, u.state, u.priority, u.demoted, u.depth, u.hops, u.reason, u.tries, u.example
FROM wanted w CROSS JOIN urls u ON u.host_id = w.host_id AND u.key = w.key"""
_INSERT = """
INSERT INTO urls (id, host_id, key, url, state, priority, demoted, depth, hops, found_at, found_by, referrer_id, via_id, reason, detail,
                  example)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12, ?13, ?14, ?15)"""
_RAISE = "UPDATE urls SET priority = ?, demoted = ?, depth = ?, hops = ? WHERE id = ?"
_RAISE_VIA = "UPDATE urls SET priority = ?, demoted = ?, depth = ?, hops = ?, via_id = ? WHERE id = ?"
_MAKE_EXAMPLE = "UPDATE urls SET example = 1, via_id = ? WHERE id = ?"
_ACCEPT = """
UPDATE urls SET state = 'waiting', priority = ?1, demoted = ?2, depth = ?3, hops = ?4, found_at = ?5, found_by = ?6,
referrer_id = ?7, via_id = ?7, example = max(example, ?8), reason = NULL, detail = NULL WHERE id = ?9"""
_KINDS = {kind: kind.value for kind in LinkKind}
_WAITING, _REFUSED = UrlState.WAITING.value, UrlState.REFUSED.value
INSERT_LINK = "INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Absorbed:
    """The ids of all URLs discovered, and how many were not known before."""

    ids: dict[str, int]
    new: int


@dataclass(frozen=True, slots=True)
class Stored:
    """A URL as the database has it."""

    id: int
    state: str
    priority: float
    demoted: int
    depth: int
    hops: int
    reason: str | None
    tries: int
    example: int


def absorb(work: Work, discoveries: Sequence[Discovery], referrer: int | None) -> Absorbed:
    """Take over what one page, or the user, led to."""
    ids: dict[str, int] = {}
    unsure: list[tuple[tuple[int, int], Discovery]] = []
    for url, found in merged(discoveries).items():
        known = work.memo.urls.get(url)
        if known and not improves(found, known.priority, known.demoted, known.depth, known.hops):
            ids[url] = known.id
        else:
            unsure.append(((work.host_id(found.host, found.domain), url_key(url)), found))
    stored = _look_up(work.con, [place for place, _ in unsure])
    fresh: list[tuple[object, ...]] = []
    last = _last_id(work.con) if len(stored) < len(unsure) else 0
    for place, found in unsure:
        old = stored.get(place)
        if old is None:
            last += 1
            fresh.append(_row(found, last, place, referrer, work.now))
            _join(work, place[0], last, found)
        else:
            _meet_again(work, place[0], found, old, referrer)
        ids[found.link.url] = old.id if old else last
    work.con.executemany(_INSERT, fresh)
    return Absorbed(ids, len(fresh))


def _look_up(con: sqlite3.Connection, places: list[tuple[int, int]]) -> dict[tuple[int, int], Stored]:
    stored = {}
    for start in range(0, len(places), _BLOCK):
        block: list[int | None] = [part for place in places[start : start + _BLOCK] for part in place]
        block += [None] * (2 * _BLOCK - len(block))
        for host_id, key, *values in con.execute(_LOOK_UP, block):
            stored[host_id, key] = Stored(*values)
    return stored


def url_key(url: str) -> int:
    """Return 64 bits that stand for a URL within its host.

    Two URLs of one host that agree would be taken for one: with a million URLs on a host, a chance of 3e-8.
    """
    return int.from_bytes(blake2b(url.encode("utf-8", "replace"), digest_size=8).digest(), "big", signed=True)


def _last_id(con: sqlite3.Connection) -> int:
    return int(con.execute("SELECT coalesce(max(id), 0) FROM urls").fetchone()[0])


def _row(found: Discovery, id: int, place: tuple[int, int], referrer: int | None, now: float) -> tuple[object, ...]:
    link, refusal = found.link, found.refusal
    state = _REFUSED if refusal else _WAITING
    return (
        id, *place, link.url, state, found.priority, found.demoted, found.depth, found.hops,
        now, _KINDS[link.kind], referrer, refusal.value if refusal else None, found.detail if refusal else None,
        1 if found.example else 0,
    )  # fmt: skip


def _join(work: Work, host_id: int, id: int, found: Discovery, tries: int = 0) -> None:
    """Count a URL that is new, or that may now be followed, and let it compete for its host's next claim."""
    if found.refusal:
        work.counts["url:refused"] += 1
        work.counts[f"reason:{found.refusal}"] += 1
        return
    work.counts["url:waiting"] += 1
    host = work.host(host_id)
    host.waiting += 1
    host.offer(found.demoted + tries, found.priority, id)
    work.memo.urls[found.link.url] = Known(id, found.priority, found.demoted, found.depth, found.hops)


def _meet_again(work: Work, host_id: int, found: Discovery, old: Stored, referrer: int | None) -> None:
    """Let a URL that is known rise, if it waits, or wait, if it was refused so far."""
    if old.state == UrlState.REFUSED:
        if not found.refusal:
            work.counts["url:refused"] -= 1
            work.counts[f"reason:{old.reason}"] -= 1
            rank = (found.priority, found.demoted, found.depth, found.hops)
            example = 1 if found.example else 0
            work.con.execute(_ACCEPT, (*rank, work.now, _KINDS[found.link.kind], referrer, example, old.id))
            _join(work, host_id, old.id, found, old.tries)
        return
    known = Known(old.id, old.priority, old.demoted, old.depth, old.hops)
    if old.state not in (UrlState.WAITING, UrlState.CLAIMED):
        known = nothing_to_gain(old.id)
    elif old.state == UrlState.WAITING and improves(found, old.priority, old.demoted, old.depth, old.hops):
        priority, demoted = max(old.priority, found.priority), min(old.demoted, found.demoted)
        known = Known(old.id, priority, demoted, min(old.depth, found.depth), min(old.hops, found.hops))
        rank = (priority, demoted, known.depth, known.hops)
        if found.priority > old.priority and not old.example:
            work.con.execute(_RAISE_VIA, (*rank, referrer, old.id))
        else:
            work.con.execute(_RAISE, (*rank, old.id))
        if found.example and not old.example:
            work.con.execute(_MAKE_EXAMPLE, (referrer, old.id))
        work.host(host_id).offer(demoted + old.tries, priority, old.id)
    work.memo.urls[found.link.url] = known


def link_rows(src: int, discoveries: Sequence[Discovery], ids: dict[str, int]) -> list[tuple[object, ...]]:
    """Return the rows of `links` for one page, in exact types: sqlite3 looks for an adapter of every subclass."""
    return [
        (
            src,
            position,
            ids[link.url],
            _KINDS[link.kind],
            clean(link.text),
            link.first_leaf,
            link.last_leaf,
            1 if link.nofollow else 0,
        )
        for position, link in enumerate(found.link for found in discoveries)
    ]


def clean(text: str) -> str:
    """Return text that a database takes: lone surrogates, which bad markup can bring, become question marks."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
