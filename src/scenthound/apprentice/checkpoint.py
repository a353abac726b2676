"""Checkpoints of an apprentice: its knowledge after some lesson, in one file, so that a resumed crawl replays only the
rest.

A checkpoint holds nothing that the log of lessons does not say. It is used only if the same kind of apprentice made it,
under the same critic and the same version of this program; otherwise the whole log is replayed.
"""

import zipfile
import zlib
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from scenthound.apprentice.model import State
from scenthound.whole_file import replacing

FORMAT: Final = 16
EVERY: Final = 2_000  # lessons until the next, at least
SHARE: Final = 0.25  # and at least this part of all lessons: a large memory takes long to write
NAME: Final = "apprentice.npz"


class Memory(Protocol):
    """A thing that can be kept: a model, with or without the priorities that the store has from it."""

    def state(self) -> State: ...

    def restore(self, state: State) -> None: ...


class Checkpoints:
    """Checkpoints in a folder: there is one, the latest. The file is complete or not there."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._last = 0

    def offer(self, memory: Memory, *, kind: str, critic: int, lessons: int) -> None:
        """Keep what one knows after so many lessons, if it is time."""
        if lessons - self._last >= max(EVERY, SHARE * lessons):
            self.keep(memory, kind=kind, critic=critic, lessons=lessons)

    def keep(self, memory: Memory, *, kind: str, critic: int, lessons: int) -> None:
        self._path.parent.mkdir(exist_ok=True)
        with replacing(self._path) as aside, aside.open("wb") as file:
            state = memory.state()
            head = {"stamp": _stamp(kind, critic), "contents": np.array(sorted(state)), "lessons": np.array(lessons)}
            arrays: dict[str, Any] = {**head, **state}
            np.savez(file, **arrays)
        self._last = lessons

    def restore(self, memory: Memory, *, kind: str, critic: int, most: int) -> int:
        """Restore a model from the checkpoint. Return its number of lessons, 0 if none fits or it is beyond `most`."""
        state = self._state(kind, critic)
        lessons = int(state.pop("lessons")) if state else 0
        if not state or lessons > most:
            return 0
        memory.restore(state)
        self._last = lessons
        return lessons

    def _state(self, kind: str, critic: int) -> State:
        try:
            with self._path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                if not np.array_equal(kept["stamp"], _stamp(kind, critic)):
                    return {}
                return {name: kept[name] for name in ("lessons", *kept["contents"].tolist())}
        except (OSError, ValueError, LookupError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error):
            # None yet, or damaged: to the archive, which says so in many ways.
            return {}


def _stamp(kind: str, critic: int) -> np.ndarray[tuple[int, ...], np.dtype[np.str_]]:
    return np.array([str(FORMAT), version("scenthound"), kind, str(critic)])
