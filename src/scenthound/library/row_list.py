"""A list of values that shows itself as a table and becomes a data frame: hubs, sites, topics, hits, rows of SQL."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Generic, TypeVar, overload

from scenthound.library import data_frames, html_parts
from scenthound.library.data_frames import Column
from scenthound.terminal import shown

if TYPE_CHECKING:
    import pandas
    import pyarrow

T = TypeVar("T")
SHOWN: Final = 10  # rows in a text or in a notebook
_WIDEST: Final = 60  # characters of a cell in a text


class Rows(Sequence[T], Generic[T]):
    """Values in their order. `columns` says what a table shows of each, `about` what they are, in a few words."""

    def __init__(self, values: Sequence[T], columns: Sequence[Column[T]], about: str = "") -> None:
        self._values = tuple(values)
        self._columns = tuple(columns)
        self.about = about

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self._columns]

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> "Rows[T]": ...
    def __getitem__(self, place: int | slice) -> "T | Rows[T]":
        if isinstance(place, slice):
            return Rows(self._values[place], self._columns, self.about)
        return self._values[place]

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[T]:
        return iter(self._values)

    def as_dicts(self) -> list[dict[str, object]]:
        """Return the table as one dictionary for each row."""
        return [{column.name: column.read(value) for column in self._columns} for value in self._values]

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the table as a data frame of pandas."""
        return data_frames.to_pandas(self._columns, self._values)

    def to_arrow(self) -> "pyarrow.Table":
        """Return the table as a table of Arrow."""
        return data_frames.to_arrow(self._columns, self._values)

    def __repr__(self) -> str:
        return "\n".join([self._caption(), *text_lines(*self._table())])

    def _repr_html_(self) -> str:
        return html_parts.table(*self._table(), caption=self._caption())

    def _caption(self) -> str:
        few = f", the first {SHOWN} of them" if len(self) > SHOWN else ""
        return f"{self.about or 'rows'}: {len(self):,}{few}"

    def _table(self) -> tuple[list[str], list[list[object]]]:
        """Return the columns and the rows that are shown."""
        return self.columns, [[column.read(value) for column in self._columns] for value in self._values[:SHOWN]]


def text_lines(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """Yield rows for people, aligned, each on one line.

    >>> print("\\n".join(text_lines(["topic", "pages"], [["Cycling", 555], ["Arts", None]])))
    topic    pages
    Cycling  555
    Arts
    """
    if not rows:
        return
    cells = [list(columns), *([_cell(value) for value in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _cell(value: object) -> str:
    text = " ".join(shown(html_parts.plain(value)).split())
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
