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
from scenthound.types import Discovery

_LOOK_UP = "SELECT id, state, priority, demoted, depth, hops, reason FROM urls WHERE host_id = ? AND key = ?"
_INSERT = """
INSERT INTO urls (id, host_id, key, url, state, priority, demoted, depth, hops, found_at, found_by, referrer_id, reason, detail)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_RAISE = "UPDATE urls SET priority = ?, demoted = ?, depth = ?, hops = ? WHERE id = ?"
_ACCEPT = """
UPDATE urls SET state = 'waiting', priority = ?, demoted = ?, depth = ?, hops = ?, found_at = ?, found_by = ?,
referrer_id = ?, reason = NULL, detail = NULL WHERE id = ?"""
INSERT_LINK = "INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Absorbed:
    """The ids of all URLs discovered, and how many were not known before."""

    ids: dict[str, int]
    new: int


def absorb(work: Work, discoveries: Sequence[Discovery], referrer: int | None) -> Absorbed:
    """Take over what one page, or the user, led to."""
    ids: dict[str, int] = {}
    fresh: list[tuple[object, ...]] = []
    last: int = 0
    for url, found in merged(discoveries).items():
        known = work.memo.urls.get(url)
        if known and not improves(found, known.priority, known.demoted, known.depth, known.hops):
            ids[url] = known.id
            continue
        host_id = work.host_id(found.host, found.domain)
        key = url_key(url)
        row = work.con.execute(_LOOK_UP, (host_id, key)).fetchone()
        if row is None:
            last = (last or _last_id(work.con)) + 1
            fresh.append(_row(found, last, host_id, key, referrer, work.now))
            _join(work, host_id, last, found)
            ids[url] = last
        else:
            ids[url] = row[0]
            _meet_again(work, host_id, found, row, referrer)
    work.con.executemany(_INSERT, fresh)
    return Absorbed(ids, len(fresh))


def url_key(url: str) -> int:
    """Return 64 bits that stand for a URL within its host.

    Two URLs of one host that agree would be taken for one: with a million URLs on a host, a chance of 3e-8.
    """
    return int.from_bytes(blake2b(url.encode("utf-8", "replace"), digest_size=8).digest(), "big", signed=True)


def _last_id(con: sqlite3.Connection) -> int:
    return int(con.execute("SELECT coalesce(max(id), 0) FROM urls").fetchone()[0])


def _row(found: Discovery, id: int, host_id: int, key: int, referrer: int | None, now: float) -> tuple[object, ...]:
    link, refusal = found.link, found.refusal
    state = UrlState.REFUSED if refusal else UrlState.WAITING
    return (
        id, host_id, key, link.url, state, found.priority, found.demoted, found.depth, found.hops,
        now, link.kind, referrer, refusal, found.detail if refusal else None,
    )  # fmt: skip


def _join(work: Work, host_id: int, id: int, found: Discovery) -> None:
    """Count a URL that is new, or that may now be followed, and let it compete for its host's next claim."""
    if found.refusal:
        work.counts["url:refused"] += 1
        work.counts[f"reason:{found.refusal}"] += 1
        return
    work.counts["url:waiting"] += 1
    host = work.host(host_id)
    host.waiting += 1
    host.offer(found.demoted, found.priority, id)
    work.memo.urls[found.link.url] = Known(id, found.priority, found.demoted, found.depth, found.hops)


def _meet_again(
    work: Work, host_id: int, found: Discovery, row: tuple[int, str, float, int, int, int, str], referrer: int | None
) -> None:
    id, state, priority, demoted, depth, hops, reason = row
    if state == UrlState.REFUSED:
        if not found.refusal:
            work.counts["url:refused"] -= 1
            work.counts[f"reason:{reason}"] -= 1
            values = (found.priority, found.demoted, found.depth, found.hops, work.now, found.link.kind, referrer, id)
            work.con.execute(_ACCEPT, values)
            _join(work, host_id, id, found)
        return
    if state == UrlState.WAITING and improves(found, priority, demoted, depth, hops):
        priority, demoted = max(priority, found.priority), min(demoted, found.demoted)
        depth, hops = min(depth, found.depth), min(hops, found.hops)
        work.con.execute(_RAISE, (priority, demoted, depth, hops, id))
        work.host(host_id).offer(demoted, priority, id)
    settled = state not in (UrlState.WAITING, UrlState.CLAIMED)
    work.memo.urls[found.link.url] = nothing_to_gain(id) if settled else Known(id, priority, demoted, depth, hops)


def link_rows(src: int, discoveries: Sequence[Discovery], ids: dict[str, int]) -> list[tuple[object, ...]]:
    """Return the rows of `links` for one page."""
    return [
        (src, position, ids[link.url], link.kind, clean(link.text), link.first_leaf, link.last_leaf, link.nofollow)
        for position, link in enumerate(found.link for found in discoveries)
    ]


def clean(text: str) -> str:
    """Return text that a database takes: lone surrogates, which bad markup can bring, become question marks."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
