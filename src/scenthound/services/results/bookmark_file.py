"""Pages as a file of bookmarks, the Netscape HTML that every browser imports: topics are folders, as `topics.bookmarks`
reads them.
"""

import html
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from scenthound.services.sql.answer_text import Written
from scenthound.store.sqlite.queries.line_sort import sorted_by_path
from scenthound.types import PageRow

_HEAD: Final = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>scenthound</TITLE>
<H1>scenthound</H1>
<DL><p>
"""


def write_bookmarks(pages: Iterable[PageRow], out: Written) -> None:
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
    """Put pages together by topic, in fetch order within each."""
    return sorted_by_path((page.topic, _line(page)) for page in pages)


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
