"""Repair of a crawl that lost something from outside, by deletion or damage: `scenthound repair`.

If archive files are gone, the pages stay, and the records of their exchanges are struck off. If the database is gone or
damaged, a new one is made from the archive, whose responses are read again as if they had just come, and from the URLs
that the old one still has. Nothing is thrown away: a replaced file lies in a folder beside the new one.
"""

import asyncio
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace as but

from scenthound.archive.files import files_of
from scenthound.archive.warc import WarcRecord, parse_record, split_http, unpack_member
from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.rulebook import rulebook_of
from scenthound.crawl.engine.steps import Finished, Rulebook, conclude, example_discovery, seed_discovery
from scenthound.crawl.readers.pool import ReaderPool, reader_options
from scenthound.errors import DirectoryError, NewerStoreError, StoreError
from scenthound.events import Listener, Notice
from scenthound.fetch.held import Response, fetched, is_readable, is_robots
from scenthound.parse.shapes import shape_of
from scenthound.parse.urls import Locks, canonical
from scenthound.settings.schema import Settings
from scenthound.store.rules import AGAIN_FIRST
from scenthound.store.salvage import records_left, waiting_left
from scenthound.store.sqlite.store import SqliteStore
from scenthound.types import ArchiveSpot, Discovery, Ending, Fetch, Limits, Link, LinkKind, Outcome, Reading

T = TypeVar("T")

BATCH = 64  # pages read and recorded together
URLS = 1000  # URLs taken over together
FREE = Limits(delay=0.0, per_host=10**9, per_domain=0, per_ip=0, robots=False)
OWNER = "repair"
NEW = "crawl.db.repaired"  # the name of a database while it is made
_CUT = ("length", "time", "disconnect")


def repair_crawl(directory: CrawlDirectory, settings: Settings, *, listener: Listener) -> list[str]:
    """Repair what can be repaired, and say what was lost; nothing if nothing is wrong. The directory is locked
    meanwhile."""
    if not isinstance(directory.store, Path):
        raise DirectoryError(
            f"{directory.path}: the crawl is on a server, and repair is for crawl.db; restore the server's backup"
        )
    with directory.lock():
        fault = what_is_wrong(directory.database)
        if not fault:
            return _mend_archive(directory)
        return _Rebuilding(directory, settings, listener).run(fault)


def what_is_wrong(database: Path) -> str:
    """Say why a database cannot be gone on with; nothing if it can."""
    if not database.exists():
        return "the database is missing"
    if not database.stat().st_size:
        return "the database is damaged: it is empty"
    try:
        with SqliteStore(database, read_only=True) as store:
            found = store.check()
    except NewerStoreError:
        raise
    except (StoreError, sqlite3.Error, ValueError) as error:
        why = str(error).removeprefix(f"{database}: ").partition(";")[0]  # what comes then is what to do about it
        return f"the database is damaged: {why}"
    return f"the database is damaged: {found[0]}" if found else ""


def _mend_archive(directory: CrawlDirectory) -> list[str]:
    sizes = {path.name: path.stat().st_size for path in files_of(directory.archive)}
    with SqliteStore(directory.database) as store:
        short = {name: sizes.get(name) for name, length in store.archived().items() if (sizes.get(name) or 0) < length}
    if not short:
        return []
    aside = _aside(directory)
    with closing(sqlite3.connect(directory.database)) as old, closing(sqlite3.connect(aside / "crawl.db")) as copy:
        old.backup(copy)
    told = []
    with SqliteStore(directory.database) as store:
        for name, size in sorted(short.items()):
            lost = store.lose_archive(name, size or 0)
            gone = f"archive/{name} is missing" if size is None else f"archive/{name} ends at byte {size:,}"
            told.append(f"{gone}: the exchanges of {count(lost, 'page')} are lost; what was read of them is kept.")
    return [*told, f"The database as it was is in {aside}."]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Capture:
    """Where an exchange lies, and where its body does: a revisit repeats that of another."""

    url: str
    file: str
    offset: int
    length: int
    body: tuple[str, int, int] | None = None


