"""Zip files as containers: members by name, decompressed within the limits, and never written to disk.

Sizes in a zip's directory are claims; only the real output counts (APPNOTE.TXT does not mention liars).
"""

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Final

from scenthound.parse.documents.limits import RefusalError, Room
from scenthound.types import Reason

_CHUNK: Final = 1 << 18
_ENCRYPTED: Final = 1
# Errors that zipfile lets through for a file that lies about itself.
_TROUBLES: Final = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    OverflowError,
    IndexError,
    KeyError,
    UnicodeError,
)


class Package:
    """An open zip file. Use it as `with opened(body, room) as package`."""

    def __init__(self, file: zipfile.ZipFile, room: Room) -> None:
        self._file = file
        self._room = room
        self._infos = {info.filename: info for info in file.infolist() if not info.filename.endswith("/")}

    def names(self) -> tuple[str, ...]:
        return tuple(self._infos)

    def __contains__(self, name: str) -> bool:
        return name in self._infos

    def read(self, name: str) -> bytes:
        """Decompress one member."""
        info = self._infos.get(name)
        if info is None:
            raise RefusalError(Reason.DAMAGED, f"{name[:100]} is missing from the package")
        if info.flag_bits & _ENCRYPTED:
            raise RefusalError(Reason.PROTECTED, "zip with a password")
        with _trusting_nobody():
            return self._unpacked(info)

    def _unpacked(self, info: zipfile.ZipInfo) -> bytes:
        pieces: list[bytes] = []
        with self._file.open(info) as member:
            while piece := member.read(_CHUNK):
                self._room.take(len(piece))
                pieces.append(piece)
        return b"".join(pieces)


@contextmanager
def opened(body: bytes, room: Room) -> Iterator[Package]:
    """Open a zip file in memory."""
    with _trusting_nobody():
        file = zipfile.ZipFile(BytesIO(body))
    with file:
        yield Package(file, room)


@contextmanager
def _trusting_nobody() -> Iterator[None]:
    try:
        yield
    except NotImplementedError as error:  # a rare compression, or a newer kind of encryption
        raise RefusalError(Reason.UNSUPPORTED_TYPE, f"zip: {error}"[:200]) from None
    except RuntimeError as error:
        raise RefusalError(Reason.PROTECTED, f"zip: {error}"[:200]) from None
    except _TROUBLES as error:
        raise RefusalError(Reason.DAMAGED, f"zip: {error}"[:200]) from None
