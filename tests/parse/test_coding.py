"""Bodies come out as they went in, bombs stop at the limit, damage is never half a page."""

import gzip
import tracemalloc
import zlib
from collections.abc import Callable

import brotli  # type: ignore[import-untyped]
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from scenthound.parse.content_encoding import unpack
from scenthound.types import Reason

TEXT = b"A hound follows a scent. " * 400
LIMIT = 1_000_000
Packer = Callable[[bytes], bytes]


def raw_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(body) + packer.flush()


PACKERS: list[tuple[str, Packer]] = [
    ("gzip", gzip.compress),
    ("x-gzip", gzip.compress),
    ("deflate", zlib.compress),
    ("deflate", raw_deflate),
    ("br", brotli.compress),
    ("zstd", zstandard.compress),
]
packers = pytest.mark.parametrize(("coding", "pack"), PACKERS)


@packers
def test_unpacks_what_was_packed(coding: str, pack: Packer) -> None:
    assert unpack(pack(TEXT), coding, LIMIT) == TEXT
    assert unpack(pack(TEXT), coding.upper(), len(TEXT)) == TEXT


@packers
def test_a_byte_beyond_the_limit_is_a_bomb(coding: str, pack: Packer) -> None:
    assert unpack(pack(TEXT), coding, len(TEXT) - 1) is Reason.BOMB


@packers
def test_every_truncation_is_damage(coding: str, pack: Packer) -> None:
    packed = pack(TEXT)
    assert {unpack(packed[:end], coding, LIMIT) for end in range(1, len(packed))} == {Reason.BAD_CODING}


@pytest.mark.slow
@pytest.mark.parametrize(("coding", "pack"), [(c, p) for c, p in PACKERS if p is not brotli.compress])
def test_a_bomb_costs_little_more_than_the_limit(coding: str, pack: Packer) -> None:
    bomb = pack(bytes(50_000_000))
    tracemalloc.start()
    assert unpack(bomb, coding, LIMIT) is Reason.BOMB
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * LIMIT


def test_a_brotli_bomb_costs_little_more_than_the_limit() -> None:
    bomb = brotli.compress(bytes(50_000_000), quality=1)
    tracemalloc.start()
    assert unpack(bomb, "br", LIMIT) is Reason.BOMB
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * LIMIT


@pytest.mark.parametrize("coding", ["", "identity", " Identity , "])
def test_without_a_coding_the_body_is_itself(coding: str) -> None:
    assert unpack(TEXT, coding, LIMIT) == TEXT
    assert unpack(TEXT, coding, 10) is Reason.BOMB


def test_codings_are_undone_in_reverse() -> None:
    assert unpack(brotli.compress(gzip.compress(TEXT)), "gzip, br", LIMIT) == TEXT
    assert unpack(brotli.compress(gzip.compress(TEXT)), "br, gzip", LIMIT) is Reason.BAD_CODING
    assert unpack(gzip.compress(TEXT), "gzip, gzip, gzip, gzip", LIMIT) is Reason.BAD_CODING


def test_unknown_codings_are_bad() -> None:
    assert unpack(TEXT, "compress", LIMIT) is Reason.BAD_CODING


def test_gzip_members_add_up_and_what_follows_them_is_ignored() -> None:
    assert unpack(gzip.compress(b"a") + gzip.compress(b"b") + b"\0\0junk", "gzip", LIMIT) == b"ab"
    assert unpack(gzip.compress(b"") * 1_000, "gzip", LIMIT) is Reason.BAD_CODING


def test_zstd_frames_add_up() -> None:
    assert unpack(zstandard.compress(b"a") + zstandard.compress(b"b"), "zstd", LIMIT) == b"ab"


def test_an_empty_body_needs_no_coding() -> None:
    assert unpack(b"", "gzip", LIMIT) == b""


@given(st.binary(max_size=300), st.sampled_from(["gzip", "deflate", "br", "zstd", "gzip, br"]))
def test_garbage_gives_bytes_or_a_reason(body: bytes, coding: str) -> None:
    unpacked = unpack(body, coding, 10_000)
    assert isinstance(unpacked, bytes) or unpacked in (Reason.BAD_CODING, Reason.BOMB)


@given(st.binary(max_size=2_000), st.sampled_from(PACKERS))
def test_any_body_comes_back(body: bytes, packer: tuple[str, Packer]) -> None:
    coding, pack = packer
    assert unpack(pack(body), coding, 2_000) == body
