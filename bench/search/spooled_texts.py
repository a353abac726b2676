"""What the texts that readers leave save on the way to the index."""

import shutil
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time

from bench.figures import Figure, Report
from bench.running import measured, scenthound
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.search.index import SearchWriter, document, write_lock
from scenthound.search.text_spool import TextSpool
from scenthound.search.types import IndexedPage
from scenthound.services.search.page_texts import PageTexts
from scenthound.services.sql.read_connection import asking
from scenthound.store.sqlite.queries.search_rows import SearchRow, rows_between


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
    begun = process_time()
    for place, page in enumerate(pages):
        document(page, place)
    worded = process_time() - begun
    folder = directory.path / "another"
    with write_lock(folder), SearchWriter(folder) as writer:
        begun = process_time()
        for page in pages:
            writer.add(page)
        writer.commit(max(page.n for page in pages))
        added = process_time() - begun
    values = {
        "text from the archive": slow,
        "text left by a reader": fast,
        "to leave it": left,
        "to index it": added,
        "of that, to cut and stem its words": worded,
    }
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
