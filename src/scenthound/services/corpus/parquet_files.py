"""A corpus as Parquet: typed columns, compressed with zstd, in folders by topic, language or month.

The folders are named as Hive names partitions (by_topic=Sport%2FCycling). The column that they repeat stays in the
files under its own name, because not all readers put it back. Pages come in the order of the folders, so that one file
is open at a time and memory holds one row group.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from scenthound.errors import UsageError
from scenthound.services.corpus.corpus_page import COLUMNS, TEXT_COLUMNS, CorpusPage
from scenthound.services.corpus.wish import Partition

if TYPE_CHECKING:
    import pyarrow as pa

GROUP_ROWS: Final = 20_000
GROUP_CHARACTERS: Final = 32_000_000  # of texts in a row group
FILE_CHARACTERS: Final = 500_000_000  # of texts in a file
NO_VALUE: Final = "__HIVE_DEFAULT_PARTITION__"
_MISSING: Final = "Parquet needs the package pyarrow; install it with: pip install 'scenthound[parquet]'"


def check_parquet() -> None:
    """Say what to install, before anything is begun."""
    if not has_parquet():
        raise UsageError(_MISSING)


def has_parquet() -> bool:
    """Return whether pyarrow is installed."""
    return find_spec("pyarrow") is not None


def schema_of(columns: Sequence[str]) -> "pa.Schema":
    """Return the types of columns."""
    import pyarrow as pa

    kinds = {
        "n": pa.int64(),
        "status": pa.int16(),
        "relevance": pa.float64(),
        "depth": pa.int32(),
        "priority": pa.float64(),
        "fetched_at": pa.timestamp("ms", tz="UTC"),
        "licences": pa.list_(pa.string()),
        "opt_outs": pa.list_(pa.string()),
        "topics": pa.list_(pa.string()),
    }
    required = {"n", "url", "final_url", "host", "fetched_at"}
    return pa.schema([pa.field(name, kinds.get(name, pa.string()), nullable=name not in required) for name in columns])


class ParquetFiles:
    """Writes pages into a folder by partitions, or into one file. Use as `with`."""

    def __init__(self, path: Path, *, columns: Sequence[str], partition: Partition = Partition.NONE) -> None:
        self._path = path
        self._columns = columns
        self._partition = partition
        self._schema = schema_of(columns)
        self._writer: Any = None
        self._rows: list[dict[str, object]] = []
        self._waiting = 0  # characters of texts in the rows
        self._written = 0  # characters of texts in the file
        self._key: str | None = None
        self._number = 0

    def __enter__(self) -> "ParquetFiles":
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if error is None:
            if self._key is None:  # without a page: readers still find the columns
                self._open()
            self._close()
        elif self._writer is not None:
            self._writer.close()

    def write(self, pages: Iterable[CorpusPage]) -> None:
        """Write pages that come in the order of their partitions."""
        for page in pages:
            key = _key_of(page, self._partition)
            if key != self._key:
                self._close()
                self._key, self._number = key, 0
            row = page.as_row(self._columns)
            row["fetched_at"] = datetime.fromtimestamp(page.page.fetched_at, UTC)
            self._rows.append(row)
            self._waiting += len(page.text.text) if page.text is not None else 0
            if len(self._rows) >= GROUP_ROWS or self._waiting >= GROUP_CHARACTERS:
                self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if not self._rows:
            return
        if self._writer is None:
            self._open()
        self._writer.write_batch(pa.RecordBatch.from_pylist(self._rows, schema=self._schema))
        self._written += self._waiting
        self._rows, self._waiting = [], 0
        if self._written >= FILE_CHARACTERS and self._path.is_dir():
            self._close()

    def _open(self) -> None:
        import pyarrow.parquet as pq

        path = self._path
        if path.is_dir():
            folder = path / f"by_{self._partition}={_in_path(self._key or '')}" if self._partitioned else path
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"part-{self._number:05d}.parquet"
            self._number += 1
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")

    @property
    def _partitioned(self) -> bool:
        return self._partition is not Partition.NONE and self._key is not None

    def _close(self) -> None:
        self._flush()
        if self._writer is not None:
            self._writer.close()
        self._writer, self._written = None, 0


def _key_of(page: CorpusPage, partition: Partition) -> str:
    match partition:
        case Partition.TOPIC:
            return page.page.topic
        case Partition.LANGUAGE:
            return page.page.language
        case Partition.MONTH:
            return f"{datetime.fromtimestamp(page.page.fetched_at, UTC):%Y-%m}"
    return ""


def _in_path(key: str) -> str:
    """Write a value as Hive and Arrow do: nothing but letters, digits and a few signs is left as it is.

    >>> _in_path("Sport/R&D 100%"), _in_path("..")
    ('Sport%2FR%26D%20100%25', '..')
    """
    return quote(key, safe="") or NO_VALUE


def parquet_columns(*, text: bool) -> tuple[str, ...]:
    """Return the columns of a Parquet corpus."""
    return (*COLUMNS, *TEXT_COLUMNS) if text else COLUMNS
