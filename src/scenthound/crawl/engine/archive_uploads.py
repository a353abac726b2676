"""Uploads of finished archive files beside a crawl: uploaded, read back, compared, then noted in the store.

A kill between any two of these steps loses nothing: the next start finds the file in the archive folder and not among
the uploads, and begins again. A file that is there already, and the same, is only noted. A file is uploaded one turn
after it was finished, when the store has its length on disk: what was never recorded is never uploaded.
"""

import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from scenthound.archive.elsewhere import Elsewhere, digest_of_file, elsewhere_at
from scenthound.archive.files import Archive, files_of
from scenthound.counted import count
from scenthound.crawl.engine.hooks import Batch, Hook
from scenthound.crawl.engine.run_context import CrawlRun
from scenthound.errors import StoreError
from scenthound.events import Notice

SEGMENT: Final = 64_000_000  # bytes of a file that is to be uploaded: what a machine that is lost takes with it
_FIRST, _MOST = 5.0, 300.0  # seconds between two tries


@dataclass(frozen=True, slots=True, kw_only=True)
class Uploaded:
    """A file that is elsewhere, whole."""

    name: str
    digest: str


def upload(there: Elsewhere, path: Path) -> Uploaded:
    """Upload a file unless it is there, and compare both by size and digest."""
    digest = digest_of_file(path)
    if there.size(path.name) is None:
        there.put(path.name, path)
    if there.size(path.name) != path.stat().st_size or there.digest(path.name) != digest:
        raise StoreError(
            f"archive.url has another file of the name {path.name}; give each crawl a folder of its own there"
        )
    return Uploaded(name=path.name, digest=digest)


class Uploader:
    """Uploads files one after another in a thread, and tries again what fails. Use as `with`."""

    def __init__(self, folder: Path, there: Elsewhere, say: Callable[[str], None], *, first: float = _FIRST) -> None:
        self._folder = folder
        self._there = there
        self._say = say
        self._first = first
        self._names: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Uploaded] = queue.SimpleQueue()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="uploads", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._names.put("")  # wakes the thread
        self._thread.join()

    def give(self, name: str) -> None:
        self._names.put(name)

    def done(self) -> list[Uploaded]:
        """Return what was uploaded since the last time."""
        found: list[Uploaded] = []
        with suppress(queue.Empty):
            while True:
                found.append(self._done.get_nowait())
        return found

    def _work(self) -> None:
        while not self._over.is_set():
            name = self._names.get()
            if name and not self._over.is_set():
                self._insist(self._folder / name)

    def _insist(self, path: Path) -> None:
        pause, failed = self._first, False
        while True:
            try:
                self._done.put(upload(self._there, path))
            except (StoreError, OSError) as error:
                if not failed:
                    self._say(f"{error}; archive files wait here until they can be uploaded")
                failed = True
                if self._over.wait(pause):
                    return
                pause = min(_MOST, 2 * pause)
            else:
                if failed:
                    self._say("archive files are being uploaded again")
                return


class UploadHook(Hook):
    """Finishes files that are old, hands finished ones to the uploader, and notes what is uploaded."""

    def __init__(self, run: CrawlRun, archive: Archive, uploader: Uploader) -> None:
        self._run = run
        self._archive = archive
        self._uploader = uploader
        self._current = archive.current
        self._finished: list[str] = []  # in the last turn

    def begin(self) -> None:
        """Hand over what earlier runs left."""
        for path in left_over(self._run):
            if path.name != self._current:
                self._uploader.give(path.name)

    def after_turn(self, batch: Batch) -> None:
        for name in self._finished:
            self._uploader.give(name)
        self._finished = []
        self._archive.act_for(self._run.fellows.number)
        self._archive.finish_old()
        finished, self._current = self._archive.finished_since(self._current)
        self._finished += finished
        for one in self._uploader.done():
            note(self._run, one)


def note(run: CrawlRun, uploaded: Uploaded) -> None:
    """Note an upload, and then delete the file here if the settings say so."""
    run.store.note_upload(uploaded.name, digest=uploaded.digest, at=run.clock.now())
    if not run.settings.archive.keep_local:
        (run.directory.archive / uploaded.name).unlink(missing_ok=True)


def left_over(run: CrawlRun) -> list[Path]:
    """Return the files in the archive folder that are recorded and not uploaded; delete what may go."""
    recorded, uploaded = run.store.archived(), run.store.uploaded()
    found: list[Path] = []
    for path in files_of(run.directory.archive):
        if path.name in uploaded:
            if not run.settings.archive.keep_local:  # a kill came between the note and this
                path.unlink()
        elif path.stat().st_size == recorded.get(path.name):
            found.append(path)
    return found


def upload_rest(run: CrawlRun) -> None:
    """Upload at the end of a run what its uploader had not finished; what fails waits for the next run."""
    left = left_over(run)
    if not left:
        return
    run.listener(Notice(text=f"uploading {count(len(left), 'archive file')}"))
    try:
        there = elsewhere_at(run.settings.archive.url)
        for path in left:
            if run.stop.forced:
                return
            note(run, upload(there, path))
    except (StoreError, OSError) as error:
        run.listener(Notice(text=f"{error}; the next run uploads what is left"))
