"""The main text of a page for people to read: the article, without menus, banners, footers and comments.

trafilatura finds it (Barbaresi, ACL 2021). On 181 pages with marked texts it has an F1 of .96, our own leaves of
`boilerplate` have .85 (`python -m bench main_text`). Critics stay with the leaves, which a reader has anyway.
Callers limit time and memory: `services.corpus.page_texts` does.
"""

import re
from collections.abc import Sequence
from typing import Final

from scenthound.parse.markup.boilerplate import main_leaves
from scenthound.types import Link

_LEAST: Final = 40  # characters: less is a caption or a button that was taken for the text
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_TAG: Final = re.compile(r"(\\*)<(?=[A-Za-z/!?])")
_FENCE: Final = re.compile(r"^\s*(```|~~~)")


def main_text(markup: str, *, as_markdown: bool = False) -> str:
    """Return the main text of HTML, paragraphs on lines of their own; nothing if none is found."""
    from trafilatura import extract  # it takes half a second to import

    # `fast` leaves out two other extractors that are asked for their opinion: .962 instead of .960, in 29 ms instead of
    # 45 on these long pages.
    found = extract(
        markup,
        fast=True,
        include_comments=False,
        output_format="markdown" if as_markdown else "txt",
        include_formatting=as_markdown,
    )
    text = clean_text(found or "")
    return "" if len(text) < _LEAST else escape_tags(text) if as_markdown else text


def leaves_text(leaves: Sequence[str], links: Sequence[Link]) -> str:
    """Return the main text as critics see it, a line for each block.

    >>> leaves_text(["Otters", "eat", "", "fish"], [])
    'Otters eat\\nfish'
    """
    lines: list[list[str]] = [[]]
    for leaf, is_main in zip(leaves, main_leaves(leaves, links).tolist(), strict=True):
        if is_main:
            lines[-1].append(leaf)
        elif lines[-1]:
            lines.append([])
    return clean_text("\n".join(" ".join(line) for line in lines if line))


def clean_text(text: str) -> str:
    r"""Return a text without control characters, which neither XML nor terminals bear.

    >>> clean_text("a\x00b\r\nc ")
    'ab\nc'
    """
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def escape_tags(markdown: str) -> str:
    r"""Return Markdown in which no text is taken for a tag: a page about HTML must not become HTML.

    >>> print(escape_tags("use <script> or \\<b> if 1 < 2\n```\n<b>\n```"))
    use \<script> or \<b> if 1 < 2
    ```
    <b>
    ```
    """
    lines, fenced = list[str](), False
    for line in markdown.split("\n"):
        fenced ^= bool(_FENCE.match(line))
        lines.append(line if fenced else _TAG.sub(_escaped, line))
    return "\n".join(lines)


def _escaped(found: re.Match[str]) -> str:
    """Escape a `<` that has no backslash of its own."""
    return found[0] if len(found[1]) % 2 else f"{found[1]}\\<"
