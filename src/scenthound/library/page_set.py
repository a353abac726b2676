"""The pages of a crawl that pass a filter: read from the database as they are iterated over."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Final, get_type_hints

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import ScenthoundError, UsageError
from scenthound.library import data_frames, html_parts
from scenthound.library.data_frames import Column, moment
from scenthound.library.row_list import SHOWN, text_lines
from scenthound.services.results.page_list import PageQuery, count_pages
from scenthound.services.results.page_rows import chosen_pages
from scenthound.services.results.page_text import text_of_page
from scenthound.types import PageRow

if TYPE_CHECKING:
    import pandas
    import pyarrow

_SHORT: Final = ("title", "url", "relevance", "topic")


def _columns() -> Iterator[Column[PageRow]]:
    """Yield a column for each text and number of a page, and for its moment."""
    for name, kind in get_type_hints(PageRow).items():
        if name == "fetched_at":
            yield Column(name=name, read=lambda page: moment(page.fetched_at), kind=datetime)
        elif kind in (str, int, float, float | None):
            yield Column(name=name, read=attrgetter(name), kind=kind if kind in (str, int) else float)


class Pages:
    """Pages in fetch order. Each loop over it asks the database again, so that a running crawl shows its new pages."""

    def __init__(self, directory: CrawlDirectory, query: PageQuery) -> None:
        self._directory = directory
        self._query = query

    def __iter__(self) -> Iterator[PageRow]:
        return chosen_pages(self._directory, self._query)

    def __len__(self) -> int:
        return count_pages(self._directory, self._query).pages

    def head(self, most: int = SHOWN) -> list[PageRow]:
        """Return the first pages."""
        return list(islice(self, most))

    def to_pandas(self, *, text: bool = False) -> "pandas.DataFrame":
        """Return a data frame of pandas with a row for each page; with `text`, also the text of each."""
        data_frames.imported("pandas", "to_pandas")  # fail before the pages are read
        return data_frames.to_pandas(self._columns(text=text), list(self))

    def to_arrow(self, *, text: bool = False) -> "pyarrow.Table":
        """Return a table of Arrow with a row for each page; with `text`, also the text of each."""
        data_frames.imported("pyarrow", "to_arrow")
        return data_frames.to_arrow(self._columns(text=text), list(self))

    def __repr__(self) -> str:
        return "\n".join([self._caption(), *text_lines(_SHORT, self._cells())])

    def _repr_html_(self) -> str:
        return html_parts.table(_SHORT, self._cells(), caption=self._caption())

    def _caption(self) -> str:
        pages = len(self)
        few = f", the first {SHOWN} of them" if pages > SHOWN else ""
        return f"{self._directory.path.name}: pages: {pages:,}{few}"

    def _cells(self) -> list[Sequence[object]]:
        return [[getattr(page, name) for name in _SHORT] for page in self.head()]

    def _columns(self, *, text: bool) -> list[Column[PageRow]]:
        columns = list(_columns())
        return [*columns, Column(name="text", read=_texts(self._directory), kind=str)] if text else columns


def seconds_of(moment: "datetime | date | str | float | None") -> float | None:
    """Return a moment in seconds since 1970; what names no zone is in UTC.

    >>> seconds_of("1970-01-02"), seconds_of(date(1970, 1, 2)), seconds_of(5), seconds_of(None)
    (86400.0, 86400.0, 5.0, None)
    """
    if moment is None or isinstance(moment, (int, float)):
        return None if moment is None else float(moment)
    if isinstance(moment, str):
        try:
            moment = datetime.fromisoformat(moment)
        except ValueError:
            raise UsageError(f'since: "{moment}" is not a date; write it as 2026-11-30 or 2026-11-30T18:00') from None
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _texts(directory: CrawlDirectory) -> Callable[[PageRow], str | None]:
    """Return what reads the text of a page; None for one of which the archive has no copy."""

    def read(page: PageRow) -> str | None:
        try:
            return text_of_page(directory, page.url).text
        except ScenthoundError:
            return None

    return read
