"""How good groups of pages are, whether their number is chosen well, and how long they take.

The labelled pages of the schools web and of the modern web are indexed as a crawl's are, and grouped. Groups are
compared with the labels by normalised mutual information, with the number that the pages choose and with the true one.
The names are printed, to be looked at. `python -m bench.clusters --web schools` runs one web, `--pages N` the time.
"""

import argparse
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import normalized_mutual_info_score

from bench.figures import Figure, Report, at_most, markdown_table
from bench.reading import fetches, read
from bench.serving import missing, webs_file
from scenthound.lab.world.labels import read_labels
from scenthound.parse.words.page_terms import terms_of
from scenthound.search.groups import Grouping, group_vectors
from scenthound.search.index import SearchReader, SearchWriter, open_index, write_lock
from scenthound.search.labels import PAGES, LabelledPage, label_groups
from scenthound.search.types import IndexedPage

LEVELS = {"schools": 1, "modern": 2}  # of the labels: top topics of the one, all 18 topics of the other
MADE, QUICK_MADE = 100_000, 20_000
_INDEX_PAGES = "/wp/index/"  # of the schools web; they are about nothing


@dataclass(frozen=True, kw_only=True)
class Web:
    """The labelled pages of a web, indexed."""

    pages: dict[int, IndexedPage]
    labels: dict[int, set[str]]
    reader: SearchReader


def run(*, quick: bool = False) -> Report:
    """Measure both webs, and the time for many pages."""
    parts = []
    with tempfile.TemporaryDirectory() as folder:
        for name in LEVELS:
            if webs_file(f"{name}.warc.gz") is None:
                return Report(skipped=missing(f"{name}.warc.gz"))
            parts.append(quality(name, Path(folder) / name, every=6 if quick else 2 if name == "modern" else 1))
    parts.append(times(QUICK_MADE if quick else MADE))
    return Report(
        figures=tuple(figure for part in parts for figure in part.figures), text=tuple(t for p in parts for t in p.text)
    )


def indexed(name: str, folder: Path, *, every: int) -> Web:
    """Index every so many-th labelled page of a web."""
    warc = webs_file(f"{name}.warc.gz")
    assert warc is not None
    truth: dict[str, set[str]] = defaultdict(set)
    for label in read_labels(warc.with_name(f"{name}.labels.tsv")):
        truth[label.url].add("/".join(label.topic.split("/")[: LEVELS[name]]))
    pages: dict[int, IndexedPage] = {}
    labels: dict[int, set[str]] = {}
    for id, fetch in enumerate(fetches(warc), 1):
        if fetch.url not in truth or id % every or _INDEX_PAGES in fetch.url:
            continue
        reading, host = read(fetch), urlsplit(fetch.url).hostname or ""
        text = "\n".join(leaf for leaf in reading.leaves if leaf)
        pages[id] = IndexedPage(
            id=id, n=id, host=host, site=host, title=reading.title, language="en", text=text, terms=terms_of(reading)
        )
        labels[id] = truth.pop(fetch.url)
    folder.mkdir(parents=True, exist_ok=True)
    with write_lock(folder), SearchWriter(folder) as writer:
        for page in pages.values():
            writer.add(page)
        writer.commit(max(pages))
        writer.learn(lambda ids: [pages[id].terms for id in ids], lambda done: None)
    reader = open_index(folder)
    assert reader is not None
    return Web(pages=pages, labels=labels, reader=reader)


