"""What the index takes of a page, from where it is cheapest: texts that readers left, the index itself, the archive."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.readers.stored_pages import text_of_archive
from scenthound.errors import StoreError
from scenthound.parse.words.page_terms import terms_of, terms_of_text
from scenthound.parse.words.terms import NO_TERMS, Terms, unpack
from scenthound.search.meaning import Meaning, learn_meaning
from scenthound.search.text_spool import SpooledTexts, text_of, unpack_text
from scenthound.search.types import IndexedPage
from scenthound.store.sqlite.queries.search_rows import SearchRow, anchors_of, copies_of, terms_by_id
from scenthound.types import ArchiveSpot, Reading

_AWAITED: Final = 600.0  # seconds after which a page is indexed without the text that another machine has


@dataclass(frozen=True, slots=True, kw_only=True)
class _Text:
    text: str = ""
    packed: bytes = b""
    terms: Terms = NO_TERMS


class PageTexts:
    """Makes pages for the index."""

    def __init__(self, directory: CrawlDirectory, con: sqlite3.Connection) -> None:
        self._archive = directory.archive_place
        self._con = con
        self._spool = SpooledTexts(directory.texts)
        self._there: set[str] = set()  # archive files that can be read

    def look(self) -> None:
        """See what readers have left since the last time."""
        self._spool.look()

    def clear(self) -> None:
        """Remove what readers left, when all of it has been indexed."""
        self._spool.clear()

    def is_awaited(self, row: SearchRow) -> bool:
        """Tell whether another machine will soon upload the archive file of a page, which can then be indexed."""
        place, spot = self._archive, row.spot
        if not place.url or spot is None or spot.file in self._there or time.time() - row.fetched_at > _AWAITED:
            return False
        try:
            is_there = place.has(spot.file)
        except StoreError:  # the place cannot be reached
            return False
        if is_there:
            self._there.add(spot.file)
        return not is_there and not self._spool.packed(row.digest)

    def page(self, row: SearchRow, packed: bytes = b"") -> IndexedPage:
        """Return a page as the index takes it; `packed` is its text, where the index has it."""
        found = self._text(row, packed)
        terms = unpack(row.terms) if row.terms else found.terms
        return IndexedPage(
            id=row.id,
            n=row.n,
            host=row.host,
            site=row.site,
            title=row.title,
            language=terms.language or row.language,
            mime=row.mime,
            topic=row.topic,
            relevance=row.relevance,
            fetched_at=row.fetched_at,
            text=found.text,
            packed=found.packed,
            anchors=anchors_of(self._con, row.id),
            terms=terms,
        )

    def _text(self, row: SearchRow, packed: bytes) -> _Text:
        packed = packed or self._spool.packed(row.digest)
        if packed:
            text = unpack_text(packed)
            terms = NO_TERMS if row.terms else terms_of_text(text, title=row.title, language=row.language)
            return _Text(text=text, packed=packed, terms=terms)
        reading = self._reading(row)
        if reading is None:
            return _Text()
        return _Text(text=text_of(reading.leaves), terms=NO_TERMS if row.terms else terms_of(reading))

    def _reading(self, row: SearchRow) -> Reading | None:
        """Return a page as the archive has it, or a page with the same content; None if neither can be read."""
        for spot in self._spots(row):
            try:
                reading = text_of_archive(self._archive, spot, url=row.url)
            except (StoreError, OSError):  # damaged, or moved away: what the database has of it is indexed
                continue
            if reading is not None:
                return reading
        return None

    def _spots(self, row: SearchRow) -> Iterator[ArchiveSpot]:
        if row.spot is not None:
            yield row.spot
        yield from copies_of(self._con, row)


class Learner:
    """Learns vectors in a thread of its own, so that pages go on being indexed."""

    def __init__(self, terms: Sequence[Terms]) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="meaning")
        self._learnt: Future[Meaning] = self._thread.submit(learn_meaning, [one for one in terms if len(one)])
        self._thread.shutdown(wait=False)

    def result(self) -> Meaning | None:
        """Return what was learnt; None while there is nothing yet."""
        return self._learnt.result() if self._learnt.done() else None


def terms_in_order(con: sqlite3.Connection, ids: Sequence[int]) -> list[Terms]:
    """Return what critics read of pages; no terms for a page of which nothing is stored."""
    found = {id: terms for some in portions(ids, 2_000) for id, terms in terms_by_id(con, some).items()}
    return [found.get(id, NO_TERMS) for id in ids]


def portions(ids: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Yield numbers a few at a time."""
    for start in range(0, len(ids), size):
        yield ids[start : start + size]
