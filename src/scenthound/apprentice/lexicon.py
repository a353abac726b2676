"""All that an apprentice knows of words: what pages, links and addresses with each led to, and words that mean the same, and
what the critic thinks of it.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from scenthound.apprentice.ground import Floats, Ground, Ints
from scenthound.apprentice.meanings import Meanings
from scenthound.apprentice.model import State, WordOpinions
from scenthound.apprentice.ranges import Ranges
from scenthound.apprentice.word_vectors import word_vectors
from scenthound.apprentice.word_yields import WordYields, distinct
from scenthound.parse.word_stream import number_of

BITS: Final = 18  # of a word's number: a million different words would share a quarter million places
SUREST: Final = 1e-6
TELLING: Final = 5  # links to a page, the latest, from whose own words it is learnt what words mean


class Lexicon:
    """`pages` are the words of fetched pages, `links` those around links that were followed, `addresses` those of URLs."""

    def __init__(self, opinions: WordOpinions) -> None:
        self.pages = WordYields(bits=BITS, doubt=3.0)
        self.links = WordYields(bits=BITS, doubt=2.0)
        self.addresses = WordYields(bits=BITS, doubt=2.0)
        self.meanings = Meanings(word_vectors(BITS))
        self.critic = _opinions(opinions)

    def learn_page(self, words: NDArray[np.uint32], relevance: float) -> None:
        self.meanings.turn()
        if len(words):
            self.pages.learn(distinct(words & ((1 << BITS) - 1)), relevance)

    def learn_links(self, ground: Ground, links: Ints, relevance: float) -> None:
        """Learn from the words around links that led to the same thing, of that relevance, each word once."""
        if len(links):
            _, words = _around(ground, links)
            self.links.learn(distinct(words), relevance)
            self._learn_meanings(ground, links[:TELLING], np.full(len(links[:TELLING]), relevance))

    def learn_each_link(self, ground: Ground, links: Ints, relevance: Floats) -> None:
        """Learn from links that led to different things, one after another."""
        if len(links):
            rows, words = _around(ground, links)
            pairs = distinct((rows << BITS) | words)
            self.links.learn_each(pairs >> BITS, pairs & ((1 << BITS) - 1), relevance)
            self._learn_meanings(ground, links, relevance)

    def learn_address(self, ground: Ground, url: int, relevance: float) -> None:
        """Learn from the words of an address; of what nothing links to, as most examples, these must also say what it is about."""
        first, after = ground.urls.words_from.values[url], ground.urls.words_to.values[url]
        words = ground.address_words.values[first:after]
        self.addresses.learn(distinct(words), relevance)
        if not ground.is_cited(url):
            self.meanings.learn(words, Ranges.of(np.array([0]), np.array([len(words)])), np.array([relevance]))

    def state(self) -> State:
        parts = self._parts()
        return {f"{name}.{key}": array for name, part in parts.items() for key, array in part.state().items()}

    def restore(self, state: State) -> None:
        for name, part in self._parts().items():
            part.restore({key: state[f"{name}.{key}"] for key in part.state()})

    def _learn_meanings(self, ground: Ground, links: Ints, relevance: Floats) -> None:
        own = ground.own_words(links)
        self.meanings.learn(ground.words.values.take(own.places), own, relevance)

    def _parts(self) -> dict[str, WordYields | Meanings]:
        yields = {"page words": self.pages, "link words": self.links, "address words": self.addresses}
        return {**yields, "meanings": self.meanings}


def _around(ground: Ground, links: Ints) -> tuple[Ints, Ints]:
    """Return for each word around links, their own left out, the place of its link among these, and the word."""
    table = ground.links
    begin = np.concatenate((table.around_from.values[links], table.own_to.values[links]))
    end = np.concatenate((table.own_from.values[links], table.around_to.values[links]))
    ranges = Ranges.of(begin, end)
    rows = np.repeat(np.tile(np.arange(len(links)), 2), ranges.sizes)
    return rows, ground.words.values[ranges.places]


def _opinions(opinions: WordOpinions) -> Floats:
    """Return by how much each word raises the critic's log-odds; a word about which it was not asked does not."""
    table = np.zeros(1 << BITS)
    numbers: NDArray[Any] = np.array([number_of(term) & ((1 << BITS) - 1) for term in opinions.terms], dtype=np.int64)
    sure = (SUREST, 1.0 - SUREST)
    if len(numbers):
        table[numbers] = logit(np.clip(opinions.relevance, *sure)) - logit(np.clip(opinions.without, *sure))
    return table
