"""Rows of `hosts` and `places` while a transaction works on them."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

from scenthound.store.rules import HostState, own_state
from scenthound.types import Limits


@dataclass(slots=True)
class Host:
    """A row of `hosts` while a transaction works on it; fields in the order of the columns."""

    id: int
    name: str
    domain: str
    state: str
    due: float
    delay: float
    failures: int
    bad: int
    reason: str
    ip: str
    pages: int
    waiting: int
    busy: int
    errand: int | None
    parked_on: str | None
    best_demoted: int | None
    best_priority: float | None
    best_id: int | None

    def own_state(self, *, now: float, limits: Limits) -> HostState:
        """Return the state that follows from the row; READY may still turn out to be PARKED."""
        return own_state(
            bad=bool(self.bad),
            waiting=self.waiting,
            busy=self.busy,
            errand=self.errand is not None,
            pages=self.pages,
            due=self.due,
            now=now,
            limits=limits,
        )

    def behind(self, demoted: int, priority: float, id: int) -> bool:
        """Tell whether a URL of that rank comes before the host's best one."""
        if self.best_demoted is None or self.best_priority is None or self.best_id is None:
            return True
        return (demoted, -priority, id) < (self.best_demoted, -self.best_priority, self.best_id)

    def outdone_by(self, demoted: int, priority: float, pages: int, id: int) -> bool:
        """Tell whether the best URL of another host, with so many pages, comes before this host's best one."""
        if self.best_demoted is None or self.best_priority is None or self.best_id is None:
            return True
        ours = (self.best_demoted, -self.best_priority, self.pages, self.best_id)
        return (demoted, -priority, pages, id) < ours

    def offer(self, demoted: int, priority: float, id: int) -> None:
        """Let a waiting URL, new or with a better rank than before, become the best of the host."""
        if self.behind(demoted, priority, id):
            self.best_demoted, self.best_priority, self.best_id = demoted, priority, id

    def places(self) -> Iterator[str]:
        """Yield the names of the places that its requests take."""
        yield f"d:{self.domain}"
        if self.ip:
            yield f"i:{self.ip}"


@dataclass(slots=True)
class PlaceRow:
    """A row of `places`: requests in flight, and the best URL of the hosts parked there."""

    busy: int
    demoted: int | None = None
    priority: float | None = None
    pages: int | None = None
    id: int | None = None
    host: int | None = None


@dataclass(frozen=True, slots=True)
class Before:
    """What a host row was when the transaction read it, as far as totals and queues depend on it."""

    state: str
    stuck: int
    parked_on: str | None
    queued: tuple[object, ...]
    counts: tuple[object, ...]


SELECT_HOST = f"SELECT {', '.join(column.name for column in fields(Host))} FROM hosts"


def new_row(id: int, name: str, domain: str) -> Host:
    """Return a row of `hosts` as its defaults make it."""
    return Host(id, name, domain, "idle", 0.0, 0.0, 0, 0, "", "", 0, 0, 0, None, None, None, None, None)


def queue_columns(host: Host) -> tuple[object, ...]:
    """Return what the host's place in the queues follows from."""
    return (host.state, host.due, host.parked_on, host.best_demoted, host.best_priority, host.best_id, host.pages)


def count_columns(host: Host) -> tuple[object, ...]:
    """Return the rest of the row, and its id."""
    return (
        host.delay, host.failures, host.bad, host.reason, host.ip, host.waiting, host.busy, host.errand,
        host.id,
    )  # fmt: skip
