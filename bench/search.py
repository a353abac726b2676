"""How fast search answers, how fast and large its index is, what it costs a crawl, what kills cost it, how good it is.

Pages are made from texts of the archived webs: each is four pieces of some 500 characters, so that words keep their
frequencies. They go into the index and into a database of a crawl; questions are then put to both, as the command line
and the API put them. Quality: names of the categories of the schools web are queries, its pages the truth.
`python -m bench.search --pages N` measures the answers on so many pages.
"""

import argparse
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Self

import numpy as np
import tantivy

from bench.crawling import FULL_SPEED, crawl, new_crawl
from bench.figures import Figure, Report, at_least, at_most, markdown_table
from bench.reading import fetches, read
from bench.running import measured, scenthound
from bench.serving import SCHOOLS, SCHOOLS_LOCK, SCHOOLS_SEED, ServerProcess, missing, webs_file
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import StoreError
from scenthound.lab.metrics.bootstrap import Bootstrap
from scenthound.lab.world.labels import read_labels
from scenthound.parse.words.page_terms import terms_of, terms_of_text
from scenthound.parse.words.terms import Terms
from scenthound.parse.words.tokens import tokens_of, words_of
from scenthound.search.engine import answer
from scenthound.search.index import SearchReader, SearchWriter, open_index, remove_index, write_lock
from scenthound.search.index_rows import read_state
from scenthound.search.text_spool import TextSpool
from scenthound.search.types import Filters, IndexedPage, PageFacts, PageScores, Question, Weights
from scenthound.search.words import terms_in, variants
from scenthound.services.search.catch_up import Wish, catch_up
from scenthound.services.search.crawl_search import CrawlFacts
from scenthound.services.search.page_texts import PageTexts
from scenthound.services.sql.read_connection import asking
from scenthound.store.sqlite.connection import open_reader, open_writer
from scenthound.store.sqlite.queries.search_rows import SearchRow, rows_between

QUICK_PAGES, PAGES = 20_000, 1_000_000
QUICK_KILLS, KILLS = 8, 100
QUESTIONS = 100  # of each kind
PIECE = 500  # characters
PIECES = 4  # of a made page
TOPICS = tuple(f"Top{number % 5}/Topic{number}" for number in range(40))
SITES = 2_000
BY_TEXT = Weights(text=1, meaning=0)


def run(*, quick: bool = False) -> Report:
    """Measure all parts."""
    warc = webs_file(SCHOOLS)
    if warc is None:
        return Report(skipped=missing(SCHOOLS))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        parts = [
            answers(place / "made", QUICK_PAGES if quick else PAGES),
            engines(place / "engines", QUICK_PAGES),
            quality(place / "quality", every=6 if quick else 1),
            kills(place / "killed", QUICK_KILLS if quick else KILLS),
            texts(place / "texts"),
            beside(place / "beside", pages=1_500 if quick else 5_400, rounds=1 if quick else 3),
        ]
    return Report(
        figures=tuple(figure for part in parts for figure in part.figures), text=tuple(t for p in parts for t in p.text)
    )


