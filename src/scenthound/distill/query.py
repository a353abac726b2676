"""One question in SQL to a crawl's database: read only, for a limited time, and answered with what is wrong if it is.

The connection is opened read-only by the caller. On top of that an authorizer lets nothing through but reading, so that
a statement that would write, attach another file or change a pragma is refused before it does anything.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

from scenthound.distill.paper_views import VIEWS, fill_views, make_views
from scenthound.distill.scores import Rules
from scenthound.errors import ScenthoundError, UsageError
from scenthound.settings.file import nearest
from scenthound.store.sqlite.queries.questions import (
    QUESTION,
    SHORT_QUESTION,
    column_names,
    function_names,
    table_names,
)
from scenthound.taxonomy import Topics

SECONDS = 30.0
_STEPS = 20_000  # of SQLite's machine between two looks at the clock: about a millisecond
_LONGEST = (
    10_000_000  # bytes of one value: a single function call cannot be stopped, so that it must not have much to do
)
_READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE)
_PRAGMAS = {
    "collation_list", "compile_options", "database_list", "foreign_key_list", "function_list", "index_info",
    "index_list", "index_xinfo", "module_list", "pragma_list", "table_info", "table_list", "table_xinfo",
}  # fmt: skip
_FORBIDDEN = {"load_extension", "fts3_tokenizer"}
_COMMENT = re.compile(r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?(?:\*/|$))*", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The columns of an answer, and its rows as they are found."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[object, ...]]


def ask(
    con: sqlite3.Connection,
    statement: str,
    *,
    topics: Callable[[], Topics],
    seconds: float = SECONDS,
    rules: Rules | None = None,
) -> Answer:
    """Ask a question. The connection is for this question alone.

    `seconds` limit the time that SQLite works on it; what the caller does with the rows in between does not count.
    Topics are read only if the question is about them.
    """
    question = _Question(con, statement, seconds)
    with question.explained():
        make_views(con)
        named = question.names()
        fill_views(con, named, topics=topics, rules=rules or Rules())
        cursor = question.begin()
    columns = tuple(column[0] for column in cursor.description or ())
    return Answer(columns=columns, rows=question.rows(cursor))


class _Question:
    """A statement under guard, with the time that is left for it."""

    def __init__(self, con: sqlite3.Connection, statement: str, seconds: float) -> None:
        self._con = con
        self._statement = _without_comment(statement)
        self._seconds = self._left = seconds
        self._until = 0.0
        self._named: set[str] = set()
        self._refused: str | None = None

    @property
    def _first_word(self) -> str:
        return self._statement.split(maxsplit=1)[0].upper()

    def names(self) -> set[str]:
        """Return the papers' tables that the statement reads, by letting SQLite prepare it."""
        self._guard()
        if not self._statement:
            raise UsageError(f'there is no question; ask one like "{QUESTION}"')
        if self._first_word != "EXPLAIN":
            self._con.execute(f"EXPLAIN {self._statement}").close()
        self._con.set_authorizer(None)
        return self._named

    def begin(self) -> sqlite3.Cursor:
        """Start the statement; from here on, nothing can be written, not even to tables of the connection."""
        self._con.execute("PRAGMA query_only = ON")
        self._guard()
        return self._con.execute(self._statement)

    def rows(self, cursor: sqlite3.Cursor) -> Iterator[tuple[object, ...]]:
        while True:
            with self.explained():
                row = cursor.fetchone()
            if row is None:
                return
            yield row

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Let the clock run, and say what went wrong in words for people."""
        self._until = monotonic() + self._left
        self._con.set_progress_handler(self._is_late, _STEPS)
        try:
            yield
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise self._trouble(error) from error
        finally:
            self._left = self._until - monotonic()

    def _guard(self) -> None:
        self._con.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        self._con.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        self._con.set_authorizer(self._authorize)

    def _authorize(
        self, action: int, first: str | None, second: str | None, _schema: str | None, _via: str | None
    ) -> int:
        if action == sqlite3.SQLITE_READ and (first or "").upper() in VIEWS:
            self._named.add((first or "").upper())  # as typed, where no column is read
        if action in _READING or self._is_harmless(action, first, second):
            return sqlite3.SQLITE_OK
        if self._refused is None:
            self._refused = f"{second}()" if action == sqlite3.SQLITE_FUNCTION else self._first_word
        return sqlite3.SQLITE_DENY

    @staticmethod
    def _is_harmless(action: int, first: str | None, second: str | None) -> bool:
        if action == sqlite3.SQLITE_PRAGMA:
            return (first or "").lower() in _PRAGMAS
        if action == sqlite3.SQLITE_UPDATE:
            return (
                first == "sqlite_master"
            )  # a table function, used first, announces its columns so; nothing is written
        return action == sqlite3.SQLITE_FUNCTION and (second or "").lower() not in _FORBIDDEN

    def _is_late(self) -> bool:
        return monotonic() > self._until

    def _trouble(self, error: Exception) -> BaseException:
        text = str(error)
        if "interrupted" in text:
            # The clock is looked at within a call of SQLite's, where Ctrl-C too can only interrupt it.
            return too_late(self._seconds) if self._is_late() else KeyboardInterrupt()
        if self._refused is not None:
            what = "to write" if self._refused in ("SELECT", "WITH") else self._refused
            return UsageError(f"{what} is refused: questions only read, and the crawl stays as it is")
        if "one statement at a time" in text:
            return UsageError("one question at a time: there is more behind the first semicolon")
        if "number of bindings" in text:
            return UsageError("parameters (?, :name) have no values here; write the values into the question")
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) in (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_TOOBIG):
            return UsageError(f"{text}{self._hint(text)}")
        return error  # no fault of the statement's: the disk is full, or the file damaged

    def _hint(self, text: str) -> str:
        """Name what the user may have meant."""
        self._con.set_authorizer(None)
        kind, _, name = text.partition(": ")
        if kind == "no such table":
            return _meant(name.rpartition(".")[2], self._tables())
        if kind == "no such column":
            return self._meant_column(name.rpartition(".")[2])
        if kind == "no such function":
            return _meant(name, function_names(self._con))
        return f'; finish it, as in "{SHORT_QUESTION}"' if kind == "incomplete input" else ""

    def _tables(self) -> list[str]:
        return [*VIEWS, *(name for name in table_names(self._con) if name not in VIEWS)]

    def _meant_column(self, name: str) -> str:
        """Name the column that is spelt nearly so, or the tables that have it where those of the question have not."""
        rows = column_names(self._con)
        having = [table for column, table in rows if column.casefold() == name.casefold()]
        return (
            f"; {_some(having)} have it" if having else _meant(name, list(dict.fromkeys(column for column, _ in rows)))
        )


def too_late(seconds: float) -> ScenthoundError:
    """Say that a question was stopped."""
    return ScenthoundError(
        f"stopped after {seconds:g} s without an end; ask for less (WHERE, LIMIT), or allow more with --seconds"
    )


def _without_comment(statement: str) -> str:
    """Cut off what stands before the first word, and what may close the statement.

    >>> _without_comment("-- all topics\\n  SELECT 1; ")
    'SELECT 1'
    """
    comment = _COMMENT.match(statement)
    return statement[comment.end() if comment else 0 :].rstrip("; \t\r\n")


def _meant(name: str, known: Sequence[str]) -> str:
    by_spelling = {one.casefold(): one for one in known}
    guess = by_spelling.get(nearest(name.casefold(), list(by_spelling)), "")
    return f"; did you mean {guess}?" if guess else f"; there are {_some(known)}"


def _some(names: Sequence[str]) -> str:
    """Name the first few.

    >>> _some(["a", "b"]), _some([*"abcdefghij"])
    ('a, b', 'a, b, c, d, e, f, g, h and 2 more')
    """
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return ", ".join(names[:8]) + more
