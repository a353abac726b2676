"""Checkpoints of an apprentice: what it knew after some lesson, in one file, so that a resumed crawl need not go through all.

A checkpoint holds nothing that the log of lessons does not say, and is only believed if it was made by the same kind, under
the same critic and by the same version of this program; otherwise the log is gone through from the beginning.
"""

import os
import zipfile
import zlib
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from scenthound.apprentice.model import State

FORMAT: Final = 15
EVERY: Final = 2_000  # lessons until the next, at least
SHARE: Final = 0.25  # and at least this part of all lessons: a large memory takes long to write
NAME: Final = "apprentice.npz"


class Memory(Protocol):
    """What can be kept: a model, with or without what the store was told of what it expects."""

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
        unfinished = self._path.with_suffix(".unfinished")
        unfinished.parent.mkdir(exist_ok=True)
        with unfinished.open("wb") as file:
            state = memory.state()
            head = {"stamp": _stamp(kind, critic), "contents": np.array(sorted(state)), "lessons": np.array(lessons)}
            arrays: dict[str, Any] = {**head, **state}
            np.savez(file, **arrays)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(self._path)
        self._last = lessons

    def restore(self, memory: Memory, *, kind: str, critic: int, most: int) -> int:
        """Let one know what is kept; return after how many lessons that was, 0 if nothing fits or it is beyond `most`."""
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
