"""Traces on disk: each crawl leaves one file, written whole or not at all, so that it does not run twice."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from scenthound.lab.experiment.values import Trace
from scenthound.whole_file import write_whole

FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeptTrace:
    """A trace with its processor seconds."""

    trace: Trace
    seconds: float


class _Record(Struct, kw_only=True, array_like=True):
    """The arrays as little-endian bytes, whatever the machine."""

    format: int
    numbers: bytes
    relevance: bytes
    priority: bytes
    depth: bytes
    repeats: bytes
    stopped: str
    digest: str
    seconds: float


_ARRAYS = {"numbers": "<i4", "relevance": "<f8", "priority": "<f8", "depth": "<i4", "repeats": "|b1"}


def write_trace(path: Path, kept: KeptTrace) -> None:
    """Write a trace aside, then give it its name."""
    trace = kept.trace
    arrays = {name: _bytes(getattr(trace, name), kind) for name, kind in _ARRAYS.items()}
    record = _Record(format=FORMAT, **arrays, stopped=trace.stopped, digest=trace.digest, seconds=kept.seconds)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, msgspec.msgpack.encode(record))


def read_trace(path: Path) -> KeptTrace | None:
    """Return a stored trace; None if it is missing or unreadable."""
    try:
        record = msgspec.msgpack.decode(path.read_bytes(), type=_Record)
        arrays = {name: _array(getattr(record, name), kind) for name, kind in _ARRAYS.items()}
    except (OSError, ValueError, msgspec.MsgspecError):
        return None
    if record.format != FORMAT or len({len(array) for array in arrays.values()}) != 1:
        return None
    return KeptTrace(trace=Trace(**arrays, stopped=record.stopped, digest=record.digest), seconds=record.seconds)


def _bytes(array: NDArray[Any], kind: str) -> bytes:
    return array.astype(kind).tobytes()


def _array(data: bytes, kind: str) -> NDArray[Any]:
    return np.frombuffer(data, dtype=kind).astype(np.dtype(kind).newbyteorder("="))
