"""The file of a world: exchanges one after the other, and an index at the end.

    magic │ exchange, leaves │ exchange, leaves │ … │ index │ where the index begins, checksum, magic

It is mapped into memory, and exchanges are decoded on demand. The addresses of links are in the index, once for all
pages, and links name them by number: the file has a third of the size, and decoded pages share their strings.
"""

import mmap
import os
import struct
from array import array
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

import msgspec
import numpy as np
from isal import isal_zlib
from msgspec import Struct
from numpy.typing import NDArray

from scenthound.fetch.held import is_readable, is_robots
from scenthound.lab.world.labels import Label
from scenthound.lab.world.world_links import number_links, under_both_schemes
from scenthound.parse.shapes import shape_of
from scenthound.types import Fetch, Link, LinkKind, Reading

MAGIC = b"scenthound world 1\n"
_TAIL = struct.Struct(f"<QI{len(MAGIC)}s")
_CHECKED_AT_ONCE = 1 << 20
_NOWHERE = -1


class _Hop(Struct, array_like=True, frozen=True, gc=False):
    """A stored link: its address by number."""

    url: int
    kind: LinkKind
    text: str
    first_leaf: int
    last_leaf: int
    nofollow: bool


class _Exchange(Struct, array_like=True, frozen=True):
    fetch: Fetch
    reading: Reading
    canonical: int
    links: list[_Hop]


class Index(Struct, frozen=True, kw_only=True):
    """The part of a world that needs no decoding. Numbers of exchanges index `urls`, those of pages index `pages`."""

    title: str
    urls: tuple[str, ...]
    pages: bytes  # int32: the exchange of each page
    leads: bytes  # int32: the page that each exchange leads to, -1 for none
    places: bytes  # int64: the start of each exchange and its leaves, and the end of the last
    starts: bytes  # int64: the start of the links of each page in `targets`, and the end of the last
    targets: bytes  # int32: the pages that each page links to
    addresses: tuple[str, ...]  # of links
    shapes: tuple[str, ...]  # of these addresses, each once: computing them takes longer than the rest of decoding
    shaped: bytes  # int32: the shape of each address
    labels: tuple[tuple[str, str], ...]
    digest: str


class WorldWriter:
    """Writes exchanges in their order, then `finish`."""

    def __init__(self, file: BinaryIO, *, title: str) -> None:
        self._file = file
        self._title = title
        self._encode = msgspec.msgpack.Encoder().encode
        self._at = self._check = 0
        self._places = array("q")
        self._urls: list[str] = []
        self._pages = array("i")
        self._links: list[array[int]] = []
        self._locations: dict[int, str] = {}
        self._addresses: dict[str, int] = {}
        self._digest = blake2b(digest_size=16)
        self._write(MAGIC)

    @property
    def linked(self) -> Sequence[str]:
        """The targets of all links so far, in order of discovery."""
        return tuple(self._addresses)

    def add(self, fetch: Fetch, reading: Reading) -> None:
        """Write an exchange. Only bodies of robots.txt are kept."""
        exchange = len(self._urls)
        self._urls.append(fetch.url)
        if fetch.location:
            self._locations[exchange] = fetch.location
        packed = self._packed(fetch, reading)
        if is_readable(fetch) and reading.reason is None and not is_robots(fetch.url):
            self._pages.append(exchange)
            followed = (hop.url for hop in packed.links if not (hop.nofollow or reading.nofollow))
            self._links.append(array("i", followed))
        self._digest.update(_what_matters(fetch, reading).encode())
        self._keep(self._encode(packed))
        self._keep(isal_zlib.compress(self._encode(reading.leaves), 1) if reading.leaves else b"")

    def finish(self, labels: Sequence[Label]) -> None:
        """Write the index, with the labels from the origin."""
        self._places.append(self._at)
        web = number_links(
            urls=self._urls,
            pages=self._pages,
            locations=self._locations,
            addresses=list(self._addresses),
            links=self._links,
        )
        known = under_both_schemes(self._urls)
        addresses = [self._urls[known[url]] if url in known else url for url in self._addresses]
        shapes = list(map(shape_of, addresses))
        numbers = {shape: number for number, shape in enumerate(dict.fromkeys(shapes))}
        index = Index(
            title=self._title,
            urls=tuple(self._urls),
            pages=np.array(self._pages, dtype="<i4").tobytes(),
            leads=web.leads.astype("<i4").tobytes(),
            places=np.array(self._places, dtype="<i8").tobytes(),
            starts=web.starts.astype("<i8").tobytes(),
            targets=web.targets.astype("<i4").tobytes(),
            addresses=tuple(addresses),
            shapes=tuple(numbers),
            shaped=np.array([numbers[shape] for shape in shapes], dtype="<i4").tobytes(),
            labels=tuple((label.url, label.topic) for label in labels),
            digest=self._digest.hexdigest(),
        )
        begins = self._at
        self._write(self._encode(index))
        self._file.write(_TAIL.pack(begins, self._check, MAGIC))

    def _packed(self, fetch: Fetch, reading: Reading) -> _Exchange:
        return _Exchange(
            fetch=fetch if is_robots(fetch.url) else replace(fetch, body=b""),
            reading=replace(reading, leaves=(), links=(), canonical="", record=b"", seconds=0.0),
            canonical=self._number(reading.canonical) if reading.canonical else _NOWHERE,
            links=[
                _Hop(self._number(link.url), link.kind, link.text, link.first_leaf, link.last_leaf, link.nofollow)
                for link in reading.links
            ],
        )

    def _number(self, address: str) -> int:
        return self._addresses.setdefault(address, len(self._addresses))

    def _keep(self, data: bytes) -> None:
        self._places.append(self._at)
        self._write(data)

    def _write(self, data: bytes) -> None:
        self._file.write(data)
        self._at += len(data)
        self._check = isal_zlib.crc32(data, self._check)


