"""Brings the search index up to a crawl: pages that came since, pages that went, and pages that were judged again.

Nothing is lost by a kill: what is acknowledged is on the disk, all else is done again.
"""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.parse.words.terms import Terms
from scenthound.search.index import ANCHORS, SearchWriter, is_rebuilt, rebuilding, remove_index, write_lock
from scenthound.search.meaning import Meaning, learn_meaning
from scenthound.services.search.page_texts import Learner, PageTexts, portions, terms_in_order
from scenthound.services.sql.read_connection import asking
from scenthound.store.sqlite.queries.search_rows import (
    SearchRow,
    anchors_of,
    linked_from,
    rows_between,
    rows_of,
    standing,
    topics_now,
)

_READ_AT_ONCE: Final = 200  # rows of the database
_COMMIT_AFTER: Final = 4_000  # pages: a commit waits for the disk, and makes a segment that is merged later
_COMMIT_SECONDS: Final = 5.0
_SMALL_HEAP: Final = 20_000_000  # bytes, for few pages
_FOLLOWER_WAITS: Final = 600.0  # seconds, for a question that is catching up
_INDEXER_YIELDS: Final = 60.0  # seconds, for an indexer to finish what it has begun
_COMPARE_EVERY: Final = 30.0  # seconds between looks at judgements and links, beside a crawl
GROWTH: Final = 2.0  # vectors are learnt again when there are so many times the pages
_GROWTH_BESIDE: Final = 4.0
_MORE_LINKS: Final = 4


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
    with ExitStack() as held:
        if wish.rebuild:
            held.enter_context(rebuilding(directory.search))
        con = held.enter_context(asking(directory))
        held.enter_context(write_lock(directory.search, wait=_INDEXER_YIELDS if wish.rebuild else wish.wait))
        if wish.rebuild:
            remove_index(directory.search)
        with SearchWriter(directory.search, heap=_SMALL_HEAP) as writer:
            _CatchUp(directory, con, writer, wish).run()


def follow(directory: CrawlDirectory, *, pause: Callable[[], object]) -> None:
    """Index what comes, as it comes, without an end. `pause` is called when there is nothing to do for the moment.

    While another process builds the index again, this one has let go of it.
    """
    while True:
        with (
            asking(directory) as con,
            write_lock(directory.search, wait=_FOLLOWER_WAITS),
            SearchWriter(directory.search, heap=_SMALL_HEAP) as writer,
        ):
            following = _CatchUp(directory, con, writer, Wish())
            while not is_rebuilt(directory.search):
                following.follow()
                pause()
        while is_rebuilt(directory.search):
            pause()


