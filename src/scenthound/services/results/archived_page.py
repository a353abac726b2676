"""A page as the archive has it, for showing: HTML and plain text in UTF-8, anything else as the bytes that came."""

from dataclasses import dataclass
from typing import Final

from scenthound.archive.files import read_exchange
from scenthound.archive.http_head import HttpHead
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import StoreError, UrlError
from scenthound.parse.charset import charset_of, decode
from scenthound.parse.content_encoding import unpack
from scenthound.parse.sniff import effective_type
from scenthound.services.crawls.reader_store import reading
from scenthound.services.results.page_card import url_of_page
from scenthound.types import PageRow, Reason

LARGEST: Final = 20_000_000  # bytes, unpacked
_HEAD: Final = 1_000_000  # of a record, and of the exchange in it
_SHOWN: Final = ("text/html", "application/xhtml+xml", "text/plain", "text/markdown")


@dataclass(frozen=True, slots=True, kw_only=True)
class Archived:
    """A copy. With `shown` it is text that may be shown (in a sandbox), else it is to be saved as a file."""

    page: PageRow
    mime: str
    body: bytes
    shown: bool


def archived_page(directory: CrawlDirectory, n: int) -> Archived:
    """Return the archive's copy of the page with a number."""
    with reading(directory) as store:
        story = store.story(url_of_page(directory, n), now=0.0)
    page = story.page if story is not None else None
    if page is None or page.spot is None:
        raise UrlError(f"page {n} is not in the archive (archive.keep)")
    try:
        head, packed = read_exchange(directory.archive_place, page.spot, most=LARGEST + _HEAD)
    except OSError as error:
        raise StoreError(f"{directory.archive / page.spot.file} cannot be read: {error.strerror}") from None
    fields = HttpHead(head)
    body = unpack(packed, fields.coding, LARGEST)
    if isinstance(body, Reason):
        raise StoreError(f"the copy of page {n} cannot be unpacked: {body}")
    mime = effective_type(fields.type, body)
    if mime not in _SHOWN:
        return Archived(page=page, mime=mime, body=body, shown=False)
    text = decode(body, charset_of(body, fields.charset))
    shown = "text/html" if "html" in mime else "text/plain"
    return Archived(page=page, mime=shown, body=text.encode("utf-8", "replace"), shown=True)
