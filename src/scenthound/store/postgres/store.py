"""The store on a PostgreSQL server: one schema is one crawl, with one writer at a time and readers on any machine.

Each role is that of the SQLite store, in SQL that both databases read. A recorded batch is on the server's disk when
`record` returns. Claims may be lost with the server's power; their URLs then wait again.
"""

from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.dialect import TABLES
from scenthound.store.postgres.session import PostgresSession
from scenthound.store.sqlite.memo import Memo
from scenthound.store.sqlite.store import SqlStore


class PostgresStore(SqlStore):
    """A crawl on a server; use it in a `with`. `read_only` is for readers beside a running crawl."""

    def __init__(self, url: ServerUrl, *, read_only: bool = False, bad_after: int = 3) -> None:
        memo = Memo()
        super().__init__(PostgresSession(url, read_only=read_only, forget=memo.forget), memo, bad_after=bad_after)

    def empty(self) -> None:
        """Delete everything that the crawl has on the server, but not its tables."""
        with self._session.transaction(durable=True) as con:
            con.executescript("; ".join(f"DELETE FROM {table}" for table in TABLES))
        self._memo.forget()
        self._taught = 0
