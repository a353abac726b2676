"""The formats of an export. The command line, the window and the API all read them here."""

from enum import StrEnum


class ExportFormat(StrEnum):
    """How fetched pages are written. A new one also needs words here and a writer in `export_pages`."""

    JSONL = "jsonl"
    CSV = "csv"
    URLS = "urls"
    BOOKMARKS = "bookmarks"
    CDXJ = "cdxj"

    @property
    def suffix(self) -> str:
        """The end of a file's name.

        >>> [form.suffix for form in ExportFormat]
        ['jsonl', 'csv', 'txt', 'html', 'cdxj']
        """
        return {ExportFormat.URLS: "txt", ExportFormat.BOOKMARKS: "html"}.get(self, self.value)

    @property
    def words(self) -> tuple[str, str]:
        """Its name, and what it is good for.

        >>> [len(form.words) for form in ExportFormat]
        [2, 2, 2, 2, 2]
        """
        return {
            ExportFormat.JSONL: ("JSON lines", "one object for each page, for programs"),
            ExportFormat.CSV: ("CSV", "a table for a spreadsheet"),
            ExportFormat.URLS: ("URLs", "one on each line"),
            ExportFormat.BOOKMARKS: ("Bookmarks", "to import into a browser"),
            ExportFormat.CDXJ: ("Archive index", "CDXJ, for pywb and similar tools"),
        }[self]
