"""A worker that makes the text of pages from the archive: `python -m scenthound.services.corpus.text_worker`.

It reads jobs from standard input and answers on standard output, in frames of msgpack as readers do. The kernel limits
its memory and the processor time of each job, and ends it beyond that; `page_texts` then starts another one.
"""

import os
import resource
import signal
import struct
from dataclasses import dataclass, replace
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import IO, Final

import msgspec

from scenthound.archive.files import read_exchange
from scenthound.archive.place import ArchiveFolder, ArchivePlace
from scenthound.crawl.readers.stored_pages import as_fetched, read_stored
from scenthound.errors import StoreError
from scenthound.parse.charset import charset_of, decode
from scenthound.parse.content_encoding import unpack
from scenthound.parse.markup.html import parse
from scenthound.parse.markup.main_text import clean_text, leaves_text, main_text
from scenthound.parse.markup.rights import Rights, rights_of
from scenthound.parse.page import HTML
from scenthound.parse.sniff import effective_type
from scenthound.settings.schema import FetchSettings
from scenthound.types import ArchiveSpot, Fetch, Reason

HEADER: Final = struct.Struct("<I")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerOptions:
    """Where the archive is, as `ArchivePlace` has it, and what a job may cost: seconds of processor time, megabytes of
    memory."""

    archive: str
    url: str = ""
    cache_size: int = 0
    seconds: float
    memory: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TextJob:
    """A page whose text is wanted, or only its `Rights`. With `plain` the text is what critics read.

    `copies` are other records with the same content: that at `spot` may be a pointer to one of them.
    """

    url: str
    spot: ArchiveSpot
    copies: tuple[ArchiveSpot, ...] = ()
    text: bool = True
    markdown: bool = False
    plain: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """The text of a page, and what the page says about its use.

    `by` is who found the text: "trafilatura", "own" (as critics read it), "document" (all text of a PDF or such), or
    "" if there is none; `note` then says why.
    """

    text: str = ""
    by: str = ""
    licences: tuple[str, ...] = ()
    opt_outs: tuple[str, ...] = ()
    note: str = ""


def text_of(archive: ArchiveFolder, job: TextJob) -> PageText:
    """Do one job. No content of a page raises an error."""
    try:
        head, packed = _exchange(archive, job)
    except (OSError, StoreError) as error:
        return PageText(note=f"the archive has no copy: {error}")
    headers = BytesHeaderParser().parsebytes(head.partition(b"\r\n")[2])
    fetch = as_fetched(job.url, headers, packed)
    body = unpack(fetch.body, fetch.coding, FetchSettings().max_unpacked)
    if isinstance(body, Reason) or not body:
        return PageText(note=f"the copy cannot be unpacked: {body}" if body else "the copy is empty")
    if effective_type(fetch.mime, body) not in HTML:
        rights = rights_of((), headers, url=job.url)
        return _with_rights(_document_text(fetch) if job.text else PageText(), rights)
    markup = decode(body, charset_of(body, fetch.charset))
    rights = rights_of(parse(markup.encode("utf-8", "replace")).marks, headers, url=job.url, markup=markup)
    return _with_rights(_html_text(fetch, markup, job) if job.text else PageText(), rights)


def _exchange(archive: ArchiveFolder, job: TextJob) -> tuple[bytes, bytes]:
    head, body = read_exchange(archive, job.spot)
    for copy in job.copies if not body else ():
        head, body = read_exchange(archive, copy)
        if body:
            break
    return head, body


def _answer(archive: ArchiveFolder, job: TextJob) -> PageText:
    try:
        return text_of(archive, job)
    except Exception as error:  # MemoryError above all
        return PageText(note=f"it cannot be read: {type(error).__name__}")


def _html_text(fetch: Fetch, markup: str, job: TextJob) -> PageText:
    if not job.plain:
        try:
            found = main_text(markup, as_markdown=job.markdown)
        except Exception:  # libraries raise what they like on hostile markup, MemoryError too
            found = ""
        if found:
            return PageText(text=found, by="trafilatura")
    reading = read_stored(fetch)
    text = leaves_text(reading.leaves, reading.links)
    return PageText(text=text, by="own") if text else PageText(note="there is no text")


def _document_text(fetch: Fetch) -> PageText:
    reading = read_stored(fetch)
    text = clean_text("\n".join(leaf for leaf in reading.leaves if leaf))
    return PageText(text=text, by="document") if text else PageText(note=reading.detail or "there is no text")


def _with_rights(text: PageText, rights: Rights) -> PageText:
    return replace(text, licences=rights.licences, opt_outs=rights.opt_outs)


def main() -> None:
    """Answer jobs until the input closes."""
    with os.fdopen(os.dup(1), "wb", buffering=0) as out, os.fdopen(os.dup(0), "rb") as jobs:
        os.dup2(2, 1)  # libraries that print must not spoil the answers
        options = msgspec.msgpack.decode(_frame(jobs), type=WorkerOptions)
        _limit_memory(options.memory)
        decoder = msgspec.msgpack.Decoder(TextJob)
        place = ArchivePlace(Path(options.archive), options.url, options.cache_size)
        while frame := _frame(jobs):
            # The signal ends the process, also in the middle of a library: there is no handler for it.
            signal.setitimer(signal.ITIMER_PROF, options.seconds)
            found = msgspec.msgpack.encode(_answer(place, decoder.decode(frame)))
            signal.setitimer(signal.ITIMER_PROF, 0)
            out.write(HEADER.pack(len(found)) + found)


def _frame(source: IO[bytes]) -> bytes:
    header = source.read(HEADER.size)
    return source.read(HEADER.unpack(header)[0]) if len(header) == HEADER.size else b""


def _limit_memory(megabytes: int) -> None:
    """Limit what is mapped; the interpreter with its libraries maps 300 MB before the first page."""
    limit = (megabytes + 300) << 20
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard < 0 else min(limit, hard), hard))


if __name__ == "__main__":
    main()
