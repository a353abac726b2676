"""Links as they stand on pages, and as they are remembered of a URL that they lead to."""

from dataclasses import dataclass
from enum import StrEnum

from msgspec import Struct


class LinkKind(StrEnum):
    """How one URL led to another."""

    SEED = "seed"
    ANCHOR = "anchor"
    AREA = "area"
    FRAME = "frame"
    REFRESH = "refresh"
    CANONICAL = "canonical"
    HREFLANG = "hreflang"
    REDIRECT = "redirect"
    TRUNCATION = "truncation"  # no link: the directories above the address of a relevant page
    BACKWARD = "backward"  # no link that was seen: a source says that the URL cites a good page


class Link(Struct, frozen=True, kw_only=True):
    """A link as it stands on a page.

    `first_leaf` and `last_leaf` number the leaves of the page's tree below the link's element, counted from
    left to right over all leaves, also empty ones (APPRENTICE §2.2.1). `shape` is the URL with its variable
    parts blanked, the unit by which traps are recognised. A struct, not a dataclass, because seventy are made a page:
    0.3 µs each instead of 1.2.
    """

    url: str
    kind: LinkKind = LinkKind.ANCHOR
    text: str = ""
    first_leaf: int = -1
    last_leaf: int = -1
    nofollow: bool = False
    shape: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A link that led to a URL: from where, of which kind, with which words."""

    url: str
    kind: LinkKind
    text: str
    nofollow: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LostLink:
    """A link that stood on a page, and no longer did when the page was visited again."""

    url: str  # of the page
    at: float
