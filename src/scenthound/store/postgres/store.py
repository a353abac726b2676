"""The store on a PostgreSQL server: one schema is one crawl, with readers and engines on any machine.

Each role is that of the SQLite store, in SQL that both databases read. A recorded batch is on the server's disk when
`record` returns. Claims may be lost with the server's power; their URLs then wait again.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from scenthound.errors import StoreError
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.dialect import TABLES
from scenthound.store.postgres.engine_rows import CLOCK, LEASE, engines_at, reap
from scenthound.store.postgres.lease import Lease
from scenthound.store.postgres.lost_claims import release_orphans, release_unknown
from scenthound.store.postgres.session import PostgresSession
from scenthound.store.sqlite.cache.memo import Memo
from scenthound.store.sqlite.claim import release
from scenthound.store.sqlite.hosts import host_view
from scenthound.store.sqlite.store import SqlStore
from scenthound.store.sqlite.transaction import Work
from scenthound.types import (
    Claim,
    EngineStanding,
    EngineView,
    HostView,
    Limits,
    Outcome,
    Recorded,
    SharedFile,
)

LOOK: Final = 1.0  # seconds after which an engine with nothing to do looks whether another one has found something
_SHARE: Final = f"""
INSERT INTO shared_files VALUES (?1, ?2, ?3, {CLOCK}, ?4) ON CONFLICT (name) DO UPDATE
SET version = ?2, content = ?3, at = {CLOCK}, by_engine = ?4 WHERE shared_files.version = ?5 RETURNING version"""
_VERSIONS: Final = "SELECT name, version FROM shared_files WHERE left(name, length(?1)) = ?1"
_STANDING: Final = """
SELECT coalesce((SELECT min(id) FROM engines) = ?1, false), (SELECT count(*) FROM engines WHERE id <> ?1),
       (SELECT coalesce(md5(string_agg(shard::text, ',' ORDER BY shard)), 'none') FROM shards WHERE engine = ?1),
       coalesce((SELECT value FROM counters WHERE name = 'pages'), 0)"""
# What a choosy crawl has waited away (frontier/patience.py), after the number of the oldest engine: with another one
# it begins anew.
_ACCOUNT: Final = """
INSERT INTO notes SELECT 'waited away', coalesce(min(id), 0) || ' ' || CAST(?1 AS DOUBLE PRECISION) FROM engines
ON CONFLICT (key) DO UPDATE SET value = CASE
    WHEN split_part(notes.value, ' ', 1) <> split_part(excluded.value, ' ', 1) THEN excluded.value
    ELSE split_part(notes.value, ' ', 1) || ' '
        || least(CAST(?2 AS DOUBLE PRECISION), split_part(notes.value, ' ', 2)::float8 + ?1) END
