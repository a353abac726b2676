"""What all roles of a store in SQL share: the open database, and what it remembers between transactions."""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from scenthound.store.sqlite.cache.memo import Memo
from scenthound.store.sqlite.transaction import Work, read_limits


class OpenDatabase(Protocol):
    """A database while it is open: `file.session.Session`, or `store.postgres.session.PostgresSession`."""

    def open(self) -> None: ...
    def close(self) -> None: ...
    @property
    def con(self) -> sqlite3.Connection: ...
    def transaction(self, *, durable: bool, routine: bool = False) -> AbstractContextManager[sqlite3.Connection]: ...
    def snapshot(self) -> AbstractContextManager[sqlite3.Connection]: ...
    def errors(self) -> AbstractContextManager[None]: ...
    @property
    def has_log(self) -> bool: ...
    def sync_beside(self) -> None: ...
    def settle(self) -> None: ...
    def turn_log(self) -> None: ...
    @property
    def engine(self) -> str | None:
        """The number of this engine where several share the crawl; None where this process alone writes."""
        ...


class State:
    """The database of one crawl. Each role is a class beside this one; `store.SqlStore` joins them."""

    def __init__(self, session: OpenDatabase, memo: Memo, *, bad_after: int) -> None:
        self._bad_after = bad_after
        self._memo = memo
        self._places = 0  # Limits.places of the last claim
        self._taught = 0  # all pages up to this number have lessons
        self._session = session

    @property
    def session(self) -> OpenDatabase:
        """The open database, for benches."""
        return self._session

    def _tend(self, work: Work) -> None:
        """Do what comes before each claim; where several engines share a crawl, take over from the dead ones."""

    @contextmanager
    def _work(self, now: float, *, durable: bool, routine: bool = False) -> Iterator[Work]:
        """Begin a transaction. A `routine` one is made of statements that find few rows by their keys."""
        with self._session.transaction(durable=durable, routine=routine) as con:
            shared = self._session.engine is not None
            yield Work(con, self._memo, now=now, limits=read_limits(con), shared=shared)