@dataclass(slots=True)
class _Tally:
    pages: int = 0
    exchanges: int = 0
    unread: int = 0
    bytes: int = 0
    files: dict[str, int] = field(default_factory=dict)


class _Rebuilding:
    """Makes a database from the archive. Use `run` once."""

    def __init__(self, directory: CrawlDirectory, settings: Settings, listener: Listener) -> None:
        self._directory = directory
        self._settings = settings
        self._listener = listener
        self._tally = _Tally()

    def run(self, fault: str) -> list[str]:
        new, now = self._directory.path / NEW, time.time()
        for leftover in _with_log(new):
            leftover.unlink(missing_ok=True)
        captures = self._captures()
        self._listener(Notice(text=f"{fault}; {count(len(captures), 'exchange')} of the archive to be read again"))
        with SqliteStore(new, bad_after=self._settings.fetch.tries) as store:
            wanted = self._settings.fetch.only
            book = rulebook_of(self._settings, store, only=Locks(wanted) if wanted else None)
            asyncio.run(self._replay(store, book, captures, now))
            store.record([], now=now, archived=self._tally.files)
            waiting = self._take_over(store, book, now)
            pages = store.census(now=now).pages
        aside = _aside(self._directory)
        self._put_aside(aside)
        new.rename(self._directory.database)
        return self._told(fault, pages, waiting, aside)

    def _told(self, fault: str, pages: int, waiting: int, aside: Path) -> list[str]:
        tally = self._tally
        lines = [
            f"{fault[:1].upper()}{fault[1:]}.",
            f"A new one was made from the archive: {count(pages, 'page')} of {count(tally.exchanges, 'exchange')}.",
        ]
        if waiting:
            lines.append(f"{count(waiting, 'URL')} that waited were read from the old one.")
        if tally.bytes:
            lines.append(
                f"{tally.bytes:,} bytes of the archive cannot be read; what they held will be asked for again."
            )
        lines.append(
            "Lost: judgements and what the apprentice had learnt, which the next crawl makes again; "
            "what was never archived; how "
            "pages changed between visits."
        )
        return [*lines, f"What was there before is in {aside}."]

    def _captures(self) -> list[_Capture]:
        """Find the last whole capture of each address, in the order of the archive."""
        found: dict[str, _Capture] = {}
        bodies: dict[str, tuple[str, int, int]] = {}
        for path in files_of(self._directory.archive):
            self._tally.files[path.name] = path.stat().st_size
            for record in records_left(path):
                if isinstance(record, int):
                    self._tally.bytes += record
                elif capture := _capture(record, path.name, bodies):
                    found.pop(capture.url, None)
                    found[capture.url] = capture
        self._tally.exchanges = len(found)
        return list(found.values())

    async def _replay(self, store: SqliteStore, book: Rulebook, captures: Sequence[_Capture], now: float) -> None:
        read = self._settings.read
        options = reader_options(self._settings, terms=self._settings.critic.kind != "none")
        examples = {
            url
            for topic in self._directory.topics().topics
            for url in map(canonical, topic.example_urls)
            if url is not None
        }
        async with ReaderPool(options, workers=read.workers, timeout=read.timeout) as pool:
            for batch in _pieces(captures, BATCH):
                fetches = {one.url: (one, self._fetch(one)) for one in batch}
                store.add([_urgent(url, book, example=url in examples) for url in fetches], now=now)
                claims = store.claim(owner=OWNER, now=now, limit=len(fetches), limits=FREE, lease=10**9)
                held = [(claim, *fetches[claim.url]) for claim in claims if claim.url in fetches]
                readings = await asyncio.gather(*(_read(pool, fetch) for _, _, fetch in held))
                outcomes = [
                    _outcome(Finished(claim=claim, fetch=fetch, reading=reading), book, capture)
                    for (claim, capture, fetch), reading in zip(held, readings, strict=True)
                ]
                store.record(outcomes, now=now, archived={})
                store.release(owner=OWNER, now=now)

    def _fetch(self, capture: _Capture) -> Fetch:
        record = _record(self._directory.archive, (capture.file, capture.offset, capture.length))
        head, body = split_http(record.block)
        if capture.body is not None:
            body = split_http(_record(self._directory.archive, capture.body).block)[1]
        at = datetime.fromisoformat(record.fields["warc-date"]).timestamp()
        status, *lines = head.decode("latin-1").splitlines()
        headers = tuple(
            (name.strip(), value.strip()) for name, _, value in (line.partition(":") for line in lines) if name
        )
        response = Response(status=_status(status), headers=headers, body=body)
        fetch = fetched(capture.url, response, self._settings.fetch)
        return replace(fetch, started=at, finished=at, head=head, ip=record.fields.get("warc-ip-address", ""))

    def _take_over(self, store: SqliteStore, book: Rulebook, now: float) -> int:
        """Add the URLs that wait by the old database, with their priorities, unless the archive has them."""
        new = 0
        for some in _pieces(waiting_left(self._directory.database), URLS):
            new += store.add(
                [
                    but(seed_discovery(url, book), depth=one.depth, priority=one.priority)
                    for one in some
                    if (url := canonical(one.url)) is not None
                ],
                now=now,
            )
        return new

    def _put_aside(self, aside: Path) -> None:
        for path in (*_with_log(self._directory.database), self._directory.models):
            if path.exists():
                path.rename(aside / path.name)
        self._directory.models.mkdir()


