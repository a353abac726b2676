"""Vectors of English words, similar where words are used alike (GloVe, EMNLP 2014), by the numbers of their stems.

They ship with the program (`word_vectors.npz`); `python -m bench.word_vectors` says where they come from and makes
them.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]

NAME: Final = "word_vectors.npz"
FINEST: Final = 127  # what stands for 1 in the file


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WordVectors:
    """`rows` has the vectors, the first being 0; `places` has the row of each word, a number of so many bits."""

    rows: Singles
    places: NDArray[np.int32]

    @property
    def size(self) -> int:
        return int(self.rows.shape[1])


@cache
def word_vectors(bits: int) -> WordVectors:
    """Return the vectors for words of so many bits; of several that share a number, the commonest has it.

    >>> from scenthound.parse.words.word_stream import number_of
    >>> known = word_vectors(18)
    >>> def angle(one: str, other: str) -> float:
    ...     a, b = (known.rows[known.places[number_of(word) & (1 << 18) - 1]] for word in (one, other))
    ...     return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))
    >>> angle("otter", "beaver") > 0.5 > angle("otter", "tax")
    True
    """
    with (
        files("scenthound.apprentice.words").joinpath(NAME).open("rb") as file,
        np.load(file, allow_pickle=False) as kept,
    ):
        numbers, vectors = kept["numbers"] & ((1 << bits) - 1), kept["vectors"]
    rows = np.zeros((len(numbers) + 1, vectors.shape[1]), dtype=np.float32)
    rows[1:] = vectors / np.float32(FINEST)
    places = np.zeros(1 << bits, dtype=np.int32)
    places[numbers[::-1]] = np.arange(len(numbers), 0, -1)  # the commonest come first, and are written last
    return WordVectors(rows=rows, places=places)
