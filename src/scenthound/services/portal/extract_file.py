"""The extracts of all pages that a portal has shown, in one file that only grows, so that each page is read once.

A record has a head of fixed size, by which the file is looked through without its texts. A page keeps its number as
long as it is known: the browser's index names pages by it. What a killed process has not finished is cut off.

Words are numbered, and a record holds the places of its page in the browser's index as that index sorts them. So pages
that were there before go into a new index as they are, and none of their words is looked up again. New words come in a
record of their own, before the first page that has them.
"""

import fcntl
import mmap
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from struct import Struct as Layout
from types import TracebackType
from typing import BinaryIO, Final, Self

from scenthound.errors import StoreError
from scenthound.parse.opt_out import OptOut
from scenthound.services.portal.page_extract import Extract
from scenthound.services.portal.word_shards import places_of
from scenthound.whole_file import replacing

_NAME: Final = "extracts-2"  # another number for another form of extracts
_FORMER: Final = ("extracts-1",)
_HEAD: Final = Layout("<IIIQQB")  # lengths of snippet and places, number, id, n, and how far the page opts out
_WISHES: Final = tuple(OptOut)
_WORDS: Final = 255  # in place of a wish: the record holds words
_WASTE: Final = 2  # times what is needed: then the file is written again


@dataclass(frozen=True, slots=True)
class Place:
    """Where the extract of a page lies, of which visit it is, and what the page asks for.

    The snippet begins at `at`, the places of its words at `middle`; they end at `end`.
    """

    number: int
    n: int
    wish: OptOut
    at: int
    middle: int
    end: int

    @property
    def size(self) -> int:
        return _HEAD.size + self.end - self.at


class ExtractFile:
    """Extracts by the id of their page."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / _NAME
        self._places: dict[int, Place] = {}
        self._terms: dict[str, int] = {}
        self._next = 0
        self._end = 0
        self._file: BinaryIO | None = None
        self._map: mmap.mmap | None = None

    def __enter__(self) -> Self:
        try:
            self._folder.mkdir(exist_ok=True)
            self._file = self._path.open("a+b")
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._look_through(self._file)
            for name in _FORMER:
                (self._folder / name).unlink(missing_ok=True)
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
        self._unmap()
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
        self._unmap()
        for number, id, n, extract in found:
            self._append(self._file, number, id, n, extract)
        self._file.flush()

    @property
    def words(self) -> list[str]:
        """All words, by their numbers."""
        return list(self._terms)

    def snippet(self, id: int) -> str:
        """Return the snippet of a page that is known."""
        place = self._places[id]
        return self._mapped()[place.at : place.middle].decode("utf-8", "replace")

    def places(self, id: int) -> bytes:
        """Return the places of the words of a page that is known, as `WordIndex` takes them."""
        place = self._places[id]
        return self._mapped()[place.middle : place.end]

    def _append(self, file: BinaryIO, number: int, id: int, n: int, extract: Extract) -> None:
        known = len(self._terms)
        places = places_of(self._terms, number, extract.words, extract.weights)
        if len(self._terms) > known:
            new = " ".join(word for word in extract.words.split(" ") if self._terms[word] >= known).encode()
            self._end += file.write(_HEAD.pack(len(new), 0, 0, 0, 0, _WORDS) + new)
        snippet = extract.snippet.encode("utf-8", "replace")
        head = _HEAD.pack(len(snippet), len(places), number, id, n, _WISHES.index(extract.opt_out))
        at = self._end + len(head)
        middle = at + len(snippet)
        self._end += file.write(head + snippet + places)
        self._places[id] = Place(number, n, extract.opt_out, at, middle, self._end)

    def _mapped(self) -> mmap.mmap:
        if self._map is None:
            assert self._file is not None
            self._map = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        return self._map

    def _unmap(self) -> None:
        if self._map is not None:
            self._map.close()
            self._map = None

    def _look_through(self, file: BinaryIO) -> None:
        size = file.seek(0, os.SEEK_END)
        if size:
            self._end = self._look_at_records(self._mapped(), size)
            self._unmap()
        if self._end < size:
            file.truncate(self._end)
        self._next = max((place.number for place in self._places.values()), default=-1) + 1

    def _look_at_records(self, data: mmap.mmap, size: int) -> int:
        """Take in all records as far as they are whole, and return where they end."""
        whole = 0
        while (at := whole + _HEAD.size) <= size:
            first, second, number, id, n, wish = _HEAD.unpack_from(data, whole)
            middle = at + first
            end = middle + second
            if end > size or (wish >= len(_WISHES) and wish != _WORDS):
                break
            if wish == _WORDS:
                for word in data[at:end].decode().split(" "):
                    self._terms[word] = len(self._terms)
            else:
                self._places[id] = Place(number, n, _WISHES[wish], at, middle, end)
            whole = end
        return whole

    def _tidy(self) -> None:
        """Write the file again without records that later ones replace."""
        words = " ".join(self._terms).encode()
        needed = len(words) + sum(place.size for place in self._places.values())
        if self._path.stat().st_size <= _WASTE * needed + 1_000_000:
            return
        with self._path.open("rb") as old, replacing(self._path) as aside, aside.open("wb") as new:
            if words:
                new.write(_HEAD.pack(len(words), 0, 0, 0, 0, _WORDS) + words)
            for place in self._places.values():
                old.seek(place.at - _HEAD.size)
                new.write(old.read(place.size))