RETURNING split_part(value, ' ', 2)::float8"""
# Hosts of all engines that could give a claim, now or later.
_ANY_LEFT: Final = "SELECT 1 FROM hosts WHERE state IN ('ready', 'resting', 'parked') LIMIT 1"


class PostgresStore(SqlStore):
    """A crawl on a server; use it in a `with`. `read_only` is for readers beside a running crawl.

    With `engine`, a name for people, this process becomes one of the crawl's engines. Otherwise it writes alone.
    """

    def __init__(
        self, url: ServerUrl, *, read_only: bool = False, bad_after: int = 3, engine: str = "", lease: float = LEASE
    ) -> None:
        memo = Memo()
        self._name = engine
        self._server = PostgresSession(
            url, read_only=read_only, forget=memo.forget, doubt=memo.urls.clear, engine=engine, lease=lease
        )
        self._settled = 0  # joins after which claims of engines that are gone were given back
        self._reached = 0  # connections after which own claims were compared with those of the server
        self._held: set[int] = set()  # what this engine has claimed and not recorded
        super().__init__(self._server, memo, bad_after=bad_after)

    def close(self) -> None:
        if self._name and self.lease.number:
            with suppress(StoreError):  # then others give them back when the lease has run out
                self.release(owner=self._server.engine, now=time.time())
        super().close()

    def empty(self) -> None:
        """Delete everything that the crawl has on the server, but not its tables."""
        with self._session.transaction(durable=True) as con:
            con.executescript("; ".join(f"DELETE FROM {table}" for table in TABLES))
        self._memo.forget()
        self._taught = 0

    # -- among engines

    @property
    def is_engine(self) -> bool:
        return bool(self._name)

    @property
    def lease(self) -> Lease:
        """The lease of this engine; without one, it was opened to write alone, or to read."""
        return self._server.lease

    def clock_ahead(self) -> float:
        """The answer that came soonest of three says most: half of the time that it took may be an error."""
        asked: list[tuple[float, float]] = []
        with self._session.errors():
            for _ in range(3):
                before = time.time()
                [there] = self._session.con.execute(f"SELECT {CLOCK}").fetchone()
                after = time.time()
                asked.append((after - before, there - (before + after) / 2))
        return min(asked)[1]

    def engines(self) -> list[EngineView]:
        with self._session.snapshot() as con:
            return engines_at(con)

    def standing(self) -> EngineStanding:
        with self._session.errors():
            row = self._session.con.execute(_STANDING, (self.lease.number,)).fetchone()
        return EngineStanding(teaches=bool(row[0]), others=int(row[1]), shards=str(row[2]), pages=int(row[3]))

    def shards(self) -> frozenset[int]:
        with self._session.errors():
            rows = self._session.con.execute("SELECT shard FROM shards WHERE engine = ?", (self.lease.number,))
            return frozenset(int(shard) for (shard,) in rows.fetchall())

    def account(self, change: float, *, most: float) -> float:
        with self._session.errors():
            row = self._session.con.execute(_ACCOUNT, (change, most)).fetchone()
        return float(row[0])

    def claim(self, *, owner: str, now: float, limit: int, limits: Limits, lease: float) -> list[Claim]:
        """Each claim has the number under which it was made: the next transaction may be that of a new engine."""
        found = super().claim(owner=owner, now=now, limit=limit, limits=limits, lease=lease)
        claims = [replace(claim, engine=self.lease.number) for claim in found]
        if self._settled != self._server.joined:  # others have what was claimed under the old number
            self._held.clear()
        self._held.update(claim.id for claim in claims)
        self._settled, self._reached = self._server.joined, self._server.reached
        return claims

    def record(
        self,
        outcomes: Sequence[Outcome],
        *,
        now: float,
        archived: dict[str, int],
        synced: Callable[[], None] | None = None,
        soon: bool = False,
    ) -> list[Recorded]:
        recorded = super().record(outcomes, now=now, archived=archived, synced=synced, soon=soon)
        self._held.difference_update(outcome.claim.id for outcome in outcomes)
        return recorded

    def reserve(self, host: str, *, now: float, seconds: float) -> HostView | None:
        with self._work(now, durable=False) as work:
            id = work.known_host_id(host)
            if id is None:
                return None
            row = work.host(id)
            before = host_view(work.con, row, now)
            if not row.busy and row.due <= now:
                row.due = now + seconds
            work.finish()
        return before

    def release(self, *, owner: str | None, now: float) -> int:
        """Without an owner, give back this engine's claims and those of engines that are gone."""
        if not self._name or owner is not None:
            return super().release(owner=owner, now=now)
        with self._work(now, durable=False) as work:
            given = release(work, self._server.engine) + self._release_orphans(work)
            work.finish_counts()
            return given

    def next_due(self, *, now: float, again: bool = False) -> float | None:
        """Return when this engine can claim next. While others have work, it may get some."""
        due = super().next_due(now=now, again=again)
        if due is not None or not self._name:
            return due
        with self._session.errors():
            con = self._session.con
            theirs = con.execute("SELECT 1 FROM claims WHERE owner <> ? LIMIT 1", (self._server.engine,)).fetchone()
            left = theirs or (None if again else con.execute(_ANY_LEFT).fetchone())
        return now + LOOK if left else None

    def _tend(self, work: Work) -> None:
        """Take over from engines whose lease has run out; their hosts rest before they are asked again."""
        if not self._name:
            return
        is_new = self._settled != self._server.joined
        if (self._server.overdue and reap(work.con)) or is_new:
            self._release_orphans(work)
        if self._reached != self._server.reached:
            release_unknown(work, self._server.engine, set() if is_new else self._held)

    def _release_orphans(self, work: Work) -> int:
        owners = [str(number) for (number,) in work.con.execute("SELECT id FROM engines").fetchall()]
        return release_orphans(work, owners)

    # -- files that engines share

    def share_file(self, name: str, content: bytes, *, after: int) -> int | None:
        with self._session.transaction(durable=True) as con:
            row = con.execute(_SHARE, (name, after + 1, content, self._name, after)).fetchone()
        return int(row[0]) if row else None

    def shared_file(self, name: str) -> SharedFile | None:
        if name not in self.shared_versions(under=name):
            return None
        with self._session.errors():
            found = self._session.con.execute("SELECT version, content FROM shared_files WHERE name = ?", (name,))
            row = found.fetchone()
        return SharedFile(name=name, version=row[0], content=row[1]) if row else None

    def shared_versions(self, *, under: str = "") -> Mapping[str, int]:
        with self._session.errors():
            if self._session.con.execute("SELECT to_regclass('shared_files') IS NULL").fetchone()[0]:
                return {}  # tables of an older program, which a reader leaves as they are
            rows = self._session.con.execute(_VERSIONS, (under,))
            return {name: int(version) for name, version in rows.fetchall()}
