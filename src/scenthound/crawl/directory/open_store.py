"""Opening a crawl's database, apart from everything that fetches: `status` and `export` start faster without that."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.store.base import Store
from scenthound.store.store_place import store_at


@contextmanager
def open_store(
    directory: CrawlDirectory, *, read_only: bool = False, bad_after: int = 3, engine: str = "", lease: float = 30.0
) -> Iterator[Store]:
    """Open a crawl's store, wherever it is; read-only beside a running crawl, as an `engine` to crawl."""
    if not read_only or isinstance(directory.store, Path):  # a server says itself that a crawl is not there
        directory.refuse_lost_database()
    with store_at(directory.store, read_only=read_only, bad_after=bad_after, engine=engine, lease=lease) as store:
        yield store
