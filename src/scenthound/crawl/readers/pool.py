"""The pool of reader processes: jobs in, readings out, each guarded in time and memory.

Queued jobs travel in bundles, because a reader is faster at several pages than at one, and so is the way there. Each
reader has two bundles, so it never waits for the event loop; it reads the one at the head of its queue. If a reader
dies or overruns its time at a single job, that job is answered with a reason. The time is that of the processor, so a
busy machine costs no page. If it fails at a bundle, each job goes to a fresh reader by itself, so that only the one to
blame is lost. The rest of the queue goes to a fresh reader too.
"""

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import msgspec

from scenthound.crawl.readers.reader import HEADER, READY, Job, ReaderOptions
from scenthound.errors import OpenFilesError, ScenthoundError
from scenthound.parse.page import HTML
from scenthound.settings.schema import Settings
from scenthound.types import Fetch, Reading, Reason

# Bundles given to one reader ahead of its answers. With 1 a reader idles for a turn of the event loop after each.
AHEAD = 2
# Jobs in a bundle, and their bytes. More of them win little. Large jobs travel alone, as do all but web pages.
BUNDLE = 16
BUNDLE_BYTES = 800_000
# Jobs that are worth a bundle for a reader that still has one. Given at once, half of all bundles held one page.
ENOUGH = 6
# Bodies waiting for a reader, in bytes: beyond this, fetching waits, so that memory stays bounded.
WAITING_BYTES = 64_000_000
# More readers than this are never busy: reading a page takes twice the lane's time for it (bench stages).
MOST_WORKERS = 4
SOCKET_BUFFER = 1 << 20  # a whole page and a whole reading fit, so that neither side waits for the other in mid-frame
# A reader's time is that of its processor, if the system reports it: on a busy machine a page may take many times that.
# For a reader that does nothing at all, this many times its time is enough.
PATIENCE = 6
_CPU_CLOCK = 2  # CPUCLOCK_SCHED of Linux: all time on a processor
PROGRAM = ("-P", "-m", "scenthound.crawl.readers.reader")  # -P: see own_code.python
START_TIMEOUT = 60.0  # seconds; importing the parser takes 0.2 s, on a machine that swaps much longer


