"""Notes in memory."""

from scenthound.store.memory.state import State


class MemoryNotes(State):
    """The verb about small facts."""

    def note(self, key: str, value: str | None = None) -> str | None:
        if value is not None:
            self._notes[key] = value
        return self._notes.get(key)
