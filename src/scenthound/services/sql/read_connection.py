"""A connection to a crawl's database, for the commands that put their own questions to it, beside a running crawl."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import StoreError
from scenthound.services.crawls.reader_store import reading
from scenthound.store.store_place import reader_at


@contextmanager
def asking(directory: CrawlDirectory) -> Iterator[sqlite3.Connection]:
    """Open the database for reading; whatever it cannot do is a StoreError."""
    try:
        with closing(_opened(directory)) as con:
            yield con
    except sqlite3.Error as error:
        raise StoreError(f"{directory.database}: {error}") from error


def _opened(directory: CrawlDirectory) -> sqlite3.Connection:
    try:
        return reader_at(directory.store)
    except (StoreError, sqlite3.Error):
        with reading(directory):  # it may just be being made; and it says what is wrong with it in words of its own
            return reader_at(directory.store)
