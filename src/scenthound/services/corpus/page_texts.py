"""Main texts of a crawl's pages, made by worker processes on all cores, each page guarded in time and memory.

This is the one place for texts that people read: exports, page cards, snippets, the portal, programs. A worker that
needs too much is ended, and the page gets the text that critics read, by another worker; else no text at all.
"""

import itertools
import os
import signal
import subprocess
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from selectors import EVENT_READ, DefaultSelector
from types import TracebackType
from typing import IO, Final, Self, TypeVar

import msgspec

from scenthound.archive.place import ArchiveFolder, place_of
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import ScenthoundError, UrlError
from scenthound.own_code import python
from scenthound.services.corpus.text_worker import HEADER, PageText, TextJob, WorkerOptions
from scenthound.services.crawls.reader_store import reading

__all__ = ["PageText", "TextJob", "TextWorkers", "page_text"]

SECONDS: Final = 10.0  # of processor time a page; the longest of the 181 benchmark pages takes 0.3
MEMORY: Final = 600  # megabytes
# Jobs given to a worker before its answers: it must not wait for us, and they must fit into its pipe.
_AHEAD: Final = 4
_MANY: Final = 16  # waiting jobs that are worth another worker, which takes a second to start
_BEFORE: Final = 64  # answers that wait for one before them

Key = TypeVar("Key")


def page_text(directory: CrawlDirectory, url: str, *, markdown: bool = False) -> PageText:
    """Return the main text of one page. For many, keep `TextWorkers` open: a worker takes a second to start."""
    with reading(directory) as store:
        story = store.story(url, now=0.0)
    page = story.page if story is not None else None
    if page is None or page.spot is None:
        raise UrlError(f"{url} has no copy in the archive; `scenthound why` says what came of it")
    with TextWorkers(directory.archive_place, workers=1) as workers:
        return workers.text(TextJob(url=page.final_url or page.url, spot=page.spot, markdown=markdown))


class TextWorkers:
    """Worker processes, started when there is work. Use as `with`, and from one thread."""

    def __init__(
        self, archive: ArchiveFolder, *, workers: int | None = None, seconds: float = SECONDS, memory: int = MEMORY
    ) -> None:
        place = place_of(archive)
        self._options = WorkerOptions(
            archive=str(place.folder.resolve()),
            url=place.url,
            cache_size=place.cache_size,
            seconds=seconds,
            memory=memory,
        )
        self._most = workers or len(os.sched_getaffinity(0))
        self._workers: list[_Worker] = []
        self._waiting: deque[tuple[int, TextJob]] = deque()
        self._numbers = itertools.count()
        self._selector = DefaultSelector()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in list(self._workers):
            self._dismiss(worker)
        self._selector.close()

    def text(self, job: TextJob) -> PageText:
        """Do one job."""
        [(_, found)] = self.texts([(None, job)])
        return found

    def texts(self, jobs: Iterable[tuple[Key, TextJob | None]]) -> Iterator[tuple[Key, PageText]]:
        """Do jobs side by side; yield the answers in their order, each with its key. Without a job there is no text."""
        keys: deque[tuple[int, Key]] = deque()
        done: dict[int, PageText] = {}
        for key, job in jobs:
            number = next(self._numbers)
            keys.append((number, key))
            if job is None:
                done[number] = PageText(note="the archive has no copy")
            else:
                self._waiting.append((number, job))
            done.update(self._work(0.0))
            while keys and (keys[0][0] in done or len(keys) > self._most * _AHEAD + _BEFORE):
                yield self._first(keys, done)
        while keys:
            yield self._first(keys, done)

    def _first(self, keys: deque[tuple[int, Key]], done: dict[int, PageText]) -> tuple[Key, PageText]:
        """Wait for the first of the answers that are due."""
        number, key = keys.popleft()
        while number not in done:
            done.update(self._work(None))
        return key, done.pop(number)

    def _work(self, timeout: float | None) -> dict[int, PageText]:
        """Hand out jobs and return answers that have come; without a time limit, wait for one."""
        self._hand_out()
        found: dict[int, PageText] = {}
        for key, _ in self._selector.select(timeout) if self._workers else ():
            worker: _Worker = key.data
            answer = worker.take()
            found.update([answer] if answer is not None else self._bury(worker))
        self._hand_out()
        return found

    def _hand_out(self) -> None:
        """Give waiting jobs to the workers with the fewest; start one if all have enough, and it pays."""
        while self._waiting:
            least = min(self._workers, key=lambda worker: len(worker.jobs), default=None)
            if least is None or (len(least.jobs) >= _AHEAD and len(self._waiting) >= _MANY):
                least = self._start() if len(self._workers) < self._most else least
            if least is None or len(least.jobs) >= _AHEAD:
                return
            least.give(*self._waiting.popleft())

    def _start(self) -> "_Worker":
        worker = _Worker(self._options)
        self._workers.append(worker)
        self._selector.register(worker.answers, EVENT_READ, worker)
        return worker

    def _bury(self, worker: "_Worker") -> list[tuple[int, PageText]]:
        """Go on without a worker that has ended: its first job is to blame, and tried once more in the plain way."""
        self._dismiss(worker)
        if not worker.jobs:
            return []
        if not worker.answered and worker.code not in _ENDED_BY_LIMIT:
            raise ScenthoundError(f"a text worker ended with exit code {worker.code}; {_TRY}")
        number, job = worker.jobs.popleft()
        self._waiting.extendleft(reversed(worker.jobs))
        if job.plain or not job.text:
            return [(number, PageText(note="it needs too much time or memory"))]
        self._waiting.appendleft((number, replace(job, plain=True)))
        return []

    def _dismiss(self, worker: "_Worker") -> None:
        self._workers.remove(worker)
        self._selector.unregister(worker.answers)
        worker.end()


