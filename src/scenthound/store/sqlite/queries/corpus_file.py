"""A corpus as an SQLite file of its own: one table of pages with typed columns, and the notes of its data sheet."""

import errno
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

_TYPES: Final = {int: "INTEGER", float: "REAL", str: "TEXT"}


def write_corpus_file(path: Path, columns: Mapping[str, type], rows: Iterable[Sequence[object]]) -> None:
    """Write the table `pages` into a new file. Names of columns are ours, values are anybody's."""
    declared = ", ".join(f"{name} {_TYPES[kind]}" for name, kind in columns.items())
    places = ", ".join("?" * len(columns))
    with _named_errors(), closing(sqlite3.connect(path)) as con:
        # The file counts only once it has its name, so a crash needs no journal.
        con.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        con.execute(f"CREATE TABLE pages ({declared}) STRICT")
        con.executemany(f"INSERT INTO pages VALUES ({places})", rows)
        con.commit()
        con.executescript("CREATE INDEX pages_topic ON pages (topic); CREATE INDEX pages_host ON pages (host);")


def write_corpus_notes(path: Path, notes: Mapping[str, str]) -> None:
    """Add the table `notes`: names and texts, such as the data sheet."""
    with _named_errors(), closing(sqlite3.connect(path)) as con:
        con.execute("CREATE TABLE notes (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT")
        con.executemany("INSERT INTO notes VALUES (?, ?)", notes.items())
        con.commit()


@contextmanager
def _named_errors() -> Iterator[None]:
    """Turn an error of the file into one of the disk: the crawl's own database is not to blame."""
    try:
        yield
    except sqlite3.Error as error:
        raise OSError(errno.ENOSPC if "full" in str(error) else errno.EIO, str(error)) from error
