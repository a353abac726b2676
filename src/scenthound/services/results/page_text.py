"""The main text of a fetched page, from the archive, and where it comes from."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import StoreError, UrlError
from scenthound.parse.urls import canonical, typed_address
from scenthound.services.corpus.page_texts import TextJob, TextWorkers
from scenthound.services.sql.read_connection import asking
from scenthound.services.why.url_story import known_of
from scenthound.store.sqlite.queries.search_rows import SearchRow, copies_of, id_of, rows_of


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
        job = None if row is None else _job(con, row)
    if row is None:
        raise UrlError(f"{url} leads to no page; scenthound why tells what became of it")
    if job is None:
        raise StoreError(f"the archive has no copy of {row.url} (archive.keep)")
    with TextWorkers(directory.archive_place, workers=1) as workers:
        found = workers.text(job)
    if not found.by:
        raise StoreError(f"{row.url} has no text: {found.note or 'the archive has no readable copy'}")
    return PageText(source=_source(row), text=found.text)


def sources_of(directory: CrawlDirectory, urls: Iterable[str]) -> dict[str, Source]:
    """Return where pages come from, by address; an address that has no page is left out."""
    with asking(directory) as con:
        ids = [id for url in urls if (id := id_of(con, canonical(url) or url)) is not None]
        return {row.url: _source(row) for row in rows_of(con, ids)}


def _job(con: sqlite3.Connection, row: SearchRow) -> TextJob | None:
    """Point to the page in the archive, and to pages with the same content: the archive keeps a copy once."""
    spots = [*([row.spot] if row.spot is not None else []), *copies_of(con, row)]
    return TextJob(url=row.url, spot=spots[0], copies=tuple(spots[1:])) if spots else None


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