_TRY: Final = "`python -m scenthound.services.corpus.text_worker` shows why"
# Out of time; ended by the system; a library that cannot allocate.
_ENDED_BY_LIMIT: Final = (-signal.SIGPROF, -signal.SIGKILL, -signal.SIGSEGV, -signal.SIGABRT)


class _Worker:
    """Our end of a worker process."""

    def __init__(self, options: WorkerOptions) -> None:
        self.jobs: deque[tuple[int, TextJob]] = deque()
        self.answered = False
        self.code: int | None = None
        self._process = subprocess.Popen(
            python("scenthound.services.corpus.text_worker"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,  # what is buffered here, the selector does not see
            process_group=0,  # Ctrl-C is for us; we end the workers
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin: IO[bytes] = self._process.stdin
        self.answers: IO[bytes] = self._process.stdout
        self._send(msgspec.msgpack.encode(options))

    def give(self, number: int, job: TextJob) -> None:
        self.jobs.append((number, job))
        self._send(msgspec.msgpack.encode(job))

    def take(self) -> tuple[int, PageText] | None:
        """Return the next answer with the number of its job, or None if the worker has ended."""
        header = self._read(HEADER.size)
        frame = self._read(HEADER.unpack(header)[0]) if header else b""
        if not frame:
            return None
        self.answered = True
        number, _ = self.jobs.popleft()
        return number, msgspec.msgpack.decode(frame, type=PageText)

    def _read(self, size: int) -> bytes:
        parts = list[bytes]()
        while size and (part := self.answers.read(size)):
            parts.append(part)
            size -= len(part)
        return b"" if size else b"".join(parts)

    def end(self) -> None:
        self._process.kill()
        self.code = self._process.wait()
        self._stdin.close()
        self.answers.close()

    def _send(self, frame: bytes) -> None:
        rest = memoryview(HEADER.pack(len(frame)) + frame)
        with suppress(BrokenPipeError):  # it has ended; `take` notices
            while rest:
                rest = rest[self._stdin.write(rest) :]
