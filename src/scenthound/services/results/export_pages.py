"""Rows of an export as text, line after line: JSON lines, CSV, a list, or an index of the archive.

Rows stream from the store, so that memory does not grow with the crawl. `services.corpus` has the other formats.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence

from scenthound.archive.files import CdxRow, read_record, write_cdxj
from scenthound.archive.place import ArchiveFolder, place_of
from scenthound.archive.warc_subset import index_row
from scenthound.errors import StoreError
from scenthound.services.corpus.corpus_page import CorpusPage
from scenthound.services.results.bookmark_file import write_bookmarks
from scenthound.services.results.export_format import ExportFormat
from scenthound.services.sql.answer_text import Written
from scenthound.terminal import cell, in_json


def write_lines(
    pages: Iterable[CorpusPage], out: Written, *, form: ExportFormat, columns: Sequence[str], archive: ArchiveFolder
) -> None:
    """Write pages in one of the formats that are a stream of lines."""
    match form:
        case ExportFormat.JSONL:
            _write_jsonl(pages, out, columns)
        case ExportFormat.CSV:
            _write_csv(pages, out, columns)
        case ExportFormat.BOOKMARKS:
            write_bookmarks((page.page for page in pages), out)
        case ExportFormat.CDXJ:
            write_cdxj(_captures(archive, pages), out)
        case _:
            for page in pages:
                out.write(page.address + "\n")


def _write_jsonl(pages: Iterable[CorpusPage], out: Written, columns: Sequence[str]) -> None:
    for page in pages:
        out.write(in_json(json.dumps(page.as_row(columns), ensure_ascii=False)) + "\n")


def _write_csv(pages: Iterable[CorpusPage], out: Written, columns: Sequence[str]) -> None:
    writer = csv.DictWriter(out, columns, lineterminator="\r\n")  # RFC 4180
    writer.writeheader()
    writer.writerows({name: cell(_flat(name, value)) for name, value in page.as_row(columns).items()} for page in pages)


def _flat(name: str, value: object) -> object:
    """Join the parts of a value; the names of topics may hold spaces."""
    return ("; " if name == "topics" else " ").join(value) if isinstance(value, tuple) else value


def _captures(archive: ArchiveFolder, pages: Iterable[CorpusPage]) -> Iterator[CdxRow]:
    """Read the records themselves: see `index_row`."""
    for page in pages:
        spot = page.page.spot
        if spot is None:
            continue
        try:
            record = read_record(archive, spot)
        except OSError as error:
            raise StoreError(f"{place_of(archive).folder / spot.file} cannot be read: {error.strerror}") from None
        yield index_row(record, page.page.mime, spot)
