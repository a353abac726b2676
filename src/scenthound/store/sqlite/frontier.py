"""The frontier in the database: each verb is one transaction over the functions in `claim.py` and `record.py`."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from scenthound.store.sqlite import claim
from scenthound.store.sqlite.links import absorb
from scenthound.store.sqlite.record import record
from scenthound.store.sqlite.state import State
from scenthound.store.sqlite.transaction import read_limits
from scenthound.types import Awaited, Claim, Discovery, HeldBack, Limits, Outcome, Reason, Recorded

_SET_LENGTH = "INSERT INTO archive_files VALUES (?1, ?2) ON CONFLICT (file) DO UPDATE SET length = ?2"


class SqliteFrontier(State):
    """Verbs about URLs that wait or are claimed."""

    def add(self, discoveries: Sequence[Discovery], *, now: float) -> int:
        with self._work(now, durable=True, routine=True) as work:
            new = absorb(work, discoveries, None).new
            work.finish()
        return new

    def claim(self, *, owner: str, now: float, limit: int, limits: Limits, lease: float) -> list[Claim]:
        with self._work(now, durable=False, routine=True) as work:
            old, work.limits = work.limits, limits
            if old != replace(limits, examples=False, choosy=0.0, budget=0, places=0):
                claim.adopt_limits(work, old)
            self._tend(work)
            self._places = limits.places
            limit = min(limit, claim.within_budget(work.con, limits.budget)) if limits.budget else limit
            return claim.take(work, owner=self._session.engine or owner, limit=limit, lease=lease)

    def record(
        self,
        outcomes: Sequence[Outcome],
        *,
        now: float,
        archived: dict[str, int],
        synced: Callable[[], None] | None = None,
        soon: bool = False,
    ) -> list[Recorded]:
        self.settle()
        later = soon and self._session.has_log
        with self._work(now, durable=not later, routine=True) as work:
            recorded = record(work, outcomes, bad_after=self._bad_after, owner=self._session.engine)
            work.con.executemany(_SET_LENGTH, archived.items())
            if synced is not None:
                synced()
        if later:
            self._session.sync_beside()
        self._session.turn_log()
        return recorded

    def settle(self) -> None:
        self._session.settle()

    def release(self, *, owner: str | None, now: float) -> int:
        with self._work(now, durable=False) as work:
            return claim.release(work, owner)

    def reconsider(self, reasons: Collection[Reason], *, now: float) -> int:
        with self._work(now, durable=True) as work:
            put_back = claim.reconsider(work, reasons)
        self._memo.forget()  # it may say that no link can raise them
        return put_back

    def next_due(self, *, now: float, again: bool = False) -> float | None:
        with self._session.errors():
            return claim.next_due(self._session.con, now, again=again)

    def examples_due(self, *, now: float) -> float | None:
        with self._session.errors():
            return claim.examples_due(self._session.con, now)

    def awaited(self, *, now: float) -> Awaited | None:
        with self._session.snapshot() as con:
            return claim.awaited(con, now)

    def held_back(self, *, now: float, choosy: float, most: int) -> HeldBack:
        with self._session.snapshot() as con:
            return claim.held_back(con, read_limits(con), now=now, choosy=choosy, most=most, places=self._places)
