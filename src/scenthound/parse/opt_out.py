"""What the owner of a page asks of those who would show it to others: not to list it, or not to show a copy.

The wishes are those of the robots meta tag and of the header X-Robots-Tag, as search engines read them, addressed to
everybody or to the crawler's own product token.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from scenthound.parse.markup.html import Mark

# Rules with a value: the colon in them does not follow the name of a robot.
_WITH_VALUE: Final = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")
_NO_COPY: Final = frozenset({"noarchive", "nosnippet", "nocache", "max-snippet:0"})
_SPACED_VALUE: Final = re.compile(r"\s*:\s*")


class OptOut(StrEnum):
    """How far a page opts out."""

    NOTHING = "nothing"
    COPY = "copy"  # it may be listed, without any of its text
    LISTING = "listing"  # it does not want to be found here


def opt_out(marks: Iterable[Mark], headers: Iterable[str], product: str) -> OptOut:
    """Return what a page asks for, by its elements and the values of its X-Robots-Tag headers.

    >>> tag = Mark("meta", {"name": "robots", "content": "NOARCHIVE, follow"}, 0, 0)
    >>> print(opt_out([tag], [], "scenthound"), opt_out([], ["otherbot: noindex", "max-snippet: 0"], "scenthound"))
    copy copy
    >>> print(opt_out([tag], ["scenthound: none"], "scenthound"))
    listing
    """
    wishes = {wish for value in headers for wish in _of_header(value, product.lower())}
    for mark in marks:
        if mark.tag == "meta" and mark.get("name").strip().lower() in ("robots", product.lower()):
            wishes.update(_parted(mark.get("content").lower()))
    if wishes & {"noindex", "none"}:
        return OptOut.LISTING
    return OptOut.COPY if wishes & _NO_COPY else OptOut.NOTHING


def _of_header(value: str, product: str) -> list[str]:
    """Return the rules of a header, unless it is for another robot."""
    value = value.strip().lower()
    robot, colon, rest = value.partition(":")
    if colon and "," not in robot and not robot.strip().startswith(_WITH_VALUE):
        return _parted(rest) if robot.strip() == product else []
    return _parted(value)


def _parted(rules: str) -> list[str]:
    return re.split(r"[,\s]+", _SPACED_VALUE.sub(":", rules))
