"""What an apprentice learns from: the log of all pages as it saw them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec import Struct


class LessonLink(Struct, frozen=True, array_like=True):
    """A link of a lesson: where it leads, and the leaves of the page's tree below it, as `Link` numbers them."""

    url: str
    first_leaf: int = -1
    last_leaf: int = -1


class Lesson(Struct, frozen=True, kw_only=True):
    """What an apprentice sees of one fetched page, of a redirect, which has one link and nothing else, or of what
    `failed`.

    Lessons are kept in a log, in the order in which they were recorded: `n` is the place in it, given by the store. All
    that an apprentice knows follows from the log. `relevance` and `topics`, likeliest first, are what the critic at
    work says of the page, with leads counted (`Judgement.worth`); they change when pages are judged again, and None is
    a page that was not judged. What failed, because there is nothing worth having, has a relevance of 0 and nothing
    else. `links` are those that may be followed, each URL once; with `followed` false, those of an example of what is
    not wanted, which are evidence only. `stream` is packed by `parse.words.word_stream`, and
    `fingerprint` is that of its text, by which near-duplicates are known. `score` is what the apprentice
    expected of the page before it was fetched, `reasons` what that was made of, in numbers that only the apprentice
    understands.
    """

    n: int = 0
    url: str
    relevance: float | None = None
    topics: tuple[str, ...] = ()
    redirect: bool = False
    failed: bool = False
    followed: bool = True
    links: tuple[LessonLink, ...] = ()
    stream: bytes = b""
    fingerprint: int | None = None
    score: float | None = None
    reasons: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guidance:
    """The advice of a guide on one outcome.

    `lesson` goes into the apprentice's log. `moves` are new priorities of waiting URLs, found now or earlier. `links`
    are priorities of links on the page itself, for those that may be followed.
    """

    lesson: Lesson | None = None
    moves: Mapping[str, float] = field(default_factory=dict)
    links: Mapping[str, float] = field(default_factory=dict)
