"""Putting a question in SQL to a crawl, answered by a process of its own (`distill.query_process`) that is ended when
it takes too long.

Time, memory and the size of what is written have limits that hold, and Ctrl-C ends it at once.
"""

import os
import select
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import msgspec

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.distill.query import SECONDS, Answer, too_late
from scenthound.distill.query_process import HEADER, Frame, Question
from scenthound.errors import ScenthoundError, StoreError, UsageError
from scenthound.own_code import python
from scenthound.services.sql.answer_text import Written
from scenthound.services.sql.read_connection import asking
from scenthound.store.store_place import words_for

MEGABYTES: Final = 1000  # of memory, and of each temporary file
LARGEST: Final = 1000  # megabytes of an answer that is written to a file
_GRACE: Final = 0.5  # seconds for a process to say by itself that its time is over
_STARTING: Final = 60.0  # seconds; importing takes 0.2 s, on a machine that swaps much longer
_CHUNK: Final = 1 << 20


@contextmanager
def answered(
    directory: CrawlDirectory, statement: str, *, seconds: float = SECONDS, megabytes: int = MEGABYTES
) -> Iterator[Answer]:
    """Ask a question and give the answer, whose rows come as they are found; the process ends with the `with`."""
    with asking(directory):  # what is wrong with the database itself is said in words of its own
        pass
    question = Question(
        database=words_for(directory.asked_store),
        topics=str(directory.topics_file.absolute()),
        statement=statement,
        seconds=seconds,
        memory=megabytes,
    )
    process = subprocess.Popen(
        python("scenthound.distill.query_process"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for us, who end it
    )
    with process:
        try:
            frames = _Frames(process, seconds)
            frames.ask(question)
            columns = frames.next().columns
            yield Answer(columns=columns, rows=_rows(frames))
        finally:
            process.kill()
            process.wait()  # explicitly: after Ctrl-C, Popen does not wait


def _rows(frames: "_Frames") -> Iterator[tuple[object, ...]]:
    while (frame := frames.next()).kind == "rows":
        yield from frame.rows


class _Frames:
    """What a process answers, piece by piece. Only the time that is spent on waiting for it counts."""

    def __init__(self, process: "subprocess.Popen[bytes]", seconds: float) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._in, self._out = process.stdin, process.stdout
        self._seconds = seconds
        self._left = _STARTING
        self._buffer = bytearray()
        self._decoder = msgspec.msgpack.Decoder(Frame)

    def ask(self, question: Question) -> None:
        self.next()  # it is ready
        self._left = question.seconds + _GRACE
        self._in.write(msgspec.msgpack.encode(question))
        self._in.close()

    def next(self) -> Frame:
        """Return the next piece; what went wrong is raised."""
        size = HEADER.unpack(self._take(HEADER.size))[0]
        frame = self._decoder.decode(self._take(size))
        if frame.kind == "usage":
            raise UsageError(frame.error)
        if frame.kind == "failure":
            raise ScenthoundError(frame.error)
        return frame

    def _take(self, size: int) -> bytes:
        while len(self._buffer) < size:
            began = time.monotonic()
            ready, _, _ = select.select([self._out], [], [], max(self._left, 0.0))
            self._left -= time.monotonic() - began
            data = os.read(self._out.fileno(), _CHUNK) if ready else b""
            if not data:
                raise self._broken(late=not ready)
            self._buffer += data
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        return taken

    def _broken(self, *, late: bool) -> ScenthoundError:
        self._process.kill()
        self._process.wait()
        if late or self._left < _GRACE:
            return too_late(self._seconds)
        return StoreError(
            f"the process that answers ended with status {self._process.returncode}; ask for less, or again"
        )


class Bounded:
    """A file that takes so many megabytes of text and no more."""

    def __init__(self, out: Written, megabytes: int) -> None:
        self._out = out
        self._megabytes = megabytes
        self._left = megabytes * 1_000_000

    def write(self, text: str) -> int:
        self._left -= len(text)
        if self._left < 0:
            raise UsageError(f"the answer is larger than {self._megabytes:,} MB; ask for less (WHERE, LIMIT)")
        self._out.write(text)
        return len(text)
