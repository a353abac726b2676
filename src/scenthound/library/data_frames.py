"""Columns of values as data frames of pandas or tables of Arrow; both are imported when they are asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from scenthound.errors import UsageError

if TYPE_CHECKING:
    import pandas
    import pyarrow

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column(Generic[T]):
    """A column: its name, how to read it from a value, and its type; None leaves the type to what is in it."""

    name: str
    read: Callable[[T], object]
    kind: type | None = None


def to_pandas(columns: Sequence[Column[T]], values: Sequence[T]) -> "pandas.DataFrame":
    """Return values as a data frame, with types that do not depend on what is in it."""
    pandas = imported("pandas", "to_pandas")
    kinds = {int: "int64", float: "float64", datetime: "datetime64[us, UTC]"}
    series = {
        column.name: pandas.Series([column.read(value) for value in values], dtype=kinds.get(column.kind or object))
        for column in columns
    }
    return pandas.DataFrame(series, columns=[column.name for column in columns])


def to_arrow(columns: Sequence[Column[T]], values: Sequence[T]) -> "pyarrow.Table":
    """Return values as a table of Arrow."""
    arrow = imported("pyarrow", "to_arrow")
    kinds: dict[type, Any] = {
        int: arrow.int64(),
        float: arrow.float64(),
        str: arrow.string(),
        datetime: arrow.timestamp("us", tz="UTC"),
    }
    arrays = [
        arrow.array([column.read(value) for value in values], type=kinds.get(column.kind or object))
        for column in columns
    ]
    return arrow.table(arrays, names=[column.name for column in columns])


def imported(name: str, wanted: str) -> ModuleType:
    """Import a package that scenthound does without otherwise."""
    try:
        return import_module(name)
    except ImportError as error:
        raise UsageError(f"{wanted} needs {name}, which cannot be imported ({error}): pip install {name}") from None


def moment(at: float) -> datetime:
    """Return a moment as data frames have it."""
    return datetime.fromtimestamp(at, UTC)
