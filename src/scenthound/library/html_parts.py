"""Answers as HTML for notebooks. Titles and addresses come from anybody on the web, so that every text is escaped."""

import html
from collections.abc import Iterable, Sequence
from datetime import datetime

from scenthound.search.types import Snippet
from scenthound.terminal import shown


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, caption: str = "") -> str:
    """Return a table.

    >>> table(["url"], [["http://a.test/?<b>"]]).partition("<tbody>")[2].partition("</a>")[0].rpartition(">")[2]
    'http://a.test/?&lt;b&gt;'
    """
    head = "".join(f'<th style="text-align:left">{escaped(name)}</th>' for name in columns)
    body = "".join(f"<tr>{''.join(_cell(value) for value in row)}</tr>" for row in rows)
    return f"{_paragraph(caption)}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def lines(texts: Iterable[str]) -> str:
    """Return lines of text as they are."""
    return f'<pre style="white-space:pre-wrap">{escaped(chr(10).join(texts))}</pre>'


def escaped(value: object) -> str:
    """Return a value as text that no browser takes for markup."""
    return html.escape(shown(plain(value)))


def plain(value: object) -> str:
    """Return a value as short text: nothing for None, four digits of a fraction, a moment to the second."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    return value.text if isinstance(value, Snippet) else str(value)


def _cell(value: object) -> str:
    return f'<td style="text-align:left">{_inside(value)}</td>'  # notebooks have them on the right


def _inside(value: object) -> str:
    if isinstance(value, Snippet):
        return _marked(value)
    if isinstance(value, str) and value.startswith(("http://", "https://")):
        return f'<a href="{escaped(value)}" rel="noopener noreferrer nofollow">{escaped(value)}</a>'
    return escaped(value)


def _marked(snippet: Snippet) -> str:
    parts, end = list[str](), 0
    for start, stop in snippet.marks:
        parts += [escaped(snippet.text[end:start]), f"<mark>{escaped(snippet.text[start:stop])}</mark>"]
        end = stop
    return "".join([*parts, escaped(snippet.text[end:])])


def _paragraph(caption: str) -> str:
    return f"<p>{escaped(caption)}</p>" if caption else ""
