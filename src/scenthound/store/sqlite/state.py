"""What all roles of the SQLite store share: the open database, and what it remembers between transactions."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scenthound.store.sqlite.file.session import Session
from scenthound.store.sqlite.memo import Memo
from scenthound.store.sqlite.transaction import Work, read_limits


class State:
    """The database of one crawl. Each role is a class beside this one; `store.SqliteStore` joins them."""

    def __init__(self, path: Path, *, read_only: bool, bad_after: int, quota: int, log_bytes: int) -> None:
        self._bad_after = bad_after
        self._memo = Memo()
        self._taught = 0  # all pages up to this number have lessons
        self._session = Session(path, read_only=read_only, quota=quota, log_bytes=log_bytes, forget=self._memo.forget)

    @contextmanager
    def _work(self, now: float, *, durable: bool) -> Iterator[Work]:
        with self._session.transaction(durable=durable) as con:
            yield Work(con, self._memo, now=now, limits=read_limits(con))
