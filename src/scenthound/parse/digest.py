"""The digest of content in the form that WARC tools share: SHA-1, written in base 32 (RFC 4648 §6)."""

import hashlib
from functools import cache
from itertools import product
from typing import Final

_DIGITS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_SHIFTS: Final = range(150, -1, -10)  # of the ten bits of each pair of digits, of 160


def digest_of(content: bytes) -> str:
    """Return the digest of some content.

    >>> digest_of(b"")
    'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ'
    """
    return written(hashlib.sha1(content, usedforsecurity=False).digest())


def written(sha1: bytes) -> str:
    """Write a digest of 20 bytes as text. base64.b32encode takes twice as long, three times a page."""
    number, pairs = int.from_bytes(sha1, "big"), _pairs()
    return "sha1:" + "".join([pairs[number >> shift & 1023] for shift in _SHIFTS])


@cache
def _pairs() -> list[str]:
    return ["".join(pair) for pair in product(_DIGITS, repeat=2)]
