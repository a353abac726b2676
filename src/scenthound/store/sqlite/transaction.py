"""What one transaction has in hand: the host rows it changes, the totals it moves, the places it takes and frees.

The frontier is a queue of hosts after Mercator's back queues (Heydon and Najork, World Wide Web 2(4), 1999, §3.2):
a host row knows its best waiting URL, and indexes over host rows find who is next, who wakes, who waits for room.
"""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import Any

from scenthound.store.rules import HostState, UrlState, full
from scenthound.store.sqlite.cache.host_rows import (
    SELECT_HOST,
    Before,
    Host,
    PlaceRow,
    count_columns,
    new_row,
    queue_columns,
)
from scenthound.store.sqlite.cache.memo import Memo
from scenthound.store.sqlite.cache.url_rows import Foreseen
from scenthound.types import Limits

# What stands in standings.state: with the words there (and fetched_before), a frontier of 5 million took 810 MB, not
# 768.
NUMBER = {state: number for number, state in enumerate(UrlState)}
# Marks where one of several engines looks at its own hosts only (store/postgres/dialect.py). A comment to SQLite, where
# one engine has all hosts.
OWN, OWN_H = "/* own hosts */", "/* own h.hosts */"
# Rows looked up by one statement, the last filled up with NULLs: as many as a batch has pages, or as it has hosts.
BLOCK, LARGE_BLOCK = 24, 128
_SOME_HOSTS = f"{SELECT_HOST} WHERE id IN (MARKS)"
_SOME_IDS = "SELECT name, id FROM hosts WHERE name IN (MARKS)"
# A host h has room when neither its domain nor its address is full; a limit of 0 is none.
ROOM = """
NOT EXISTS (SELECT 1 FROM places WHERE name = 'd:' || h.domain AND busy >= :per_domain AND :per_domain > 0) AND
NOT EXISTS (SELECT 1 FROM places WHERE name = 'i:' || h.ip AND h.ip <> '' AND busy >= :per_ip AND :per_ip > 0)"""
# Name and domain never change. Most hosts in a transaction only gain a waiting URL that is not their best: leaving the
# columns alone that the queues are made of spares three indexes.
_SAVE_COUNTS = """
UPDATE hosts SET delay = ?, failures = ?, bad = ?, reason = ?, ip = ?, waiting = ?, busy = ?, errand = ? WHERE id = ?"""
_SAVE_QUEUED = """
UPDATE hosts SET state = ?, due = ?, parked_on = ?, best_demoted = ?, best_priority = ?, best_id = ?, pages = ?,
delay = ?, failures = ?, bad = ?, reason = ?, ip = ?, waiting = ?, busy = ?, errand = ? WHERE id = ?"""
_NEXT_BEST = """
SELECT demoted + tries, priority, id FROM standings WHERE host_id = ? AND state = 0 AND id <> ?
ORDER BY demoted + tries, priority DESC, id LIMIT 1"""
# The same for many hosts.
_NEXT_BESTS = f"""
WITH wanted (host_id, but) AS (VALUES (CAST(? AS BIGINT), CAST(? AS BIGINT)){", (?, ?)" * (BLOCK - 1)})
SELECT s.host_id, s.demoted + s.tries, s.priority, s.id
FROM wanted w CROSS JOIN standings s ON s.host_id = w.host_id AND s.key = (
    SELECT n.key FROM standings n WHERE n.host_id = w.host_id AND n.state = 0 AND n.id <> w.but
    ORDER BY n.demoted + n.tries, n.priority DESC, n.id LIMIT 1)"""
# The greatest numbers of rows that are numbered one by one.
_LAST = """
SELECT (SELECT coalesce(max(n), 0) FROM pages), (SELECT coalesce(max(id), 0) FROM finds),
       (SELECT coalesce(max(id), 0) FROM hosts)"""
