"""The kind of a page, by parts of it that say more than the whole: its headings, and the beginning of its text.

The words of a text say what a page is about. Headings ("Early life", "Works") and the first sentences ("a Polish
composer", "a river in Egypt") say also what kind of page it is. Eight examples of one topic are often of one kind.
Background pages have neither, so the critic compares these parts of the examples with those of crawled pages. The
result moves its log-odds.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from scenthound.judge.critic import Page

Floats = NDArray[np.float64]

_BEGINNING: Final = 100  # different terms that count as the beginning of a text
_FEWEST: Final = 3  # pages that a word must be on
_COMMON: Final = 0.8  # share of pages from which on a word says nothing
_FARTHEST: Final = 3.0  # standard deviations that count
_LEAST_EXAMPLES: Final = 3  # that have the part


def heading_words(page: Page) -> list[str]:
    """Return the terms of headings and title, each once; none for a page without headings, such as a PDF."""
    terms = page.terms
    if not terms.headings.any():
        return []
    return [terms.terms[place] for place in np.flatnonzero(terms.headings | terms.title).tolist()]


def first_words(page: Page) -> list[str]:
    """Return the terms that the main text begins with, each once: `Terms` keeps the order of first occurrence."""
    terms = page.terms
    return [terms.terms[place] for place in np.flatnonzero(terms.main)[:_BEGINNING].tolist()]


_PARTS: Final[Mapping[str, Callable[[Page], list[str]]]] = {"headings": heading_words, "beginning": first_words}
# How far one standard deviation of likeness moves the log-odds, in standard deviations of the critic's own. Average
# precision on simulated crawls, eight examples each (`python -m bench.page_kinds`): docs/explanation/judging.md.
_SHARES: Final = {"headings": 0.2, "beginning": 0.3}
ALL_PARTS: Final = tuple(_PARTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What one part of a page says: the rarity of each word, and its share in the mean of the examples.

    The likeness of a page is the mean cosine with the examples. Among crawled pages it has this `middle` and `spread`;
    `strength` is how far one spread moves the log-odds.
    """

    words: Mapping[str, tuple[float, float]]
    middle: float = 0.0
    spread: float = 1.0
    strength: float = 0.0

    def moved(self, likeness: Floats) -> Floats:
        """Return how far likenesses move log-odds."""
        found: Floats = np.clip((likeness - self.middle) / self.spread, -_FARTHEST, _FARTHEST) * self.strength
        return found

    def likeness(self, words: Sequence[str]) -> float:
        """Return the mean cosine with the examples; the usual one for a page without this part."""
        if not words:
            return self.middle
        known = [self.words[word] for word in words if word in self.words]
        length = sqrt(sum(rarity * rarity for rarity, _ in known))
        return sum(rarity * part for rarity, part in known) / length if length else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Views:
    """What the parts of a page say together, each by its name."""

    parts: Mapping[str, View]

    def shifts(self, pages: Sequence[Page]) -> Floats:
        """Return how far the parts of pages move their log-odds."""
        total = np.zeros(len(pages))
        for name, view in self.parts.items():
            words_of = _PARTS[name]
            total += view.moved(np.array([view.likeness(words_of(page)) for page in pages], dtype=np.float64))
        return total

    def as_model(self) -> dict[str, Any]:
        """Return facts to save."""
        return {"views": {name: _facts(view) for name, view in self.parts.items()}}

    @classmethod
    def of_model(cls, facts: Mapping[str, Any]) -> Self:
        """Restore the result of `as_model`; earlier versions knew headings only, or nothing."""
        headings = facts.get("headings")
        kept = facts.get("views", {"headings": headings} if headings and headings["strength"] else {})
        return cls(parts={name: _view(one) for name, one in kept.items()})


NO_VIEWS: Final = Views(parts={})


@dataclass(frozen=True, slots=True, kw_only=True)
class LearntViews:
    """What the parts of pages say, and how far they move each example, judged by the others."""

    views: Views
    held_back: Floats


def learn_views(
    examples: Sequence[Page], crawled: Sequence[Page], scores: Floats, *, parts: Sequence[str] = ALL_PARTS
) -> LearntViews:
    """Learn what parts of a page say from examples and crawled pages, which have these log-odds without them.

    Examples that are hardly alike must not be left out: with a strength in proportion to the likeness of held-out
    examples, two thirds of the gain were lost.

    >>> from scenthound.parse.words.page_terms import terms_of
    >>> from scenthound.types import Reading
    >>> headed = lambda text: Page(terms=terms_of(Reading(headings=text, language="en")))
    >>> poet, poem, neither = headed("Early life and works"), headed("Text and metre"), headed("")
    >>> found = learn_views([poet] * 4, [poem] * 40 + [poet] * 10, np.linspace(-4.0, 4.0, 50)).views
    >>> found.shifts([poet, poem, neither]).round(1).tolist()
    [0.9, -0.2, 0.0]
    """
    views, held_back = {}, np.zeros(len(examples))
    for name in parts:
        said, met = ([_PARTS[name](page) for page in pages] for pages in (examples, crawled))
        learnt = _learn_view(said, met, strength=_SHARES[name] * float(np.std(scores)) if len(scores) else 0.0)
        if learnt is not None:
            views[name], held = learnt
            held_back += held
    return LearntViews(views=Views(parts=views) if views else NO_VIEWS, held_back=held_back)


def _learn_view(
    said: Sequence[Sequence[str]], met: Sequence[Sequence[str]], *, strength: float
) -> tuple[View, Floats] | None:
    """Learn one view from the words of examples and of crawled pages; None if they say nothing."""
    if sum(map(bool, said)) < _LEAST_EXAMPLES or not any(met):
        return None
    rarity = _rarity([*said, *met])
    rows = [_row(words, rarity) for words in said]
    total = Counter[str]()
    for row in rows:
        total.update(row)
    there = sum(map(bool, rows))
    words = {word: (weight, total[word] / max(1, there)) for word, weight in rarity.items()}
    plain = View(words=words)
    likeness = np.array([plain.likeness(words) for words in met if words], dtype=np.float64)
    spread = float(likeness.std())
    if there < _LEAST_EXAMPLES or spread <= 0:
        return None
    found = View(words=words, middle=float(likeness.mean()), spread=spread, strength=strength)
    others = [_among_others(row, total, there) if row else found.middle for row in rows]
    return found, found.moved(np.array(others))


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
    """Return the mean cosine of an example with the others that have this part."""
    return sum(weight * (total[word] - weight) for word, weight in row.items()) / (rows - 1)


def _facts(view: View) -> dict[str, Any]:
    numbers = {"middle": view.middle, "spread": view.spread, "strength": view.strength}
    return numbers | {"words": {word: list(pair) for word, pair in view.words.items()}}


def _view(kept: Mapping[str, Any]) -> View:
    words = {word: (rarity, part) for word, (rarity, part) in kept["words"].items()}
    return View(words=words, middle=kept["middle"], spread=kept["spread"], strength=kept["strength"])
