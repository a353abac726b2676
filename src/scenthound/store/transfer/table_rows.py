"""The tables of a crawl in any SQL store: their columns and keys, their rows in pieces, and a digest of all rows."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import Any, Final

import msgspec

Row = tuple[Any, ...]
_PIECE: Final = 10_000  # rows copied at once
_WIDE: Final = frozenset({"terms", "lesson_pages", "lessons", "pages", "robots"})  # with texts or bytes in them
# True or false in PostgreSQL, 1 or 0 in SQLite.
_FLAGS: Final = frozenset({"bad", "fetched_before", "example", "counts", "nofollow"})
_encode: Final = msgspec.msgpack.Encoder().encode


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table by its columns, and the columns of its key."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]

    @property
    def piece(self) -> int:
        return _PIECE // 10 if self.name in _WIDE else _PIECE

    def key_of(self, row: Row) -> list[Any]:
        return [row[self.columns.index(name)] for name in self.key]

    def alike(self, rows: Sequence[Row]) -> list[Row]:
        """Return rows as both databases can have them: PostgreSQL's text has no NUL."""
        flags = [number for number, name in enumerate(self.columns) if name in _FLAGS]
        return [_alike(row, flags) for row in rows]


def _alike(row: Row, flags: Sequence[int]) -> Row:
    values = [value.replace("\0", "\ufffd") if type(value) is str and "\0" in value else value for value in row]
    for number in flags:
        values[number] = bool(values[number])
    return tuple(values)


@cache
def tables() -> tuple[Table, ...]:
    """Return all tables of a crawl, from the schema of SQLite; `log` is about the file and not the crawl."""
    schema = files("scenthound.store.sqlite").joinpath("schema.sql").read_text("utf-8")
    with closing(sqlite3.connect(":memory:")) as con:
        con.executescript(schema)
        names = con.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'log' ORDER BY rowid")
        return tuple(_table(con, name) for (name,) in names.fetchall())


def _table(con: sqlite3.Connection, name: str) -> Table:
    columns = con.execute("SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", (name,)).fetchall()
    key = sorted((place, column) for column, place in columns if place)
    return Table(name=name, columns=tuple(column for column, _ in columns), key=tuple(column for _, column in key))


def pieces(con: sqlite3.Connection, table: Table, after: Sequence[Any] | None = None) -> Iterator[list[Row]]:
    """Yield the rows of a table in pieces, in the order of its key, by the index of that key."""
    columns, key = (", ".join(f'"{name}"' for name in names) for names in (table.columns, table.key))
    marks = ", ".join("?" * len(table.key))
    beyond = f"SELECT {columns} FROM {table.name} WHERE ({key}) > ({marks}) ORDER BY {key} LIMIT {table.piece}"
    first = f"SELECT {columns} FROM {table.name} ORDER BY {key} LIMIT {table.piece}"
    while rows := (con.execute(first) if after is None else con.execute(beyond, list(after))).fetchall():
        yield table.alike(rows)
        after = table.key_of(rows[-1])


def count_rows(con: sqlite3.Connection, table: Table) -> int:
    """Count the rows of a table."""
    return int(con.execute(f"SELECT count(*) FROM {table.name}").fetchone()[0])


def digest_of(con: sqlite3.Connection, table: Table) -> tuple[int, str]:
    """Return how many rows a table has, and a digest of all of them in the order of their keys."""
    number, digest = 0, blake2b(digest_size=16)
    for rows in pieces(con, table):
        number += len(rows)
        for row in rows:
            digest.update(_encode(row))
    return number, digest.hexdigest()
