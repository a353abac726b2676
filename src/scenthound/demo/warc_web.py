"""An archived web as an answering function: WARC files are indexed by URL, and their responses replayed.

The canonical form of its address finds a page, under any scheme, so a crawl gets the links of an archived page.
Anything else is a 404, including robots.txt.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from scenthound.archive.warc import WarcRecord, parse_record, read_warc, split_http, unchunked, unpack_member
from scenthound.demo.served_answer import Answer
from scenthound.parse.urls import canonical

# Headers of the connection, not of the page (RFC 9110 §7.6.1).
_OF_THE_CONNECTION = frozenset(
    ("connection", "content-length", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade")
)
_STATUS_LINE = re.compile(rb"HTTP/[\d.]+ (\d{3})")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    path: Path
    offset: int
    length: int


class WarcWeb:
    """The responses in some WARC files, the first capture of each URL.

    Indexing decompresses everything once (about 1 s for 160 MB of pages). Answers are then read from disk one by one,
    or, with `preload`, kept in memory.
    """

    def __init__(self, paths: Iterable[Path], *, preload: bool = False) -> None:
        self._paths = tuple(paths)
        self._preload = preload

    def __reduce__(self) -> tuple[object, ...]:
        # A process that gets this web indexes it again: that is quicker than sending preloaded data.
        return _rebuild, (self._paths, self._preload)

    @property
    def urls(self) -> tuple[str, ...]:
        """The archived addresses in canonical form, without scheme, in file order."""
        return tuple(self._index)

    def answer(self, host: str, path: str) -> Answer:
        """Return the archived response, or a 404."""
        found = self._index.get(_key(f"http://{host}{path}"))
        if found is None:
            return Answer(status=404, headers=(("Content-Type", "text/plain"),), body=b"Not in the archive.\n")
        return found if isinstance(found, Answer) else _replayed(_read(found))

    @cached_property
    def _index(self) -> dict[str, "_Place | Answer"]:
        index: dict[str, _Place | Answer] = {}
        for path in self._paths:
            for record in read_warc(path):
                if record.type == "response" and record.block.startswith(b"HTTP/"):
                    place = _Place(path=path, offset=record.offset, length=record.length)
                    index.setdefault(_key(record.url), _replayed(record) if self._preload else place)
        return index


def _rebuild(paths: tuple[Path, ...], preload: bool) -> WarcWeb:
    return WarcWeb(paths, preload=preload)


def _key(url: str) -> str:
    return (canonical(url) or url).partition("://")[2]


def _read(place: _Place) -> WarcRecord:
    with place.path.open("rb") as file:
        file.seek(place.offset)
        data = unpack_member(file.read(place.length), f"{place.path}: byte {place.offset}")
    return parse_record(data, offset=place.offset, length=place.length, name=str(place.path))


def _replayed(record: WarcRecord) -> Answer:
    head, body = split_http(record.block)
    status, *lines = head.decode("latin-1").splitlines()
    headers = [(name.strip(), value.strip()) for name, colon, value in (x.partition(":") for x in lines) if colon]
    named = {name.lower(): value for name, value in headers}
    if "chunked" in named.get("transfer-encoding", "").lower():
        body = unchunked(body)
    kept = [(name, value) for name, value in headers if name.lower() not in _OF_THE_CONNECTION]
    if "etag" not in named and (digest := record.fields.get("warc-payload-digest")):
        kept.append(("ETag", f'"{digest}"'))
    matched = _STATUS_LINE.match(status.encode("latin-1"))
    return Answer(status=int(matched[1]) if matched else 502, headers=tuple(kept), body=body)
