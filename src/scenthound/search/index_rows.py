"""What search keeps of each page beside the engine: its number, its topic and anchor texts as indexed, its vector.

Three plain files with one row a page, mapped into memory, so that opening them costs nothing however many pages there
are. `state.json` says how many rows count, and up to which page the crawl is indexed: it is replaced as a whole, after
all else is safe on the disk. Rows beyond it are of a process that was killed, and are overwritten.
"""

import math
import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from scenthound.search.types import Floats

DIMENSIONS: Final = 128
COARSE: Final = 32  # first directions, in which all pages are compared before the nearest are compared in full
ROW: Final = np.dtype([("id", "<i8"), ("n", "<i4"), ("anchors", "<i4"), ("topic", "<i4"), ("relevance", "<f4")])
FORMAT: Final = 2  # raised when an index of an older version must be built again

Rows = NDArray[Any]


@dataclass(frozen=True, kw_only=True)
class State:
    """What is acknowledged: everything up to page `n` can be found, and outlasts a crash."""

    n: int = 0
    rows: int = 0
    format: int = FORMAT
    made: int = 0  # when it was begun, in nanoseconds: an index built again is another one
    learnt: int = 0  # pages from which the vectors were learnt
    model: int = 0  # counts the times
    critic: int = 0  # critics.version whose judgements are indexed
    relevance: float = 0.0  # sum of the relevance of all pages when they were last compared
    topics: list[str] = field(default_factory=list)
    languages: dict[str, int] = field(default_factory=dict)

    @property
    def by_language(self) -> list[str]:
        """The languages of pages, most frequent first."""
        return [name for name, _ in Counter(self.languages).most_common()]


def read_state(folder: Path) -> State | None:
    """Return what is acknowledged; None if there is no index, or one that is damaged or of another version."""
    try:
        state = msgspec.json.decode((folder / "state.json").read_bytes(), type=State)
        rows_are_whole = not state.rows or (folder / "rows").stat().st_size >= state.rows * ROW.itemsize
    except (OSError, msgspec.DecodeError):
        return None
    return state if state.format == FORMAT and rows_are_whole else None


def write_state(folder: Path, state: State) -> None:
    """Acknowledge: replace the file as a whole, and wait until that is on the disk."""
    aside = folder / "state.json.new"
    with aside.open("wb") as file:
        file.write(msgspec.json.encode(state))
        file.flush()
        os.fsync(file.fileno())
    aside.replace(folder / "state.json")
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@dataclass(frozen=True, kw_only=True)
class PageRows:
    """The rows that count, as of a state. A page indexed again has a new row; its old one has the id 0."""

    rows: Rows
    coarse: Floats
    fine: NDArray[np.float16]

    @classmethod
    def open(cls, folder: Path, state: State, *, write: bool = False) -> "PageRows":
        """Map the files into memory."""
        mode = "r+" if write else "r"
        return cls(
            rows=_mapped(folder / "rows", ROW, (state.rows,), mode),
            coarse=_mapped(folder / f"coarse-{state.model}", np.dtype("<f4"), (state.rows, COARSE), mode),
            fine=_mapped(folder / f"fine-{state.model}", np.dtype("<f2"), (state.rows, DIMENSIONS), mode),
        )


def _mapped(path: Path, kind: np.dtype[Any], shape: tuple[int, ...], mode: Any) -> Any:
    if not shape[0] or not path.exists() or path.stat().st_size < math.prod(shape) * kind.itemsize:
        return np.zeros((0, *shape[1:]), dtype=kind)
    return np.memmap(path, dtype=kind, mode=mode, shape=shape)


class RowFiles:
    """The three files, to be appended to. `begin` cuts off what was never acknowledged."""

    def __init__(self, folder: Path, state: State) -> None:
        self._folder = folder
        self._model = state.model
        self.count = state.rows

    def begin(self) -> None:
        for path, size in self._files():
            with path.open("ab") as file:
                file.truncate(self.count * size)

    def append(self, rows: Rows, vectors: Floats) -> None:
        """Add rows and wait until they are on the disk."""
        full = np.zeros((len(rows), DIMENSIONS), dtype=np.float32)
        full[:, : vectors.shape[1]] = vectors
        parts = (rows, np.ascontiguousarray(full[:, :COARSE]).astype("<f4"), full.astype("<f2"))
        for (path, _), part in zip(self._files(), parts, strict=True):
            with path.open("ab") as file:
                file.write(part.tobytes())
                file.flush()
                os.fsync(file.fileno())
        self.count += len(rows)

    def begin_vectors(self, model: int) -> None:
        """Begin the vectors of another model, in files of their own; rows go on with those of the old one."""
        for path, _ in self._vectors(model):
            path.unlink(missing_ok=True)

    def append_vectors(self, model: int, vectors: Floats) -> None:
        """Add vectors of rows that are there."""
        full = np.zeros((len(vectors), DIMENSIONS), dtype=np.float32)
        full[:, : vectors.shape[1]] = vectors
        for (path, _), part in zip(self._vectors(model), (full[:, :COARSE], full.astype("<f2")), strict=True):
            with path.open("ab") as file:
                file.write(np.ascontiguousarray(part).tobytes())

    def adopt_vectors(self, model: int) -> None:
        """Go on with a model of which all rows have vectors; wait until these are on the disk."""
        self._model = model
        for path, _ in self._vectors(model):
            with path.open("ab") as file:
                os.fsync(file.fileno())

    def forget_vectors(self, model: int) -> None:
        """Remove the vectors of another model."""
        for path, _ in self._vectors(model):
            path.unlink(missing_ok=True)

    def _files(self) -> list[tuple[Path, int]]:
        return [(self._folder / "rows", ROW.itemsize), *self._vectors(self._model)]

    def _vectors(self, model: int) -> list[tuple[Path, int]]:
        return [(self._folder / f"coarse-{model}", 4 * COARSE), (self._folder / f"fine-{model}", 2 * DIMENSIONS)]
