"""The tables of a crawl's database in words: their columns as SQLite sees them, their meaning from comments in
schema.sql.

A table's meaning is the comment lines above its CREATE; a column's is the comment at the end of its line.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

from scenthound.store.sqlite.queries.questions import column_types

_CREATE = re.compile(r"CREATE (TABLE|VIEW) (\w+)(.*)")
_COLUMN = re.compile(r"\s+(\w+)\s.*?--\s*(.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnHelp:
    name: str
    type: str
    help: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHelp:
    """A table, or a view: one that is computed when it is read."""

    name: str
    view: bool
    help: str
    columns: tuple[ColumnHelp, ...]


def tables_of(schema: str) -> list[TableHelp]:
    """Describe what a schema makes.

    >>> [table] = tables_of("-- One row a bird.\\nCREATE TABLE birds (\\n  name TEXT, -- in Latin\\n  age REAL\\n);")
    >>> table.help, [(column.name, column.type, column.help) for column in table.columns]
    ('One row a bird.', [('name', 'TEXT', 'in Latin'), ('age', 'REAL', '')])
    """
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(schema)
        return [_table(database, *found) for found in _commented(schema)]


def _table(database: sqlite3.Connection, kind: str, name: str, text: str, comments: dict[str, str]) -> TableHelp:
    found = column_types(database, name)
    columns = tuple(ColumnHelp(name=column, type=type_, help=comments.get(column, "")) for column, type_ in found)
    return TableHelp(name=name, view=kind == "VIEW", help=text, columns=columns)


def _commented(schema: str) -> Iterator[tuple[str, str, str, dict[str, str]]]:
    """Yield each table or view with the comment above it and the comments at its columns."""
    above: list[str] = []
    lines = iter(schema.splitlines())
    for line in lines:
        if line.startswith("--"):
            above.append(line.removeprefix("--").strip())
            continue
        if found := _CREATE.match(line):
            yield found[1], found[2], " ".join(above), _column_comments(line, lines)
        above = []


def _column_comments(first: str, lines: Iterator[str]) -> dict[str, str]:
    comments: dict[str, str] = {}
    line = first
    while not line.split("--")[0].rstrip().endswith(";"):
        line = next(lines)
        if found := _COLUMN.match(line):
            comments[found[1]] = found[2]
    return comments