# ── answers on many pages ──


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Some text of a page, and what critics would read of it."""

    text: str
    terms: Terms


def answers(folder: Path, pages: int) -> Report:
    """Build an index of made pages and put questions of all kinds to it."""
    folder.mkdir(parents=True, exist_ok=True)
    pieces = list(_pieces())
    begun, began = process_time(), perf_counter()
    built = _build(folder / "search", pieces, pages)
    cpu, wall = process_time() - begun, perf_counter() - began
    if not (folder / "crawl.db").exists():
        _database(folder / "crawl.db", pages)
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
        for kind, questions in _questions(pieces).items():
            times = np.array([_timed(reader, facts, question) for question in questions])
            (middle, busy), (late, busy_late) = np.percentile(times, [50, 95], axis=0).tolist()
            goals = (None, None) if kind == "by meaning" else (at_most(20), at_most(100))
            figures.append(Figure(name=f"{kind}, median", value=middle, unit="ms", goal=goals[0]))
            figures.append(Figure(name=f"{kind}, 95th percentile", value=late, unit="ms", goal=goals[1]))
            rows.append([kind, *(f"{value:.0f}" for value in (busy, busy_late, middle, late))])
    headings = ["question", "processor, median ms", "95th", "clock, median ms", "95th"]
    table = markdown_table(headings, rows, right=[1, 2, 3, 4])
    return Report(figures=tuple(figures), text=(f"{reader.searcher.num_docs:,} pages.\n\n{table}",))


def _pieces() -> Iterator[Piece]:
    for web, every in (("schools", 8), ("webkb", 10), ("modern", 20)):
        warc = webs_file(f"{web}.warc.gz")
        if warc is None:
            continue
        for number, fetch in enumerate(fetches(warc)):
            if number % every:
                continue
            reading = read(fetch)
            text = " ".join(leaf for leaf in reading.leaves if leaf)
            for start in range(0, min(len(text), 8_000) - PIECE, PIECE):
                piece = text[start : start + PIECE].partition(" ")[2]
                yield Piece(text=piece, terms=terms_of_text(piece, language="en"))


def _made(pieces: Sequence[Piece], id: int) -> list[Piece]:
    draw = random.Random(id)
    return [pieces[draw.randrange(len(pieces))] for _ in range(PIECES)]


def _build(folder: Path, pieces: Sequence[Piece], pages: int) -> int:
    """Make pages until there are so many, and return how many that took: a folder that is kept has some already."""
    with write_lock(folder), SearchWriter(folder) as writer:
        first = writer.state.n + 1
        for id in range(first, pages + 1):
            chosen = _made(pieces, id)
            writer.add(
                IndexedPage(
                    id=id,
                    n=id,
                    host=f"www.site{id % SITES}.example",
                    site=f"site{id % SITES}.example",
                    title=" ".join(chosen[0].text.split()[:6]),
                    language="en",
                    mime="text/html",
                    topic=TOPICS[id * 7 % len(TOPICS)],
                    relevance=id * 7919 % 1000 / 1000,
                    fetched_at=1.7e9 + 20 * id,
                    text="\n".join(piece.text for piece in chosen),
                    anchors=(" ".join(chosen[1].text.split()[:3]),),
                    terms=chosen[0].terms,
                )
            )
            if id % 20_000 == 0 or id == pages:
                writer.commit(id)
            if id == 20_000:
                writer.learn(lambda ids: [_made(pieces, id)[0].terms for id in ids], lambda done: None)
    return pages - first + 1


def _database(path: Path, pages: int) -> None:
    """Make a crawl's database with these pages."""
    with closing(open_writer(path, quota=0)) as con:
        con.execute("PRAGMA foreign_keys = OFF")
        con.execute("BEGIN")
        con.executemany(
            "INSERT INTO hosts (id, name, domain, state) VALUES (?, ?, ?, 'idle')",
            ((n + 1, f"www.site{n}.example", f"site{n}.example") for n in range(SITES)),
        )
        con.executemany(
            "INSERT INTO finds (id, host_id, key, url, found_at, found_by) VALUES (?, ?, ?, ?, 0, 'anchor')",
            ((id, id % SITES + 1, id, f"http://www.site{id % SITES}.example/page/{id}") for id in range(1, pages + 1)),
        )
        con.executemany(
            """INSERT INTO pages (n, url_id, ending, counts, status, mime, charset, title, language, words, relevance,
                   topic,
                   critic, digest, payload, fetched_at, captured_at, seconds, bytes)
               VALUES (?1, ?1, 'page', 1, 200, 'text/html', 'utf-8', 'Page ' || ?1, 'en', 300,
                   ?2, ?3, 1, '', '', ?4, ?4, 0, 0)""",
            (
                (id, id * 7919 % 1000 / 1000, TOPICS[id * 7 % len(TOPICS)], 1.7e9 + 20 * id)
                for id in range(1, pages + 1)
            ),
        )
        con.executemany(
            "INSERT INTO prestige (url_id, hub, authority) VALUES (?, 0, ?)",
            ((id, 1 / id) for id in range(1, min(pages, 2_000))),
        )
        con.execute("COMMIT")
        con.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def _questions(pieces: Sequence[Piece]) -> dict[str, list[Question]]:
    """Return questions in words as they stand on pages: frequent ones are drawn oftener."""
    draw = random.Random(0)

    def words(many: int) -> list[str]:
        while True:
            found = [word for word in words_of(draw.choice(pieces).text) if len(word) > 3 and word.isalpha()]
            if len(found) > many:
                start = draw.randrange(len(found) - many)
                return found[start : start + many]

    def of(make: Callable[[], Question]) -> list[Question]:
        return [make() for _ in range(QUESTIONS)]

    def phrase() -> str:
        found = words_of(draw.choice(pieces).text)[3:5]
        return f'"{" ".join(found)}"'

    ranked = Weights(text=1, meaning=0, relevance=0.5, authority=0.3)
    return {
        "one word": of(lambda: Question(words=words(1)[0], weights=BY_TEXT, facets=False)),
        "three words": of(lambda: Question(words=" ".join(words(3)), weights=BY_TEXT, facets=False)),
        "phrase": of(lambda: Question(words=phrase(), weights=BY_TEXT, facets=False)),
        "filter and combined ranking": of(
            lambda: Question(
                words=words(1)[0], filters=Filters(topic=draw.choice(TOPICS)), weights=ranked, facets=False
            )
        ),
        "one word with facets": of(lambda: Question(words=words(1)[0], weights=BY_TEXT)),
        "by meaning": of(lambda: Question(words=" ".join(words(2)), facets=False)),
    }


