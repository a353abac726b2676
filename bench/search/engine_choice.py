"""The choice of the engine: tantivy and SQLite's FTS5 on the same terms of the same made pages."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import tantivy

from bench.figures import Figure, Report, markdown_table
from bench.search.made_texts import build_index, made_page, questions_of, read_pieces
from scenthound.parse.words.tokens import tokens_of
from scenthound.search.index import SearchReader, open_index
from scenthound.search.words import terms_in, variants


def engines(folder: Path, pages: int) -> Report:
    """Ask tantivy and SQLite's FTS5 for the ten best pages by BM25, on the same terms of the same made pages."""
    folder.mkdir(parents=True, exist_ok=True)
    pieces = list(read_pieces())
    build_index(folder / "search", pieces, pages)
    reader = open_index(folder / "search")
    assert reader is not None
    rows = []
    with closing(sqlite3.connect(folder / "fts.db")) as con:
        con.execute("CREATE VIRTUAL TABLE pages USING fts5(body, content='', tokenize=\"ascii separators ' '\")")
        begun = process_time()
        made = (" ".join(piece.text for piece in made_page(pieces, id)) for id in range(1, pages + 1))
        con.executemany(
            "INSERT INTO pages (rowid, body) VALUES (?, ?)",
            ((id, terms_in(tokens_of(text), "en")) for id, text in enumerate(made, 1)),
        )
        con.commit()
        built = pages / (process_time() - begun)
        for kind in ("one word", "three words", "phrase"):
            terms = [variants(question.words.strip('"'), ["en"])[0] for question in questions_of(pieces)[kind]]
            ours = [_tantivy_seconds(reader, way, is_phrase=kind == "phrase") for way in terms]
            theirs = [_fts5_seconds(con, way, is_phrase=kind == "phrase") for way in terms]
            rows.append([kind, *(f"{value:.2f}" for times in (ours, theirs) for value in _percentiles(times))])
    headings = ["", "tantivy, median ms", "95th", "FTS5, median ms", "95th"]
    table = markdown_table(headings, rows, right=[1, 2, 3, 4])
    return Report(
        figures=(Figure(name="FTS5, terms alone", value=built, unit="pages/s and core"),),
        text=(f"The ten best of {pages:,} pages.\n\n{table}",),
    )


def _percentiles(seconds: Sequence[float]) -> tuple[float, float]:
    middle, late = np.percentile(np.array(seconds) * 1000, [50, 95])
    return float(middle), float(late)


def _tantivy_seconds(reader: SearchReader, terms: Sequence[str], *, is_phrase: bool) -> float:
    make = tantivy.Query
    if is_phrase and len(terms) > 1:
        query = make.phrase_query(reader.schema, "body", list(terms))
    else:
        query = make.boolean_query([(tantivy.Occur.Must, make.term_query(reader.schema, "body", one)) for one in terms])
    begun = perf_counter()
    reader.searcher.search(query, 10)
    return perf_counter() - begun


def _fts5_seconds(con: sqlite3.Connection, terms: Sequence[str], *, is_phrase: bool) -> float:
    quoted = [one.replace('"', "") for one in terms]
    query = f'"{" ".join(quoted)}"' if is_phrase else " AND ".join(f'"{one}"' for one in quoted)
    begun = perf_counter()
    con.execute("SELECT rowid FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT 10", (query,)).fetchall()
    return perf_counter() - begun
