"""Where the canonical topic tree comes from: term statistics of 25,000 articles of English Wikipedia under 307 topics.

    python -m bench.canon --source background.jsonl.gz            # what the statistics are worth on pages they have not
    seen python -m bench.canon --source background.jsonl.gz --write    # the same, and the file that ships is written

The source has a row a page, {"title", "topics", "text"}, where topics are paths of leaves, the best first. The texts
are by Wikipedia's contributors (CC BY-SA 3.0); what ships is counts of terms and the titles of the pages counted one by
one.
"""

import argparse
import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, csr_matrix
from sklearn.svm import LinearSVC

from bench.running import ROOT
from scenthound.judge.canonical.canon import FINEST, LANGUAGE, NAME, SCHEME, Canon, canon_of, idf_of, joined
from scenthound.judge.critic import Page
from scenthound.judge.models.bags import counts_of
from scenthound.judge.models.features import Features
from scenthound.parse.words.page_terms import terms_of_text

Floats = NDArray[np.float64]
Arrays = dict[str, NDArray[Any]]

FILE: Final = ROOT / "src" / "scenthound" / "judge" / "canonical" / NAME
FEWEST_PAGES: Final = 20  # a leaf with fewer is left out: of 308, one has five pages, all about postures of yoga
FEWEST_SPREAD: Final = 3  # a term on fewer pages of the source says nothing, and may be a name that only one page has
OF_LEAF: Final = (
    1_000  # terms of a leaf that are kept, the heaviest; with 500, as with all, first answers are as often right
)
# Of 2,500 pages that were held out, the first leaf was right for .694 with the mean page of each leaf alone, for .731
# with support vector machines alone and for .730 with both; one of three leaves was right for .884, .904 and .912. On
# the schools web, answers read better with both than with mean pages alone: Basketball was a game of children there,
# and the BBC a web site.
OF_MEAN: Final = 4.0
SOFTNESS: Final = 0.3  # the machines' C; with 1, the same within .005
OWN_PAGE: Final = 10.0  # what a page of the leaf weighs against one of another: there are 300 times as many of these
TOLERANCE: Final = 0.01
PAGES_A_LEAF: Final = 4
OF_PAGE: Final = 300  # terms of a page that are kept, the most frequent
LATER_LEAF: Final = (
    0.5  # what a page counts for in a leaf that is not its first: first answers .694 right instead of .693
)
LONG: Final = (
    100  # distinct terms of a page; shorter ones ship only where a leaf has no others, as web pages are longer
)
NEAR: Final = 0.4  # the cosine from which two pages are nearly the same
HELD_OUT: Final = 0.1
SHARPNESSES: Final = tuple(quarter / 4 for quarter in range(2, 81))
SEED: Final = 1
MOST: Final = 255
TINY: Final = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A page of the source with the leaves it belongs to, the best first."""

    page: Page
    leaves: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """How well leaves are found for pages that the statistics have not seen: a hit is any leaf of the page."""

    pages: int
    first: float
    among_three: float
    top_level: float


def rows_of(source: Path) -> list[Row]:
    """Read the source. Leaves with too few pages are left out, and so are pages that have no other leaf."""
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        said = [json.loads(line) for line in lines]
    sizes = Counter(leaf for one in said for leaf in one["topics"])
    rows = []
    for one in said:
        leaves = tuple(leaf for leaf in one["topics"] if sizes[leaf] >= FEWEST_PAGES)
        terms = terms_of_text(one["text"], title=one["title"], language=LANGUAGE)
        if leaves and terms.language == LANGUAGE:
            page = Page(url=SCHEME + one["title"], title=one["title"], language=LANGUAGE, terms=terms)
            rows.append(Row(page=page, leaves=leaves))
    return rows


def made(rows: Sequence[Row], *, sharpness: float) -> Arrays:
    """Return the arrays of the file: statistics of all pages, and the bags of a few."""
    leaves = tuple(sorted({leaf for row in rows for leaf in row.leaves}))
    terms, spread = _vocabulary(rows)
    arrays: Arrays = {
        "terms": joined(terms),
        "spread": np.array(spread, dtype=np.uint16),
        "of": np.array(len(rows), dtype=np.int32),
        "leaves": joined(leaves),
        "sharpness": np.array(sharpness, dtype=np.float32),
    }
    features = Features(terms=terms, idf=idf_of(arrays["spread"], len(rows)))
    vectors = features.rows([row.page for row in rows])
    means = _means(rows, leaves, vectors)
    arrays |= _kept_weights(_weights(rows, leaves, vectors) + OF_MEAN * means)
    chosen = _chosen(rows, leaves, vectors, means)
    arrays["page_leaves"] = np.array([leaves.index(leaf) for _, leaf in chosen], dtype=np.uint16)
    return arrays | _kept_pages([rows[number].page for number, _ in chosen], features)


def _vocabulary(rows: Sequence[Row]) -> tuple[tuple[str, ...], list[int]]:
    """Return the terms that stand on enough pages, the commonest first, and on how many each stands."""
    spread = Counter(term for row in rows for term in row.page.terms.terms)
    enough = sorted((-count, term) for term, count in spread.items() if count >= FEWEST_SPREAD)
    return tuple(term for _, term in enough), [-count for count, _ in enough]


def _means(rows: Sequence[Row], leaves: Sequence[str], vectors: csr_array) -> Floats:
    """Return the mean page of each leaf, of unit length; a page weighs less in leaves that are not its first."""
    places = dict(zip(leaves, range(len(leaves)), strict=True))
    pairs = [(places[leaf], number) for number, row in enumerate(rows) for leaf in row.leaves]
    worth = [1.0 if leaf == row.leaves[0] else LATER_LEAF for row in rows for leaf in row.leaves]
    of_leaf, of_page = np.array(pairs).T
    sums = (csr_array((worth, (of_leaf, of_page)), shape=(len(leaves), len(rows))) @ vectors).toarray()
    return np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True))


def _weights(rows: Sequence[Row], leaves: Sequence[str], vectors: csr_array) -> Floats:
    """Return the terms' weights of a support vector machine for each leaf against all others, without its offset.

    An offset would decide about pages with few known terms; without it, first answers on unseen pages were as often
    right.
    """
    found = []
    taught = csr_matrix(vectors)
    for leaf in leaves:
        machine = LinearSVC(C=SOFTNESS, class_weight={True: OWN_PAGE, False: 1.0}, tol=TOLERANCE, random_state=SEED)
        machine.fit(taught, np.array([leaf in row.leaves for row in rows]))
        found.append(machine.coef_[0])
    return np.array(found)


def _kept_weights(weights: Floats) -> Arrays:
    """Keep the heaviest terms of each leaf, a byte each: the root of the share of the heaviest, to keep light ones."""
    starts, terms, kept = [0], [], []
    tops = np.abs(weights).max(axis=1)
    for row, top in zip(weights, tops, strict=True):
        heaviest = np.sort(np.argsort(-np.abs(row), kind="stable")[:OF_LEAF])
        held = np.rint(FINEST * np.sign(row[heaviest]) * np.sqrt(np.abs(row[heaviest]) / top)).astype(np.int8)
        terms.append(heaviest[held != 0])
        kept.append(held[held != 0])
        starts.append(starts[-1] + len(terms[-1]))
    return {
        "leaf_starts": np.array(starts, dtype=np.int32),
        "leaf_terms": np.concatenate(terms).astype(_narrow(weights.shape[1])),
        "leaf_weights": np.concatenate(kept),
        "leaf_tops": tops.astype(np.float32),
    }


def _chosen(rows: Sequence[Row], leaves: Sequence[str], vectors: csr_array, means: Floats) -> list[tuple[int, str]]:
    """Choose the pages that ship: long, typical ones of each leaf, at random, without near-duplicates."""
    likeness = vectors @ means.T
    by_leaf: dict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        for leaf in row.leaves:
            by_leaf[leaf].append(number)
    lot = np.random.default_rng(SEED).random(len(rows))
    used: set[int] = set()
    chosen: list[tuple[int, str]] = []
    for place, leaf in enumerate(leaves):
        here = np.array(by_leaf[leaf])
        middle = float(np.median(likeness[here, place]))
        order = sorted(
            here.tolist(),
            key=lambda number: (
                rows[number].leaves[0] != leaf,
                len(rows[number].page.terms) < LONG,
                likeness[number, place] < middle,
                lot[number],
            ),
        )
        taken: list[int] = []
        for number in order:
            if len(taken) < PAGES_A_LEAF and number not in used and not _near(number, taken, vectors):
                taken.append(number)
        used.update(taken)
        chosen += [(number, leaf) for number in taken]
    return chosen


def _near(number: int, taken: Sequence[int], vectors: csr_array) -> bool:
    return bool(taken) and float((vectors[[number]] @ vectors[taken].T).toarray().max()) >= NEAR


def _kept_pages(pages: Sequence[Page], features: Features) -> Arrays:
    """Keep the most frequent terms of each page, as many as the tree knows, with their counts."""
    starts, terms, title, main = [0], [], [], []
    for page in pages:
        counts = counts_of(page.terms, text="main")
        known = [place for place, term in enumerate(page.terms.terms) if term in features.columns]
        most = sorted(sorted(known, key=lambda place: -counts[place])[:OF_PAGE])
        columns = np.array([features.columns[page.terms.terms[place]] for place in most])
        order = np.argsort(columns)
        terms.append(columns[order])
        title.append(page.terms.title[most][order])
        main.append(page.terms.main[most][order])
        starts.append(starts[-1] + len(most))
    return {
        "page_titles": joined([page.title for page in pages]),
        "page_starts": np.array(starts, dtype=np.int32),
        "page_terms": np.concatenate(terms).astype(_narrow(len(features))),
        "page_title": np.minimum(np.concatenate(title), MOST).astype(np.uint8),
        "page_main": np.minimum(np.concatenate(main), MOST).astype(np.uint8),
    }


def _narrow(count: int) -> type[np.unsignedinteger[Any]]:
    return np.uint16 if count <= np.iinfo(np.uint16).max + 1 else np.uint32


def tried(rows: Sequence[Row]) -> tuple[Figures, float]:
    """Make the statistics without a tenth of the pages, test them on these, and fit the sharpness of likeness."""
    order = np.random.default_rng(SEED).permutation(len(rows))
    held = max(1, int(HELD_OUT * len(rows)))
    asked = [rows[number] for number in order[:held]]
    tree = canon_of(made([rows[number] for number in order[held:]], sharpness=1.0))
    return figures(tree, asked), sharpest(tree, asked)


def figures(tree: Canon, asked: Sequence[Row]) -> Figures:
    """Compare the leaves that are found for pages with their own."""
    found = [[place.leaf for place in places] for places in tree.places([row.page for row in asked])]
    hits = [
        (
            bool(set(leaves[:1]) & set(row.leaves)),
            bool(set(leaves) & set(row.leaves)),
            bool({_top(leaf) for leaf in leaves[:1]} & {_top(leaf) for leaf in row.leaves}),
        )
        for leaves, row in zip(found, asked, strict=True)
    ]
    first, among_three, top_level = np.array(hits, dtype=np.float64).mean(axis=0).tolist()
    return Figures(pages=len(asked), first=first, among_three=among_three, top_level=top_level)


def sharpest(tree: Canon, asked: Sequence[Row]) -> float:
    """Return the sharpness by which the pages' own leaves, taken together, are most likely."""
    own = np.array([[leaf in row.leaves for leaf in tree.leaves] for row in asked])
    pages = [row.page for row in asked]
    surprise = {
        sharpness: -np.log(
            np.maximum((replace(tree, sharpness=float(sharpness)).judge(pages) * own).sum(axis=1), TINY)
        ).mean()
        for sharpness in SHARPNESSES
    }
    return float(min(surprise, key=surprise.__getitem__))


