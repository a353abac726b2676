"""Edits of settings and topics that other engines of a crawl on a server have seen already."""

from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.shared_folder import SharedFolder
from scenthound.events import Listener


def pull(directory: CrawlDirectory, *, listener: Listener) -> None:
    """Write settings and topics that were edited elsewhere into the folder of a crawl on a server."""
    if isinstance(directory.store, Path):
        return
    from scenthound.store.postgres.store import PostgresStore  # the driver takes a tenth of a second

    with PostgresStore(directory.store, read_only=True) as store:
        SharedFolder(directory, listener).pull(store)
