"""The values of search: a page as the index takes it, a question, and an answer.

Nothing here knows an engine. `query` parses the words of a question; `engine` answers it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from scenthound.errors import DirectoryError, ScenthoundError, UsageError
from scenthound.parse.words.terms import NO_TERMS, Terms

Floats = NDArray[np.float32]


class QueryError(UsageError):
    """A query that cannot be parsed; `at` is the place in it, counted from 0."""

    def __init__(self, query: str, at: int, problem: str) -> None:
        self.at = at
        before = query[max(0, at - 20) : at]
        place = f'after "{before}"' if before.strip() else "at its beginning"
        super().__init__(f"the query cannot be read at character {at + 1}, {place}: {problem}")


class IndexBusyError(ScenthoundError):
    """Another process writes the search index now."""


class IndexDamagedError(DirectoryError):
    """The search index was damaged from outside; it is made from the crawl again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedPage:
    """A page as it goes into the index. `id` is the number of its URL, `n` its place in fetch order.

    `anchors` are the distinct texts of links to it.
    """

    id: int
    n: int
    host: str = ""
    site: str = ""
    title: str = ""
    language: str = ""
    mime: str = ""
    topic: str = ""
    relevance: float | None = None
    fetched_at: float = 0.0
    text: str = ""
    packed: bytes = b""  # the text as `text_spool` packs it, where it is at hand
    anchors: tuple[str, ...] = ()
    terms: Terms = NO_TERMS


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFacts:
    """What the crawl's database says about a page now: judgements and scores may be newer than the index."""

    id: int
    n: int
    url: str
    host: str
    title: str
    language: str
    mime: str
    topic: str
    relevance: float | None
    authority: float
    fetched_at: float


class PageScores(NamedTuple):
    """What a page is ranked by, as the crawl's database has it now."""

    id: int
    n: int
    relevance: float | None
    authority: float
    fetched_at: float


class Facts(Protocol):
    """The crawl's database, as far as search asks it."""

    def scores(self, ids: Sequence[int]) -> list[PageScores]:
        """Return the scores of pages; a page that is gone has none."""
        ...

    def facts(self, ids: Sequence[int]) -> dict[int, PageFacts]:
        """Return the facts of pages; a page that is gone has none."""
        ...

    def best_authorities(self, most: int) -> list[tuple[int, float]]:
        """Return the pages with the greatest authority and their scores, best first."""
        ...

    def terms(self, ids: Sequence[int]) -> list[Terms]:
        """Return the terms that critics read of pages; a page without any has no terms."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each part counts in the score of a page; each part lies between 0 and 1."""

    text: float = 1.0
    meaning: float = 2.0
    relevance: float = 0.0
    authority: float = 0.0
    date: float = 0.0

    @classmethod
    def parse(cls, text: str) -> "Weights":
        """Read weights as a user writes them; parts that are not named do not count.

        >>> Weights.parse("text=1,relevance=.5")
        Weights(text=1.0, meaning=0.0, relevance=0.5, authority=0.0, date=0.0)
        """
        known = [part.name for part in fields(cls)]
        given = dict.fromkeys(known, 0.0)
        seen = set[str]()
        for item in filter(None, (item.strip() for item in text.split(","))):
            name, _, value = (part.strip() for part in item.partition("="))
            if name not in known:
                raise UsageError(f'weights: there is no part "{name}"; there are {", ".join(known)}')
            if name in seen:
                raise UsageError(f"weights: {name} is there twice; say once how much it counts")
            seen.add(name)
            try:
                given[name] = float(value)
            except ValueError:
                raise UsageError(f'weights: "{item}" is not a name, =, and a number, such as {name}=0.5') from None
        return cls(**given).checked()

    @property
    def has_facts(self) -> bool:
        """Whether anything counts that the crawl's database says of a page."""
        return bool(self.relevance or self.authority or self.date)

    @property
    def is_text_alone(self) -> bool:
        return not (self.meaning or self.relevance or self.authority or self.date)

    def checked(self) -> "Weights":
        """Return these weights if they can rank pages."""
        values = [getattr(self, part.name) for part in fields(self)]
        if not all(0 <= value < 1e6 for value in values):
            raise UsageError("weights: each must be a number from 0 on")
        if not any(values):
            raise UsageError("weights: at least one must be greater than 0, such as text=1")
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which pages may be found; an empty filter lets all pass. A topic stands for those below it too."""

    topic: str = ""
    site: str = ""
    language: str = ""
    mime: str = ""
    month: str = ""

    def checked(self) -> "Filters":
        """Return these filters as pages have them; what no page can have is refused.

        >>> Filters(site="https://Example.org/a", language="EN-gb", mime="Text/HTML", month="2026-11").checked()
        Filters(topic='', site='example.org', language='en', mime='text/html', month='2026-11')
        """
        language = re.split("[-_]", self.language.strip().lower())[0]
        mime, month = self.mime.strip().lower(), self.month.strip()
        if not re.fullmatch("([a-z]{2,3})?", language):
            raise UsageError(f'language "{self.language}": write a code of two or three letters, such as en')
        if not re.fullmatch(r"([^\s/]+/[^\s/]+)?", mime):
            raise UsageError(f'type "{self.mime}": write it in full, such as text/html or application/pdf')
        if not re.fullmatch(r"(\d{4}-(0[1-9]|1[0-2]))?", month):
            raise UsageError(f'month "{self.month}": write the year and the month, such as 2026-11')
        return Filters(topic=self.topic, site=_host(self.site), language=language, mime=mime, month=month)


def _host(typed: str) -> str:
    """Return the host of what may be an address."""
    text = typed.strip()
    try:
        host = urlsplit(text if "//" in text else f"//{text}").hostname or ""
    except ValueError:
        host = ""
    if text and (not host.strip(".") or re.search(r"\s", host)):
        raise UsageError(f'site "{typed}": write a host or a domain, such as example.org')
    return host


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What to search for.

    `words` are in the query language. `like` are pages, and `like_text` a text, to which similar ones are wanted. With
    `vague`, the topic filters nothing: scores are multiplied by the probability of the topic instead.
    """

    words: str = ""
    like: tuple[int, ...] = ()
    like_text: str = ""
    filters: Filters = Filters()
    vague: bool = False
    weights: Weights = Weights()
    limit: int = 10
    offset: int = 0
    facets: bool = True
    snippets: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A piece of a page's text. `marks` are the places of the words asked for, each from and to."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    def marked(self, before: str, after: str) -> str:
        """Return the text with signs around the words.

        >>> Snippet(text="a hub gear", marks=((2, 5),)).marked("[", "]")
        'a [hub] gear'
        """
        parts, end = list[str](), 0
        for start, stop in self.marks:
            parts += [self.text[end:start], before, self.text[start:stop], after]
            end = stop
        return "".join([*parts, self.text[end:]])


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A page that was found. `by_words` is false for one that is near in meaning but has not all words."""

    page: PageFacts
    score: float
    by_words: bool
    parts: Weights
    snippet: Snippet = Snippet(text="")


@dataclass(frozen=True, slots=True, kw_only=True)
class FacetCount:
    """How many of the pages found have a value."""

    value: str
    pages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The hits, best first. `matches` counts all pages with the words; `did_you_mean` is the query spelled better."""

    hits: tuple[Hit, ...] = ()
    matches: int = 0
    did_you_mean: str = ""
    facets: dict[str, tuple[FacetCount, ...]] = field(default_factory=dict)
    pages: int = 0
