"""How fast an index of made pages is built, how large it is, and how fast it answers."""

from contextlib import closing
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from bench.figures import Figure, Report, at_least, at_most, markdown_table
from bench.search.made_texts import build_index, make_database, questions_of, read_pieces
from scenthound.search.engine import answer
from scenthound.search.index import SearchReader, open_index
from scenthound.search.types import Question
from scenthound.services.search.crawl_search import CrawlFacts
from scenthound.store.sqlite.connection import open_reader


def answers(folder: Path, pages: int) -> Report:
    """Build an index of made pages and put questions of all kinds to it."""
    folder.mkdir(parents=True, exist_ok=True)
    pieces = list(read_pieces())
    begun, began = process_time(), perf_counter()
    built = build_index(folder / "search", pieces, pages)
    cpu, wall = process_time() - begun, perf_counter() - began
    if not (folder / "crawl.db").exists():
        make_database(folder / "crawl.db", pages)
    reader = open_index(folder / "search")
    assert reader is not None
    size = sum(path.stat().st_size for path in (folder / "search").rglob("*") if path.is_file())
    figures = [
        Figure(name=f"index, {built:,} pages", value=built / cpu, unit="pages/s and core", goal=at_least(500)),
        Figure(name="index, by the clock", value=built / wall, unit="pages/s"),
        Figure(name="size of the index", value=size / pages, unit="bytes a page"),
    ]
    with closing(open_reader(folder / "crawl.db")) as con:
        facts = CrawlFacts(con)
        rows = []
        for kind, questions in questions_of(pieces).items():
            times = np.array([_timed(reader, facts, question) for question in questions])
            (middle, busy), (late, busy_late) = np.percentile(times, [50, 95], axis=0).tolist()
            goals = (None, None) if kind == "by meaning" else (at_most(20), at_most(100))
            figures.append(Figure(name=f"{kind}, median", value=middle, unit="ms", goal=goals[0]))
            figures.append(Figure(name=f"{kind}, 95th percentile", value=late, unit="ms", goal=goals[1]))
            rows.append([kind, *(f"{value:.0f}" for value in (busy, busy_late, middle, late))])
    headings = ["question", "processor, median ms", "95th", "clock, median ms", "95th"]
    table = markdown_table(headings, rows, right=[1, 2, 3, 4])
    return Report(figures=tuple(figures), text=(f"{reader.searcher.num_docs:,} pages.\n\n{table}",))


def _timed(reader: SearchReader, facts: CrawlFacts, question: Question) -> tuple[float, float]:
    """Return milliseconds by the clock, and of processor time."""
    began, begun = perf_counter(), process_time()
    answer(reader, facts, question)
    return 1000 * (perf_counter() - began), 1000 * (process_time() - begun)
