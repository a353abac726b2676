"""A trained critic on disk: a folder with `model.json` (facts) and `arrays.npz` (numbers), and no code.

A crawl directory may come from somebody else, so there is no pickle here. The folder appears whole or not at all:
`write_model` writes it beside its place, syncs and renames it. A format number and a digest reveal a newer or damaged
model.
"""

import io
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scenthound.errors import ScenthoundError

FORMAT: Final = 1
CALLABLE: Final = "callable"  # the kind of a critic that is a function, saved by name only
_FACTS: Final = "model.json"
_ARRAYS: Final = "arrays.npz"
_CURE: Final = "train again with `scenthound topics DIR --retrain`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """The content of a critic: its kind, facts for JSON, and named arrays."""

    kind: str
    facts: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]

    def numbered(self, number: int) -> dict[str, NDArray[Any]]:
        """Return the arrays whose names begin with a number and a dot, without this prefix."""
        start = f"{number}."
        return {name.removeprefix(start): array for name, array in self.arrays.items() if name.startswith(start)}


def write_model(folder: Path, model: Model, *, inside: Callable[[Path], None] | None = None) -> None:
    """Write a model into a new folder, whole or not at all; `inside` may add files to the folder that it gets."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        arrays = _pack_arrays(model.arrays)
        _write(beside / _ARRAYS, arrays)
        _write(beside / _FACTS, _encode_head(model, arrays))
        if inside is not None:
            inside(beside)
        _sync(beside)
        _rename(beside, folder)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    _sync(folder.parent)


def kind_of(folder: Path) -> str:
    """Return the kind of the critic in a folder."""
    head = _head(folder)
    _check_format(head, folder)
    return str(head.get("kind"))


def read_model(folder: Path) -> Model:
    """Read the result of `write_model`; the error for a damaged or newer model says what to do."""
    head = _head(folder)
    _check_format(head, folder)
    arrays = _bytes(folder / _ARRAYS)
    facts = head.get("facts")
    if not isinstance(facts, dict) or head.get("digest") != _digest(facts, arrays):
        raise ScenthoundError(f"{folder}: this critic is damaged (its digest does not match); {_CURE}")
    return Model(kind=str(head.get("kind")), facts=facts, arrays=_unpack_arrays(folder, arrays))


def _head(folder: Path) -> dict[str, Any]:
    text = _bytes(folder / _FACTS)
    try:
        head = json.loads(text)
    except ValueError as error:
        raise ScenthoundError(f"{folder}: this critic is damaged ({_FACTS} is not JSON); {_CURE}") from error
    if not isinstance(head, dict):
        raise ScenthoundError(f"{folder}: this critic is damaged ({_FACTS} is not a table); {_CURE}")
    return head


def _check_format(head: dict[str, Any], folder: Path) -> None:
    found = head.get("format")
    if not isinstance(found, int):
        raise ScenthoundError(f"{folder}: this critic is damaged ({_FACTS} has no format number); {_CURE}")
    if found > FORMAT:
        raise ScenthoundError(
            f"{folder}: this critic has format {found}, and this scenthound reads {FORMAT}: "
            f"upgrade scenthound, or {_CURE}"
        )


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ScenthoundError(
            f"{path.parent}: no critic can be read here ({error.strerror}: {path.name}); {_CURE}"
        ) from error


def _pack_arrays(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **arrays)
    return stream.getvalue()


def _unpack_arrays(folder: Path, packed: bytes) -> dict[str, NDArray[Any]]:
    try:
        with zipfile.ZipFile(
            io.BytesIO(packed)
        ) as pack:  # we never write compressed members, and a compressed one may unpack without end
            if any(one.compress_type != zipfile.ZIP_STORED for one in pack.infolist()):
                raise ValueError("compressed")
        with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
            return dict(arrays)
    except (ValueError, OSError, MemoryError, zipfile.BadZipFile) as error:
        raise ScenthoundError(f"{folder}: this critic is damaged ({_ARRAYS} cannot be read); {_CURE}") from error


def _encode_head(model: Model, arrays: bytes) -> bytes:
    facts = dict(model.facts)
    head = {"format": FORMAT, "kind": model.kind, "digest": _digest(facts, arrays), "facts": facts}
    return json.dumps(head).encode()  # in ASCII, because a term may hold half of a surrogate pair


def _digest(facts: dict[str, Any], arrays: bytes) -> str:
    said = json.dumps(facts, sort_keys=True).encode()
    return blake2b(said + b"\0" + arrays, digest_size=16).hexdigest()


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _rename(beside: Path, folder: Path) -> None:
    try:
        beside.rename(folder)
    except OSError as error:
        raise ScenthoundError(
            f"{folder}: a critic is saved into a new folder, and this one is there already"
        ) from error


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
