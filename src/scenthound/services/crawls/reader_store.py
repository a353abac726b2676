"""Opening a crawl's database to look at it, beside a crawl that may just be making it."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.open_store import open_store
from scenthound.errors import DirectoryError, StoreError
from scenthound.store.base import Store

# The first crawl of a directory has a file before it has tables in it: 8 of 1,361 looks in a row met that moment.
_PATIENCE = 2.0


@contextmanager
def reading(directory: CrawlDirectory) -> Iterator[Store]:
    """Open the database read-only; a crawl that was never started is an error that says how to start it."""
    if isinstance(directory.store, Path):
        directory.refuse_lost_database()
    if not directory.begun:
        path = directory.path
        raise DirectoryError(f"{path} has not been crawled yet; start it with: scenthound crawl {path}")
    with ExitStack() as stack:
        yield _opened(directory, stack)


def _opened(directory: CrawlDirectory, stack: ExitStack) -> Store:
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            return stack.enter_context(open_store(directory, read_only=True))
        except StoreError:
            if time.monotonic() > end or not directory.is_running():
                raise
            time.sleep(0.05)
