"""The text of a fetched page as the archive has it, and where it comes from."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.readers.stored_pages import text_of_archive
from scenthound.errors import StoreError, UrlError
from scenthound.parse.urls import canonical, typed_address
from scenthound.services.sql.read_connection import asking
from scenthound.services.why.url_story import known_of
from scenthound.store.sqlite.queries.search_rows import SearchRow, copies_of, id_of, rows_of
from scenthound.types import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a text comes from: the page, when it was fetched, the digest of its content, and the critic's judgement."""

    url: str
    title: str
    fetched_at: float
    digest: str
    relevance: float | None
    topic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """The text of a page, a line for each paragraph, heading or cell."""

    source: Source
    text: str


def text_of_page(directory: CrawlDirectory, url: str) -> PageText:
    """Return the text of a page, by its address in any spelling; a redirect stands for the page behind it."""
    with asking(directory) as con:
        row = _row(con, url) or _row(con, _other_address(directory, url))
        reading = None if row is None else _reading(directory, con, row)
    if row is None:
        raise UrlError(f"{url} leads to no page; scenthound why tells what became of it")
    if reading is None:
        raise StoreError(f"the archive has no readable copy of {row.url} (archive.keep)")
    return PageText(source=_source(row), text="\n".join(leaf for leaf in reading.leaves if leaf))


def sources_of(directory: CrawlDirectory, urls: Iterable[str]) -> dict[str, Source]:
    """Return where pages come from, by address; an address that has no page is left out."""
    with asking(directory) as con:
        ids = [id for url in urls if (id := id_of(con, canonical(url) or url)) is not None]
        return {row.url: _source(row) for row in rows_of(con, ids)}


def _reading(directory: CrawlDirectory, con: sqlite3.Connection, row: SearchRow) -> Reading | None:
    """Read a page as the archive has it, or a page with the same content: the archive keeps a copy once."""
    for spot in [*([row.spot] if row.spot is not None else []), *copies_of(con, row)]:
        try:
            reading = text_of_archive(directory.archive, spot, url=row.url)
        except OSError as error:
            raise StoreError(f"{directory.archive / spot.file} cannot be read: {error.strerror}") from None
        if reading is not None:
            return reading
    return None


def _row(con: sqlite3.Connection, url: str) -> SearchRow | None:
    address = canonical(typed_address(url) or "")
    id = id_of(con, address) if address is not None else None
    return None if id is None else rows_of(con, [id])[0]


def _other_address(directory: CrawlDirectory, url: str) -> str:
    """Return the address of the page that a URL leads to, or say why there is none."""
    known = known_of(directory, url)
    if isinstance(known, str):
        raise UrlError(known)
    page = known.story.page
    return known.story.url if page is None else page.final_url or page.url


def _source(row: SearchRow) -> Source:
    return Source(
        url=row.url,
        title=row.title,
        fetched_at=row.fetched_at,
        digest=row.digest,
        relevance=row.relevance,
        topic=row.topic,
    )
