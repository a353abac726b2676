"""Fetched pages by what a reader looks for, from a crawl directory; `store/sqlite/queries/page_search.py` has the
statements.
"""

from collections.abc import Iterator

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.sql.read_connection import asking
from scenthound.store.sqlite.queries.page_search import (
    MOST,
    SECONDS,
    Choices,
    Hits,
    PageHit,
    PageOrder,
    PageQuery,
    Total,
    count_hits,
    hit_numbers,
    read_choices,
    search_pages,
)

__all__ = [
    "MOST",
    "SECONDS",
    "Choices",
    "Hits",
    "PageHit",
    "PageOrder",
    "PageQuery",
    "Total",
    "choices_of",
    "count_pages",
    "find_pages",
    "page_numbers",
]


def find_pages(directory: CrawlDirectory, query: PageQuery) -> Hits:
    """Return the pages that a query asks for."""
    with asking(directory) as con:
        return search_pages(con, query)


def count_pages(directory: CrawlDirectory, query: PageQuery) -> Total:
    """Count all pages that a query asks for, whatever its limit. This scans all pages."""
    with asking(directory) as con:
        return count_hits(con, query)


def page_numbers(directory: CrawlDirectory, query: PageQuery) -> Iterator[int]:
    """Yield the numbers of all pages that a query asks for, in fetch order."""
    with asking(directory) as con:
        yield from hit_numbers(con, query)


def choices_of(directory: CrawlDirectory) -> Choices:
    """Return the languages, types and sites of the most relevant pages."""
    with asking(directory) as con:
        return read_choices(con)
