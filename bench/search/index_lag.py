"""What an indexer beside a crawl costs it, and how far the index is behind."""

import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path
from time import perf_counter
from typing import Self

import numpy as np

from bench.crawling import FULL_SPEED, crawl, new_crawl
from bench.figures import Figure, Report, at_least, at_most, markdown_table
from bench.serving import SCHOOLS, SCHOOLS_LOCK, SCHOOLS_SEED, ServerProcess, webs_file
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import StoreError
from scenthound.search.index_rows import read_state
from scenthound.store.sqlite.connection import open_reader


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
