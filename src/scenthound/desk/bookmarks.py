"""Pages as a file of bookmarks, the Netscape HTML that every browser imports: topics are folders, as `topics.bookmarks` reads them."""

import html
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import Final

from scenthound.desk.answers import Written
from scenthound.types import PageRow

_HEAD: Final = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>scenthound</TITLE>
<H1>scenthound</H1>
<DL><p>
"""
# A folder before its neighbours with longer names: the slash must sort below every letter.
_SORTED: Final = "SELECT topic, line FROM lines ORDER BY replace(topic, '/', char(1)), n"


def write_bookmarks(pages: Iterable[PageRow], out: Written, _columns: Sequence[str]) -> None:
    """Write each page into the folder of its topic; pages of no topic stand before all folders."""
    out.write(_HEAD)
    here: list[str] = []
    for topic, line in _by_topic(pages):
        there = topic.split("/") if topic else []
        out.write("".join(_way(here, there)))
        here = there
        out.write(f"{_indent(here)}{line}\n")
    out.write("".join(_way(here, [])))
    out.write("</DL><p>\n")


def _by_topic(pages: Iterable[PageRow]) -> Iterator[tuple[str, str]]:
    """Put pages together by topic, in fetch order within each, in a database that is kept on disk when it grows."""
    with closing(sqlite3.connect("")) as con:
        con.execute("CREATE TABLE lines (n INTEGER PRIMARY KEY, topic TEXT, line TEXT)")
        con.executemany("INSERT INTO lines (topic, line) VALUES (?, ?)", ((page.topic, _line(page)) for page in pages))
        yield from con.execute(_SORTED)


def _line(page: PageRow) -> str:
    address, title = html.escape(page.final_url or page.url), html.escape(" ".join((page.title or page.url).split()))
    return f'<DT><A HREF="{address}" ADD_DATE="{page.fetched_at:.0f}">{title}</A>'


def _way(here: Sequence[str], there: Sequence[str]) -> Iterator[str]:
    """Close the folders that are left, and open those that are entered."""
    shared = next((depth for depth, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), None)
    kept = min(len(here), len(there)) if shared is None else shared
    for depth in range(len(here), kept, -1):
        yield f"{_indent(here[: depth - 1])}</DL><p>\n"
    for depth in range(kept, len(there)):
        indent = _indent(there[:depth])
        yield f"{indent}<DT><H3>{html.escape(there[depth])}</H3>\n{indent}<DL><p>\n"


def _indent(folders: Sequence[str]) -> str:
    return "    " * (len(folders) + 1)
