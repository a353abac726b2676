"""Plain text, and Markdown (CommonMark with tables), which is text with links."""

import re
from typing import Final

from scenthound.parse.charset import charset_of, decode
from scenthound.parse.documents.draft import telling
from scenthound.parse.documents.hypertext import read_html
from scenthound.parse.documents.limits import Document

_PARAGRAPHS: Final = re.compile(r"\n\s*\n")
_LONGEST_TITLE: Final = 200
_PREAMBLE: Final = re.compile(r"\A---\n(.{0,20000}?)\n(?:---|\.\.\.)\n", re.DOTALL)
_TITLE: Final = re.compile(r"^title:[ \t]*[\"']?(.*?)[\"']?[ \t]*$", re.MULTILINE)
_HEADING: Final = re.compile(r"^ {0,3}#{1,3}[ \t]+(.+?)[ \t#]*$|^(?=\S)(.+)\n=+[ \t]*$", re.MULTILINE)
# One link in Markdown is enough evidence. Without any link, reading as plain text loses nothing.
_LINKING: Final = re.compile(
    rb"(?<!\\)\[[^\[\]\n]{1,200}\]\((?:https?://|\.{0,2}/|[\w-]+\.(?:md|html?)\b)"
    rb"|^ {0,3}\[[^\[\]\n]{1,100}\]:[ \t]+<?(?:https?://|\.{0,2}/)",
    re.MULTILINE,
)
_LOOKED_AT: Final = 32_768


def is_markdown(body: bytes) -> bool:
    """Tell whether text has Markdown links.

    >>> is_markdown(b"See [the hound](http://a.example/)."), is_markdown(b"See [1] (http://a.example/).")
    (True, False)
    """
    return _LINKING.search(body, 0, _LOOKED_AT) is not None


def read_text(body: bytes, *, mime: str, charset: str = "") -> Document:
    """Read plain text: a leaf for each paragraph, and no links, because a bare URL is not meant as a link."""
    text, charset = _decode_body(body, charset)
    leaves = tuple(" ".join(paragraph.split()) for paragraph in _PARAGRAPHS.split(text) if paragraph.strip())
    title = next((line.strip() for line in text.split("\n") if line.strip()), "")[:_LONGEST_TITLE]
    return Document(mime=mime, charset=charset, title=title, leaves=leaves)


def read_markdown(body: bytes, *, url: str, charset: str = "") -> Document:
    """Read Markdown through its HTML; a preamble between dashes gives only the title."""
    # Imported here because it takes 60 ms, and many crawls never meet Markdown.
    from markdown_it import MarkdownIt

    text, charset = _decode_body(body, charset)
    preamble = _PREAMBLE.match(text)
    text = text[preamble.end() :] if preamble else text
    markup = MarkdownIt("commonmark").enable("table").render(text)
    page = read_html(markup.encode("utf-8", "replace"), url=url, mime="text/html", charset="utf-8")
    given = _TITLE.search(preamble[1]) if preamble else None
    return Document(
        mime="text/markdown",
        charset=charset,
        title=telling(given[1] if given else "")
        or _heading(text)
        or next(filter(None, page.leaves), "")[:_LONGEST_TITLE],
        leaves=page.leaves,
        links=page.links,
        detail=page.detail,
    )


def _decode_body(body: bytes, charset: str) -> tuple[str, str]:
    charset = charset_of(body, charset)
    return decode(body, charset).replace("\r\n", "\n").replace("\r", "\n"), charset


def _heading(text: str) -> str:
    found = _HEADING.search(text)
    return " ".join((found[1] or found[2]).split())[:_LONGEST_TITLE] if found else ""
