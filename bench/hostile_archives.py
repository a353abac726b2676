"""Archives that mean harm: bombs, nests, locks, and sizes and names that lie (see hostile_documents.py)."""

import bz2
import gzip
import io
import lzma
import random
import struct
import tarfile
import zlib
from collections.abc import Callable
from functools import cache

from bench import making_documents as make

Rng = random.Random
MEGABYTE = 1_000_000


@cache
def _zeros(megabytes: int) -> bytes:
    """Return so many zero bytes, deflated."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = bytes(MEGABYTE)
    return b"".join([*(packer.compress(piece) for _ in range(megabytes)), packer.flush()])


def _zip_of(name: bytes, data: bytes, size: int, copies: int = 1) -> bytes:
    """Write a zip file by hand: one member, told of `copies` times, whatever size it claims."""
    local = struct.pack("<4s5H3I2H", b"PK\3\4", 20, 0, 8, 0, 0, 0, len(data), size, len(name), 0) + name + data
    entries = b"".join(
        struct.pack("<4s6H3I5H2I", b"PK\1\2", 20, 20, 0, 8, 0, 0, 0, len(data), size, len(name), *[0] * 4, 0, 0) + name
        for _ in range(copies)
    )
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, copies & 0xFFFF, copies & 0xFFFF, len(entries), len(local), 0)
    return local + entries + end


def zip_bomb(rng: Rng) -> bytes:
    megabytes = rng.choice([30, 100, 200])
    return _zip_of(b"zeros", _zeros(megabytes), rng.choice([megabytes * MEGABYTE, 10]))


def zip_with_shared_member(rng: Rng) -> bytes:
    return _zip_of(b"zeros", _zeros(30), 30 * MEGABYTE, copies=rng.randint(2, 5_000))


def zip_of_nothing_many_times(rng: Rng) -> bytes:
    return _zip_of(b"empty", b"\3\0", 0, copies=rng.randint(10_000, 60_000))


def nested_zips(rng: Rng) -> bytes:
    body = rng.choice([make.html(), make.docx(), _zip_of(b"zeros", _zeros(30), 30 * MEGABYTE)])
    for _ in range(rng.randint(2, 30)):
        body = make.zipped({"inner.zip": body, "beside.txt": make.TEXT})
    return body


def broad_nest(rng: Rng) -> bytes:
    """Sixteen copies a level: 65,536 files in four levels."""
    body = make.zipped({f"{n}.txt": make.TEXT * 50 for n in range(16)})
    for _ in range(rng.randint(1, 4)):
        body = make.zipped({f"{n}.zip": body for n in range(16)})
    return body


def packed_in_circles(rng: Rng) -> bytes:
    body = make.html()
    for _ in range(rng.randint(2, 20)):
        body = rng.choice(_PACKERS)(body)
    return body


def stream_bomb(rng: Rng) -> bytes:
    return rng.choice(_PACKERS)(bytes(rng.choice([25, 60]) * MEGABYTE))


def _gzipped(data: bytes) -> bytes:
    return gzip.compress(data, 1, mtime=0)


def _xzipped(data: bytes) -> bytes:
    return lzma.compress(data, preset=0)


_PACKERS: tuple[Callable[[bytes], bytes], ...] = (_gzipped, _xzipped, bz2.compress)


def locked_zip(rng: Rng) -> bytes:
    return make.encrypted(make.zipped({"a.txt": rng.randbytes(500), "b.pdf": make.pdf()}))


def half_locked_zip(_rng: Rng) -> bytes:
    locked = make.encrypted(make.zipped({"secret.txt": "secret"}))
    return make.zipped({"open.html": make.html(), "inner.zip": locked})


def climbing_names(rng: Rng) -> bytes:
    names = ["../../../../etc/passwd", "/etc/shadow", "C:\\windows\\x", "a/../../b", "\0", "x" * 60_000, "‮cod.exe", ""]
    return make.zipped({rng.choice(names) + str(n): make.html() for n in range(3)})


def odd_compression(rng: Rng) -> bytes:
    body = bytearray(make.zipped({"a.txt": make.TEXT}))
    method = rng.choice([1, 6, 9, 19, 93, 97, 99, 65535])
    body[8:10] = struct.pack("<H", method)
    at = bytes(body).find(b"PK\1\2")
    body[at + 10 : at + 12] = struct.pack("<H", method)
    return bytes(body)


def lying_tar(rng: Rng) -> bytes:
    """Claim a size that is absurd, negative or no number at all, with the check sum put right."""
    header = bytearray(make.tarred({"a.txt": make.TEXT.encode()})[:512])
    header[124:136] = rng.choice(
        [b"77777777777\0", b"\x80" + b"\xff" * 11, b"\xff" * 12, b"-0000000001\0", b"no number!!\0"]
    )
    header[156:157] = rng.choice([b"0", b"S", b"x", b"g", b"L", b"5"])
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + make.TEXT.encode() * 20


def sparse_tar(rng: Rng) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("sparse.txt")
        size = 10 ** rng.randint(7, 15)
        info.pax_headers = {"GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.name": "s",
                            "GNU.sparse.size": str(size), "GNU.sparse.map": f"0,10,{size - 10},10"}  # fmt: skip
        info.size = 20
        archive.addfile(info, io.BytesIO(b"x" * 20))
    return file.getvalue()


def many_members(rng: Rng) -> bytes:
    return make.tarred({f"{n}.txt": b"word" for n in range(rng.randint(1_500, 4_000))})


WAYS: tuple[Callable[[Rng], bytes], ...] = (
    zip_bomb,
    zip_with_shared_member,
    zip_of_nothing_many_times,
    nested_zips,
    broad_nest,
    packed_in_circles,
    stream_bomb,
    locked_zip,
    half_locked_zip,
    climbing_names,
    odd_compression,
    lying_tar,
    sparse_tar,
    many_members,
)
