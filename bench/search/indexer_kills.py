"""What kills cost the index: nothing that was acknowledged, and no page is found twice."""

import os
import random
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from time import perf_counter

import tantivy

from bench.figures import Figure, Report, at_least, at_most
from bench.running import measured, scenthound
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.search.index import open_index, remove_index
from scenthound.search.index_rows import read_state
from scenthound.services.search.catch_up import Wish, catch_up


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