def _timed(reader: SearchReader, facts: CrawlFacts, question: Question) -> tuple[float, float]:
    """Return milliseconds by the clock, and of processor time."""
    began, begun = perf_counter(), process_time()
    answer(reader, facts, question)
    return 1000 * (perf_counter() - began), 1000 * (process_time() - begun)


# ── the choice of the engine ──


def engines(folder: Path, pages: int) -> Report:
    """Ask tantivy and SQLite's FTS5 for the ten best pages by BM25, on the same terms of the same made pages."""
    folder.mkdir(parents=True, exist_ok=True)
    pieces = list(_pieces())
    _build(folder / "search", pieces, pages)
    reader = open_index(folder / "search")
    assert reader is not None
    rows = []
    with closing(sqlite3.connect(folder / "fts.db")) as con:
        con.execute("CREATE VIRTUAL TABLE pages USING fts5(body, content='', tokenize=\"ascii separators ' '\")")
        begun = process_time()
        made = (" ".join(piece.text for piece in _made(pieces, id)) for id in range(1, pages + 1))
        con.executemany(
            "INSERT INTO pages (rowid, body) VALUES (?, ?)",
            ((id, terms_in(tokens_of(text), "en")) for id, text in enumerate(made, 1)),
        )
        con.commit()
        built = pages / (process_time() - begun)
        for kind in ("one word", "three words", "phrase"):
            terms = [variants(question.words.strip('"'), ["en"])[0] for question in _questions(pieces)[kind]]
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


# ── quality ──


class _SchoolFacts:
    """The facts of pages that are in no database."""

    def __init__(self, pages: dict[int, IndexedPage]) -> None:
        self._pages = pages

    def scores(self, ids: Sequence[int]) -> list[PageScores]:
        return [PageScores(id, self._pages[id].n, None, 0.0, 0.0) for id in ids]

    def facts(self, ids: Sequence[int]) -> dict[int, PageFacts]:
        return {id: _facts(self._pages[id]) for id in ids}

    def best_authorities(self, most: int) -> list[tuple[int, float]]:
        return []

    def terms(self, ids: Sequence[int]) -> list[Terms]:
        return [self._pages[id].terms for id in ids]


def _facts(page: IndexedPage) -> PageFacts:
    return PageFacts(
        id=page.id, n=page.n, url="", host="", title=page.title, language=page.language, mime="", topic="",
        relevance=None, authority=0.0, fetched_at=0.0,
    )  # fmt: skip


def quality(folder: Path, *, every: int) -> Report:
    """Compare rankings by words, by meaning and by both: mean average precision of category names as queries."""
    warc = webs_file(SCHOOLS)
    assert warc is not None
    truth: dict[str, set[str]] = defaultdict(set)
    for label in read_labels(warc.with_name("schools.labels.tsv")):
        truth[label.url].add(label.topic)
    pages: dict[int, IndexedPage] = {}
    categories: dict[str, set[int]] = defaultdict(set)
    for id, fetch in enumerate(fetches(warc), 1):
        if fetch.url not in truth or id % every or "/wp/index/" in fetch.url:
            continue
        reading = read(fetch)
        text = "\n".join(leaf for leaf in reading.leaves if leaf)
        pages[id] = IndexedPage(id=id, n=id, title=reading.title, language="en", text=text, terms=terms_of(reading))
        for topic in truth[fetch.url]:
            categories[topic].add(id)
    facts = _SchoolFacts(pages)
    with write_lock(folder), SearchWriter(folder) as writer:
        for page in pages.values():
            writer.add(page)
        writer.commit(max(pages))
        writer.learn(facts.terms, lambda done: None)
    reader = open_index(folder)
    assert reader is not None
    asked = {topic: ids for topic, ids in categories.items() if len(ids) >= 5}
    ways = {"words": BY_TEXT, "meaning": Weights(text=0, meaning=1), "both": Weights()}
    figures, rows = [], []
    for name, weights in ways.items():
        found = {
            topic: _average_precision(
                [hit.page.id for hit in answer(reader, facts, _category(topic, weights)).hits], ids
            )
            for topic, ids in asked.items()
        }
        interval = Bootstrap(seed=0).interval(found)
        figures.append(Figure(name=f"mean average precision, {name}", value=interval.mean))
        rows.append([name, f"{interval.mean:.3f}", f"{interval.low:.3f} to {interval.high:.3f}"])
    table = markdown_table(["ranking", "mean average precision", "95 % interval"], rows)
    return Report(figures=tuple(figures), text=(f"{len(asked)} categories, {len(pages):,} pages.\n\n{table}",))


