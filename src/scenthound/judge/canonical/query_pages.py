"""Pages that stand for a query: the canonical tree's on the topics it names, and its best answers among crawled pages.

Two or three words share hardly a term with any page. The tree says what else belongs to them. Once pages are crawled,
the best answers among them teach the critic how this web writes about the topic (pseudo-relevance feedback: Rocchio
1971, BINGO §5.3).
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scenthound.judge.canonical.canon import LANGUAGE, Canon, canon
from scenthound.judge.critic import Page
from scenthound.parse.words.page_terms import terms_of_text
from scenthound.parse.words.terms import Terms
from scenthound.taxonomy import ancestors, is_at_or_below

Floats = NDArray[np.float64]

SURE: Final = 0.5  # a topic of the tree counts if it is at least half as likely as the best one
# Below this share for the best topic, the tree has no place for the words: "dinosaurs" has .18 in the right place,
# "geography of great britain" .08 with rivers and lakes, and .04 with spiders.
LEAST_SHARE: Final = 0.15
TITLE: Final = 5.0  # a word in the title counts as so many in the text
# An answer reaches this part of the best match: one word of three is no answer where a page has all of them.
NEAR_BEST: Final = 0.5
# Okapi BM25 (Robertson et al., TREC-3): how soon more of the same word adds nothing, and how much long pages are held
# back.
K1, B = 1.2, 0.75


def query_page(query: str) -> Page:
    """Return a query as a page, in English if the canonical tree knows most of its words: it is too short to guess."""
    terms = terms_of_text(query)
    if not terms.language:
        english, known = terms_of_text(query, language=LANGUAGE), canon().features.columns
        terms = english if 2 * sum(term in known for term in english.terms) > len(english.terms) else terms
    return Page(title=query, terms=terms)


def tree_pages(query: str) -> list[Page]:
    """Return the pages of the canonical tree on the topics that a query names."""
    tree = canon()
    leaves = _leaves(tree, query)
    return [page for page, leaf in zip(tree.pages(), tree.leaf_of(), strict=True) if leaf in leaves]


def few_tree_pages(query: str, *, most: int) -> list[Page]:
    """Return at most so many pages of the topics that a query names, equally many of each.

    Where crawled pages answer a query, many of the tree's would drown what this web writes.
    """
    tree = canon()
    leaves, met = _leaves(tree, query), Counter[str]()
    turns = []
    for page, leaf in zip(tree.pages(), tree.leaf_of(), strict=True):
        if leaf in leaves:
            turns.append((met[leaf], page))
            met[leaf] += 1
    return [page for _, page in sorted(turns, key=lambda turn: turn[0])[:most]]


def best_answers(query: str, pages: Sequence[Page], *, most: int) -> list[Page]:
    """Return the pages that answer a query best: by its words (BM25) and by their place in the canonical tree together.

    A page that matches the words much worse than the best one is no answer. The mean of both ranks found .74 right ones
    among ten on eight topics of the schools web, where the words alone found .63 among five on thirteen.
    """
    words = match_words(query_page(query).terms, pages)
    shares = _shares(query, pages)
    ranks = _ranks(-words) + (_ranks(-shares) if shares.any() else 0.0)
    order = np.argsort(ranks, kind="stable").tolist()
    least = max(NEAR_BEST * float(words.max()), 1e-9) if len(pages) else 0.0
    return [pages[number] for number in order if words[number] >= least][:most]


def _ranks(values: Floats) -> Floats:
    """Rank values from 1 on, equal ones with the mean of their ranks. (scipy.stats has it, and takes 1 s to import.)

    >>> _ranks(np.array([0.5, 0.1, 0.5, 0.9])).tolist()
    [2.5, 1.0, 2.5, 4.0]
    """
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - 0.5 * (counts - 1.0))[places]
    return ranks


def match_words(query: Terms, pages: Sequence[Page]) -> Floats:
    """Score pages by the words of a query, with BM25; rare words are those rare among these pages and in the tree."""
    everywhere = [*pages, *canon().pages()]
    spread = Counter(term for page in everywhere for term in page.terms.terms)
    weights = {
        term: float(np.log1p((len(everywhere) - spread[term] + 0.5) / (spread[term] + 0.5))) for term in query.terms
    }
    lengths = np.array([float(page.terms.main.sum()) for page in pages])
    mean = max(1.0, float(lengths.mean())) if len(pages) else 1.0
    scores = np.zeros(len(pages))
    for number, page in enumerate(pages):
        slack = K1 * (1 - B + B * lengths[number] / mean)
        for place in (place for place, term in enumerate(page.terms.terms) if term in weights):
            many = float(page.terms.main[place]) + TITLE * float(page.terms.title[place])
            scores[number] += weights[page.terms.terms[place]] * many * (K1 + 1) / (many + slack)
    return scores


def _shares(query: str, pages: Sequence[Page]) -> Floats:
    """Return how likely each page is to belong to the topics of the tree that a query names."""
    tree = canon()
    leaves = _leaves(tree, query)
    meant = np.array([leaf in leaves for leaf in tree.leaves], dtype=np.bool_)
    shares: Floats = tree.judge(pages)[:, meant].sum(axis=1)
    return shares


def _leaves(tree: Canon, query: str) -> frozenset[str]:
    """Return the topics that a query names: the likeliest, and all that lie beside them where it names the one above.

    The likeliest topic for "history" is that of historians. The words name the topic above it, so that all of history
    is meant. A name alone says too little: "water pollution" is not about water sports.
    """
    page = query_page(query)
    [places] = tree.places([page])
    least = max(LEAST_SHARE, SURE * places[0].share) if places else 1.0
    likely = frozenset(place.leaf for place in places if place.share >= least)
    above = {path for leaf in likely for path in ancestors(leaf) if _name_terms(path) <= set(page.terms.terms)}
    return likely | {leaf for leaf in tree.leaves if any(is_at_or_below(leaf, path) for path in above)}


@cache
def _name_terms(path: str) -> frozenset[str]:
    """Return the terms of a topic's own name.

    >>> sorted(_name_terms("Recreation/Outdoors/Fishing and hunting"))
    ['fish', 'hunt']
    """
    return frozenset(terms_of_text(path.rpartition("/")[2], language=LANGUAGE).terms)
