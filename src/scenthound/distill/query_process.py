"""A question in SQL, answered by a process of its own, so that its limits hold whatever SQLite is at (`python -m` this
module).

The clock of `asking` is looked at between SQLite's steps, and one call of a function is one step: a process can be
ended. The question comes on the standard input, the answer goes to the standard output as frames, each with its length
before it.
"""

import math
import resource
import sqlite3
import struct
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import IO, Final, Literal

import msgspec

from scenthound.distill.query import Answer, ask
from scenthound.distill.scores import Rules
from scenthound.errors import ScenthoundError, UsageError
from scenthound.store.sqlite.connection import open_reader
from scenthound.store.store_place import place_of
from scenthound.taxonomy import Topics

HEADER: Final = struct.Struct("<I")
_BATCH: Final = 64_000  # bytes of rows in a frame, more or less
_DISTILLING: Final = 400  # megabytes that working out hubs may take; beyond, the database does it


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of which crawl, and the limits: seconds, and megabytes of memory and of each temporary file."""

    database: str
    topics: str
    statement: str
    seconds: float
    memory: int


class Frame(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A piece of an answer: that it begins, its columns, rows, its end, or what went wrong."""

    kind: Literal["ready", "columns", "rows", "end", "usage", "failure"]
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[object, ...], ...] = ()
    error: str = ""


def main() -> None:
    """Answer one question."""
    out = sys.stdout.buffer
    _send(out, Frame(kind="ready"))  # importing is over: from now on the time is the question's
    question = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Question)
    _limit(question)
    try:
        for frame in _answered(question):
            _send(out, frame)
    except UsageError as error:
        _send(out, Frame(kind="usage", error=str(error)))
    except ScenthoundError as error:
        _send(out, Frame(kind="failure", error=str(error)))
    except MemoryError:
        _send(out, Frame(kind="usage", error=_too_much(question)))
    except sqlite3.Error as error:
        full = (sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in full:
            _send(out, Frame(kind="usage", error=_too_much(question)))
        else:
            _send(out, Frame(kind="failure", error=f"{question.database}: {error}"))


def _answered(question: Question) -> Iterator[Frame]:
    with ExitStack() as stack:
        answer = _asked(question, stack)
        yield Frame(kind="columns", columns=answer.columns)
        batch: list[tuple[object, ...]] = []
        size = 0
        for row in answer.rows:
            batch.append(row)
            size += sum(len(value) if isinstance(value, str | bytes) else 8 for value in row)
            if size > _BATCH:
                yield Frame(kind="rows", rows=tuple(batch))
                batch, size = [], 0
        yield Frame(kind="rows", rows=tuple(batch))
    yield Frame(kind="end")


def _asked(question: Question, stack: ExitStack) -> Answer:
    place = place_of(question.database)
    if not isinstance(place, Path):
        from scenthound.store.postgres.question import ask_server

        there = ask_server(place, question.statement, seconds=question.seconds)
        return Answer(columns=there.columns, rows=there.rows)
    return ask(
        stack.enter_context(closing(open_reader(place))),
        question.statement,
        topics=lambda: _topics(Path(question.topics)),
        seconds=question.seconds,
        rules=Rules(memory=_DISTILLING),
    )


def _topics(path: Path) -> Topics:
    from scenthound.topics.topics_file import load_topics

    return load_topics(path, confined=True)


def _limit(question: Question) -> None:
    """Have the system end what overruns: the time is that of the processor, which nobody else can use up."""
    seconds = math.ceil(question.seconds) + 1
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    _lower(resource.RLIMIT_CPU, seconds)
    _lower(resource.RLIMIT_AS, mapped + question.memory * 1_000_000)
    _lower(resource.RLIMIT_FSIZE, question.memory * 1_000_000)
    _lower(resource.RLIMIT_CORE, 0)


def _lower(kind: int, limit: int) -> None:
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (limit if hard < 0 else min(limit, hard), hard))


def _too_much(question: Question) -> str:
    return f"it takes more than {question.memory:,} MB to answer; ask for less (WHERE, LIMIT, shorter columns)"


def _send(out: IO[bytes], frame: Frame) -> None:
    data = msgspec.msgpack.encode(frame)
    out.write(HEADER.pack(len(data)) + data)
    out.flush()


if __name__ == "__main__":
    main()
