"""The formats of an export. The command line, the window and the API all read them here."""

from enum import StrEnum


class ExportFormat(StrEnum):
    """How fetched pages are written. A new one also needs words here and a writer in `services.corpus`."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    MARKDOWN = "markdown"
    TEXT = "text"
    WARC = "warc"
    SQLITE = "sqlite"
    BOOKMARKS = "bookmarks"
    URLS = "urls"
    CDXJ = "cdxj"

    @property
    def suffix(self) -> str:
        """The end of a file's name; that of the archive of a folder for formats of many files.

        >>> [form.suffix for form in ExportFormat]
        ['jsonl', 'csv', 'zip', 'zip', 'zip', 'zip', 'sqlite', 'html', 'txt', 'cdxj']
        """
        if self.is_folder:
            return "zip"
        return {ExportFormat.URLS: "txt", ExportFormat.BOOKMARKS: "html"}.get(self, self.value)

    @property
    def is_folder(self) -> bool:
        """Whether it is many files."""
        return self in (ExportFormat.MARKDOWN, ExportFormat.TEXT, ExportFormat.PARQUET, ExportFormat.WARC)

    @property
    def one_file(self) -> str:
        """The end of a name that asks for one file instead of a folder; "" if that cannot be."""
        return {ExportFormat.PARQUET: ".parquet", ExportFormat.WARC: ".warc.gz"}.get(self, "")

    @property
    def is_stream(self) -> bool:
        """Whether it can be written to stdout: a text, line after line."""
        return not self.is_folder and self is not ExportFormat.SQLITE

    @property
    def takes_text(self) -> bool:
        """Whether it can hold the texts of pages."""
        return self not in (ExportFormat.WARC, ExportFormat.URLS, ExportFormat.BOOKMARKS, ExportFormat.CDXJ)

    @property
    def is_of_text(self) -> bool:
        """Whether it is nothing without the texts of pages."""
        return self in (ExportFormat.MARKDOWN, ExportFormat.TEXT)

    @property
    def is_corpus(self) -> bool:
        """Whether it holds the texts of pages by default, not only a list of pages."""
        return self.is_folder or self is ExportFormat.SQLITE

    @property
    def words(self) -> tuple[str, str]:
        """Its name, and what it is good for.

        >>> {len(form.words) for form in ExportFormat}
        {2}
        """
        return {
            ExportFormat.JSONL: ("JSON lines", "one object for each page, for programs"),
            ExportFormat.CSV: ("CSV", "a table for a spreadsheet"),
            ExportFormat.PARQUET: ("Parquet", "typed tables with texts, for pandas, polars, DuckDB, Hugging Face"),
            ExportFormat.MARKDOWN: ("Markdown", "one file for each page, with its facts at the top"),
            ExportFormat.TEXT: ("Plain text", "one file for each page"),
            ExportFormat.WARC: ("WARC", "the archived pages themselves, with an index"),
            ExportFormat.SQLITE: ("SQLite", "a database of the pages with their texts"),
            ExportFormat.BOOKMARKS: ("Bookmarks", "to import into a browser"),
            ExportFormat.URLS: ("URLs", "one on each line"),
            ExportFormat.CDXJ: ("Archive index", "CDXJ, for pywb and similar tools"),
        }[self]