class WorldFile:
    """An open world file. Numbers are those of exchanges."""

    def __init__(self, index: Index, mapped: mmap.mmap) -> None:
        self.index = index
        self._map = mapped
        self.leads: NDArray[np.int32] = np.frombuffer(index.leads, dtype="<i4")
        self.pages: NDArray[np.int32] = np.frombuffer(index.pages, dtype="<i4")
        self.starts: NDArray[np.int64] = np.frombuffer(index.starts, dtype="<i8")
        self.targets: NDArray[np.int32] = np.frombuffer(index.targets, dtype="<i4")
        self._shapes = [index.shapes[number] for number in np.frombuffer(index.shaped, dtype="<i4").tolist()]
        self._places: list[int] = np.frombuffer(index.places, dtype="<i8").tolist()
        self._exchange = msgspec.msgpack.Decoder(_Exchange).decode
        self._leaves = msgspec.msgpack.Decoder(tuple[str, ...]).decode

    def close(self) -> None:
        self._map.close()

    def exchange(self, number: int) -> tuple[Fetch, Reading]:
        """Decode an exchange: its fetch without body, its reading without leaves."""
        found, addresses, shapes = self._exchange(self._between(2 * number)), self.index.addresses, self._shapes
        links = tuple(
            [
                Link(
                    url=addresses[hop.url],
                    kind=hop.kind,
                    text=hop.text,
                    first_leaf=hop.first_leaf,
                    last_leaf=hop.last_leaf,
                    nofollow=hop.nofollow,
                    shape=shapes[hop.url],
                )
                for hop in found.links
            ]
        )
        declared = addresses[found.canonical] if found.canonical != _NOWHERE else ""
        return found.fetch, replace(found.reading, links=links, canonical=declared)

    def leaves(self, number: int) -> tuple[str, ...]:
        """Decode the text of an exchange's leaves."""
        packed = self._between(2 * number + 1)
        return self._leaves(isal_zlib.decompress(packed)) if packed else ()

    def _between(self, place: int) -> bytes:
        return self._map[self._places[place] : self._places[place + 1]]


class DamagedError(Exception):
    """A file that is not the world it should be; read the world again."""


def open_world_file(path: Path) -> WorldFile:
    """Check a file and map it; raise `DamagedError` if it is incomplete or no world."""
    with path.open("rb") as file:
        begins, check = _tail(file)
        if _checksum(file, end=os.fstat(file.fileno()).st_size - _TAIL.size) != check:
            raise DamagedError(f"{path} is damaged")
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    try:
        return WorldFile(msgspec.msgpack.decode(mapped[begins : -_TAIL.size], type=Index), mapped)
    except msgspec.DecodeError as error:
        raise DamagedError(f"{path} has no index") from error


def _tail(file: BinaryIO) -> tuple[int, int]:
    """Return the start of the index, and the checksum of all before the tail."""
    if os.fstat(file.fileno()).st_size < len(MAGIC) + _TAIL.size:
        raise DamagedError(f"{file.name} is too short")
    file.seek(-_TAIL.size, os.SEEK_END)
    begins, check, magic = _TAIL.unpack(file.read())
    if magic != MAGIC:
        raise DamagedError(f"{file.name} is no world")
    return begins, check


def _checksum(file: BinaryIO, *, end: int) -> int:
    """Return the checksum of a file up to a position. Read, not mapped: touched mapped pages count as memory in use."""
    file.seek(0)
    check, left = 0, end
    while left and (data := file.read(min(left, _CHECKED_AT_ONCE))):
        check = isal_zlib.crc32(data, check)
        left -= len(data)
    return check


def _what_matters(fetch: Fetch, reading: Reading) -> str:
    """Return the content for the digest of a world: the address and its answer."""
    reason = fetch.reason or reading.reason or ""
    return f"{fetch.url}\t{fetch.status}\t{reason}\t{fetch.location}\t{reading.digest}\n"
