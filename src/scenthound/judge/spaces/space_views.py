"""Feature spaces as views: each shows a page with other features in place of its terms (BINGO §3.4).

    terms       single terms, as every critic reads them
    pairs       two terms within a few words of each other
    anchors     the words of links to the page, without stop phrases
    neighbours  its terms, and the common ones of pages that cite it or that it cites
    vectors     its terms as a word vector
    combined    terms, pairs and anchors side by side

A learner does not know what the features mean. So the same support vector machine learns in every view.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.judge.critic import Page
from scenthound.judge.models.bags import Text, counts_of
from scenthound.judge.spaces.stop_phrases import without_stop_phrases
from scenthound.parse.words.stems import STOP, stems
from scenthound.parse.words.terms import NO_TERMS, Terms
from scenthound.parse.words.tokens import tokens_of

WINDOW: Final = 5  # words that a pair lies within (BINGO: "a limited word distance")
_MOST_TOKENS: Final = 20_000  # of a page: a book has millions
_MOST_PAIRS: Final = 2_000  # of a page, the most frequent
# Of each neighbour, the most frequent. A neighbour may be about anything (BINGO warns of diluting), so a term counts
# only if half of the neighbours have it, and of all of them only the best few are learnt from (`meta.CONSERVATIVE`).
_NEIGHBOUR_TERMS: Final = 40
_HALF: Final = 0.5

Weights = Mapping[str, int]


def term_view(page: Page, text: Text) -> Page:
    """Show a page as it is."""
    return page


def pair_view(page: Page, text: Text) -> Page:
    """Show a page as pairs of terms; one without text has none."""
    return replace(page, terms=_terms(page, _pairs(page)))


def anchor_view(page: Page, text: Text) -> Page:
    """Show a page as the words of links to it."""
    return replace(page, terms=_terms(page, _anchors(page)))


def neighbour_view(page: Page, text: Text) -> Page:
    """Show a page as its terms and those of its neighbours; one whose neighbours nobody knows as nothing."""
    around = _neighbours(page)
    return replace(page, terms=_terms(page, {**_own(page, text), **around}) if around else NO_TERMS)


def combined_view(page: Page, text: Text) -> Page:
    """Show a page as terms, pairs and words of links, each kind by itself; one without text as nothing.

    Beside pages without pairs, those with pairs would be longer for no reason: a crawl whose pages of no topic had no
    text refused 28 of 32 good pages.
    """
    pairs = _pairs(page)
    linked = {f"→{word}": count for word, count in _anchors(page).items()}
    return replace(page, terms=_terms(page, {**_own(page, text), **pairs, **linked}) if pairs else NO_TERMS)


View = Callable[[Page, Text], Page]
VECTORS: Final = "vectors"  # a space of numbers, not of features that a view could name
VIEWS: Final[Mapping[str, View]] = {
    "terms": term_view,
    "pairs": pair_view,
    "anchors": anchor_view,
    "neighbours": neighbour_view,
    VECTORS: term_view,
    "combined": combined_view,
}
NEED_TEXT: Final = ("pairs", "combined")
NEED_CONTEXT: Final = ("anchors", "neighbours", "combined")


def _own(page: Page, text: Text) -> Weights:
    counts = counts_of(page.terms, text=text)
    return {term: int(count) for term, count in zip(page.terms.terms, counts.tolist(), strict=True) if count}


def _pairs(page: Page) -> Weights:
    """Count pairs of different terms within the window, whichever comes first."""
    terms = list(_in_order(page.text, page.terms.language or page.language))
    names = sorted(set(terms))  # so that the lesser number of a pair is the name that comes first
    known = {term: number for number, term in enumerate(names)}
    places = np.array([known[term] for term in terms], dtype=np.int64)
    codes, counts = np.unique(_codes(places, len(names)), return_counts=True)
    best = np.argsort(-counts, kind="stable")[:_MOST_PAIRS]
    firsts, seconds = np.divmod(codes[best], max(len(names), 1))
    pairs = zip(firsts.tolist(), seconds.tolist(), counts[best].tolist(), strict=True)
    return {f"{names[first]}+{names[second]}": count for first, second, count in pairs}


def _codes(places: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    found = [np.zeros(0, dtype=np.int64)]
    for step in range(1, WINDOW):
        one, other = places[:-step], places[step:]
        apart = one != other
        found.append((np.minimum(one, other) * size + np.maximum(one, other))[apart])
    return np.concatenate(found)


def _in_order(text: str, language: str) -> Iterator[str]:
    """Yield the terms of a text in order, without stop words."""
    table = stems(language)
    for token in tokens_of(text)[:_MOST_TOKENS]:
        said = table[token]
        if said and said != STOP:
            yield from said.split(" ")


def _anchors(page: Page) -> Weights:
    counts, table = Counter[str](), stems(page.terms.language or page.language)
    for text in page.context.anchors:
        for word in without_stop_phrases(text):
            said = table[word.encode()]
            if said and said != STOP:
                counts.update(said.split(" "))
    return counts


def _neighbours(page: Page) -> Weights:
    counts = Counter[str]()
    for terms in page.context.neighbours:
        weights = counts_of(terms, text="main")
        best = np.argsort(-weights, kind="stable")[:_NEIGHBOUR_TERMS]
        counts.update(f"~{terms.terms[place]}" for place in best.tolist() if weights[place])
    least = _HALF * len(page.context.neighbours)
    return {term: count for term, count in counts.items() if count >= least}


def _terms(page: Page, weights: Weights) -> Terms:
    """Return features as terms, all of them in the main text."""
    none = np.zeros(len(weights), dtype=np.uint16)
    counts = np.minimum(np.fromiter(weights.values(), dtype=np.int64, count=len(weights)), 65_535).astype(np.uint16)
    return Terms(language=page.terms.language, terms=tuple(weights), title=none, main=counts, rest=none)
