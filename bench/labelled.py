"""Archived webs with the labels that people gave, as pages for critics: read once, then kept in a cache folder.

The cache lies in $SCENTHOUND_BENCH_CACHE, or with the system's temporary files; its name has a digest of the archive's
date and of the code that reads, so it is made again when either changes.
"""

import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

import msgspec

from bench.reading import fetches, read
from bench.running import ROOT
from bench.serving import webs_file
from scenthound.judge.critic import Page
from scenthound.parse.words.page_terms import terms_of
from scenthound.parse.words.terms import pack, unpack
from scenthound.whole_file import write_whole

Line = tuple[str, str, bytes]


@dataclass(frozen=True, kw_only=True)
class LabelledWeb:
    """Pages in the order of their addresses, and the labels of each, in the order of the file.

    Most have one, some none.
    """

    pages: tuple[Page, ...]
    labels: tuple[tuple[str, ...], ...]

    @cached_property
    def holders(self) -> dict[str, tuple[int, ...]]:
        """The pages that have each label."""
        found: dict[str, list[int]] = {}
        for number, labels in enumerate(self.labels):
            for label in labels:
                found.setdefault(label, []).append(number)
        return {label: tuple(numbers) for label, numbers in sorted(found.items())}

    def holders_of(self, labels: Iterable[str]) -> list[int]:
        """Return the pages that have at least one of some labels."""
        return sorted({number for label in labels for number in self.holders[label]})

    def about(self, topic: str) -> frozenset[int]:
        """Return the pages labelled with a topic or one below it."""
        paths = [path for path in self.holders if path == topic or path.startswith(topic + "/")]
        return frozenset(number for path in paths for number in self.holders[path])


def labelled_web(name: str) -> LabelledWeb | None:
    """Read a web and its labels; None if it is not there."""
    archive, table = webs_file(f"{name}.warc.gz"), webs_file(f"{name}.labels.tsv")
    if archive is None or table is None:
        return None
    pages = tuple(Page(url=url, title=title, terms=unpack(packed)) for url, title, packed in _lines(archive))
    labels = _labels(table)
    return LabelledWeb(pages=pages, labels=tuple(labels.get(page.url, ()) for page in pages))


def _labels(table: Path) -> dict[str, tuple[str, ...]]:
    """Read a table of addresses and labels, without its heading.

    Addresses may hold anything but a tab and a line feed.
    """
    found: dict[str, tuple[str, ...]] = {}
    for line in table.read_bytes().decode("utf-8").removesuffix("\n").split("\n")[1:]:
        url, _, label = line.partition("\t")
        found[url] = (*found.get(url, ()), label)
    return found


def _lines(archive: Path) -> list[Line]:
    cache = _cache_file(archive)
    if not cache.exists():
        lines = sorted(_read_all(archive))
        cache.parent.mkdir(parents=True, exist_ok=True)
        write_whole(cache, msgspec.msgpack.encode(lines))
    return msgspec.msgpack.decode(cache.read_bytes(), type=list[Line])


def _read_all(archive: Path) -> list[Line]:
    print(f"  reading {archive.name}, which later runs need not do", flush=True)
    readings = ((fetch.url, read(fetch)) for fetch in fetches(archive))
    return [(url, reading.title, pack(terms_of(reading))) for url, reading in readings if reading.reason is None]


def _cache_file(archive: Path) -> Path:
    known = blake2b(f"{archive.stat().st_size} {archive.stat().st_mtime_ns}".encode(), digest_size=8)
    for file in sorted((ROOT / "src" / "scenthound" / "parse").rglob("*.py")):
        known.update(file.read_bytes())
    folder = os.environ.get("SCENTHOUND_BENCH_CACHE") or Path(tempfile.gettempdir()) / "scenthound-bench"
    return Path(folder) / f"{archive.name.partition('.')[0]}-{known.hexdigest()}.msgpack"