def _capture(record: WarcRecord, file: str, bodies: dict[str, tuple[str, int, int]]) -> _Capture | None:
    url = canonical(record.url) if record.url else None
    place = (file, record.offset, record.length)
    status = _status(record.block.partition(b"\n")[0].decode("latin-1"))
    payload = record.fields.get("warc-payload-digest", "")
    if record.type == "response":
        bodies.setdefault(payload, place)
    repeats = record.type == "revisit" and status != 304 and payload in bodies
    if url is None or is_robots(url) or not (record.type == "response" or repeats):
        return None
    if status in (429, 503) or status >= 500 or record.fields.get("warc-truncated") in _CUT:
        return None  # it may pass, or is not whole: the URL waits
    return _Capture(
        url=url, file=file, offset=record.offset, length=record.length, body=bodies[payload] if repeats else None
    )


def _record(folder: Path, place: tuple[str, int, int]) -> WarcRecord:
    """Read a record that was whole a moment ago."""
    file, offset, length = place
    with (folder / file).open("rb") as stream:
        stream.seek(offset)
        data = unpack_member(stream.read(length), file)
    return parse_record(data, offset=offset, length=length, name=file)


def _status(line: str) -> int:
    words = line.split()
    return int(words[1]) if len(words) > 1 and words[0].startswith("HTTP/") and words[1].isdigit() else 0


def _urgent(url: str, book: Rulebook, *, example: bool) -> Discovery:
    """Make a frontier entry that is claimed before all others, whatever the settings say of it by now."""
    if example:
        return but(example_discovery(url, book), refusal=None, detail="")
    found = seed_discovery(url, book)
    link = Link(url=url, kind=LinkKind.ANCHOR, shape=shape_of(url))
    return but(found, link=link, demoted=AGAIN_FIRST, refusal=None, detail="")


async def _read(pool: ReaderPool, fetch: Fetch) -> Reading:
    return await pool.read(fetch) if is_readable(fetch) else Reading(mime=fetch.mime)


def _outcome(finished: Finished, book: Rulebook, capture: _Capture) -> Outcome:
    outcome = conclude(finished, book)
    ending = Ending.FAILED if outcome.ending is Ending.RETRY else outcome.ending
    spot = ArchiveSpot(file=capture.file, offset=capture.offset, length=capture.length)
    return replace(outcome, ending=ending, rest=0.0, host_failed=False, spot=spot)


def _aside(directory: CrawlDirectory) -> Path:
    number = 1
    while (folder := directory.path / f"before-repair-{number}").exists():
        number += 1
    folder.mkdir()
    return folder


def _pieces(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some


def _with_log(database: Path) -> Iterator[Path]:
    for ending in ("", "-wal", "-shm"):
        yield database.with_name(database.name + ending)
