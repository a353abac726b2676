"""All pages that a query asks for, in fetch order, as rows for programs; memory does not grow with them."""

from collections.abc import Iterable, Iterator

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.crawls.reader_store import reading
from scenthound.services.results.page_list import PageQuery, page_numbers
from scenthound.types import PageRow


def chosen_pages(directory: CrawlDirectory, query: PageQuery) -> Iterator[PageRow]:
    """Yield the pages of a query. The database stays open until the last one, or until the iterator is closed."""
    with reading(directory) as store:
        yield from _those(store.pages(everything=True), page_numbers(directory, query))


def _those(pages: Iterable[PageRow], numbers: Iterator[int]) -> Iterator[PageRow]:
    """Yield the pages with certain numbers; both come in order, so that neither is held in memory."""
    wanted = next(numbers, None)
    for page in pages:
        while wanted is not None and wanted < page.n:  # it was visited again since
            wanted = next(numbers, None)
        if wanted is None:
            return
        if page.n == wanted:
            yield page