class _CatchUp:
    """One writer and one connection, for one pass over what has come, or for many."""

    def __init__(self, directory: CrawlDirectory, con: sqlite3.Connection, writer: SearchWriter, wish: Wish) -> None:
        self._con = con
        self._writer = writer
        self._wish = wish
        self._texts = PageTexts(directory, con)
        self._now = standing(con)
        self._end = monotonic() + wish.seconds if wish.seconds is not None else None
        self._done = 0
        self._all = max(0, self._now.n - writer.state.n)
        self._expected = writer.state.relevance  # sum of all judgements, if only new pages came
        self._taken: set[int] = set()
        self._cited: set[int] = set()  # pages that new pages have links to
        self._compared = monotonic()
        self._learner: Learner | None = None

    def run(self) -> None:
        """Catch up with everything, or as far as the time allows."""
        self._new_pages()
        if self._is_late:
            return
        self._cited -= self._taken  # indexed just now, with all links that there are
        self._compare()
        if self._writer.wants_learning(GROWTH) and self._end is None:
            meaning = learn_meaning([one for one in self._terms(self._writer.sample()) if len(one)])
            self._adopt(meaning, lambda: None)

    def follow(self) -> None:
        """Catch up with new pages; from time to time also with new judgements, new links and new vectors."""
        self._now = standing(self._con)
        self._new_pages()
        if monotonic() > self._compared + _COMPARE_EVERY:
            self._compare()
            self._compared = monotonic()
        if self._learner is None and self._writer.wants_learning(_GROWTH_BESIDE):
            self._learner = Learner(self._terms(self._writer.sample()))
        if self._learner is not None and (meaning := self._learner.result()) is not None:
            self._learner = None
            self._adopt(meaning, self._also_new_pages)

    def _also_new_pages(self) -> None:
        self._now = standing(self._con)
        self._new_pages()

    @property
    def _is_late(self) -> bool:
        return self._end is not None and monotonic() > self._end

    def _new_pages(self) -> None:
        last, committed = self._writer.state.n, monotonic()
        waiting = 0
        self._texts.look()
        while rows := rows_between(self._con, last, self._now.n, _READ_AT_ONCE):
            awaited = False
            for row in rows:
                if awaited := self._texts.is_awaited(row):
                    break
                self._take(row)
                last = row.n
                waiting += 1
                if self._is_late or waiting >= self._wish.commit_after:
                    break
            taken = [row.id for row in rows if row.is_page and row.n <= last]
            self._taken.update(taken)
            self._cited.update(linked_from(self._con, taken))
            self._tell()
            if waiting >= self._wish.commit_after or monotonic() - committed > _COMMIT_SECONDS:
                self._writer.commit(last)
                committed, waiting = monotonic(), 0
            if self._is_late or awaited:
                break
        if waiting:
            self._writer.commit(last)

    def _take(self, row: SearchRow) -> None:
        if row.is_page:
            self._writer.add(self._texts.page(row))
            if row.counts:
                self._expected += row.relevance or 0.0
        else:
            self._writer.remove(row.id)
        self._done += 1

    def _compare(self) -> None:
        """Index pages again whose topic has changed, or to which there are many more links."""
        changed = self._cited_again()
        if abs(self._expected - self._now.relevance) > 1e-4 or self._writer.state.critic != self._now.critic:
            changed = list(dict.fromkeys([*changed, *self._judged_again()]))
        self._again(changed)
        self._expected = self._now.relevance
        self._writer.note_judgements(critic=self._now.critic, relevance=self._now.relevance)
        self._texts.clear()
        self._taken.clear()

    def _judged_again(self) -> list[int]:
        """Return pages whose topic has changed; relevance is asked from the database with each question."""
        before, after = self._writer.judged_before(), topics_now(self._con)
        return [id for id, topic in before.items() if after.get(id, topic) != topic]

    def _cited_again(self) -> list[int]:
        """Return pages whose links say much more than when they were indexed.

        Each time costs as much as a new page, so a page waits until it has four times the texts: that makes three times
        at most, because no more than 50 texts are indexed.
        """
        before = self._writer.anchors_before(sorted(self._cited))
        self._cited.clear()
        full = {id: had for id, had in before.items() if had < ANCHORS}
        return [id for id, had in full.items() if len(anchors_of(self._con, id)[:ANCHORS]) >= max(1, _MORE_LINKS * had)]

    def _again(self, ids: Sequence[int]) -> None:
        self._all += len(ids)
        for some in portions(ids, _READ_AT_ONCE):
            packed = self._writer.packed_texts(some)
            for row in rows_of(self._con, some):
                if row.is_page and row.n <= self._writer.state.n:
                    self._writer.add(self._texts.page(row, packed.get(row.id, b"")))
            self._done += len(some)
            self._tell()
        if ids:
            self._writer.commit(self._writer.state.n)

    def _adopt(self, meaning: Meaning, between: Callable[[], object]) -> None:
        pages, done = self._writer.state.rows, 0

        def heard(more: int) -> None:
            nonlocal done
            done += more
            self._wish.heard(Progress(done=min(done, pages), pages=pages, step="learning meanings"))
            between()

        self._writer.adopt(meaning, self._terms, heard)

    def _terms(self, ids: Sequence[int]) -> list[Terms]:
        return terms_in_order(self._con, ids)

    def _tell(self) -> None:
        self._wish.heard(Progress(done=self._done, pages=max(self._all, self._done)))
