"""A question in PostgreSQL's own SQL to a crawl on a server: read only, for a limited time, its rows as they come."""

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import asyncpg

from scenthound.errors import ScenthoundError, UsageError
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.connection import PostgresConnection
from scenthound.store.postgres.session import check_version

_READING = ("SELECT", "WITH", "VALUES", "TABLE", "EXPLAIN", "SHOW")
_PLAIN = (str, bytes, int, float, bool, type(None))
_COMMENT = re.compile(r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?(?:\*/|$))*", re.DOTALL)
_EXAMPLE = '"SELECT url, relevance FROM CRAWL LIMIT 10"'


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerAnswer:
    """The columns of an answer, and its rows as they are found."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[object, ...]]


def ask_server(url: ServerUrl, statement: str, *, seconds: float) -> ServerAnswer:
    """Ask a question in a transaction that cannot write; `seconds` limit the time that the server works on it."""
    statement = statement[_COMMENT.match(statement).end() :].rstrip("; \t\r\n")  # type: ignore[union-attr]
    word = statement.split(maxsplit=1)[0].upper() if statement else ""
    if not word:
        raise UsageError(f"there is no question; ask one like {_EXAMPLE}")
    if word not in _READING:
        raise UsageError(f"{word} is refused: questions only read, and the crawl stays as it is")
    rows = _answer(url, statement, seconds)
    return ServerAnswer(columns=tuple(str(name) for name in next(rows)), rows=rows)


def _answer(url: ServerUrl, statement: str, seconds: float) -> Iterator[tuple[object, ...]]:
    """Yield the names of the columns, then the rows."""
    con = PostgresConnection(url, read_only=True)
    con.open()
    with closing(con):
        check_version(con)
        con.executescript(f"BEGIN READ ONLY; SET LOCAL statement_timeout TO {max(1, int(1000 * seconds))}")
        try:
            for row in con.scan(statement):
                yield tuple(value if isinstance(value, _PLAIN) else str(value) for value in row)
        except ScenthoundError as error:
            raise _in_words(error, seconds) from None


def _in_words(error: ScenthoundError, seconds: float) -> ScenthoundError:
    """Tell the fault of a question from that of a server."""
    match error.__cause__:
        case asyncpg.QueryCanceledError():
            advice = "ask for less (WHERE, LIMIT), or allow more with --seconds"
            return ScenthoundError(f"stopped after {seconds:g} s without an end; {advice}")
        case asyncpg.ReadOnlySQLTransactionError():
            return UsageError("to write is refused: questions only read, and the crawl stays as it is")
        case asyncpg.SyntaxOrAccessError() | asyncpg.DataError() as cause:
            said = " ".join(str(cause).split())
            return UsageError("one question at a time" if "multiple commands" in said else said)
        case asyncpg.InterfaceError() as cause if "argument" in str(cause):
            return UsageError("parameters ($1) have no values here; write the values into the question")
    return error
