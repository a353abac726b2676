"""Opening a crawl's database, apart from everything that fetches: `status` and `export` start faster without that."""

from collections.abc import Iterator
from contextlib import contextmanager

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.store.base import Store
from scenthound.store.sqlite.store import SqliteStore


@contextmanager
def open_store(directory: CrawlDirectory, *, read_only: bool = False, bad_after: int = 3) -> Iterator[Store]:
    """Open a crawl's database; read-only beside a running crawl."""
    directory.refuse_lost_database()
    with SqliteStore(directory.database, read_only=read_only, bad_after=bad_after) as store:
        yield store
