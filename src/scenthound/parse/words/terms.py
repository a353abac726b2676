"""The terms of a page as a critic reads them: each with its counts in the title, in the main text, and in the rest.

The rest is navigation and footers (boilerplate). `page_terms.terms_of` makes them; they are sent and stored packed.
"""

from dataclasses import dataclass, field
from typing import Final

import msgspec
import numpy as np
from isal import isal_zlib
from numpy.typing import NDArray

Counts = NDArray[np.uint16]

_LEVEL: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The distinct terms of a page and the counts of each, in the same order: `title`, `main`, `rest` and `headings`.

    A term occurs in the title, in the main text, or around it (`rest`). Those of headings are in one of the last two
    also; `headings` is empty for a page without any. Counts stop at 65,535.
    """

    language: str = ""
    terms: tuple[str, ...] = ()
    title: Counts
    main: Counts
    rest: Counts
    headings: Counts = field(default_factory=lambda: np.zeros(0, dtype=np.uint16))

    def __len__(self) -> int:
        return len(self.terms)


NO_TERMS: Final = Terms(
    title=np.zeros(0, dtype=np.uint16), main=np.zeros(0, dtype=np.uint16), rest=np.zeros(0, dtype=np.uint16)
)


def pack(terms: Terms) -> bytes:
    """Return terms as compressed bytes.

    >>> one = np.array([1, 2], dtype=np.uint16)
    >>> back = unpack(pack(Terms(language="en", terms=("hub", "gear"), title=one, main=one, rest=one)))
    >>> back.language, back.terms, back.main.tolist()
    ('en', ('hub', 'gear'), [1, 2])
    """
    counts = np.concatenate((terms.title, terms.main, terms.rest, terms.headings)).astype("<u2").tobytes()
    return isal_zlib.compress(msgspec.msgpack.encode((terms.language, " ".join(terms.terms), counts)), _LEVEL)


def unpack(packed: bytes) -> Terms:
    """Undo `pack`; empty bytes give no terms."""
    if not packed:
        return NO_TERMS
    language, joined, counts = _decode(isal_zlib.decompress(packed))
    terms = tuple(joined.split(" ")) if joined else ()
    zones = np.frombuffer(counts, dtype="<u2")
    title, main, rest, headings = (zones[row * len(terms) : (row + 1) * len(terms)] for row in range(4))
    return Terms(language=language, terms=terms, title=title, main=main, rest=rest, headings=headings)


_decode: Final = msgspec.msgpack.Decoder(tuple[str, str, bytes]).decode