def _category(topic: str, weights: Weights) -> Question:
    words = topic.rpartition("/")[2].replace("_", " ")
    return Question(words=words, weights=weights, limit=1_000, facets=False, snippets=False)


def _average_precision(ranking: Sequence[int], wanted: set[int]) -> float:
    """Return the mean of the precision at each wanted page; one that is not found counts 0."""
    hits = np.cumsum([id in wanted for id in ranking])
    places = [place for place, id in enumerate(ranking) if id in wanted]
    return float(sum(hits[place] / (place + 1) for place in places) / len(wanted))


# ── kills ──


def kills(folder: Path, times: int) -> Report:
    """Kill an indexer at random moments; whatever it had acknowledged must be found, and no page twice.

    Indexers are forked from this process, which has everything loaded, so that a hundred take minutes.
    """
    measured(scenthound("demo", "--dir", str(folder), "--pages", "300"), limit=600)
    directory = CrawlDirectory.open(folder)
    draw, lost, doubled, under_way, rounds = random.Random(0), 0, 0, 0, 0
    with closing(sqlite3.connect(directory.database)) as con:
        pages = dict(con.execute("SELECT url_id, n FROM pages WHERE ending = 'page'").fetchall())
    whole = 2.0  # seconds that it takes to index everything; measured below
    remove_index(directory.search)
    while under_way < times and rounds < 3 * times:
        rounds += 1
        begun = perf_counter()
        process = os.fork()
        if not process:
            _index(folder)
            os._exit(0)
        time.sleep(draw.uniform(0.02, whole / 2))
        os.kill(process, signal.SIGKILL)
        under_way += os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == -signal.SIGKILL
        lost += _check(directory, pages)[0]
        if (state := read_state(directory.search)) is not None and state.n >= max(pages.values()):
            whole = max(1.0, 0.8 * whole + 0.2 * (perf_counter() - begun))
            remove_index(directory.search)  # all done: the next one begins again
    catch_up(directory, Wish())
    missed, doubled = _check(directory, pages)
    figures = (
        Figure(name="kills while indexing", value=under_way, goal=at_least(times)),
        Figure(name="acknowledged pages lost by kills", value=lost + missed, goal=at_most(0)),
        Figure(name="pages found twice after kills and a catch-up", value=doubled, goal=at_most(0)),
    )
    return Report(figures=figures)


def _check(directory: CrawlDirectory, pages: dict[int, int]) -> tuple[int, int]:
    """Return how many acknowledged pages cannot be found, and how many pages are there twice."""
    reader = open_index(directory.search)
    if reader is None:
        return 0, 0
    hits = reader.searcher.search(tantivy.Query.all_query(), 10 * len(pages)).hits
    found = [int(id or 0) for id in reader.searcher.fast_field_values("id", [address for _, address in hits])]
    acknowledged = {id for id, n in pages.items() if n <= reader.state.n}
    return len(acknowledged - set(found)), len(found) - len(set(found))


def _index(path: Path) -> None:
    """Index a crawl with many commits, for `kills`."""
    catch_up(CrawlDirectory.open(path), Wish(commit_after=5, wait=10))


# ── texts that readers leave ──


def texts(folder: Path) -> Report:
    """Compare the processor time of a page's way to the index: from the archive, and from what a reader has left."""
    measured(scenthound("demo", "--dir", str(folder), "--pages", "300"), limit=900)
    directory = CrawlDirectory.open(folder)
    shutil.rmtree(directory.texts, ignore_errors=True)
    with asking(directory) as con:
        rows = [row for row in rows_between(con, 0, sys.maxsize, sys.maxsize) if row.is_page]
        slow, pages = _took(con, directory, rows)
        spool, begun = TextSpool(directory.texts), process_time()
        for row, page in zip(rows, pages, strict=True):
            spool.add(row.digest, page.text)
        left = process_time() - begun
        fast, pages = _took(con, directory, rows)
    folder = directory.path / "another"
    with write_lock(folder), SearchWriter(folder) as writer:
        begun = process_time()
        for page in pages:
            writer.add(page)
        writer.commit(max(page.n for page in pages))
        added = process_time() - begun
    values = {"text from the archive": slow, "text left by a reader": fast, "to leave it": left, "to index it": added}
    unit = "ms of processor a page"
    return Report(
        figures=tuple(Figure(name=name, value=1000 * spent / len(rows), unit=unit) for name, spent in values.items())
    )