def quality(name: str, folder: Path, *, every: int) -> Report:
    """Group the pages of a web and compare with its labels. Pages with several labels do not count in that."""
    web = indexed(name, folder, every=every)
    ids, vectors = web.reader.rows.rows["id"], web.reader.rows.fine.astype(np.float32)
    has_text = np.einsum("ij,ij->i", vectors, vectors) > 0
    ids, vectors = ids[has_text], vectors[has_text]
    single = np.array([len(web.labels[int(id)]) == 1 for id in ids])
    truth = np.array([min(web.labels[int(id)]) for id in ids])[single]
    true = len(set(truth.tolist()))
    begun = process_time()
    chosen = group_vectors(vectors)
    seconds = process_time() - begun
    told = group_vectors(vectors, true)
    figures = (
        Figure(name=f"{name}: groups chosen, {true} being true", value=chosen.groups),
        Figure(name=f"{name}: mutual information, number chosen", value=_shared(truth, chosen.of[single])),
        Figure(name=f"{name}: mutual information, number told", value=_shared(truth, told.of[single])),
        Figure(name=f"{name}: clearness", value=chosen.clearness),
        Figure(name=f"{name}: grouping, {len(ids):,} pages", value=seconds, unit="s of processor time"),
    )
    tried = [[str(one.groups), f"{one.agreement:.3f}", f"{one.by_chance:.3f}"] for one in chosen.trials]
    table = markdown_table(["groups", "halves agree", "by chance"], tried, right=[0, 1, 2])
    return Report(figures=figures, text=(f"{name}, {len(ids):,} pages.\n\n{table}", _names(web, ids, chosen)))


def _shared(truth: NDArray[np.str_], groups: NDArray[np.intp]) -> float:
    return float(normalized_mutual_info_score(truth, groups))


def _names(web: Web, ids: NDArray[np.int64], found: Grouping) -> str:
    """Return the names of groups beside the commonest labels of their pages."""
    members = [np.flatnonzero(found.of == number) for number in range(found.groups)]
    nearest = [some[np.argsort(-found.closeness[some])] for some in members]
    groups = []
    for some in nearest:
        places = np.unique(np.linspace(0, max(0, round(0.6 * len(some)) - 1), PAGES).astype(np.intp))
        groups.append([_page(web.pages[int(id)]) for id in ids[some[places]]])
    begun = process_time()
    names = label_groups(groups)
    seconds = process_time() - begun
    rows = []
    for some, terms in zip(members, names, strict=True):
        labels = Counter(label for id in ids[some] for label in web.labels[int(id)])
        common = ", ".join(f"{label} {n}" for label, n in labels.most_common(2))
        rows.append([str(len(some)), ", ".join(terms), common])
    return f"{markdown_table(['pages', 'name', 'labels'], rows)}\n\nNames took {seconds:.1f} s of processor time."


def _page(page: IndexedPage) -> LabelledPage:
    return LabelledPage(title=page.title, text=page.text, language=page.language, site=page.host)


def times(pages: int) -> Report:
    """Group made vectors: 30 clouds in 128 directions, with as much noise as pages have."""
    draw = np.random.default_rng(0)
    middles = draw.normal(size=(30, 128)).astype(np.float32)
    vectors = middles[draw.integers(30, size=pages)] + draw.normal(scale=2.0, size=(pages, 128)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    begun, began = process_time(), perf_counter()
    found = group_vectors(vectors)
    cpu, wall = process_time() - begun, perf_counter() - began
    return Report(
        figures=(
            Figure(name=f"grouping, {pages:,} made pages", value=cpu, unit="s of processor time", goal=at_most(30)),
            Figure(name="the same by the clock", value=wall, unit="s"),
            Figure(name="groups chosen, 30 being true", value=found.groups),
        )
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.clusters")
    parser.add_argument("--web", choices=list(LEVELS), help="one web")
    parser.add_argument("--every", type=int, default=1, help="of a web, every so many-th page")
    parser.add_argument("--pages", type=int, help="the time for so many made pages")
    options = parser.parse_args()
    if options.pages:
        report = times(options.pages)
    elif options.web:
        with tempfile.TemporaryDirectory() as folder:
            report = quality(options.web, Path(folder), every=options.every)
    else:
        report = run()
    for figure in report.figures:
        print(f"{figure.name}: {figure.value:.4g} {figure.unit} {figure.verdict}")
    print("\n\n".join(report.text) or report.skipped)
    return 0


if __name__ == "__main__":
    sys.exit(main())
