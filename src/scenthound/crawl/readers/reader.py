"""A reader: the worker process that turns fetched bytes into readings and archive records, a few jobs at a time.

It speaks length-prefixed msgpack over the socket that is its standard input, and knows nothing else of the crawl. The
kernel limits its memory, the pool its time: a job that overruns either costs one page. Started as `python -m
scenthound.crawl.readers.reader`.
"""

import gc
import os
import resource
import struct
import sys
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time
from typing import NamedTuple

import msgspec

from scenthound.archive.warc import exchange_record, payload_digest
from scenthound.parse.page import Steps, finished, read_in_steps
from scenthound.parse.words import terms, word_stream
from scenthound.parse.words.page_terms import terms_of
from scenthound.parse.words.page_words import words_in_steps
from scenthound.search.text_spool import TextSpool, text_of
from scenthound.types import Fetch, Reading, Reason

HEADER = struct.Struct("<I")
READY = b"ready"
# Loop and lane go first, because all readers wait for these two. As equals, two readers took most of two cores, rushed
# through what was in flight and then had nothing to do: 500 pages a second, 547 with a niceness of 2. The same crawls
# in turn on a busier machine took 21.2 s of processor with 2, 19.3 with 5 and 18.9 with 10, which would leave too
# little beside other work.
NICE = 5
# The allocator and the garbage collector are left alone for this many pages at a time: readings hold no cycles.
COLLECT_EVERY = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderOptions:
    """The options that a reader needs before its first job."""

    types: tuple[str, ...]
    max_unpacked: int
    product: str
    memory: int
    archive: bool
    terms: bool = False  # count the words for a critic
    stream: bool = False  # number the words in their order for an apprentice
    text: bool = False  # send the text along, for a critic that is a function of the user's
    texts: str = ""  # folder where texts are left for search


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One exchange to be read, or (a redirect, an error, a robots.txt) only to be made into an archive record."""

    fetch: Fetch
    understand: bool
    stream: bool = False  # also number the words: a crawl that an apprentice has joined since the reader was started


def work(job: Job, options: ReaderOptions) -> Reading:
    """Do one job."""
    return work_on([job], options)[0]


def work_on(jobs: Sequence[Job], options: ReaderOptions, spool: TextSpool | None = None) -> list[Reading]:
    """Do jobs side by side: a step for all of them, then the next step.

    Each step is the code of another library. Page by page, little of it is still in the processor's caches when it is
    needed again: 1.53 ms a page, but step by step 1.37 for four pages and 1.26 for sixteen (`python -m bench.reading`).
    """
    began = process_time()
    made = _side_by_side(jobs, options)
    if spool is not None:
        for one in made:
            spool.add(one.reading.digest, text_of(one.reading.leaves))
    seconds = (process_time() - began) / len(jobs)
    return [
        replace(
            one.reading,
            leaves=one.reading.leaves if options.text else (),  # most of the bytes
            headings="",
            payload=one.payload,
            record=one.record,
            seconds=seconds,
        )
        for one in made
    ]


class _Made(NamedTuple):
    reading: Reading
    payload: str
    record: bytes


def _side_by_side(jobs: Sequence[Job], options: ReaderOptions) -> list[_Made]:
    """Do jobs step by step; what needs too much memory in company is tried again alone."""
    made: dict[int, _Made] = {}
    under_way = {number: _in_steps(job, options) for number, job in enumerate(jobs)}
    while under_way:
        for number, steps in list(under_way.items()):
            try:
                next(steps)
            except StopIteration as end:
                made[number] = end.value
            except MemoryError:
                pass
            else:
                continue
            del under_way[number], steps
    return [made[number] if number in made else _alone(job, options) for number, job in enumerate(jobs)]


def _alone(job: Job, options: ReaderOptions) -> _Made:
    try:
        return finished(_in_steps(job, options))
    except MemoryError:
        reading = Reading(reason=Reason.READ_MEMORY, detail=f"needs more than {options.memory} MB", mime=job.fetch.mime)
        return _made(job, reading, options)


def _in_steps(job: Job, options: ReaderOptions) -> Generator[None, None, _Made]:
    reading = Reading(mime=job.fetch.mime)
    if job.understand:
        reading = yield from _understood(job, options)
        yield
    return _made(job, reading, options)


def _made(job: Job, reading: Reading, options: ReaderOptions) -> _Made:
    payload = _payload(job, reading)
    record = exchange_record(job.fetch, payload) if options.archive and job.fetch.status else b""
    return _Made(reading, payload, record)


def _understood(job: Job, options: ReaderOptions) -> Steps:
    reading = yield from read_in_steps(
        job.fetch, types=options.types, max_unpacked=options.max_unpacked, product=options.product
    )
    wants_stream = options.stream or job.stream
    if reading.reason is not None or not (options.terms or wants_stream):
        return reading
    yield
    if not wants_stream:
        return replace(reading, terms=terms.pack(terms_of(reading)))
    found = yield from words_in_steps(reading)
    yield
    packed = terms.pack(found.terms) if options.terms else b""
    return replace(reading, terms=packed, stream=word_stream.pack(found.stream))


def _payload(job: Job, reading: Reading) -> str:
    """Return the digest of the body as sent, if it may hold a page; without a coding it is that of the content."""
    if not job.understand or reading.reason is Reason.READ_MEMORY:
        return ""
    return payload_digest(job.fetch.body) if job.fetch.coding else reading.digest


def main(work_on: Callable[[Sequence[Job], ReaderOptions, TextSpool | None], list[Reading]] = work_on) -> None:
    """Serve bundles of jobs until the other end of the socket closes."""
    crawl = sys.stdin.fileno()
    options = msgspec.msgpack.decode(_receive(crawl), type=ReaderOptions)
    os.nice(NICE)
    _limit_memory(options.memory)
    decoder = msgspec.msgpack.Decoder(list[Job])
    encode = msgspec.msgpack.Encoder().encode
    gc.disable()
    gc.freeze()  # what was imported need not be looked through again: 10 ms each time
    _send(crawl, READY)
    done = 0
    spool = TextSpool(Path(options.texts)) if options.texts else None
    while frame := _receive(crawl):
        readings = work_on(decoder.decode(frame), options, spool)
        _send(crawl, encode(readings))
        done += len(readings)
        if done >= COLLECT_EVERY:
            done = 0
            gc.collect()
            gc.freeze()  # what is remembered of URLs need not be looked through again either


def _limit_memory(megabytes: int) -> None:
    # RLIMIT_AS counts what is mapped, not what is resident: the interpreter with its libraries maps
    # 160 MB before the first page, and allocators map more than they use.
    limit = (megabytes + 300) << 20
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard < 0 else min(limit, hard), hard))


def _receive(fd: int) -> bytes:
    header = _read_exactly(fd, HEADER.size)
    return _read_exactly(fd, HEADER.unpack(header)[0]) if header else b""


def _read_exactly(fd: int, size: int) -> bytes:
    chunks: list[bytes] = []
    while size:
        chunk = os.read(fd, size)
        if not chunk:
            return b""
        chunks.append(chunk)
        size -= len(chunk)
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def _send(fd: int, frame: bytes) -> None:
    view = memoryview(HEADER.pack(len(frame)) + frame)
    while view:
        view = view[os.write(fd, view) :]


if __name__ == "__main__":
    main()
