"""All that an apprentice knows of words: what pages, links and addresses with each led to, and what the critic thinks of it."""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from scenthound.apprentice.ground import Floats, Ground, Ints
from scenthound.apprentice.model import State, WordOpinions
from scenthound.apprentice.word_yields import WordYields
from scenthound.parse.word_stream import number_of

BITS: Final = 18  # of a word's number: a million different words would share a quarter million places
SUREST: Final = 1e-6


class Lexicon:
    """`pages` are the words of fetched pages, `links` those around links that were followed, `addresses` those of URLs."""

    def __init__(self, opinions: WordOpinions) -> None:
        self.pages = WordYields(bits=BITS, doubt=3.0)
        self.links = WordYields(bits=BITS, doubt=2.0)
        self.addresses = WordYields(bits=BITS, doubt=2.0)
        self.critic = _opinions(opinions)

    def learn_page(self, words: NDArray[np.uint32], relevance: float) -> None:
        if len(words):
            self.pages.learn(np.unique(words & ((1 << BITS) - 1)), relevance)

    def learn_links(self, ground: Ground, links: Iterable[int], relevance: float) -> None:
        """Learn from the words around links that led to something of that relevance, each word once."""
        table, words, found = ground.links, ground.words.values, list[Ints]()
        for link in links:
            found.append(words[table.around_from.values[link] : table.own_from.values[link]])
            found.append(words[table.own_to.values[link] : table.around_to.values[link]])
        if found:
            self.links.learn(np.unique(np.concatenate(found)), relevance)

    def learn_address(self, ground: Ground, url: int, relevance: float) -> None:
        first, after = ground.urls.words_from.values[url], ground.urls.words_to.values[url]
        self.addresses.learn(np.unique(ground.address_words.values[first:after]), relevance)

    def state(self) -> State:
        parts = self._parts()
        return {f"{name}.{key}": array for name, part in parts.items() for key, array in part.state().items()}

    def restore(self, state: State) -> None:
        for name, part in self._parts().items():
            part.restore({key: state[f"{name}.{key}"] for key in part.state()})

    def _parts(self) -> dict[str, WordYields]:
        return {"page words": self.pages, "link words": self.links, "address words": self.addresses}


def _opinions(opinions: WordOpinions) -> Floats:
    """Return by how much each word raises the critic's log-odds; a word about which it was not asked does not."""
    table = np.zeros(1 << BITS)
    numbers: NDArray[Any] = np.array([number_of(term) & ((1 << BITS) - 1) for term in opinions.terms], dtype=np.int64)
    sure = (SUREST, 1.0 - SUREST)
    if len(numbers):
        table[numbers] = logit(np.clip(opinions.relevance, *sure)) - logit(np.clip(opinions.without, *sure))
    return table