class ReaderPool:
    """Reader processes behind one method, `read`. Use as `async with`. `program` is what a reader runs, for tests."""

    def __init__(
        self,
        options: ReaderOptions,
        *,
        workers: int,
        timeout: float,
        log: Path | None = None,
        program: Sequence[str] = PROGRAM,
    ) -> None:
        self._options = options
        self._program = program
        self._workers = workers or min(MOST_WORKERS, os.cpu_count() or 1)
        self._timeout = timeout
        self._log = log  # for what a reader says before it dies
        self._readers: list[_Reader] = []
        self._starting: set[asyncio.Task[None]] = set()
        self._backlog: deque[_Task] = deque()
        self._waiting_bytes = 0
        self._room = asyncio.Condition()
        self._closing = False
        self._failure: ScenthoundError | None = None
        self._encode = msgspec.msgpack.Encoder().encode
        self._stream = False
        self._called = False  # `dispatch` will be called before long
        self.restarts = 0

    async def __aenter__(self) -> "ReaderPool":
        await asyncio.gather(*(self._start_reader() for _ in range(self._workers)))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._closing = True
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        for reader in self._readers:
            reader.end()

    @property
    def reading(self) -> int:
        """How many jobs are with the readers or waiting for one."""
        return len(self._backlog) + sum(len(bundle) for reader in self._readers for bundle in reader.queue)

    def number_words(self, wanted: bool) -> None:
        """Say whether jobs from now on are to number the words of pages, for an apprentice; from any thread."""
        self._stream = wanted

    async def read(self, fetch: Fetch, *, understand: bool = True) -> Reading:
        """Have one exchange read; every job is answered, if only with a reason."""
        size = len(fetch.body)
        if self._waiting_bytes + size > WAITING_BYTES:
            async with self._room:
                await self._room.wait_for(lambda: self._waiting_bytes < WAITING_BYTES)
        self._waiting_bytes += size
        try:
            return await self._submit(fetch, understand)
        finally:
            self._waiting_bytes -= size
            if self._waiting_bytes + size >= WAITING_BYTES:
                async with self._room:
                    self._room.notify_all()

    async def _submit(self, fetch: Fetch, understand: bool) -> Reading:
        if self._failure:
            raise self._failure
        job = Job(fetch=fetch, understand=understand, stream=self._stream)
        alone = understand and fetch.mime not in HTML
        task = _Task(job=job, answer=asyncio.get_running_loop().create_future(), alone=alone)
        self._backlog.append(task)
        if not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self.dispatch)  # what else has come by then goes along
        return await task.answer

    def dispatch(self) -> None:
        """Hand waiting jobs to the readers with the shortest queues: to idle ones at once, to others when it pays."""
        self._called = False
        while self._backlog and self._readers and not self._closing:
            reader = min(self._readers, key=_queue_length)
            if len(reader.queue) >= AHEAD or (reader.queue and len(self._backlog) < ENOUGH):
                return
            bundle = self._bundle()
            reader.give(bundle, self._encode([task.job for task in bundle]))

    def _bundle(self) -> list["_Task"]:
        """Take the next jobs from the backlog, leaving the other readers their share."""
        share = -(-len(self._backlog) // len(self._readers))
        first = self._backlog.popleft()
        bundle, size = [first], first.size
        most = 1 if first.alone else min(BUNDLE, share)
        while (
            len(bundle) < most and not (task := self._backlog[0]).alone and (size := size + task.size) <= BUNDLE_BYTES
        ):
            bundle.append(self._backlog.popleft())
        return bundle

    def bury(self, reader: "_Reader", obituary: str, reason: Reason) -> None:
        """Replace a reader that ended. A job that it read alone costs one page; its successor gets all others."""
        if self._closing or reader not in self._readers:
            return
        self._readers.remove(reader)
        if reader.queue:
            head = reader.queue.popleft()
            if len(head) == 1:
                task = head.pop()
                task.settle(Reading(reason=reason, detail=obituary, mime=task.job.fetch.mime))
            for task in head:
                task.alone = True
            reader.queue.appendleft(head)
        self._backlog.extendleft(task for bundle in reversed(reader.queue) for task in reversed(bundle))
        self.restarts += 1
        start = asyncio.create_task(self._restart())
        self._starting.add(start)
        start.add_done_callback(self._starting.discard)

    async def _restart(self) -> None:
        try:
            await self._start_reader()
        except ScenthoundError as error:
            self._failure = error
            while self._backlog:
                self._backlog.popleft().answer.set_exception(error)

    async def _start_reader(self) -> None:
        ours, theirs = socket.socketpair()
        for end in (ours, theirs):
            end.setblocking(end is theirs)
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SOCKET_BUFFER)
        with theirs, (self._log or Path(os.devnull)).open("ab") as errors:
            try:
                process = subprocess.Popen(
                    [sys.executable, *self._program],
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    # Ctrl-C in the terminal is for the crawl, which ends its readers itself. A session of their own
                    # would be wrong: Linux shares processors evenly between sessions, and two readers would get twice
                    # what loop and lane get together. They would rush through all that is in flight, and be idle until
                    # the lane has caught up.
                    process_group=0,
                )
            except OSError as error:  # no memory or no place for another process
                ours.close()
                if OpenFilesError.explains(error):
                    raise OpenFilesError from error
                raise ScenthoundError(
                    f"a reader process did not start ({error.strerror}); make room for it and go on"
                ) from error
        reader = _Reader(self, process, self._timeout)
        await asyncio.get_running_loop().create_connection(lambda: reader, sock=ours)
        reader.send(self._encode(self._options))
        try:
            await asyncio.wait_for(reader.ready, START_TIMEOUT)
        except (TimeoutError, ConnectionError) as error:
            reader.end()
            raise ScenthoundError(
                "a reader process did not start; `python -m scenthound.crawl.readers.reader` shows why"
            ) from error
        except asyncio.CancelledError:
            reader.end()
            raise
        self._readers.append(reader)
        self.dispatch()


def reader_options(
    settings: Settings,
    *,
    archive: bool = False,
    terms: bool = False,
    stream: bool = False,
    text: bool = False,
    texts: Path | None = None,
) -> ReaderOptions:
    """Return what readers must know of a crawl's settings, and what they are to make of each page."""
    return ReaderOptions(
        types=tuple(settings.fetch.types),
        max_unpacked=settings.fetch.max_unpacked,
        product=settings.fetch.user_agent,
        memory=settings.read.memory,
        archive=archive,
        terms=terms,
        stream=stream,
        text=text,
        texts=str(texts.absolute()) if texts is not None else "",
    )


