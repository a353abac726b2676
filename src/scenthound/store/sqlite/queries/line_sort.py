"""Sort more lines than memory holds, in a database that SQLite keeps on disk once it grows."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Final

# A folder sorts before its neighbours with longer names: the slash must sort below every letter.
_SORTED: Final = "SELECT path, line FROM lines ORDER BY replace(path, '/', char(1)), n"


def sorted_by_path(lines: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield pairs of path and line, folder by folder; lines of one path keep their order.

    >>> list(sorted_by_path([("b", "1"), ("a/x", "2"), ("a", "3"), ("a-b", "4")]))
    [('a', '3'), ('a/x', '2'), ('a-b', '4'), ('b', '1')]
    """
    with closing(sqlite3.connect("")) as con:
        con.execute("CREATE TABLE lines (n INTEGER PRIMARY KEY, path TEXT, line TEXT)")
        con.executemany("INSERT INTO lines (path, line) VALUES (?, ?)", lines)
        yield from con.execute(_SORTED)
