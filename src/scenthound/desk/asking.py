"""A connection to a crawl's database, for the commands that put their own questions to it, beside a running crawl."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from scenthound.crawl.directory import CrawlDirectory
from scenthound.desk.reading import reading
from scenthound.errors import StoreError
from scenthound.store.sqlite_opening import open_reader


@contextmanager
def asking(directory: CrawlDirectory) -> Iterator[sqlite3.Connection]:
    """Open the database for reading; whatever it cannot do is a StoreError."""
    with reading(directory):  # it may just be being made; and it says what is wrong with it in words of its own
        pass
    try:
        with closing(open_reader(directory.database)) as con:
            yield con
    except sqlite3.Error as error:
        raise StoreError(f"{directory.database}: {error}") from error
