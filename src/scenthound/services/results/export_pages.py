"""The fetched URLs in fetch order, as JSON lines, CSV, a list, bookmarks, or an index of the archive.

Rows stream from the store, so that memory does not grow with the crawl.
"""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from scenthound.archive.files import CdxRow, read_record, write_cdxj
from scenthound.archive.warc import split_http
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import StoreError
from scenthound.services.crawls.reader_store import reading
from scenthound.services.results.bookmark_file import write_bookmarks
from scenthound.services.results.export_format import ExportFormat
from scenthound.services.results.page_list import PageQuery, page_numbers
from scenthound.services.sql.answer_text import Written
from scenthound.services.why.reason_words import iso
from scenthound.terminal import cell, in_json
from scenthound.types import ArchiveSpot, Ending, PageRow

COLUMNS = (
    "n",
    "url",
    "final_url",
    "host",
    "status",
    "mime",
    "title",
    "language",
    "relevance",
    "topic",
    "depth",
    "priority",
    "referrer",
    "fetched_at",
    "digest",
)
# With --all, rows that are no pages come along, and these tell them apart.
MORE_COLUMNS = (*COLUMNS, "ending", "reason", "duplicate_of", "near_duplicate_of")


def write_pages(
    directory: CrawlDirectory,
    out: Written,
    *,
    form: ExportFormat,
    min_relevance: float | None = None,
    everything: bool = False,
    query: PageQuery | None = None,
) -> None:
    """Write what was fetched; with `everything`, also redirects and URLs without a page; with a `query`, the pages that
    it finds.
    """
    with reading(directory) as store:
        if query is not None:
            pages = _those(store.pages(everything=True), page_numbers(directory, query))
            _write(directory, pages, out, form, COLUMNS)
            return
        # An index that left out redirects would break the playback of pages reached through them.
        rows = store.pages(everything=everything or form is ExportFormat.CDXJ, min_relevance=min_relevance)
        chosen = rows if everything or form is ExportFormat.CDXJ else _answers(form, rows)
        _write(directory, chosen, out, form, MORE_COLUMNS if everything else COLUMNS)


def _write(
    directory: CrawlDirectory, pages: Iterable[PageRow], out: Written, form: ExportFormat, columns: Sequence[str]
) -> None:
    if form is ExportFormat.CDXJ:
        write_cdxj(_captures(directory.archive, pages), out)
    else:
        _WRITERS[form](pages, out, columns)


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


def as_row(page: PageRow, columns: Sequence[str]) -> dict[str, object]:
    """Return a page as the export's row: the columns in their order, the time in ISO 8601."""
    row: dict[str, object] = {name: getattr(page, name) for name in columns}
    row["fetched_at"] = iso(page.fetched_at)
    return row


def write_jsonl(pages: Iterable[PageRow], out: Written, columns: Sequence[str]) -> None:
    for page in pages:
        out.write(in_json(json.dumps(as_row(page, columns), ensure_ascii=False)) + "\n")


def write_csv(pages: Iterable[PageRow], out: Written, columns: Sequence[str]) -> None:
    writer = csv.DictWriter(out, columns, lineterminator="\r\n")  # RFC 4180
    writer.writeheader()
    writer.writerows({name: cell(value) for name, value in as_row(page, columns).items()} for page in pages)


def write_urls(pages: Iterable[PageRow], out: Written, _columns: Sequence[str]) -> None:
    for page in pages:
        out.write((page.final_url or page.url) + "\n")


_WRITERS: dict[ExportFormat, Callable[[Iterable[PageRow], Written, Sequence[str]], None]] = {
    ExportFormat.JSONL: write_jsonl,
    ExportFormat.CSV: write_csv,
    ExportFormat.URLS: write_urls,
    ExportFormat.BOOKMARKS: write_bookmarks,
}


def _answers(form: ExportFormat, pages: Iterable[PageRow]) -> Iterator[PageRow]:
    """Leave out what would be taken for a page and is none.

    That is whatever the server gave with a good status and we refused, for its type or size; and in mere lists,
    where nobody sees a status, also its error pages.
    """
    for page in pages:
        error = page.status >= 400 and form not in (ExportFormat.URLS, ExportFormat.BOOKMARKS)
        if page.ending is not Ending.FAILED or error:
            yield page


def _captures(archive: Path, pages: Iterable[PageRow]) -> Iterator[CdxRow]:
    for page in pages:
        if page.spot is not None:
            yield _capture(archive, page.spot, page)


def _capture(archive: Path, spot: ArchiveSpot, page: PageRow) -> CdxRow:
    """Read the record itself: its date and payload digest are what other tools compare the index with.

    The database has other ones for its own purposes: when the page was complete, and the digest after unpacking.
    """
    try:
        record = read_record(archive, spot)
    except OSError as error:
        raise StoreError(f"{archive / spot.file} cannot be read: {error.strerror}") from None
    head, _ = split_http(record.block)
    return CdxRow(
        url=record.url,
        at=datetime.fromisoformat(record.fields["warc-date"]).timestamp(),
        mime="warc/revisit" if record.type == "revisit" else page.mime,
        status=int(head.split(b" ", 2)[1]),
        digest=record.fields.get("warc-payload-digest", ""),
        spot=spot,
    )
