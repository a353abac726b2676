"""The fetched URLs in fetch order, as JSON lines, CSV, a list, bookmarks, or an index of the archive.

Rows stream from the store, so that memory does not grow with the crawl.
"""

import csv
import html
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO

from scenthound.crawl.directory import CrawlDirectory
from scenthound.desk.reading import reading
from scenthound.desk.words import iso
from scenthound.errors import StoreError
from scenthound.store.archive import CdxRow, write_cdxj
from scenthound.store.warc import parse_record, split_http, unpack_member
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
    out: IO[str],
    *,
    form: str,
    min_relevance: float | None = None,
    everything: bool = False,
) -> None:
    """Write what was fetched; with `everything`, also redirects and URLs without a page."""
    with reading(directory) as store:
        # An index that left out redirects would break the playback of pages reached through them.
        rows = store.pages(everything=everything or form == "cdxj", min_relevance=min_relevance)
        if form == "cdxj":
            write_cdxj(_captures(directory.archive, rows), out)
        else:
            columns = MORE_COLUMNS if everything else COLUMNS
            _WRITERS[form](rows if everything else _answers(form, rows), out, columns)


def as_row(page: PageRow, columns: Sequence[str]) -> dict[str, object]:
    """Return a page as the export's row: the columns in their order, the time in ISO 8601."""
    row: dict[str, object] = {name: getattr(page, name) for name in columns}
    row["fetched_at"] = iso(page.fetched_at)
    return row


def write_jsonl(pages: Iterable[PageRow], out: IO[str], columns: Sequence[str]) -> None:
    for page in pages:
        out.write(json.dumps(as_row(page, columns), ensure_ascii=False) + "\n")


def write_csv(pages: Iterable[PageRow], out: IO[str], columns: Sequence[str]) -> None:
    writer = csv.DictWriter(out, columns, lineterminator="\r\n")  # RFC 4180
    writer.writeheader()
    writer.writerows(as_row(page, columns) for page in pages)


def write_urls(pages: Iterable[PageRow], out: IO[str], _columns: Sequence[str]) -> None:
    for page in pages:
        out.write((page.final_url or page.url) + "\n")


def write_bookmarks(pages: Iterable[PageRow], out: IO[str], _columns: Sequence[str]) -> None:
    """Write the bookmark file that every browser imports; the topic becomes a tag."""
    out.write("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n")
    out.write('<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">\n')
    out.write("<TITLE>scenthound</TITLE>\n<H1>scenthound</H1>\n<DL><p>\n")
    for page in pages:
        address = html.escape(page.final_url or page.url)
        tag = f' TAGS="{html.escape(page.topic)}"' if page.topic else ""
        title = html.escape(page.title or page.url)
        out.write(f'    <DT><A HREF="{address}" ADD_DATE="{page.fetched_at:.0f}"{tag}>{title}</A>\n')
    out.write("</DL><p>\n")


_WRITERS: dict[str, Callable[[Iterable[PageRow], IO[str], Sequence[str]], None]] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "urls": write_urls,
    "bookmarks": write_bookmarks,
}


def _answers(form: str, pages: Iterable[PageRow]) -> Iterator[PageRow]:
    """Leave out what would be taken for a page and is none.

    That is whatever the server gave with a good status and we refused, for its type or size; and in mere lists,
    where nobody sees a status, also its error pages.
    """
    for page in pages:
        error = page.status >= 400 and form not in ("urls", "bookmarks")
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
    path = archive / spot.file
    try:
        with path.open("rb") as file:
            file.seek(spot.offset)
            packed = file.read(spot.length)
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from None
    place = f"{path}: byte {spot.offset}"
    record = parse_record(unpack_member(packed, place), offset=spot.offset, length=spot.length, name=str(path))
    head, _ = split_http(record.block)
    return CdxRow(
        url=record.url,
        at=datetime.fromisoformat(record.fields["warc-date"]).timestamp(),
        mime="warc/revisit" if record.type == "revisit" else page.mime,
        status=int(head.split(b" ", 2)[1]),
        digest=record.fields.get("warc-payload-digest", ""),
        spot=spot,
    )
