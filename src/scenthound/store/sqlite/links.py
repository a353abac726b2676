"""Taking over what was discovered: new URLs join the frontier, known ones may rise in it, links are remembered.

A page brings dozens of links and few new URLs, so the common case, a link seen lately that changes nothing,
costs one dictionary look-up and no statement.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from math import inf

from scenthound.parse.urls import host_of
from scenthound.store.rules import Hope, UrlState, hope_of, improves, merged
from scenthound.store.sqlite.cache.memo import Known, everything_to_gain, nothing_to_gain
from scenthound.store.sqlite.cache.url_rows import Place, Stored, look_up
from scenthound.store.sqlite.transaction import NUMBER, Work
from scenthound.types import Discovery, LinkKind

_ID = """
SELECT f.id FROM hosts h CROSS JOIN standings s ON s.host_id = h.id CROSS JOIN finds f ON f.id = s.id
WHERE h.name = ? AND s.key = ? AND f.url = ?"""
_INSERT_FIND = """
INSERT INTO finds (id, host_id, key, url, found_at, found_by, referrer_id, reason, detail)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_INSERT_STANDING = """
INSERT INTO standings (host_id, key, id, state, demoted, depth, hops, via_id, example, priority, promise, cited, citing)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_SET_STANDING = """
UPDATE standings SET state = 0, demoted = ?, depth = ?, hops = ?, via_id = ?, example = ?, priority = ?, promise = ?,
cited = ?, citing = ? WHERE host_id = ? AND key = ?"""
_SET_FIND = "UPDATE finds SET found_at = ?, found_by = ?, referrer_id = ?, reason = NULL, detail = NULL WHERE id = ?"
_KINDS = {kind: kind.value for kind in LinkKind}
_WAITING, _CLAIMED, _REFUSED = NUMBER[UrlState.WAITING], NUMBER[UrlState.CLAIMED], NUMBER[UrlState.REFUSED]
INSERT_LINK = "INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Absorbed:
    """The ids of all URLs discovered, how many were not known before, and how many of these wait now."""

    ids: dict[str, int]
    new: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Fresh:
    """The rows of URLs that were not known before."""

    finds: list[tuple[object, ...]] = field(default_factory=list)
    standings: list[tuple[object, ...]] = field(default_factory=list)

    def take(self, found: Discovery, id: int, place: Place, referrer: int | None, now: float) -> None:
        link, refusal = found.link, found.refusal
        state, reason, detail = (_REFUSED, refusal.value, found.detail) if refusal else (_WAITING, None, None)
        self.finds.append((id, *place, link.url, now, _KINDS[link.kind], referrer, reason, detail))
        rank = (found.demoted, found.depth, found.hops, referrer, 1 if found.example else 0)
        self.standings.append((*place, id, state, *rank, *hope_columns(hope_of(found))))

    @property
    def waiting(self) -> int:
        return sum(state == _WAITING for _, _, _, state, *_ in self.standings)


def absorb(work: Work, discoveries: Sequence[Discovery], referrer: int | None) -> Absorbed:
    """Take over what one page, or the user, led to."""
    ids: dict[str, int] = {}
    in_doubt: list[tuple[str, Discovery]] = []
    for url, found in merged(discoveries).items():
        known = work.memo.urls.get(url)
        if known and not _matters(found, known):
            ids[url] = known.id
        else:
            in_doubt.append((url, found))
    work.meet(found.host for _, found in in_doubt)
    keys = work.foreseen.keys
    unsure = [
        ((work.host_id(found.host, found.domain), keys.get(url) or url_key(url)), found) for url, found in in_doubt
    ]
    work.load(place[0] for place, _ in unsure)
    stored = known_places(work, [place for place, _ in unsure])
    fresh, fallen = Fresh(), set[int]()
    for place, found in unsure:
        old = stored.get(place)
        if old is None:
            id = work.next_url()
            work.foreseen.forget(place)
            fresh.take(found, id, place, referrer, work.now)
            _join(work, place[0], id, found)
        else:
            id = old.id
            fallen |= _meet_again(work, place, found, old, referrer)
        ids[found.link.url] = id
    work.later.add(_INSERT_FIND, fresh.finds)
    work.later.add(_INSERT_STANDING, fresh.standings, {row[:2] for row in fresh.standings})
    work.seek_bests(fallen)
    return Absorbed(ids, len(fresh.finds), fresh.waiting)


def _matters(found: Discovery, known: Known) -> bool:
    """Tell whether a link to a URL seen lately may change anything about it."""
    if found.cited is not None and found.refusal is None and known.priority != inf:
        return True
    return improves(found, known.priority, known.demoted, known.depth, known.hops)


def foresee(work: Work, pages: Sequence[Sequence[Discovery]]) -> None:
    """Look up what several pages lead to, all at once, before each is taken over by itself."""
    in_doubt: dict[str, Discovery] = {}
    for discoveries in pages:
        for found in discoveries:
            known = work.memo.urls.get(found.link.url)
            if known is None or _matters(found, known):
                in_doubt.setdefault(found.link.url, found)
    work.meet(found.host for found in in_doubt.values())
    hosts = {name: work.memo.hosts.get(name) for name in {found.host for found in in_doubt.values()}}
    work.load(id for id in hosts.values() if id is not None)
    keys = {url: url_key(url) for url in in_doubt}
    places = [(id, keys[url]) for url, found in in_doubt.items() if (id := hosts[found.host]) is not None]
    work.foreseen.keys = keys
    work.foreseen.read(work.con, places)


def known_places(work: Work, places: list[Place]) -> dict[Place, Stored]:
    """Return the URLs that are known, by host and key; what this transaction has yet to write is written if it must."""
    foreseen = work.foreseen.rows
    if not foreseen:
        work.later.write(work.con, places)
        return look_up(work.con, places)
    missing = [place for place in places if place not in foreseen]
    stored = {place: old for place in places if (old := foreseen.get(place)) is not None}
    if missing:
        work.later.write(work.con, missing)
        stored |= look_up(work.con, missing)
    return stored


def url_key(url: str) -> int:
    """Return 64 bits that stand for a URL within its host.

    Two URLs of one host that agree would be taken for one: with a million URLs on a host, a chance of 3e-8.
    """
    return int.from_bytes(blake2b(url.encode("utf-8", "replace"), digest_size=8).digest(), "big", signed=True)


def url_id(con: sqlite3.Connection, url: str) -> int | None:
    """Return the id of a known URL."""
    if url.count("/") < 3:
        return None  # not canonical, so never stored
    row = con.execute(_ID, (host_of(url), url_key(url), url)).fetchone()
    return int(row[0]) if row else None


def _join(work: Work, host_id: int, id: int, found: Discovery, tries: int = 0) -> None:
    """Count a URL that is new, or that may now be followed, and let it compete for its host's next claim."""
    if found.refusal:
        work.counts["url:refused"] += 1
        work.counts[f"reason:{found.refusal}"] += 1
        work.memo.urls[found.link.url] = everything_to_gain(id)
        return
    work.counts["url:waiting"] += 1
    host = work.host(host_id)
    host.waiting += 1
    host.offer(found.demoted + tries, hope_of(found).priority, id)
    work.memo.urls[found.link.url] = Known(id, found.priority, found.demoted, found.depth, found.hops)


