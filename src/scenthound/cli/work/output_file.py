"""Where `scenthound export` writes: stdout, or a file that appears complete or not at all.

A file is written beside its final name and renamed at the end, so readers see the new file or the old one.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from scenthound.errors import DirectoryError
from scenthound.services.sql.answer_text import Written
from scenthound.terminal import for_people
from scenthound.whole_file import replacing


@contextmanager
def output_file(path: Path | None) -> Iterator[Written]:
    """Open a file for writing; without a path, stdout."""
    if path is None:
        yield for_people(sys.stdout)
    elif path.exists() and not path.is_file():
        with _opened(path, path, "w") as out:  # a pipe or a device cannot be replaced
            yield out
    else:
        with _replacing(path) as out:
            yield out


@contextmanager
def _replacing(path: Path) -> Iterator[IO[str]]:
    with replacing(path) as part, _opened(part, path, "x") as file:
        yield file


def _opened(path: Path, asked: Path, mode: str) -> IO[str]:
    """Open a file. Errors name the file that the user asked for."""
    if not asked.parent.is_dir():
        raise DirectoryError(f"{asked} cannot be written: there is no folder {asked.parent}; make it first")
    try:
        return path.open(mode, encoding="utf-8", newline="")
    except OSError as error:
        raise DirectoryError(f"{asked} cannot be written: {error.strerror}") from None
