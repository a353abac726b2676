"""Lessons from pages that were fetched before there was an apprentice, so that one can join a running crawl.

The words around links come from the archive (APPRENTICE §3.7 trains on the pages that a baseline has fetched). Teaching
goes in pieces, in the order of the fetches, and each piece is recorded. The crawl goes on meanwhile, and may be killed.
"""

from typing import Final

from msgspec.structs import replace

from scenthound.archive.place import ArchiveFolder
from scenthound.counted import count
from scenthound.crawl.readers.stored_pages import reading_of_archive
from scenthound.errors import ScenthoundError
from scenthound.events import Listener, Notice
from scenthound.store.base import Store
from scenthound.types import ArchiveSpot, Lesson

PIECE: Final = (
    40  # pages taught in one turn of the lane, 0.3 seconds on the schools web; twice what was recorded comes on top
)
TELL_EVERY: Final = 1_000


class CatchingUp:
    """Teach what is untaught in a store, a piece at a time."""

    def __init__(self, *, store: Store, archive: ArchiveFolder, nofollow: bool, listener: Listener) -> None:
        self._store = store
        self._archive = archive
        self._nofollow = nofollow
        self._listener = listener
        self._taught = 0
        self._wordless = 0
        self._told = 0

    def go_on(self, *, recorded: int = 0) -> bool:
        """Teach a piece, and return whether it was the last. A piece grows with the pages recorded, so there is an
        end."""
        limit = PIECE + 2 * recorded
        untaught = self._store.untaught(limit=limit, nofollow=self._nofollow)
        if untaught and not self._taught:
            self._listener(Notice(text="catching up: the apprentice learns from the pages fetched so far"))
        self._store.teach([self._with_words(lesson, spot) for lesson, spot in untaught])
        self._taught += len(untaught)
        done = len(untaught) < limit
        self._tell(done=done)
        return done

    def _with_words(self, lesson: Lesson, spot: ArchiveSpot | None) -> Lesson:
        if lesson.redirect or lesson.failed:
            return lesson
        stream = self._words(spot, lesson.url) if spot is not None else b""
        self._wordless += not stream
        return replace(lesson, stream=stream)

    def _words(self, spot: ArchiveSpot, url: str) -> bytes:
        try:
            reading = reading_of_archive(self._archive, spot, url=url)
        except (ScenthoundError, OSError):  # the file is damaged, or gone
            return b""
        if reading is not None:
            return reading.stream
        original = self._original(url)
        return self._words(original, url) if original is not None and original != spot else b""

    def _original(self, url: str) -> ArchiveSpot | None:
        """Return where the content of a page lies that the archive has only as a revisit of another with the same."""
        held = self._store.held([url]).get(url)
        original = self._store.originals([held.digest]).get(held.digest) if held is not None else None
        page = self._store.held([original.url]).get(original.url) if original is not None else None
        return page.spot if page is not None else None

    def _tell(self, *, done: bool) -> None:
        if done and self._taught:
            words = f", {self._wordless:,} of them without words, for the archive has none" if self._wordless else ""
            self._listener(Notice(text=f"caught up: {count(self._taught, 'lesson')} from pages fetched earlier{words}"))
        elif self._taught - self._told >= TELL_EVERY:
            self._told = self._taught
            self._listener(Notice(text=f"catching up: {count(self._taught, 'lesson')} so far"))