def _top(leaf: str) -> str:
    return leaf.partition("/")[0]


def written(arrays: Mapping[str, NDArray[Any]], file: Path) -> None:
    """Write the arrays such that the same arrays give the same bytes: numpy's own writer puts no time into the file."""
    with file.open("wb") as stream:
        np.savez_compressed(stream, allow_pickle=False, **arrays)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what the statistics are worth, and write them if asked to."""
    parser = argparse.ArgumentParser(prog="python -m bench.canon", description=str(__doc__).splitlines()[0])
    parser.add_argument("--source", type=Path, required=True, metavar="PATH", help="background.jsonl.gz")
    parser.add_argument("--write", action="store_true", help="write the file that ships")
    chosen = parser.parse_args(arguments)
    rows = rows_of(chosen.source)
    found, sharpness = tried(rows)
    print(
        f"{found.pages:,} pages that the statistics have not seen: the first leaf is right for {found.first:.3f}, one "
        "of "
        f"three for {found.among_three:.3f}, the top topic for {found.top_level:.3f}; sharpness {sharpness:g}"
    )
    arrays = made(rows, sharpness=sharpness)
    tree = canon_of(arrays)
    print(
        f"{len(rows):,} pages, {len(tree.leaves)} leaves, {len(tree.features):,} terms, {len(tree.pages()):,} pages "
        "kept"
    )
    if chosen.write:
        written(arrays, FILE)
        print(f"{FILE.stat().st_size:,} bytes in {FILE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
