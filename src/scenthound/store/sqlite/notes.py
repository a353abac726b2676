"""Notes in the database."""

from scenthound.store.sqlite.state import State

_SET = "INSERT INTO notes VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2"


class SqliteNotes(State):
    """The verb about small facts."""

    def note(self, key: str, value: str | None = None) -> str | None:
        if value is not None:
            with self._session.transaction(durable=True) as con:
                con.execute(_SET, (key, value))
        with self._session.errors():
            row = self._session.con.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None
