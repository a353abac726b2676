"""The kind of a page, by the words of its title and headings: "Early life" and "Works", or "Climate" and "Population".

The words of a text say what a page is about. Its headings say also what kind of page it is: a poet or a poem, a king or
his wars. Eight examples of one topic are often of one kind. No background page has headings, so their words are compared
with those of the crawled pages. The result moves the critic's log-odds.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from math import log, sqrt
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from scenthound.judge.critic import Page

Floats = NDArray[np.float64]

# Average precision on the pages of 22 simulated crawls of the schools web, eight examples each: .629 without headings,
# .658, .659, .656 with a share of .3, .5, .8. On 21 topics not looked at before: .765, and .792 with .4.
_SHARE: Final = 0.4
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
        return self._moved(np.array([self._likeness(page) for page in pages], dtype=np.float64))

    def _moved(self, likeness: Floats) -> Floats:
        found: Floats = np.clip((likeness - self.middle) / self.spread, -_FARTHEST, _FARTHEST) * self.strength
        return found

    def _likeness(self, page: Page) -> float:
        known = [self.words[word] for word in heading_words(page) if word in self.words]
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
    """Return the terms of the title and of the headings of a page, without repetition."""
    terms = page.terms
    there = terms.title > 0
    if len(terms.headings):
        there = there | (terms.headings > 0)
    return list(compress(terms.terms, there.tolist()))


def learn_headings(examples: Sequence[Page], crawled: Sequence[Page], scores: Floats) -> LearntHeadings:
    """Learn what headings say from examples and crawled pages, which have these log-odds without headings.

    Examples that are hardly alike must not be left out: with a strength in proportion to the likeness of held-out
    examples, two thirds of the gain were lost.

    >>> from scenthound.parse.words.page_terms import terms_of_text
    >>> titled = lambda title: Page(terms=terms_of_text("", title=title, language="en"))
    >>> poets, poems = titled("Early life and works"), titled("Text and metre")
    >>> found = learn_headings([poets] * 4, [poems] * 40 + [poets] * 10, np.linspace(-4.0, 4.0, 50)).headings
    >>> found.shifts([poets, poems]).round(1).tolist()
    [1.9, -0.5]
    """
    nothing = LearntHeadings(headings=NO_HEADINGS, held_back=np.zeros(len(examples)))
    said, met = [heading_words(page) for page in examples], [heading_words(page) for page in crawled]
    if sum(map(bool, said)) < _LEAST_EXAMPLES or not met:
        return nothing
    rarity = _rarity([*said, *met])
    rows = [_row(words, rarity) for words in said]
    total = Counter[str]()
    for row in rows:
        total.update(row)
    words = {word: (weight, total[word] / len(rows)) for word, weight in rarity.items()}
    plain = Headings(words=words)
    likeness = np.array([plain._likeness(page) for page in crawled], dtype=np.float64)
    spread = float(likeness.std())
    if spread <= 0:
        return nothing
    found = Headings(
        words=words, middle=float(likeness.mean()), spread=spread, strength=_SHARE * float(np.std(scores))
    )
    held_back = found._moved(np.array([_among_others(row, total, len(rows)) for row in rows]))
    return LearntHeadings(headings=found, held_back=held_back)


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
    """Return the mean cosine of an example with the other ones."""
    return sum(weight * (total[word] - weight) for word, weight in row.items()) / (rows - 1)
