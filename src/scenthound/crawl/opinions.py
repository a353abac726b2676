"""What the critic at work thinks of single words: an apprentice starts from that, before it has seen where a link leads.

A pure function of the critic and its examples, so that whoever replays the lessons of a crawl starts from the same.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from scenthound.apprentice.model import WordOpinions
from scenthound.judge.base import Critic, Example, Page
from scenthound.judge.relevance import judgements
from scenthound.parse.terms import Terms
from scenthound.taxonomy import Topics

MOST_WORDS: Final = 20_000  # about which the critic is asked one by one
NO_WORD: Final = Page()


def opinions_of(critic: Critic | None, examples: Sequence[Example], topics: Topics) -> WordOpinions:
    """Ask the critic about the words of the examples, one by one; a function of the user's is not bothered with that."""
    if critic is None or critic.wants_text:
        return WordOpinions(relevance=np.zeros(0))
    spoken = Counter(term for example in examples for term in example.page.terms.terms)
    terms = [term for term, _ in spoken.most_common(MOST_WORDS)]
    judged = judgements(critic.judge([NO_WORD, *map(word_page, terms)]), critic.classes, topics)
    relevance = np.array([judgement.relevance for judgement in judged])
    return WordOpinions(terms=terms, relevance=relevance[1:], without=float(relevance[0]))


def word_page(term: str) -> Page:
    """Return a page with nothing but one word, which is a stem already."""
    once, never = np.ones(1, dtype=np.uint16), np.zeros(1, dtype=np.uint16)
    return Page(terms=Terms(terms=(term,), title=never, main=once, rest=never), text=term)
