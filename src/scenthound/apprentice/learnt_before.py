"""What an apprentice takes along from one crawl to another (APPRENTICE §3.5): one file of numbers, without code.

It holds what is true beyond single URLs and hosts: how much each scent is worth and which words led where, or the
paper's counts of words. The file may come from somebody else, so nothing in it is believed: it has a format number and
a digest, is not compressed, and every array has the type, the size and the range that it must have.
"""

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scenthound.apprentice.bayes.offsets import SPACE
from scenthound.apprentice.model import State
from scenthound.apprentice.reason_numbers import NAMES
from scenthound.apprentice.words.lexicon import BITS, Lexicon
from scenthound.apprentice.words.meanings import KEPT
from scenthound.errors import UsageError
from scenthound.whole_file import write_whole

FORMAT: Final = 1
LARGEST: Final = 100_000_000  # bytes; a scent apprentice has up to 6 MB, the paper's up to 40
_HEAD: Final = "head"
_CURE: Final = "export it again with: scenthound apprentice DIR --save FILE"
_FURTHEST: Final = 1e6  # no weight or count of a crawl's own is greater


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Knowledge:
    """What an apprentice of a `kind` knows after so many lessons, in a crawl for these good topics."""

    kind: str
    lessons: int
    topics: tuple[str, ...]
    state: State

    @property
    def name(self) -> str:
        """A digest of all of it, under which a crawl keeps it."""
        return _digest(self._facts(), self.state)

    def write(self, path: Path) -> None:
        """Write it to a file, whole or not at all."""
        head = {"format": FORMAT, **self._facts(), "digest": self.name}
        stream = io.BytesIO()
        arrays: dict[str, Any] = {_HEAD: np.frombuffer(json.dumps(head).encode(), dtype=np.uint8), **self.state}
        np.savez(stream, allow_pickle=False, **arrays)
        write_whole(path, stream.getvalue())

    def _facts(self) -> dict[str, Any]:
        return {"kind": self.kind, "lessons": self.lessons, "topics": list(self.topics)}


def read_knowledge(path: Path) -> Knowledge:
    """Read the result of `Knowledge.write`; the error for another file says what to do."""
    arrays = _arrays(path)
    try:
        head = json.loads(arrays.pop(_HEAD).tobytes())
        found, kind, lessons = int(head["format"]), str(head["kind"]), int(head["lessons"])
        topics, digest = tuple(map(str, head["topics"])), str(head["digest"])
    except (LookupError, ValueError, TypeError) as error:
        raise UsageError(f"{path}: this is not what an apprentice has learnt; {_CURE}") from error
    if found > FORMAT:
        raise UsageError(f"{path}: it has format {found}, and this scenthound reads {FORMAT}; update scenthound")
    knowledge = Knowledge(kind=kind, lessons=lessons, topics=topics, state=arrays)
    if knowledge.name != digest:
        raise UsageError(f"{path}: it is damaged (its digest does not match); {_CURE}")
    if wrong := _what_is_wrong(knowledge):
        raise UsageError(f"{path}: it cannot be used ({wrong}); {_CURE}")
    return knowledge


def weights_alone(state: State) -> State:
    """Return what is true for other topics too: the words of one topic mislead a crawl for another.

    On the schools web, harvest of the first 100 fetches is .406 without, .378 with words and weights of another topic,
    and .416 with its weights alone (`python -m bench learnt_before`).
    """
    return {**Lexicon().state(), "weights": state["weights"]} if "weights" in state else state


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    try:
        if path.stat().st_size > LARGEST:
            raise UsageError(f"{path}: it is larger than {LARGEST // 1_000_000} MB, so no apprentice has made it")
        content = path.read_bytes()
        with zipfile.ZipFile(io.BytesIO(content)) as pack:
            if any(one.compress_type != zipfile.ZIP_STORED for one in pack.infolist()):
                raise ValueError("compressed")  # it may unpack without end, and we never compress
        with np.load(io.BytesIO(content), allow_pickle=False) as kept:
            return dict(kept)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, EOFError, MemoryError, RuntimeError, zipfile.BadZipFile) as error:
        raise UsageError(f"{path}: this is not what an apprentice has learnt; {_CURE}") from error


def _what_is_wrong(knowledge: Knowledge) -> str:
    if knowledge.kind not in ("scent", "bayes"):
        return f'this scenthound knows no apprentice of kind "{knowledge.kind}"'
    state = knowledge.state
    for name, array in state.items():
        if array.dtype.kind not in "iuf" or not np.isfinite(array).all():
            return f"{name} holds no usable numbers"
    wrong = _wrong_scents(state) if knowledge.kind == "scent" else _wrong_counts(state)
    return f"{wrong} does not have the right form" if wrong else ""


def _wrong_scents(state: Mapping[str, NDArray[Any]]) -> str:
    """Return the first array that a scent apprentice cannot take."""
    like = Lexicon().state()
    if set(state) != {"weights", *like}:
        return "the list of arrays"
    if state["weights"].shape != (len(NAMES),):
        return "weights"
    for name, blank in like.items():
        part, _, key = name.rpartition(".")
        array = state[name]
        if f"{part}.known" in like:  # counts of words
            size = len(state[f"{part}.known"]) if state[f"{part}.known"].ndim == 1 else -1
            right = array.shape == (blank.shape if key == "totals" else (size,))
            limit = 1 << BITS if key == "known" else _FURTHEST
        else:  # meanings
            kept = min(int(state[f"{part}.totals"].flat[0]) if state[f"{part}.totals"].size else -1, KEPT)
            right = array.shape == ((kept, *blank.shape[1:]) if key in ("rows", "came") else blank.shape)
            limit = _FURTHEST
        low = 0 if key not in ("rows", "weights") else -_FURTHEST
        if not right or array.dtype.kind != blank.dtype.kind or (array.size and not _within(array, low, limit)):
            return name
    return ""


def _wrong_counts(state: Mapping[str, NDArray[Any]]) -> str:
    """Return the first array that the paper's apprentice cannot take."""
    if set(state) != {"slots", "counts", "instances", "d_max"}:
        return "the list of arrays"
    slots = state["slots"]
    shapes = {"slots": (slots.size,), "counts": (2, slots.size), "instances": (2,), "d_max": (1,)}
    limits = {"slots": SPACE, "counts": 1 << 32, "instances": 1 << 40, "d_max": 100}
    for name, array in state.items():
        if array.shape != shapes[name] or array.dtype.kind not in "iu" or not _within(array, 0, limits[name]):
            return name
    return ""


def _within(array: NDArray[Any], low: float, limit: float) -> bool:
    return bool(array.min(initial=0) >= low and array.max(initial=0) < limit)


def _digest(facts: Mapping[str, Any], state: State) -> str:
    said = blake2b(json.dumps(facts, sort_keys=True).encode(), digest_size=8)
    for name in sorted(state):
        array = np.ascontiguousarray(state[name])
        said.update(f"{name} {array.dtype.str} {array.shape}".encode() + array.tobytes())
    return said.hexdigest()
