"""A report as a browser would take it in: its tables, its anchors and what it points to, for tests to look at."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

VOID = frozenset({"meta", "br", "wbr", "hr", "link", "img", "input"})
POINTING = ("href", "src", "srcset", "data", "action", "poster")


@dataclass
class Table:
    """The text of a table, row by row, the heads of its columns first."""

    caption: str = ""
    rows: list[list[str]] = field(default_factory=list)

    def column(self, number: int) -> list[str]:
        return [row[number] for row in self.rows[1:]]


class Page(HTMLParser):
    """Read a page, and complain of what is opened and not closed, or closed and not open."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.styles: list[str] = []
        self.tables: list[Table] = []
        self.headings: list[str] = []
        self.texts: list[str] = []
        self.images: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    @classmethod
    def of(cls, path: Path) -> "Page":
        return cls(path.read_text(encoding="utf-8"))

    @property
    def text(self) -> str:
        return " ".join("".join(self.texts).split())

    def table(self, words: str) -> Table:
        """Return the first table whose caption has these words."""
        return next(table for table in self.tables if words in table.caption)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [value for key, value in attrs if key == "id" and value]
        self.targets += [value for key, value in attrs if key.rpartition(":")[2] in POINTING and value]
        self.styles += [value for key, value in attrs if key in ("style", "clip-path") and value]
        if found.get("role") == "img":
            self.images.append(found.get("aria-label") or "")
        if tag in ("table", "tr"):
            self._begin(tag)
        elif tag in ("th", "td"):
            self.tables[-1].rows[-1].append("")
        elif tag in ("h1", "h2", "h3"):
            self.headings.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self.open:
            self.styles.append(data)
        elif "script" not in self.open:
            self.texts.append(data)
            self._place(data)

    def _begin(self, tag: str) -> None:
        if tag == "table":
            self.tables.append(Table())
        else:
            self.tables[-1].rows.append([])

    def _place(self, data: str) -> None:
        if "small" in self.open:
            return
        if "caption" in self.open:
            self.tables[-1].caption += data
        elif "th" in self.open or "td" in self.open:
            self.tables[-1].rows[-1][-1] += data
        elif {"h1", "h2", "h3"} & set(self.open):
            self.headings[-1] += data
