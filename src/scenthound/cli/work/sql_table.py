"""The work of `scenthound sql`: answer a query as a table, CSV or JSON, without changing the crawl."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.distill.query import SECONDS, Answer
from scenthound.errors import UsageError
from scenthound.services.sql.answer_text import Written, plain, write_csv, write_json
from scenthound.services.sql.ask import LARGEST, Bounded, answered
from scenthound.terminal import for_people

_SHOWN = 1000  # rows of a table: nobody reads more, and its columns can be aligned only when all of them are known
_WIDEST = 120  # characters of a cell in a table


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """The arguments of the command."""

    path: Path
    statement: str
    seconds: float = SECONDS
    megabytes: int = LARGEST
    as_json: bool = False
    as_csv: bool = False


def answer_query(query: Query) -> int:
    """Print the answer. The statement "-" is read from stdin."""
    if query.as_json and query.as_csv:
        raise UsageError("use --json or --csv, not both")
    directory = CrawlDirectory.open(query.path)
    statement = sys.stdin.read() if query.statement == "-" else query.statement
    write: Callable[[Answer, Written], None] = (
        write_json if query.as_json else write_csv if query.as_csv else write_table
    )
    with answered(directory, statement, seconds=query.seconds) as answer:
        write(answer, Bounded(for_people(sys.stdout), query.megabytes))
    return 0


def write_table(answer: Answer, out: Written) -> None:
    """Write rows for people: columns aligned, numbers to the right."""
    rows = list(islice(answer.rows, _SHOWN))
    more = next(answer.rows, None) is not None
    for line in table_lines(answer.columns, rows):
        out.write(f"{line}\n")
    if more:
        out.write(f"… and more rows than these {_SHOWN:,}; use --csv or --json to get all, or LIMIT for fewer\n")


def table_lines(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """Lay rows out.

    >>> print("\\n".join(table_lines(["topic", "pages"], [["Cycling", 555], ["Arts", None]])))
    topic    pages
    ───────  ─────
    Cycling    555
    Arts
    """
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    right = [any(isinstance(row[place], (int, float)) for row in rows) for place in range(len(columns))]
    for line in chain([list(columns), ["─" * width for width in widths]], cells):
        padded = (
            cell.rjust(width) if is_number else cell.ljust(width)
            for cell, width, is_number in zip(line, widths, right, strict=True)
        )
        yield "  ".join(padded).rstrip()


def _cell(value: object) -> str:
    """Write a value on one line of a table, cut if it is long."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}" if abs(value) < 1e6 else f"{value:.3f}"
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in str(plain(value))).split())
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
