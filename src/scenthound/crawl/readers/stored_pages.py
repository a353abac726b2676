"""Pages that are not fetched now: a file of the user's, or an exchange in the archive, read as if it had just come."""

from dataclasses import replace
from email.message import Message
from email.parser import BytesHeaderParser
from pathlib import Path

from scenthound.archive.files import read_exchange
from scenthound.archive.place import ArchiveFolder
from scenthound.judge.critic import Page
from scenthound.parse.page import read
from scenthound.parse.words import terms, word_stream
from scenthound.parse.words.page_terms import terms_of
from scenthound.parse.words.page_words import words_of
from scenthound.settings.schema import FetchSettings
from scenthound.types import ArchiveSpot, Fetch, HeldPage, Reading

_LARGEST = 50_000_000


def page_of_file(path: Path) -> Page | str:
    """Return a file as a page, or in words why it is none."""
    try:
        if path.stat().st_size > _LARGEST:
            return f"larger than {_LARGEST // 1_000_000} MB"
        body = path.read_bytes()
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    url = path.absolute().as_uri()
    reading = read_stored(Fetch(url=url, started=0.0, finished=0.0, status=200, body=body))
    if reading.reason is not None:
        return f"{reading.reason} {reading.detail}".strip()
    return page_of_reading(url, reading, title=path.name)


def page_of_archive(folder: ArchiveFolder, held: HeldPage) -> Page | None:
    """Return a page as the archive has it; None for a revisit, whose content lies elsewhere, or what is no page."""
    reading = None if held.spot is None else _read_there(folder, held.spot, held.url)
    return None if reading is None else page_of_reading(held.url, reading, title=held.title)


def reading_of_archive(folder: ArchiveFolder, spot: ArchiveSpot, *, url: str) -> Reading | None:
    """Return a page in the archive as a reader gives it: with the text of its leaves, its links, terms and stream.

    None for a revisit, whose content lies elsewhere, or what is no page.
    """
    reading = _read_there(folder, spot, url)
    if reading is None:
        return None
    found = words_of(reading)
    return replace(reading, terms=terms.pack(found.terms), stream=word_stream.pack(found.stream))


def text_of_archive(folder: ArchiveFolder, spot: ArchiveSpot, *, url: str) -> Reading | None:
    """Return a page in the archive with the text of its leaves and its links, and without terms; None as above."""
    return _read_there(folder, spot, url)


def page_of_reading(url: str, reading: Reading, *, title: str = "") -> Page:
    """Return what was read as a critic sees it."""
    return Page(
        url=url,
        title=reading.title or title,
        language=reading.language,
        terms=terms_of(reading),
        text="\n".join(leaf for leaf in reading.leaves if leaf),
    )


def _read_there(folder: ArchiveFolder, spot: ArchiveSpot, url: str) -> Reading | None:
    head, body = read_exchange(folder, spot)
    if not body:
        return None
    headers = BytesHeaderParser().parsebytes(head.partition(b"\r\n")[2])
    reading = read_stored(as_fetched(url, headers, body))
    return None if reading.reason is not None else reading


def as_fetched(url: str, headers: Message, body: bytes) -> Fetch:
    """Return an archived exchange as it was when it came."""
    return Fetch(
        url=url,
        started=0.0,
        finished=0.0,
        status=200,
        body=body,
        mime=headers.get_content_type() if "content-type" in headers else "",
        charset=headers.get_content_charset() or "",
        coding=str(headers.get("content-encoding", "")).strip().lower(),
    )


def read_stored(fetch: Fetch) -> Reading:
    """Read an exchange with the usual settings."""
    settings = FetchSettings()
    return read(fetch, types=settings.types, max_unpacked=settings.max_unpacked, product=settings.user_agent)
