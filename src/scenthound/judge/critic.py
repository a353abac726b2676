"""The protocols of critics and learners (FOCUS §2; BINGO §2.3). Every kind passes the contract suite in tests/judge.

    Lessons (topics, examples, pages of no topic, pages at hand) ─► Learner.fit ─► Critic ─► judge ─► Pr(topic | page)

A critic does not know which topics are good. `relevance.judgements` sums over the good ones, so that a new mark needs
no training.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from scenthound.parse.urls import host_of
from scenthound.parse.words.terms import NO_TERMS, Terms
from scenthound.taxonomy import Topics, is_address

Probabilities = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What the graph says of a page: the words of links to it, and the terms of pages that cite it or that it cites."""

    anchors: tuple[str, ...] = ()
    neighbours: tuple[Terms, ...] = ()


NO_CONTEXT = Context()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page as a critic sees it. Only critics with `wants_text` get `text`; those that `want_context` get that."""

    url: str = ""
    title: str = ""
    language: str = ""
    terms: Terms = NO_TERMS
    text: str = ""
    context: Context = NO_CONTEXT

    @property
    def site(self) -> str:
        """The host of the page; "" for a file, a query or a background page."""
        return host_of(self.url) if is_address(self.url) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A page that the user assigns to a topic; `name` is its URL, file name or query.

    An `assumed` one is no page that the user has named: an archetype, the words of a query, or a page that stands for
    them. It teaches like any other, and does not count when the critic is tried.
    """

    topic: str
    name: str
    page: Page
    assumed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lessons:
    """The training data of a critic.

    An example of an inner topic means "here, and none of the topics below". `others` are pages without a topic: the
    class OTHERS. `at_hand` are unlabelled pages, which teach only the meaning of words.
    """

    topics: Topics
    examples: tuple[Example, ...]
    others: tuple[Page, ...] = ()
    at_hand: tuple[Page, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """A term and how much it speaks for a class (positive) or against it (negative)."""

    term: str
    weight: float


class Critic(Protocol):
    """A trained judge of pages."""

    @property
    def classes(self) -> tuple[str, ...]:
        """The paths of the classes: every topic with examples, and OTHERS if there are such pages.

        A critic that can recognise pages of no topic may have OTHERS without such pages too.
        """
        ...

    @property
    def wants_text(self) -> bool:
        """Whether `judge` needs the whole text of pages besides their terms."""
        ...

    def judge(self, pages: Sequence[Page]) -> Probabilities:
        """Return Pr(class | page), a row for each page and a column for each class; rows sum to 1.

        A page's row does not depend on the other pages. A page without any term gets a valid row.
        """
        ...

    def telling(self, topic: str, *, most: int = 10) -> tuple[Telling, ...]:
        """Return the terms that speak most for a topic against its siblings, best first; empty if unknown."""
        ...

    def save(self, folder: Path) -> None:
        """Write the critic into a new folder, as data only: loading runs no code from it."""
        ...

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Load the result of `save`; its judgements are the same, bit for bit."""
        ...


class Learner(Protocol):
    """A way to train critics."""

    def fit(self, lessons: Lessons, *, seed: int, before: Critic | None = None) -> Critic:
        """Train a critic. The same lessons and seed give the same critic.

        The learner may reuse parts of `before` whose lessons are unchanged. The result must be the same as without it.
        """
        ...


def want_context(judge: Critic | Learner | None) -> bool:
    """Tell whether a critic or a learner reads more of pages than the pages themselves; most do not, and do not say."""
    return bool(getattr(judge, "wants_context", False))
