"""Uploads of archive files in the database."""

from scenthound.store.sqlite.pages import LOSE
from scenthound.store.sqlite.state import State
from scenthound.store.sqlite.visits import visit_again

_NOTE = "INSERT INTO uploads VALUES (?, ?, ?) ON CONFLICT (file) DO NOTHING"
# A scan of pages: it is done once for a machine that is lost.
_PAGES = """
SELECT u.id, u.host_id, u.key, u.demoted, u.priority, u.example FROM pages p JOIN urls u ON u.id = p.url_id
WHERE p.archive_file = ? AND p.ending = 'page' AND u.state = 'page'"""


class SqliteUploads(State):
    """Verbs about archive files elsewhere."""

    def uploaded(self) -> frozenset[str]:
        with self._session.errors():
            return frozenset(file for (file,) in self._session.con.execute("SELECT file FROM uploads").fetchall())

    def note_upload(self, file: str, *, digest: str, at: float) -> None:
        with self._session.transaction(durable=True) as con:
            con.execute(_NOTE, (file, digest, at))

    def lose_file(self, file: str, *, now: float) -> int:
        with self._work(now, durable=True) as work:
            rows = [tuple(row) for row in work.con.execute(_PAGES, (file,)).fetchall()]
            work.con.execute(LOSE, (file, 0))
            work.con.execute("DELETE FROM archive_files WHERE file = ?", (file,))
            again = visit_again(work, rows)
        self._memo.forget()  # it may say of pages that no link can raise them
        return again
