"""Brings the search index up to a crawl: pages that came since, pages that went, and pages that were judged again.

Texts come from the archive. Nothing is lost by a kill: what is acknowledged is on the disk, all else is done again.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.readers.stored_pages import text_of_archive
from scenthound.errors import StoreError
from scenthound.parse.words.page_terms import terms_of
from scenthound.parse.words.terms import NO_TERMS, Terms, unpack
from scenthound.search.index import SearchWriter, remove_index, write_lock
from scenthound.search.types import IndexedPage
from scenthound.services.sql.read_connection import asking
from scenthound.store.sqlite.queries.search_rows import (
    SearchRow,
    Standing,
    anchors_of,
    copies_of,
    rows_of,
    rows_since,
    standing,
    terms_by_id,
    topics_now,
)
from scenthound.types import ArchiveSpot, Reading

_READ_AT_ONCE: Final = 200  # rows of the database
_COMMIT_AFTER: Final = 4_000  # pages: a commit waits for the disk, and makes a segment that is merged later
_COMMIT_SECONDS: Final = 5.0
_SMALL_HEAP: Final = 20_000_000  # bytes, for few pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a catch-up is: pages done, and how many there were to do."""

    done: int
    pages: int
    step: str = "indexing"


Heard = Callable[[Progress], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """How to catch up: all of it, or what can be done in some seconds; `wait` for another process that writes."""

    seconds: float | None = None
    wait: float = 0.0
    rebuild: bool = False
    commit_after: int = _COMMIT_AFTER
    heard: Heard = field(default=lambda progress: None)


def catch_up(directory: CrawlDirectory, wish: Wish) -> None:
    """Index what has come, within the time given. Raises IndexBusyError if another process is doing so."""
    with asking(directory) as con, write_lock(directory.search, wait=wish.wait):
        if wish.rebuild:
            remove_index(directory.search)
        now = standing(con)
        with SearchWriter(directory.search, heap=_SMALL_HEAP) as writer:
            _CatchUp(directory, con, writer, wish, now).run()


class _CatchUp:
    def __init__(
        self, directory: CrawlDirectory, con: sqlite3.Connection, writer: SearchWriter, wish: Wish, now: Standing
    ) -> None:
        self._directory = directory
        self._con = con
        self._writer = writer
        self._wish = wish
        self._now = now
        self._end = monotonic() + wish.seconds if wish.seconds is not None else None
        self._done = 0
        self._all = max(0, now.n - writer.state.n)
        self._expected = writer.state.relevance  # sum of all judgements, if only new pages came

    def run(self) -> None:
        self._new_pages()
        if self._is_late:
            return
        if abs(self._expected - self._now.relevance) > 1e-4 or self._writer.state.critic != self._now.critic:
            self._judged_again()
        self._writer.note_judgements(critic=self._now.critic, relevance=self._now.relevance)
        if self._writer.wants_learning and self._end is None:
            self._learn()

    @property
    def _is_late(self) -> bool:
        return self._end is not None and monotonic() > self._end

    def _new_pages(self) -> None:
        last, committed = self._writer.state.n, monotonic()
        waiting = 0
        while rows := rows_since(self._con, last, _READ_AT_ONCE):
            for row in rows:
                self._take(row)
                last = row.n
                waiting += 1
                if self._is_late or waiting >= self._wish.commit_after:
                    break
            self._tell()
            if waiting >= self._wish.commit_after or monotonic() - committed > _COMMIT_SECONDS:
                self._writer.commit(last)
                committed, waiting = monotonic(), 0
            if self._is_late or last >= self._now.n:
                break
        if waiting:
            self._writer.commit(last)

    def _take(self, row: SearchRow) -> None:
        if row.is_page:
            self._writer.add(self._page(row))
            if row.counts:
                self._expected += row.relevance or 0.0
        else:
            self._writer.remove(row.id)
        self._done += 1

    def _judged_again(self) -> None:
        """Index pages again whose topic has changed; relevance is asked from the database with each question."""
        before, after = self._writer.judged_before(), topics_now(self._con)
        changed = [id for id, topic in before.items() if after.get(id, topic) != topic]
        self._all += len(changed)
        for some in _portions(changed, _READ_AT_ONCE):
            for row in rows_of(self._con, some):
                self._writer.add(self._page(row))
            self._done += len(some)
            self._tell()
        if changed:
            self._writer.commit(self._writer.state.n)

    def _learn(self) -> None:
        pages, done = self._writer.state.rows, 0

        def heard(more: int) -> None:
            nonlocal done
            done += more
            self._wish.heard(Progress(done=done, pages=pages, step="learning meanings"))

        heard(0)
        self._writer.learn(lambda ids: terms_in_order(self._con, ids), heard)

    def _page(self, row: SearchRow) -> IndexedPage:
        reading = self._reading(row)
        terms = unpack(row.terms) if row.terms else terms_of(reading) if reading is not None else NO_TERMS
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
            text="\n".join(leaf for leaf in reading.leaves if leaf) if reading is not None else "",
            anchors=anchors_of(self._con, row.id),
            terms=terms,
        )

    def _reading(self, row: SearchRow) -> Reading | None:
        """Return a page as the archive has it, or a page with the same content; None if neither can be read."""
        for spot in self._spots(row):
            try:
                reading = text_of_archive(self._directory.archive, spot, url=row.url)
            except (StoreError, OSError):  # damaged, or moved away: what the database has of it is indexed
                continue
            if reading is not None:
                return reading
        return None

    def _spots(self, row: SearchRow) -> Iterator[ArchiveSpot]:
        if row.spot is not None:
            yield row.spot
        yield from copies_of(self._con, row)

    def _tell(self) -> None:
        self._wish.heard(Progress(done=self._done, pages=max(self._all, self._done)))


def terms_in_order(con: sqlite3.Connection, ids: Sequence[int]) -> list[Terms]:
    """Return what critics read of pages; no terms for a page of which nothing is stored."""
    found = {id: terms for some in _portions(ids, 2_000) for id, terms in terms_by_id(con, some).items()}
    return [found.get(id, NO_TERMS) for id in ids]


def _portions(ids: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(ids), size):
        yield ids[start : start + size]
