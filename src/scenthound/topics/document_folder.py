"""Topics from a folder tree of documents: subfolders are topics, files are examples.

The files are copied into the crawl directory, below examples/. So the directory has the whole crawl, and later changes
of the originals do not matter. The first bytes of a file decide its type, not its name.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scenthound.counted import count
from scenthound.errors import TopicsError
from scenthound.parse.sniff import effective_type
from scenthound.settings.schema import FetchSettings
from scenthound.taxonomy import Topic, Topics
from scenthound.topics.imported import ExampleFile, Imported
from scenthound.topics.sentences import quoted
from scenthound.topics.topic_names import tidy_name

PLACE = "examples"  # the folder of the copies in a crawl directory
LARGEST = 50_000_000  # bytes; the crawl fetches nothing larger

_LONGEST = 55  # characters of a name, of up to four bytes each: file systems take 255 bytes


def import_folder(folder: Path, *, settings: FetchSettings) -> Imported:
    """Read a folder tree. No topic is good yet. Types that the crawl would not read are skipped."""
    if not folder.is_dir():
        raise TopicsError(f"{folder}: there is no such folder")
    gathering = _Gathering(types=settings.types)
    own_name = tidy_name(folder.resolve().name)
    for place, names in _folders(folder):
        parts = [tidy_name(part) for part in place.relative_to(folder).parts]
        gathering.take_all(place, names, "/".join(parts) or own_name)
    if not gathering.files:
        reasons = " ".join(gathering.notes()) or "it is empty."
        raise TopicsError(f"{folder}: it has no document that can be an example; {reasons}")
    topics = tuple(Topic(path=path, examples=tuple(names)) for path, names in gathering.topics.items())
    return Imported(topics=Topics(topics=topics), files=tuple(gathering.files), notes=tuple(gathering.notes()))


def free_name(path: str, name: str, taken: Sequence[str] | set[str]) -> str:
    """Return a free name for the copy of an example.

    >>> free_name("Sport/Cycling", "race.html", {"examples/Sport/Cycling/race.html"})
    'examples/Sport/Cycling/race-2.html'
    """
    stem, dot, ending = tidy_name(name).rpartition(".")
    stem, ending = (stem, dot + ending[:20]) if stem else (ending, "")
    place = "/".join([PLACE, *(part.strip(".")[:_LONGEST] or "_" for part in path.split("/"))])
    found, number = f"{place}/{stem[:_LONGEST]}{ending}", 1
    while found in taken:
        number += 1
        found = f"{place}/{stem[:_LONGEST]}-{number}{ending}"
    return found


def why_not(path: Path, types: Sequence[str]) -> str:
    """Return in a few words why a file cannot be an example; "" if it can."""
    try:
        size = path.stat().st_size
        if not path.is_file():
            return "not a file"
        if not size:
            return "empty"
        if size > LARGEST:
            return f"larger than {LARGEST // 1_000_000} MB"
        mime = effective_type("", path.read_bytes())
    except OSError as error:
        return (error.strerror or "unreadable").lower()
    return "" if mime in types else mime


@dataclass(slots=True, kw_only=True)
class _Gathering:
    types: Sequence[str]
    topics: dict[str, list[str]] = field(default_factory=dict)
    files: list[ExampleFile] = field(default_factory=list)
    _taken: set[str] = field(default_factory=set)
    _skipped: Counter[str] = field(default_factory=Counter)
    _skipped_names: list[str] = field(default_factory=list)

    def take_all(self, place: Path, names: Sequence[str], topic: str) -> None:
        for name in names:
            if reason := why_not(place / name, self.types):
                self._skipped[reason] += 1
                self._skipped_names.append(tidy_name(name))
                continue
            called = free_name(topic, name, self._taken)
            self._taken.add(called)
            self.files.append(ExampleFile(name=called, source=place / name))
            self.topics.setdefault(topic, []).append(called)

    def notes(self) -> Iterator[str]:
        if self._skipped:
            reasons = ", ".join(f"{number:,} {reason}" for reason, number in self._skipped.most_common())
            yield f"Skipped {count(self._skipped.total(), 'file')} ({reasons}): {quoted(self._skipped_names, most=3)}."


def _folders(folder: Path) -> Iterator[tuple[Path, list[str]]]:
    """Walk the tree by name, without hidden files and without the folders that belong to saved pages."""
    for place, folders, files in os.walk(folder):
        pages = {Path(name).stem for name in files}
        folders[:] = sorted(name for name in folders if not name.startswith(".") and not _is_companion(name, pages))
        yield Path(place), sorted(name for name in files if not name.startswith("."))


def _is_companion(folder: str, pages: set[str]) -> bool:
    """Return whether a browser saved this folder of pictures and scripts with a page."""
    return folder.endswith("_files") and folder.removesuffix("_files") in pages
