"""Damaged or hostile documents, each made from a seed and its number alone: bombs, loops, locks, lies and ruins.

`hostile(number, seed)` goes through all ways of doing harm in turn; chance decides over the rest. `sources` are whole
documents to be damaged, those of `making_documents` and any others.
"""

import lzma
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from bench import hostile_archives, hostile_markup, hostile_pdfs
from bench import making_documents as make

Rng = random.Random
ANNOUNCED = ("", "text/html", "text/plain", "application/pdf", "application/zip", "application/rss+xml", "text/xml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostile:
    """A document, the way in which it is hostile, and the type that it is announced as."""

    number: int
    way: str
    mime: str
    body: bytes


def hostile(number: int, seed: int, sources: Mapping[str, bytes]) -> Hostile:
    """Make one document."""
    rng = random.Random(f"{seed}:{number}")
    ways = [*_RUINS, *_WAYS]
    way = ways[number % len(ways)]
    body = _RUINS[way](rng, rng.choice(list(sources.values()))) if way in _RUINS else _WAYS[way](rng)
    return Hostile(number=number, way=way.replace("_", " "), mime=rng.choice(ANNOUNCED), body=body)


@cache
def made() -> dict[str, bytes]:
    """Return a whole document of each kind that we can make ourselves."""
    return {
        "pdf": make.pdf(),
        "pages": make.pdf([make.TEXT] * 12, pages=8),
        "docx": make.docx(),
        "pptx": make.pptx(5),
        "odt": make.odt(),
        "rtf": make.rtf(),
        "rss": make.rss(),
        "atom": make.atom(),
        "sitemap": make.sitemap(50),
        "markdown": make.markdown(),
        "zip": make.zipped({"a.pdf": make.pdf(), "b.docx": make.docx(), "c.html": make.html()}),
        "tar": make.tarred({"a.rtf": make.rtf(), "b.odt": make.odt()}),
        "tgz": make.tarred({"a.rtf": make.rtf(), "b.xml": make.rss()}, mode="w:gz"),
        "xz": lzma.compress(make.rss()),
    }


def cut(rng: Rng, body: bytes) -> bytes:
    return body[: rng.randrange(len(body))]


def flipped_bits(rng: Rng, body: bytes) -> bytes:
    damaged = bytearray(body)
    for _ in range(rng.randint(1, max(2, len(damaged) // 50))):
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def few_flipped_bits(rng: Rng, body: bytes) -> bytes:
    damaged = bytearray(body)
    for _ in range(rng.randint(1, 4)):
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def zeroed(rng: Rng, body: bytes) -> bytes:
    start = rng.randrange(len(body))
    size = rng.randint(1, len(body) - start)
    return body[:start] + bytes(size) + body[start + size :]


def great_numbers(rng: Rng, body: bytes) -> bytes:
    """Write absurd sizes and places over whatever stands there."""
    damaged = bytearray(body)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(max(1, len(damaged) - 4))
        damaged[at : at + 4] = rng.choice([b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"\0\0\0\0"])
    return bytes(damaged)


def shuffled(rng: Rng, body: bytes) -> bytes:
    size = max(1, len(body) // rng.randint(3, 20))
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    head, rest = pieces[0], pieces[1:]
    rng.shuffle(rest)
    return head + b"".join(rest)


def doubled(rng: Rng, body: bytes) -> bytes:
    middle = rng.randrange(len(body))
    return body[:middle] + body[rng.randrange(len(body)) :]


def junk_in_front(rng: Rng, body: bytes) -> bytes:
    return rng.randbytes(rng.randint(1, 900)) + body


def noise(rng: Rng) -> bytes:
    return rng.randbytes(rng.choice([0, 1, 2, 100, 5_000, 300_000]))


def noise_with_a_beginning(rng: Rng) -> bytes:
    starts = [b"%PDF-1.7\n", b"PK\3\4", b"PK\5\6", b"{\\rtf1", b"\x1f\x8b\x08", b"BZh9", b"\xfd7zXZ\0", b"<?xml version='1.0'?>",
              b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"<!doctype html>", b"<rss>", b"\0" * 257 + b"ustar\0"]  # fmt: skip
    return rng.choice(starts) + rng.randbytes(rng.choice([0, 10, 600, 40_000]))


def picture(rng: Rng) -> bytes:
    return rng.choice([b"\x89PNG\r\n\x1a\n", b"GIF89a", b"\xff\xd8\xff\xe0", b"RIFF\0\0\0\0WEBP"]) + rng.randbytes(
        3_000
    )


_RUINS: dict[str, Callable[[Rng, bytes], bytes]] = {
    way.__name__: way
    for way in (cut, flipped_bits, few_flipped_bits, zeroed, great_numbers, shuffled, doubled, junk_in_front)
}
_WAYS: dict[str, Callable[[Rng], bytes]] = {
    way.__name__: way
    for way in (
        *hostile_archives.WAYS,
        *hostile_markup.WAYS,
        *hostile_pdfs.WAYS,
        noise,
        noise_with_a_beginning,
        picture,
    )
}
WAYS = (*_RUINS, *_WAYS)