def _meet_again(work: Work, place: Place, found: Discovery, old: Stored, referrer: int | None) -> set[int]:
    """Let a URL that is known rise or fall, if it waits, or wait, if it was refused so far.

    Return its host if that must look for its best URL again, because this was it and has fallen.
    """
    if old.state == _REFUSED:
        if found.refusal:
            work.memo.urls[found.link.url] = everything_to_gain(old.id)
        else:
            _accept(work, place, found, old, referrer)
        return set()
    known = Known(old.id, old.hope.best, old.demoted, old.depth, old.hops)
    if old.state not in (_WAITING, _CLAIMED):
        known = nothing_to_gain(old.id)
    elif old.state == _WAITING and _matters(found, known):
        hope, demoted = old.hope.joined(found), min(old.demoted, found.demoted)
        known = Known(old.id, hope.best, demoted, min(old.depth, found.depth), min(old.hops, found.hops))
        becomes_example = found.example and not old.example
        rises = found.priority > old.hope.best and not old.example
        via = referrer if becomes_example or rises else old.via
        rank = (demoted, known.depth, known.hops, via, 1 if found.example else old.example)
        work.foreseen.forget(place)
        work.later.add(_SET_STANDING, [(*rank, *hope_columns(hope), *place)], {place})
        host = work.host(place[0])
        if hope.priority < old.priority and host.best_id == old.id:
            work.memo.urls[found.link.url] = known
            return {place[0]}
        host.offer(demoted + old.tries, hope.priority, old.id)
    work.memo.urls[found.link.url] = known
    return set()


def _accept(work: Work, place: Place, found: Discovery, old: Stored, referrer: int | None) -> None:
    """Let a URL wait that was refused so far, as if it had been found just now."""
    work.later.write(work.con)
    reason = work.con.execute("SELECT reason FROM finds WHERE id = ?", (old.id,)).fetchone()[0]
    work.counts["url:refused"] -= 1
    work.counts[f"reason:{reason}"] -= 1
    rank = (found.demoted, found.depth, found.hops, referrer, 1 if found.example else old.example)
    work.foreseen.forget(place)
    work.con.execute(_SET_STANDING, (*rank, *hope_columns(hope_of(found)), *place))
    work.con.execute(_SET_FIND, (work.now, _KINDS[found.link.kind], referrer, old.id))
    _join(work, place[0], old.id, found, old.tries)


def hope_columns(hope: Hope) -> tuple[float, float | None, float, int]:
    """Return priority, promise, cited and citing; the promise is written only where it differs from the priority."""
    return (hope.priority, hope.best if hope.citing else None, hope.cited, hope.citing)


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