_PAGES, _FINDS, _HOSTS = range(3)
_PLACES = "SELECT name, busy, head_demoted, head_priority, head_pages, head_id, head_host FROM places"
_TAKE_PLACE = """
INSERT INTO places (name, busy) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET busy = places.busy + ?2"""
_FREE_PLACE = "UPDATE places SET busy = busy + ?2 WHERE name = ?1"
# Places without requests or parked hosts are forgotten, so that the table stays a page or two long.
_DROP_PLACE = "DELETE FROM places WHERE name = ? AND busy <= 0 AND head_id IS NULL"
_HEAD = """
SELECT best_demoted, best_priority, pages, best_id, id FROM hosts WHERE state = 'parked' AND parked_on = ?
ORDER BY best_demoted, best_priority DESC, pages, best_id LIMIT 1"""
# The same among an engine's own hosts, of one place and of all; other engines claim from the rest.
_OWN_HEAD = _HEAD.replace("\nORDER BY", f" {OWN}\nORDER BY")
_OWN_HEADS = f"""
SELECT DISTINCT ON (parked_on) parked_on, best_demoted, best_priority, pages, best_id, id FROM hosts
WHERE state = 'parked' {OWN} ORDER BY parked_on, best_demoted, best_priority DESC, pages, best_id"""
_SET_HEAD = """
INSERT INTO places (name, head_demoted, head_priority, head_pages, head_id, head_host) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT (name) DO UPDATE SET head_demoted = ?2, head_priority = ?3, head_pages = ?4, head_id = ?5, head_host = ?6"""
_COUNT_SHAPE = """
INSERT INTO shapes VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (host_id, shape) DO UPDATE SET fetched = shapes.fetched + ?3, novel = shapes.novel + ?4"""
_COUNT = """
INSERT INTO counters (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = counters.value + ?2"""


class Later:
    """Rows of URLs that are written when something looks at their places, or at the end: many with one statement."""

    def __init__(self) -> None:
        self._rows: dict[str, list[tuple[object, ...]]] = {}
        self._places: set[tuple[object, ...]] = set()

    def add(
        self, statement: str, rows: Sequence[tuple[object, ...]], places: Set[tuple[object, ...]] = frozenset()
    ) -> None:
        self._rows.setdefault(statement, []).extend(rows)
        self._places |= places

    def write(self, con: sqlite3.Connection, places: Iterable[tuple[object, ...]] | None = None) -> None:
        """Write all rows, if one of these places is among them; without places, in any case.

        No place has two rows: a caller that wants to add a second one has looked at the place before.
        """
        if places is not None and self._places.isdisjoint(places):
            return
        for statement, rows in self._rows.items():
            con.executemany(statement, rows)
        self._rows.clear()
        self._places.clear()


