"""Orders written as columns that are compared one after another: "tries, -relevance, server_load" (RELATIONAL §3.2).

The store orders URLs by one number. So each column becomes a whole number of some bits, with the first column in the
highest bits; a double has 53 exact bits. Each column says how precise it then is.

The store itself compares (tries, that number, pages of the host, order of discovery). So `tries` at the start needs no
bits, and neither does `server_load` at the end, with or without `found`. They are compared exactly, by current values.
"""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import log2
from typing import Final

ROOM: Final = 53  # bits of a double that count exactly
OCTAVES, STEPS = 40, 1024  # of hub and authority scores: down to one in 10^12, in steps of 0.07 %


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A value that URLs can be ordered by, and its code as a whole number below 2^bits."""

    help: str
    precision: str
    bits: int
    code: Callable[[float], int]


def _whole(number: float) -> int:
    return int(number)


def _sixteenths(number: float) -> int:
    return int(16 * number)


def _share(number: float) -> int:
    """Encode a number between 0 and 1 in 16 bits."""
    return round(min(1.0, max(0.0, number)) * 0xFFFF)


def load_code(pages: float) -> int:
    """Encode a count in 8 bits: exact below 16, then in eight steps for each doubling.

    >>> [load_code(pages) for pages in (0, 15, 16, 17, 18, 100, 101, 104)]
    [0, 15, 16, 16, 17, 36, 36, 37]
    """
    number = int(pages)
    octave = max(0, number.bit_length() - 4)
    return 8 * octave + (number >> octave)


def score_code(score: float) -> int:
    """Encode the logarithm of a hub or authority score in 16 bits.

    >>> score_code(0.0) < score_code(1e-9) < score_code(1.1e-9) < score_code(1.0) < 2**16
    True
    """
    return 0 if score <= 0 else max(1, round((log2(min(1.0, score)) + OCTAVES) * STEPS) + 1)


COLUMNS: Final[Mapping[str, Column]] = {
    "tries": Column(
        help="failed attempts to fetch it", precision="exact; always first, ascending", bits=0, code=_whole
    ),
    "relevance": Column(
        help="the relevance of all pages that link to it, as for best-first; for a revisit, its own",
        precision="1/65535",
        bits=16,
        code=_share,
    ),
    "expected": Column(help="the relevance that the apprentice expects", precision="1/65535", bits=16, code=_share),
    "server_load": Column(
        help="pages fetched from its host",
        precision="exact at the end; elsewhere below 16, then in steps of an eighth to a sixteenth",
        bits=8,
        code=load_code,
    ),
    "last_visited": Column(
        help="when it was fetched last; pages never fetched come first",
        precision="1/16 second, until 2106",
        bits=36,
        code=_sixteenths,
    ),
    "visits": Column(help="how often it was fetched before", precision="exact up to 63", bits=6, code=_whole),
    "depth": Column(help="number of links from the start", precision="exact up to 255", bits=8, code=_whole),
    "found": Column(help="its position in the order of discovery", precision="exact", bits=32, code=_whole),
    "hub": Column(
        help="hub score of the best page that links to it; for a revisit, its own",
        precision="0.07 %",
        bits=16,
        code=score_code,
    ),
    "authority": Column(help="authority score, in the same way", precision="0.07 %", bits=16, code=score_code),
}
_AT_THE_END: Final = (("server_load",), ("server_load", "found"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A column of an order: lowest first, or with `descending` highest first."""

    name: str
    descending: bool = False

    def __str__(self) -> str:
        return f"-{self.name}" if self.descending else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """Columns in the order of comparison.

    >>> order = parsed("tries, -relevance, server_load")
    >>> str(order), [str(key) for key in order.packed]
    ('tries,-relevance,server_load', ['-relevance'])
    """

    keys: tuple[Key, ...]

    def __str__(self) -> str:
        return ",".join(map(str, self.keys))

    def has(self, name: str) -> bool:
        return any(key.name == name for key in self.keys)

    @property
    def packed(self) -> tuple[Key, ...]:
        """The columns that the store does not compare itself."""
        keys = self.keys[1:] if self.keys[0].name == "tries" else self.keys
        for ending in _AT_THE_END:
            if keys[-len(ending) :] == tuple(Key(name=name) for name in ending):
                return keys[: -len(ending)]
        return keys

    @property
    def bits(self) -> int:
        return sum(COLUMNS[key.name].bits for key in self.packed)

    def number(self, values: Mapping[str, float]) -> float:
        """Return the priority of a URL with these values; the highest comes first.

        >>> order = parsed("-relevance, depth")
        >>> order.number({"relevance": 0.5, "depth": 1}) > order.number({"relevance": 0.5, "depth": 2})
        True
        """
        number = 0
        for key in self.packed:
            column = COLUMNS[key.name]
            most = (1 << column.bits) - 1
            code = min(most, max(0, column.code(values[key.name])))
            number = (number << column.bits) | (code if key.descending else most - code)
        return float(number)


def is_combination(text: str) -> bool:
    """Return whether an order is written as columns, correct or not.

    >>> [is_combination(text) for text in ("tries, -relevance", "-depth", "depth", "server_load")]
    [True, True, False, True]
    >>> [is_combination(text) for text in ("breadth", "module:by_words")]
    [False, False]
    """
    columns = "," in text or text.strip().startswith("-")
    return ":" not in text and (columns or (text.strip() in COLUMNS and text.strip() != "depth"))


def parsed(text: str) -> Combination:
    """Read a correct combination."""
    return Combination(keys=tuple(map(_key, text.split(","))))


def fault(text: str) -> str:
    """Return the mistake in a combination and how to fix it, or an empty text.

    >>> fault("tries, -relevence")
    'there is no column "relevence"; did you mean "relevance"?'
    >>> fault("-relevance, tries")
    '"tries" must be first and without a minus: URLs that failed always come after the others'
    """
    keys = parsed(text).keys
    names = [key.name for key in keys]
    for name in names:
        if name not in COLUMNS:
            near = difflib.get_close_matches(name, COLUMNS, n=1, cutoff=0.5)
            guess = f'did you mean "{near[0]}"?' if near else f"there are {', '.join(COLUMNS)}"
            return f'there is no column "{name}"; {guess}'
        if names.count(name) > 1:
            return f'"{name}" occurs twice; remove one'
    if any(key.name == "tries" and (at or key.descending) for at, key in enumerate(keys)):
        return '"tries" must be first and without a minus: URLs that failed always come after the others'
    needed = parsed(text).bits
    return (
        f"these columns need {needed} bits, but only {ROOM} are available; remove the last one" if needed > ROOM else ""
    )


def _key(text: str) -> Key:
    name = text.strip()
    return Key(name=name.removeprefix("-").strip(), descending=name.startswith("-"))