def _took(
    con: sqlite3.Connection, directory: CrawlDirectory, rows: Sequence[SearchRow]
) -> tuple[float, list[IndexedPage]]:
    begun = process_time()
    found = PageTexts(directory, con)
    found.look()
    pages = [found.page(row) for row in rows]
    return process_time() - begun, pages


# ── beside a crawl ──


def beside(folder: Path, *, pages: int, rounds: int) -> Report:
    """Crawl at full speed with and without an indexer beside, in turn: the worst case, as no processor is ever free.

    The lag of a moment is the time since the crawl recorded the last page that can be found then.
    """
    warc = webs_file(SCHOOLS)
    assert warc is not None
    speeds: dict[str, list[float]] = {"true": [], "false": []}
    costs: dict[str, list[float]] = {"true": [], "false": []}
    lags: list[float] = []
    folder.mkdir(exist_ok=True)
    with ServerProcess(warc) as server:
        for number in range(rounds):
            for on in speeds if number % 2 else reversed(speeds):
                path = folder / f"{number}-{on}"
                new_crawl(path, SCHOOLS_SEED)
                settings = [*FULL_SPEED, SCHOOLS_LOCK, f'fetch.proxy="{server.proxy}"', f"search.beside={on}"]
                with _Lags(path) as seen:
                    ran = crawl(path, settings, pages=pages, limit=900)
                speeds[on].append(ran.pages_per_second)
                costs[on].append(1000 * ran.run.cpu / ran.pages)
                lags += seen.lags
    share = float(np.median(speeds["true"]) / np.median(speeds["false"]))
    more = float(np.median(costs["true"]) / np.median(costs["false"]))
    figures = [
        Figure(name="speed of a crawl with the indexer beside", value=share, goal=at_least(0.9)),
        Figure(name="processor time of a crawl with the indexer beside", value=more),
        Figure(name="a crawl without", value=float(np.median(costs["false"])), unit="ms of processor a page"),
    ]
    if lags:
        middle, late = np.percentile(lags, [50, 95])
        figures.append(Figure(name="lag of the index, median", value=float(middle), unit="s", goal=at_most(10)))
        figures.append(Figure(name="lag of the index, 95th percentile", value=float(late), unit="s"))
    rows = [[on, *(f"{value:.1f}" for value in speeds[on])] for on in speeds]
    table = markdown_table(["indexer", *(f"round {number + 1}" for number in range(rounds))], rows)
    return Report(figures=tuple(figures), text=(f"Pages a second:\n\n{table}",))


class _Lags:
    """Looks at a crawl and its index twice a second, from when the index begins."""

    def __init__(self, path: Path) -> None:
        self._directory = CrawlDirectory.open(path)
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self.lags: list[float] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _look(self) -> None:
        passed: list[tuple[float, int]] = []  # moments, and the last page recorded by then
        while not self._end.wait(0.5):
            state = read_state(self._directory.search)
            with suppress(sqlite3.Error, StoreError), closing(open_reader(self._directory.database)) as con:
                passed.append((perf_counter(), con.execute("SELECT coalesce(max(n), 0) FROM pages").fetchone()[0]))
            if state is not None and passed:
                now = passed[-1][0]
                self.lags.append(next((now - at for at, n in passed if n > state.n), 0.0))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.search")
    parser.add_argument("--pages", type=int, help="measure the answers on so many made pages")
    parser.add_argument("--keep", type=Path, help="make the pages there, and leave them for the next time")
    parser.add_argument(
        "--part", choices=["engines", "quality", "kills", "texts", "beside"], help="one part, on the quick scale"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if options.part == "quality":
            report = quality(place / "quality", every=1)
        elif options.part == "engines":
            report = engines(place / "engines", options.pages or QUICK_PAGES)
        elif options.part == "kills":
            report = kills(place / "killed", KILLS)
        elif options.part == "texts":
            report = texts(place / "texts")
        elif options.part == "beside":
            report = beside(place / "beside", pages=options.pages or 1_500, rounds=3)
        else:
            report = answers(options.keep or place / "made", options.pages or QUICK_PAGES)
    for figure in report.figures:
        print(f"{figure.name}: {figure.value:.4g} {figure.unit} {figure.verdict}")
    print("\n".join(report.text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
