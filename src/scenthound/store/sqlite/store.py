"""The embedded store: one SQLite database in write-ahead mode, one writer, any number of readers beside it.

Each role is a class in the file of its name; each verb is one transaction. `schema.sql` explains the tables. A recorded
batch is on disk when `record` returns, or, with `soon`, when `settle` returns. Claims may be lost with the machine's
power; their URLs then wait again.
"""

from pathlib import Path
from types import TracebackType
from typing import Self

from scenthound.store.sqlite.cache.memo import Memo
from scenthound.store.sqlite.file.session import Session
from scenthound.store.sqlite.frontier import SqliteFrontier
from scenthound.store.sqlite.hosts import SqliteHosts
from scenthound.store.sqlite.hubs import SqliteHubs
from scenthound.store.sqlite.judgements import SqliteJudgements
from scenthound.store.sqlite.lessons import SqliteLessons
from scenthound.store.sqlite.notes import SqliteNotes
from scenthound.store.sqlite.pages import SqlitePages
from scenthound.store.sqlite.priorities import SqlitePriorities
from scenthound.store.sqlite.queries.consistency import check
from scenthound.store.sqlite.uploads import SqliteUploads
from scenthound.store.sqlite.views import SqliteViews
from scenthound.store.sqlite.visits import SqliteVisits

LOG_MB = (
    64  # size of the write-ahead log before it is checkpointed: many batches then share one write of a database page
)


class SqlStore(
    SqliteFrontier,
    SqlitePriorities,
    SqlitePages,
    SqliteJudgements,
    SqliteLessons,
    SqliteHubs,
    SqliteVisits,
    SqliteHosts,
    SqliteViews,
    SqliteNotes,
    SqliteUploads,
):
    """All roles over an open database."""

    def __enter__(self) -> Self:
        self._session.open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the database; a second call does nothing."""
        self._session.close()
        self._memo.forget()

    def check(self) -> list[str]:
        """Recompute every total and queue from the rows; return what does not agree, one line each."""
        with self._session.snapshot() as con:
            return check(con)


class SqliteStore(SqlStore):
    """A crawl in one file; use it in a `with`.

    `read_only` is for readers beside a running crawl. `quota` is the maximum size of the file in bytes, 0 for none;
    beyond it the store behaves as on a full disk. `log_mb` is for tests.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        read_only: bool = False,
        bad_after: int = 3,
        quota: int = 0,
        log_mb: float = LOG_MB,
    ) -> None:
        memo, log_bytes = Memo(), int(log_mb * 1_000_000)
        session = Session(Path(path), read_only=read_only, quota=quota, log_bytes=log_bytes, forget=memo.forget)
        super().__init__(session, memo, bad_after=bad_after)

    def check(self) -> list[str]:
        """Check the file, and recompute every total and queue; return what does not agree, one line each."""
        with self._session.errors():
            rows = self._session.con.execute("PRAGMA integrity_check(5)").fetchall()
        return [line for (line,) in rows if line != "ok"] or super().check()