@dataclass(slots=True, kw_only=True)
class _Task:
    job: Job
    answer: asyncio.Future[Reading]
    alone: bool  # a document (some take seconds), or a job from a bundle that a reader died at

    @property
    def size(self) -> int:
        return len(self.job.fetch.body)

    def settle(self, reading: Reading) -> None:
        if not self.answer.done():
            self.answer.set_result(reading)


class _Reader(asyncio.Protocol):
    """Our end of one reader process."""

    def __init__(self, pool: ReaderPool, process: "subprocess.Popen[bytes]", timeout: float) -> None:
        self.queue: deque[list[_Task]] = deque()
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pool = pool
        self._process = process
        self._timeout = timeout
        self._transport: asyncio.Transport | None = None
        self._watchdog: asyncio.TimerHandle | None = None
        self._head_since = 0.0
        self._head_worked = 0.0
        self._overran = False
        self._buffer = bytearray()
        self._decoder = msgspec.msgpack.Decoder(list[Reading])

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is one in all but name

    def give(self, bundle: list[_Task], frame: bytes) -> None:
        self.queue.append(bundle)
        self.send(frame)
        if len(self.queue) == 1:
            self._head_changed()

    def send(self, frame: bytes) -> None:
        assert self._transport is not None
        self._transport.writelines((HEADER.pack(len(frame)), frame))

    def data_received(self, data: bytes) -> None:
        if self._buffer:
            self._buffer += data
            data = bytes(self._buffer) if len(self._buffer) >= self._frame_end(self._buffer, 0) else b""
        at, view = 0, memoryview(data)  # nearly always a whole frame, decoded where it lies
        while at < len(data) and (end := self._frame_end(data, at)) <= len(data):
            self._frame_received(view[at + HEADER.size : end])
            at = end
        if data:
            self._buffer[:] = view[at:]

    @staticmethod
    def _frame_end(data: bytes | bytearray, at: int) -> int:
        """Return where the frame that begins at `at` ends, or where its header does as long as that is not whole."""
        body = at + HEADER.size
        return body + HEADER.unpack_from(data, at)[0] if body <= len(data) else body

    def _frame_received(self, frame: memoryview) -> None:
        if frame == READY:
            self.ready.set_result(None)
            return
        bundle = self.queue.popleft()
        self._head_changed()
        for task, reading in zip(bundle, self._decoder.decode(frame), strict=True):
            task.settle(reading)
        self._pool.dispatch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unwatch()
        self._process.kill()
        code = self._process.wait()
        if not self.ready.done():
            self.ready.set_exception(ConnectionError(f"exit code {code}"))
        elif self._overran:
            self._pool.bury(self, f"not read within {self._timeout:g} s", Reason.READ_TIMEOUT)
        else:
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            self._pool.bury(self, f"the reader ended with {how}", Reason.READER_DIED)

    def end(self) -> None:
        """End the process and forget what it was doing."""
        self._unwatch()
        self._process.kill()
        self._process.wait()
        if self._transport:
            self._transport.abort()

    def _head_changed(self) -> None:
        loop = asyncio.get_running_loop()
        self._head_since = loop.time()
        self._head_worked = processor_seconds(self._process.pid) or 0.0
        if self._watchdog is None:
            self._watchdog = loop.call_later(self._timeout, self._look)

    def _look(self) -> None:
        """End a reader that is too long at one job. One timer is set and set again: one for each job costs more."""
        loop = asyncio.get_running_loop()
        self._watchdog = None
        if not self.queue:
            return
        left = self._time_left(loop.time() - self._head_since)
        if left > 0:
            self._watchdog = loop.call_later(left, self._look)
        else:
            self._overran = True
            self._process.kill()

    def _time_left(self, passed: float) -> float:
        """Return for how many seconds it may go on at least, after so many."""
        if passed < self._timeout:
            return self._timeout - passed
        worked = processor_seconds(self._process.pid)
        if worked is None:
            return 0.0
        return min(self._timeout - (worked - self._head_worked), PATIENCE * self._timeout - passed)

    def _unwatch(self) -> None:
        if self._watchdog:
            self._watchdog.cancel()
            self._watchdog = None


def processor_seconds(process: int) -> float | None:
    """Return the seconds that a process has worked; None where the system does not tell.

    The clock has the number that clock_getcpuclockid(3) gives on Linux. Reading it is one call of the system; /proc is
    a file to open, write out and parse, and this is asked twice for each bundle.

    >>> processor_seconds(os.getpid()) > 0
    True
    """
    try:
        return time.clock_gettime((~process << 3) | _CPU_CLOCK)
    except OSError:
        return None


def _queue_length(reader: _Reader) -> int:
    return len(reader.queue)