class Work:
    """One transaction's working set. Host rows are written by `save`, everything left over by `finish`."""

    def __init__(
        self, con: sqlite3.Connection, memo: Memo, *, now: float, limits: Limits, shared: bool = False
    ) -> None:
        self.con = con
        self._shared = shared  # with other engines, which have hosts of their own
        self.memo = memo
        self.now = now
        self.limits = limits
        self.counts: defaultdict[str, float] = defaultdict(float)
        self._hosts: dict[int, Host] = {}
        self._before: dict[int, Before] = {}
        self._freed: Counter[str] = Counter()
        self._shapes: dict[tuple[int, str], tuple[int, int]] = {}
        self._last: list[int] = []
        self.later = Later()
        self.foreseen = Foreseen()
        self._places: dict[str, PlaceRow] | None = None
        self._strangers: set[str] = set()  # hosts that were looked up and are not known

    def next_page(self) -> int:
        """Return the number of the next row of `pages`."""
        return self._next(_PAGES)

    def next_url(self) -> int:
        """Return the id of the next row of `finds`."""
        return self._next(_FINDS)

    def _next(self, which: int) -> int:
        """Count on from the greatest number, which is asked for once a transaction."""
        self._last = self._last or list(self.con.execute(_LAST).fetchone())
        self._last[which] += 1
        return self._last[which]

    def host(self, id: int) -> Host:
        """Return a host row to work on; the same object each time."""
        if id not in self._hosts:
            row = self.con.execute(f"{SELECT_HOST} WHERE id = ?", (id,)).fetchone()
            self.adopt(Host(*row))
        return self._hosts[id]

    def load(self, ids: Iterable[int]) -> None:
        """Read host rows that will be worked on, many at a time."""
        missing = [id for id in dict.fromkeys(ids) if id not in self._hosts]
        for row in in_blocks(self.con, _SOME_HOSTS, missing):
            self.adopt(Host(*row))

    def meet(self, names: Iterable[str]) -> None:
        """Look up the ids of hosts that are not remembered, many at a time."""
        missing = [name for name in dict.fromkeys(names) if name not in self.memo.hosts]
        if len(missing) < 2:
            return
        self._strangers.update(missing)
        for name, id in in_blocks(self.con, _SOME_IDS, missing):
            self.memo.hosts[name] = int(id)
            self._strangers.discard(name)

    def adopt(self, host: Host) -> Host:
        """Take in a host row that was read by a query."""
        self._hosts[host.id] = host
        self._before[host.id] = Before(
            host.state, host.waiting if host.bad else 0, host.parked_on, queue_columns(host), count_columns(host)
        )
        return host

    def host_id(self, name: str, domain: str) -> int:
        """Return the id of a host, which is made known by this if it was not."""
        id = self.known_host_id(name)
        if id is None:
            id = self.memo.hosts[name] = self._new_host(name, domain)
            self._strangers.discard(name)
        return id

    def known_host_id(self, name: str) -> int | None:
        """Return the id of a host, if it is known."""
        id = self.memo.hosts.get(name)
        if id is None and name not in self._strangers:
            row = self.con.execute("SELECT id FROM hosts WHERE name = ?", (name,)).fetchone()
            if row:
                id = self.memo.hosts[name] = int(row[0])
        return id

    def _new_host(self, name: str, domain: str) -> int:
        self.counts["host:idle"] += 1
        id = self._next(_HOSTS)
        self.con.execute("INSERT INTO hosts (id, name, domain, state) VALUES (?, ?, ?, 'idle')", (id, name, domain))
        self.adopt(new_row(id, name, domain))
        return id

    def seek_best(self, host: Host, *, but: int = 0) -> None:
        """Find the best waiting URL of a host again, but for one, by the index standings_waiting."""
        self.later.write(self.con)
        best = self.con.execute(_NEXT_BEST, (host.id, but)).fetchone()
        host.best_demoted, host.best_priority, host.best_id = best or (None, None, None)

    def seek_bests(self, ids: Collection[int]) -> None:
        """Find the best waiting URLs of hosts again, of many at a time."""
        if len(ids) == 1:
            self.seek_best(self.host(*ids))
        elif ids:
            best = self.next_bests(dict.fromkeys(ids, 0))
            for id in ids:
                host = self.host(id)
                host.best_demoted, host.best_priority, host.best_id = best.get(id, (None, None, None))

    def next_bests(self, but: Mapping[int, int]) -> dict[int, tuple[int, float, int]]:
        """Return rank, priority and id of the best waiting URLs of hosts, each but for one."""
        if but:
            self.later.write(self.con)
        best, hosts = {}, list(but)
        for start in range(0, len(hosts), BLOCK):
            block = [part for id in hosts[start : start + BLOCK] for part in (id, but[id])]
            rows = self.con.execute(_NEXT_BESTS, [*block, *[None] * (2 * BLOCK - len(block))])
            best.update({host_id: (demoted, priority, id) for host_id, demoted, priority, id in rows})
        return best

    def settle(self, host: Host) -> None:
        """Give a host the state that follows from its row; a parked one stays parked while nothing else stops it."""
        state = host.own_state(now=self.now, limits=self.limits)
        if state is HostState.READY and host.state == HostState.PARKED and host.parked_on in tuple(host.places()):
            return
        host.state, host.parked_on = state.value, None

    @property
    def places(self) -> dict[str, PlaceRow]:
        """All places, read once: they are those of the requests in flight, and few."""
        if self._places is None:
            self._places = {row[0]: PlaceRow(*row[1:]) for row in self.con.execute(_PLACES)}
            if self._shared:
                heads = {place: head for place, *head in self.con.execute(_OWN_HEADS)}
                self._places = {name: PlaceRow(row.busy, *heads.get(name, ())) for name, row in self._places.items()}
        return self._places

    def crowded(self, host: Host) -> str | None:
        """Return the name of a place that has no room for the host, if there is one."""
        for name in host.places():
            limit = self.limits.per_domain if name.startswith("d:") else self.limits.per_ip
            if limit and full(self.places[name].busy if name in self.places else 0, limit):
                return name
        return None

    def park(self, host: Host, place: str) -> None:
        """Put a host aside until a place is free."""
        host.state, host.parked_on = HostState.PARKED.value, place
        self.save(host)

    def occupy(self, host: Host, change: int) -> None:
        """Take (+1) or free (-1) the places of one request to a host."""
        host.busy += change
        for name in host.places():
            self.move_place(name, change)

    def leave(self, host: Host) -> None:
        """Free the places of one request to a host, by the end of the transaction at the latest."""
        host.busy -= 1
        self._freed.update(host.places())

    def count_shape(self, host: Host, shape: str, *, novel: bool) -> None:
        """Count a page of a shape; written at the end, for a batch is mostly of one host."""
        fetched, new = self._shapes.get((host.id, shape), (0, 0))
        self._shapes[host.id, shape] = (fetched + 1, new + novel)

    def move_place(self, name: str, change: int) -> None:
        self._note_place(name, change)
        self.con.execute(_TAKE_PLACE if change > 0 else _FREE_PLACE, (name, change))
        if change < 0:
            self.con.execute(_DROP_PLACE, (name,))

    def _note_place(self, name: str, change: int) -> None:
        """Keep the places right, if they were read: who reads them later reads what was written."""
        if self._places is None:
            return
        if name in self._places:
            self._places[name].busy += change
        elif change > 0:
            self._places[name] = PlaceRow(change)

    def save(self, host: Host) -> None:
        """Write a host row, and bring the totals and the queue of its place up to date."""
        before = self._before[host.id]
        queued, counts = queue_columns(host), count_columns(host)
        if queued != before.queued:
            self.con.execute(_SAVE_QUEUED, queued + counts)
        elif counts != before.counts:
            self.con.execute(_SAVE_COUNTS, counts)
        else:
            return  # a URL of it has risen, but not to the top
        self._count_state(host, before)
        if queued != before.queued:
            for place in {before.parked_on, host.parked_on} - {None}:
                self._refresh_head(str(place))
        self.adopt(host)

    def _count_state(self, host: Host, before: Before) -> None:
        if before.state != host.state:
            self.counts[f"host:{before.state}"] -= 1
            self.counts[f"host:{host.state}"] += 1
        self.counts["waiting_on_bad"] += (host.waiting if host.bad else 0) - before.stuck

    def _refresh_head(self, place: str) -> None:
        head = self.con.execute(_HEAD, (place,)).fetchone()
        self.con.execute(_SET_HEAD, (place, *(head or (None,) * 5)))
        if self._shared:
            head = self.con.execute(_OWN_HEAD, (place,)).fetchone()
        self.places[place] = PlaceRow(self.places[place].busy if place in self.places else 0, *(head or ()))
        if head is None:  # dropped unless hosts of other engines are parked there
            self.con.execute(_DROP_PLACE, (place,))

    def finish(self) -> None:
        """Free places, settle and write all hosts in hand, then the totals."""
        self.later.write(self.con)
        self._free_places()
        self.con.executemany(_COUNT_SHAPE, [(*key, *counted) for key, counted in self._shapes.items()])
        self._shapes.clear()
        for host in list(self._hosts.values()):
            self.settle(host)
        self._save_all(list(self._hosts.values()))
        self.finish_counts()

    def _free_places(self) -> None:
        for name, count in self._freed.items():
            self._note_place(name, -count)
        self.con.executemany(_FREE_PLACE, [(name, -count) for name, count in self._freed.items()])
        self.con.executemany(_DROP_PLACE, [(name,) for name in self._freed])
        self._freed.clear()

    def _save_all(self, hosts: list[Host]) -> None:
        """Write host rows, those of a kind together; those that have to do with places one by one."""
        parked = [host for host in hosts if host.parked_on or self._before[host.id].parked_on]
        others = [host for host in hosts if not (host.parked_on or self._before[host.id].parked_on)]
        rows = [(host, queue_columns(host), count_columns(host), self._before[host.id]) for host in others]
        queued = [(host, head + rest) for host, head, rest, before in rows if head != before.queued]
        counted = [(host, rest) for host, head, rest, before in rows if head == before.queued and rest != before.counts]
        self.con.executemany(_SAVE_QUEUED, [row for _, row in queued])
        self.con.executemany(_SAVE_COUNTS, [row for _, row in counted])
        for host, _ in (*queued, *counted):
            self._count_state(host, self._before[host.id])
            self.adopt(host)
        for host in parked:
            self.save(host)

    def count_move(self, old: UrlState, new: UrlState, urls: int) -> None:
        """Count URLs that go from one state to another."""
        self.counts[f"url:{old}"] -= urls
        self.counts[f"url:{new}"] += urls

    def finish_counts(self) -> None:
        self.con.executemany(_COUNT, [(name, change) for name, change in self.counts.items() if change])
        self.counts.clear()


def in_blocks(con: sqlite3.Connection, statement: str, keys: Sequence[object]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a statement that asks for many keys at a time, where it says MARKS."""
    start = 0
    while start < len(keys):
        size = BLOCK if len(keys) - start <= BLOCK else LARGE_BLOCK
        block = keys[start : start + size]
        yield from con.execute(_marked(statement, size), [*block, *[None] * (size - len(block))]).fetchall()
        start += size


@lru_cache(maxsize=64)
def _marked(statement: str, size: int) -> str:
    return statement.replace("MARKS", ", ".join("?" * size))


def read_limits(con: sqlite3.Connection) -> Limits:
    """Return the limits of the last claim."""
    row = con.execute("SELECT delay, per_host, per_domain, per_ip, pages_per_host, robots FROM limits").fetchone()
    if row is None:
        return Limits()
    delay, per_host, per_domain, per_ip, pages_per_host, robots = row
    return Limits(
        delay=delay,
        per_host=per_host,
        per_domain=per_domain,
        per_ip=per_ip,
        pages_per_host=pages_per_host,
        robots=bool(robots),
    )
