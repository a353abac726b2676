"""The extracts of all pages that a portal has shown, in one file that only grows, so that each page is read once.

A record has a head of fixed size, by which the file is looked through without its texts. A page keeps its number as
long as it is known: the browser's index names pages by it. What a killed process has not finished is cut off.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from struct import Struct as Layout
from types import TracebackType
from typing import BinaryIO, Final, Self

import msgspec

from scenthound.errors import StoreError
from scenthound.parse.opt_out import OptOut
from scenthound.services.portal.page_extract import Extract
from scenthound.whole_file import replacing

_NAME: Final = "extracts-1"  # another number for another form of extracts
_HEAD: Final = Layout("<IIQQB")  # length of the rest, number, id, n, and how far the page opts out
_WISHES: Final = tuple(OptOut)
_WASTE: Final = 2  # times what is needed: then the file is written again


@dataclass(frozen=True, slots=True)
class Place:
    """Where the extract of a page lies, of which visit it is, and what the page asks for."""

    number: int
    n: int
    wish: OptOut
    at: int
    length: int


class ExtractFile:
    """Extracts by the id of their page."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / _NAME
        self._places: dict[int, Place] = {}
        self._next = 0
        self._end = 0
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        try:
            self._folder.mkdir(exist_ok=True)
            self._file = self._path.open("a+b")
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._look_through(self._file)
        except BlockingIOError:
            raise StoreError(f"{self._path} is used by another process that makes a portal; wait for it") from None
        except OSError as error:
            raise StoreError(
                f"{self._path} cannot be used: {error.strerror}; see to the disk and start again"
            ) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._file is not None
        self._file.close()
        if error is None:
            self._tidy()

    def place(self, id: int) -> Place | None:
        return self._places.get(id)

    def number(self, id: int) -> int:
        """Return the number of a page, a new one for a page that is not known."""
        known = self._places.get(id)
        if known is not None:
            return known.number
        self._next += 1
        return self._next - 1

    def add(self, found: Iterable[tuple[int, int, int, Extract]]) -> None:
        """Append extracts, each with number, id and n of its page."""
        assert self._file is not None
        for number, id, n, extract in found:
            self._append(self._file, number, id, n, extract)
        self._file.flush()

    def read(self, id: int) -> Extract:
        """Return the extract of a page that is known."""
        assert self._file is not None
        place = self._places[id]
        self._file.seek(place.at)
        return msgspec.msgpack.decode(self._file.read(place.length), type=Extract)

    def _append(self, file: BinaryIO, number: int, id: int, n: int, extract: Extract) -> None:
        packed = msgspec.msgpack.encode(extract)
        file.write(_HEAD.pack(len(packed), number, id, n, _WISHES.index(extract.opt_out)) + packed)
        at = self._end + _HEAD.size
        self._places[id] = Place(number, n, extract.opt_out, at, len(packed))
        self._end = at + len(packed)

    def _look_through(self, file: BinaryIO) -> None:
        size = file.seek(0, os.SEEK_END)
        for id, place in _places(file, size):
            self._places[id] = place
        self._end = max((place.at + place.length for place in self._places.values()), default=0)
        if self._end < size:
            file.truncate(self._end)
        self._next = max((place.number for place in self._places.values()), default=-1) + 1

    def _tidy(self) -> None:
        """Write the file again without records that later ones replace."""
        needed = sum(place.length + _HEAD.size for place in self._places.values())
        if self._path.stat().st_size <= _WASTE * needed + 1_000_000:
            return
        with self._path.open("rb") as old, replacing(self._path) as aside, aside.open("wb") as new:
            for place in self._places.values():
                old.seek(place.at - _HEAD.size)
                new.write(old.read(_HEAD.size + place.length))


def _places(file: BinaryIO, size: int) -> Iterator[tuple[int, Place]]:
    """Yield ids and places, as far as records are whole."""
    at = 0
    while at + _HEAD.size <= size:
        file.seek(at)
        length, number, id, n, wish = _HEAD.unpack(file.read(_HEAD.size))
        at += _HEAD.size
        if at + length > size or wish >= len(_WISHES):
            return
        yield id, Place(number, n, _WISHES[wish], at, length)
        at += length
