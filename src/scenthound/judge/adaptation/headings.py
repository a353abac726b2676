"""The kind of a page, by the words of its title and headings: "Early life" and "Works", or "Climate" and "Population".

The words of a text say what a page is about. Its headings say also what kind of page it is: a poet or a poem, a king or
his wars. Eight examples of one topic are often of one kind. Background pages have no headings, so the critic compares
the headings of the examples with those of crawled pages. The result moves its log-odds.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from scenthound.judge.critic import Page

Floats = NDArray[np.float64]

# Average precision on the pages of 21 simulated crawls of the schools web, eight examples each: .766 without headings,
# .787 with a share of .2, .783 with .4. On two of WebKB .398, .390 and .355. docs/explanation/judging.md has more.
_SHARE: Final = 0.2
_FEWEST: Final = 3  # pages that a word of headings must be on
_COMMON: Final = 0.8  # share of pages from which on a word says nothing
_FARTHEST: Final = 3.0  # standard deviations that count
_LEAST_EXAMPLES: Final = 3  # with headings


@dataclass(frozen=True, slots=True, kw_only=True)
class Headings:
    """What headings say: the rarity of each word, and its part in the mean of the examples.

    The likeness of a page is the mean cosine with the examples. Among crawled pages it has this `middle` and `spread`;
    `strength` is how far one spread moves the log-odds.
    """

    words: Mapping[str, tuple[float, float]]
    middle: float = 0.0
    spread: float = 1.0
    strength: float = 0.0

    def shifts(self, pages: Sequence[Page]) -> Floats:
        """Return how far the headings of pages move their log-odds."""
        if not self.strength:
            return np.zeros(len(pages))
        return self.moved(np.array([self.likeness(heading_words(page)) for page in pages], dtype=np.float64))

    def moved(self, likeness: Floats) -> Floats:
        """Return how far likenesses move log-odds."""
        found: Floats = np.clip((likeness - self.middle) / self.spread, -_FARTHEST, _FARTHEST) * self.strength
        return found

    def likeness(self, words: Sequence[str]) -> float:
        """Return the mean cosine with the examples; the usual one for a page without headings."""
        if not words:
            return self.middle
        known = [self.words[word] for word in words if word in self.words]
        length = sqrt(sum(rarity * rarity for rarity, _ in known))
        return sum(rarity * part for rarity, part in known) / length if length else 0.0

    def as_model(self) -> dict[str, Any]:
        """Return facts to save."""
        numbers = {"middle": self.middle, "spread": self.spread, "strength": self.strength}
        return {"headings": numbers | {"words": {word: list(pair) for word, pair in self.words.items()}}}

    @classmethod
    def of_model(cls, facts: Mapping[str, Any]) -> Self:
        """Restore the result of `as_model`; a critic of an earlier version has none."""
        if (kept := facts.get("headings")) is None:
            return cls(words={})
        words = {word: (rarity, part) for word, (rarity, part) in kept["words"].items()}
        return cls(words=words, middle=kept["middle"], spread=kept["spread"], strength=kept["strength"])


NO_HEADINGS: Final = Headings(words={})


@dataclass(frozen=True, slots=True, kw_only=True)
class LearntHeadings:
    """What headings say, and how far they move each example, judged by the others."""

    headings: Headings
    held_back: Floats


def heading_words(page: Page) -> list[str]:
    """Return the terms of headings and title, each once; none for a page without headings, such as a PDF."""
    terms = page.terms
    if not terms.headings.any():
        return []
    return [terms.terms[place] for place in np.flatnonzero(terms.headings | terms.title).tolist()]


def learn_headings(examples: Sequence[Page], crawled: Sequence[Page], scores: Floats) -> LearntHeadings:
    """Learn what headings say from examples and crawled pages, which have these log-odds without headings.

    Examples that are hardly alike must not be left out: with a strength in proportion to the likeness of held-out
    examples, two thirds of the gain were lost.

    >>> from scenthound.parse.words.page_terms import terms_of
    >>> from scenthound.types import Reading
    >>> headed = lambda text: Page(terms=terms_of(Reading(headings=text, language="en")))
    >>> poet, poem, neither = headed("Early life and works"), headed("Text and metre"), headed("")
    >>> found = learn_headings([poet] * 4, [poem] * 40 + [poet] * 10, np.linspace(-4.0, 4.0, 50)).headings
    >>> found.shifts([poet, poem, neither]).round(1).tolist()
    [0.9, -0.2, 0.0]
    """
    nothing = LearntHeadings(headings=NO_HEADINGS, held_back=np.zeros(len(examples)))
    said, met = [heading_words(page) for page in examples], [heading_words(page) for page in crawled]
    if sum(map(bool, said)) < _LEAST_EXAMPLES or not any(met):
        return nothing
    rarity = _rarity([*said, *met])
    rows = [_row(words, rarity) for words in said]
    total = Counter[str]()
    for row in rows:
        total.update(row)
    headed = sum(map(bool, rows))
    words = {word: (weight, total[word] / max(1, headed)) for word, weight in rarity.items()}
    plain = Headings(words=words)
    likeness = np.array([plain.likeness(words) for words in met if words], dtype=np.float64)
    spread = float(likeness.std())
    if headed < _LEAST_EXAMPLES or spread <= 0:
        return nothing
    strength = _SHARE * float(np.std(scores))
    found = Headings(words=words, middle=float(likeness.mean()), spread=spread, strength=strength)
    others = [_among_others(row, total, headed) if row else found.middle for row in rows]
    return LearntHeadings(headings=found, held_back=found.moved(np.array(others)))


def _rarity(pages: Sequence[Sequence[str]]) -> dict[str, float]:
    """Weigh the words that are on some pages and not on nearly all."""
    spread = Counter(word for words in pages for word in words)
    most = _COMMON * len(pages)
    return {word: log(len(pages) / count) for word, count in sorted(spread.items()) if _FEWEST <= count <= most}


def _row(words: Sequence[str], rarity: Mapping[str, float]) -> dict[str, float]:
    """Return a row of unit length."""
    known = {word: rarity[word] for word in words if word in rarity}
    length = sqrt(sum(weight * weight for weight in known.values()))
    return {word: weight / length for word, weight in known.items()}


def _among_others(row: Mapping[str, float], total: Mapping[str, float], rows: int) -> float:
    """Return the mean cosine of an example with the others that have headings."""
    return sum(weight * (total[word] - weight) for word, weight in row.items()) / (rows - 1)
