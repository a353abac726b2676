"""Hosts in the database: their state, their robots.txt, and repairs after a wrong clock.

`hosts.state` is what the last transaction left. Time passes and places fill without a write to each host row, so the
state shown is worked out from the row, the time and the places.
"""

import sqlite3

from scenthound.store.rules import AHEAD, HostState, due_after_clock, full
from scenthound.store.sqlite.cache.host_rows import SELECT_HOST, Host
from scenthound.store.sqlite.state import State
from scenthound.store.sqlite.transaction import Work, read_limits
from scenthound.types import DomainCount, HostCount, HostView, PutOff, RobotsAnswer

_MAY_CLAIM = (HostState.READY, HostState.RESTING, HostState.PARKED)  # which of these, only the moment tells
_LATE = "SELECT 1 FROM (SELECT at FROM fetches ORDER BY id DESC LIMIT 10000) last WHERE at > :late LIMIT 1"
_LATE_HOSTS = """
SELECT u.host_id, max(f.at) FROM fetches f JOIN finds u ON u.id = f.url_id WHERE f.at > :late GROUP BY u.host_id"""
_COUNTS = "SELECT id, domain, pages FROM hosts WHERE id > ? ORDER BY id LIMIT ?"
_DOMAIN = "SELECT count(*), coalesce(sum(pages), 0) FROM hosts WHERE domain = ?"  # a scan: for people who ask


class SqliteHosts(State):
    """Verbs about hosts and registered domains."""

    def host(self, name: str, *, now: float) -> HostView | None:
        with self._session.snapshot() as con:
            row = con.execute(f"{SELECT_HOST} WHERE name = ?", (name,)).fetchone()
            return host_view(con, Host(*row), now) if row else None

    def hosts(self, *, now: float, state: str | None = None, limit: int = 20) -> list[HostView]:
        with self._session.snapshot() as con:
            return largest_hosts(con, now, HostState(state) if state else None, limit)

    def host_counts(self, *, after: int = 0, limit: int) -> list[HostCount]:
        with self._session.errors():
            rows = self._session.con.execute(_COUNTS, (after, limit))
            return [HostCount(id=id, domain=domain, pages=pages) for id, domain, pages in rows]

    def domain(self, name: str) -> DomainCount:
        with self._session.errors():
            hosts, pages = self._session.con.execute(_DOMAIN, (name,)).fetchone()
        return DomainCount(hosts=hosts, pages=pages)

    def robots(self, origin: str) -> RobotsAnswer | None:
        with self._session.errors():
            return read_robots(self._session.con, origin)

    def forgive(self, *, now: float) -> int:
        with self._work(now, durable=True) as work:
            return forgive(work)

    def wind_back(self, *, now: float) -> PutOff:
        with self._work(now, durable=True) as work:
            return wind_back(work)


def largest_hosts(con: sqlite3.Connection, now: float, state: HostState | None, limit: int) -> list[HostView]:
    """Return hosts with most waiting URLs first. This sorts all hosts: it is for people who ask, not for a loop."""
    stored = list(HostState) if state is None else _MAY_CLAIM if state in _MAY_CLAIM else (state,)
    wanted = ", ".join(f"'{name}'" for name in stored)
    views: list[HostView] = []
    for row in con.execute(f"{SELECT_HOST} WHERE state IN ({wanted}) ORDER BY waiting DESC, name"):
        if len(views) >= limit:
            break
        view = host_view(con, Host(*row), now)
        if state in (None, view.state):
            views.append(view)
    return views


def host_view(con: sqlite3.Connection, host: Host, now: float) -> HostView:
    """Return a host as it is shown."""
    return HostView(
        host=host.name,
        state=state_now(con, host, now),
        waiting=host.waiting,
        pages=host.pages,
        failures=host.failures,
        due=host.due,
        delay=host.delay,
        reason=host.reason,
        ip=host.ip,
    )


def state_now(con: sqlite3.Connection, host: Host, now: float) -> HostState:
    """Return the state of a host at this time."""
    last = read_limits(con)
    state = host.own_state(now=now, limits=last)
    if state is not HostState.READY:
        return state
    for name in host.places():
        row = con.execute("SELECT busy FROM places WHERE name = ?", (name,)).fetchone()
        if row and full(row[0], last.per_domain if name.startswith("d:") else last.per_ip):
            return HostState.PARKED
    return state


def read_robots(con: sqlite3.Connection, origin: str) -> RobotsAnswer | None:
    """Return the robots.txt of an origin."""
    row = con.execute("SELECT status, text, fetched, expires FROM robots WHERE origin = ?", (origin,)).fetchone()
    if row is None:
        return None
    status, text, fetched, expires = row
    return RobotsAnswer(origin=origin, status=status, text=text, fetched=fetched, expires=expires)


def forgive(work: Work) -> int:
    """Make bad hosts good again."""
    bad = [work.adopt(Host(*row)) for row in work.con.execute(f"{SELECT_HOST} WHERE bad").fetchall()]
    for host in bad:
        host.bad, host.failures, host.reason = 0, 0, ""
    work.finish()
    return len(bad)


def wind_back(work: Work) -> PutOff:
    """Repair due times after a clock that ran ahead. This reads much, but only if the last fetches lie ahead."""
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
