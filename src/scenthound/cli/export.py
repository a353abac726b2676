"""`scenthound export`: what was fetched, to a file or to stdout.

A file is written beside its final name and renamed when it is complete: whoever reads it sees all of it or the one before.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from scenthound.crawl.directory import CrawlDirectory
from scenthound.desk.answers import Written
from scenthound.desk.export import write_pages
from scenthound.desk.reading import reading
from scenthound.errors import DirectoryError
from scenthound.harmless import for_people


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """What was asked for."""

    path: Path
    form: str
    min_relevance: float | None = None
    out: Path | None = None
    everything: bool = False


def write_export(asked: Export) -> int:
    directory = CrawlDirectory.open(asked.path)
    with reading(directory):  # nothing to read is said before a file is begun
        pass
    with _output(asked.out) as out:
        write_pages(directory, out, form=asked.form, min_relevance=asked.min_relevance, everything=asked.everything)
    return 0


@contextmanager
def _output(path: Path | None) -> Iterator[Written]:
    if path is None:
        yield for_people(sys.stdout)
    elif path.exists() and not path.is_file():
        with _opened(path, path, "w") as out:  # a pipe or device: nothing to replace
            yield out
    else:
        with _replacing(path) as out:
            yield out


@contextmanager
def _replacing(path: Path) -> Iterator[IO[str]]:
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with _opened(part, path, "x") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _opened(path: Path, asked: Path, mode: str) -> IO[str]:
    """Open a file; what goes wrong is told of the one that the user asked for."""
    if not asked.parent.is_dir():
        raise DirectoryError(f"{asked} cannot be written: there is no folder {asked.parent}; make it first")
    try:
        return path.open(mode, encoding="utf-8", newline="")
    except OSError as error:
        raise DirectoryError(f"{asked} cannot be written: {error.strerror}") from None
